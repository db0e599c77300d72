"""The generated rubrics project is loaded by the paths that real data takes, and shows what was put into it."""

import io
import json
import math
from collections import Counter

import numpy as np
import pytest
from django.core.management import call_command

from agreement.deviation import deviation
from demo.studies import perle
from demo.studies.perle_counts import JUDGES
from formats.importing.running import run_import
from formats.reading import Source
from judging.models import Call, Judge
from projects.models import Project, Rater, Response
from reports.rubrics.gold import lines
from rubrics.models import Criterion, Grade, Rubric
from tests.rubrics.rubrics import make_rubrics_project

pytestmark = pytest.mark.django_db

RESPONSES = {"gemini-3.1-pro-preview": 103, "Muse Spark": 101, "grok-4.3": 98}
ROWS = {"gpt-5.4": 302, "claude-opus-4.7": 302, "gemini-3.1-pro-preview": 199, "grok-4.3": 204, "qwen-plus": 300}


def load(*arguments: str) -> str:
    out = io.StringIO()
    call_command("load_demo", "--scale", "perle", *arguments, stdout=out)
    return out.getvalue()


def planned() -> list[list[str]]:
    """The rows of the plan, one per judge and one for all, each as its six numbers."""
    out = io.StringIO()
    call_command("run_judges", "perle", "--plan", stdout=out)
    return [line.split()[-6:] for line in out.getvalue().splitlines()[1:]]


def test_the_project_has_the_published_counts_and_the_leniency_put_into_each_judge():
    assert "“perle” is loaded" in load()
    project = Project.objects.get(slug="perle")
    assert (project.is_generated, project.areas) == (True, ["rubrics"])
    assert "Generated" in project.description
    responses = Response.objects.filter(project=project)
    assert Counter(responses.values_list("target_model__name", flat=True)) == RESPONSES
    assert Rubric.objects.filter(project=project, frozen_at__isnull=False).count() == 103
    assert Criterion.objects.filter(response__variety__tag="ar-IQ", grade__role="reference").count() == 667
    # A run of each judge: all but its own laboratory's responses, as in the paper.
    assert Call.objects.count() == 1309
    assert Counter(Call.objects.values_list("state", flat=True)) == {"scored": 1307, "refused": 2}
    assert set(Call.objects.filter(state="refused").values_list("judge__model", flat=True)) == {"qwen-plus"}
    graded = Counter(Grade.objects.filter(role="judge").values_list("rater__model", flat=True))
    assert graded == ROWS
    assert set(Rater.objects.filter(project=project, kind="judge").values_list("is_simulated", flat=True)) == {True}
    assert planned()[-1] == ["1510", "201", "0", "1309", "1309", "0"]

    human = dict(Grade.objects.filter(role="reference").values_list("response", "raw"))
    for judge in JUDGES:
        rows = Grade.objects.filter(role="judge", rater__model=judge.model).values_list("response", "raw", "maximum")
        found = deviation(
            [100 * raw / maximum for _response, raw, maximum in rows],
            [100 * human[response] / maximum for response, _raw, maximum in rows],
        )
        error, rmse = found.signed_error.value, found.rmse.value
        assert error is not None
        assert rmse is not None
        assert abs(error - judge.signed_error) < 3 * math.sqrt((rmse**2 - error**2) / found.n), judge.model

    file = b"".join(lines(project))
    copy = make_rubrics_project(Project.objects.create(slug="copy", name="copy"))
    outcome = run_import(copy, Source(io.BytesIO(file), "gold.jsonl"), "items")
    assert outcome.problems == []
    assert b"".join(lines(copy)) == file


def reported(table: str, measure: int) -> dict[str, dict]:
    """The figures of one measure of a table, by the first label of their row."""
    out = io.StringIO()
    call_command("agreement", "perle", "--table", table, "--json", stdout=out)
    [found] = json.loads(out.getvalue())["tables"]
    return {row["labels"][0]: row["figures"][measure] for row in found["rows"]}


def test_the_reports_find_the_leniency_of_judges_and_the_severity_of_people_that_were_put_in():
    """Signed errors within three standard errors, an interval of 95 % being 3.92 of them wide. Severities are fitted
    to scores of whole responses, so their scale is not that of the criteria they were put in by: they recover by
    r > 0.95, the graders of each community on the side of their own."""
    load()
    found = reported("judges-against-people", 1)
    for judge in JUDGES:
        figure = found[f"{judge.model} (simulated)"]
        standard_error = (figure["high"] - figure["low"]) / 3.92
        assert abs(figure["value"] - judge.signed_error) < 3 * standard_error, judge.model
    severities = reported("rater-severity", 0)
    names = dict(Rater.objects.filter(project__slug="perle", kind="human").values_list("pseudonym", "name"))
    assert len(severities) == 8
    put_in = [perle.severity_of(names[pseudonym]) for pseudonym in severities]
    fitted = [figure["value"] for figure in severities.values()]
    assert np.corrcoef(put_in, fitted)[0, 1] > 0.95
    assert [value > 0 for value in fitted] == [value > 0 for value in put_in]


def test_its_judges_can_be_left_to_be_run():
    load("--unjudged")
    assert not Grade.objects.filter(role="judge").exists()
    assert Judge.objects.count() == 5
    assert [row[3] for row in planned()] == ["302", "199", "302", "302", "204", "1309"]
    assert planned()[-1][-1] == "1309"
    assert "already there" in load()
