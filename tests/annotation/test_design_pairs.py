"""Which responses meet in a pair: every two equally often, on both sides equally often, the same for the same seed."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from annotation.pairs.design import ALL, BALANCED, BASELINE, Answered, Design, Meeting, Tally, draw


def answered(n_prompts: int, n_models: int, replicates: int = 1) -> list[Answered]:
    """Response 1_002_03 is the third one of model 2 to prompt 1."""
    return [
        Answered(
            f"p{prompt}",
            {
                model: [prompt * 100_000 + model * 100 + n for n in range(1, replicates + 1)]
                for model in range(1, n_models + 1)
            },
        )
        for prompt in range(1, n_prompts + 1)
    ]


def met(pairs: list[Meeting]) -> Counter[frozenset[int]]:
    return Counter(frozenset((pair.first_model, pair.second_model)) for pair in pairs)


def test_of_three_models_every_two_meet_on_every_prompt():
    pairs = list(draw(answered(10, 3), Design(ALL, 1)))
    assert set(met(pairs).values()) == {10}
    assert len(met(pairs)) == 3


def test_each_meets_the_baseline_alone():
    pairs = list(draw(answered(10, 4), Design(BASELINE, 1, baseline=2)))
    assert met(pairs) == {frozenset((2, other)): 10 for other in (1, 3, 4)}


def test_replicates_meet_number_by_number():
    pairs = list(draw(answered(1, 2, replicates=3), Design(ALL, 1)))
    assert {frozenset((pair.first % 100, pair.second % 100)) for pair in pairs} == {
        frozenset((1,)),
        frozenset((2,)),
        frozenset((3,)),
    }
    more = Answered("p", {1: [11, 12], 2: [21]})
    assert [frozenset(pair[1:3]) for pair in draw([more], Design(ALL, 1))] == [frozenset((11, 21))]


@given(st.integers(2, 6), st.integers(1, 40), st.integers(1, 3), st.integers(0, 2**31))
def test_a_balanced_design_lets_every_two_meet_equally_often(n_models, n_prompts, per_prompt, seed):
    design = Design(BALANCED, seed, per_prompt=per_prompt)
    pairs = list(draw(answered(n_prompts, n_models), design))
    possible = n_models * (n_models - 1) // 2
    assert Counter(pair.prompt for pair in pairs) == {
        f"p{n}": min(per_prompt, possible) for n in range(1, n_prompts + 1)
    }
    counts = [met(pairs)[two] for two in met(pairs)]
    assert max(counts) - (min(counts) if len(counts) == possible else 0) <= 1


@given(st.sampled_from([ALL, BALANCED]), st.integers(2, 5), st.integers(1, 30), st.integers(0, 2**31))
def test_each_of_two_stands_first_equally_often(kind, n_models, n_prompts, seed):
    pairs = list(draw(answered(n_prompts, n_models), Design(kind, seed, per_prompt=2)))
    first = Counter((pair.first_model, pair.second_model) for pair in pairs)
    assert all(abs(n - first[other, one]) <= 1 for (one, other), n in first.items())


@given(st.permutations(answered(12, 4)), st.integers(0, 2**31))
def test_the_same_seed_gives_the_same_pairs_in_whatever_order_prompts_come(prompts, seed):
    design = Design(BALANCED, seed, per_prompt=2)
    assert list(draw(prompts, design)) == list(draw(answered(12, 4), design))


def test_another_seed_gives_others():
    one, other = (list(draw(answered(20, 5), Design(BALANCED, seed, per_prompt=2))) for seed in (1, 2))
    assert set(one) != set(other)


def test_what_is_there_is_not_drawn_again_and_counts():
    design = Design(BALANCED, 1, per_prompt=1)
    tally = Tally()
    before = list(draw(answered(5, 3), design, tally=tally))
    there = {frozenset((pair.first, pair.second)) for pair in before}
    assert list(draw(answered(5, 3), design, there, tally)) == []
    more = list(draw(answered(12, 3), design, there, tally))
    assert len(more) == 7  # seven prompts have come
    assert sorted(met(before + more).values()) == [4, 4, 4]


def test_a_prompt_that_one_model_has_answered_gives_none():
    assert list(draw(answered(3, 1), Design(ALL, 1))) == []
