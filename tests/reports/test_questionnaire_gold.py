"""Nour takes the gold of her questionnaires along, brings it elsewhere, and keeps it as it stood."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.gold import gold_by_item
from formats.importing.running import run_import
from formats.layout import asked_of
from formats.reading import Source
from projects.models import Project, Rater, Response
from reports.dataset.tables import is_held_back, of_gold
from reports.frames import questionnaire_gold
from reports.gold.formats import format_of
from reports.gold.snapshots import changes_since, take
from reports.models import GoldSnapshot
from reports.questionnaires.card import summarise
from reports.questionnaires.gold import lines
from tests.annotation.questionnaires import (
    RANK,
    RIGHT,
    WRONG,
    make_questionnaires_project,
    prompt_of,
    questionnaire,
    responses_of,
)
from tests.annotation.rated import pair_of
from tests.people import add_response, signed_in
from workflow.layouts import change_layout
from workflow.models import Stage

pytestmark = pytest.mark.django_db
KINDS = {"choices": "What is wrong?", "key": "kinds", "of": ["Facts", "Style"], "optional": True}
COUNT = {"number": "How many errors?", "key": "count"}


@pytest.fixture
def study(project) -> Project:
    return make_questionnaires_project(project)


@pytest.fixture
def elsewhere(study) -> Project:
    return Project.objects.create(slug="elsewhere", name="Elsewhere", preset="questionnaires", areas=["questionnaires"])


@pytest.fixture
def people(study) -> list[Rater]:
    named = ("Mona", "Karim", "Rafia")
    return [
        Rater.objects.create(project=study, kind="human", name=name, pseudonym=f"r-{name.lower()}") for name in named
    ]


def answer(stage: Stage, rater: Rater, answers: dict, **about: Any) -> QuestionnaireAnswer:
    return QuestionnaireAnswer.objects.create(stage=stage, rater=rater, answers=answers, **about)


@pytest.fixture
def answered(study, people) -> Stage:
    """Of the first response two of three say “Yes”; they count 1, 2 and 6 errors, of which two find one of style."""
    stage = questionnaire(study, RIGHT, WRONG, KINDS, COUNT)
    for key, text in (("r0", "أول جواب 🍚"), ("r1", "تاني جواب")):
        add_response(study, key, text, "ar-EG", "Nile-7B")
    first, second = Response.objects.filter(key__in=("r0", "r1")).order_by("key")
    said: tuple[tuple[str, int, list[str]], ...] = (("Yes", 1, ["Style"]), ("Yes", 2, ["Style"]), ("No", 6, []))
    for rater, (right, count, kinds) in zip(people, said, strict=True):
        answer(stage, rater, {"right": right, "count": count, "kinds": kinds, "wrong": "كلام"}, response=first)
    answer(stage, people[0], {"right": "No", "count": 3}, response=second)
    return stage


@pytest.fixture
def of_every_kind(study, answered, people) -> None:
    """Beside responses two pairs, prompts whose responses are ranked, and prompts alone; one of the responses stands
    with both."""
    three, pair = responses_of(study, "feast", 3), pair_of(study, "koshari")
    ranked = questionnaire(study, RANK, WRONG, show=("prompt", "responses"), name="Ranking")
    for rater, ranks in zip(people, ((1, 2, 3), (1, 3, 2)), strict=False):
        answer(ranked, rater, {"rank": {f"feast-{at}": rank for at, rank in enumerate(ranks)}}, prompt=three[0].prompt)
    beside = questionnaire(study, RANK, show=("prompt", "pair"), name="Beside")
    answer(beside, people[0], {"rank": {pair.first.key: 1, pair.second.key: 2}}, pair=pair)
    again = questionnaire(study, RIGHT, show=("prompt", "response"), name="Again")
    answer(again, people[2], {"right": "Partly"}, response=three[1])
    answer(again, people[2], {"right": "No"}, response=pair.first)
    answer(again, people[2], {"right": "Yes"}, response=Response.objects.get(key="r1"))
    alone = questionnaire(study, COUNT, show=("prompt",), name="Alone")
    answer(alone, people[1], {"count": 0.25}, prompt=prompt_of(study, "p-alone", "سؤال لوحده", domain="food"))


def said_by(project: Project) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(project)]


def file_of(records: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in records)


def bring(project: Project, file: bytes) -> Any:
    return run_import(project, Source(io.BytesIO(file)), "items")


def gold_of(line: dict[str, Any]) -> dict[str, tuple]:
    return {each["part"]: (each["value"], each["rule"], each["n"]) for each in line["gold"]}


def test_a_line_has_the_texts_the_gold_of_each_part_and_who_answered_what(study, answered, people):
    stage, first, second = said_by(study)
    assert (stage["kind"], stage["id"], [part["key"] for part in stage["ask"]]) == (
        "stage",
        "Answering",
        ["right", "wrong", "kinds", "count"],
    )
    assert (first["kind"], first["id"], first["responses"][0]["response"]) == ("response", "r0", "أول جواب 🍚")
    assert gold_of(first) == {
        "right": ("Yes", "majority", 3),
        "kinds": (["Style"], "majority", 3),
        "count": (3, "mean", 3),
    }, "free text has no gold"
    assert [each["rater"] for each in first["answers"]] == ["r-karim", "r-mona", "r-rafia"]
    assert gold_of(second)["kinds"] == ([], "majority", 1), "none of an optional choice is an answer"
    Rater.objects.filter(pk=people[2].pk).update(is_expert=True)
    assert gold_of(said_by(study)[1]) == {
        "right": ("No", "expert", 1),
        "kinds": ([], "expert", 1),
        "count": (6, "expert", 1),
    }


def ruled(stage: Stage, **rules: str) -> None:
    """The layout with these rules of gold, by key of the part."""
    asked = [{**part, "gold": rules[part["key"]]} if part["key"] in rules else part for part in stage.ask]
    change_layout(stage, stage.show, asked, None)
    stage.refresh_from_db()


def test_a_part_says_by_which_rule_its_gold_is_made_also_once_it_was_answered(study, answered, people, elsewhere):
    """Three count 1, 2 and 6: their mean is 3, their median 2. Graded 1, 1, 5 the majority is 1, the mean 7/3. Of the
    ordered answers Yes and No the median is the one between them, though nobody gave it."""
    grade = {"scale": "How good is it?", "key": "grade"}
    change_layout(answered, answered.show, [*answered.ask, grade], None)
    answered.refresh_from_db()
    for rater, value in zip(people, (1, 1, 5), strict=True):
        row = QuestionnaireAnswer.objects.get(stage=answered, rater=rater, response__key="r0")
        QuestionnaireAnswer.objects.filter(pk=row.pk).update(answers={**row.answers, "grade": value})
    answer(answered, people[1], {"right": "Yes", "count": 3, "grade": 5}, response=Response.objects.get(key="r1"))
    before = said_by(study)
    assert gold_of(before[1])["grade"] == (1, "majority", 3)
    ruled(answered, count="median", grade="mean", right="median")
    _stage, first, second = said_by(study)
    assert (gold_of(first)["count"], gold_of(first)["grade"]) == ((2, "median", 3), (pytest.approx(7 / 3), "mean", 3))
    assert (gold_of(first)["right"], gold_of(second)["right"]) == (("Yes", "median", 3), ("Partly", "median", 2))
    of_frame = questionnaire_gold(study).set_index(["response_key", "question"])
    rows = {key: (row["value"], row["rule"]) for key, row in of_frame.iterrows() if key[1] in ("count", "right")}
    assert rows == {
        ("r0", "count"): ("2", "median"),
        ("r0", "right"): ("Yes", "median"),
        ("r1", "count"): ("3", "median"),
        ("r1", "right"): ("Partly", "median"),
    }
    file = b"".join(lines(study))
    assert bring(elsewhere, file).is_stored
    assert list(lines(elsewhere)) == file.splitlines(keepends=True)


def test_of_a_persons_rounds_the_latest_counts_and_neither_checks_nor_judges_do(study, answered, people):
    second = Response.objects.get(key="r1")
    answer(answered, people[0], {"right": "Yes", "count": 1}, response=second, round=2)
    answer(answered, people[1], {"right": "Partly", "count": 7}, response=second, is_check=True)
    judge = Rater.objects.create(project=study, kind="judge", name="Simba", model="simba-1")
    answer(answered, judge, {"right": "Partly", "count": 9}, response=second)
    line = said_by(study)[2]
    assert gold_of(line)["right"] == ("Yes", "majority", 1)
    assert [(each["rater"], each["round"]) for each in line["answers"]] == [("r-mona", 1), ("r-mona", 2)]


def test_what_came_back_goes_out_again_byte_by_byte(study, of_every_kind, people, elsewhere):
    Rater.objects.filter(pk=people[1].pk).update(is_expert=True)
    file = b"".join(lines(study))
    outcome = bring(elsewhere, file)
    assert (outcome.is_stored, outcome.kind) == (True, "questionnaire-gold"), [str(each) for each in outcome.problems]
    assert outcome.counts["answers"] == QuestionnaireAnswer.objects.filter(stage__project=study).count()
    assert list(lines(elsewhere)) == file.splitlines(keepends=True)
    assert not elsewhere.stages.filter(is_open=True).exists(), "its work is done"
    kinds = {(line["kind"], line.get("stage"), line["id"]) for line in said_by(elsewhere)}
    assert {("prompt", "Ranking", "p-feast-0"), ("prompt", "Alone", "p-alone")} <= kinds


def test_it_comes_into_stages_that_ask_the_same_and_into_no_others(study, answered, elsewhere):
    stage = questionnaire(elsewhere, RIGHT, WRONG, KINDS, COUNT)
    file = b"".join(lines(study))
    assert bring(elsewhere, file).is_stored
    assert stage.questionnaire_answers.count() == 4
    again = bring(elsewhere, file)
    assert not again.is_stored
    assert QuestionnaireAnswer.objects.filter(stage=stage).count() == 4
    third = Project.objects.create(slug="third", name="Third", preset="questionnaires", areas=["questionnaires"])
    questionnaire(third, RIGHT)
    refused = bring(third, file)
    assert next(problem.code for problem in refused.problems) == "stage_differs"
    assert not third.responses.exists()


def test_of_marking_that_asks_the_same_it_is_another_stage(study, people, elsewhere):
    answer(questionnaire(study, RIGHT), people[0], {"right": "No"}, response=add_response(study, "r0", "جواب", "ar-EG"))
    marking = Stage.objects.create(project=elsewhere, kind="spans", name="Answering")
    change_layout(marking, ["prompt", "response"], [RIGHT], None)
    assert [problem.code for problem in bring(elsewhere, b"".join(lines(study))).problems] == ["stage_differs"]


def test_a_response_that_came_after_a_ranking_or_was_followed_since_stands_in_no_line_of_it(study, people, elsewhere):
    """Mona saw the first version of one response, Karim ranked the second beside another; then a third came."""
    old, other = responses_of(study, "feast", 2)
    said = questionnaire(study, RIGHT, name="Saying")
    answer(said, people[0], {"right": "Yes"}, response=old)
    new = Response.objects.get(pk=add_response(study, "feast-0@2", "نص جديد", "ar-EG", "Nile-7B").pk)
    later = add_response(study, "feast-9", "نص متأخر", "ar-EG", "Siwa-70B")
    Response.objects.filter(pk__in=[new.pk, later.pk]).update(prompt=old.prompt)
    Response.objects.filter(pk=new.pk).update(earlier=old)
    ranked = questionnaire(study, RANK, show=("prompt", "responses"), name="Ranking")
    answer(ranked, people[1], {"rank": {"feast-0@2": 1, other.key: 2}}, prompt=old.prompt)
    answer(said, people[1], {"right": "No"}, response=later)
    file = b"".join(lines(study))
    [line] = [line for line in map(json.loads, file.splitlines()) if line.get("stage") == "Ranking"]
    assert [side["id"] for side in line["responses"]] == ["feast-0@2", other.key]
    assert bring(elsewhere, file).is_stored
    assert b"".join(lines(elsewhere)) == file


def _with_other_gold(records: list[dict[str, Any]]) -> None:
    records[1]["gold"][0]["value"] = "No"


def _with_an_answer_that_is_none(records: list[dict[str, Any]]) -> None:
    records[1]["answers"][0]["answers"]["right"] = "Maybe"


def _with_an_answer_twice(records: list[dict[str, Any]]) -> None:
    records[1]["answers"].append(records[1]["answers"][0])


def _with_another_text(records: list[dict[str, Any]]) -> None:
    records[1]["responses"][0]["response"] = "another"


def _with_another_response(records: list[dict[str, Any]]) -> None:
    records[1]["responses"][0]["id"] = "r7"


def _without_its_stage(records: list[dict[str, Any]]) -> None:
    del records[0]


def _about_something_else(records: list[dict[str, Any]]) -> None:
    records[1]["kind"] = "prompt"


def _of_no_kind_of_work(records: list[dict[str, Any]]) -> None:
    records[0]["work"] = "ratings"


def _ranked_beside_nothing(records: list[dict[str, Any]]) -> None:
    records[0]["ask"].append(RANK)


def _with_true_for_gold(records: list[dict[str, Any]]) -> None:
    records[1]["gold"][0]["value"] = True


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (_with_other_gold, "gold_differs"),
        (_with_an_answer_that_is_none, "not_a_choice"),
        (_with_an_answer_twice, "already_there"),
        (_with_another_text, "hash_differs"),
        (_with_another_response, "responses_differ"),
        (_without_its_stage, "unknown_stage"),
        (_about_something_else, "not_a_choice"),
        (_of_no_kind_of_work, "not_a_choice"),
        (_ranked_beside_nothing, "not_together"),
        (_with_true_for_gold, "not_an_answer"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused_as_a_whole(study, answered, elsewhere, spoil, code):
    records = said_by(study)
    spoil(records)
    outcome = bring(elsewhere, file_of(records))
    assert code in [problem.code for problem in outcome.problems]
    assert not outcome.is_stored
    assert not elsewhere.stages.exists()
    assert not elsewhere.responses.exists()


def test_what_no_longer_fits_a_part_is_left_out(study, answered, elsewhere):
    """A file's answers lock no layout; what was answered before is no answer to another part."""
    other = [{"scale": "Is it right?", "key": "right"}, COUNT]
    change_layout(answered, ["prompt", "response"], other, None)
    line = said_by(study)[1]
    assert {each["part"] for each in line["gold"]} == {"count"}
    assert all(set(each["answers"]) == {"count"} for each in line["answers"])
    assert bring(elsewhere, b"".join(lines(study))).is_stored


