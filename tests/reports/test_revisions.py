"""Figures are kept under revisions that every write of a measured row moves, whoever writes it and how."""

import threading

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from annotation.models import Classification, Rating, Review, Span
from projects.insertion import insert_rows
from projects.models import LanguageVariety, Rater
from reports.dashboard import dashboards
from reports.dashboard.freshness import measured, triggers
from reports.dashboard.freshness.revisions import compact, revisions
from reports.models import ALL, DataRevision
from reports.ratings.dashboard import RATINGS
from reports.rubrics.dashboard import RUBRICS
from reports.spans.dashboard import SPANS
from reports.texts.dashboard import TEXTS
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import signed_in
from tests.reports.juice import juice
from tests.reports.perle import study
from tests.statements import statements

MEASURED = {entry.table for entry in measured.MEASURED}
ANSWERS = {entry.table for entry in (*measured.TEXTS, *measured.ANSWERS, *measured.CALLS)}
IS_ONES_OWN = "what is read of it stands by its value in the key of every figure or of the finished tables"
IS_FROZEN = "of frozen question sets alone, which never change"
NOT_MEASURED = {
    "projects_project": IS_ONES_OWN,
    "annotation_errorcategory": IS_ONES_OWN,
    "annotation_categorychange": IS_ONES_OWN,
    "annotation_acceptance": IS_ONES_OWN,
    "annotation_acceptancemember": IS_ONES_OWN,
    "json_each": "a list of ids",
    "annotation_errorscheme": IS_ONES_OWN,
    "annotation_ratingsettings": IS_ONES_OWN,
    "projects_label": IS_ONES_OWN,
    "projects_questiontype": IS_ONES_OWN,
    "projects_dimension": IS_ONES_OWN,
    "workflow_stage": IS_ONES_OWN,
    "workflow_workitem": "progress is counted afresh for every page",
    "judging_judgeprompt": IS_ONES_OWN,
    "benchmark_question": IS_FROZEN,
    "benchmark_skill": IS_FROZEN,
    "judging_promptversion": "never changes once a run is pinned to it",
    "judging_run": "its project, judge and prompt version never change",
    "reports_datarevision": "the revisions themselves",
}


def new_figures(read, project) -> set[str]:
    """Tables that a dashboard looks at when nothing is kept."""
    cache.clear()
    with statements() as sent:
        assert any(table.rows for table in read(project))
    return sent.tables()


def ratings_of(project):
    feasts = make_ratings_project(project)
    formality = question_type(feasts)
    people = [Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim")]
    judge = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    for tag in ("ar-EG", "ar-IQ"):
        pair = pair_of(feasts, tag, tag=tag, question=formality)
        for at, rater in enumerate((*people, judge)):
            rate(pair, rater, formality, 3 + at % 2, 2)
    return feasts


# --- What is measured --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_whatever_a_dashboard_reads_is_measured_or_says_why_not(project):
    looked_at = (
        new_figures(SPANS.tables, juice(per_setting=3))
        | new_figures(RUBRICS.tables, study(prompts=4, calibrated=2, regraded=2).project)
        | new_figures(RATINGS.tables, ratings_of(project))
        | new_figures(TEXTS.tables, project)
    )
    assert looked_at >= {"annotation_span", "annotation_rating", "rubrics_verdict", "judging_call"}
    assert looked_at - MEASURED - NOT_MEASURED.keys() == set()


@pytest.mark.django_db
def test_every_measured_table_has_its_triggers():
    there = triggers.present(connection)
    assert set(there.values()) == MEASURED
    assert len(there) == sum(len(entry.events) for entry in measured.MEASURED)


@pytest.mark.django_db
@pytest.mark.every_case
@pytest.mark.parametrize("table", sorted(MEASURED))
def test_the_database_understands_every_trigger(table):
    """A function of PostgreSQL is read when it is first called; a statement without rows calls it, too."""
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} SELECT * FROM {table} WHERE 1 = 0")
        [key] = {entry.key for entry in measured.MEASURED if entry.table == table}
        cursor.execute(f"UPDATE {table} SET {key} = {key} WHERE 1 = 0")
        cursor.execute(f"DELETE FROM {table} WHERE 1 = 0")


