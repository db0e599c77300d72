"""A prepared statement means what its queryset means: every use of Django's inside is held against the plain way."""

import gc
import uuid
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    Count,
    DateTimeField,
    Exists,
    F,
    FloatField,
    Func,
    IntegerField,
    JSONField,
    OuterRef,
    Q,
    QuerySet,
    UUIDField,
    Value,
)
from django.db.models.functions import Concat, Greatest, Least
from django.utils import timezone

from projects.models import LanguageVariety, Project, Rater, Response, User
from projects.prepared import Given, Prepared, PreparedUpdate, planned_once
from tests.people import add_response
from tests.threads import at_once
from tests.workflow.explained import statements
from tests.workflow.working import add_responses, marking_stage
from workflow import claims, drafts
from workflow.claims import Lock, _search, claim_next
from workflow.models import Assignment, Draft, Stage, Status, WorkItem
from workflow.task_types import task_types

pytestmark = pytest.mark.django_db
# In the statement it stands with each sign doubled once.
SIGNS = "'50%%%%' || 's %%%% %%%%s'"
AT = datetime(2026, 3, 5, 8, 30, 15, 123456, tzinfo=UTC)


@contextmanager
def plainly(monkeypatch, **values):
    """Meanwhile Django runs what is `Given` like any other value, in its own way throughout."""

    def as_sql(given, _compiler, using):
        return "%s", [given.output_field.get_db_prep_value(values[given.name], using)]

    with monkeypatch.context() as patch:
        patch.setattr(Given, "as_sql", as_sql)
        yield


def contents(row) -> dict:
    """All that an instance holds: its loaded columns, what it is joined to, what was annotated."""
    state = {name: value for name, value in vars(row).items() if name != "_state"}
    cached = {name: value and contents(value) for name, value in row._state.fields_cache.items()}
    return {"type": type(row), "joined": cached, "adding": row._state.adding, "db": row._state.db, **state}


def assert_same(monkeypatch, statement: Prepared, **values) -> list:
    with plainly(monkeypatch, **values):
        expected = [contents(row) for row in statement.make()]
    rows = statement.all(**values)
    assert [contents(row) for row in rows] == expected
    assert [contents(row) for row in statement.all(**values)] == expected, "the second time it is compiled already"
    return rows


# --- Rows -----------------------------------------------------------------------------------------------


@pytest.fixture
def stage(project, koshari, boishakh) -> Stage:
    add_responses(koshari, 5)
    return marking_stage(project, overlap=2)


@pytest.fixture
def turn(stage, mona) -> Assignment:
    taken = claim_next(mona.raters.get(), stage)
    assert taken
    return taken


def test_joins_and_what_is_joined_to_nothing(stage, turn, monkeypatch):
    """`response` and its own joins are there, `prompt` and `pair` are None: both without another query."""
    wanted = Prepared(
        lambda: (
            Assignment.objects.filter(uuid=Given("uuid", UUIDField()), rater__user=Given("user", User))
            .select_related("item__response__variety", "item__prompt", "item__pair", "stage__project", "rater__user")
            .order_by("-pk")
        )
    )
    [row] = assert_same(monkeypatch, wanted, uuid=turn.uuid, user=turn.rater.user_id)
    with statements() as seen:
        assert row.item.response.variety.tag == "ar-EG"
        assert (row.item.prompt, row.item.pair) == (None, None)
        assert row.stage.project.slug == "feasts"
    assert seen == []
    assert wanted.all(uuid=uuid.uuid4(), user=turn.rater.user_id) == []
    assert wanted.first(uuid=turn.uuid, user=0) is None


def test_columns_left_for_later_and_columns_of_ones_own(stage, monkeypatch):
    later = Prepared(lambda: Response.objects.filter(project=Given("project", Project)).order_by("key").only("key"))
    rows = assert_same(monkeypatch, later, project=stage.project_id)
    assert "text" in rows[0].get_deferred_fields()
    assert rows[0].text
    annotated = Prepared(
        lambda: (
            Rater.objects.filter(project=Given("project", Project))
            .annotate(turns=Count("assignments"), greeting=Concat(Given("greeting", CharField()), F("name")))
            .order_by("pk")
        )
    )
    rows = assert_same(monkeypatch, annotated, project=stage.project_id, greeting="Hello, ")
    assert all(row.greeting == f"Hello, {row.name}" and row.turns == 0 for row in rows)


def test_what_is_given_twice_and_within_other_querysets(stage, turn, monkeypatch):
    had = Assignment.objects.filter(item=OuterRef("pk"), rater=Given("rater", Rater))
    free = Prepared(
        lambda: (
            WorkItem.objects.filter(~Exists(had), stage=Given("stage", Stage), open_slots__gt=0)
            .filter(Q(stage=Given("stage", Stage)) | Q(pk=Given("item", WorkItem)))
            .order_by("position")[:3]
        )
    )
    values = {"rater": turn.rater_id, "stage": stage.pk, "item": turn.item_id}
    assert turn.item not in assert_same(monkeypatch, free, **values)
    assert len(free.all(**values)) == 3
    assert turn.item in Prepared(lambda: WorkItem.objects.filter(Exists(had))).all(rater=turn.rater_id)
    with pytest.raises(KeyError, match="item"):
        free.all(rater=turn.rater_id, stage=stage.pk)