def test_the_statements_do_not_grow_with_the_items(study, answered, people, django_assert_num_queries):
    for at in range(20):
        answer(
            answered,
            people[0],
            {"right": "No", "count": at},
            response=add_response(study, f"more-{at}", f"جواب {at}", "ar-EG"),
        )
    # Stages with answers, stages, raters; of responses which, their answers, themselves, prompts and texts; no pair and
    # no prompt.
    with django_assert_num_queries(10):
        assert len(list(lines(study))) == 1 + 22


def test_page_card_command_and_snapshots_know_it(study, of_every_kind, nour, people, capsys):
    client = signed_in(nour)
    page = client.get("/p/feasts/gold/").content.decode()
    assert "Download JSONL" in page
    summary = summarise(study)
    assert (summary.responses, summary.answers, summary.people) == (8, 11, 3)
    card = b"".join(client.get("/p/feasts/gold/card/")).decode()
    assert "questionnaire-gold.schema.json" in card
    assert b"".join(client.get("/p/feasts/gold/file/")) == b"".join(lines(study))
    snapshot = take(study, format_of(study), "As answered", nour)
    assert (snapshot.area, snapshot.lines) == ("questionnaires", 5 + 8)
    changed = Response.objects.get(key="r1")
    answer(Stage.objects.get(name="Again"), people[0], {"right": "No"}, response=changed)
    found = changes_since(GoldSnapshot.objects.get())
    assert (found.added, found.removed, found.changed) == ([], [], ["response Again r1"])
    call_command("gold_snapshot", "feasts", "--since", "As answered")
    assert json.loads(capsys.readouterr().out)["changed"] == ["response Again r1"]


