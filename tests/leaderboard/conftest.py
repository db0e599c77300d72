"""A board of three models: Nile leads, Tigris follows, Jordan is flagged; one baseline; one question held back."""

import pytest

from benchmark.models import Flag, RuleScore
from projects.models import Membership
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

N = 40
SECRET = "What nobody but Nour may read"
SKILLS = ["Reasoning", "Writing", "Poetry", "Dialects"]


@pytest.fixture
def feasts(project):
    project.areas, project.preset = ["leaderboard"], "leaderboard"
    project.save()
    return project


@pytest.fixture
def lead(nour, feasts):
    Membership.objects.get_or_create(user=nour, project=feasts, role="lead")
    return nour


@pytest.fixture
def board(feasts):
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