@pytest.mark.django_db
def test_on_sqlite_a_migration_meets_no_trigger_that_names_its_tables():
    config = apps.get_app_config("reports")
    triggers.before_migration(config, "default", plan=[(None, False)])
    left = triggers.present(connection)
    assert (left == {}) == (connection.vendor == "sqlite")
    triggers.after_migration(config, "default")
    assert set(triggers.present(connection).values()) == MEASURED


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["results", "rubric-results", "rating-results", "rater-results", "judge-costs"])
def test_a_page_that_has_nothing_new_looks_at_no_answer(project, nour, page):
    preset = dashboards.of_page(page).area
    if preset == "rubrics":
        project = study(prompts=4, calibrated=2, regraded=2).project
    elif preset == "spans":
        project = juice(per_setting=3)
    elif preset == "ratings":
        project = ratings_of(project)
    project.memberships.get_or_create(user=nour, role="lead")
    nours, address = signed_in(nour), reverse(page, args=[project.slug])
    first = nours.get(address)
    with statements() as sent:
        second = nours.get(address)
    assert first.status_code == second.status_code == 200
    assert len(first.content) == len(second.content)
    assert sent.of(ANSWERS) == []


# --- What moves a revision ---------------------------------------------------------------------------


def moved(project, before) -> set[tuple[str, str]]:
    """Tag of the variety and part of each revision that is another than before."""
    after = revisions(project).places
    tags = dict(LanguageVariety.objects.values_list("id", "tag")) | {ALL: ""}
    return {(tags[variety], part) for variety, part in after if after[variety, part] != before.get((variety, part))}


@pytest.fixture
def feasts(project):
    return ratings_of(project)


def change_by_queryset(rows):
    Rating.objects.filter(pk__in=rows).update(first_grade=5)


def change_by_sql(rows):
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE annotation_rating SET first_grade = %s WHERE id = %s", [(5, pk) for pk in rows])


def change_one_by_one(rows):
    for rating in Rating.objects.filter(pk__in=rows):
        rating.first_grade = 5
        rating.save()


def change_in_bulk(rows):
    ratings = list(Rating.objects.filter(pk__in=rows))
    for rating in ratings:
        rating.first_grade = 5
    Rating.objects.bulk_update(ratings, ["first_grade"])


def take_away(rows):
    Rating.objects.filter(pk__in=rows).delete()


WAYS = [change_by_queryset, change_by_sql, change_one_by_one, change_in_bulk, take_away]


@pytest.mark.django_db
@pytest.mark.parametrize("write", WAYS)
def test_every_way_to_write_moves_the_revision_of_its_place_alone(feasts, write):
    mine = Rating.objects.filter(rater__name="Mona", pair__variety__tag="ar-IQ")
    before = revisions(feasts).places
    write(list(mine.values_list("pk", flat=True)))
    assert moved(feasts, before) == {("ar-IQ", "ratings of people")}


@pytest.mark.django_db
@pytest.mark.parametrize("in_bulk", [True, False])
def test_new_rows_move_the_revision_however_they_come(feasts, in_bulk):
    judge, other = (Rater.objects.create(project=feasts, kind="judge", name=name) for name in ("Nala", "Kiara"))
    pair = feasts.pairs.get(variety__tag="ar-EG")
    question = feasts.question_types.get(ratings__pair=pair, ratings__rater__name="Mona")
    before = revisions(feasts).places
    if in_bulk:
        Rating.objects.bulk_create(
            Rating(question=question, pair=pair, rater=one, first_grade=2, second_grade=1) for one in (judge, other)
        )
    else:
        fields = {
            **{"question": question.pk, "pair": pair.pk, "response": None, "round": 1, "is_swapped": False},
            **{"is_of_both_orders": False, "first_grade": 2, "second_grade": 1, "preference": "", "metadata": "{}"},
            **{"is_unparseable": False, "comment": "", "is_check": False, "created_at": timezone.now()},
        }
        rows = [(*fields.values(), one.pk) for one in (judge, other)]
        insert_rows(Rating, [*fields, "rater"], rows)
    assert moved(feasts, before) == {("ar-EG", "ratings of judges")}


@pytest.mark.django_db
def test_what_figures_do_not_count_moves_nothing(feasts):
    before = revisions(feasts).places
    Rating.objects.update(comment="well said")
    rate(feasts.pairs.first(), Rater.objects.first(), feasts.question_types.first(), 1, 1, is_check=True, round=7)
    assert moved(feasts, before) == set()


@pytest.mark.django_db
def test_an_answer_that_turns_into_one_to_a_check_moves_the_revision(feasts):
    before = revisions(feasts).places
    Rating.objects.filter(rater__name="Simba", pair__variety__tag="ar-EG").update(is_check=True)
    assert moved(feasts, before) == {("ar-EG", "ratings of judges")}


