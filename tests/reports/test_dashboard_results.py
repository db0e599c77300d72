"""Nour reads the results, takes their files away, and goes from a figure to the responses behind it."""

import csv
import io
import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.gold import derive
from projects.models import Response
from reports.spans.dashboard import SPANS
from tests.annotation.marked import mark, review
from tests.people import EGYPTIAN, add_response, signed_in

pytestmark = pytest.mark.django_db
SUHOOR, PHARAOHS, LENTILS = "على السحور", "أيام الفراعنة", "العدس"


def settle(*spans) -> None:
    """Everybody asked keeps the span."""
    for span, reviewers in spans:
        for person in reviewers:
            review(span, person, "keep")


@pytest.fixture
def judged(project, koshari, mona, karim, simba):
    """Mona and Karim agree on one error, Karim has one more, Simba finds the shared one and a false one."""
    [shared] = mark(koshari, mona, SUHOOR)
    also, own = mark(koshari, karim, SUHOOR, PHARAOHS)
    found, false = mark(koshari, simba, SUHOOR, LENTILS)
    settle((shared, [karim]), (also, [mona]), (own, [mona]), (found, [mona, karim]))
    review(false, mona, "reject")
    review(false, karim, "reject")
    derive([koshari.id])
    return koshari


def page_of(person, query: str = "") -> str:
    response = signed_in(person).get(f"/p/feasts/results/{query}")
    assert response.status_code == 200
    return response.content.decode()


def card(page: str, table_id: str) -> str:
    return page.split(f'id="{table_id}"')[1].split("</article>")[0]


def test_nour_sees_figures_with_n_and_a_simulated_judge_marked(nour, judged):
    page = page_of(nour)
    assert "Best F1 of a judge" in page
    assert "Simba (simulated)" in page
    assert re.search(r'class="tag[^"]*">simulated', card(page, "judge-scores"))
    finding = page_of(nour, "judge-scores/")
    assert re.search(r'<h1>Judges against the gold <span class="tag[^"]*">simulated', finding)
    # Simba marked two spans; one of them is in the gold of four kept spans: precision 1 of 2.
    table = finding.split("<table")[1].split("</table>")[0]
    assert '<bdi class="figure" dir="ltr">0.50' in table
    assert "1 of 1 scored" in table


def test_an_undefined_figure_says_why(nour, koshari, mona):
    mark(koshari, mona, SUHOOR)
    derive([koshari.id])
    page = page_of(nour)
    assert "undefined: " in page
    assert not re.search(r"\bnan\b", page.lower().split("<main")[1].split("data-chart")[0])


def test_every_finding_has_a_card_and_a_page_with_its_recipe(nour, judged, project):
    page = page_of(nour)
    for table in SPANS.tables(project):
        shown = card(page, table.id)
        assert f'href="/p/feasts/results/{table.id}/"' in shown
        assert "<table" not in shown
        finding = page_of(nour, f"{table.id}/")
        assert f'href="/p/feasts/results/#{table.id}"' in finding, "the way back leads to the card"
        if table.rows:
            assert table.recipe.signature() in finding


def test_every_row_leads_to_responses(nour, judged, project):
    client = signed_in(nour)
    pages = "".join(page_of(nour, f"{table.id}/") for table in SPANS.tables(project))
    links = set(re.findall(r'href="(/p/feasts/responses/\?[^"]+)"', pages))
    assert links
    for link in links:
        answer = client.get(link.replace("&amp;", "&"))
        assert answer.status_code == 200
        assert "Not applied" not in answer.content.decode(), link


def test_a_filter_narrows_the_figures_and_the_files(nour, judged, boishakh, rafia):
    mark(boishakh, rafia)
    derive([boishakh.id])
    assert "in 2 varieties" in page_of(nour)
    page = page_of(nour, "?variety=ar-EG")
    assert 'href="/p/feasts/results/judge-scores/?variety=ar-EG"' in page, "filters go along"
    finding = page_of(nour, "judge-scores/?variety=ar-EG")
    assert "results/judge-scores.csv?variety=ar-EG" in finding
    assert 'href="/p/feasts/results/?variety=ar-EG#judge-scores"' in finding
    tiles = page.split('class="tiles"')[1].split("</ul>")[0]
    assert "in 1 variety" in tiles


