"""The generated study of ratings has the published counts, and what is true of its raters can be found again."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from scipy.special import ndtr

from agreement.alpha import alpha
from agreement.facets import severities
from demo.studies import menlo
from demo.studies.grading import grading_for
from demo.studies.menlo_counts import CARELESS, DIMENSIONS, JUDGED_WHOLLY, JUDGES, MIDDLE, TARGETS, VARIETIES
from projects.languages.names import SHIPPED
from tests.preset_parts import preset_file

# Of Table 1: the sampling error of a mean over so many responses is below 0.03, that of alpha below 0.01, and
# whether a careless rater has many or few pairs moves alpha by as much again.
NEAR_MEAN, NEAR_STD, NEAR_ALPHA = 0.04, 0.03, 0.02


@pytest.fixture(scope="module")
def study() -> menlo.Study:
    return menlo.generate()


@pytest.fixture(scope="module")
def answers(study) -> list[dict]:
    return list(study.answers())


@pytest.fixture(scope="module")
def pairs(study) -> dict[str, menlo.Pair]:
    return {pair.id: pair for pair in study.pairs}


def by_people(answers: list[dict]) -> list[dict]:
    return [answer for answer in answers if answer["rater_kind"] == "human"]


def test_the_published_counts_are_met(study, answers):
    people = by_people(answers)
    assert len(study.pairs) == 6423
    assert 2 * len(people) == 81_014
    assert len({answer["rater"] for answer in people}) == 1934
    assert sum(pair.template.split == "test" for pair in study.pairs) == 1766
    assert {pair.variety for pair in study.pairs} == set(VARIETIES)
    assert len(VARIETIES) == 47
    per_pair = Counter(answer["pair"] for answer in people)
    assert min(per_pair.values()) == 3
    assert max(Counter((answer["pair"], answer["rater"]) for answer in people).values()) == 1


def test_every_dimension_has_its_pairs_grades_and_raters(answers, pairs):
    rows = by_people(answers)
    for dimension in DIMENSIONS:
        mine = [row for row in rows if pairs[row["pair"]].template.dimension == dimension]
        assert len({row["pair"] for row in mine}) == dimension.pairs
        assert 2 * len(mine) == dimension.grades
        assert len({row["rater"] for row in mine}) == dimension.raters


@pytest.mark.parametrize("dimension", DIMENSIONS, ids=lambda dimension: dimension.slug)
def test_mean_spread_and_agreement_are_near_the_published_ones(answers, pairs, dimension):
    mine = [row for row in by_people(answers) if pairs[row["pair"]].template.dimension == dimension]
    items = [f"{row['pair']}-{side}" for row in mine for side in ("first", "second")]
    grades = np.array([row[side] for row in mine for side in ("first", "second")])
    assert grades.mean() == pytest.approx(dimension.mean, abs=NEAR_MEAN)
    assert grades.std() == pytest.approx(dimension.std, abs=NEAR_STD)
    codes = np.unique(items, return_inverse=True)[1]
    assert alpha(codes, grades).value == pytest.approx(dimension.alpha, abs=NEAR_ALPHA)


def test_what_is_expected_of_a_grading_is_what_was_asked_for():
    grading = grading_for(3.5, 1.2, 0.8, 0.02)
    assert grading.expected() == pytest.approx((3.5, 1.2, 0.8), abs=1e-5)
    with pytest.raises(ValueError, match="no raters agree"):
        grading_for(3.5, 1.2, 0.99, 0.3)


def test_templates_keep_their_translations_on_one_side(study):
    splits = defaultdict(set)
    for pair in study.pairs:
        splits[pair.template.id].add(pair.template.split)
    assert {len(found) for found in splits.values()} == {1}
    assert {pair.template.split for pair in study.pairs} == {"train", "validation", "test"}


def test_question_types_are_those_of_the_preset():
    ours = {dimension.slug: set(dimension.questions) for dimension in DIMENSIONS}
    assert ours == {
        dimension["slug"]: {each["slug"] for each in dimension["questions"]}
        for dimension in preset_file("ratings")["dimensions"]
    }


def test_prompts_stand_in_their_language_with_local_values(study):
    shipped = SHIPPED.read_text(encoding="utf-8")
    assert all(f'"{tag}"' in shipped for tag in VARIETIES)
    for pair in study.pairs[::97]:
        text, values = pair.template.localised(pair.variety)
        assert all(f"[{name}]" in text for name in values)
        assert "[" not in pair.template.prompt(pair.variety)
    korean = next(pair for pair in study.pairs if pair.variety == "ko-KR")
    assert any("가" <= letter <= "힣" for letter in korean.texts[0])
    assert all(pair.texts[0] != pair.texts[1] for pair in study.pairs)


def test_one_expert_or_two_in_every_variety_and_a_known_share_of_careless_raters(study):
    experts = Counter(rater.variety for rater in study.raters if rater.is_expert)
    assert set(experts) == set(VARIETIES)
    assert set(experts.values()) == {1, 2}
    careless = sum(rater.is_careless for rater in study.raters)
    assert careless == sum(round(CARELESS * dimension.raters) for dimension in DIMENSIONS)
    assert not any(rater.is_careless and rater.is_expert for rater in study.raters)


def test_careless_raters_agree_with_nobody(study, answers, pairs):
    careless = {rater.name for rater in study.raters if rater.is_careless}
    far = {True: [], False: []}
    for row in by_people(answers):
        far[row["rater"] in careless].append(abs(row["first"] - pairs[row["pair"]].quality[0]) > 1.5)
    assert np.mean(far[True]) > 0.25
    assert np.mean(far[False]) < 0.1


def test_the_first_position_helps_pairwise_judges_as_much_as_was_put_in(study, pairs):
    for judge in (each for each in JUDGES if each.is_pairwise):
        grades = defaultdict(dict)
        for row in study.verdicts(judge):
            if not row.get("unparseable"):
                grades[row["pair"]][row["swapped"]] = row
        both = [found for found in grades.values() if len(found) == 2]
        sides = (("first", False, True), ("second", True, False))
        gain = np.mean([found[shown][side] - found[behind][side] for found in both for side, shown, behind in sides])
        # Grades end at 5, where nothing more is gained, and near which half of the responses are.
        assert 0.3 * judge.first_position < gain < judge.first_position


def test_what_a_judge_sees_of_a_response_is_what_was_put_into_it(study, pairs):
    """The grade nearest to a normal impression is, in expectation, 1 and the chances to pass 1.5, 2.5, 3.5 and 4.5."""
    for judge in JUDGES:
        given, expected = [], []
        for row in study.verdicts(judge):
            if row.get("unparseable"):
                continue
            if judge.is_pairwise:
                pair, shown_first = pairs[row["pair"]], ("second" if row["swapped"] else "first")
                seen = [
                    (quality, side == shown_first, row[side])
                    for quality, side in zip(pair.quality, ("first", "second"), strict=True)
                ]
            else:
                pair, side = pairs[row["item"][:-2]], "ab".index(row["item"][-1])
                seen = [(pair.quality[side], False, row["grade"])]
            for quality, is_first, grade in seen:
                impression = MIDDLE + judge.discernment * (quality - MIDDLE) + judge.leniency
                impression += judge.first_position * is_first
                expected.append(1 + ndtr((impression - np.array([1.5, 2.5, 3.5, 4.5])) / judge.noise).sum())
                given.append(grade)
        assert np.mean(given) == pytest.approx(np.mean(expected), abs=0.05), judge.name
        assert np.corrcoef(given, expected)[0, 1] > judge.discernment / 2


def test_judges_grade_what_is_for_testing_and_some_varieties_wholly(study, pairs):
    """Of four varieties everything: their raters share enough with a judge for it to be tested in their place."""
    asked = {pair.id for pair in study.pairs if pair.template.split == "test" or pair.variety in JUDGED_WHOLLY}
    for judge in JUDGES:
        assert {row["pair"] if judge.is_pairwise else row["item"][:-2] for row in study.verdicts(judge)} == asked


def test_the_same_seed_gives_the_same_lines_and_another_seed_others(study, answers):
    again = menlo.generate()
    assert list(again.items())[:3000] == list(study.items())[:3000]
    assert next(again.answers()) == answers[0]
    other = menlo.generate(seed=1)
    assert next(other.answers()) != answers[0]
    assert len(other.pairs) == 6423


def test_targets_are_named_and_the_better_ones_have_better_responses(study):
    qualities = defaultdict(list)
    for pair in study.pairs:
        for target, quality in zip(pair.targets, pair.quality, strict=True):
            qualities[target].append(quality)
    means = [np.mean(qualities[number]) for number in range(len(TARGETS))]
    assert means == sorted(means, reverse=True)


def test_severities_that_were_put_in_are_found_again(study, answers, pairs):
    """In logits, which differ from steps of the scale by a factor: pooled over the varieties of one dimension."""
    known = {rater.name: rater for rater in study.raters}
    names = [rater.name for key, pool in study.pools.items() if key[0] == "tone" for rater in pool]
    names = [name for name in names if not known[name].is_careless]
    number = {name: place for place, name in enumerate(names)}
    place = {pair: at for at, pair in enumerate(pairs)}
    rows = [row for row in by_people(answers) if row["rater"] in number]
    items = [2 * place[row["pair"]] + side for row in rows for side in (0, 1)]
    raters = [number[row["rater"]] for row in rows for _side in (0, 1)]
    found = severities(items, raters, [row[side] for row in rows for side in ("first", "second")])
    values = {int(rater): figure.value for rater, figure in zip(found.raters, found.figures, strict=True)}
    put_in = [known[name].severity for name in names]
    assert np.corrcoef(put_in, [values[number[name]] for name in names])[0, 1] > 0.95
