"""The dashboard finds again what was put into the generated study at the size of Perle."""

import pytest

from demo.perle import load_at_perle_scale
from demo.studies import perle
from reports.dashboard.tables import Table, by_id
from reports.rubrics.dashboard import RUBRICS
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db
EGYPTIAN, IRAQI = "ar-EG", "ar-IQ"
WHOLE = ("All communities", "Both domains")


@pytest.fixture
def read(db):
    found = RUBRICS.tables(load_at_perle_scale())

    def named(table_id: str) -> Table:
        table = by_id(found, table_id)
        assert table is not None, table_id
        return table

    return named


def test_leniency_of_judges_severity_of_communities_and_published_rates(read):
    judges = read("judges-against-people")
    for judge in perle.JUDGES:
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
