"""An installation from before is upgraded once, and four stories find what they wrote there.

What takes long is to go back and forth through the migrations, not to look: so they share one way there and back. It
stops twice, where each of the old tables that a story writes to looks as it did then.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from annotation.models import Span, SpanPart
from jobs.models import Job, JobState
from judging.collecting.by_hand import CONTROLS, paste
from judging.collecting.endpoints import add_by_hand
from judging.engine import runs
from judging.engine.runs import create_run
from judging.models import CollectionCall, Run, RunState, Shard
from notices.kinds import Kind
from notices.models import Notice, NoticeSwitch
from notices.telling import tell
from projects.creation import create_project
from projects.models import Laboratory, LanguageVariety, Project, ProjectVariety
from projects.vocabularies import vocabularies
from tests.annotation.marked import mark
from tests.judging.collecting import add_frozen, collect, proverbs, started, target, work_off
from tests.people import EGYPTIAN, add_response

__all__ = ["proverbs"]

OLDEST = (("projects", "0016_licence_and_citation"), ("judging", "0014_reserves_are_held"))
OLD = (("projects", "0018_any_tag_is_a_variety"), ("annotation", "0017_design_of_pairs"))
# Kinds of notices that a version from before does not know, by the step that brought them.
NOTICES = {("notices", "0002_kinds_of_notices"): [Kind.DUE], ("notices", "0001_notices"): [Kind.RETURNED, Kind.TIME]}


def migrated(*targets: tuple[str, str]):
    for app, name in targets:
        call_command("migrate", app, name, verbosity=0)  # with its signals: triggers name tables that are made anew
    return MigrationExecutor(connection).loader.project_state(list(targets)).apps


def triggers() -> set[str]:
    query = (
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        if connection.vendor == "sqlite"
        else "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {name for (name,) in cursor.fetchall()}


BOTH: dict[str, Any] = {"error_type": "both", "criticality": "low"}
MEDIUM: dict[str, Any] = {"criticality": "medium"}


class Words:
    """The same words in every project; after the upgrade each has them as labels.

    One project of error spans, with points; one of MQM, whose screen offered high, medium and low until now.
    """

    def __init__(self) -> None:
        self.spans = Project.objects.create(slug="spans", name="Spans")
        self.mqm = create_project(Project(slug="mqm", name="Translations", preset="mqm"), None)
        # Answers of before hold nothing but the words of before.
        for project, answer in ((self.spans, BOTH), (self.mqm, MEDIUM)):
            karim = project.raters.create(kind="human", name="Karim")
            mark(add_response(project, f"t-{project.slug}", EGYPTIAN, "ar-EG"), karim, "الكشري", **answer)

    def age(self, old) -> None:
        OldProject, OldLabel = old.get_model("projects", "Project"), old.get_model("projects", "Label")
        OldProject.objects.filter(slug="spans").update(penalties={"high": 5, "low": 0.5})
        OldProject.objects.filter(slug="mqm").update(penalties={"major": 5, "medium": 1, "minor": 1})
        OldLabel.objects.filter(project__slug="spans").delete()
        OldLabel.objects.filter(project__slug="mqm", vocabulary="error-type").delete()

    def look(self) -> None:
        types, levels, _failures = vocabularies(self.spans)
        assert [label.slug for label in types.offered] == ["cultural", "linguistic", "both", "logical"]
        assert types.covered("both") == {"cultural", "linguistic"}
        assert levels.slugs == ("high", "medium", "low")
        assert levels.points == {"high": 5, "low": 0.5}
        types, levels, _failures = vocabularies(self.mqm)
        assert not types, "MQM asks for no type, though an answer of before has one"
        assert types.slugs == ("cultural",)
        assert [label.slug for label in levels.offered] == ["critical", "major", "minor", "neutral"]
        assert levels.points == {"critical": 25, "major": 5, "minor": 1, "neutral": 0, "medium": 1}
        assert Span.objects.filter(error_type="both", criticality="low").count() == 1


class ShortNames:
    """Some varieties were called by short names; each project that uses them keeps them."""

    def __init__(self) -> None:
        self.project = Project.objects.create(slug="seoul", name="Seoul")
        self.other = Project.objects.create(slug="cairo", name="Cairo")
        add_response(self.project, "a", "a", "ko-KR")
        add_response(self.project, "b", "b", "en-KR")
        add_response(self.other, "c", "c", "ar-EG")

    def age(self, old) -> None:
        Variety, Named = old.get_model("projects", "LanguageVariety"), old.get_model("projects", "ProjectVariety")
        for tag, setting in (("ko-KR", "KR-ko"), ("en-KR", "KR-en"), ("bn-BD", "BD-bn")):
            Variety.objects.filter(tag=tag).update(setting=setting)
        of = {variety.tag: variety.pk for variety in Variety.objects.all()}
        for project, tag, name, position in (
            (self.project, "ko-KR", "Seoul", 1),
            (self.other, "en-US", "US", 1),
            (self.other, "en-GB", "US", 2),
        ):
            Named.objects.create(project_id=project.pk, variety_id=of[tag], short_name=name, position=position)

    def look(self) -> None:
        rows = ProjectVariety.objects.select_related("variety")
        assert {(row.project_id, row.variety.tag): row.short_name for row in rows} == {
            (self.project.pk, "ko-KR"): "Seoul",  # the project's own word stays
            (self.project.pk, "en-KR"): "KR-en",
            (self.other.pk, "en-US"): "US",
            (self.other.pk, "en-GB"): "",  # it was open which one was meant
        }
        assert self.project.calls(LanguageVariety.objects.get(tag="en-KR")) == "KR-en"


class Today:
    """What only today's version knows is in nobody's way where the tables go back, and what it stands beside stays."""

    def __init__(self, nour) -> None:
        self.nour = nour
        project = Project.objects.create(slug="today", name="Today")
        rater = project.raters.create(kind="human", name="Salma")
        (span,) = mark(add_response(project, "parts", EGYPTIAN, "ar-EG"), rater, "الكشري")
        start = span.response.text.index("الكشري") + len("الكشري") + 1
        quote = span.response.text[start : start + 2]
        SpanPart.objects.create(span=span, start=start, end=start + 2, quote=quote)
        self.span = span
        for kind in Kind:
            tell([nour.pk], kind, project, "today", "/")
            NoticeSwitch.objects.create(person=nour, kind=kind)

    def go_back(self) -> None:
        """Notices of kinds that are not known yet go with their switches; the bar counts those that are left."""
        left = set(Kind.values)
        for step, kinds in NOTICES.items():
            migrated(step)
            left -= set(kinds)
            assert set(Notice.objects.values_list("kind", flat=True)) == left
            assert set(NoticeSwitch.objects.values_list("kind", flat=True)) == left
            self.nour.refresh_from_db(fields=["unread_notices"])
            assert self.nour.unread_notices == len(left)

    def look(self) -> None:
        assert Span.objects.get(pk=self.span.pk).quote == self.span.quote


class Collections:
    """Collections of a kind of their own; after the upgrade each is a run, and goes on.

    Six: two over, of which one model refused; cancelled by halves; running with a worker; waiting; and one by hand.
    """

    def __init__(self, project, provider, proverbs, nour, judge) -> None:
        self.project, self.provider, self.nour = project, provider, nour
        add_response(project, "judged", "A response that a judge was asked about.", "en-US")
        self.of_judge = create_run(judge, project.responses.all())
        self.endpoint = target(project, provider, "simulated-1")
        self.done = collect(self.endpoint, by=nour)
        self.refused = collect(target(project, provider, "simulated-1:refuse"))
        self.cancelled = started(target(project, provider, "simulated-cancelled"), by=nour)
        self.held = started(target(project, provider, "simulated-held"), by=nour)
        self.waiting = started(target(project, provider, "simulated-planned"))
        by_hand = add_by_hand(project, "River Spark", laboratory=Laboratory.objects.create(slug="spark", name="Spark"))
        paste(by_hand, proverbs[0], "Pasted.", list(CONTROLS), nour)
        runs.pause(self.cancelled)

    def age(self, old) -> None:
        Collection = old.get_model("judging", "Collection")
        assert Collection.objects.count() == 5
        assert old.get_model("judging", "Run").objects.get().uuid == self.of_judge.uuid
        assert old.get_model("judging", "CollectionCall").objects.filter(collection=None).count() == 1
        paused = Collection.objects.get(uuid=self.cancelled.uuid)  # what waited was cancelled, for want of a pause
        assert (paused.state, set(paused.calls.values_list("state", flat=True))) == ("cancelled", {"cancelled"})
        self.begun = timezone.now() - timedelta(days=3)
        Collection.objects.update(created_at=self.begun)
        held = Collection.objects.filter(uuid=self.held.uuid)
        held.update(claim="7b0b9f4e-3c55-4b76-a5d5-0d7c6d0f2a10", attempts=3, heartbeat_at=timezone.now())
        Collection.objects.filter(uuid=self.waiting.uuid).update(state="planned", started_at=None)

    def look(self) -> None:
        done, cancelled, held, waiting = self.done, self.cancelled, self.held, self.waiting
        found = {run.uuid: run for run in Run.objects.filter(endpoint__isnull=False)}
        states = [found[run.uuid].state for run in (done, cancelled, held, waiting)]
        assert states == [RunState.DONE, RunState.CANCELLED, RunState.RUNNING, RunState.PLANNED]
        assert {run.created_at for run in found.values()} == {self.begun}
        assert (found[done.uuid].created_by, found[done.uuid].unfrozen) == (self.nour, 2)
        jobs = {
            job.shard.run.uuid: job for job in Job.objects.filter(kind="collect_shard").select_related("shard__run")
        }
        assert (jobs[done.uuid].state, jobs[done.uuid].done, jobs[done.uuid].total) == (JobState.DONE, 4, 4)
        assert jobs[held.uuid].state == JobState.QUEUED  # no worker of before holds it any more
        assert {job.resource for job in jobs.values()} == {f"provider:{self.provider.pk}"}
        assert Shard.objects.filter(run=self.of_judge).exists()

        assert work_off(found[held.uuid]).state == RunState.DONE
        assert runs.resume(found[cancelled.uuid])
        assert work_off(found[cancelled.uuid]).state == RunState.DONE
        runs.start_here(found[waiting.uuid])
        assert work_off(found[waiting.uuid]).state == RunState.DONE
        goes_on = CollectionCall.objects.filter(state="collected", run__isnull=False).exclude(run=self.refused.pk)
        assert goes_on.count() == 16
        self.meet_the_databases_own_rules()

    def meet_the_databases_own_rules(self) -> None:
        with pytest.raises(IntegrityError, match="not asked again"), transaction.atomic():
            CollectionCall.objects.update(state="planned")
        unwritten = self.project.prompts.get(key="unwritten")
        with pytest.raises(IntegrityError, match="before the freeze"), transaction.atomic():
            CollectionCall.objects.create(endpoint=self.endpoint, prompt=unwritten)
        own = {"endpoint": self.endpoint, "prompt": add_frozen(self.project, "later", "بعدين")}
        foreign = add_response(self.project, "foreign", "Another prompt's answer.", "en-US")
        with pytest.raises(IntegrityError, match="its own prompt"), transaction.atomic():
            CollectionCall.objects.create(**own, response=foreign, state="collected")


@pytest.fixture
def every_migration():
    """Whatever becomes of the test, the next one finds the tables as they are today."""
    yield
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_words_short_names_and_collections_come_through(project, provider, proverbs, nour, judge, every_migration):
    words, short_names = Words(), ShortNames()
    collections = Collections(project, provider, proverbs, nour, judge)
    today = Today(nour)
    kept = triggers()

    today.go_back()
    oldest = migrated(*OLDEST)
    short_names.age(oldest)
    collections.age(oldest)
    words.age(migrated(*OLD))

    call_command("migrate", verbosity=0)
    assert triggers() == kept
    words.look()
    short_names.look()
    collections.look()
    today.look()
