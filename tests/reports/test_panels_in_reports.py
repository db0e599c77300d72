"""A panel in figures and files: shown beside judges, never counted as one of them, and read back as it went out."""

import io
import json

import pytest

from annotation.models import GoldError, Rating, Span
from annotation.receivers import answers_changed
from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from formats.importing.running import run_import
from formats.reading import Source
from judging.ensembles.assembling import assemble
from judging.ensembles.weighing import held_out
from projects.laboratories import settle
from projects.models import Laboratory, Project, Rater, TargetModel
from projects.own_laboratories import touched
from reports.dashboard.tables import by_id
from reports.frames import ratings
from reports.ratings import card as rating_card
from reports.ratings import gold as rating_gold
from reports.ratings.dashboard import RATINGS
from reports.rubrics import card as rubric_card
from reports.rubrics import gold as rubric_gold
from reports.rubrics.dashboard import RUBRICS
from reports.spans import gold
from reports.spans.dashboard import SPANS
from rubrics.models import Grade
from tests.annotation.marked import mark, review
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.elsewhere import elsewhere
from tests.judging.grading import LENTILS, PHARAOHS, RAMADAN, RICE, VINEGAR, ask, freeze, reference, respond
from tests.judging.panelling import grade_as, judges, panel_of, rates
from tests.people import EGYPTIAN, add_response, signed_in
from tests.reports.test_a_laboratory_is_settled_later import MARK
from tests.reports.test_judges_of_their_own_laboratory import without_own
from tests.rubrics.files import JUDGE, grade_line, negative, rubric_line, stored, verdicts
from tests.rubrics.rubrics import make_rubrics_project

TRUE = {LENTILS: "pass", RICE: "pass", VINEGAR: "fail", PHARAOHS: "present", RAMADAN: "present"}


def table_of(tables, name: str):
    return next(table for table in tables if table.id == name)


def row_of(table, label: str):
    return next(row for row in table.rows if row.labels[0] == label)


def bring(project: Project, content: bytes, kind: str) -> None:
    run_import(project, Source(io.BytesIO(content)), kind)


# --- Rubrics ---


@pytest.fixture
def graded(project, salma) -> list[Grade]:
    """Twelve first gradings; Amber and Birch agree with them, Cedar passes vinegar as well."""
    make_rubrics_project(project)
    grader = Rater.objects.get(user=salma)
    references = []
    for number in range(12):
        prompt = ask(project, f"p{number}")
        references.append(reference(respond(prompt), freeze(prompt, grader), grader, passed=(LENTILS, RICE)))
    amber, birch, cedar = judges(project)
    for one in references:
        grade_as(amber, one, TRUE)
        grade_as(birch, one, TRUE)
        grade_as(cedar, one, {**TRUE, VINEGAR: "pass"})
    return references


def members(project) -> list[Rater]:
    return list(Rater.objects.filter(project=project, kind="judge").exclude(Rater.PANELS).order_by("name"))


def test_a_panel_of_graders_stands_beside_them_and_does_not_move_what_they_have_in_common(project, graded):
    before = RUBRICS.tables(project)
    panel = panel_of(members(project), "rubric", name="The three")
    assemble(panel)
    after = RUBRICS.tables(project)
    row = row_of(table_of(after, "judges-against-people"), "The three")
    # Cedar is outvoted: no distance from people at all. Cedar's own is 6 of 24 points, 25 percentage points.
    assert (row.figures[0].value, row.figures[2].detail["scored"]) == (0.0, 12)
    assert row.marks == ("panel",)
    assert row_of(table_of(after, "judges-against-people"), "Cedar").figures[0].value == pytest.approx(25)
    # (0 + 0 + 25) / 3 over all pairs of response and judge, with the panel as without it.
    of_targets = [table_of(tables, "targets") for tables in (before, after)]
    assert [[figure.value for figure in row.figures] for row in of_targets[1].rows] == [
        [figure.value for figure in row.figures] for row in of_targets[0].rows
    ]
    assert of_targets[1].rows[0].figures[0].value == pytest.approx(25 / 3)
    assert of_targets[1].recipe.n_raters == of_targets[0].recipe.n_raters


