"""A board of three models: Nile leads, Tigris follows, Jordan is flagged; one baseline; one question held back.

It takes longer to make than most tests take to look at it. A module of which every test has it says
`pytest.mark.usefixtures("standing_board")`, and then has it made once.
"""

from collections.abc import Iterator

import pytest

from benchmark.models import Flag, QuestionSet, RuleScore
from projects.models import Membership, Project
from tests.benchmark.boards import (
    answers,
    configuration,
    frozen_set,
    judge,
    judged,
    open_questions,
    person,
    scored_by_person,
)
from tests.standing import standing

N = 40
SECRET = "What nobody but Nour may read"
SKILLS = ["Reasoning", "Writing", "Poetry", "Dialects"]


def of_a_board(project: Project) -> Project:
    project.areas, project.preset = ["leaderboard"], "leaderboard"
    project.save()
    return project


def make_board(feasts: Project) -> QuestionSet:
    """The frozen set, with everybody's answers and scores."""
    lines = open_questions(N, skill=[SKILLS[at % 4] for at in range(N)])
    lines[3] |= {"instruction": f"{SECRET}?", "output": f"{SECRET}, a reference", "held_back": True}
    question_set = frozen_set(feasts, *lines)
    simba, mona, karim = judge(feasts), person(feasts, "Mona"), person(feasts, "Karim")
    scores = {
        "Nile": [8 + at % 3 for at in range(N)],
        "Tigris": [5 + at % 4 for at in range(N)],
        "Jordan": [3 + at % 5 for at in range(N)],
    }
    for name, values in scores.items():
        row = configuration(
            feasts, name, made_by=f"{name} Lab", parameters={"Nile": 70, "Tigris": 7, "Jordan": 7}[name]
        )
        given = answers(row, question_set, {"q3": f"{name}: {SECRET}, an answer"})
        judged(simba, given, question_set, [float(value) for value in values])
        if name == "Jordan":
            Flag.objects.create(configuration=row, question_set=question_set, kind="one_text")
        if name == "Tigris":
            first = question_set.questions.get(key="q0")
            scored_by_person(mona, given["q0"], first, 6)
            scored_by_person(karim, given["q0"], first, 4)
            RuleScore.objects.filter(answer=given["q3"]).update(detail={"reason": f"{SECRET}, a judge's words"})
    echo = configuration(feasts, "Echo", kind="baseline")
    judged(simba, answers(echo, question_set), question_set, [0.0] * N)
    return question_set


@pytest.fixture(scope="module")
def standing_board(django_db_setup, django_db_blocker) -> Iterator[QuestionSet]:
    def make() -> QuestionSet:
        return make_board(of_a_board(Project.objects.create(slug="feasts", name="Feasts")))

    with standing(django_db_blocker, make) as question_set:
        yield question_set


@pytest.fixture
def is_standing(request) -> bool:
    return "standing_board" in request.fixturenames


@pytest.fixture
def project(is_standing, db) -> Project:
    """Read anew where it stands: a test may change its object as it likes."""
    if is_standing:
        return Project.objects.get(slug="feasts")
    return Project.objects.create(slug="feasts", name="Feasts")


@pytest.fixture
def feasts(project, is_standing) -> Project:
    return project if is_standing else of_a_board(project)


@pytest.fixture
def lead(nour, feasts):
    Membership.objects.get_or_create(user=nour, project=feasts, role="lead")
    return nour


@pytest.fixture
def board(feasts, is_standing) -> QuestionSet:
    """The frozen set, with everybody's answers and scores."""
    return QuestionSet.objects.get(project=feasts) if is_standing else make_board(feasts)
