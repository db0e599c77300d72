"""The published tables of MENLO (arXiv 2509.26601) that rest on counts, from nothing but the exported files.

The study is generated to have these numbers: counts are met exactly; means, spreads and alphas, which are drawn, to
the tolerance beside them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from statistics import fmean, pstdev

import krippendorff
import numpy as np
import pytest

from tests.demo.exported import Files, export_of

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.xdist_group("menlo at full size")]

# Table 1: annotations, annotators, prompts, IAA (Krippendorff's alpha), mean, standard deviation.
TABLE_1 = {
    "fluency": (23_556, 450, 1_820, 0.82, 4.01, 1.11),
    "tone": (18_712, 429, 1_410, 0.86, 3.48, 1.35),
    "localized-tone": (22_324, 530, 1_815, 0.83, 3.89, 1.17),
    "localized-factuality": (16_422, 525, 1_378, 0.84, 3.82, 1.16),
}
NEAR_MEAN, NEAR_STD, NEAR_ALPHA = 0.04, 0.03, 0.02
# Table 12.
VARIETIES = """
ar ar_Latn_EG bg_BG bn_BD cs_CZ da_DK de_DE el_GR en_AU en_GB en_IN en_US es_ES es_MX fa_IR fr_FR gu_IN he_IL hi_IN
hi_Latn_IN hr_HR hu_HU id_ID it_IT ja_JP ko_KR mr_IN ms_MY ne_NP nl_NL pl_PL pt_BR pt_PT ro_RO ru_RU sk_SK sv_SE sw_KE
th_TH tl_PH tr_TR uk_UA ur_Latn_PK ur_PK vi_VN zh_CN zh_TW
"""
# Section 2: what is asked in each dimension, by its short name here.
QUESTION_TYPES = {
    "fluency": {"vocabulary-syntax", "coherence", "grammar-mechanics", "clarity-conciseness"},
    "tone": {"engaging", "fair", "insightful", "helpful"},
    "localized-tone": {"cultural-relevance", "formality", "humor", "linguistic-nuance"},
    "localized-factuality": {"cultural-practices", "expressions-concepts", "local-knowledge"},
}
# Tables 14 and 15 (and 3, 4 and 16 to 18 without accuracy): macro-F1, accuracy and preference accuracy in percent,
# and alpha of people and the judge together. The large judge stands for GPT-4.1, the small one for Qwen3-4B.
POINTWISE, PAIRWISE = "zero-shot pointwise, with rubric", "pairwise, with rubric"
JUDGES = {
    f"Simulated large judge: {PAIRWISE}": (38.53, 44.48, 59.23, 85.65),
    f"Simulated large judge: {POINTWISE}": (32.23, 38.05, 41.73, 83.78),
    f"Simulated small judge: {PAIRWISE}": (35.46, 43.23, 57.13, 84.25),
    f"Simulated small judge: {POINTWISE}": (23.06, 35.48, 40.54, 80.59),
}
OTHER_WAYS = {
    "Simulated large judge: zero-shot pointwise, without rubric": (22.26, 38.67),
    "Simulated large judge: few-shot pointwise, with rubric": (33.84, 44.00),
    "Simulated large judge: pairwise, without rubric": (37.35, 56.96),
    "Simulated small judge: zero-shot pointwise, without rubric": (16.00, 33.52),
    "Simulated small judge: few-shot pointwise, with rubric": (31.18, 39.35),
    "Simulated small judge: pairwise, without rubric": (32.74, 54.08),
}
NEAR_JUDGES = 7


@pytest.fixture(scope="module")
def files(menlo, django_db_blocker, tmp_path_factory) -> Files:
    folder = tmp_path_factory.mktemp("menlo")
    return export_of("menlo", folder, django_db_blocker, "ratings,preferences,texts")


@pytest.fixture(scope="module")
def split(files) -> dict[str, str]:
    return {row["response_key"]: row["split"] for row in files.lines("texts")}


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


def ordinal_alpha(rows: Iterable[dict]) -> float:
    """Krippendorff's, by the package of that name: how often each response was given each grade."""
    rows = list(rows)
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
    assert varieties == {tag.replace("_", "-") for tag in VARIETIES.split()}
    assert len(varieties) == 47


