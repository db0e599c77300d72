"""Two projects that do not agree who trained a model: each file is believed in its own, and the lead settles."""

import io
import json

import pytest

from formats.importing.running import run_import
from formats.reading import Source
from judging.engine.planning import texts
from projects.laboratories import laboratory_slug, settle
from projects.models import AuditEvent, Laboratory, ModelLaboratory, Project, TargetModel
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def item(number: int, laboratory: str, **more) -> dict:
    return {
        "id": f"eg-{number}",
        "prompt_id": f"p-{number}",
        "prompt": "What is koshari?",
        "variety": "en-US",
        "model": "Nile-7B",
        "laboratory": laboratory,
        "response": "A dish of rice and lentils.",
        **more,
    }


def imported(project: Project, *lines: dict, kind: str = "items", **options):
    content = "\n".join(json.dumps(line) for line in lines).encode()
    return run_import(project, Source(io.BytesIO(content)), kind, **options)


def laboratories(project: Project) -> set[str]:
    return set(project.responses.values_list(laboratory_slug(), flat=True))


@pytest.fixture
def elsewhere(other_project) -> Project:
    """Omar's project knows the model as one of Delta Lab."""
    assert imported(other_project, item(1, "Delta Lab")).is_stored
    return other_project


def test_a_file_is_believed_in_its_own_project(project, elsewhere):
    outcome = imported(project, item(1, "Nile Institute"), item(2, "Nile Institute"))
    assert outcome.problems == []
    assert laboratories(project) == {"nile-institute"}
    assert laboratories(elsewhere) == {"delta-lab"}
    assert TargetModel.objects.get(name="Nile-7B").laboratory.slug == "delta-lab"
    assert [row.laboratory for row in texts(project.responses.all())] == ["nile-institute"] * 2
    assert [row.laboratory for row in texts(elsewhere.responses.all())] == ["delta-lab"]


@pytest.mark.parametrize("spelled", ["delta lab", "DELTA-LAB", "delta_lab", "Delta  Lab."])
def test_what_agrees_needs_no_row(project, elsewhere, spelled):
    assert imported(project, item(1, spelled)).is_stored
    assert not ModelLaboratory.objects.exists()


@pytest.mark.parametrize("is_own", [True, False])
def test_a_file_that_contradicts_the_project_is_refused_and_says_where_to_settle_it(project, elsewhere, is_own):
    """Whether the project has a laboratory of its own for the model, or the installation's."""
    imported(project, item(1, "Nile Institute" if is_own else "Delta Lab"))
    outcome = imported(project, item(2, "Delta Lab" if is_own else "Nile Institute"))
    assert not outcome.is_stored
    [problem] = outcome.problems
    assert (problem.code, problem.field) == ("other_laboratory", "laboratory")
    assert "under Laboratories" in problem.message


def test_one_file_says_one_thing(project):
    outcome = imported(project, item(1, "Delta Lab"), item(2, "Nile Institute"))
    assert [(problem.line, problem.code) for problem in outcome.problems] == [(2, "other_laboratory")]
    assert not ModelLaboratory.objects.exists()


def test_whose_model_a_judge_judges_is_the_projects_word(project, elsewhere):
    imported(project, item(1, "Nile Institute"))
    answer = {"kind": "spans", "item": "eg-1", "rater_kind": "judge", "spans": [], "no_errors": True}
    of_delta = {**answer, "rater": "Delta judge", "model": "delta-large", "laboratory": "Delta Lab"}
    of_nile = {**answer, "rater": "Nile judge", "model": "nile-large", "laboratory": "Nile Institute"}
    assert imported(project, of_delta, kind="answers").counts["own laboratory"] == 0
    assert imported(project, of_nile, kind="answers").counts["own laboratory"] == 1


def test_the_lead_settles_it_for_the_project_alone(project, elsewhere, nour):
    imported(project, item(1, "Nile Institute"))
    model, delta = TargetModel.objects.get(name="Nile-7B"), Laboratory.objects.get(slug="delta-lab")
    client = signed_in(nour)
    page = client.get("/p/feasts/laboratories/").content.decode()
    assert "Nile Institute" in page
    assert "Delta Lab" in page
    sent = client.post(f"/p/feasts/laboratories/{model.pk}/", {"laboratory": delta.pk})
    assert sent.status_code == 302
    assert laboratories(project) == {"delta-lab"}
    assert not ModelLaboratory.objects.exists()
    event = AuditEvent.objects.filter(action="laboratory.settled").get()
    assert (event.subject, event.detail["laboratory"]) == ("Nile-7B", "delta-lab")
    settle(project, model, Laboratory.objects.get(slug="nile-institute"), nour)
    assert (laboratories(project), laboratories(elsewhere)) == ({"nile-institute"}, {"delta-lab"})


def test_a_model_of_another_project_cannot_be_settled_here(project, elsewhere, nour):
    model = TargetModel.objects.get(name="Nile-7B")
    assert signed_in(nour).post(f"/p/feasts/laboratories/{model.pk}/", {"laboratory": 1}).status_code == 404
