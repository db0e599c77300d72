"""The dashboard of the generated study at the size of JuICE says what its paper says of judges."""

from itertools import pairwise

import pytest

from reports.spans.dashboard import SPANS
from tests.demo.stories import Dashboard, in_order
from tests.standing import standing

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("juice at full size")]
ALL = "All varieties"
# Table 4: precision, recall and F1 of ten judges.
DETECTION = {
    "gemini-3.1-pro-preview": (0.4798, 0.5735, 0.5225),
    "gpt-5.5": (0.4939, 0.5298, 0.5112),
    "claude-haiku-4.5": (0.3375, 0.4072, 0.3691),
    "claude-opus-4.7": (0.5653, 0.3741, 0.4503),
    "gemini-3-flash-preview": (0.4044, 0.6025, 0.4839),
    "gpt-5.4-mini": (0.4228, 0.2422, 0.3079),
    "gemma-4-31B-it": (0.6105, 0.3535, 0.4450),
    "gpt-oss-120b": (0.3317, 0.4102, 0.3657),
    "Llama-4-Scout-17B-16E-Instruct": (0.2216, 0.4219, 0.2805),
    "Qwen3-30B-A3B-Instruct-2507": (0.2328, 0.4822, 0.3128),
}
# Table 5: precision and recall of one model asked in other ways.
SETUPS = {
    "gemma-4-31B-it": (0.6133, 0.3532),
    "gemma-4-31B-it + taxonomy": (0.5662, 0.3829),
    "gemma-4-31B-it + few-shot": (0.5392, 0.3963),
    "gemma-4-31B-it + taxonomy + few-shot": (0.5393, 0.4031),
}
# Section 4.3.1: recall of the six judges with the highest F1 runs from the first to the second.
RECALL = {
    "Explicit Linguistic Error": (0.37, 0.72),
    "Cultural Inaccuracy": (0.41, 0.72),
    "Cultural Specificity Error": (0.30, 0.51),
    "Cultural Connotation Error": (0.28, 0.60),
    "Cultural Missingness": (0.21, 0.35),
}
BUILDERS = {"Simulated judge A", "Simulated judge B"}
# A precision is met to one mark in some thousands; marks for nothing may still touch an error's word.
NEAR = 0.02


@pytest.fixture(scope="module")
def tables(juice, django_db_blocker):
    with standing(django_db_blocker, lambda: SPANS.tables(juice)) as made:
        yield made


@pytest.fixture
def read(tables) -> Dashboard:
    return Dashboard(tables)


def of_detection(read: Dashboard, measure: str) -> dict[str, float]:
    return {name: value for name, value in read.values("judge-scores", measure, ALL).items() if name in DETECTION}


def test_ten_judges_detect_errors_as_published(read):
    for place, measure in enumerate(("precision", "recall", "F1")):
        found, published = of_detection(read, measure), {name: row[place] for name, row in DETECTION.items()}
        assert found == pytest.approx(published, abs=NEAR)
        assert in_order(found) == in_order(published), measure


def test_guidance_costs_precision_and_gains_recall(read):
    precision, recall, f1 = (read.values("judge-scores", measure, ALL) for measure in ("precision", "recall", "F1"))
    plain, *guided = SETUPS
    for name in guided:
        assert (precision[name], recall[name]) == pytest.approx(SETUPS[name], abs=NEAR)
        assert precision[name] < precision[plain]
        assert recall[name] > recall[plain]
        assert f1[name] > f1[plain]
    assert max(SETUPS, key=f1.__getitem__) == "gemma-4-31B-it + taxonomy + few-shot"


def test_guidance_helps_most_with_thick_errors(read):
    """By 7.6 points beside 3.9 with both kinds of it."""
    thin, thick = (read.values("category-recall", "recall", f"all of depth “{depth}”") for depth in ("Thin", "Thick"))
    plain, guided = "gemma-4-31B-it", "gemma-4-31B-it + taxonomy + few-shot"
    assert thick[guided] - thick[plain] == pytest.approx(0.076, abs=0.02)
    assert thin[guided] - thin[plain] == pytest.approx(0.039, abs=0.02)


def test_recall_falls_from_thin_errors_to_what_is_missing(read):
    best = in_order({name: row[2] for name, row in DETECTION.items()})[-6:]
    for category, (least, most) in RECALL.items():
        found = read.values("category-recall", "recall", category)
        of_best = [found[name] for name in best]
        assert least - 0.06 < min(of_best)
        assert max(of_best) < most + 0.06
    for name in DETECTION:
        explicit, inaccuracy, specificity, connotation, missing = (
            read.values("category-recall", "recall", category)[name] for category in RECALL
        )
        assert min(explicit, inaccuracy) > max(specificity, connotation)
        assert min(specificity, connotation) > missing


def test_judges_that_built_none_of_it_find_less_of_what_people_found(read):
    of_all = read.values("judge-scores", "recall", ALL)
    of_people = read.values("judge-scores-human-detected", "recall", ALL)
    assert all(of_people[name] < of_all[name] for name in DETECTION)
    f1 = read.values("judge-scores-human-detected", "F1", ALL)
    assert max(f1[name] for name in DETECTION) < 0.3


def test_sentence_by_sentence_the_careful_judges_are_right_more_often_than_they_find(read):
    precision, recall = (read.values("sentence-scores", measure, ALL) for measure in ("precision", "recall"))
    for name in ("claude-opus-4.7", "gpt-5.4-mini", "gemma-4-31B-it", "gpt-5.5"):
        assert precision[name] > recall[name]
    assert max(DETECTION, key=precision.__getitem__) in ("claude-opus-4.7", "gemma-4-31B-it")


def test_evaluated_judges_leave_the_final_set_as_it_is(read):
    shares = {row.labels[1] for row in read("thin-thick").rows}
    assert shares == {"All errors", "People", *BUILDERS}
    [of_all] = [row.figures[0] for row in read("thin-thick").rows if row.labels == (ALL, "All errors")]
    assert of_all.n == 7470
    assert {row.labels[1] for row in read("retained").rows} == {"People", *BUILDERS}
    assert read("verdicts").rows


def test_no_table_of_answers_is_empty(read):
    assert read.empty == ["progress"]


def test_a_judge_that_proposes_categories_agrees_less_than_two_experts_do(read):
    [row] = read("classification-kappa-judges").rows
    with_people, of_people = row.figures
    assert row.labels == ("gemini-3.1-pro-preview for categories (simulated)",)
    assert (with_people.n, of_people.n) == (2 * 191, 191)
    [experts, *_alpha] = read("classification-kappa").rows
    assert of_people.value == experts.figures[0].value
    assert 0.3 < with_people.number < of_people.number


def test_stricter_overlap_takes_from_every_judge(read):
    sweep = read("threshold-sweep")
    by_judge: dict[str, list[tuple[float, float]]] = {}
    for row in sweep.rows:
        by_judge.setdefault(row.labels[0], []).append((float(row.labels[1]), row.figures[-1].number))
    for points in by_judge.values():
        values = [value for _threshold, value in sorted(points)]
        assert all(later <= earlier for earlier, later in pairwise(values))
