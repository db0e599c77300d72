"""Members weighed by their agreement with people on one half of the prompts; the other half measures the panel."""

import pytest

from annotation.models import GoldAnswer, GoldError, Rating, Span
from judging.ensembles.assembling import assemble
from judging.ensembles.weighing import held_out, held_out_of, is_of_weighing_half
from judging.models import PanelMember
from projects.models import Rater
from projects.problems import Invalid
from projects.splits import origins
from rubrics.models import Grade
from tests.annotation.marked import mark
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.judging.grading import LENTILS, PHARAOHS, RAMADAN, RICE, VINEGAR, ask, freeze, reference, respond
from tests.judging.panelling import grade_as, judges, panel_of, rates, verdicts_of
from tests.people import EGYPTIAN, add_response

TRUE = {LENTILS: "pass", RICE: "pass", VINEGAR: "fail", PHARAOHS: "present", RAMADAN: "present"}


def weights(panel) -> dict[str, tuple[float | None, int | None]]:
    rows = PanelMember.objects.filter(panel=panel).values_list("rater__pseudonym", "weight", "weighed_on")
    return {name: (weight, n) for name, weight, n in rows}


def of_weighing_half(project, seed: int) -> dict[int, bool]:
    """By id of prompt, whether it weighs."""
    return {pk: is_of_weighing_half(seed, origin.template) for pk, origin in origins(project).items()}


def test_the_halves_are_drawn_by_the_seed_prompt_by_prompt_and_stay(project):
    prompts = [ask(project, f"p{n}") for n in range(200)]
    drawn = of_weighing_half(project, 0)
    # 200 throws of a coin: 4 standard deviations around 100 are 72 to 128.
    assert 72 < sum(drawn.values()) < 128
    assert drawn != of_weighing_half(project, 1)
    ask(project, "one more")
    again = of_weighing_half(project, 0)
    assert {pk: again[pk] for pk in drawn} == drawn
    # Prompts with the same words stand together.
    twin = ask(project, "twin", text=prompts[0].text)
    assert of_weighing_half(project, 0)[twin.pk] == drawn[prompts[0].pk]


@pytest.fixture
def twelve(project, salma) -> list[Grade]:
    """First gradings of twelve responses, each of which finds the same true."""
    grader = Rater.objects.get(user=salma)
    found = []
    for number in range(12):
        prompt = ask(project, f"p{number}")
        found.append(reference(respond(prompt), freeze(prompt, grader), grader, passed=(LENTILS, RICE)))
    return found


def test_the_kappa_of_a_rubric_panel_worked_out(project, twelve):
    """Of each response's five criteria Amber is right on all, Birch wrong on two; Cedar says yes to everything."""
    amber, birch, cedar = judges(project)
    for one in twelve:
        grade_as(amber, one, TRUE)
        grade_as(birch, one, {**TRUE, VINEGAR: "pass", RICE: "fail"})
        grade_as(cedar, one, {**TRUE, VINEGAR: "pass"})
    panel = panel_of([amber, birch, cedar], "rubric", rule="weighted", seed=3)
    assemble(panel)
    prompts = {pk for pk, weighs in of_weighing_half(project, 3).items() if weighs}
    n = len(prompts)
    assert held_out(panel) == prompts
    # Of five criteria a person counts 4 (two passes, two errors). Birch counts 4 as well, 3 of them the same:
    # observed 3 / 5, expected (4 * 4 + 1 * 1) / 25 = 0.68, kappa = (0.6 - 0.68) / 0.32 < 0, so its vote weighs nothing.
    # Cedar counts all five: observed 4 / 5, expected 4 / 5, kappa 0.
    assert weights(panel) == {"amber": (1.0, 5 * n), "birch": (0.0, 5 * n), "cedar": (0.0, 5 * n)}


def test_the_heavier_vote_decides_and_least_members_counts_those_with_a_vote(project, twelve):
    amber, birch, cedar = judges(project)
    for number, one in enumerate(twelve):
        grade_as(amber, one, TRUE)
        # Half of the time Birch and Cedar are right, else both pass what should fail.
        wrong = {**TRUE, LENTILS: "fail"} if number % 2 else TRUE
        grade_as(birch, one, wrong)
        grade_as(cedar, one, wrong)
    panel = panel_of([amber, birch, cedar], "rubric", rule="weighted")
    majority = panel_of_same(panel)
    assemble(panel)
    assemble(majority)
    found = weights(panel)
    assert found["amber"][0] == 1.0
    assert 0 < found["birch"][0] < 1.0
    heavier = found["birch"][0] + found["cedar"][0] > 1.0
    of_wrong = twelve[1].response
    decided = verdicts_of(Grade.objects.get(rater=panel.rater, response=of_wrong))
    assert decided[LENTILS] == ("fail" if heavier else "pass")
    assert verdicts_of(Grade.objects.get(rater=majority.rater, response=of_wrong))[LENTILS] == "fail"
    said = Grade.objects.get(rater=panel.rater, response=of_wrong).metadata["panel"]
    assert [member["weight"] for member in said["members"]] == [found[name][0] for name in ("amber", "birch", "cedar")]
    assert said["is_of_weighing_half"] == of_weighing_half(project, 0)[of_wrong.prompt_id]


