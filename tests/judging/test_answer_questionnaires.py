"""Nour lets a judge fill in questionnaires: of single responses, of pairs, and of all responses to a prompt."""

import io
import json

import pytest

from annotation.models import QuestionnaireAnswer
from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.rereading import reread
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.kinds import ShownQuestionnaire
from judging.kinds.questionnaire.kind import Questionnaires, key_in
from judging.models import Call, Judge, Run
from judging.prompts import PromptText
from projects.models import Laboratory, ModelLaboratory, Project, Prompt, Response
from projects.problems import Invalid
from tests.annotation.questionnaires import RANK, RIGHT, WRONG, questionnaire, responses_of
from tests.annotation.rated import pair_of
from tests.elsewhere import elsewhere
from tests.judging.every_kind import ASK, answered_run
from tests.judging.rating import run_through, states
from tests.people import add_response, signed_in
from workflow.layouts import change_layout
from workflow.models import Stage

pytestmark = pytest.mark.django_db
TONE = {"choice": "Which tone?", "key": "tone", "of": ["Warm", "Cold"]}
OF_ONE = [part for part in ASK if "ranking" not in part]


@pytest.fixture
def judge(project, provider):
    return add_judge(project, provider, "simulated-1", kind="questionnaire")


def planned(judge, **how):
    return plan(judge, Response.objects.filter(project=judge.project), **how)


def asked_of_models(fake_provider) -> list[str]:
    """The words of each request since recording began."""
    return [
        "\n".join(message["content"] for message in request["body"]["messages"]) for request in fake_provider.asked()
    ]


def test_every_part_is_answered_beside_people_and_with_its_origin(project, judge):
    stage = questionnaire(project, *OF_ONE)
    response = add_response(project, "tea", "الشاي مشروب ساخن", "ar-EG")
    run = run_through(judge)
    assert states(run) == {"scored": 1}
    answer = QuestionnaireAnswer.objects.get()
    assert (answer.stage, answer.response, answer.rater, answer.round) == (stage, response, judge.rater, 1)
    assert answer.answers["right"] in ("Yes", "Partly", "No")
    assert answer.answers["good"] in range(1, 6)
    assert set(answer.answers) == {"right", "wrong", "good", "count", "why"}
    assert answer.metadata["run"] == str(run.uuid)
    assert answer.metadata["prompt"].startswith("questionnaire v1 ")
    assert Call.objects.get().about == [f"stage:{stage.pk}"]


def test_of_marks_with_parts_beside_a_judge_is_asked_the_parts(project, judge, fake_provider):
    stage = Stage.objects.create(project=project, kind="spans", name="Marking")
    marks = {"spans": "Mark every error"}
    change_layout(stage, [], [marks, RIGHT], None)
    change_layout(Stage.objects.create(project=project, kind="spans", name="Marks alone"), [], [marks], None)
    add_response(project, "tea", "الشاي مشروب ساخن", "ar-EG")
    fake_provider.tell(record=True)
    run_through(judge)
    answer = QuestionnaireAnswer.objects.get()
    assert (answer.stage, list(answer.answers)) == (stage, ["right"])
    [words] = asked_of_models(fake_provider)
    assert "Is it right?" in words
    assert "Mark every error" not in words


def test_nothing_is_asked_twice_but_in_another_round(project, judge):
    questionnaire(project, RIGHT)
    add_response(project, "tea", "الشاي مشروب ساخن", "ar-EG")
    run_through(judge)
    assert (planned(judge).size, planned(judge).already_called) == (0, 1)
    assert planned(judge, round=2).size == 1
    questionnaire(project, WRONG, name="Another")
    assert planned(judge).size == 1


def test_of_a_pair_ranks_are_kept_by_the_keys_of_responses(project, judge):
    pair = pair_of(project, "greeting")
    questionnaire(project, RANK, show=("prompt", "pair"))
    assert planned(judge).size == 1
    run_through(judge)
    answer = QuestionnaireAnswer.objects.get()
    assert answer.pair == pair
    assert sorted(answer.answers["rank"].items()) in (
        [("greeting-a", 1), ("greeting-b", 2)],
        [("greeting-a", 2), ("greeting-b", 1)],
    )


