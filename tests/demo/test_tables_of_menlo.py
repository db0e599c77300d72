"""The published tables of MENLO (arXiv 2509.26601) that rest on counts, from nothing but the exported files.

The study is generated to have these numbers: counts are met exactly; means, spreads and alphas, which are drawn, to
the tolerance beside them.
"""

from collections import Counter, defaultdict
from statistics import fmean, pstdev

import krippendorff
import numpy as np
import pytest

from tests.demo.exported import Files, export_of

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("menlo at full size")]

# Table 1: annotations, annotators, prompts, IAA (Krippendorff's alpha), mean, standard deviation.
TABLE_1 = {
    "fluency": (23_556, 450, 1_820, 0.82, 4.01, 1.11),
    "tone": (18_712, 429, 1_410, 0.86, 3.48, 1.35),
    "localized-tone": (22_324, 530, 1_815, 0.83, 3.89, 1.17),
    "localized-factuality": (16_422, 525, 1_378, 0.84, 3.82, 1.16),
}
NEAR_MEAN, NEAR_STD, NEAR_ALPHA = 0.04, 0.03, 0.02
# Section 2: what is asked in each dimension, by its short name here.
QUESTION_TYPES = {
    "fluency": {"vocabulary-syntax", "coherence", "grammar-mechanics", "clarity-conciseness"},
    "tone": {"engaging", "fair", "insightful", "helpful"},
    "localized-tone": {"cultural-relevance", "formality", "humor", "linguistic-nuance"},
    "localized-factuality": {"cultural-practices", "expressions-concepts", "local-knowledge"},
}


@pytest.fixture(scope="module")
def files(menlo, django_db_blocker, tmp_path_factory) -> Files:
    folder = tmp_path_factory.mktemp("menlo")
    return export_of("menlo", folder, django_db_blocker, "ratings,texts")


@pytest.fixture(scope="module")
def people(files) -> dict[str, list[dict]]:
    """What people said, by dimension: a line for each grade of a response."""
    found = defaultdict(list)
    for row in files.lines("ratings"):
        if row["rater_kind"] == "human" and not row["is_check"]:
            found[row["dimension"]].append(row)
    return found


def test_table_1_annotations_annotators_and_prompts(people):
    found = {
        dimension: (len(rows), len({row["rater"] for row in rows}), len({row["pair_key"] for row in rows}))
        for dimension, rows in people.items()
    }
    assert found == {dimension: row[:3] for dimension, row in TABLE_1.items()}
    rows = [row for of_dimension in people.values() for row in of_dimension]
    assert (len(rows), len({row["rater"] for row in rows}), len({row["pair_key"] for row in rows})) == (
        81_014,
        1_934,
        6_423,
    )


@pytest.mark.parametrize("dimension", TABLE_1)
def test_table_1_agreement_mean_and_spread(people, dimension):
    *_counts, alpha, mean, spread = TABLE_1[dimension]
    rows = people[dimension]
    grades = [row["grade"] for row in rows]
    assert fmean(grades) == pytest.approx(mean, abs=NEAR_MEAN)
    assert pstdev(grades) == pytest.approx(spread, abs=NEAR_STD)
    assert ordinal_alpha(rows) == pytest.approx(alpha, abs=NEAR_ALPHA)


def ordinal_alpha(rows: list[dict]) -> float:
    """Krippendorff's, by the package of that name: how often each response was given each grade."""
    place = {key: number for number, key in enumerate(sorted({row["response_key"] for row in rows}))}
    counts = np.zeros((len(place), 5))
    for row in rows:
        counts[place[row["response_key"]], int(row["grade"]) - 1] += 1
    return krippendorff.alpha(value_counts=counts, value_domain=[1, 2, 3, 4, 5], level_of_measurement="ordinal")


def test_table_1_overall_mean_and_spread(people):
    grades = [row["grade"] for rows in people.values() for row in rows]
    assert fmean(grades) == pytest.approx(3.80, abs=NEAR_MEAN)
    assert pstdev(grades) == pytest.approx(1.20, abs=NEAR_STD)


def test_section_2_every_pair_has_three_raters_and_each_of_47_varieties_its_pairs(people, files):
    raters, varieties = defaultdict(set), set()
    for rows in people.values():
        for row in rows:
            raters[row["pair_key"]].add(row["rater"])
            varieties.add(row["variety"])
    assert min(map(len, raters.values())) == 3
    assert len(varieties) == 47


def test_section_3_pairs_for_testing(files, people):
    split = {row["response_key"]: row["split"] for row in files.lines("texts")}
    pairs = {row["pair_key"]: split[row["response_key"]] for rows in people.values() for row in rows}
    assert Counter(pairs.values())["test"] == 1_766


def test_section_2_question_types_of_each_dimension(people):
    found = {dimension: {row["question"] for row in rows} for dimension, rows in people.items()}
    assert {dimension: len(asked) for dimension, asked in found.items()} == {
        dimension: len(asked) for dimension, asked in QUESTION_TYPES.items()
    }
    assert found == QUESTION_TYPES


def test_figure_1_the_five_labels_of_the_scale(files):
    questions = [line for line in files.gold() if line["kind"] == "question"]
    labels = {tuple(level["label"] for level in question["levels"]) for question in questions}
    assert len(questions) == 15
    assert labels == {("Major failure", "Minor failure", "Pass", "Good", "Excellent")}
