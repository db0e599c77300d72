"""A pass from its choice of questions to the stored measurement."""

import contextlib
import queue
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.speed import Speed, speed
from benchmark import exposure
from benchmark.judged import ranked_version
from benchmark.models import (
    Board,
    Configuration,
    ConfigurationKind,
    ExposureKind,
    Question,
    SpeedMeasurement,
    SpeedSample,
)
from judging.collecting.calling import Setup
from judging.collecting.questions import seen_by, setup_of
from judging.models import TargetEndpoint
from judging.speed.calling import Asked, Came, Sample, Sent, run_pass
from judging.speed.spending import Ledger
from projects import audit
from projects.among import Among
from projects.models import Project, Segmentation, User
from projects.problems import Invalid, Problem
from providers.client import loop
from providers.client.endpoint import Endpoint
from providers.client.keys import KeyMissing
from providers.endpoints import endpoint as endpoint_of

CALLS, WARM_UP = 30, 3
MAX_CALLS, MAX_WARM_UP = 500, 50
#: Seconds from 0 are no measurement: the clock may be too coarse for a model that answers at once.
LEAST_SECONDS = 1e-6
#: How often a pass looks whether somebody has cancelled it.
LOOK_UP_SECONDS = 0.5
OWN_WORDS = "Answer with the one word: ready."


@dataclass(frozen=True, slots=True)
class How:
    """How a pass is made, and where. Of a local pass the hardware must be said: without it nobody can compare."""

    calls: int = CALLS
    warm_up: int = WARM_UP
    is_local: bool = False
    hardware: str = ""

    def check(self) -> None:
        """Raises Invalid."""
        problems = []
        if not 1 <= self.calls <= MAX_CALLS:
            message = _("A pass has 1 to %(most)d calls.") % {"most": MAX_CALLS}
            problems.append(Problem("out_of_range", message, "calls"))
        if not 0 <= self.warm_up <= MAX_WARM_UP:
            message = _("A pass warms up with 0 to %(most)d calls.") % {"most": MAX_WARM_UP}
            problems.append(Problem("out_of_range", message, "warm_up"))
        if self.is_local and not self.hardware.strip():
            message = _("Name the hardware: a speed on a machine that nobody knows says nothing.")
            problems.append(Problem("required", message, "hardware"))
        if len(self.hardware.strip()) > (SpeedMeasurement._meta.get_field("hardware").max_length or 0):
            problems.append(Problem("too_long", _("The hardware is named in 200 characters at most."), "hardware"))
        if problems:
            raise Invalid(problems)


@dataclass(frozen=True, slots=True)
class Target:
    """A configuration and where it is asked."""

    configuration: Configuration
    endpoint: TargetEndpoint


def targets_of(project: Project) -> list[Target]:
    """The configurations that can be asked through a provider, by name. Two statements."""
    rows = TargetEndpoint.objects.filter(project=project, provider__isnull=False)
    rows = rows.select_related("project", "provider__laboratory", "target_model__laboratory")
    by_model = {row.target_model_id: row for row in rows}
    configurations = Configuration.objects.filter(project=project, kind=ConfigurationKind.MODEL)
    return [Target(row, by_model[row.target_model_id]) for row in configurations if row.target_model_id in by_model]


def chosen(project: Project, slugs: Sequence[str] = ()) -> list[Target]:
    """Those with these short names, or all. Raises Invalid for a name that is none of them, or where there are none."""
    targets = {target.configuration.slug: target for target in targets_of(project)}
    if missing := [slug for slug in slugs if slug not in targets]:
        message = _(
            "%(name)s cannot be measured: no configuration of this name is asked through a provider. There are: "
            "%(known)s."
        )
        known = ", ".join(sorted(targets)) or _("none yet")
        raise Invalid(Problem("unknown_configuration", message % {"name": missing[0], "known": known}, "configuration"))
    if not targets:
        message = _("No configuration is asked through a provider. Add a target model and its configuration first.")
        raise Invalid(Problem("no_configuration", message, "configuration"))
    return [targets[slug] for slug in dict.fromkeys(slugs)] if slugs else list(targets.values())


