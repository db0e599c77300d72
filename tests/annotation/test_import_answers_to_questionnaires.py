"""Nour brings in what people answered to a questionnaire elsewhere: held to what the stage asks, all or nothing."""

import io

import orjson
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from annotation.models import QuestionnaireAnswer
from formats.importing.running import run_import
from formats.importing.taking_back import take_back
from formats.project_file.applying import apply_file
from formats.reading import Source
from projects import derived
from projects.models import AuditEvent, DerivationStep, Import, Project
from projects.problems import Invalid
from tests.annotation.questionnaires import RANK, RIGHT, WRONG, questionnaire, responses_of
from tests.annotation.rated import pair_of
from tests.people import EGYPTIAN, add_response, signed_in
from workflow.claims import claim_next

pytestmark = pytest.mark.django_db
MONA = {
    "stage": "Answering",
    "item": "koshari",
    "rater": "Mona Adel",
    "answers": {"right": "Yes", "wrong": "لا شيء 🍲"},
}


@pytest.fixture
def stage(project):
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    return questionnaire(project, RIGHT, WRONG)


def imported(project: Project, *lines: dict):
    content = b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines)
    return run_import(project, Source(io.BytesIO(content)), "questionnaire-answers")


def problems(outcome) -> list[tuple[int | None, str, str]]:
    assert not outcome.is_stored
    return [(each.line, each.code, each.field) for each in outcome.problems]


def test_answers_come_in_and_who_gave_them_is_not_asked_again(project, mona, stage):
    outcome = imported(project, MONA, MONA | {"rater": "Elsewhere"}, MONA | {"round": 2, "answers": {"right": "No"}})
    assert outcome.is_stored
    assert outcome.counts["answers"] == 3
    own = QuestionnaireAnswer.objects.get(rater=mona.raters.get(), round=1)
    assert (own.response.key, own.answers, own.assignment) == ("koshari", MONA["answers"], None)
    assert claim_next(mona.raters.get(), stage) is None
    project.refresh_from_db()
    assert "questionnaires" in project.areas


def test_what_came_by_a_file_keeps_the_parts_that_it_answers(project, stage):
    lines = ["format: mizan.project/1", "stages:", "- name: Answering", "  kind: questionnaire"]
    lines += ["  seed: 7", "  show: [prompt, response]", "  ask: [{text: What is wrong?, key: wrong}]"]
    assert imported(project, MONA | {"rater": "Elsewhere"}).is_stored
    with pytest.raises(Invalid) as refused:
        apply_file(project, "\n".join(lines).encode())
    assert ("in_use", "stages[0].ask") in [(each.code, each.field) for each in refused.value.problems]


@pytest.mark.parametrize("way", ["command", "api"])
def test_a_table_of_other_columns_comes_in_by_a_mapping(project, nour, stage, way, tmp_path):
    table, mapping = tmp_path / "table.csv", tmp_path / "mapping.yaml"
    table.write_text("text,who,verdict\nkoshari,Mona Adel,y\n")
    mapping.write_text(
        'kind: questionnaire-answers\nvalues: {answers.right: {"y": "Yes"}}\n'
        'fields: {stage: Answering, item: "{text}", rater: "{who}", answers: {right: "{verdict}"}}\n'
    )
    if way == "command":
        said = ("--kind", "questionnaire-answers", "--mapping", str(mapping), "--quiet")
        call_command("import_answers", "feasts", str(table), *said, stdout=io.StringIO())
    else:
        parts = {
            "file": SimpleUploadedFile("table.csv", table.read_bytes()),
            "mapping": SimpleUploadedFile("mapping.yaml", mapping.read_bytes()),
        }
        answer = signed_in(nour).post("/api/v1/projects/feasts/imports/?kind=questionnaire-answers", parts)
        assert answer.status_code == 201, answer.content
    row = QuestionnaireAnswer.objects.get()
    assert (row.response.key, row.rater.name, row.answers) == ("koshari", "Mona Adel", {"right": "Yes"})