def test_all_responses_to_a_prompt_are_shown_in_a_drawn_order(project, judge):
    three = responses_of(project, "feast", 3)
    stage = questionnaire(project, RANK, show=("prompt", "responses"))
    first = {planned(judge).calls[0][0]}
    for seed in range(20):
        stage.seed = seed
        stage.save(update_fields=["seed"])
        first |= {response for response, _unit in planned(judge).calls}
    assert first == {one.pk for one in three}, "no model is always read first"
    run_through(judge)
    answer = QuestionnaireAnswer.objects.get()
    assert answer.prompt == three[0].prompt
    assert sorted(answer.answers["rank"].values()) == [1, 2, 3]
    assert set(answer.answers["rank"]) == {one.key for one in three}


def test_what_the_layout_does_not_show_is_not_shown(project, judge, fake_provider):
    """Of the metadata the conversation and the reference, where they are shown; nothing of what people said."""
    response = add_response(project, "tea", "الشاي مشروب ساخن", "ar-EG")
    Response.objects.filter(pk=response.pk).update(
        metadata={"turns": [{"role": "user", "text": "Earlier words"}], "reference": "The reference text"}
    )
    asked = Prompt.objects.get(pk=response.prompt_id).text
    bare = questionnaire(project, RIGHT, show=("response",))
    QuestionnaireAnswer.objects.create(
        stage=bare, response=response, rater=project.raters.create(kind="human", name="M"), answers={"right": "Partly"}
    )
    fake_provider.tell(record=True)
    run_through(judge)
    full = questionnaire(project, RIGHT, show=("conversation", "response", "reference"), name="Full")
    run_through(judge)
    alone, whole = asked_of_models(fake_provider)
    assert response.text in alone
    assert asked not in alone
    assert "The reference text" not in alone
    for shown in ("Earlier words", "The reference text", asked, response.text):
        assert shown in whole
    assert [f"stage:{full.pk}", f"beside:{response.pk}"] in Call.objects.values_list("about", flat=True)


def test_a_judge_sees_no_item_in_which_its_laboratory_has_a_part(project, judge):
    """As the first it is excluded like any response, as another the item is left out and counted."""
    own, _created = Laboratory.objects.get_or_create(slug=judge.rater.laboratory.slug)
    three = responses_of(project, "feast", 3)
    ModelLaboratory.objects.create(project=project, target_model=three[0].target_model, laboratory=own)
    questionnaire(project, RANK, show=("prompt", "responses"))
    found = planned(judge)
    assert found.size == 0
    assert found.withheld + found.excluded_count >= 1


def test_a_response_that_goes_meanwhile_leaves_the_call_unasked(project, judge):
    pair = pair_of(project, "greeting")
    questionnaire(project, RANK, show=("prompt", "pair"))
    run = runs.create_run(judge, Response.objects.filter(project=project))
    pair.delete()
    for shard in runs.start_here(run):
        work_through(shard)
    assert states(run) == {"failed": 1}
    assert not QuestionnaireAnswer.objects.exists()


@pytest.mark.parametrize("fault", ["refuse", "truncate", "malformed", "astray", "prose", "echo", "null", "empty"])
def test_what_is_no_answer_stores_none(fault, project, provider):
    questionnaire(project, RIGHT, WRONG)
    add_response(project, "tea", "الشاي مشروب ساخن", "ar-EG")
    run_through(add_judge(project, provider, f"simulated-1:{fault}", kind="questionnaire"))
    assert not QuestionnaireAnswer.objects.exists()


def test_a_project_without_a_questionnaire_says_so_and_a_response_that_none_shows_waits(project, judge):
    add_response(project, "tea", "الشاي", "ar-EG")
    with pytest.raises(Invalid, match="no questionnaire"):
        planned(judge)
    questionnaire(project, RIGHT, show=("prompt", "pair"))
    found = planned(judge)
    assert (found.size, found.not_ready) == (0, 1)


