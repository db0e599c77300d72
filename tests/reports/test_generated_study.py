"""The generated project at full size has the published figures it was made for, read from the dashboard's tables."""

import pytest

from demo.studies.errors import RESPONSES, SETTINGS
from reports.dashboard.tables import by_id
from reports.spans.dashboard import SPANS
from tests.reports.juice import juice
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db


def test_every_setting_has_its_published_counts(db):
    project = juice([setting.code for setting in SETTINGS], RESPONSES)
    found = SPANS.tables(project)
    marked, retained, thick, kappa = (
        by_id(found, name) for name in ("errors-per-response", "retained", "thin-thick", "classification-kappa")
    )
    detectors = ("People", "Simulated judge A", "Simulated judge B")
    for setting in SETTINGS:
        for detector, mean, share in zip(detectors, setting.marked, setting.retained, strict=True):
            # Counts are whole, so a published mean is met to one error in 150 responses.
            assert figure(marked, setting.code, detector, measure="all").value == pytest.approx(mean, abs=1 / 150)
            assert figure(retained, setting.code, detector, measure="retained").value == pytest.approx(share, abs=2e-3)
        for level, mean in zip(("High", "Medium", "Low"), setting.criticality, strict=True):
            assert figure(marked, setting.code, "People", measure=level).value == pytest.approx(mean, abs=0.12)
        of_all = figure(thick, setting.code, "All errors", measure="share of thick errors")
        assert (of_all.n, of_all.detail["thick"]) == (setting.errors, setting.thick)
    assert kappa.rows[0].figures[0].n == 191
    assert kappa.rows[0].figures[0].value == pytest.approx(0.6, abs=0.01)
    for table in found:
        for row in table.rows:
            assert "generated" in row.marks, (table.id, row.labels)