def test_rows_are_locked_as_the_queryset_says(stage):
    locked = Prepared(lambda: Rater.objects.select_for_update(no_key=True).filter(pk=Given("pk", Rater)).only("pk"))
    with statements() as seen:
        locked.all(pk=0)
    assert ("FOR NO KEY UPDATE" in seen[0][0]) is (connection.vendor == "postgresql")


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("field", "lookup", "value"),
    [
        (UUIDField(), "uuid", uuid.UUID("12345678-1234-5678-1234-567812345678")),
        (DateTimeField(), "claimed_at", AT),
        (IntegerField(), "active_seconds", 7),
        (BigIntegerField(), "queue_position__lte", 2**62),
        (CharField(), "skip_note", "100 % of «أهلاً» isn't %s, %%, %(x)s or ?"),
        (CharField(), "skip_note__contains", "100 %"),
        (CharField(), "status", Status.RESERVED),
        (BooleanField(), "item__is_check", False),
        (FloatField(), "active_seconds__lt", 7.5),
        (DateTimeField(), "lease_expires_at__gt", AT),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isidentifier() else None,
)
def test_values_of_every_type(stage, turn, monkeypatch, field, lookup, value):
    Assignment.objects.filter(pk=turn.pk).update(
        uuid="12345678-1234-5678-1234-567812345678",
        claimed_at=AT,
        active_seconds=7,
        skip_note="100 % of «أهلاً» isn't %s, %%, %(x)s or ?",
        status=Status.RESERVED,
    )
    wanted = Prepared(lambda: Assignment.objects.filter(**{lookup: Given("value", field)}).order_by("pk"))
    assert assert_same(monkeypatch, wanted, value=value) == [turn]


def test_percent_signs_of_the_statement_itself(stage, turn, monkeypatch):
    Assignment.objects.filter(pk=turn.pk).update(skip_note="50%s")
    fixed = Prepared(
        lambda: Assignment.objects.annotate(
            sign=Func(template="'50%%%%' || 's %%%% %%%%s'", output_field=CharField()),
            number=Value(5),
            text=Value("5%s"),
        ).filter(skip_note__endswith="0%s", stage=Given("stage", Stage), active_seconds__lt=99)
    )
    [row] = assert_same(monkeypatch, fixed, stage=stage.pk)
    assert (row.sign, row.number, row.text) == ("50%s % %s", 5, "5%s")


def test_numbers_that_never_change_stand_in_the_statement_and_truth_values_do_not(stage):
    open_items = Prepared(lambda: WorkItem.objects.filter(open_slots__gt=0, slots__lt=77, stage=Given("stage", Stage)))
    with statements() as seen:
        open_items.all(stage=stage.pk)
    [(sql, params)] = seen
    assert params == (stage.pk,)
    assert "> 0" in sql
    assert "< 77" in sql


# --- Updates --------------------------------------------------------------------------------------------


def assert_updates_the_same(monkeypatch, statement: PreparedUpdate, rows: QuerySet, **values) -> int:
    """The same rows result, and the same number of them, as from Django's own update; undone in between."""
    queryset, changes = statement.make()
    with transaction.atomic():
        with plainly(monkeypatch, **values):
            met = queryset.update(**changes)
        expected = [contents(row) for row in rows.order_by("pk")]
        transaction.set_rollback(True)
    assert statement.run(**values) == met
    assert [contents(row) for row in rows.order_by("pk")] == expected
    return met


def test_an_update_with_expressions(stage, turn, monkeypatch):
    worked = Least(F("active_seconds") + Given("more", IntegerField()), Greatest(F("active_seconds"), Value(50)))
    hold = PreparedUpdate(
        lambda: (
            Assignment.objects.filter(pk=Given("pk", Assignment), status=Status.CLAIMED),
            {"active_seconds": worked, "lease_expires_at": Given("until", DateTimeField()), "skip_note": "5 %s"},
        )
    )
    values = {"pk": turn.pk, "until": AT}
    assert assert_updates_the_same(monkeypatch, hold, Assignment.objects.all(), more=20, **values) == 1
    assert assert_updates_the_same(monkeypatch, hold, Assignment.objects.all(), more=90, **values) == 1
    turn.refresh_from_db()
    assert (turn.active_seconds, turn.lease_expires_at, turn.skip_note) == (50, AT, "5 %s")
    assert hold.run(pk=0, until=AT, more=1) == 0
    Assignment.objects.update(status=Status.RELEASED)
    assert hold.run(more=1, **values) == 0