def test_words_of_a_lead_cannot_break_out_of_a_prompt(project, judge, fake_provider):
    """Braces, quotation marks, marks and emoji in questions and answers are sent as they are, and answered."""
    odd = {"choice": 'Is "{{nonce}}" {right}? <<<x>>> 🫖', "key": "span", "of": ['"', "{{shown}}", "نعم 🫖"]}
    questionnaire(project, odd, {"scale": "?", "key": "criterion"})
    add_response(project, "tea", "الشاي", "ar-EG")
    fake_provider.tell(record=True)
    assert states(run_through(judge)) == {"scored": 1}
    [sent] = asked_of_models(fake_provider)
    assert 'Is "{{nonce}}" {right}? <<<x>>> 🫖' in sent
    assert QuestionnaireAnswer.objects.get().answers["span"] in odd["of"]


def test_an_answer_that_is_no_longer_read_is_taken_back(project, judge):
    questionnaire(project, RIGHT)
    add_response(project, "tea", "الشاي", "ar-EG")
    run = answered_run(judge)
    assert QuestionnaireAnswer.objects.count() == 1
    Call.objects.update(raw_output=json.dumps({"ticket": "x"}), parser=1)
    reread(run)
    assert not QuestionnaireAnswer.objects.exists()


def test_in_another_installation_replies_are_read_by_the_questionnaire_they_answer(project, judge, tmp_path):
    questionnaire(project, RIGHT)
    questionnaire(project, WRONG, name="Another")
    add_response(project, "tea", "الشاي", "ar-EG")
    answered_run(judge)
    before = sorted(map(str, QuestionnaireAnswer.objects.values_list("stage__name", "answers")))
    assert len(before) == 2
    out = io.BytesIO()
    write_archive(project, out)
    with elsewhere(tmp_path):
        there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue())).project)
        run = Run.objects.get(project=there)
        counts = reread(run, everything=True)
        assert (counts.same, counts.changes, counts.cannot) == (2, {}, {})
        assert sorted(map(str, QuestionnaireAnswer.objects.values_list("stage__name", "answers"))) == before


def test_ids_that_are_others_there_stand_for_no_other_questionnaire():
    schema = {"7": {"name": "Fair"}, "8": {"name": "Food"}}
    prompt = PromptText("questionnaire", "v1", {}, schema)
    assert key_in(prompt, ShownQuestionnaire(8, "Fair")) == "7"
    assert key_in(prompt, ShownQuestionnaire(8, "Named anew")) == "8"
    assert key_in(prompt, ShownQuestionnaire(9, "Later")) is None
    assert not Questionnaires().is_in(prompt, [ShownQuestionnaire(9, "Later")])


def test_a_questionnaire_that_was_renamed_is_still_the_one_that_was_asked(project, judge):
    stage = questionnaire(project, RIGHT)
    add_response(project, "tea", "الشاي", "ar-EG")
    run = answered_run(judge)
    type(stage).objects.filter(pk=stage.pk).update(name="Named anew")
    assert reread(run, everything=True).same == 1


def test_two_questionnaires_that_change_names_during_a_run_keep_their_answers_apart(project, judge):
    first, second = questionnaire(project, RIGHT, name="First"), questionnaire(project, TONE, name="Second")
    add_response(project, "tea", "الشاي", "ar-EG")
    run = runs.create_run(judge, Response.objects.filter(project=project))
    for stage, name in ((first, "Neither"), (second, "First"), (first, "Second")):
        Stage.objects.filter(pk=stage.pk).update(name=name)
    for shard in runs.start_here(run):
        work_through(shard)
    assert states(run) == {"scored": 2}
    given = {answer.stage_id: list(answer.answers) for answer in QuestionnaireAnswer.objects.all()}
    assert given == {first.pk: ["right"], second.pk: ["tone"]}


def test_the_lead_sets_it_up_by_page_and_reads_its_answers(project, provider, nour):
    project.areas = ["questionnaires"]
    project.preset = "questionnaires"
    project.save()
    questionnaire(project, *OF_ONE)
    add_response(project, "tea", "الشاي", "ar-EG")
    lead = signed_in(nour)
    lead.post("/p/feasts/judges/add/", {"provider": provider.pk, "model": "simulated-1", "kind": "questionnaire"})
    run = run_through(Judge.objects.get(kind="questionnaire"))
    page = lead.get(f"/p/feasts/judges/runs/{run.uuid}/calls/")
    assert "<dt" in page.content.decode()
