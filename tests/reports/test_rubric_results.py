"""Nour reads the results of rubrics, takes their files away, and goes from a figure to the verdicts behind it."""

import csv
import io
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs.models import Job
from judging.models import Call, Judge, PromptVersion, Run, Shard
from projects.models import Project, Response
from providers.models import Provider
from reports.rubrics.dashboard import RUBRICS
from rubrics.models import Criterion, Grade
from tests.people import join, person, signed_in
from tests.reports.perle import study
from tests.reports.reading import head_and_foot

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn(db):
    return study(prompts=4, calibrated=2, regraded=2, errors=2)


@pytest.fixture
def nour(drawn):
    return join(person("nour@example.org", "Nour Haddad"), drawn.project, "lead")


@pytest.fixture
def farida(drawn):
    return join(person("farida@example.org", "Farida Amin"), drawn.project, "author", varieties=("ar-EG",))


def page_of(someone, address: str = "", slug: str = "perle") -> str:
    response = signed_in(someone).get(f"/p/{slug}/rubric-results/{address}")
    assert response.status_code == 200, address
    return response.content.decode()


def test_nour_sees_figures_with_n_and_simulated_judges_marked(nour):
    page = page_of(nour)
    assert "Smallest MAD of a judge" in page
    assert re.search(r'class="tag[^"]*">simulated', page.split('id="judges-against-people"')[1].split("</article>")[0])
    section = page_of(nour, "judges-against-people/")
    assert re.search(r'<h1>Judges against people <span class="tag[^"]*">simulated', section)
    assert "16 of 16 scored" in section, "four prompts of two communities, without the targets of its own laboratory"
    assert "24 of 24 scored" in section
    head, foot = head_and_foot(section)
    assert foot[0] == "People among themselves"
    assert "n = " in foot[head.index("MAD")]
    assert foot[head.index("Responses")] == ""


def test_every_table_has_a_card_and_a_page_with_its_recipe(nour, drawn):
    page = page_of(nour)
    for table in RUBRICS.tables(drawn.project):
        assert f'href="/p/perle/rubric-results/{table.id}/"' in page.split(f'id="{table.id}"')[1].split("</article>")[0]
        finding = page_of(nour, f"{table.id}/")
        if table.rows:
            assert table.recipe.signature() in finding


def test_every_row_leads_to_graded_responses_or_to_one(nour, drawn):
    client = signed_in(nour)
    links = [
        link.replace("&amp;", "&")
        for table in RUBRICS.tables(drawn.project)
        for link in re.findall(r'href="(/p/perle/rubric-results/resp[^"]+)"', page_of(nour, f"{table.id}/?rows=all"))
    ]
    assert len(set(links)) > 40
    # One of each shape: the same filters by name.
    shapes = {(urlsplit(link).path, tuple(parse_qs(urlsplit(link).query))): link for link in links if "?" in link}
    to_one = [link for link in links if "/responses/?" not in link]
    assert len(shapes) >= 8
    for link in [*(one for one in shapes.values() if one not in to_one), to_one[0]]:
        answer = client.get(link)
        assert answer.status_code == 200, link
        assert "Not applied" not in answer.content.decode(), link


def test_the_list_begins_with_the_widest_miss(nour, drawn):
    found = page_of(nour, "responses/")
    misses = [row for table in RUBRICS.tables(drawn.project) if table.id == "widest-misses" for row in table.rows]
    widest = max(misses, key=lambda row: abs(row.figures[0].number))
    first = re.search(r'<th scope="row"[^>]*><a href="[^"]+"><bdi>([^<]+)</bdi>', found)
    assert first
    assert max(abs(row.figures[0].number) for row in misses if row.labels[1] == first[1]) == abs(
        widest.figures[0].number
    )


def test_the_list_is_narrowed_by_judge_grader_and_error(nour, drawn):
    judge = drawn.judges["lenient"]
    page = page_of(nour, f"responses/?judge={judge.pseudonym}")
    assert "Tower-2" not in page.split("<tbody>")[1], "the judge's own laboratory"
    assert "even" not in page.split("<tbody>")[1]
    grader = drawn.people["ar-IQ"][1]
    expected = Response.objects.filter(grades__rater=grader).distinct().count()
    assert f"{expected} response" in page_of(nour, f"responses/?rater={grader.pseudonym}")
    missing = page_of(nour, "responses/?failure=rendering-failure")
    assert "No response is like that" in missing
    assert 'href="/p/perle/rubric-results/responses/"' in missing


