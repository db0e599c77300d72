"""Nour puts her people into the groups of two vendors and reads how each does."""

import csv

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction

from annotation.models import Rating
from projects.models import AuditEvent, Project, Rater
from reports.groups.page import GROUP_QUALITY
from screening.grouping import add_group, assign
from screening.models import CheckResult, GroupMember, RaterGroup
from tests.annotation.marked import mark, rater_of, review
from tests.annotation.rated import make_ratings_project, question_type
from tests.people import add_response, join, person, signed_in
from tests.screening.quizzes import many_checks
from tests.workflow.working import marking_stage
from workflow.models import Assignment, ReturnedAnswer, Status

pytestmark = pytest.mark.django_db
PAGE = "/p/feasts/people/groups/"
QUALITY = "/p/feasts/people/groups/quality/"


def figures(project: Project) -> dict[str, dict]:
    cache.clear()
    tables = GROUP_QUALITY.look(project, {}).read().tables
    return {
        row.labels[0]: dict(zip(table.measures, row.figures, strict=True)) for table in tables for row in table.rows
    }


@pytest.fixture
def vendors(project, mona, karim) -> tuple[RaterGroup, RaterGroup]:
    first, second = (RaterGroup.objects.create(project=project, name=name) for name in ("Delta", "«نيل» 🌊"))
    GroupMember.objects.create(group=first, rater=rater_of(mona, project))
    GroupMember.objects.create(group=second, rater=rater_of(karim, project))
    return first, second


# --- Who is in which ------------------------------------------------------------------------------------


def test_nour_makes_groups_and_says_who_is_in_them(project, nour, mona, karim):
    lead, one = signed_in(nour), rater_of(mona, project)
    assert "There is no group yet" in lead.get(PAGE).content.decode()
    for name in ("Nile", "Delta"):
        lead.post(f"{PAGE}add/", {"name": name})
    nile, delta = RaterGroup.objects.order_by("pk")
    posted = {f"group-{one.pk}": nile.pk, f"group-{rater_of(karim, project).pk}": ""}
    assert "1 person changed groups" in lead.post(f"{PAGE}assign/", posted, follow=True).content.decode()
    assert "0 people changed groups" in lead.post(f"{PAGE}assign/", posted, follow=True).content.decode()
    lead.post(f"{PAGE}assign/", {f"group-{one.pk}": delta.pk})
    assert list(GroupMember.objects.values_list("rater", "group")) == [(one.pk, delta.pk)]
    lead.post(f"{PAGE}{delta.pk}/rename/", {"name": "Delta Ltd"})
    lead.post(f"{PAGE}{delta.pk}/delete/")
    assert not GroupMember.objects.exists()
    assert Rater.objects.filter(pk=one.pk).exists()
    told = AuditEvent.objects.filter(action__startswith="rater_group").order_by("pk")
    assert [event.action.split(".")[1] for event in told] == [
        *["created"] * 2, *["assigned"] * 2, "renamed", "deleted",
    ]  # fmt: skip
    assert told[2].subject == one.pseudonym


@pytest.mark.parametrize("name", ["", "x" * 81, "Nile"])
def test_a_name_that_is_none_or_taken_is_refused(project, nour, name):
    lead = signed_in(nour)
    lead.post(f"{PAGE}add/", {"name": "Nile"})
    assert "no other group has" in lead.post(f"{PAGE}add/", {"name": name}, follow=True).content.decode()
    other = RaterGroup.objects.create(project=project, name="Delta")
    lead.post(f"{PAGE}{other.pk}/rename/", {"name": name})
    assert set(RaterGroup.objects.values_list("name", flat=True)) == {"Nile", "Delta"}


def test_nobody_of_another_project_comes_in(project, other_project, nour, mona):
    stranger = rater_of(join(person("else@example.org", "Else"), other_project, "annotator"), other_project)
    mine, foreign = (RaterGroup.objects.create(project=each, name="Nile") for each in (project, other_project))
    posted = {
        f"group-{stranger.pk}": mine.pk, f"group-{rater_of(mona, project).pk}": foreign.pk,
        "group-x": "1", "group-1": "x", f"group-{'9' * 30}": mine.pk,
    }  # fmt: skip
    signed_in(nour).post(f"{PAGE}assign/", posted)
    assert not GroupMember.objects.exists()
    judge = Rater.objects.create(project=project, kind="judge", name="J", model="m")
    for rater, group in ((stranger, mine), (rater_of(mona, project), foreign), (judge, mine)):
        with pytest.raises(IntegrityError), transaction.atomic():
            GroupMember.objects.create(rater=rater, group=group)
    assert signed_in(nour).post(f"{PAGE}{foreign.pk}/delete/").status_code == 404


def test_a_person_is_in_one_group_at_most(project, vendors, mona):
    with pytest.raises(IntegrityError), transaction.atomic():
        GroupMember.objects.create(rater=rater_of(mona, project), group=vendors[1])
    assert add_group(project, "Delta", None) is None
    assert assign(project, {rater_of(mona, project).pk: vendors[1].pk}, None) == 1
    assert GroupMember.objects.get(rater__user=mona).group == vendors[1]


# --- How each does --------------------------------------------------------------------------------------


