"""Nour has every alpha recomputed by another program: the same numbers to 1e-9, or the place where they differ."""

import io
import json

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from agreement import alpha as alpha_module
from agreement.figures import Figure
from agreement.unitizing import unitizing_alpha
from annotation.models import Rating
from jobs.models import Job
from jobs.working import work_on
from projects.models import Dimension, Project, QuestionType, Rater
from reports import verification, warming
from reports.areas import areas
from reports.verification import TOLERANCE, Ratings, Shown, Unitizings, compared, package_alpha
from tests.people import add_response, join, person, signed_in
from tests.preset_parts import set_points
from tests.reports.juice import juice
from tests.reports.menlo import a_study


def with_alphas():
    return [dashboard for area in areas().values() for dashboard in area.dashboards if dashboard.alphas]


pytestmark = pytest.mark.django_db


def verified(project: Project, *arguments: str) -> list[dict]:
    out = io.StringIO()
    call_command("agreement", project.slug, "--verify", "--json", *arguments, stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())["alphas"]


def alphas_of_tables(project: Project) -> set[tuple]:
    """(table, labels, measure, value) of every cell that is an alpha: of rows, and of the feet below them."""
    found = set()
    for dashboard in with_alphas():
        if dashboard.area not in project.areas:
            continue
        for table in dashboard.read(project, {}).tables:
            names = {name for name in table.measures if "alpha" in name}
            rows = [(row.labels, dict(zip(table.measures, row.figures, strict=True))) for row in table.rows]
            rows.append((("Human ceiling",), dict(table.ceilings)))
            for labels, figures in rows:
                # The nominal alpha of all coders stands in a row of kappas.
                for name in names & set(figures) or ({"Cohen's kappa"} if "alpha" in labels else set()):
                    found.add((table.id, labels, name, figures[name].value))
    return found


@pytest.mark.parametrize("make", [juice, lambda: a_study("menlo", 0.02).project], ids=["spans", "ratings"])
def test_every_alpha_of_every_table_is_what_the_package_computes(make):
    project = make()
    found = verified(project)
    told = {(each["table"], tuple(each["labels"]), each["measure"], each["shown"]) for each in found}
    assert told == alphas_of_tables(project)
    assert len(told) >= 4
    assert {each["table"] for each in found} <= {table for one in with_alphas() for table in one.alphas.tables}
    assert all(each["agrees"] and each["difference"] <= TOLERANCE for each in found if each["shown"] is not None)


def test_under_filters_too():
    project = juice()
    [only] = verified(project, "--variety", "ko-KR", "--table", "human-human")[:1]
    assert only["labels"] == ["KR-ko"]


def test_penalties_are_verified_where_errors_cost_points():
    project = juice(("US-en",), 6)
    set_points(project, {"high": 0.1, "medium": 0.3, "low": 5})
    found = [each for each in verified(project) if each["table"] == "penalty-alpha"]
    assert {each["measure"] for each in found} == {"alpha, interval", "alpha, ordinal"}
    assert all(each["agrees"] for each in found)


def test_a_planted_defect_is_found_and_its_place_named(monkeypatch):
    project = juice()
    right = alpha_module.alpha

    def wrong(*arguments, **options) -> Figure:
        figure = right(*arguments, **options)
        return figure if figure.value is None else Figure(figure.value + 2e-9, figure.n)

    monkeypatch.setattr("agreement.alpha.alpha", wrong)
    with pytest.raises(CommandError) as failed:
        call_command("agreement", project.slug, "--verify", stdout=io.StringIO())
    assert failed.value.returncode == 1
    assert "classification-kappa: All coders, alpha: Cohen's kappa" in str(failed.value)
    assert "human-human" not in str(failed.value), "the unitizing alpha is another function's"


def test_a_defect_in_unitizing_is_found(monkeypatch):
    project = juice(("US-en",), 6)
    monkeypatch.setattr("agreement.unitizing.unitizing_alpha", lambda *_columns: Figure(0.5, 2))
    with pytest.raises(CommandError, match="human-human: US-en: unitizing alpha"):
        call_command("agreement", project.slug, "--verify", stdout=io.StringIO())


def test_a_value_where_none_is_defined_is_a_difference():
    alike = Ratings(np.array([1, 1]), np.array([3, 3]), "nominal")
    [undefined, invented] = compared(
        [
            Shown("t", ("a",), "alpha", Figure.without_value("no variation"), alike),
            Shown("t", ("b",), "alpha", Figure(1.0, 2), alike),
        ]
    )
    assert undefined.agrees
    assert not invented.agrees


def test_a_project_without_answers_and_without_judges_has_nothing_to_recompute(project):
    assert verified(project) == []


