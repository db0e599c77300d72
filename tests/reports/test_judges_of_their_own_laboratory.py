"""A published study asked judges about models of their own laboratory. It comes in whole: such answers are marked, no
ranked figure takes them in, and one table tells what they are there for."""

import io
import json

import pytest

from annotation.models import GoldError, Marking, Rating, Span
from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from formats.importing.running import run_import
from formats.reading import Source
from judging.ensembles import panel_kind
from judging.ensembles.assembling import assemble
from projects.models import Laboratory, Project, Rater, TargetModel
from reports.dashboard.tables import by_id
from reports.frames import markings, preferences, ratings
from reports.ratings.dashboard import RATINGS
from reports.rubrics.dashboard import RUBRICS
from reports.spans.dashboard import SPANS
from rubrics.models import Grade
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.judging.panelling import panel_of
from tests.people import add_response
from tests.reports.perle import study
from tests.reports.test_a_laboratory_is_settled_later import OF_OWN, all_but_names

pytestmark = pytest.mark.django_db

WORDS = "واحد اتنين تلاتة أربعة خمسة 🍚 ستة سبعة"
SIMBA = {"rater": "Simba", "rater_kind": "judge", "model": "simba-2", "laboratory": "Reef"}
ORCA = {"rater": "Orca", "rater_kind": "judge", "model": "orca-1", "laboratory": "Deep"}
MONA = {"rater": "Mona", "rater_kind": "human"}


def bring(project: Project, lines: list[dict], **options):
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    outcome = run_import(project, Source(io.BytesIO(content)), "answers", **options)
    assert outcome.is_clean, outcome.problems
    return outcome


@pytest.fixture
def reef(db) -> Laboratory:
    reef = Laboratory.objects.create(slug="reef", name="Reef")
    TargetModel.objects.create(name="Coral-1", laboratory=reef)
    return reef


def without_own(tables) -> list:
    return [row for row in all_but_names(tables) if not row[0].endswith(OF_OWN)]


# --- Ratings ---