def test_a_weighted_panel_is_compared_with_people_on_the_other_half_alone(project, graded):
    panel = panel_of(members(project), "rubric", name="Weighed", rule="weighted")
    assemble(panel)
    assert Grade.objects.filter(rater=panel.rater).count() == 12
    table = table_of(RUBRICS.tables(project), "judges-against-people")
    row = row_of(table, "Weighed")
    weighing = len(held_out(panel))
    assert 0 < weighing < 12
    assert row.figures[0].n == 12 - weighing
    assert row.marks == ("panel", "held out")
    assert "left out: weighted panels" in table.recipe.extras
    assert row_of(table, "Amber").figures[0].n == 12


def test_rubric_gold_with_a_panel_comes_back_byte_by_byte(project, koshari, mona, other_project):
    make_rubrics_project(project)
    stored(project, "rubrics", rubric_line())
    told = {
        "Amber": ("pass", "pass", "absent"),
        "Birch": ("pass", "fail", "absent"),
        "Cedar": ("pass", "fail", "present"),
    }
    stored(
        project,
        "grades",
        grade_line(negative(), rater="Mona Adel"),
        *(
            grade_line(
                **{**JUDGE, "rater": name, "model": f"{name}-1", "laboratory": f"{name} Lab", "negatives": ...},
                verdicts=verdicts(c1=c1, c2=c2, n1=n1),
            )
            for name, (c1, c2, n1) in told.items()
        ),
    )
    assemble(panel_of(members(project), "rubric", name="The three"))
    file = b"".join(rubric_gold.lines(project))
    [said] = [each for each in json.loads(file)["rubrics"][0]["grades"] if each["name"] == "The three"]
    assert (said["model"], said["laboratory"], said["role"]) == (None, None, "judge")
    assert {each["criterion"]: each["value"] for each in said["verdicts"]} == {
        "c1": "pass",
        "c2": "fail",
        "n1": "absent",
    }
    members_of_it = said["metadata"]["panel"]["members"]
    assert [each["model"] for each in members_of_it] == [f"{each['name']}-1" for each in members_of_it]
    make_rubrics_project(other_project)
    # However the laboratory of a member is spelled, the response is one of its own: both are Delta Lab's.
    whole = json.loads(file)
    [panel] = [each for each in whole["rubrics"][0]["grades"] if each["name"] == "The three"]
    panel["metadata"]["panel"]["members"][0]["laboratory"] = "DELTA_Lab"
    source = Source(io.BytesIO(json.dumps(whole).encode() + b"\n"))
    outcome = run_import(other_project, source, "rubric-gold", dry_run=True)
    assert (outcome.problems, outcome.counts["own laboratory"]) == ([], 1)
    for odd in ("مختبر", "x" * 48_000, "a\nb", " "):
        panel["metadata"]["panel"]["members"][0]["laboratory"] = odd
        source = Source(io.BytesIO(json.dumps(whole, ensure_ascii=False).encode() + b"\n"))
        outcome = run_import(other_project, source, "rubric-gold")
        assert [problem.code for problem in outcome.problems] == ["laboratory_name"]
    bring(other_project, file, "rubric-gold")
    assert Rater.objects.get(project=other_project, name="The three").is_panel
    assert b"".join(rubric_gold.lines(other_project)) == file
    assert "several judges as one" in rubric_card.CARD(project, rubric_card.summarise(project))


# --- Ratings ---


@pytest.fixture
def rated(project, mona, karim, hana):
    make_ratings_project(project)
    formality = question_type(project)
    three = judges(project)
    for number in range(12):
        pair = pair_of(project, f"p{number}", question=formality)
        for person in (mona, karim, hana):
            rate(pair, person, formality, 4, 2)
        for member, grades in zip(three, [(4, 2), (4, 2), (2, 4)], strict=True):
            rates(member, pair, formality, *grades)
    return formality