def test_an_update_of_json_and_of_rows_chosen_by_a_join(stage, turn, monkeypatch):
    Draft.objects.create(assignment=turn, body={"spans": []})
    saving = PreparedUpdate(
        lambda: (
            Draft.objects.filter(assignment__rater=Given("rater", Rater), version=Given("version", IntegerField())),
            {"body": Given("body", JSONField()), "version": F("version") + 1, "client": Given("tab", CharField())},
        )
    )
    body = {"spans": [{"note": 'أهلاً "100 %s" \\ \u2028', "penalty": 2.5, "none": None}], "no_errors": False}
    values = {"rater": turn.rater_id, "version": 1, "body": body, "tab": "tab-1"}
    assert assert_updates_the_same(monkeypatch, saving, Draft.objects.all(), **values) == 1
    stored = Draft.objects.get()
    assert (stored.body, stored.version, stored.client) == (body, 2, "tab-1")
    assert saving.run(**values) == 0, "it is at another version now"


# --- Connections and threads ----------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_threads_that_use_one_statement_at_once_each_get_their_own_rows(project, koshari):
    add_responses(koshari, 8)
    keys = Prepared(lambda: Response.objects.filter(key=Given("key", CharField())).select_related("variety"))

    def wrong(first: int) -> list[str]:
        wanted = [f"koshari-{number % 8}" for number in range(first, first + 40)]
        return [key for key in wanted if [row.key for row in keys.all(key=key)] != [key]]

    # The statement is compiled by all of them at once.
    assert at_once(wrong, range(4)) == [[]] * 4
    connection.close()
    assert [row.variety.tag for row in keys.all(key="koshari-1")] == ["ar-EG"], "on a connection that is new"


@pytest.mark.postgres
def test_postgresql_plans_these_once_and_others_every_time(stage, turn):
    wanted = Prepared(lambda: LanguageVariety.objects.filter(pk=Given("pk", LanguageVariety)).only("tag"))

    def planned() -> set[str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT statement FROM pg_prepared_statements")
            return {statement for (statement,) in cursor.fetchall()}

    before = planned()  # by the tests that had this connection before
    for pk in range(10):
        wanted.all(pk=pk)
        LanguageVariety.objects.filter(pk=pk, tag="x").first()
    [statement] = planned() - before
    assert '"projects_languagevariety"."tag"' in statement
    raw = connection.connection
    with planned_once():
        assert raw.prepare_threshold == 0
    with pytest.raises(ZeroDivisionError), planned_once():
        raise ZeroDivisionError
    assert raw.prepare_threshold is None


# --- Those in use ---------------------------------------------------------------------------------------


def in_use() -> list[Prepared]:
    """Every statement that a room of the application has prepared, those of the kinds of work too."""
    for kind in task_types():
        for is_ahead in (False, True):
            for lock in (None, *Lock):
                _search(kind, is_ahead, lock)
    return [each for each in gc.get_objects() if type(each) is Prepared]


def test_those_in_use_mean_what_their_querysets_mean(project, stage, turn, koshari, monkeypatch):
    add_response(project, "fresh", "كشري", "ar-EG")
    values = {
        "rater": turn.rater_id,
        "project": project.pk,
        "stage": stage.pk,
        "variety": koshari.variety_id,
        "user": turn.rater.user_id,
        "uuid": turn.uuid,
        "note_set": 0,
        "after": -1,
        "slug": project.slug,
        "key": "",
        "now": timezone.now(),
    }
    checked = rows = 0
    for statement in in_use():
        if statement.make.__module__ == __name__:
            continue
        checked += 1
        try:
            rows += len(assert_same(monkeypatch, statement, **values))
        except KeyError as missing:
            pytest.fail(f"{statement.make.__module__} has {missing} given: name a value for it here")
        except DatabaseError as refused:
            pytest.fail(f"{statement.make.__module__}: {refused}")
    assert checked >= 6 * len(task_types())
    assert rows >= 10, "most of them find something, so that rows were compared"


def test_updates_in_use_mean_what_django_s_mean(stage, turn, monkeypatch):
    """Each of them is put to a row that it meets; which rows those are is named here for every one."""
    item = Assignment.objects.values_list("item", flat=True).get(pk=turn.pk)
    Draft.objects.create(assignment=turn, body={"spans": []})
    WorkItem.objects.filter(pk=item).update(open_slots=1)
    put_to: dict[int, tuple[QuerySet, dict]] = {
        id(claims.TAKE_SLOT): (WorkItem.objects.all(), {"pk": item}),
        id(claims.RENEW): (
            Assignment.objects.all(),
            {"pk": turn.pk, "lease": AT},
        ),
        id(drafts.SAVE): (
            Draft.objects.all(),
            {"pk": turn.pk, "version": 1, "body": {"spans": ["é"]}, "client": "tab-1", "now": AT},
        ),
    }
    found = [each for each in gc.get_objects() if type(each) is PreparedUpdate]
    of_rooms = [each for each in found if each.make.__module__ != __name__]
    assert {id(each) for each in of_rooms} == put_to.keys(), "name a row for each update that a room has prepared"
    for update in of_rooms:
        rows, values = put_to[id(update)]
        assert assert_updates_the_same(monkeypatch, update, rows, **values) == 1