@pytest.fixture
def rated(project, reef) -> tuple[Project, list[dict]]:
    """Twelve responses, six of them Coral's, and six pairs, all of Coral against Nile. Alone, Simba gives Coral two
    grades more than Mona does, and Nile as many."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    lines: list[dict] = []
    for number in range(12):
        model = ("Nile-7B", "Coral-1")[number % 2]
        add_response(feasts, f"r{number}", "اتفضل " * (number + 1), "ar-EG", model)
        by_mona = 1 + number % 3
        said = {"kind": "ratings", "question": question.slug, "item": f"r{number}"}
        lines.append({**said, **MONA, "grade": by_mona})
        lines.append({**said, **SIMBA, "grade": by_mona + 2 * (model == "Coral-1")})
        lines.append({**said, **ORCA, "grade": by_mona})
    for number in range(6):
        pair_of(feasts, f"p{number}", question=question, models=("Nile-7B", "Coral-1"))
        said = {"kind": "ratings", "question": question.slug, "pair": f"p{number}"}
        # Mona finds Coral better in two of six, Simba in four, and once as good.
        lines.append({**said, **MONA, "first": 3, "second": 4 if number < 2 else 2})
        lines.append({**said, **SIMBA, "first": 3, "second": (5, 5, 5, 5, 3, 1)[number]})
    for line in lines:
        line.pop("question")
    return feasts, lines


def test_a_study_of_ratings_comes_in_and_tells_what_its_judges_prefer(rated):
    feasts, lines = rated
    told = bring(feasts, lines, dry_run=True)
    assert told.counts["own laboratory"] == 12
    bring(feasts, lines)
    tables = RATINGS.tables(feasts)
    [row] = by_id(tables, "self-preference").rows
    beyond, difference, own, others = row.figures
    assert (row.labels, row.marks) == (("Simba",), ())
    # Coral alone: Mona 2, 1, 3, 2, 1, 3 and two more each. Nile: 1, 3, 2, 1, 3, 2. In pairs Nile 3; Coral 4, 4, 2 ...
    graded_own = [4, 3, 5, 4, 3, 5, 5, 5, 5, 5, 3, 1]
    graded_others = [1, 3, 2, 1, 3, 2, 3, 3, 3, 3, 3, 3]
    people_own = [2, 1, 3, 2, 1, 3, 4, 4, 2, 2, 2, 2]
    assert own.value == pytest.approx(sum(graded_own) / 12)
    assert others.value == pytest.approx(sum(graded_others) / 12)
    assert difference.value == pytest.approx(own.value - others.value)
    assert beyond.value == pytest.approx(own.value - sum(people_own) / 12)
    assert beyond.low < beyond.value < beyond.high
    [wins] = by_id(tables, "self-preference-wins").rows
    assert [figure.value for figure in wins.figures] == pytest.approx([4.5 / 6 - 2 / 6, 4.5 / 6, 2 / 6])
    recipe = by_id(tables, "self-preference").recipe
    assert recipe.extras["answers about models of the judge's own laboratory"] == {"Simba": 12}
    assert not any(name.startswith("left out: answers about") for name in recipe.extras)


def test_no_other_figure_of_ratings_takes_them_in(rated):
    feasts, lines = rated
    bring(feasts, lines)
    with_them = without_own(RATINGS.tables(feasts))
    simba = Rating.objects.filter(rater__name="Simba")
    simba.exclude(response__target_model__name="Nile-7B").delete()
    assert with_them == without_own(RATINGS.tables(feasts))
    assert by_id(RATINGS.tables(feasts), "self-preference") is None


def test_each_such_answer_is_marked_and_not_counted_in_the_frames(rated):
    feasts, lines = rated
    bring(feasts, lines)
    found = ratings(feasts)
    own = found[found.own_laboratory]
    assert set(own.rater) == {"Simba"}
    assert len(own) == 6 + 2 * 6  # a rating of a pair grades two responses
    assert not own.is_counted.any()
    assert found[~found.own_laboratory].is_counted.all()
    paired = preferences(feasts)
    assert paired[paired.rater == "Simba"].own_laboratory.all()
    assert not paired[paired.rater == "Mona"].own_laboratory.any()


def test_a_panel_is_made_without_them(rated):
    feasts, lines = rated
    third = {"rater": "Squid", "rater_kind": "judge", "model": "squid-1", "laboratory": "Ink"}
    more = [{**line, **third} for line in lines if line["rater"] == "Orca"]
    bring(feasts, [*lines, *more])
    members = list(Rater.objects.filter(project=feasts, kind="judge"))
    assemble(panel_of(members, "ratings", name="All of them", least_members=3))
    answered = Rating.objects.filter(rater__name="All of them")
    assert set(answered.values_list("response__target_model__name", flat=True)) == {"Nile-7B"}


def test_members_of_a_panel_are_weighed_without_them(rated):
    """Simba is always right about Nile and never about Coral: alone it would weigh less for what does not count."""
    feasts, lines = rated
    bring(feasts, lines)
    simba = Rater.objects.get(name="Simba")
    prompts = list(feasts.prompts.values_list("pk", flat=True))
    agreement = panel_kind("ratings").agreement(feasts, [simba.pk], prompts)[simba.pk]
    assert (agreement.value, agreement.n) == (1.0, 6)


# --- Spans ---


def test_a_study_of_errors_comes_in_and_neither_reviewers_nor_gold_get_its_own_judges_errors(project, reef):
    """Simba marks one error in each of Coral's six responses and two in Nile's, Mona two in each. Reviewers of that
    study kept an error of Simba in a text of Coral."""
    lines: list[dict] = []
    for number in range(12):
        model = ("Nile-7B", "Coral-1")[number % 2]
        key = f"s{number}"
        add_response(project, key, WORDS, "ar-EG", model)

        def spans(rater: str, count: int, key: str = key) -> list[dict]:
            quotes = ("واحد", "أربعة خمسة 🍚")[:count]
            said = {"type": "cultural", "criticality": "high", "explanation": "غلط"}
            return [{"id": f"{key}-{rater}-{at}", "quote": quote, **said} for at, quote in enumerate(quotes)]

        lines.append({"kind": "spans", "item": key, **MONA, "spans": spans("mona", 2)})
        count = 2 if model == "Nile-7B" else 1
        lines.append({"kind": "spans", "item": key, **SIMBA, "spans": spans("simba", count)})
    kept = [{"span": "s1-simba-0", "verdict": "keep"}, {"span": "s1-mona-1", "verdict": "keep"}]
    lines.append({"kind": "reviews", "item": "s1", "rater": "Karim", "rater_kind": "human", "reviews": kept})
    assert bring(project, lines).counts["own laboratory"] == 6
    assert Marking.objects.filter(is_evaluation=True).count() == 6
    assert set(GoldError.objects.values_list("key", flat=True)) == {"s1-mona-1"}
    [row] = by_id(SPANS.tables(project), "self-preference").rows
    assert [figure.value for figure in row.figures] == pytest.approx([-1, -1, 1, 2])
    frame = markings(project)
    assert sorted(frame[frame.own_laboratory].response_key) == ["s1", "s11", "s3", "s5", "s7", "s9"]
    before = without_own(SPANS.tables(project))
    Span.objects.filter(rater__name="Simba", response__target_model__name="Coral-1").delete()
    Marking.objects.filter(rater__name="Simba", response__target_model__name="Coral-1").delete()
    assert before == without_own(SPANS.tables(project))


# --- Rubrics ---


def test_grades_by_rubric_are_told_apart_too():
    perle = study(prompts=6)
    [model] = TargetModel.objects.filter(name="Palm-1")
    lenient = perle.judges["lenient"]
    lenient.laboratory = model.laboratory
    lenient.save(update_fields=["laboratory"])
    own = Grade.objects.filter(rater=lenient, response__target_model=model)
    others = Grade.objects.filter(rater=lenient).exclude(response__target_model__laboratory=model.laboratory)
    [row] = [row for row in by_id(RUBRICS.tables(perle.project), "self-preference").rows if "lenient" in row.labels[0]]
    means = [sum(100 * grade.raw / grade.maximum for grade in some) / len(some) for some in (own, others)]
    assert [figure.value for figure in row.figures[1:]] == pytest.approx([means[0] - means[1], *means])


# --- A whole project ---


def test_an_archive_brings_them_and_the_figures_are_the_same(rated):
    feasts, lines = rated
    bring(feasts, lines)
    before = by_id(RATINGS.tables(feasts), "self-preference")
    out = io.BytesIO()
    write_archive(feasts, out)
    there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue()), "there", None).project)
    assert Rating.objects.filter(question__project=there, rater__name="Simba").count() == 18
    after = by_id(RATINGS.tables(there), "self-preference")
    assert [row.figures for row in after.rows] == [row.figures for row in before.rows]


def test_who_saw_neither_kind_has_no_row(rated):
    feasts, lines = rated
    bring(feasts, [line for line in lines if line["rater"] != "Simba"])
    assert by_id(RATINGS.tables(feasts), "self-preference") is None
