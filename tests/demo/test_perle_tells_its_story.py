"""The dashboard of the generated study at the size of Perle says what its paper says (arXiv 2607.00139)."""

import pytest

from demo.studies import perle
from demo.studies.perle_counts import JUDGES
from reports.rubrics.dashboard import RUBRICS
from tests.demo.stories import Dashboard, in_order
from tests.reports.reading import figure
from tests.standing import standing

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.xdist_group("perle at full size")]
EGYPTIAN, IRAQI = "ar-EG", "ar-IQ"
# Table 5: of two judges the mean absolute error is published, of all the signed one.
MAD = {"gpt-5.4": 10.21, "grok-4.3": 13.03}
SIGNED = {
    "gpt-5.4": -1.12,
    "grok-4.3": 2.01,
    "gemini-3.1-pro-preview": 3.32,
    "claude-opus-4.7": 6.10,
    "qwen-plus": 6.56,
}
# Table 7: cultural, linguistics, and the second less the first.
DOMAINS = {"gpt-5.4": (12.20, 8.20), "qwen-plus": (13.33, 11.50), "grok-4.3": (15.37, 10.59)}
GAPS = {"grok-4.3": -4.78, "gpt-5.4": -4.00, "claude-opus-4.7": -2.60, "qwen-plus": -1.83}
# Table 6: mean score by people, and mean absolute error of all judges, in percentage points.
TARGETS = {"gemini-3.1-pro-preview": (62.31, 12.00), "Muse Spark": (38.43, 10.05), "grok-4.3": (6.36, 12.77)}
DOMAIN_NAMES = ("Cultural", "Linguistics")
WHOLE = ("All communities", "Both domains")


@pytest.fixture(scope="module")
def tables(perle, django_db_blocker):
    with standing(django_db_blocker, lambda: RUBRICS.tables(perle)) as made:
        yield made


@pytest.fixture
def read(tables) -> Dashboard:
    return Dashboard(tables)


def test_judges_stand_as_published(read):
    """GPT is nearest to people and alone conservative, Grok furthest although little of it is leniency."""
    mad, signed = (read.values("judges-against-people", measure) for measure in ("MAD", "signed error"))
    assert [in_order(mad)[0], in_order(mad)[-1]] == ["gpt-5.4", "grok-4.3"]
    assert {name: mad[name] for name in MAD} == pytest.approx(MAD, abs=0.3)
    assert signed == pytest.approx(SIGNED, abs=0.3)
    assert in_order(signed) == in_order(SIGNED)
    assert [name for name, error in signed.items() if error < 0] == ["gpt-5.4"]


def test_culture_is_harder_to_grade_for_every_judge(read):
    gaps = read.values("domain-gap", "domain gap", WHOLE[0])
    assert all(gap < 0 for gap in gaps.values())
    assert len(gaps) == 5
    assert {name: gaps[name] for name in GAPS} == pytest.approx(GAPS, abs=0.8)
    assert [in_order(gaps)[0], in_order(gaps)[-1]] == ["grok-4.3", "qwen-plus"]
    measures = ("MAD on cultural", "MAD on linguistics")
    cultural, linguistics = (read.values("domain-gap", measure, WHOLE[0]) for measure in measures)
    for name, published in DOMAINS.items():
        assert (cultural[name], linguistics[name]) == pytest.approx(published, abs=0.6)


def test_the_target_of_middle_quality_is_the_easiest_to_grade(read):
    errors, scores = read.values("targets", "MAD", WHOLE[0]), read.values("targets", "mean score by people", WHOLE[0])
    assert in_order({name: errors[name] for name in TARGETS}) == ["Muse Spark", "gemini-3.1-pro-preview", "grok-4.3"]
    assert in_order({name: scores[name] for name in TARGETS}) == ["grok-4.3", "Muse Spark", "gemini-3.1-pro-preview"]
    for name, (score, error) in TARGETS.items():
        assert errors[name] == pytest.approx(error, abs=0.4)
        assert scores[name] == pytest.approx(score, abs=3)


def test_target_models_score_higher_in_egypt_and_but_for_grok_on_language(read):
    for variety in (EGYPTIAN, IRAQI):
        cultural, linguistics = (read.values("human-scores", "mean score", variety, domain) for domain in DOMAIN_NAMES)
        higher = {name for name in TARGETS if linguistics[name] > cultural[name]}
        assert higher >= {"gemini-3.1-pro-preview", "Muse Spark"}
        if variety == EGYPTIAN:
            assert "grok-4.3" not in higher
        else:
            assert max(cultural["grok-4.3"], linguistics["grok-4.3"]) < 0
    for domain in DOMAIN_NAMES:
        egyptian, iraqi = (read.values("human-scores", "mean score", variety, domain) for variety in (EGYPTIAN, IRAQI))
        assert all(egyptian[name] > iraqi[name] for name in TARGETS)


def test_no_table_of_answers_is_empty(read):
    assert read.empty == ["progress"]


def test_leniency_of_judges_severity_of_communities_and_published_rates(read):
    judges = read("judges-against-people")
    for judge in JUDGES:
        name = f"{judge.model} (simulated)"
        error = figure(judges, name, measure="signed error")
        spread = (error.bounds[1] - error.bounds[0]) / 4
        assert error.number == pytest.approx(judge.signed_error, abs=3 * spread), name
    declined = figure(judges, "qwen-plus (simulated)", measure="answered")
    assert (declined.detail["scored"], declined.detail["planned"]) == (300, 302)
    assert sum(row.figures[0].n for row in judges.rows) == 1307

    gap = figure(read("community-pairs"), EGYPTIAN, IRAQI, measure="severity in verdicts")
    truth = perle.SEVERITY[EGYPTIAN] - perle.SEVERITY[IRAQI]
    assert gap.number == pytest.approx(truth, abs=3 * gap.detail["se"])
    assert "ar-IQ graders are more severe than ar-EG graders" in read("community-severity").summary

    rates = read("failure-types")
    for name, rate in {"Cultural misattribution": 173.7, "Omission": 146.5, "Hallucination": 141.4}.items():
        assert round(figure(rates, name, IRAQI, measure="rate per 100 pairs").number, 1) == rate
    targets = read("human-scores")
    counts = {row.labels[0]: row.figures[0].n for row in targets.rows if row.labels[1:] == WHOLE}
    assert counts == {"gemini-3.1-pro-preview": 103, "Muse Spark": 101, "grok-4.3": 98, "All targets": 302}