def test_section_3_pairs_for_testing(split, people):
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


@pytest.fixture(scope="module")
def judged(files, split) -> dict[str, tuple[float, float, float]]:
    """Of each judge macro-F1, accuracy and preference accuracy in percent, on the pairs for testing.

    Counted by rules written here: a reply that could not be read is wrong; who graded two responses one by one prefers
    the one with the higher grade."""
    pairs = [line for line in files.gold() if line["kind"] == "pair" and split[line["first"]["id"]] == "test"]
    gold: dict[str, float] = {}
    preferred: dict[str, str] = {}
    for line in pairs:
        [said] = line["gold"]
        gold |= {line[side]["id"]: said[side] for side in ("first", "second")}
        preferred[line["id"]] = said["preference"]
    grades, preferences = defaultdict(list), defaultdict(list)
    given: dict[str, dict] = defaultdict(dict)
    for row in files.lines("ratings"):
        if row["rater_kind"] == "judge" and row["response_key"] in gold:
            grades[row["rater"]].append((gold[row["response_key"]], row["grade"]))
            given[row["rater"]][row["response_key"]] = row["grade"]
    for row in files.lines("preferences"):
        if row["rater_kind"] == "judge" and row["pair_key"] in preferred:
            preferences[row["rater"]].append(row["preference"] == preferred[row["pair_key"]])
    for judge, of_judge in given.items():
        if judge not in preferences:
            sides = [[of_judge[line[side]["id"]] for side in ("first", "second")] for line in pairs]
            preferences[judge] = [
                prefers(*each) == preferred[line["id"]] for each, line in zip(sides, pairs, strict=True)
            ]
    return {
        judge: (
            100 * macro_f1(of_judge),
            100 * fmean(truth == grade for truth, grade in of_judge),
            100 * fmean(preferences[judge]),
        )
        for judge, of_judge in grades.items()
    }


def prefers(first: float | None, second: float | None) -> str | None:
    if first is None or second is None:
        return None
    return "tie" if first == second else "first" if first > second else "second"


def macro_f1(grades: list[tuple[float, float | None]]) -> float:
    truths, said = (Counter(each) for each in zip(*grades, strict=True))
    right = Counter(truth for truth, grade in grades if truth == grade)
    return fmean(2 * right[level] / (truths[level] + said[level]) for level in range(1, 6))


def test_tables_14_and_15_judges_with_rubrics(judged):
    for judge, (*published, _alpha) in JUDGES.items():
        assert judged[judge] == pytest.approx(tuple(published), abs=NEAR_JUDGES), judge
    for place in range(3):
        assert in_order(judged, place) == in_order(JUDGES, place)


def in_order(figures: dict[str, tuple], place: int) -> list[str]:
    return sorted(JUDGES, key=lambda judge: figures[judge][place])


def test_tables_3_and_4_other_ways_of_asking(judged):
    assert judged.keys() == JUDGES.keys() | OTHER_WAYS.keys()
    for judge, published in OTHER_WAYS.items():
        f1, _accuracy, preference = judged[judge]
        assert (f1, preference) == pytest.approx(published, abs=NEAR_JUDGES), judge


def test_tables_14_and_15_alpha_of_people_and_a_judge(files, people, split):
    """Higher where both responses are seen, as published, but lower by 10 to 15 points: what is drawn are the judges'
    errors, and not how far they are those that people make."""
    of_people = [row for rows in people.values() for row in rows if split[row["response_key"]] == "test"]
    of_judges = defaultdict(list)
    for row in files.lines("ratings"):
        if row["rater"] in JUDGES and split[row["response_key"]] == "test" and row["grade"] is not None:
            of_judges[row["rater"]].append(row)
    alphas = {judge: 100 * ordinal_alpha([*of_people, *rows]) for judge, rows in of_judges.items()}
    for judge, (*_others, published) in JUDGES.items():
        assert -16 < alphas[judge] - published < -9, judge
    for model in ("large", "small"):
        named = f"Simulated {model} judge: "
        assert alphas[named + PAIRWISE] > alphas[named + POINTWISE]