def test_the_same_file_again_changes_nothing_and_another_answer_is_refused(project, mona, stage):
    other = MONA | {"rater": "Elsewhere"}
    assert imported(project, MONA).is_stored
    again = imported(project, MONA, other)
    assert (again.counts["unchanged answers"], again.counts["answers"]) == (1, 1)
    refused = imported(project, other, MONA | {"answers": {"right": "No"}})
    assert problems(refused) == [(2, "already_there", "item")]
    assert problems(imported(project, MONA | {"round": 3}, MONA | {"round": 3})) == [(2, "already_there", "item")]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"stage": "Elsewhere"}, (1, "unknown_stage", "stage")),
        ({"item": "none"}, (1, "unknown_item", "item")),
        ({"item": None, "prompt": "p-koshari"}, (1, "missing", "item")),
        ({"prompt": "p-koshari"}, (1, "not_one_subject", "item")),
        ({"item": None}, (1, "not_one_subject", "item")),
        ({"answers": {"right": "yes"}}, (1, "not_a_choice", "answers.right")),
        ({"answers": {"wrong": "x"}}, (1, "required", "answers.right")),
        ({"answers": {"right": "Yes", "left": "x"}}, (1, "unknown_question", "answers.left")),
        ({"answers": {"right": "Yes", "wrong": "x" * 48_000}}, (1, "too_long", "answers.wrong")),
        ({"answers": ["Yes"]}, (1, "not_object", "answers")),
        ({"rater": ""}, (1, "empty", "rater")),
        ({"colour": "red"}, (1, "unknown_field", "colour")),
    ],
)
def test_what_is_no_answer_is_said_with_its_place_and_nothing_is_stored(project, mona, stage, changes, expected):
    assert problems(imported(project, MONA | changes)) == [expected]
    assert not QuestionnaireAnswer.objects.exists()


def test_of_a_response_that_was_changed_a_ranking_names_the_text_that_is_shown(project):
    two = responses_of(project, "feast", 2)
    step = DerivationStep.objects.create(project=project, name="Cut", change="words", limit=1)
    made = derived.store(step, [derived.Made(one, one.text.split()[0]) for one in two])
    questionnaire(project, RANK, show=("prompt", "responses"), name="Ranking")
    ranks = {one.key: rank for rank, one in enumerate(made, 1)}
    ranking = {"stage": "Ranking", "prompt": "p-feast-0", "rater": "Mona", "answers": {"rank": ranks}}
    assert imported(project, ranking).is_stored
    assert QuestionnaireAnswer.objects.get().answers == {"rank": ranks}


def test_rankings_name_responses_by_their_keys(project):
    responses_of(project, "feast", 3)
    pair_of(project, "greeting")
    questionnaire(project, RANK, show=("prompt", "responses"), name="Ranking")
    questionnaire(project, RANK, show=("prompt", "pair"), name="Pairs")
    ranking = {"stage": "Ranking", "prompt": "p-feast-0", "rater": "Mona", "answers": {"rank": {"feast-0": 2}}}
    assert problems(imported(project, ranking)) == [(1, "required", "answers.rank")]
    ranking["answers"] = {"rank": {"feast-0": 2, "feast-1": 1, "feast-2": 3}}
    of_pair = {
        "stage": "Pairs",
        "pair": "greeting",
        "rater": "Mona",
        "answers": {"rank": {"greeting-a": 1, "greeting-b": 2}},
    }
    assert imported(project, ranking, of_pair).is_stored
    assert {row.stage.name: row.answers for row in QuestionnaireAnswer.objects.select_related("stage")} == {
        "Ranking": ranking["answers"],
        "Pairs": of_pair["answers"],
    }


def test_a_thousand_lines_cost_no_more_statements_than_two(project, stage, django_assert_max_num_queries):
    imported(project, *(MONA | {"rater": f"R{at}"} for at in range(20)))  # makes the raters
    for count in (2, 20):
        lines = [MONA | {"rater": f"R{at}", "round": count} for at in range(count)]
        with django_assert_max_num_queries(60):
            assert imported(project, *lines).is_stored


def test_answers_that_were_wrong_are_taken_back_with_whom_they_named(project, mona, nour, stage):
    """Who has an account stays, and is asked again."""
    assert imported(project, MONA, MONA | {"rater": "Elsewhere"}).is_stored
    assert claim_next(mona.raters.get(), stage) is None
    wrong = Import.objects.get()
    assert take_back(wrong, nour) == {"questionnaire answers": 2, "raters": 1}
    assert not QuestionnaireAnswer.objects.exists()
    assert not project.raters.filter(name="Elsewhere").exists()
    assert claim_next(mona.raters.get(), stage) is not None
    assert AuditEvent.objects.get(action="data.taken_back").actor == nour