def panel_of_same(panel):
    from judging.ensembles.adding import add_panel

    return add_panel(panel.project, panel.kind, list(panel.members.all()), name="Majority")


def test_without_gold_nobody_can_be_weighed_and_nothing_is_written(project, twelve):
    amber, birch = judges(project, 2)
    for one in twelve:
        grade_as(amber, one, TRUE)
        grade_as(birch, one, TRUE)
    panel = panel_of([amber, birch], "rubric", rule="weighted")
    assemble(panel)
    standing = Grade.objects.filter(rater=panel.rater).count()
    assert standing == 12
    Grade.objects.filter(pk__in=[one.pk for one in twelve]).update(role="regrade")
    with pytest.raises(Invalid, match="weighed"):
        assemble(panel)
    assert Grade.objects.filter(rater=panel.rater).count() == standing
    assert weights(panel)["amber"][0] == 1.0  # as it was


def test_what_ratings_weigh(project, mona):
    """Amber gives the gold itself, Birch the opposite end: quadratic kappa 1, and below 0."""
    make_ratings_project(project)
    formality = question_type(project)
    amber, birch = judges(project, 2)
    for number in range(12):
        pair = pair_of(project, f"p{number}", question=formality)
        first, second = (1 + number % 5, 5 - number % 5)
        rate(pair, mona, formality, first, second)
        rates(amber, pair, formality, first, second)
        rates(birch, pair, formality, 6 - first, 6 - second)
    panel = panel_of([amber, birch], "ratings", rule="weighted", least_members=1)
    assemble(panel)
    found = weights(panel)
    n = sum(2 for pk in project.pairs.values_list("prompt_id", flat=True) if pk in held_out(panel))
    assert found == {"amber": (1.0, n), "birch": (0.0, n)}
    # Birch has no vote, so the panel says what Amber says.
    mine, hers = (
        dict(Rating.objects.filter(rater=rater).values_list("pair_id", "first_grade")) for rater in (panel.rater, amber)
    )
    assert mine == hers


def test_what_spans_weigh(project, mona):
    """On each settled response one error is gold. Amber marks it, and nothing else; Birch marks it, and another."""
    amber, birch = judges(project, 2)
    for number in range(12):
        response = add_response(project, f"r{number}", EGYPTIAN, "ar-EG")
        [span] = mark(response, amber, "أكلة مصرية")
        mark(response, birch, "أكلة مصرية", "أيام الفراعنة")
        GoldAnswer.objects.create(response=response, kept=1)
        GoldError.objects.create(response=response, key="e", start=span.start, end=span.end, quote=span.quote)
    panel = panel_of([amber, birch], "spans", rule="weighted")
    assemble(panel)
    n = len(held_out(panel))
    # Precision 1 / 2, recall 1: F1 = 2 / 3.
    assert weights(panel) == {"amber": (1.0, n), "birch": (0.666667, n)}
    # What Birch alone marks weighs 0.67 of 1.67: it is not the panel's.
    assert set(Span.objects.filter(rater=panel.rater).values_list("quote", flat=True)) == {"أكلة مصرية"}


def test_a_panel_that_weighs_nobody_leaves_no_prompt_out(project, twelve):
    members = judges(project, 2)
    for one in twelve:
        for member in members:
            grade_as(member, one, TRUE)
    plain = panel_of(members, "rubric")
    assert (held_out(plain), held_out_of(project)) == (frozenset(), {})


def test_the_latest_round_of_a_member_is_what_weighs_it(project, mona):
    """Birch gave the opposite in its first round and people's own in its second: it weighs as much as Amber."""
    make_ratings_project(project)
    formality = question_type(project)
    amber, birch = judges(project, 2)
    for number in range(12):
        pair = pair_of(project, f"p{number}", question=formality)
        first, second = (1 + number % 5, 5 - number % 5)
        rate(pair, mona, formality, first, second)
        rates(amber, pair, formality, first, second)
        rates(birch, pair, formality, 6 - first, 6 - second)
        rates(birch, pair, formality, first, second, round=2)
    panel = panel_of([amber, birch], "ratings", rule="weighted")
    assemble(panel)
    assert [weight for weight, _n in weights(panel).values()] == [1.0, 1.0]
    assert len({n for _weight, n in weights(panel).values()}) == 1
