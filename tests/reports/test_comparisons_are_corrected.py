"""What compares several at once is corrected for all of it: the p-values of each table are Holm's of all its rows."""

import pytest

from agreement.multiplicity import holm
from annotation.models import Marking, Rating
from projects.models import Project, Rater
from reports.areas import areas
from reports.dashboard.tables import Table
from tests.annotation.marked import mark
from tests.reports.juice import juice
from tests.reports.menlo import a_study
from tests.reports.perle import study

pytestmark = pytest.mark.django_db

CORRECTED = "p, corrected"
#: What these studies compare in more than one row.
COMPARED = {
    "spans": {
        *("category-differences", "category-recall-pairs", "judge-pairs", "judges-beside-people", "span-setup-gains"),
    },
    "rubrics": {"errors-drawn-by", "judges-beside-people"},
    "ratings": {
        *("errors-drawn-by", "judges-beside-people", "judges-compared", "preferences-drawn-by", "setup-gains"),
    },
}


def errors_marked() -> Project:
    """Two judges of the generated study, and a third that marks half of what the first does. All are of one model, the
    first asked plainly, the second with examples, the third with the categories."""
    project = juice(per_setting=40)
    first, second = project.raters.filter(kind="judge").order_by("pk")
    third = Rater.objects.create(project=project, kind="judge", name="Third")
    for marking in Marking.objects.filter(rater=first).prefetch_related("spans"):
        mark(marking.response, third, *[span.quote for span in marking.spans.all() if span.quote][::2])
    setups = ({"shots": "zero", "with_taxonomy": False}, {"shots": "few", "with_taxonomy": False})
    for judge, setup in zip((first, second, third), (*setups, {"shots": "zero", "with_taxonomy": True}), strict=True):
        Marking.objects.filter(rater=judge).update(metadata=setup)
    project.raters.filter(kind="judge").update(model="harbor-9b")
    return project


def graded() -> Project:
    return study(prompts=12, people=6, calibrated=0, regraded=12).project


def rated() -> Project:
    """Eight judges of one model that differ in how they are asked."""
    project = a_study(share=0.04).project
    for judge in project.raters.filter(kind="judge"):
        kind = "pairwise" if "pairwise" in judge.name else "pointwise"
        setup = {"kind": kind, "shots": "few" if "examples" in judge.name else "zero", "rubric": "rubric" in judge.name}
        Rating.objects.filter(rater=judge).update(metadata=setup)
    project.raters.filter(kind="judge").update(model="harbor-9b")
    return project


STUDIES = {"spans": errors_marked, "rubrics": graded, "ratings": rated}


@pytest.mark.parametrize("area", STUDIES)
def test_p_values_are_corrected_for_all_rows_of_their_table(area):
    project = STUDIES[area]()
    compared = set()
    for dashboard in areas()[area].dashboards:
        for table in dashboard.tables(project):
            figures = [figure for figure in p_values(table) if figure.value is not None]
            if not figures:
                continue
            uncorrected = [figure.detail["uncorrected"] for figure in figures]
            expected = holm(uncorrected).tolist()
            assert [figure.value for figure in figures] == pytest.approx(expected), table.id
            assert table.recipe.as_json()["settings"]["correction"].startswith("Holm"), table.id
            if expected != pytest.approx(uncorrected):
                compared.add(table.id)
    assert compared >= COMPARED[area]


def p_values(table: Table):
    if CORRECTED not in table.measures:
        return []
    place = table.measures.index(CORRECTED)
    return [row.figures[place] for row in table.rows]