def test_scales_of_two_grades_beside_scales_of_five():
    project = Project.objects.create(slug="scales", name="Scales", preset="ratings", areas=["ratings"])
    dimension = Dimension.objects.create(project=project, slug="d", name="D, with a comma")
    raters = [Rater.objects.create(project=project, kind="human", name=f"R{n}") for n in range(3)]
    generator = np.random.default_rng(5)
    for slug, low, high in (("yes-no", 0, 1), ("five", 1, 5)):
        question = QuestionType.objects.create(
            project=project, dimension=dimension, slug=slug, name=f'{slug} "quoted"', lowest=low, highest=high
        )
        for number in range(8):
            response = add_response(project, f"{slug}-{number}", "Text.", "ar-EG")
            for rater in raters:
                grade = float(generator.integers(low, high + 1))
                Rating.objects.create(question=question, response=response, rater=rater, first_grade=grade)
    found = verified(project)
    assert {each["table"] for each in found} == {"ratings-by-dimension", "ratings-by-question", "ratings-by-variety"}
    assert all(each["agrees"] and each["shown"] is not None for each in found)


def test_many_units_are_put_together_from_parts(monkeypatch):
    counts = np.random.default_rng(3).integers(0, 3, (500, 4))
    levels = ("nominal", "ordinal", "interval", "ratio")
    domain = np.array([0.5, 1, 2, 4])
    whole = [package_alpha(counts, domain, level) for level in levels]
    monkeypatch.setattr(verification, "MAX_CELLS", 100)
    assert [package_alpha(counts, domain, level) for level in levels] == pytest.approx(whole, abs=1e-12)


def test_unitizing_is_recomputed_with_spans_that_touch_overlap_or_are_missing():
    generator = np.random.default_rng(8)
    for _ in range(40):
        lengths = generator.integers(5, 60, 4)
        texts = np.repeat(np.arange(4), generator.integers(1, 4, 4))
        answer = np.sort(generator.integers(0, len(texts), 12))
        start = np.array([generator.integers(0, lengths[texts[one]]) for one in answer])
        end = np.array([generator.integers(at, lengths[texts[one]] + 1) for one, at in zip(answer, start, strict=True)])
        ours = unitizing_alpha(lengths, texts, answer, start, end)
        theirs = Unitizings(lengths, texts, answer, start, end).recomputed()
        assert (ours.value is None) == (theirs is None)
        if theirs is not None:
            assert theirs == pytest.approx(ours.value, abs=1e-12)


@pytest.fixture
def study(project):
    """A small study and its lead."""
    made = juice(("US-en",), 4)
    return made, join(person("lead-of-juice@example.org", "Lina"), made, "lead")


def test_the_button_in_the_recipe_shows_both_numbers(study):
    project, lead = study
    client = signed_in(lead)
    page = client.get(f"/p/{project.slug}/results/human-human/").content.decode()
    address = f"/p/{project.slug}/results/verified/?table=human-human"
    assert f'hx-get="{address}"' in page
    assert "?table=errors-per-response" not in page, "there is no alpha"
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "krippendorff 0." in part
    assert "unitizing alpha" in part
    assert "<html" not in part
    assert "<html" in client.get(address).content.decode(), "without scripts it is a page"


def test_a_difference_is_said_on_the_page(study, monkeypatch):
    project, lead = study
    monkeypatch.setattr("agreement.unitizing.unitizing_alpha", lambda *_columns: Figure(0.5, 2))
    part = signed_in(lead).get(f"/p/{project.slug}/results/verified/").content.decode()
    assert "differs" in part
    assert 'role="alert"' in part


def test_of_many_answers_a_worker_recomputes_them(study, monkeypatch):
    project, lead = study
    monkeypatch.setattr(warming, "FEW_ANSWERS", 3)
    client = signed_in(lead)
    address = f"/p/{project.slug}/results/verified/?table=human-human"
    waiting = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert 'hx-trigger="every 1s"' in waiting
    work_on(Job.objects.get(kind="figures").pk)
    assert "unitizing alpha" in client.get(address, headers={"HX-Request": "true"}).content.decode()


def test_an_annotator_does_not_see_them(study, mona):
    project, _lead = study
    assert signed_in(mona).get(f"/p/{project.slug}/results/verified/").status_code == 404


def test_in_another_language_the_labels_are_the_tables(study):
    project, _lead = study
    with translation.override("id"):
        assert {each["labels"][0] for each in verified(project, "--table", "human-human")} == {"US-en"}


def test_why_there_is_no_alpha_is_said_in_the_readers_language(project, nour):
    add_response(project, "alone", "Some words.", "ar-EG")
    page = signed_in(nour).get("/p/feasts/results/verified/", headers={"accept-language": "ar"}).content.decode()
    assert "غير معرّف" in page
    assert "(no items)" not in page
