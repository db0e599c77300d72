"""The simulated provider grades in a way that can be foreseen, so that what the figures report can be checked."""

import json
from statistics import mean, stdev

import pytest

from providers.fake.answers import answer
from providers.fake.faults import Settings
from providers.fake.grading import HONEST, Habit, holds, verdict
from rubrics.models import Grade, GradeRole
from tests.judging.grading import ERRORS, KOSHARI, RUBRIC, graded_response, grading_judge, run_through

TICKET = "0123456789abcdef"
SYSTEM = {"role": "system", "content": 'Answer with {"ticket": "...", "verdicts": [...]}'}


def question(response: str, **criteria: str) -> list[dict]:
    parts = [f"<<<answer {TICKET}>>>\n{response}\n<<<end of answer {TICKET}>>>"]
    for name, text in criteria.items():
        sort = "negative" if text.startswith("Claims") else "positive"
        marked = f"<<<criterion {TICKET}>>>\n{text}\n<<<end of criterion {TICKET}>>>"
        parts.append(f"Criterion {name}, {sort}, weight {-5 if sort == 'negative' else 5}:\n{marked}")
    return [SYSTEM, {"role": "user", "content": "\n\n".join(parts)}]


def said(messages: list[dict], model: str = "simulated-1", habit: Habit = HONEST) -> dict[str, str]:
    told = json.loads(answer("0", messages, model, habit))
    assert told["ticket"] == TICKET
    assert all(each["justification"].startswith("Simulated") for each in told["verdicts"])
    return {each["criterion"]: each["verdict"] for each in told["verdicts"]}


def test_it_looks_for_what_the_criterion_quotes():
    asked = question("Rice and lentils.", c1="Says «lentils».", c2="Says “rice” and «pasta».", c3="Claims «Rice».")
    assert said(asked) == {"c1": "PASS", "c2": "FAIL", "c3": "ERROR_PRESENT"}
    assert said(question("Bread.", c1="Claims «Rice».")) == {"c1": "NO_ERROR"}


def test_without_a_quote_every_model_sees_the_same_and_differs_by_its_slips_alone():
    asked = question("Rice.", **{f"c{n}": f"Says thing {n}." for n in range(1, 201)})
    honest = said(asked)
    assert honest == said(asked, "simulated-2")
    # three in five hold: of 200 some 120, give or take twice the standard deviation of 7
    assert 106 <= list(honest.values()).count("PASS") <= 134
    noisy = Habit.of(0, 0.2)
    one, other = said(asked, "simulated-1", noisy), said(asked, "simulated-2", noisy)
    assert one == said(asked, "simulated-1", noisy)
    assert one != other
    assert 20 <= sum(one[name] != honest[name] for name in honest) <= 60


@pytest.mark.parametrize(
    ("leniency", "noise", "habit"),
    [(0.1, 0, Habit(0.1, 0)), (-0.1, 0, Habit(0, 0.1)), (0.1, 0.05, Habit(0.15000000000000002, 0.05))],
)
def test_leniency_slips_one_way_and_noise_both_ways(leniency, noise, habit):
    assert Habit.of(leniency, noise) == habit


@pytest.mark.parametrize(
    "told", [{"leniency": {"a": 1.5}}, {"leniency": {"a": 0.9}, "noise": 0.2}, {"noise": "x"}, {"noise": 2}]
)
def test_a_habit_that_cannot_be_is_refused(told):
    with pytest.raises((ValueError, TypeError)):
        Settings().change({"leniency": {"a": 0}, **told})


def test_a_wholly_lenient_and_a_wholly_harsh_model():
    for text in ("Says «rice».", "Says «bread»."):
        assert verdict("s", "rice", text, True, Habit(1, 0)) == "PASS"
        assert verdict("s", "rice", text, True, Habit(0, 1)) == "FAIL"
        assert verdict("s", "rice", text, False, Habit(1, 0)) == "NO_ERROR"
        assert verdict("s", "rice", text, False, Habit(0, 1)) == "ERROR_PRESENT"


@pytest.mark.django_db
def test_a_known_leniency_is_found_again_in_the_grades(project, provider, mona, fake_provider):
    """Mean signed error of 60 responses against what is true of them, within three standard errors of what is put in.

    True of each: 10 and 8 of 24 points are earned, 6 (vinegar) are not, -5 is deserved and -3 is not. A model that is
    lenient by 0.3 gives 0.3 * (6 + 5) = 3.3 points of 24 too many, 13.75 %; one that is harsh by 0.3 withholds
    0.3 * (10 + 8 + 3) = 6.3 points, -26.25 %.
    """
    grader = mona.raters.get()
    for number in range(60):
        graded_response(project, grader, f"dish-{number}", f"{KOSHARI} {number}.")
    assert [holds(KOSHARI, text) for text in (*RUBRIC, *ERRORS)] == [True, True, False, True, False]
    fake_provider.tell(leniency={"simulated-1": 0.3, "simulated-2": -0.3})
    for model, put_in in (("simulated-1", 100 * 3.3 / 24), ("simulated-2", 100 * -6.3 / 24)):
        judge = grading_judge(project, provider, model)
        run_through(judge)
        grades = Grade.objects.filter(rater=judge.rater, role=GradeRole.JUDGE)
        errors = [100 * (grade.raw - 13) / grade.maximum for grade in grades]
        assert len(errors) == 60
        assert mean(errors) == pytest.approx(put_in, abs=3 * stdev(errors) / 60**0.5)
