"""Somebody adds an area of their own: how long responses are (toy_area.py). What they write is a reader, one measure
and a declaration; page, address, API, command, files, gold, menu and first step come with it."""

import csv
import io
import json
from importlib import reload

import pytest
from django.core.management import call_command
from django.urls import clear_url_caches

import config.urls
import reports.urls
from jobs import kinds as job_kinds
from judging import kinds as judge_kinds
from projects import navigation, presets, steps
from projects.creation import create_project
from projects.models import Project
from projects.problems import Invalid
from reports import areas, warming
from reports.dashboard import dashboards
from reports.dashboard.names import TOTAL
from reports.gold import formats as gold_formats
from tests.people import EGYPTIAN, add_response, join, person, signed_in
from tests.reports.toy_area import LENGTH_AREA, LENGTHS

REGISTRIES = (
    (areas, "_areas"),
    (dashboards, "_dashboards"),
    (gold_formats, "_registry"),
    (presets, "_registry"),
    (navigation, "_entries"),
    (steps, "_steps"),
    (warming, "_pages"),
    (warming, "_finishing"),
    (judge_kinds, "_registry"),
    (job_kinds, "_registry"),
)


def route() -> None:
    """Addresses are made of what is declared, when they are first read."""
    reload(reports.urls)
    reload(config.urls)
    clear_url_caches()


@pytest.fixture
def declared(monkeypatch):
    """The toy area, declared for this test alone."""
    for module, name in REGISTRIES:
        there = getattr(module, name)
        monkeypatch.setattr(module, name, type(there)(there))
    areas.declare(LENGTH_AREA)
    route()
    yield
    monkeypatch.undo()
    route()


@pytest.fixture
def of_lengths(declared, db):
    """A project that Nour begins from the preset of the area, and she who leads it."""
    lead = person("nour-of-lengths@example.org", "Nour")
    project = create_project(Project(slug="lengths", name="Lengths", preset="lengths"), None)
    join(lead, project, "lead")
    add_response(project, "egyptian", EGYPTIAN, "ar-EG")
    add_response(project, "iraqi", EGYPTIAN[:40], "ar-IQ")
    return project, signed_in(lead)


def test_the_preset_menu_and_first_step_of_a_declared_area_show_up(of_lengths):
    project, lead = of_lengths
    assert project.areas == ["lengths"]
    front = lead.get("/p/lengths/").content.decode()
    assert 'href="/p/lengths/lengths/"' in front
    assert "Read the lengths" in front
    assert "Rating results" not in front


def test_its_index_its_finding_and_their_files_show_up(of_lengths):
    _project, lead = of_lengths
    index = lead.get("/p/lengths/lengths/").content.decode()
    assert 'href="/p/lengths/lengths/lengths/"' in index
    finding = lead.get("/p/lengths/lengths/lengths/").content.decode()
    assert "mean length" in finding
    assert "mean_length" in finding, "the recipe names the metric"
    rows = list(csv.DictReader(io.StringIO(lead.get("/p/lengths/lengths/lengths.csv").content.decode("utf-8-sig"))))
    assert float(rows[-1]["value"]) == (len(EGYPTIAN) + 40) / 2
    assert lead.get("/p/lengths/lengths/lengths.json").json()["id"] == "lengths"
    assert lead.get("/p/feasts/lengths/").status_code == 404


def test_the_programming_interface_and_the_command_answer_with_its_figures(of_lengths):
    _project, lead = of_lengths
    [table] = lead.get("/api/v1/projects/lengths/agreement/?variety=ar-IQ").json()["tables"]
    assert [row["figures"][0]["value"] for row in table["rows"]] == [40.0]
    out = io.StringIO()
    call_command("agreement", "lengths", "--json", stdout=out)
    [table] = json.loads(out.getvalue())["tables"]
    assert table["rows"][-1]["figures"][0]["n"] == 2


def test_its_gold_leaves_by_page_and_interface(of_lengths):
    _project, lead = of_lengths
    assert "Lengths of 2 responses" in lead.get("/p/lengths/gold/").content.decode()
    for address in ("/p/lengths/gold/file/", "/api/v1/projects/lengths/gold/"):
        lines = b"".join(lead.get(address).streaming_content).splitlines()
        assert [json.loads(line) for line in lines] == [
            {"id": "egyptian", "length": len(EGYPTIAN)},
            {"id": "iraqi", "length": 40},
        ]


@pytest.fixture
def two_varieties(project, koshari):
    add_response(project, "iraqi", EGYPTIAN[:40], "ar-IQ")
    return project


def test_its_table_has_a_row_for_each_variety_and_one_for_all(two_varieties):
    [table] = LENGTHS.tables(two_varieties)
    n = len(EGYPTIAN)
    assert [row.figures[0].value for row in table.rows if row.drill == {"variety": "ar-EG"}] == [n]
    assert table.rows[-1].labels == ("All varieties",)
    assert table.rows[-1].figures[0].value == (n + 40) / 2
    assert (table.recipe.n_items, table.recipe.filters) == (2, {})


def test_a_new_response_is_counted_and_nothing_else_is_computed_anew(two_varieties):
    first = LENGTHS.figures(two_varieties)
    first.tables()
    assert len(first.computed) == 3
    unchanged = LENGTHS.figures(two_varieties)
    unchanged.tables()
    assert unchanged.computed == []
    response = add_response(two_varieties, "another", EGYPTIAN[:10], "ar-IQ")
    fresh = LENGTHS.figures(two_varieties)
    [table] = fresh.tables()
    assert set(fresh.computed) == {("lengths", response.variety_id), ("lengths", TOTAL)}
    assert table.rows[-1].figures[0].n == 3


def test_its_filters_narrow_it_and_stand_in_the_recipe_the_form_and_the_address(two_varieties):
    [table] = LENGTHS.tables(two_varieties, {"variety": "ar-IQ"})
    assert [row.figures[0].value for row in table.rows] == [40.0]
    assert table.recipe.filters == {"variety": "ar-IQ"}
    assert list(LENGTHS.form(two_varieties, {}).fields) == list(LENGTHS.filters) == ["variety", "model"]
    assert LENGTHS.address(two_varieties, {}, table.rows[0]).endswith("/responses/?variety=ar-IQ")
    with pytest.raises(Invalid):
        LENGTHS.tables(two_varieties, {"hue": "red"})
