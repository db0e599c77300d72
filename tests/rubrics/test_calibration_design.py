"""Who grades what in a calibration study: balanced over people and communities, and the same again from its seed."""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubrics.scoring.calibration import TooFewGraders, deal, design

EGYPT, IRAQ = "ar-EG", "ar-IQ"


def test_two_communities_grade_the_same_responses():
    """Six responses, two graders of each community: 12 turns for three Egyptians, 12 for two Iraqis."""
    responses = {EGYPT: [1, 2, 3, 4, 5], IRAQ: [11, 12, 13, 14]}
    graders = {EGYPT: [101, 102, 103], IRAQ: [201, 202]}
    made = design(responses, graders, responses_per_community=3, graders_per_community=2, seed=7)
    assert len(made.responses) == 6
    assert len(set(made.responses) & set(responses[EGYPT])) == 3
    assert sorted(made.loads.items()) == [(101, 4), (102, 4), (103, 4), (201, 6), (202, 6)]
    for response in made.responses:
        of_it = [grader for one, grader in made.turns if one == response]
        assert Counter(grader // 100 for grader in of_it) == {1: 2, 2: 2}


def test_a_community_with_fewer_responses_gives_all_it_has():
    made = design(
        {EGYPT: [1, 2], IRAQ: [11]}, {EGYPT: [101]}, responses_per_community=5, graders_per_community=1, seed=1
    )
    assert sorted(made.responses) == [1, 2, 11]


def test_too_few_graders_are_refused():
    with pytest.raises(TooFewGraders):
        design({EGYPT: [1]}, {EGYPT: [101], IRAQ: []}, responses_per_community=1, graders_per_community=1, seed=1)


def test_what_somebody_has_graded_before_goes_to_others():
    """101 has graded 1 and 2; where a community has nobody left for a response, another is drawn instead."""
    graded = [(1, 101), (2, 101)]
    made = design(
        {EGYPT: [1, 2, 3, 4]},
        {EGYPT: [101, 102]},
        responses_per_community=4,
        graders_per_community=1,
        seed=3,
        graded=graded,
    )
    assert not set(made.turns) & set(graded)
    assert sorted(made.loads.values()) == [2, 2]
    alone = design(
        {EGYPT: [1, 2, 3]}, {EGYPT: [101]}, responses_per_community=1, graders_per_community=1, seed=3, graded=graded
    )
    assert alone.turns == ((3, 101),)


def test_a_turn_is_handed_on_over_a_third_person_where_it_must_be():
    """A may take 1 to 4, B 1 to 6, C 5 and 6 alone: six turns, two each, and only one way to deal them evenly."""
    a, b, c = 1, 2, 3
    graded = [(5, a), (6, a), (1, c), (2, c), (3, c), (4, c)]
    turns = deal([1, 2, 3, 4, 5, 6], [a, b, c], 1, "seed", graded)
    assert Counter(grader for _response, grader in turns) == {a: 2, b: 2, c: 2}


communities = st.dictionaries(st.sampled_from([EGYPT, IRAQ, "bn-BD", "ko-KR"]), st.integers(1, 7), min_size=1)


@settings(max_examples=200, deadline=None)
@given(
    sizes=communities,
    candidates=st.integers(0, 12),
    wanted=st.integers(1, 10),
    each=st.integers(1, 4),
    seed=st.integers(0, 2**31),
)
def test_any_design_is_balanced_and_repeats_itself(sizes, candidates, wanted, each, seed):
    numbers = itertools.count(1000)
    graders = {community: [next(numbers) for _ in range(size)] for community, size in sizes.items()}
    ids = itertools.count(1)
    responses = {community: [next(ids) for _ in range(candidates)] for community in sizes}
    asked = {"responses_per_community": wanted, "graders_per_community": each, "seed": seed}
    if min(sizes.values()) < each:
        with pytest.raises(TooFewGraders):
            design(responses, graders, **asked)
        return
    made = design(responses, graders, **asked)

    assert len(made.responses) == len(set(made.responses)) == len(sizes) * min(wanted, candidates)
    assert len(made.turns) == len(set(made.turns)) == len(made.responses) * each * len(sizes)
    for members in graders.values():
        loads = [made.loads[grader] for grader in members]
        assert max(loads) - min(loads) <= 1, "nobody has more than one turn more than another of the community"
        per_response = Counter(response for response, grader in made.turns if grader in members)
        assert set(per_response.values()) <= {each}, "each response goes to as many of each community"

    reordered = {community: members[::-1] for community, members in reversed(graders.items())}
    turned = {community: ids[::-1] for community, ids in reversed(responses.items())}
    assert design(turned, reordered, **asked) == made


@settings(max_examples=100, deadline=None)
@given(
    graders=st.integers(2, 6),
    responses=st.integers(1, 12),
    graded=st.sets(st.tuples(st.integers(1, 12), st.integers(101, 106)), max_size=30),
    seed=st.integers(0, 1000),
)
def test_with_earlier_grades_loads_are_as_even_as_any_dealing_could_make_them(graders, responses, graded, seed):
    """Checked against every possible dealing of one grader a response, by brute force over small cases."""
    members = list(range(101, 101 + graders))
    allowed = {r: [m for m in members if (r, m) not in graded] for r in range(1, responses + 1)}
    if not all(allowed.values()):
        with pytest.raises(TooFewGraders):
            deal(list(allowed), members, 1, seed, graded)
        return
    turns = deal(list(allowed), members, 1, seed, graded)
    assert not set(turns) & graded
    assert [response for response, _grader in turns] == list(allowed)
    loads = Counter(grader for _response, grader in turns)
    assert max(loads.values()) == smallest_possible_maximum(allowed)


def smallest_possible_maximum(allowed: dict[int, list[int]]) -> int:
    """By Hall's theorem: over every set of graders, what only they may take, shared out among them."""
    members = sorted({member for options in allowed.values() for member in options})
    most = 0
    for size in range(1, len(members) + 1):
        for group in itertools.combinations(members, size):
            bound_to = sum(set(options) <= set(group) for options in allowed.values())
            most = max(most, -(-bound_to // size))
    return most


def test_another_seed_gives_another_design():
    responses, graders = {EGYPT: list(range(40))}, {EGYPT: list(range(100, 110))}
    made = {
        design(responses, graders, responses_per_community=20, graders_per_community=2, seed=seed).turns
        for seed in range(5)
    }
    assert len(made) == 5


def test_graders_meet_in_many_pairs():
    """Thirty responses, one of five graders on each side: chance brings most of the 25 pairs together, so that
    everybody's severity hangs together with everybody else's."""
    graders = {EGYPT: list(range(100, 105)), IRAQ: list(range(200, 205))}
    responses = {EGYPT: list(range(15)), IRAQ: list(range(20, 35))}
    made = design(responses, graders, responses_per_community=15, graders_per_community=1, seed=2)
    pairs = {tuple(sorted(grader for one, grader in made.turns if one == response)) for response in made.responses}
    assert len(pairs) >= 12