def test_verdicts_stand_side_by_side_with_reasons(nour, drawn):
    grade = Grade.objects.filter(rater=drawn.judges["lenient"]).first()
    negative = Criterion.objects.filter(response__isnull=False).exclude(verdicts__value="absent").first()
    page = page_of(nour, f"responses/{grade.response.uuid}/")
    for name in drawn.judges:
        judged = Grade.objects.filter(rater=drawn.judges[name], response=grade.response).exists()
        assert (f"<bdi>{name}</bdi>" in page) == judged
    assert "As it reads." in page
    assert "First grading" in page
    assert (
        page.count('<article class="surface judgement"')
        == grade.rubric.criteria.filter(response=None).count()
        + Criterion.objects.filter(response=grade.response).count()
    )
    assert "recorded by" in page_of(nour, f"responses/{negative.response.uuid}/")


def test_a_verdict_that_differs_from_the_persons_is_marked(nour, drawn):
    [response] = Response.objects.filter(project=drawn.project).order_by("id")[:1]
    grades = {grade.role: grade for grade in response.grades.filter(role__in=("reference", "judge"))}
    for verdict in grades["judge"].verdicts.filter(criterion__response=None):
        first = grades["reference"].verdicts.get(criterion=verdict.criterion)
        verdict.value = "pass" if first.value == "fail" else "fail"
        verdict.save()
    judge = grades["judge"].rater
    page = page_of(nour, f"responses/{response.uuid}/?judge={judge.pseudonym}")
    cards = page.split('<article class="surface judgement"')[1:]
    positive = [card for card in cards if "tag--good" in card]
    assert len(positive) == 4
    assert all("verdicts differ" in card for card in positive)
    others = [one.name for one in drawn.judges.values() if one != judge]
    assert not any(f"<bdi>{name}</bdi>" in page for name in others), "this judge alone beside the people"
    assert "Show all judges" in page


def test_a_judge_that_declined_is_named_with_what_became_of_its_call(nour, drawn):
    response = Response.objects.filter(project=drawn.project, target_model__name="Tower-2").first()
    rater = drawn.judges["even"]
    Grade.objects.filter(rater=rater, response=response).delete()
    provider = Provider.objects.create(name="near", base_url="http://127.0.0.1:9/v1")
    judge = Judge.objects.create(project=drawn.project, rater=rater, kind="rubric", model="m", provider=provider)
    version = PromptVersion.objects.create(name="rubric", version="v1", text="", text_sha256="")
    run = Run.objects.create(project=drawn.project, judge=judge, prompt_version=version)
    shard = Shard.objects.create(run=run, number=1, job=Job.objects.create(kind="judge_shard", queue="calls"))
    Call.objects.create(run=run, shard=shard, judge=judge, response=response, prompt_version=version, state="refused")
    page = page_of(nour, f"responses/{response.uuid}/")
    assert "Refused" in page.split('id="scores-title"')[1].split("</section>")[0]
    assert "1 judge without an answer" in page_of(nour, "responses/?model=Tower-2")


def test_a_filter_narrows_the_figures_and_the_files(nour):
    page = page_of(nour, "?variety=ar-EG&domain=cultural")
    assert "in 1 community" in page
    assert "rubric-results/human-scores/?variety=ar-EG&amp;domain=cultural" in page
    finding = page_of(nour, "human-scores/?variety=ar-EG&domain=cultural")
    assert "rubric-results/human-scores.csv?variety=ar-EG&amp;domain=cultural" in finding
    refused = page_of(nour, "?domain=music")
    assert "Not applied" in refused