def test_a_value_that_is_no_choice_is_said_and_not_applied(nour, judged):
    page = page_of(nour, "?variety=xx-XX&threshold=0.5")
    assert "Not applied" in page
    assert "Variety" in page.split("Not applied")[1].split("</p>")[0]
    assert 'href="/p/feasts/results/judge-scores/?threshold=0.5"' in page
    assert "results/judge-scores.csv?threshold=0.5" in page_of(nour, "judge-scores/?variety=xx-XX&threshold=0.5")


def test_the_csv_opens_in_a_spreadsheet_and_has_a_line_per_figure(nour, judged):
    answer = signed_in(nour).get("/p/feasts/results/judge-scores.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="feasts-judge-scores.csv"'
    assert answer.content.startswith(b"\xef\xbb\xbf"), "without the mark Excel reads Arabic as Latin-1"
    lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert lines[0]["judge"] == "Simba"
    assert [line["value"] for line in lines if line["measure"] == "precision"] == ["0.5"]


def test_the_json_is_the_table_whatever_language_its_reader_uses(project, nour, judged):
    client = signed_in(nour)
    english = client.get("/p/feasts/results/judge-scores.json").json()
    client.cookies["django_language"] = "ar"
    assert client.get("/p/feasts/results/judge-scores.json").json() == english
    assert english["id"] == "judge-scores"


@pytest.mark.parametrize("address", ["nothing/", "nothing.csv", "nothing.json", "judge-scores.csv?variety=xx"])
def test_there_is_no_file_of_an_unknown_table_or_filter(nour, judged, address):
    assert signed_in(nour).get(f"/p/feasts/results/{address}").status_code == 404


def test_mona_and_the_lead_of_another_project_find_no_results(mona, omar, judged):
    for person in (mona, omar):
        for address in ("results/", "results/judge-scores/", "results/judge-scores.csv", "responses/", "team/"):
            assert signed_in(person).get(f"/p/feasts/{address}").status_code == 404


def test_an_empty_project_says_what_to_do(nour):
    page = page_of(nour)
    assert "No figures yet" in page
    assert 'class="btn btn-primary" href="/p/feasts/"' in page


def test_the_menu_leads_a_lead_to_results_and_not_an_annotator(nour, mona):
    assert "/p/feasts/results/" in signed_in(nour).get("/p/feasts/").content.decode()
    assert "/p/feasts/results/" not in signed_in(mona).get("/p/feasts/").content.decode()


@pytest.mark.parametrize("place", ["", "judge-scores/"])
@pytest.mark.parametrize("kept", [False, True])
def test_the_number_of_queries_does_not_grow_with_the_answers(project, nour, judged, mona, karim, kept, place):
    client = signed_in(nour)

    def queries() -> int:
        if not kept:
            cache.clear()
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert client.get(f"/p/feasts/results/{place}").status_code == 200
        return len(found)

    queries()
    before = queries()
    for number in range(12):
        response: Response = add_response(project, f"more-{number}", EGYPTIAN, "ar-EG")
        [span] = mark(response, mona, SUHOOR)
        mark(response, karim)
        review(span, karim, "keep")
    derive(project.responses.values_list("id", flat=True))
    queries()
    assert queries() <= before


def test_the_overview_leads_through_all_steps(nour, mona, koshari):
    client = signed_in(nour)
    page = client.get("/p/feasts/").content.decode().split('class="steps"')[1]
    for step in ("import", "people", "stages", "judges", "progress", "results", "gold"):
        address = f"/p/feasts/{step}/"
        assert f'href="{address}"' in page
        assert client.get(address).status_code == 200
    assert 'class="steps"' not in signed_in(mona).get("/p/feasts/").content.decode()
