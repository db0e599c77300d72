"""The generated rubrics project has the published counts, whatever the seed, and what was put in can be found again."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from agreement.deviation import deviation
from agreement.facets import rater_group_severities, severities
from agreement.rubrics import score
from demo.studies import perle
from demo.studies.leniency import Reference, slipped
from demo.studies.perle_counts import JUDGES, Place, deal
from demo.studies.perle_judges import judge_verdicts
from projects.anchors import check_anchor

# Perle, Table 2 and sections 5.1 and 5.5.
PROMPTS = {
    ("ar-EG", "cultural"): 38,
    ("ar-EG", "linguistics"): 32,
    ("ar-IQ", "cultural"): 15,
    ("ar-IQ", "linguistics"): 18,
}
RESPONSES = {"gemini-3.1-pro-preview": 103, "Muse Spark": 101, "grok-4.3": 98}
EGYPTIAN = {"gemini-3.1-pro-preview": 70, "Muse Spark": 68, "grok-4.3": 65}
IRAQI_ERRORS = {
    "cultural-misattribution": 172,
    "ambiguous-framing": 172,
    "omission": 145,
    "hallucination": 140,
    "irrelevant-addition": 38,
}
IRAQI_RATES = {"cultural-misattribution": 173.7, "ambiguous-framing": 173.7, "omission": 146.5, "hallucination": 141.4}
# Table 5: rows under the guard, refusals left out; signed errors in percentage points.
ROWS = {"gpt-5.4": 302, "claude-opus-4.7": 302, "gemini-3.1-pro-preview": 199, "grok-4.3": 204, "qwen-plus": 300}
SIGNED = {
    "gpt-5.4": -1.12,
    "gemini-3.1-pro-preview": 3.32,
    "claude-opus-4.7": 6.10,
    "qwen-plus": 6.56,
    "grok-4.3": 2.01,
}
# Table 7: mean absolute errors on cultural prompts and on linguistic ones.
DOMAINS = {"gpt-5.4": (12.20, 8.20), "qwen-plus": (13.33, 11.50), "grok-4.3": (15.37, 10.59)}
# Section 5.1.
SCORES = {
    ("gemini-3.1-pro-preview", "ar-IQ", "cultural"): 16.67,
    ("gemini-3.1-pro-preview", "ar-IQ", "linguistics"): 32.47,
    ("gemini-3.1-pro-preview", "ar-EG", "cultural"): 66.75,
    ("gemini-3.1-pro-preview", "ar-EG", "linguistics"): 95.21,
    ("Muse Spark", "ar-IQ", "cultural"): -23.15,
    ("Muse Spark", "ar-EG", "cultural"): 64.09,
    ("grok-4.3", "ar-EG", "cultural"): 19.29,
    ("grok-4.3", "ar-EG", "linguistics"): 8.40,
}
BANDS = {"core-term": (8, 10), "meaning": (5, 9), "cultural-depth": (3, 7), "dialect": (3, 5)}


@pytest.fixture(scope="module", params=[2026, 7])
def seed(request):
    return request.param


@pytest.fixture(scope="module")
def study(seed):
    return perle.generate(seed)


def graded(study, role):
    return [line for line in study.grades if line["role"] == role]


def percent(reference: Reference, verdicts: dict[str, str]) -> float:
    keys = list(reference.weights)
    given = [verdicts[key] in ("pass", "present") for key in keys]
    found = score([reference.weights[key] for key in keys], given).percent.value
    assert found is not None
    return found


def test_prompts_and_responses_are_those_of_the_paper(study):
    assert Counter((line["variety"], line["scope"]) for line in study.rubrics) == PROMPTS
    assert len({(line["variety"], line["prompt"]) for line in study.rubrics}) == 103
    assert Counter(line["model"] for line in study.items) == RESPONSES
    assert Counter(line["model"] for line in study.items if line["variety"] == "ar-EG") == EGYPTIAN
    assert len(study.items) == len({line["id"] for line in study.items}) == 302


def test_iraqi_errors_have_the_published_counts_and_rates(study):
    variety = {line["id"]: line["variety"] for line in study.items}
    iraqi = [line for line in graded(study, "reference") if variety[line["item"]] == "ar-IQ"]
    assert len(iraqi) == 99
    counts = Counter(error["failure_type"] for line in iraqi for error in line["negatives"])
    assert counts == IRAQI_ERRORS
    assert {name: round(100 * counts[name] / len(iraqi), 1) for name in IRAQI_RATES} == IRAQI_RATES


def test_weights_stay_in_their_bands(study):
    for line in study.rubrics:
        bands = Counter(criterion["band"] for criterion in line["criteria"])
        assert bands == {"core-term": 1, "meaning": 2, "cultural-depth": 2, "dialect": 1}
        for criterion in line["criteria"]:
            lowest, highest = BANDS[criterion["band"]]
            assert lowest <= criterion["weight"] <= highest
    errors = [error for line in study.grades for error in line.get("negatives", [])]
    assert {-7, -2} <= {error["weight"] for error in errors} <= set(range(-7, -1))


def test_what_a_criterion_quotes_stands_in_the_response_if_and_only_if_it_passed(study):
    texts = {line["id"]: line["response"] for line in study.items}
    asked = {line["prompt_id"]: {each["key"]: each["text"] for each in line["criteria"]} for line in study.rubrics}
    prompt = {line["id"]: line["prompt_id"] for line in study.items}
    for line in graded(study, "reference"):
        text = texts[line["item"]]
        for verdict in line["verdicts"]:
            words = quoted(asked[prompt[line["item"]]][verdict["criterion"]])
            assert (words in text) == (verdict["value"] == "pass"), (line["item"], words)
        for error in line["negatives"]:
            assert quoted(error["text"]) in text
            if error["failure_type"] == "omission":
                assert (error["start"], error["quote"]) == (None, "")
            else:
                assert check_anchor(text, error["start"], error["end"], error["quote"]) == quoted(error["text"])


def quoted(criterion: str) -> str:
    return criterion.split("«")[1].split("»")[0]


def test_a_rubric_is_frozen_before_its_responses_are_graded(study):
    frozen = {line["prompt_id"]: line["frozen_at"] for line in study.rubrics}
    prompt = {line["id"]: line["prompt_id"] for line in study.items}
    assert all(line["graded_at"] > frozen[prompt[line["item"]]] for line in study.grades)
    assert all(line["difficulty"]["asked_at"] < line["frozen_at"] for line in study.rubrics)
    assert {line["difficulty"]["outcome"] for line in study.rubrics} == {"partial", "failed"}


def test_nobody_grades_a_response_twice_and_a_second_person_speaks_the_dialect(study):
    given = [(line["item"], line["rater"]) for line in study.grades]
    assert len(given) == len(set(given))
    variety = {line["id"]: line["variety"] for line in study.items}
    assert Counter(variety[line["item"]] for line in graded(study, "regrade")) == {"ar-EG": 54, "ar-IQ": 26}
    assert all(line["varieties"] == [variety[line["item"]]] for line in graded(study, "regrade"))


def test_a_calibrated_response_goes_to_as_many_graders_of_each_community(study):
    lines = graded(study, "calibration")
    each = Counter((line["item"], line["varieties"][0]) for line in lines)
    assert set(each.values()) == {2}
    assert len(each) == 2 * 40


def test_the_guard_and_two_refusals_leave_the_published_rows(study, seed):
    scored = {}
    for judge in JUDGES:
        said = judge_verdicts(study, judge, seed)
        assert all(study.targets[item] != judge.laboratory for item in said)
        scored[judge.model] = sum(verdicts is not None for verdicts in said.values())
        declined = [item for item, verdicts in said.items() if verdicts is None]
        assert len(declined) == (2 if judge.model == "qwen-plus" else 0)
        assert all(item.endswith("muse-spark") for item in declined)
    assert scored == ROWS
    assert sum(scored.values()) == 1307


def judged(study, seed, judge):
    """What a judge's score of each response is above the person's, by response."""
    said = {item: verdicts for item, verdicts in judge_verdicts(study, judge, seed).items() if verdicts}
    return {
        item: percent(study.references[item], verdicts)
        - percent(study.references[item], dict(study.references[item].verdicts))
        for item, verdicts in said.items()
    }


def test_every_judge_has_its_published_errors(study, seed):
    """A slip moves a score by about 17 points and so a mean over 200 responses by less than 0.1; where the first slip
    that is one too many stands, the mean of a scope of 100 responses is off by 0.2, and the smaller cells by more."""
    mads = {}
    for judge in JUDGES:
        errors = judged(study, seed, judge)
        found = deviation(list(errors.values()), [0.0] * len(errors))
        assert judge.signed_error == SIGNED[judge.model]
        assert found.signed_error.value == pytest.approx(SIGNED[judge.model], abs=0.3)
        mads[judge.model] = found.mad.number
        by_scope = {
            scope: np.mean([abs(error) for item, error in errors.items() if study.cells[item][0] == scope])
            for scope in ("cultural", "linguistics")
        }
        assert by_scope == pytest.approx(judge.mad, abs=0.6)
        if judge.model in DOMAINS:
            assert tuple(judge.mad.values()) == DOMAINS[judge.model]
        assert by_scope["cultural"] > by_scope["linguistics"]
    assert min(mads, key=mads.__getitem__) == "gpt-5.4"
    assert max(mads, key=mads.__getitem__) == "grok-4.3"


def test_implicit_criteria_are_misjudged_more_often(study, seed):
    wrong = Counter()
    asked = Counter()
    for judge in JUDGES:
        for item, verdicts in judge_verdicts(study, judge, seed).items():
            reference = study.references[item]
            for key, value in (verdicts or {}).items():
                asked[key in reference.implicit] += 1
                wrong[key in reference.implicit] += value != reference.verdicts[key]
    assert wrong[True] / asked[True] > 1.2 * wrong[False] / asked[False]


def test_people_give_the_published_mean_scores(study):
    """Weights of errors are drawn, so a mean over 15 responses with seven errors each is off by some points."""
    found = {}
    for item, reference in study.references.items():
        scope, target = study.cells[item]
        variety = "ar-EG" if "-EG-" in item else "ar-IQ"
        found.setdefault((target, variety, scope), []).append(percent(reference, dict(reference.verdicts)))
    for cell, published in SCORES.items():
        assert np.mean(found[cell]) == pytest.approx(published, abs=6), cell
    assert all(np.mean(found["grok-4.3", "ar-IQ", scope]) < 0 for scope in ("cultural", "linguistics"))
    for target in RESPONSES:
        for scope in ("cultural", "linguistics"):
            assert np.mean(found[target, "ar-EG", scope]) > np.mean(found[target, "ar-IQ", scope])


def test_a_judge_of_several_cells_has_the_errors_asked_for():
    """Two cells of 200 responses each worth 10 points, of which 4 failed and an error of 3 is present."""
    from random import Random

    reference = Reference(
        {"a": 2, "b": 4, "c": 4, "n": -3}, {"a": "pass", "b": "fail", "c": "pass", "n": "present"}, frozenset({"b"})
    )
    cells = [{f"{name}{number}": reference for number in range(200)} for name in "xy"]
    found = slipped(Random(1), cells, [8.0, 16.0], 5.0)
    errors = {item: percent(reference, verdicts) - 30 for item, verdicts in found.items()}
    for name, mad in (("x", 8.0), ("y", 16.0)):
        assert np.mean([abs(error) for item, error in errors.items() if item[0] == name]) == pytest.approx(mad, abs=0.3)
    assert np.mean(list(errors.values())) == pytest.approx(5, abs=0.3)


@pytest.mark.parametrize("severity", [perle.SEVERITY, {"ar-EG": 0.5, "ar-IQ": -0.5}, {"ar-EG": 0.0, "ar-IQ": 0.0}])
def test_the_severity_put_into_a_community_is_found_again(seed, severity):
    """Rasch's pair comparison: where two graders differ on a criterion, its quality cancels, and
    log(n(first alone passes) / n(second alone passes)) = severity of the second - severity of the first.
    """
    study = perle.generate(seed, severity)
    by_item: dict[str, dict[str, list[dict]]] = {}
    for line in graded(study, "calibration"):
        by_item.setdefault(line["item"], {}).setdefault(line["varieties"][0], []).append(line)
    milder = stricter = 0
    for of_item in by_item.values():
        for egyptian, iraqi in zip(of_item["ar-EG"], of_item["ar-IQ"], strict=True):
            for one, other in zip(egyptian["verdicts"], iraqi["verdicts"], strict=True):
                assert one["criterion"] == other["criterion"]
                milder += one["value"] == "pass" != other["value"]
                stricter += other["value"] == "pass" != one["value"]
    found = math.log(milder / stricter)
    standard_error = math.sqrt(1 / milder + 1 / stricter)
    assert standard_error < 0.4
    assert abs(found - (severity["ar-IQ"] - severity["ar-EG"])) < 3 * standard_error


@pytest.mark.parametrize("severity", [perle.SEVERITY, {"ar-EG": 0.5, "ar-IQ": -0.5}])
def test_a_rasch_model_finds_the_severity_of_every_grader_and_community(seed, severity):
    """Over all grades of people, each verdict on a positive criterion as a grade of its own: 1 where it passed."""
    study = perle.generate(seed, severity)
    variety = {line["id"]: line["variety"] for line in study.items}
    graders = sorted({line["rater"] for line in study.grades})
    criteria: dict[tuple[str, str], int] = {}
    rows = [
        (
            criteria.setdefault((line["item"], verdict["criterion"]), len(criteria)),
            graders.index(line["rater"]),
            int(verdict["value"] == "pass"),
            int(variety[line["item"]] == "ar-IQ"),
        )
        for line in study.grades
        for verdict in line["verdicts"]
        if verdict["value"] in ("pass", "fail")
    ]
    found = severities(*zip(*rows, strict=True))
    for name, figure in zip(graders, found.figures, strict=True):
        assert abs(figure.value - perle.severity_of(name, severity)) < 3.5 * figure.detail["se"], name
    communities = rater_group_severities(found, [int("IQ" in name) for name in graders], 2)
    for variety_tag, figure in zip(("ar-EG", "ar-IQ"), communities, strict=True):
        assert abs(figure.value - severity[variety_tag]) < 3 * figure.detail["se"]


def test_every_line_says_that_it_was_generated(study):
    for line in (*study.items, *study.rubrics, *study.grades):
        assert line["metadata"] == {"generated": True}
    assert all(line["rater"].startswith("Generated") for line in study.grades)


def test_the_same_seed_makes_the_same_lines_and_another_one_others(study, seed):
    again = perle.generate(seed)
    assert (again.items, again.rubrics, again.grades) == (study.items, study.rubrics, study.grades)
    assert perle.generate(seed + 1).items != study.items


def test_errors_are_dealt_within_the_room_of_each_response():
    from random import Random

    places = [Place("a", 1, 1), Place("b", 100, 2)]
    assert deal(Random(1), 3, places) == {"a": 1, "b": 2}
    with pytest.raises(ValueError, match="no room for 4"):
        deal(Random(1), 4, places)


def test_texts_are_told_apart(study):
    texts = sorted(line["response"] for line in study.items)
    assert sum(one == other for one, other in pairwise(texts)) <= 3