def questions_to_ask(project: Project, how: How) -> tuple[list[Question], list[Question]]:
    """Questions for warming up and for measuring, the same for every configuration: those to be measured lie evenly
    over the version that the board ranks, those for warming up are others.

    Public ones alone: a speed is not worth the sight of a question that is held back. Raises Invalid where there is
    none.
    """
    board = Board.objects.filter(project=project).select_related("question_set").first()
    question_set = ranked_version(project, board)
    rows = (
        []
        if question_set is None
        else list(
            question_set.questions.filter(is_held_back=False)
            .select_related("prompt__variety")
            .order_by("position", "pk")
        )
    )
    if not rows:
        message = _("There is no frozen question set with a public question to measure on. Freeze one first.")
        raise Invalid(Problem("no_questions", message))
    n = min(how.calls, len(rows))
    places = {at * len(rows) // n for at in range(n)}
    others = [row for at, row in enumerate(rows) if at not in places]
    return others[: how.warm_up], [rows[at] for at in sorted(places)]


def asked(question: Question) -> Asked:
    return Asked(question.prompt.text, Segmentation(question.prompt.variety.segmentation).rule)


def measure(
    target: Target, how: How, on_call: Callable[[int, int], None] = lambda done, total: None, by: User | None = None
) -> SpeedMeasurement:
    """One pass over a configuration; its calls may take minutes, and nothing is locked meanwhile.

    `on_call` is told at least every LOOK_UP_SECONDS how many calls of how many are through; what it raises ends the
    pass, with the call that is under way. Stored is a pass that came to its end, in one transaction; one that was
    broken off leaves nothing but what it has cost. Raises Invalid.
    """
    how.check()
    configuration, endpoint = target.configuration, target.endpoint
    assert endpoint.provider is not None, "targets_of names only these"
    warm_up, measured = questions_to_ask(configuration.project, how)
    setup = setup_of(endpoint)
    try:
        connected = endpoint_of(endpoint.provider)
    except KeyMissing as missing:
        message = _("The key of %(provider)s is not set on this machine: %(key)s.")
        raise Invalid(Problem("key_missing", message % {"provider": endpoint.provider, "key": missing})) from None
    warming = [asked(question) for question in warm_up]
    warming += [Asked(OWN_WORDS)] * (how.warm_up - len(warming))
    total = len(warming) + len(measured)
    laboratory, name = seen_by(endpoint)
    prompts = [question.prompt_id for question in [*warm_up, *measured]]
    exposure.record(prompts, laboratory, name, ExposureKind.ANSWERING)
    began = timezone.now()
    through: queue.SimpleQueue[int] = queue.SimpleQueue()
    to_measure = [asked(question) for question in measured]
    ledger = Ledger(configuration)

    def told(done: int) -> None:
        ledger.write()
        on_call(done, total)

    calls = accounted(connected, setup, warming, to_measure, ledger, through)
    try:
        samples = watched(loop.run(calls), through, told)
    finally:
        ledger.close()
        sent = [*(question.prompt_id for question in warm_up), *[None] * (how.warm_up - len(warm_up))]
        sent += [question.prompt_id for question in measured]
        unsent = [prompt for place in ledger.never_left(total) if (prompt := sent[place]) is not None]
        exposure.take_back(unsent, laboratory, name, ExposureKind.ANSWERING)
    return store(configuration, how, began, samples, by)


async def accounted(
    connected: Endpoint,
    setup: Setup,
    warming: Sequence[Asked],
    measured: Sequence[Asked],
    ledger: Ledger,
    through: "queue.SimpleQueue[int]",
) -> list[Sample]:
    """A pass of which the ledger is told what each request costs; also the end of it, however it ends."""
    done = 0

    def on_spent(event: Sent | Came) -> None:
        ledger.events.put(event)
        through.put(done)  # so that it is written at once

    def on_call(n: int) -> None:
        nonlocal done
        done = n
        through.put(n)

    try:
        return await run_pass(connected, setup, warming, measured, loop.limiter(connected), on_call, on_spent)
    finally:
        ledger.events.put(None)


def watched(
    calls: Future[list[Sample]], through: "queue.SimpleQueue[int]", on_call: Callable[[int], None]
) -> list[Sample]:
    """What the calls bring, which the event loop makes meanwhile; the database is this thread's alone."""
    done = 0
    try:
        while not calls.done():
            with contextlib.suppress(queue.Empty):
                done = through.get(timeout=LOOK_UP_SECONDS)
            on_call(done)
        return calls.result()
    finally:
        calls.cancel()


@transaction.atomic
def store(
    configuration: Configuration, how: How, began: datetime, samples: Sequence[Sample], by: User | None
) -> SpeedMeasurement:
    measurement = SpeedMeasurement.objects.create(
        configuration=configuration,
        is_local=how.is_local,
        hardware=how.hardware.strip(),
        batch_size=1,
        warm_up_calls=how.warm_up,
        began_at=began,
        ended_at=timezone.now(),
    )
    SpeedSample.objects.bulk_create(
        SpeedSample(
            measurement=measurement,
            position=at,
            words=sample.words,
            characters=sample.characters,
            seconds=max(sample.seconds, LEAST_SECONDS),
            first_token_seconds=sample.first_token_seconds,
        )
        for at, sample in enumerate(samples)
    )
    audit.record(
        "speed.measured",
        actor=by,
        project=configuration.project,
        subject=configuration.slug,
        calls=len(samples),
        is_local=how.is_local,
        hardware=measurement.hardware,
    )
    return measurement


# --- What was measured ---


def passes_of(project: Project) -> QuerySet[SpeedMeasurement]:
    """Those that came to their end, with their samples at hand."""
    rows = SpeedMeasurement.objects.filter(configuration__project=project, ended_at__isnull=False)
    return rows.select_related("configuration").prefetch_related("samples").order_by("-pk")


def newest_passes(project: Project) -> list[tuple[SpeedMeasurement, Speed]]:
    """Of each configuration its newest pass by API and its newest local one, by name. Three statements."""
    newest: dict[tuple[int, bool], int] = {}
    ended = SpeedMeasurement.objects.filter(configuration__project=project, ended_at__isnull=False)
    for pk, configuration, is_local in ended.order_by("pk").values_list("pk", "configuration", "is_local"):
        newest[configuration, is_local] = pk
    rows = passes_of(project).filter(pk__in=Among(newest.values()))
    return [(row, speed_of(row)) for row in rows.order_by("is_local", "configuration__name", "pk")]


def speed_of(measurement: SpeedMeasurement) -> Speed:
    """The figures of one pass, as the board shows them."""
    samples = measurement.samples.all()
    return speed(
        [sample.words for sample in samples],
        [sample.characters for sample in samples],
        [sample.seconds for sample in samples],
        [float("nan") if sample.first_token_seconds is None else sample.first_token_seconds for sample in samples],
    )