def turns(project: Project, who: Rater, right: list[bool], seconds: int) -> list[Assignment]:
    """Checks answered so by a person, each in `seconds`."""
    stage = project.stages.get()
    made = []
    for check, is_right in zip(stage.gold_checks.order_by("pk"), right, strict=False):
        turn = Assignment.objects.create(
            stage=stage, item=check.item, rater=who, status=Status.SUBMITTED, active_seconds=seconds,
            submitted_at=check.created_at, submitted_version=1,
        )  # fmt: skip
        CheckResult.objects.create(
            check_item=check, stage=stage, rater=who, assignment=turn, is_right=is_right, score=float(is_right)
        )
        made.append(turn)
    return made


def test_checks_pace_and_what_came_back(project, vendors, mona, karim, koshari):
    many_checks(project, marking_stage(project), 12)
    own = turns(project, rater_of(mona, project), [True] * 9 + [False] * 3, 120)
    turns(project, rater_of(karim, project), [True] * 6 + [False] * 6, 60)
    for version in (1, 2):
        ReturnedAnswer.objects.create(assignment=own[0], version=version)
    delta, nile = figures(project)["Delta"], figures(project)["«نيل» 🌊"]
    assert (delta["people"].value, delta["checks passed"].value, delta["checks passed"].n) == (1, 9 / 12, 12)
    assert nile["checks passed"].value == 6 / 12
    # Each check is a prompt of its own, so the interval is Wilson's with Student's t of 11 degrees of freedom.
    assert 0.4 < delta["checks passed"].low < 0.5 < 0.9 < delta["checks passed"].high < 1
    assert (delta["median minutes an item"].value, nile["median minutes an item"].value) == (2, 1)
    assert delta["answers sent back"].value == 1 / 12, "sent back twice it is one answer"
    assert nile["answers sent back"].value == 0
    assert delta["grades near those of other groups"].undefined == "no items"


def test_grades_beside_those_of_other_groups(project, vendors, mona, karim, rafia, tanvir):
    """On one text Mona says 4, Rafia, of the same group, 4, Karim 3 and Tanvir, of none, 1."""
    question = question_type(make_ratings_project(project))
    GroupMember.objects.create(rater=rater_of(rafia, project), group=vendors[0])
    text = add_response(project, "r1", "نص", "ar-EG")
    for who, grade in ((mona, 4), (rafia, 4), (karim, 3), (tanvir, 1)):
        Rating.objects.create(question=question, rater=rater_of(who, project), response=text, first_grade=grade)
    found = {name: row["grades near those of other groups"] for name, row in figures(project).items()}
    # Mona and Rafia: Karim is near, Tanvir is not. Karim: the two are near, Tanvir is not. Nobody is near Tanvir.
    assert {name: (figure.value, figure.n) for name, figure in found.items()} == {
        "Delta": (0.5, 2), "«نيل» 🌊": (pytest.approx(2 / 3), 1), "in no group": (0, 1),
    }  # fmt: skip


def test_marks_that_reviewers_kept(project, vendors, mona, karim, hana, koshari):
    marking_stage(project)
    kept, rejected = mark(koshari, mona, "الكشري", "العدس")
    [other] = mark(koshari, karim, "السحور")
    for span, verdict in ((kept, "keep"), (rejected, "reject"), (other, "keep")):
        review(span, hana, verdict)
        review(span, karim if span.rater.user == mona else mona, verdict)
    found = {name: row["marks that reviewers kept"] for name, row in figures(project).items()}
    assert (found["Delta"].value, found["Delta"].n) == (0.5, 2)
    assert (found["«نيل» 🌊"].value, found["«نيل» 🌊"].n) == (1, 1)


def test_figures_follow_who_is_in_a_group_and_what_comes_in(project, vendors, mona, karim, koshari):
    many_checks(project, marking_stage(project), 3)
    turns(project, rater_of(mona, project), [True], 60)

    def checks() -> dict[str, float | None]:
        [table] = GROUP_QUALITY.look(project, {}).read().tables
        return {row.labels[0]: row.figures[1].value for row in table.rows}

    assert checks() == {"Delta": 1, "«نيل» 🌊": None}
    turns(project, rater_of(karim, project), [False], 60)
    assert checks() == {"Delta": 1, "«نيل» 🌊": 0}
    assign(project, {rater_of(mona, project).pk: vendors[1].pk}, None)
    assert checks() == {"Delta": None, "«نيل» 🌊": 0.5}
    assign(project, {rater_of(mona, project).pk: None}, None)
    assert checks() == {"Delta": None, "«نيل» 🌊": 0, "in no group": 1}


def test_page_file_and_api_say_the_same(project, vendors, nour, mona, karim, koshari):
    many_checks(project, marking_stage(project), 4)
    turns(project, rater_of(mona, project), [True, True, True, False], 60)
    lead = signed_in(nour)
    assert "75" in lead.get(f"{QUALITY}group-quality/").content.decode()
    lines = list(csv.DictReader(lead.get(f"{QUALITY}group-quality.csv").content.decode("utf-8-sig").splitlines()))
    [line] = [each for each in lines if (each["group"], each["measure"]) == ("Delta", "checks passed")]
    assert (line["value"], line["n"]) == ("0.75", "4")
    [table] = lead.get("/api/v1/projects/feasts/group-quality/").json()["tables"]
    assert [row["labels"] for row in table["rows"]] == [["Delta"], ["«نيل» 🌊"]]
    assert table["rows"][0]["figures"][1]["value"] == 0.75


def test_a_project_without_groups_says_what_to_do(project, nour):
    assert "once there are groups" in signed_in(nour).get(QUALITY).content.decode()
    assert signed_in(nour).get("/api/v1/projects/feasts/group-quality/").json() == {"tables": []}
