"""Splits are drawn over templates: by seed, stratified, and never over what was drawn before."""

from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from projects.models import PromptTemplate
from projects.splits import draw
from tests.annotation.localising import template_of
from tests.annotation.rated import question_type

SHARES = {"train": 70, "validation": 10, "test": 20}
KEYS = st.dictionaries(st.text(min_size=1, max_size=6), st.integers(0, 3), max_size=60)


@given(KEYS, st.integers(0, 2**31 - 1))
def test_every_template_gets_one_split_whatever_the_order(strata, seed):
    drawn = draw(strata, SHARES, seed)
    assert set(drawn) == set(strata)
    assert drawn == draw(dict(reversed(strata.items())), SHARES, seed)


@given(KEYS, st.integers(0, 1000))
def test_what_is_there_stays(strata, seed):
    there = {key: (stratum, "test") for key, stratum in list(strata.items())[::2]}
    drawn = draw({key: stratum for key, stratum in strata.items() if key not in there}, SHARES, seed, there)
    assert not set(drawn) & set(there)


def test_shares_hold_over_all_and_within_each_question_type():
    """Fifteen types of forty templates: 28, 4 and 8 of each, and 420, 60 and 120 over all, within one either way."""
    strata = {f"{kind}-{number}": kind for kind in range(15) for number in range(40)}
    drawn = draw(strata, SHARES, seed=3)
    overall = Counter(drawn.values())
    assert all(abs(overall[split] - 6 * share) <= 1 for split, share in SHARES.items())
    for kind in range(15):
        within = Counter(split for key, split in drawn.items() if strata[key] == kind)
        assert all(abs(within[split] - 0.4 * share) <= 1 for split, share in SHARES.items())


def test_one_template_a_type_still_fills_every_split():
    drawn = Counter(draw({str(kind): kind for kind in range(15)}, SHARES, seed=1).values())
    assert drawn["train"] > drawn["test"] > 0
    assert drawn["validation"] > 0


def test_templates_that_come_one_by_one_come_to_the_shares_too():
    there: dict[str, tuple[int, str]] = {}
    for number in range(40):
        there |= {key: (0, split) for key, split in draw({str(number): 0}, SHARES, 1, there).items()}
    counts = Counter(split for _stratum, split in there.values())
    assert counts == {"train": 28, "validation": 4, "test": 8}


def test_another_seed_is_another_draw():
    strata = {str(number): 0 for number in range(40)}
    assert draw(strata, SHARES, 1) != draw(strata, SHARES, 2)


def test_a_share_of_nothing_gets_nothing():
    assert set(draw({"a": 0, "b": 0, "c": 0}, {"train": 1, "validation": 0, "test": 1}, 1).values()) == {
        "train",
        "test",
    }


@pytest.mark.parametrize("shares", [{"train": 0, "test": 0}, {"train": 2, "test": -1}])
def test_shares_that_are_none_are_refused(shares):
    with pytest.raises(ValueError, match="shares"):
        draw({"a": 0}, shares, 1)


@pytest.mark.django_db
def test_the_command_draws_for_a_project(project):
    question_type(project)
    for number in range(10):
        template_of(project, f"t-{number}", split="test" if number == 0 else "")
    out = StringIO()
    call_command("draw_splits", "feasts", "--seed", "5", "--shares", "50/0/50", stdout=out)
    assert out.getvalue() == "Drawn: 9 (train 5, validation 0, test 4). 1 kept theirs.\n"
    assert PromptTemplate.objects.get(key="t-0").split == "test"


@pytest.mark.django_db
@pytest.mark.parametrize("shares", ["70/20", "a/b/c", "50/50/50", "-10/10/100"])
def test_the_command_refuses_shares_that_are_none(project, shares):
    with pytest.raises(CommandError, match="add up to 100"):
        call_command("draw_splits", "feasts", f"--shares={shares}")
