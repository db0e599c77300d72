"""Nour has a judge answer what a questionnaire asks about prompts themselves: no response is shown, and none judged."""

import pytest

from annotation.models import QuestionnaireAnswer
from formats.project_file.applying import apply_file
from formats.project_file.writing import write_yaml
from judging.engine import planning
from judging.engine.planning import plan
from judging.engine.rereading import reread
from judging.judges import add_judge
from judging.kinds.questionnaire.kind import Questionnaires
from judging.models import Call, JudgePrompt
from judging.prompts.own import english
from judging.prompts.shipped import shipped
from projects.models import Laboratory, ModelLaboratory, Prompt, Response
from projects.own_laboratories import touched
from projects.problems import Invalid
from reports.dashboard.tables import by_id
from reports.questionnaires.dashboard import QUESTIONNAIRES
from tests.annotation.questionnaires import RIGHT, WRONG, questionnaire, responses_of
from tests.judging.every_kind import answered_run
from tests.judging.rating import run_through, states
from tests.people import add_response

pytestmark = pytest.mark.django_db
ALONE = "no answer to it is shown"


@pytest.fixture
def judge(project, provider):
    return add_judge(project, provider, "simulated-1", kind="questionnaire")


def planned(judge, **how):
    return plan(judge, Response.objects.filter(project=judge.project), **how)


def sent(fake_provider) -> list[str]:
    return [
        "\n".join(message["content"] for message in request["body"]["messages"]) for request in fake_provider.asked()
    ]


def test_a_prompt_is_asked_about_once_and_none_of_its_responses_is_shown(project, judge, fake_provider):
    three = responses_of(project, "feast", 3)
    stage = questionnaire(project, RIGHT, WRONG, show=("prompt",))
    fake_provider.tell(record=True)
    run = run_through(judge)
    assert states(run) == {"scored": 1}
    [asked] = sent(fake_provider)
    prompt = three[0].prompt
    assert prompt.text in asked
    assert ALONE in asked
    for one in three:
        assert one.text not in asked
        assert one.target_model.name not in asked
    assert "<<<answer" not in asked
    answer = QuestionnaireAnswer.objects.get()
    assert (answer.stage, answer.prompt, answer.response, answer.rater) == (stage, prompt, None, judge.rater)
    assert answer.answers["right"] in ("Yes", "Partly", "No")
    assert Call.objects.get().about == [f"stage:{stage.pk}", f"prompt:{prompt.pk}"]
    assert (planned(judge).size, planned(judge).already_called, planned(judge).not_ready) == (0, 1, 0)
    assert planned(judge, round=2).size == 1


def test_responses_looked_at_apart_make_no_second_question(project, judge, monkeypatch):
    """A prompt whose responses stand in different hundreds, or come later, is one question all the same."""
    responses_of(project, "feast", 5)
    questionnaire(project, RIGHT, show=("prompt",))
    monkeypatch.setattr(planning, "CHUNK", 2)
    assert planned(judge).size == 1
    run_through(judge)
    assert (planned(judge).size, planned(judge).already_called) == (0, 1)


def test_an_own_response_neither_keeps_a_prompt_from_a_judge_nor_is_shown_to_it(project, judge):
    """It is about no model, so figures do not leave it out either."""
    own, _created = Laboratory.objects.get_or_create(slug=judge.rater.laboratory.slug)
    two = responses_of(project, "feast", 2)
    ModelLaboratory.objects.create(project=project, target_model=two[0].target_model, laboratory=own)
    alone = questionnaire(project, RIGHT, show=("prompt",))
    run_through(judge)
    assert Call.objects.get().response == two[1], "the call stands where the judge may stand"
    assert touched(project, two[0].target_model, own) == []
    people = [project.raters.create(kind="human", name=name, pseudonym=name) for name in "ab"]
    for person in people:
        QuestionnaireAnswer.objects.create(stage=alone, prompt=two[0].prompt, rater=person, answers={"right": "Yes"})
    table = by_id(QUESTIONNAIRES.tables(project), "questionnaire-judges")
    assert table is not None
    row = table.rows[0]
    assert row.figures[-1].value == 1, "one item beside people's gold"


def test_where_all_responses_are_its_laboratory_s_a_prompt_is_not_asked_about(project, judge):
    own, _created = Laboratory.objects.get_or_create(slug=judge.rater.laboratory.slug)
    two = responses_of(project, "feast", 2)
    for one in two:
        ModelLaboratory.objects.create(project=project, target_model=one.target_model, laboratory=own)
    questionnaire(project, RIGHT, show=("prompt",))
    assert (planned(judge).size, planned(judge).excluded_count) == (0, 2)


