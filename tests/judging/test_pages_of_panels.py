"""Nour makes one rater of several judges, assembles it, and reads what became of it."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Marking
from judging.models import Panel
from projects.models import Rater
from tests.annotation.marked import mark
from tests.judging.grading import LENTILS, PHARAOHS, RAMADAN, RICE, VINEGAR, graded_response
from tests.judging.panelling import grade_as, judges, panel_of
from tests.people import add_response, signed_in

PLACE = "/p/feasts/judges/panels/"


@pytest.fixture
def lead(nour):
    return signed_in(nour)


@pytest.fixture
def marked(project, koshari, boishakh):
    members = judges(project)
    for member in members:
        mark(koshari, member, "أكلة مصرية")
    mark(boishakh, members[0])
    return members


def text(response) -> str:
    return response.content.decode()


def test_without_panels_and_without_judges_the_pages_say_what_to_do(lead, project):
    assert "at least two judges" in text(lead.get(PLACE))
    assert "Not enough judges" in text(lead.get(PLACE + "add/"))
    assert f'href="{PLACE}"' in text(lead.get("/p/feasts/judges/"))


def test_nour_adds_a_panel_assembles_it_and_reads_what_became_of_it(lead, project, marked, nour):
    form = {"members": [member.pk for member in marked], "rule": "majority", "least_members": 2, "seed": 0}
    page = lead.post(PLACE + "add/?kind=spans", {**form, "name": "The three"}, follow=True)
    panel = Panel.objects.get()
    assert page.redirect_chain == [(f"{PLACE}{panel.pk}/", 302)]
    assert "Not assembled yet" in text(page)
    assert panel.created_by == nour
    assert not Marking.objects.filter(rater=panel.rater).exists()  # looking at it has written nothing

    page = text(lead.post(f"{PLACE}{panel.pk}/assemble/", follow=True))
    assert "Answers written: 1. Taken back: 0." in page
    assert "Too few members" in page
    assert "boishakh" in page
    assert "Out of date" not in page
    mark(add_response(project, "third", "A third response.", "en-US"), marked[1])
    assert "Out of date" in text(lead.get(f"{PLACE}{panel.pk}/"))
    listed = text(lead.get(PLACE))
    assert "The three" in listed
    assert "out of date" in listed


def test_what_is_wrong_with_a_panel_is_said_beside_the_field(lead, marked):
    form = {"members": [marked[0].pk], "rule": "majority", "least_members": 2, "seed": 0}
    page = lead.post(PLACE + "add/?kind=spans", form)
    assert page.status_code == 422
    assert "at least two members" in text(page)
    page = lead.post(PLACE + "add/?kind=spans", {**form, "members": [each.pk for each in marked], "least_members": 9})
    assert page.status_code == 422
    assert "no more than that" in text(page)
    assert lead.post(PLACE + "add/?kind=spans", {**form, "members": [10**9]}).status_code == 422
    assert not Panel.objects.exists()


def test_the_kind_with_most_judges_is_offered_and_others_can_be_chosen(lead, marked):
    assert text(lead.get(PLACE + "add/")).count('type="checkbox"') == 3
    assert "Not enough judges" in text(lead.get(PLACE + "add/?kind=ratings"))
    assert text(lead.get(PLACE + "add/?kind=nonsense")).count('type="checkbox"') == 3


def test_members_without_gold_to_weigh_them_are_said_to_be_so(lead, project, marked):
    panel = panel_of(marked, "spans", rule="weighted")
    page = lead.post(f"{PLACE}{panel.pk}/assemble/", follow=True)
    assert "None of the members can be weighed" in text(page)
    assert "as it was" in text(page)


def test_weights_stand_beside_the_members(lead, project, salma):
    grader = Rater.objects.get(user=salma)
    said = {LENTILS: "pass", RICE: "fail", VINEGAR: "fail", PHARAOHS: "present", RAMADAN: "present"}
    members = judges(project, 2)
    for number in range(6):
        one = graded_response(project, grader, key=f"r{number}")
        grade_as(members[0], one, {**said, LENTILS: "fail"})
        grade_as(members[1], one, {**said, LENTILS: "fail"} if number else said)
    panel = panel_of(members, "rubric", rule="weighted")
    lead.post(f"{PLACE}{panel.pk}/assemble/")
    page = text(lead.get(f"{PLACE}{panel.pk}/"))
    assert "1.000" in page
    assert "kappa" in page


def test_a_panel_is_not_listed_among_imported_judges(lead, marked):
    panel_of(marked, "spans", name="The three")
    assert "The three" not in text(lead.get("/p/feasts/judges/"))


def test_the_list_costs_the_same_for_one_panel_as_for_many(lead, project, marked, django_assert_max_num_queries):
    from judging.ensembles.adding import add_panel

    add_panel(project, "spans", marked)
    with django_assert_max_num_queries(14):
        lead.get(PLACE)
    for number in range(8):
        add_panel(project, "spans", marked, name=f"Panel {number}")
    with django_assert_max_num_queries(14):
        assert text(lead.get(PLACE)).count("Panel ") >= 8


def test_panels_by_api(lead, project, marked):
    panel = panel_of(marked, "spans")
    call_command("assemble_panels", "feasts", stdout=StringIO())
    [told] = json.loads(lead.get("/api/v1/projects/feasts/panels/").content)
    assert (told["id"], told["kind"], told["rule"]) == (panel.pk, "spans", "majority")
    assert (told["answers"], told["ties"], told["too_few"], told["is_out_of_date"]) == (1, 0, 1, False)
    assert told["members"][0] == {
        "judge": "Amber",
        "pseudonym": "amber",
        "model": "amber-1",
        "laboratory": "amber-lab",
        "weight": None,
        "weighed_on": None,
    }


def test_panels_on_the_command_line(project, marked, capsys):
    panel_of(marked, "spans", name="The three")
    out = StringIO()
    call_command("assemble_panels", "feasts", "--plan", stdout=out)
    assert out.getvalue() == "The three: out of date\n"
    out = StringIO()
    call_command("assemble_panels", "feasts", stdout=out)
    assert "100 %, The three" in capsys.readouterr().err
    said = "The three: 1 answers (1 written, 0 taken back), 0 ties, 1 with too few members, 0 not ready\n"
    assert out.getvalue() == said
    with pytest.raises(CommandError, match="The three"):
        call_command("assemble_panels", "feasts", "--panel", "Another", stdout=out)
    panel_of(marked, "spans", name="Weighed", rule="weighted")
    with pytest.raises(CommandError, match="1 of 2"):
        call_command("assemble_panels", "feasts", stdout=out, stderr=out)
    assert "cannot be weighed" in out.getvalue() or "can be weighed" in out.getvalue()
