"""The simulated provider rates in a way that can be foreseen, so that what the figures report can be checked."""

import json
from statistics import mean, stdev

import pytest

from annotation.models import Rating
from providers.fake.answers import answer, biased
from providers.fake.faults import Settings
from providers.fake.rating import FAIR, Leaning, felt, share, worth
from tests.annotation.rated import question_type
from tests.judging.rating import a_pair, ask, rating_judge, run_through

TICKET = "0123456789abcdef"
SCALE = "The scale, from 1 (worst) to 5 (best)"


def question(form: str, *responses: str) -> list[dict]:
    marked = "\n".join(f"<<<answer {TICKET}>>>\n{text}\n<<<end of answer {TICKET}>>>" for text in responses)
    return [{"role": "system", "content": f"{SCALE}\n{form}"}, {"role": "user", "content": marked}]


ALONE, BOTH, WHICH = '{"grade": N}', '{"grade_a": N, "grade_b": N}', '{"preference": "..."}'


def said(form: str, *responses: str, model: str = "simulated-1", leaning: Leaning = FAIR) -> dict:
    told = json.loads(answer("0", question(form, *responses), model, leaning=leaning))
    assert told.pop("ticket") == TICKET
    assert told.pop("reasoning").startswith("Simulated")
    return told


def test_a_response_is_worth_what_it_says_of_itself():
    good, bad = "simulated quality 4.4", "simulated quality 1.6"
    assert said(ALONE, good) == {"grade": 4}
    assert said(BOTH, good, bad) == {"grade_a": 4, "grade_b": 2}
    assert said(BOTH, bad, good) == {"grade_a": 2, "grade_b": 4}
    assert said(WHICH, good, bad) == {"preference": "A"}
    assert said(WHICH, bad, good) == {"preference": "B"}
    assert said(WHICH, good, "simulated quality 4.5") == {"preference": "tie"}


def test_one_that_says_nothing_is_worth_the_same_to_every_model_and_all_grades_occur():
    texts = [f"Response {number}." for number in range(500)]
    grades = [said(ALONE, text)["grade"] for text in texts]
    assert grades == [said(ALONE, text, model="simulated-2")["grade"] for text in texts]
    # a fifth each: 100 of 500, give or take four times the standard deviation of 9
    assert all(64 <= grades.count(grade) <= 136 for grade in range(1, 6))
    assert 0.5 <= worth("Response 1.", 1, 5) <= 5.5


def test_leniency_a_liking_for_the_first_and_noise_are_in_grades():
    text = "simulated quality 3"
    assert felt("s", text, 1, 5, Leaning(lenient=0.7)) == pytest.approx(3.7)
    assert felt("s", text, 1, 5, Leaning(first=0.4), is_first=True) == pytest.approx(3.4)
    assert felt("s", text, 1, 5, Leaning(first=0.4)) == 3
    drawn = [felt("s", f"{text} {number}", 1, 5, Leaning(noise=0.5)) - 3 for number in range(2000)]
    assert mean(drawn) == pytest.approx(0, abs=4 * 0.5 / 2000**0.5)
    assert stdev(drawn) == pytest.approx(0.5, rel=0.1)
    assert said(ALONE, text, leaning=Leaning(lenient=9)) == {"grade": 5}, "kept on the scale"
    assert said(BOTH, text, text, leaning=Leaning(first=1)) == {"grade_a": 4, "grade_b": 3}
    assert 0 < share("x") < 1


def test_a_model_that_always_prefers_the_first_says_so_whatever_it_reads():
    for form, told in ((BOTH, {"grade_a": 5, "grade_b": 1}), (WHICH, {"preference": "A"})):
        messages = question(form, "simulated quality 1", "simulated quality 5")
        found = json.loads(biased(answer("0", messages), messages))
        assert {name: found[name] for name in told} == told


@pytest.mark.parametrize("leaning", [{"leniency": 1}, {"lenient": 1, "harsh": 2}])
def test_a_leaning_that_is_none_is_refused(leaning):
    with pytest.raises(TypeError):
        Settings().change({"leaning": {"simulated-1": leaning}})


@pytest.mark.django_db
def test_a_known_leaning_is_found_again_in_the_ratings(project, provider, fake_provider):
    """40 pairs worth 2 and 3. Lenient by one grade: 3 and 4. With a grade more for the first: a tie one way round."""
    formality = question_type(project)
    for _number in range(40):
        a_pair(ask(project, formality), 2, 3)
    fake_provider.tell(leaning={"simulated-1": {"lenient": 1}, "simulated-2": {"first": 1}})
    lenient, partial = (rating_judge(project, provider, f"simulated-{number}") for number in (1, 2))
    run_through(lenient)
    run_through(partial)

    def grades(judge) -> set[tuple]:
        ratings = Rating.objects.filter(rater=judge.rater)
        assert ratings.count() == 80
        return set(ratings.values_list("is_swapped", "first_grade", "second_grade"))

    assert grades(lenient) == {(False, 3, 4), (True, 3, 4)}
    assert grades(partial) == {(False, 3, 3), (True, 2, 4)}


@pytest.mark.django_db
def test_shares_of_refusals_and_unreadable_verdicts_come_as_told(project, provider, fake_provider):
    formality = question_type(project)
    for _number in range(100):
        a_pair(ask(project, formality))
    fake_provider.tell(shares={"refuse": 0.2, "malformed": 0.3})
    run = run_through(rating_judge(project, provider))
    states = list(run.calls.values_list("state", flat=True))
    counts = {state: states.count(state) for state in set(states)}
    assert sum(counts.values()) == 200
    # 40 and 60 of 200, give or take four times the standard deviations of 5.7 and 6.5
    assert 17 <= counts["refused"] <= 63
    assert 34 <= counts["malformed"] <= 86
    assert Rating.objects.filter(is_unparseable=True).count() == counts["malformed"]
    assert Rating.objects.count() == 200 - counts["refused"]