def test_the_csv_has_a_line_per_figure(nour):
    answer = signed_in(nour).get("/p/perle/rubric-results/score-spread.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="perle-score-spread.csv"'
    lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [line["measure"] for line in lines[:6]] == [
        *("lower whisker", "lower quartile", "median", "upper quartile", "upper whisker", "mean"),
    ]
    assert lines[0]["rater"] == "People"


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command("agreement", "perle", *arguments, stdout=out)
    return out.getvalue()


def test_command_interface_and_page_give_the_same_numbers(nour):
    printed = json.loads(said("--json", "--domain", "cultural"))
    client = signed_in(nour)
    assert client.get("/api/v1/projects/perle/agreement/", {"domain": "cultural"}).json() == printed
    for table in printed["tables"]:
        address = f"/p/perle/rubric-results/{table['id']}.json?domain=cultural"
        assert client.get(address).json() == table
    assert {"human-scores", "judges-against-people", "community-severity"} <= {one["id"] for one in printed["tables"]}
    assert "Judges against people [judges-against-people]" in said()


def test_a_filter_of_another_area_is_refused_by_name(nour):
    answer = signed_in(nour).get("/api/v1/projects/perle/agreement/", {"criticality": "high", "domain": "music"})
    assert {problem["field"] for problem in answer.json()["problems"]} == {"criticality", "domain"}
    with pytest.raises(CommandError, match="cultural or linguistics"):
        said("--domain", "music")


def test_a_project_of_both_areas_shows_both(nour, drawn):
    Project.objects.filter(pk=drawn.project.pk).update(areas=["spans", "rubrics"])
    found = [one["id"] for one in json.loads(said("--json"))["tables"]]
    assert len(found) == len(set(found)), "what both areas have stands once"
    assert {"judge-scores", "human-scores"} <= set(found)


def test_an_author_and_the_lead_of_another_project_find_nothing(farida, omar, drawn):
    uuid = Response.objects.filter(project=drawn.project).first().uuid
    for someone in (farida, omar):
        for address in (
            "",
            "human-scores/",
            "human-scores.csv",
            "human-scores.json",
            "responses/",
            f"responses/{uuid}/",
        ):
            assert signed_in(someone).get(f"/p/perle/rubric-results/{address}").status_code == 404


def test_a_response_of_another_project_is_not_here(nour, koshari):
    assert signed_in(nour).get(f"/p/perle/rubric-results/responses/{koshari.uuid}/").status_code == 404


def test_empty_pages_say_what_to_do(drawn, nour):
    empty = Project.objects.create(slug="empty", name="Empty", preset="rubrics", areas=["rubrics"])
    join(nour, empty, "lead")
    assert "Figures appear here once rubrics are frozen" in page_of(nour, slug="empty")
    assert "No graded responses yet" in page_of(nour, "responses/", slug="empty")
    assert 'href="/p/empty/"' in page_of(nour, slug="empty")


def test_the_menu_and_the_steps_lead_a_lead_here(nour, farida):
    assert "/p/perle/rubric-results/" in signed_in(nour).get("/p/perle/").content.decode()
    assert "/p/perle/rubric-results/" not in signed_in(farida).get("/p/perle/").content.decode()
    assert "/p/perle/results/" not in signed_in(nour).get("/p/perle/").content.decode(), "it has no error spans"


@pytest.mark.parametrize("address", ["", "responses/", "judges-against-people/"])
@pytest.mark.parametrize("kept", [False, True])
def test_the_number_of_queries_does_not_grow_with_the_grades(db, address, kept):
    def queries(slug: str, prompts: int) -> int:
        project = study(slug, prompts=prompts, calibrated=1).project
        lead = join(person(f"{slug}@example.org", "Lead"), project, "lead")
        client = signed_in(lead)
        client.get(f"/p/{slug}/rubric-results/{address}")
        if not kept:
            cache.clear()
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/p/{slug}/rubric-results/{address}").status_code == 200
        return len(captured)

    assert queries("few", 3) == queries("more", 8)


def test_the_number_of_queries_of_a_response_does_not_grow_with_its_graders(nour, drawn):
    graded_by = {}
    for response in Response.objects.filter(project=drawn.project):
        graded_by.setdefault(response.grades.count(), response)
    few, many = graded_by[min(graded_by)], graded_by[max(graded_by)]
    assert many.grades.count() > few.grades.count()
    client = signed_in(nour)

    def queries(response) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/p/perle/rubric-results/responses/{response.uuid}/").status_code == 200
        return len(captured)

    queries(few)
    assert queries(few) == queries(many)