def test_nobody_has_answered_yet(study, nour):
    assert list(lines(study)) == []
    page = signed_in(nour).get("/p/feasts/gold/")
    assert page.status_code == 200
    assert "No gold yet" in page.content.decode()


def test_raters_do_not_take_it_along(study, answered, mona):
    assert signed_in(mona).get("/p/feasts/gold/file/").status_code == 404


def test_the_folder_of_the_data_set_has_a_table_of_each_kind_of_item(study, of_every_kind):
    """What gold is differs from part to part, so it is a text of JSON there."""
    made = {each.name: list(each.parts(study)) for each in of_gold(format_of(study))}
    assert set(made) == {f"gold_questionnaires_{subject}" for subject in ("response", "pair", "prompt")}


def test_what_is_held_back_is_told_from_the_metadata_of_any_of_its_responses(study, of_every_kind):
    """Rows about such a question stay out of the folder; a prompt alone says so itself."""
    Response.objects.filter(key="feast-2").update(metadata={"held_back": True})
    told = {(line["kind"], line["id"]) for line in said_by(study)[5:] if is_held_back(line)}
    assert told == {("prompt", "p-feast-0")}


def test_gold_of_many_items_at_once_mixes_none_of_them():
    """An expert decides at one item alone, a tie leaves one open, and ranks are those of each item's responses."""
    tone, kinds, count, rank = asked_of(
        [{"choice": "Which tone?", "key": "tone", "of": ["Warm", "Cold"]}, KINDS, COUNT, RANK]
    )
    many = [
        [("Warm", False), ("Cold", True), ("Warm", False)],
        [("Warm", False), ("Cold", False)],
        [],
        [("Warm", False), ("Warm", False)],
    ]
    assert gold_by_item(tone, [(answers, ()) for answers in many]) == ["Cold", None, None, "Warm"]
    chosen = [[(["Style"], False), (["Style", "Facts"], False)], [(None, False)]]
    assert gold_by_item(kinds, [(answers, ()) for answers in chosen]) == [["Style"], []]
    assert gold_by_item(count, [([(1, False), (2, False)], ()), ([(7, True), (1, False)], ())]) == [1.5, 7]
    ranks = [({"a": 1, "b": 2}, False), ({"a": 2, "b": 1}, False), ({"a": 1, "b": 2}, False)]
    found = gold_by_item(rank, [(ranks[:2], ("a", "b")), (ranks[2:], ("b",)), ([], ())])
    assert found == [{"a": 1.5, "b": 1.5}, {"b": 2.0}, None]