def test_reference_and_turns_of_the_prompt_are_shown_and_those_of_a_response_are_not(project, judge, fake_provider):
    response = add_response(project, "tea", "الشاي", "ar-EG")
    Response.objects.filter(pk=response.pk).update(metadata={"reference": "Of the response", "turns": []})
    Prompt.objects.filter(pk=response.prompt_id).update(
        metadata={"reference": "Of the prompt 🫖", "turns": [{"role": "user", "text": "Earlier words"}]}
    )
    questionnaire(project, RIGHT, show=("conversation", "reference"))
    fake_provider.tell(record=True)
    run_through(judge)
    [asked] = sent(fake_provider)
    assert "Of the prompt 🫖" in asked
    assert "Earlier words" in asked
    assert "Of the response" not in asked


def test_a_judge_of_responses_is_asked_in_the_very_words_of_before(project, judge):
    questionnaire(project, RIGHT)
    assert "alone" not in Questionnaires().prompt_text(judge).parts
    questionnaire(project, RIGHT, show=("prompt",), name="Alone")
    assert "alone" in Questionnaires().prompt_text(judge).parts


def test_an_own_prompt_from_before_lacks_the_sentence_and_takes_the_shipped_one(project, provider):
    parts = {part: text for part, text in english("questionnaire").items() if part != "alone"}
    own = JudgePrompt.objects.create(project=project, kind="questionnaire", number=1, language="ar", parts=parts)
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire", prompt=own)
    questionnaire(project, RIGHT, show=("prompt",))
    assert "لا تُعرض" in Questionnaires().prompt_text(judge).parts["alone"]


def test_a_project_file_from_before_brings_its_own_prompt_without_the_parts_that_came_later(project, provider):
    """They are asked in the shipped words of its language; a part that was always there is missed as ever."""
    later = {"alone", "example", "examples", "example_prompt", "example_answer"}
    parts = {part: text for part, text in english("questionnaire").items() if part not in later}
    entry = {"kind": "questionnaire", "number": 1, "language": "ar"}
    file = {"format": "mizan.project/1", "judges": {"prompts": [entry]}}
    entry["parts"] = {part: text for part, text in parts.items() if part != "system"}
    with pytest.raises(Invalid) as refused:
        apply_file(project, write_yaml(file))
    assert [problem.field for problem in refused.value.problems] == ["judges.prompts[0].parts.system"]
    entry["parts"] = parts
    apply_file(project, write_yaml(file))
    own = JudgePrompt.objects.get(project=project)
    assert not later & own.parts.keys()
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire", prompt=own, shots="few")
    questionnaire(project, RIGHT, show=("prompt",))
    asked = Questionnaires().prompt_text(judge).parts
    assert later <= asked.keys()
    assert all(asked[part] == shipped("questionnaire", "v1", "ar")[part] for part in later)
    again = apply_file(project, write_yaml(file)).changes
    assert not [change for change in again if change.place.startswith("judges")], "said again it changes nothing"


def test_its_reply_is_read_again_as_it_was(project, judge):
    responses_of(project, "feast", 2)
    questionnaire(project, RIGHT, show=("prompt",))
    run = answered_run(judge)
    assert reread(run, everything=True).same == 1
    assert QuestionnaireAnswer.objects.count() == 1


@pytest.mark.parametrize("fault", ["refuse", "malformed", "prose", "empty"])
def test_what_is_no_answer_stores_none(fault, project, provider):
    responses_of(project, "feast", 2)
    questionnaire(project, RIGHT, show=("prompt",))
    run_through(add_judge(project, provider, f"simulated-1:{fault}", kind="questionnaire"))
    assert not QuestionnaireAnswer.objects.exists()


def test_a_prompt_that_goes_meanwhile_leaves_nothing(project, judge):
    response = add_response(project, "tea", "الشاي", "ar-EG")
    questionnaire(project, RIGHT, show=("prompt",))
    [unit] = planned(judge).calls
    names = planned(judge).about[unit]
    assert set(Questionnaires().subjects(names)) == set(names)
    stage = names[0]
    Response.objects.filter(pk=response.pk).delete()
    Prompt.objects.filter(pk=response.prompt_id).delete()
    assert set(Questionnaires().subjects(names)) == {stage}
