"""The published tables of Perle (arXiv 2607.00139) that rest on counts, from nothing but the exported files.

The study is generated to have these numbers: counts are met exactly, scores and errors of judges, which are drawn, to
the tolerance beside them.
"""

from collections import Counter, defaultdict
from statistics import fmean

import pytest

from tests.demo.exported import Files, export_of

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.xdist_group("perle at full size")]


@pytest.fixture(scope="module")
def files(perle, django_db_blocker, tmp_path_factory) -> Files:
    folder = tmp_path_factory.mktemp("perle")
    return export_of("perle", folder, django_db_blocker, "verdicts,texts,calls", tables="grades")


@pytest.fixture(scope="module")
def scope(files) -> dict[str, str]:
    """Cultural or linguistic, by response: the newest version of its rubric says so."""
    return {line["id"]: line["rubrics"][-1]["scope"] for line in files.gold()}


@pytest.fixture(scope="module")
def human(files) -> dict[str, float]:
    """People's score of each response in percent."""
    rows = [row for row in files.table("grades") if row["is_reference"] == "true"]
    assert all(row["rater_kind"] == "human" for row in rows)
    return {row["response_key"]: float(row["percent"]) for row in rows}


@pytest.fixture(scope="module")
def errors(files, human) -> list[tuple[str, str, str, float]]:
    """Of each judge's grade: the judge's model, the target model, the response, and how far it is above people's."""
    rows = [row for row in files.table("grades") if row["role"] == "judge"]
    return [
        (
            row["rater"].removesuffix(" (simulated)"),
            row["target_model"],
            row["response_key"],
            float(row["percent"]) - human[row["response_key"]],
        )
        for row in rows
    ]


def test_table_2_prompts_by_dialect_and_domain(files):
    prompts = {(line["prompt_id"], line["variety"], line["rubrics"][-1]["scope"]) for line in files.gold()}
    assert len(prompts) == 103
    assert Counter((variety, scope) for _prompt, variety, scope in prompts) == {
        ("ar-EG", "cultural"): 38,
        ("ar-EG", "linguistics"): 32,
        ("ar-IQ", "cultural"): 15,
        ("ar-IQ", "linguistics"): 18,
    }


def test_section_3_3_responses_by_target_and_dialect(files):
    rows = list(files.lines("texts"))
    assert len(rows) == 302
    assert Counter(row["target_model"] for row in rows) == {
        "gemini-3.1-pro-preview": 103,
        "Muse Spark": 101,
        "grok-4.3": 98,
    }
    assert Counter(row["variety"] for row in rows) == {"ar-EG": 203, "ar-IQ": 99}
    egyptian = Counter(row["target_model"] for row in rows if row["variety"] == "ar-EG")
    assert egyptian == {"Muse Spark": 68, "gemini-3.1-pro-preview": 70, "grok-4.3": 65}


def test_table_5_rows_of_each_judge_under_the_guard(files, errors):
    assert Counter(judge for judge, *_rest in errors) == {
        "gpt-5.4": 302,
        "claude-opus-4.7": 302,
        "gemini-3.1-pro-preview": 199,
        "grok-4.3": 204,
        "qwen-plus": 300,
    }
    assert len(errors) == 1307
    assert not [target for judge, target, *_rest in errors if judge == target], "no judge grades itself"
    assert Counter(call["state"] for call in files.lines("calls")) == {"scored": 1307, "refused": 2}


def test_table_5_errors_of_judges(errors):
    signed, absolute = defaultdict(list), defaultdict(list)
    for judge, _target, _response, error in errors:
        signed[judge].append(error)
        absolute[judge].append(abs(error))
    published = {
        "gpt-5.4": -1.12,
        "gemini-3.1-pro-preview": 3.32,
        "claude-opus-4.7": 6.10,
        "qwen-plus": 6.56,
        "grok-4.3": 2.01,
    }
    assert {judge: fmean(found) for judge, found in signed.items()} == pytest.approx(published, abs=0.3)
    assert fmean(absolute["gpt-5.4"]) == pytest.approx(10.21, abs=0.3)
    assert fmean(absolute["grok-4.3"]) == pytest.approx(13.03, abs=0.3)


