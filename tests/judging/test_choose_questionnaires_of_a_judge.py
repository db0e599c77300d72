"""Nour says which questionnaires a judge answers: on the page, in a file, by a program; all, where she says nothing."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import QuestionnaireAnswer
from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from formats.project_file.applying import apply_file
from formats.project_file.describing import described
from formats.project_file.writing import write_yaml
from judging.engine.planning import plan
from judging.judges import add_judge
from judging.kinds.options import in_words
from judging.kinds.questionnaire.kind import Questionnaires
from judging.models import Judge
from judging.project_parts import JudgesPart
from projects.models import Project, Response
from projects.problems import Invalid
from tests.annotation.questionnaires import RIGHT, WRONG, questionnaire
from tests.elsewhere import elsewhere
from tests.formats.project_files import refused
from tests.judging.rating import run_through
from tests.people import add_response, signed_in
from workflow.models import Stage

pytestmark = pytest.mark.django_db
API = "/api/v1/projects/feasts/judges/"
PAGE = "/p/feasts/judges/add/"


@pytest.fixture
def two(project):
    """Two questionnaires, and a response that both ask about."""
    add_response(project, "tea", "الشاي", "ar-EG")
    return questionnaire(project, RIGHT, name="Fair"), questionnaire(project, WRONG, RIGHT, name="طعام 🫖")


def size(judge: Judge) -> int:
    return plan(judge, Response.objects.filter(project=judge.project)).size


def test_a_judge_of_one_questionnaire_answers_that_one_alone(project, provider, two):
    fair, _food = two
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire", questionnaires=["Fair"])
    assert judge.options == {"questionnaires": ["Fair"]}
    assert judge.rater.name == "simulated-1 (questionnaire, only Fair)"
    assert in_words(Questionnaires.options, judge.options) == ["answers: Fair"]
    prompt = Questionnaires().prompt_text(judge)
    assert [layout["name"] for layout in prompt.schema.values()] == ["Fair"], "nor is it told what the other asks"
    run_through(judge)
    assert list(QuestionnaireAnswer.objects.values_list("stage", flat=True)) == [fair.pk]


def test_a_judge_that_was_set_up_before_or_names_none_answers_all(project, provider, two):
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire")
    assert judge.options == {}
    assert judge.rater.name == "simulated-1 (questionnaire)"
    assert size(judge) == 2
    questionnaire(project, RIGHT, name="Later")
    assert size(judge) == 3


def test_nour_ticks_them_on_the_page(project, provider, nour, two):
    lead = signed_in(nour)
    page = lead.get(PAGE).content.decode()
    assert 'name="questionnaires" value="Fair"' in page
    told = {"provider": provider.pk, "model": "simulated-1", "kind": "questionnaire"}
    assert lead.post(PAGE, {**told, "questionnaires": ["طعام 🫖"]}).status_code == 302
    assert Judge.objects.get().options == {"questionnaires": ["طعام 🫖"]}
    refused = lead.post(PAGE, {**told, "questionnaires": ["Nowhere"], "name": "Another"})
    assert refused.status_code == 422
    assert lead.post(PAGE, {**told, "name": "All"}).status_code == 302
    assert Judge.objects.get(rater__name="All").options == {}


def test_a_project_without_questionnaires_is_not_asked_which(project, provider, nour):
    lead = signed_in(nour)
    assert 'name="questionnaires"' not in lead.get(PAGE).content.decode()
    added = lead.post(PAGE, {"provider": provider.pk, "model": "simulated-1", "kind": "questionnaire"})
    assert added.status_code == 302
    assert Judge.objects.get().options == {}


def test_a_program_names_them_and_is_told_of_what_is_none(project, provider, nour, two):
    lead = signed_in(nour)

    def add(**told):
        body = {"provider": "simulated", "model": "simulated-1", "kind": "questionnaire", **told}
        return lead.post(API, json.dumps(body), content_type="application/json")

    added = add(questionnaires=["طعام 🫖", "Fair"])
    assert (added.status_code, added.json()["options"]) == (201, {"questionnaires": ["Fair", "طعام 🫖"]})
    for odd in (["Nowhere"], ["Fair", "Fair"], ["fair"]):
        refused = add(questionnaires=odd, name="Odd")
        assert refused.status_code == 422
        assert [(each["field"], each["code"]) for each in refused.json()["problems"]] == [
            ("questionnaires", "unknown_value")
        ]
    for odd in ("Fair", [7, {}], None, ["x" * 81], ["Fair"] * 101):
        assert add(questionnaires=odd, name="Odd").status_code in (400, 422)
    assert add(kind="spans", questionnaires=["Fair"], name="Odd").status_code == 422
    assert Judge.objects.count() == 1


def test_omar_names_them_on_the_command_line(project, provider, two):
    arguments = ("add_judge", "feasts", "simulated-1@simulated", "--kind", "questionnaire")
    call_command(*arguments, "--questionnaires", "Fair", "--questionnaires", "طعام 🫖", stdout=io.StringIO())
    assert Judge.objects.get().options == {"questionnaires": ["Fair", "طعام 🫖"]}
    with pytest.raises(CommandError, match="no questionnaire “Nowhere”"):
        call_command(*arguments, "--questionnaires", "Nowhere", stdout=io.StringIO())


def test_the_file_of_the_project_names_them_and_another_order_is_the_same_judge(project, provider, two):
    add_judge(project, provider, "simulated-1", kind="questionnaire", questionnaires=["طعام 🫖", "Fair"], name="Both")
    [said] = JudgesPart().read(project)["judges"]
    assert said["options"] == {"questionnaires": ["Fair", "طعام 🫖"]}
    document = described(project)
    document["judges"]["judges"][0]["options"]["questionnaires"] = ["طعام 🫖", "Fair"]
    document["judges"]["judges"].append({**said, "name": "One", "options": {"questionnaires": ["Fair"]}})
    apply_file(project, write_yaml(document))
    assert Judge.objects.get(rater__name="One").options == {"questionnaires": ["Fair"]}
    document["judges"]["judges"].append({**said, "name": "Wrong", "options": {"questionnaires": ["Nowhere"]}})
    places = [place for place, _line in refused(write_yaml(document).decode(), project)]
    assert places == ["judges.judges[2].options.questionnaires"]


def test_long_names_leave_the_judge_a_name_of_its_own(project, provider):
    names = [letter * 80 for letter in "abc"]
    for name in names:
        questionnaire(project, RIGHT, name=name)
    first, second = (
        add_judge(project, provider, "m" * 190, kind="questionnaire", questionnaires=[names[0], other])
        for other in names[1:]
    )
    assert first.rater.name != second.rater.name
    assert max(len(first.rater.name), len(second.rater.name)) <= 120


def test_where_a_questionnaire_is_renamed_its_judges_follow(project, provider, nour, two):
    fair, _food = two
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire", questionnaires=["Fair"])
    run_through(judge)
    form = {"name": "Feast", "overlap": 2, "lease_minutes": 120, "policy": "unanimous", "position": 1, "is_open": "on"}
    saved = signed_in(nour).post(f"/p/feasts/stages/{fair.pk}/", form)
    assert (saved.status_code, Stage.objects.get(pk=fair.pk).name) == (302, "Feast")
    judge.refresh_from_db()
    assert judge.options == {"questionnaires": ["Feast"]}
    assert size(judge) == 0, "what it has answered it is not asked anew"


def test_where_it_is_gone_the_plan_says_so(project, provider, two):
    judge = add_judge(project, provider, "simulated-1", kind="questionnaire", questionnaires=["Fair"])
    Stage.objects.filter(name="Fair").update(ask=[])
    with pytest.raises(Invalid, match="“Fair”, which is no longer there"):
        size(judge)


def test_in_another_installation_it_answers_the_same(project, provider, two, tmp_path):
    add_judge(project, provider, "simulated-1", kind="questionnaire", questionnaires=["Fair"])
    out = io.BytesIO()
    write_archive(project, out)
    with elsewhere(tmp_path):
        there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue())).project)
        assert Judge.objects.get(project=there).options == {"questionnaires": ["Fair"]}