def test_any_of_several_of_which_one_must_be_chosen_has_no_gold_where_none_leads(study, people, elsewhere):
    """Of three people each names another fault of the first response, two of three name style in the second. “None” of
    the first is an answer that nobody may give; of the part that may be left open it is one."""
    faults = {"choices": "Which faults?", "key": "faults", "of": ["Facts", "Style", "Tone"]}
    stage = questionnaire(study, faults, KINDS)
    first, second = (add_response(study, key, "جواب", "ar-EG", "Nile-7B") for key in ("r0", "r1"))
    for rater, fault, other in zip(people, ("Facts", "Style", "Tone"), ("Style", "Style", "Facts"), strict=True):
        answer(stage, rater, {"faults": [fault]}, response=first)
        answer(stage, rater, {"faults": [other]}, response=second)
    _stage, of_first, of_second = records = said_by(study)
    assert gold_of(of_first) == {"kinds": ([], "majority", 3)}
    assert gold_of(of_second) == {"faults": (["Style"], "majority", 3), "kinds": ([], "majority", 3)}
    rows = questionnaire_gold(study)
    assert sorted(zip(rows["response_key"], rows["question"], rows["option"], rows["value"], strict=True)) == [
        ("r0", "kinds", "Facts", "false"),
        ("r0", "kinds", "Style", "false"),
        ("r1", "faults", "Facts", "false"),
        ("r1", "faults", "Style", "true"),
        ("r1", "faults", "Tone", "false"),
        ("r1", "kinds", "Facts", "false"),
        ("r1", "kinds", "Style", "false"),
    ]
    # A file of before said it of the first, and still comes in.
    file = b"".join(lines(study))
    records[1]["gold"].insert(0, {"part": "faults", "rule": "majority", "n": 3, "value": []})
    assert bring(elsewhere, file_of(records)).is_stored
    assert b"".join(lines(elsewhere)) == file
