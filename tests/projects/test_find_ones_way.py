"""Nour finds her way: a menu that says where she is, and a front page that says how far she is and what comes next."""

import re

import pytest

from annotation.gold import derive
from projects.models import Project
from projects.navigation import menu
from projects.steps import steps_of
from tests.annotation.marked import mark
from tests.people import signed_in
from tests.preset_parts import add_stages
from workflow.planning import plan_items

LEAD = frozenset({"lead"})


def where(path: str, roles: frozenset[str] = LEAD) -> dict[str, str]:
    """What the menu marks as current, in both rows."""
    made = menu("feasts", roles, path, ["spans"])
    return {str(link.label): link.current for link in [*made.parts, *made.pages] if link.current}


@pytest.mark.parametrize(
    ("path", "current"),
    [
        ("/p/feasts/", {"Overview": "page"}),
        ("/p/feasts/judges/", {"Judges": "page"}),
        ("/p/feasts/judges/7/", {"Judges": "true"}),
        ("/p/feasts/stages/", {"Work": "true", "Stages": "page"}),
        ("/p/feasts/team/", {"Work": "true", "Team": "page"}),
        ("/p/feasts/groups/", {"Refinement": "true", "Groups": "page"}),
        ("/p/feasts/classification/sample/", {"Refinement": "true", "Categories": "true"}),
        ("/p/feasts/responses/9f/", {"Results": "true", "Responses": "true"}),
        ("/p/feasts/nowhere/", {}),
    ],
)
def test_the_menu_says_where_one_is(path, current):
    assert where(path) == current


def test_an_annotator_is_offered_nothing_of_the_leads():
    made = menu("feasts", frozenset({"annotator"}), "/p/feasts/my-work/", ["spans"])
    assert [str(link.label) for link in made.parts] == ["Overview", "Guidelines", "My work"]
    assert [str(link.label) for link in made.pages] == [
        "My work",
        "What happened to my marks",
        "My questions",
        "Bookmarks and notes",
        "Case book",
        "My time",
        "About you",
    ]


def next_step(client) -> str:
    page = client.get("/p/feasts/").content.decode()
    [step] = re.findall(r'aria-current="step">\s*<h3><a href="/p/feasts/(\w+)/"', page)
    return step


def test_the_front_page_says_what_comes_next(nour, project, request):
    client = signed_in(nour)
    add_stages(project)
    assert next_step(client) == "import"
    koshari = request.getfixturevalue("koshari")
    assert next_step(client) == "people"
    mona = request.getfixturevalue("mona")
    assert next_step(client) == "stages"
    plan_items(project.stages.first())
    assert next_step(client) == "progress"
    mark(koshari, mona, "على السحور")
    derive([koshari.pk])
    text = {reached.step.url_name: reached.text for reached in steps_of(project)}
    assert text["progress"] == "0 of 2 answers are in."
    assert text["adjudication"] == "1 marked span still awaits verdicts."
    assert text["gold"] == "Errors: 0. Responses: 1."


def test_answers_of_people_who_worked_elsewhere_need_no_planning(project, koshari):
    mark(koshari, project.raters.create(kind="human", name="Elsewhere"), "على السحور")
    state = {reached.step.url_name: reached.state for reached in steps_of(project)}
    assert (state["people"], state["stages"], state["progress"]) == ("done", "done", "done")


def test_a_step_of_several_areas_is_one(nour, project, koshari):
    Project.objects.filter(pk=project.pk).update(areas=["spans", "ratings", "rubrics"])
    project.refresh_from_db()
    titles = [(reached.step.url_name, str(reached.step.title)) for reached in steps_of(project)]
    assert len(titles) == len(set(titles))
    asked = next(reached for reached in steps_of(project) if reached.step.url_name == "judges")
    assert (asked.state, asked.step.is_optional) == ("open", True)
    page = signed_in(nour).get("/p/feasts/").content.decode()
    assert page.count("Let models judge</a>") == 1
    # Rubrics cannot do without responses of models that are asked; the others can.
    assert not next(one.step.is_optional for one in steps_of(project) if one.step.url_name == "targets")