def test_table_4_and_6_scores_of_targets(human, files, errors):
    target = {row["response_key"]: row["target_model"] for row in files.lines("texts")}
    scores, deviations = defaultdict(list), defaultdict(list)
    for response, score in human.items():
        scores[target[response]].append(score)
    for _judge, model, _response, error in errors:
        deviations[model].append(abs(error))
    means = {"gemini-3.1-pro-preview": 62.31, "Muse Spark": 38.43, "grok-4.3": 6.36}
    assert {model: fmean(found) for model, found in scores.items()} == pytest.approx(means, abs=3)
    assert fmean(human.values()) == pytest.approx(36.17, abs=2)
    mads = {"gemini-3.1-pro-preview": 12.0, "Muse Spark": 10.05, "grok-4.3": 12.77}
    assert {model: fmean(found) for model, found in deviations.items()} == pytest.approx(mads, abs=0.4)


def test_table_7_deviation_by_domain(errors, scope):
    found = defaultdict(list)
    for judge, _target, response, error in errors:
        found[judge, scope[response]].append(abs(error))
    published = {"gpt-5.4": (12.20, 8.20), "qwen-plus": (13.33, 11.50), "grok-4.3": (15.37, 10.59)}
    for judge, of_domains in published.items():
        means = [fmean(found[judge, domain]) for domain in ("cultural", "linguistics")]
        assert means == pytest.approx(of_domains, abs=0.6), judge
        assert means[0] > means[1], "culture is harder to grade"
    gap = fmean(found["claude-opus-4.7", "linguistics"]) - fmean(found["claude-opus-4.7", "cultural"])
    assert gap == pytest.approx(-2.60, abs=0.6)


def test_section_5_5_errors_in_iraqi_responses(files, human):
    rows = [
        row
        for row in files.lines("verdicts")
        if row["role"] == "reference" and row["variety"] == "ar-IQ" and row["value"] == "present"
    ]
    graded = {row["response_key"] for row in files.lines("texts") if row["variety"] == "ar-IQ"} & human.keys()
    counts = Counter(row["failure_type"] for row in rows)
    assert len(graded) == 99
    assert counts == {
        "cultural-misattribution": 172,
        "ambiguous-framing": 172,
        "omission": 145,
        "hallucination": 140,
        "irrelevant-addition": 38,
    }
    assert "rendering-failure" not in counts
    rates = {name: round(100 * counts[name] / len(graded), 1) for name in counts}
    published = {
        "cultural-misattribution": 173.7,
        "ambiguous-framing": 173.7,
        "omission": 146.5,
        "hallucination": 141.4,
    }
    assert {name: rates[name] for name in published} == published


def test_section_3_2_weights_lie_in_their_bands(files):
    bands = {"core-term": (8, 10), "meaning": (5, 9), "cultural-depth": (3, 7), "dialect": (3, 5)}
    seen = set()
    for line in files.gold():
        for criterion in line["rubrics"][-1]["criteria"]:
            lowest, highest = bands[criterion["band"]]
            assert lowest <= criterion["weight"] <= highest
            seen.add(criterion["band"])
    assert seen == set(bands)


def test_table_1_a_score_is_what_the_weights_add_up_to(files):
    """The worked example, -26 of 37 points, is -70.3 %: so is every grade of the files, from its verdicts alone."""
    assert round(100 * -26 / 37, 1) == -70.3
    raw, maximum = Counter[tuple](), Counter[tuple]()
    for row in files.lines("verdicts"):
        whose = row["response_key"], row["rater"], row["role"], row["round"]
        raw[whose] += row["weight"] if row["adds_weight"] else 0
        maximum[whose] += max(row["weight"], 0)
    checked = 0
    for row in files.table("grades"):
        whose = row["response_key"], row["rater"], row["role"], int(row["round"])
        assert (raw[whose], maximum[whose]) == (int(row["raw"]), int(row["maximum"])), whose
        assert float(row["percent"]) == pytest.approx(100 * raw[whose] / maximum[whose], abs=1e-9)
        checked += 1
    assert checked > 1307