@pytest.mark.django_db
def test_a_row_with_any_id_changes_its_figures(feasts):
    """Ids that are multiples of 1,009 once weighed nothing."""
    mine = Rating.objects.filter(rater__name="Mona", pair__variety__tag="ar-EG")
    mine.update(id=2 * 1009)
    before = [table.as_json() for table in RATINGS.tables(feasts)]
    Rating.objects.filter(id=2 * 1009).update(first_grade=5)
    after = [table.as_json() for table in RATINGS.tables(feasts)]
    changed = {old["id"] for old, new in zip(before, after, strict=True) if old["rows"] != new["rows"]}
    assert "ratings-by-dimension" in changed


@pytest.mark.django_db
def test_a_classification_with_any_id_changes_its_figures(answered, project, karim):
    coder = project.raters.get(user=karim)
    category = Classification.objects.first().category
    Classification.objects.create(
        pk=3 * 1009, span=Span.objects.get(pk=answered["nightly"].pk), rater=coder, category=category
    )
    others = project.error_categories.exclude(pk=category.pk)
    before = [table.as_json()["rows"] for table in SPANS.tables(project)]
    Classification.objects.filter(pk=3 * 1009).update(category=others.first())
    assert [table.as_json()["rows"] for table in SPANS.tables(project)] != before


@pytest.mark.django_db
def test_what_was_rolled_back_is_never_taken_for_what_came_instead(feasts):
    mine = Rating.objects.filter(rater__name="Mona", pair__variety__tag="ar-EG")
    before = revisions(feasts)
    with transaction.atomic():
        mine.update(first_grade=5)
        undone = revisions(feasts)
        transaction.set_rollback(True)
    assert revisions(feasts) == before
    mine.update(first_grade=1)
    assert revisions(feasts) not in (before, undone)


@pytest.mark.django_db
def test_putting_revisions_together_changes_no_state(feasts):
    for grade in (1, 2, 3, 4):
        Rating.objects.update(first_grade=grade)
    DataRevision.objects.create(project_id=10**9, variety_id=1, part="spans", writes=1, token=1)  # of one long gone
    before = revisions(feasts)
    rows = DataRevision.objects.count()
    gone = compact()
    assert revisions(feasts) == before
    assert DataRevision.objects.count() == rows - gone < rows
    places = list(DataRevision.objects.values_list("project_id", "variety_id", "part"))
    assert len(places) == len(set(places))
    assert compact() == 0


@pytest.mark.django_db
def test_what_was_written_without_triggers_makes_every_figure_anew(feasts):
    """A migration may take the triggers away and write meanwhile."""
    before = revisions(feasts)
    triggers.remove(connection, triggers.present(connection))
    Rating.objects.update(first_grade=4)
    assert revisions(feasts) == before
    triggers.install(connection)
    assert set(triggers.present(connection).values()) == MEASURED
    assert revisions(feasts).everywhere != before.everywhere
    settled = revisions(feasts)
    triggers.install(connection)
    assert revisions(feasts) == settled


# --- Several writers -----------------------------------------------------------------------------------


def in_own_connection(work):
    """Run in a thread, with a connection of its own; what it raises is raised."""
    problems = []

    def run():
        try:
            work()
        except Exception as problem:
            problems.append(problem)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(timeout=60)
    assert not thread.is_alive(), "it waited for somebody"
    if problems:
        raise problems[0]


@pytest.fixture
def two_verdicts(transactional_db, project, koshari, mona, karim):
    from tests.annotation.marked import mark, review

    spans = mark(koshari, mona, "على السحور", "الفراعنة")
    return [review(span, karim, "keep") for span in spans]


@pytest.mark.postgres
def test_who_commits_late_moves_the_state_and_holds_nobody_up(project, two_verdicts):
    first, second = two_verdicts

    def change_the_other():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
        Review.objects.filter(pk=second.pk).update(verdict="reject")

    begun = revisions(project)
    with transaction.atomic():
        Review.objects.filter(pk=first.pk).update(verdict="reject")
        mine = DataRevision.objects.filter(part="reviews").latest("pk").pk
        in_own_connection(change_the_other)  # in the same project, variety and part
        theirs = DataRevision.objects.filter(part="reviews").latest("pk").pk
        seen = []
        in_own_connection(lambda: seen.append(revisions(project)))
    assert theirs > mine, "the one that commits last has the earlier row"
    [between] = seen
    assert len({str(state.places) for state in (begun, between, revisions(project))}) == 3


@pytest.mark.postgres
def test_revisions_are_put_together_beside_a_writer(project, two_verdicts):
    first, second = two_verdicts
    for verdict in ("reject", "keep", "reject"):
        Review.objects.filter(pk=second.pk).update(verdict=verdict)
    with transaction.atomic():
        Review.objects.filter(pk=first.pk).update(verdict="reject")
        in_own_connection(compact)
        in_between = revisions(project)
    assert revisions(project) == in_between
    assert compact() > 0
    assert revisions(project) == in_between
