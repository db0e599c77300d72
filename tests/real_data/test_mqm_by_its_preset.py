"""A lead begins with the preset of MQM and brings in published annotations as they stand, category and severity and no
points: what errors cost is then the project's own to say, and comes to what Google's scorer says, to 1e-9."""

import json

import pytest
from django.utils.text import slugify

from annotation.models import ErrorCategory, Span
from projects.creation import create_project
from projects.models import Project
from tests.real_data import mqm_sxs2023, published
from tests.real_data.test_import_published_answers import bring
from tests.reports.reading import figure, table

pytestmark = [pytest.mark.django_db, pytest.mark.real_data]


def exactly(number):
    return pytest.approx(number, abs=1e-9, rel=0)


class AsMarked:
    """The study without the points of single errors."""

    items = mqm_sxs2023.items

    @staticmethod
    def answers(path):
        for line in mqm_sxs2023.answers(path):
            for span in line["spans"]:
                del span["penalty"]
                span["criticality"] = span["metadata"]["severity"].lower()
                span["category"] = SLUGS.get(span["metadata"]["category"]) or slugify(span["metadata"]["category"])
            yield line

    FILE = mqm_sxs2023.FILE


SLUGS: dict[str, str] = {}


@pytest.fixture
def translations(db, tmp_path):
    project = create_project(Project(slug="mqm", name="Translations", preset="mqm"), None)
    SLUGS.update(project.error_categories.values_list("name", "slug"))
    for name in {row["category"] for row in mqm_sxs2023.rows(published(mqm_sxs2023.FILE))} - SLUGS.keys():
        ErrorCategory.objects.create(project=project, slug=slugify(name), name=name)
    bring(AsMarked, tmp_path, project)
    return project


def test_points_follow_from_category_and_severity(translations):
    expected = json.loads(published("reference/mqm_sxs2023_ende_sample.json").read_text())
    assert not Span.objects.exclude(penalty=None).exists()
    assert set(Span.objects.values_list("criticality", flat=True)) == {"major", "minor"}
    mean = figure(table(translations, "penalties"), measure="mean penalty")
    assert mean.value == exactly(expected["penalty_mean"])
    alphas = table(translations, "penalty-alpha")
    assert figure(alphas, measure="alpha, interval").value == exactly(expected["penalty_alpha_interval"])
    assert figure(alphas, measure="alpha, ordinal").value == exactly(expected["penalty_alpha_ordinal"])
    by_system = table(translations, "penalties-by-model")
    means = {row.labels[0]: round(row.figures[0].number, 6) for row in by_system.rows}
    assert means == expected["system_mean_penalty"]
    marked = table(translations, "errors-per-response")
    assert marked.measures == ("all", "Critical", "Major", "Minor", "Neutral")