def test_a_panel_of_raters_stands_beside_them(project, rated):
    assemble(panel_of(members(project), "ratings", name="The three"))
    tables = RATINGS.tables(project)
    row = row_of(table_of(tables, "judges-against-gold"), "The three")
    place = table_of(tables, "judges-against-gold").measures.index("preference accuracy")
    assert row.figures[place].value == 1.0
    assert row.marks == ("panel",)


def test_a_weighted_panel_of_raters_is_compared_on_the_other_half(project, rated, mona, karim, hana):
    Rating.objects.all().delete()
    three = members(project)
    for number, pair in enumerate(project.pairs.order_by("pk")):
        first, second = 1 + number % 5, 5 - number % 5
        for person in (mona, karim, hana, *three[:2]):
            rate(pair, person, rated, first, second)
        rates(three[2], pair, rated, 3, 3)
    panel = panel_of(three, "ratings", name="Weighed", rule="weighted")
    assemble(panel)
    table = table_of(RATINGS.tables(project), "judges-against-gold")
    n = 12 - len(held_out(panel) & set(project.pairs.values_list("prompt_id", flat=True)))
    place = table.measures.index("preference accuracy")
    assert row_of(table, "Weighed").figures[place].n == n
    assert row_of(table, "Amber").figures[place].n == 12


def test_rating_gold_with_a_panel_comes_back_byte_by_byte(project, rated, other_project):
    assemble(panel_of(members(project), "ratings", name="The three", rule="mean"))
    file = b"".join(rating_gold.lines(project))
    [line] = [json.loads(each) for each in file.splitlines() if b'"p0"' in each]
    [said] = [each for each in line["ratings"] if each["name"] == "The three"]
    assert (said["model"], said["laboratory"], said["metadata"]["panel"]["rule"]) == (None, None, "mean")
    Project.objects.filter(pk=other_project.pk).update(areas=["ratings"])
    other_project.refresh_from_db()
    bring(other_project, file, "rating-gold")
    assert b"".join(rating_gold.lines(other_project)) == file
    card = rating_card.CARD(project, rating_card.summarise(project))
    assert "of 3 judges and 1 panels" in card


def test_a_panel_with_a_member_of_the_responses_laboratory_comes_in_marked(project, rated, other_project, tmp_path):
    """Of the study's panel, Amber is of the laboratory that wrote every first response."""
    assemble(panel_of(members(project), "ratings", name="The three"))
    sea = Laboratory.objects.create(slug="sea", name="Sea")
    TargetModel.objects.filter(name="Delta-9B").update(laboratory=sea)
    file = b"".join(rating_gold.lines(project)).replace(b'"laboratory":"amber-lab"', b'"laboratory":"delta-lab"')
    other_project.areas, other_project.preset = ["ratings"], project.preset
    other_project.save()
    outcome = run_import(other_project, Source(io.BytesIO(file)), "rating-gold")
    assert outcome.is_clean, outcome.problems
    assert outcome.counts["own laboratory"] == 24  # twelve pairs, of Amber alone and of all three
    assert own_and_counted(other_project) == {
        "Amber": (24, 0),
        "The three": (24, 0),
        "Birch": (0, 24),
        "Cedar": (0, 24),
    }
    tables = RATINGS.tables(other_project)
    assert {row.labels for row in by_id(tables, "self-preference-wins").rows} == {("Amber",), ("The three",)}
    marked = {row.labels[0] for table in tables for row in table.rows if MARK in row.marks}
    assert marked <= {"Amber", "The three"}
    with_them = without_own(tables)
    out = io.BytesIO()
    write_archive(other_project, out)
    with elsewhere(tmp_path):
        there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue())).project)
        assert own_and_counted(there)["The three"] == (24, 0)
        # Whose model it is may be settled otherwise: then nothing is of a member's own.
        models = TargetModel.objects.select_related("laboratory").in_bulk(field_name="name")
        assert touched(there, models["Nile-7B"], models["Nile-7B"].laboratory) == [("Amber", 12), ("The three", 12)]
        settle(there, models["Nile-7B"], models["Delta-9B"].laboratory, None)
        assert own_and_counted(there)["The three"] == (0, 24)
    Rating.objects.filter(question__project=other_project, rater__name__in=("Amber", "The three")).delete()
    assert with_them == without_own(RATINGS.tables(other_project))


