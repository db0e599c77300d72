"""Questionnaires unlike a preset's: one person, one item, any script, huge numbers, twenty responses to rank."""

import pytest

from annotation.models import QuestionnaireAnswer
from projects.models import LanguageVariety, Project, Rater, Response
from reports.frames import FRAMES, questionnaire_gold
from tests.annotation.questionnaires import RANK, questionnaire
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db
EVIL = "<script>alert(1)</script> {{ticket}} 🫖"
ODD = [
    {"choice": EVIL, "key": "odd", "of": [EVIL, "ঠিক আছে", "ليس صحيحًا"]},
    {"number": "How far?", "key": "far"},
    {"text": "Why?", "key": "why", "optional": True},
]


@pytest.fixture
def study(project) -> Project:
    Project.objects.filter(pk=project.pk).update(preset="questionnaires", areas=["questionnaires"])
    project.refresh_from_db()
    return project


def test_one_person_and_a_judge_on_one_item(study, nour):
    stage = questionnaire(study, *ODD)
    response = add_response(study, "tea", "الشاي " * 8_000, "ar-EG")
    mona = Rater.objects.create(project=study, kind="human", name="Mona")
    judge = Rater.objects.create(project=study, kind="judge", name="Simba", model="simba-1")
    for rater, far in ((mona, 1e15), (judge, -0.1)):
        said = {"odd": EVIL, "far": far, "why": "=1+1"}
        QuestionnaireAnswer.objects.create(stage=stage, rater=rater, answers=said, response=response)
    client = signed_in(nour)
    page = client.get("/p/feasts/questionnaire-results/").content.decode()
    assert "<script>alert(1)" not in page
    assert "Judges beside people" in page
    for name in ("agreement", "choices", "means", "judges"):
        assert client.get(f"/p/feasts/questionnaire-results/questionnaire-{name}/").status_code == 200
        assert client.get(f"/p/feasts/questionnaire-results/questionnaire-{name}.csv").status_code == 200
    gold = questionnaire_gold(study).set_index("question")
    assert gold.loc["odd"].value == EVIL
    assert gold.loc["far"].number == 1e15
    assert client.get("/p/feasts/frames/").status_code == 200
    assert all(len(frame(study)) >= 0 for frame in FRAMES.values())


def test_a_project_without_answers_or_parts_has_empty_figures(study, nour):
    questionnaire(study, *ODD)
    assert signed_in(nour).get("/p/feasts/questionnaire-results/").status_code == 200
    assert (len(questionnaire_gold(study)), questionnaire_gold.count(study)) == (0, 0)


def test_twenty_responses_are_not_ranked_and_answers_about_them_break_nothing(study, nour):
    """Twelve is the most on the screen; a file may have brought an answer about more."""
    stage = questionnaire(study, RANK, show=("prompt", "responses"))
    made = [add_response(study, f"r{at}", f"جواب {at}", "ar-EG", "Nile-7B") for at in range(20)]
    Response.objects.filter(pk__in=[one.pk for one in made]).update(prompt=made[0].prompt)
    mona = Rater.objects.create(project=study, kind="human", name="Mona")
    ranks = {"rank": {**{f"r{at}": at + 1 for at in range(20)}, "gone": 21}}
    QuestionnaireAnswer.objects.create(stage=stage, rater=mona, answers=ranks, prompt=made[0].prompt)
    assert signed_in(nour).get("/p/feasts/questionnaire-results/").status_code == 200
    assert len(questionnaire_gold(study)) == questionnaire_gold.count(study) == 20


def test_a_hundred_varieties(study, nour):
    stage = questionnaire(study, *ODD)
    people = [Rater.objects.create(project=study, kind="human", name=name) for name in ("Mona", "Karim")]
    tags = list(LanguageVariety.objects.values_list("tag", flat=True)[:100])
    for at, tag in enumerate(tags):
        response = add_response(study, f"r{at}", f"جواب {at}", tag)
        for rater in people:
            QuestionnaireAnswer.objects.create(
                stage=stage, rater=rater, answers={"odd": "ঠিক আছে", "far": at / 7}, response=response
            )
    assert signed_in(nour).get("/p/feasts/questionnaire-results/").status_code == 200
    assert len(questionnaire_gold(study)) == 2 * len(tags)
