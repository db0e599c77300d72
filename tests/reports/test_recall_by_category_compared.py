"""Which kinds of errors does a judge miss more than others, and does another setup find more of them?"""

import numpy as np
import pytest
import scipy

from agreement.multiplicity import holm
from annotation.gold import derive
from projects.models import Rater
from reports.spans.measures.category_differences import against_the_rest, of_all_pairs, of_two
from reports.spans.measures.matching import Detected
from tests.annotation.marked import mark, review
from tests.reports.reading import figure, table

#: Of twelve prompts with two gold errors of the category each: how many were found by two setups.
FOUND = np.array([0, 1, 1, 0, 2, 1, 0, 1, 0, 1, 1, 0])
FOUND_WITH_EXAMPLES = np.array([1, 1, 2, 1, 2, 2, 1, 1, 1, 2, 1, 1])
N = len(FOUND)


def detected(categories: np.ndarray, response=None) -> Detected:
    n = len(categories)
    nothing = np.zeros((n, 4), dtype=np.int64)
    return Detected(
        response=np.arange(n) if response is None else np.asarray(response),
        prompt=np.arange(n) if response is None else np.asarray(response),
        matches=nothing,
        of_people=nothing,
        without_own=nothing,
        sweep=nothing,
        categories=categories,
        categories_of_people=categories,
        sentences=nothing,
        sentence_categories=categories,
        planned=n,
        scored=n,
        unlocatable=0,
        normalised=0,
        waiting=0,
        omissions=0,
    )


def counts(found: np.ndarray, of: int, rest: np.ndarray, of_rest: int) -> np.ndarray:
    """Two categories, the first thick and the second thin, then thin, thick and separate: found and all."""
    first, second = (
        np.column_stack((side, np.full(N, all_of_it))) for side, all_of_it in ((found, of), (rest, of_rest))
    )
    return np.stack((first, second, second, first, np.zeros((N, 2), dtype=np.int64)), axis=1)


def test_two_setups_on_a_category_are_the_papers_paired_t_test_where_prompts_weigh_alike():
    """With two errors on each prompt, recall is the mean of the prompts' recalls: t of the twelve differences."""
    rest = np.zeros(N, dtype=np.int64)
    plain, with_examples = (counts(found, 2, rest, 0) for found in (FOUND, FOUND_WITH_EXAMPLES))
    gain = of_two(detected(with_examples), detected(plain))[0]
    assert gain.value == pytest.approx((FOUND_WITH_EXAMPLES.sum() - FOUND.sum()) / (2 * N))
    expected = scipy.stats.ttest_rel(FOUND_WITH_EXAMPLES / 2, FOUND / 2)
    assert gain.detail["p"] == pytest.approx(expected.pvalue, rel=1e-9)
    assert gain.bounds == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert gain.detail["errors"] == 2 * N
    # The second category has no error at all.
    assert of_two(detected(with_examples), detected(plain))[1].undefined == "no gold spans"


def test_only_responses_that_both_answered_are_compared():
    rest = np.zeros(N, dtype=np.int64)
    one, other = (counts(found, 2, rest, 0) for found in (FOUND_WITH_EXAMPLES, FOUND))
    shifted = of_all_pairs({7: detected(one), 9: detected(other, np.arange(N) + 2)}, [7, 9])[7, 9][0]
    assert shifted.n == N - 2
    assert shifted.value == pytest.approx((FOUND_WITH_EXAMPLES[2:].sum() - FOUND[:-2].sum()) / (2 * (N - 2)))


def test_a_category_beside_all_other_errors_of_the_same_detector():
    """Two errors of the category and three others on each prompt: the difference is that of two means over prompts."""
    rest = np.array([3, 2, 3, 3, 2, 3, 1, 3, 3, 2, 3, 3])
    one, other, difference = against_the_rest(counts(FOUND, 2, rest, 3), np.arange(N))[0]
    assert (one.value, other.value) == pytest.approx((FOUND.sum() / (2 * N), rest.sum() / (3 * N)))
    assert difference.value == pytest.approx(one.number - other.number)
    assert difference.detail["p"] == pytest.approx(scipy.stats.ttest_rel(FOUND / 2, rest / 3).pvalue, rel=1e-9)
    # Thick errors are those of the first category, so thick less thin is the same.
    assert against_the_rest(counts(FOUND, 2, rest, 3), np.arange(N))[3][2].value == difference.value
    assert against_the_rest(counts(FOUND, 2, rest, 3), np.arange(N))[4][2].undefined == "no gold spans"


@pytest.mark.django_db
def test_tables_are_corrected_for_everything_in_them_and_say_why_there_is_no_comparison(
    project, answered, koshari, mona, karim
):
    nala = Rater.objects.create(project=project, kind="judge", name="Nala", model="nala-1")
    [span] = mark(koshari, nala, "على السحور")
    for person in (mona, karim):
        review(span, person, "keep")
    derive([koshari.id])
    differences = table(project, "category-differences")
    assert "Holm" in differences.recipe.settings["correction"]
    # Nala's mark meets the custom, of thick errors all; the fact is Karim's four words, of which it is two.
    assert figure(differences, "Nala", "Custom", measure="recall").value == 1.0
    assert figure(differences, "Simba", "Custom", measure="recall of all other errors").value == 0.0
    assert figure(differences, "Simba", "Custom", measure="difference").undefined == "too few prompts"
    assert figure(differences, "Simba", "Custom", measure="p, corrected").undefined == "too few prompts"
    pairs = table(project, "category-recall-pairs")
    assert "Holm" in pairs.recipe.settings["correction"]
    # Two categories, and all thin and all thick errors, of one pair.
    assert len(pairs.rows) == 4
    assert {row.figures[0].undefined for row in pairs.rows} == {"n < 2"}


def test_the_correction_is_holms_over_all_rows():
    from reports.spans.measures import category_differences as module

    rest = np.array([3, 2, 3, 3, 2, 3, 1, 3, 3, 2, 3, 3])
    plain, more = counts(FOUND, 2, rest, 3), counts(FOUND_WITH_EXAMPLES, 2, rest[::-1], 3)
    figures = [one for one in module.of_two(detected(more), detected(plain)) if one.n]
    p = [one.detail["p"] for one in figures]
    assert len(p) == 4
    assert [one.value for one in module.corrected(figures)] == pytest.approx(holm(p).tolist())