def own_and_counted(project) -> dict[str, tuple[int, int]]:
    """By judge, its grades about models of its own laboratory and those that figures count."""
    found = ratings(project)
    found = found[found.rater_kind == "judge"]
    return {name: (int(rows.own_laboratory.sum()), int(rows.is_counted.sum())) for name, rows in found.groupby("rater")}


def test_who_names_neither_model_nor_members_is_no_judge(project, rated, other_project):
    assemble(panel_of(members(project), "ratings", name="The three"))
    file = b"".join(rating_gold.lines(project)).replace(b'"panel":', b'"committee":')
    Project.objects.filter(pk=other_project.pk).update(areas=["ratings"])
    outcome = run_import(other_project, Source(io.BytesIO(file)), "rating-gold")
    assert {problem.code for problem in outcome.problems} == {"missing"}


def test_nobody_brings_answers_of_a_panel_in_a_file(project, rated):
    assemble(panel_of(members(project), "ratings", name="The three"))
    line = {"kind": "ratings", "pair": "p0", "rater": "The three", "rater_kind": "judge", "first": 1, "second": 5}
    outcome = run_import(project, Source(io.BytesIO(json.dumps(line).encode() + b"\n")), "answers")
    assert {problem.code for problem in outcome.problems} == {"panel"}


# --- Error spans ---


@pytest.fixture
def marked(project, mona, karim):
    three = judges(project)
    for number in range(6):
        response = add_response(project, f"r{number}", EGYPTIAN, "ar-EG")
        found = [*mark(response, mona, "أكلة مصرية"), *mark(response, karim)]
        found += [span for each in three[:2] for span in mark(response, each, "أكلة مصرية")]
        found += mark(response, three[2], "أيام الفراعنة")
        for span in found:
            for person in (mona, karim):
                if span.rater.user != person:
                    review(span, person, "keep" if span.quote == "أكلة مصرية" else "reject")
        answers_changed([response.pk])
    return three


def test_a_panel_of_markers_stands_beside_them(project, marked):
    before = SPANS.tables(project)
    gold_before = b"".join(gold.lines(project))
    panel = panel_of(marked, "spans", name="The three")
    assemble(panel)
    assert Span.objects.filter(rater=panel.rater).count() == 6
    answers_changed(project.responses.values_list("pk", flat=True))
    after = SPANS.tables(project)
    scores = table_of(after, "judge-scores")
    row = row_of(scores, "The three")
    # What the two mark is gold; what Cedar marks is rejected, and no error of the panel.
    assert [figure.value for figure in row.figures[:3]] == [1.0, 1.0, 1.0]
    assert row.marks == ("panel",)
    assert scores.recipe.n_raters == table_of(before, "judge-scores").recipe.n_raters
    # It is reviewed by nobody, awaits no verdict, and the gold is what it was without it.
    assert "The three" not in {label for row in table_of(after, "retained").rows for label in row.labels}
    assert row.figures[3].detail["waiting"] == 0
    assert b"".join(gold.lines(project)) == gold_before
    assert not GoldError.objects.filter(spans__rater=panel.rater).exists()


def test_gold_of_spans_comes_back_byte_by_byte_with_a_panel_in_the_project(project, marked, other_project):
    assemble(panel_of(marked, "spans", name="The three"))
    answers_changed(project.responses.values_list("pk", flat=True))
    file = b"".join(gold.lines(project))
    bring(other_project, file, "gold")
    assert b"".join(gold.lines(other_project)) == file


def test_every_page_of_reports_stands_with_a_panel_in_the_project(project, marked, nour):
    assemble(panel_of(marked, "spans", name="The three"))
    lead = signed_in(nour)
    for place in ("", "responses/", "agreement/", "gold/", "judges/"):
        assert lead.get(f"/p/feasts/{place}").status_code in (200, 302, 404)
    response = project.responses.first()
    shown = lead.get(f"/p/feasts/responses/{response.uuid}/").content.decode()
    assert "panel: The three" in shown
    assert "of a panel" in shown
