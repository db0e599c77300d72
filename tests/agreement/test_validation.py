"""Others judge a span: is it kept, rejected, open, or still pending?"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from agreement.validation import (
    POLICIES,
    VERDICTS,
    errors_per_response,
    mean_errors,
    outcome_of,
    retained_share,
    wilson_interval,
)

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.parametrize(
    ("policy", "verdicts", "outcome"),
    [
        ("unanimous", "keep keep", "kept"),
        ("unanimous", "keep correct", "kept"),
        ("unanimous", "keep reject", "rejected"),
        ("unanimous", "differs reject", "rejected"),
        ("unanimous", "keep differs", "open"),
        ("majority", "keep reject", "open"),
        ("majority", "keep keep reject", "kept"),
        ("majority", "reject correct reject", "rejected"),
        ("majority", "differs differs", "open"),
        ("majority", "differs keep", "kept"),
        ("any", "reject correct", "kept"),
        ("any", "reject differs", "open"),
        ("any", "reject reject", "rejected"),
    ],
)
def test_all_verdicts_are_in(policy, verdicts, outcome):
    assert outcome_of(verdicts.split(), policy, needed=len(verdicts.split())) == outcome


@pytest.mark.parametrize(
    ("policy", "verdicts", "needed", "outcome"),
    [
        ("unanimous", "", 2, "pending"),
        ("unanimous", "keep", 2, "pending"),
        ("unanimous", "reject", 2, "rejected"),
        ("unanimous", "differs", 2, "pending"),
        ("majority", "keep keep", 3, "kept"),
        ("majority", "keep reject", 3, "pending"),
        ("majority", "differs differs", 3, "pending"),
        ("majority", "reject reject", 4, "pending"),
        ("any", "keep", 3, "kept"),
        ("any", "reject reject", 3, "pending"),
    ],
)
def test_some_verdicts_are_missing(policy, verdicts, needed, outcome):
    assert outcome_of(verdicts.split(), policy, needed) == outcome


@pytest.mark.parametrize("policy", POLICIES)
def test_an_outcome_once_certain_never_changes(policy):
    for first in VERDICTS:
        for second in VERDICTS:
            early = outcome_of([first, second], policy, needed=3)
            late = {outcome_of([first, second, third], policy, needed=3) for third in VERDICTS}
            assert early == (late.pop() if len(late) == 1 else "pending")


def test_unknown_verdicts_and_policies_are_refused():
    with pytest.raises(ValueError, match="unknown verdicts"):
        outcome_of(["maybe"], "any", 1)
    with pytest.raises(ValueError, match="policy must be"):
        outcome_of(["keep"], "all", 1)
    with pytest.raises(ValueError, match="at least one"):
        outcome_of([], "any", 0)


def test_wilson_interval_of_a_published_example():
    # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3
    published = {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0.0, 0.1611)}
    published[1, 29] = (0.0061, 0.1718)
    for (successes, n), bounds in published.items():
        assert wilson_interval(successes, n) == pytest.approx(bounds, abs=5e-5)
    with pytest.raises(ValueError, match="between 0 and n"):
        wilson_interval(3, 2)


def test_share_of_spans_retained():
    """Twelve prompts with four spans each, which are kept or rejected together: twelve trials, not 48."""
    prompt, kept = np.repeat(np.arange(12), 4), np.repeat(np.arange(12) % 3 > 0, 4)
    figure = retained_share(kept, prompt)
    assert (figure.value, figure.n, figure.detail["units"]) == (pytest.approx(2 / 3), 48, 12)
    assert figure.bounds == pytest.approx(retained_share(kept[::4], np.arange(12)).bounds)
    assert retained_share([], []).undefined == "no spans"


def test_mean_errors_per_response_by_criticality():
    minor, major = mean_errors([0, 0, 1, 0], n_levels=2, n_responses=4)
    assert (minor.value, major.value, major.n) == (0.75, 0.25, 4)
    assert errors_per_response([0, 0, 3, 1], [0, 0, 1, 0], 2, 4).tolist() == [[2, 0], [1, 0], [0, 0], [0, 1]]
    assert mean_errors([], 1, 0)[0].undefined == "no items"


@pytest.mark.real_data
@pytest.mark.parametrize("detector", ["human", "model"])
def test_the_published_validation_of_people_s_and_gpt_4_s_annotations(detector):
    """One verdict per annotation; "Partially agree" mends it, so it keeps with a correction."""
    source = DATA / "booookscore" / "annotations-gpt4-4096-inc.json"
    if not source.exists():
        pytest.skip("the human data kept beside the project is not here")
    reference = json.loads((DATA / "reference" / "booookscore_validation.json").read_text(encoding="utf-8"))
    verdict = {"Agree": "keep", "Partially agree": "correct", "Don't agree": "reject"}
    given = Counter(
        annotation["agreement"]
        for summary in json.loads(source.read_text(encoding="utf-8")).values()
        for annotation in summary["annotations"]
        if annotation["source"] == detector
    )
    expected = reference[detector]
    assert given == expected["counts"]
    outcomes: Counter[str] = Counter()
    for answer, times in given.items():
        outcomes[outcome_of([verdict[answer]], "unanimous", needed=1)] += times
    every = np.arange(given.total())
    kept = retained_share(every < outcomes["kept"], every)
    assert kept.n == expected["total"]
    assert kept.value == pytest.approx(expected["precision_agree_or_partial"], abs=1e-9)
    assert round(kept.number, 3) == expected["published_precision"]
    strict = retained_share(every < given["Agree"], every)
    assert strict.value == pytest.approx(expected["validated_strict"], abs=1e-9)
