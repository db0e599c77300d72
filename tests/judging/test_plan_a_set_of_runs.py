"""Nour plans several judges at once: which responses, what that would cost, and whether her budget is enough."""

from decimal import Decimal

import pytest

from judging.engine.choice import Choice
from judging.engine.estimates import Range
from judging.engine.run_sets import Suffices, create_set, plan_set
from judging.judges import add_judge
from judging.models import Call, RunSet
from projects.models import Split
from projects.problems import Invalid
from projects.splits import origins
from providers.prices import Price, in_billionths, in_dollars
from tests.judging.budgeting import DOLLAR, a_set, priced, work_off
from tests.people import add_response


@pytest.fixture
def judges(project, provider, feasts):
    return [
        priced(add_judge(project, provider, "simulated-1", max_output_tokens=100)),
        add_judge(project, provider, "simulated-2", max_output_tokens=100),
    ]


def test_a_price_is_exact_and_rounded_up():
    price = Price.of(Decimal("2.5"), Decimal("10.000001"))
    # 1,000 tokens at 2.5 dollars a million are 0.0025 dollars, 10 tokens at 10.000001 are 0.00010000001
    assert price.cost(1000, 0) == in_billionths(Decimal("0.0025"))
    assert price.cost(0, 10) == 100_001  # 100,000.01 billionths: never too low
    assert in_dollars(price.cost(1000, 0)) == Decimal("0.0025")


def test_the_plan_of_two_judges_in_three_rounds(judges, project):
    planned = plan_set(project, judges, Choice(varieties=("ar-EG",)), replicates=3)
    assert [(run.judge, run.round, run.calls) for run in planned.runs] == [
        (judge, round, 12) for judge in judges for round in (1, 2, 3)
    ]
    assert (planned.responses, planned.calls, planned.hits, planned.excluded) == (6, 72, 0, 0)
    assert planned.unpriced == [judges[1]]
    assert not RunSet.objects.exists()


def test_what_it_costs_before_anything_was_asked(judges, project):
    """By the bytes of what would be sent: between six and two of them a token, and 5 to 100 written."""
    (run,) = plan_set(project, judges[:1], Choice()).runs
    estimate = run.estimate
    read = estimate.most_tokens - 24 * 100  # the most is a token for every byte, and 100 written by each of 24 calls
    assert estimate.tokens == Range(read // 6 + 24 * 5, read // 2 + 24 * 100)
    assert estimate.money == Range(1000 * (read // 6) + 2000 * 120, 1000 * (read // 2) + 2000 * 2400)
    assert estimate.most_money == 1000 * read + 2000 * 2400
    assert estimate.ended_calls == 0
    assert not estimate.is_drawn


def test_what_like_calls_cost_says_what_others_will(judges, project):
    work_off(a_set(judges[0]))
    written = sorted(Call.objects.values_list("completion_tokens", flat=True))
    (run,) = plan_set(project, judges[:1], Choice(), first_round=2).runs
    assert run.estimate.ended_calls == 24
    # the provider counts 100 tokens read; of 24 calls in order, the tenth of a hundred is the third
    low, high = written[2], written[21]
    assert run.estimate.tokens == Range(24 * (100 + low), 24 * (100 + high))
    assert run.estimate.money == Range(24 * (100_000 + 2000 * low), 24 * (100_000 + 2000 * high))


def test_whether_the_budget_is_enough(judges, project):
    def told(limit: int) -> Suffices | None:
        return plan_set(project, judges[:1], Choice(), money_limit=limit).money_suffices

    low, high = plan_set(project, judges[:1], Choice()).money
    assert [told(low - 1), told(low), told(high - 1), told(high)] == [
        Suffices.NO,
        Suffices.MAYBE,
        Suffices.MAYBE,
        Suffices.YES,
    ]
    assert plan_set(project, judges, Choice(), money_limit=DOLLAR).money_suffices is None  # one has no price
    assert plan_set(project, judges, Choice(), token_limit=1).tokens_suffice == Suffices.NO


def test_the_own_laboratory_is_left_out_and_counted(project, provider, feasts):
    from providers.endpoints import simulated_gateway

    gateway = simulated_gateway()
    add_response(project, "own", "One paragraph.", "en-US", model="grok-4.3")
    judge = add_judge(project, gateway, "grok-4.3")
    planned = plan_set(project, [judge], Choice())
    assert planned.excluded == 1
    assert planned.calls == 24


def test_a_judge_that_cannot_be_asked_says_why(judges, project):
    judges[1].is_active = False
    judges[1].save()
    planned = plan_set(project, judges, Choice())
    assert [(run.calls, run.problem) for run in planned.runs] == [(24, ""), (0, "This judge is out of use.")]
    assert create_set(project, judges[:1], Choice()).runs.count() == 1
    nothing_left = plan_set(project, judges[:1], Choice()).runs[0]
    assert nothing_left.calls == 0
    assert "nothing to ask" in nothing_left.problem


def test_nothing_to_ask_makes_no_set(judges, project):
    create_set(project, judges, Choice())
    with pytest.raises(Invalid, match="nothing to ask"):
        create_set(project, judges, Choice())
    assert RunSet.objects.count() == 1


def test_a_choice_is_kept_and_read_again(project, feasts):
    choice = Choice(varieties=("ar-EG",), target_models=("Nile-7B",), search="more", split="test", sample=2, seed=7)
    assert Choice.of_json(choice.as_json()) == choice
    assert Choice().as_json() == {}
    assert Choice(varieties=("ar-EG",), search="more").responses(project).count() == 5
    with pytest.raises(Invalid, match="tlh"):
        Choice(varieties=("tlh",)).check(project)


def test_a_sample_is_the_same_one_again_and_grows(project, feasts):
    def keys(n: int, seed: int = 0) -> set[str]:
        return set(Choice(sample=n, seed=seed).responses(project).values_list("key", flat=True))

    assert keys(4) == keys(4)
    assert keys(4) < keys(6)
    assert any(keys(4) != keys(4, seed) for seed in range(1, 10))
    assert len(keys(100)) == 12


def test_a_side_of_the_split(project, feasts):
    sides = {side: set(Choice(split=side).responses(project).values_list("prompt", flat=True)) for side in Split.values}
    assert sum(len(prompts) for prompts in sides.values()) == 12
    for side, prompts in sides.items():
        assert {origins(project)[prompt].split for prompt in prompts} <= {side}


def test_planning_costs_the_same_for_many(judges, project, django_assert_max_num_queries):
    with django_assert_max_num_queries(40):
        plan_set(project, judges, Choice())
    for n in range(60):
        add_response(project, f"r{n}", f"A fair in May, number {n}.\n\nIt closes in June.", "en-US")
    with django_assert_max_num_queries(40):
        assert plan_set(project, judges, Choice()).calls == 2 * (24 + 120)
