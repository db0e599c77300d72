"""What the probes of a model say together, and what follows: a flag, and where the case is clear, no rank until a lead
has decided. What its makers declared is not asked for here: declaring an overlap never costs more than silence."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from agreement.contamination import CLEAR, WARNING, verdict
from agreement.figures import Figure
from benchmark.gaming import FlagCounts, Found, store
from benchmark.models import Configuration, Flag, FlagKind, Probe, QuestionSet, Standing
from projects import audit


def newest_probes(configuration: Configuration, question_set: QuestionSet) -> dict[str, Probe]:
    """By kind the newest pass that has ended with a figure; one that could say nothing where there is no other."""
    rows = Probe.objects.filter(configuration=configuration, question_set=question_set, ended_at__isnull=False)
    newest: dict[str, Probe] = {}
    for row in rows.order_by("ended_at", "pk"):
        if row.kind not in newest or row.figure.get("value") is not None:
            newest[row.kind] = row
    return newest


def figure_from(stored: Mapping[str, Any]) -> Figure:
    return Figure(
        stored["value"], stored["n"], stored["low"], stored["high"], stored["undefined"], stored.get("detail", {})
    )


def conclude(configuration: Configuration, question_set: QuestionSet) -> str:
    """Make flag and standing say what the newest probes say together; returns the verdict."""
    probes = newest_probes(configuration, question_set)
    said = verdict({kind: figure_from(probe.figure) for kind, probe in probes.items()})
    found: dict[str, Found] = {}
    if said in (CLEAR, WARNING):
        numbers = {
            kind: {name: probe.figure.get(name) for name in ("value", "n")}
            | {name: probe.figure["detail"].get(name) for name in ("p", "found", "power")}
            for kind, probe in sorted(probes.items())
        }
        found[FlagKind.CONTAMINATED] = Found({"verdict": said, "probes": numbers})
    with transaction.atomic():
        row = Configuration.objects.select_for_update().get(pk=configuration.pk)
        rows = Flag.objects.filter(configuration=row, question_set=question_set, kind=FlagKind.CONTAMINATED)
        before = rows.first()
        store(row, question_set, found, (FlagKind.CONTAMINATED,), FlagCounts())
        after = rows.first()
        subject = f"{question_set}: {row.slug}"
        if said == CLEAR and after is not None and not after.is_decided and row.standing == Standing.RANKED:
            move(row, Standing.PENDING, subject, probes=sorted(probes))
        elif said != CLEAR and row.standing == Standing.PENDING and is_open_case(before):
            # Probes alone took it out, and say so no more.
            move(row, Standing.RANKED, subject, probes=sorted(probes))
    configuration.standing = row.standing
    return said


def is_open_case(flag: Flag | None) -> bool:
    """Whether a flag has taken its model out of the ranking, and nobody has decided about it."""
    return flag is not None and not flag.is_decided and flag.detail.get("verdict") == CLEAR


def move(row: Configuration, standing: str, subject: str, actor: Any = None, **detail: Any) -> None:
    """Into the ranking or out of it; in the caller's transaction."""
    row.standing = standing
    row.save(update_fields=["standing"])
    audit.record(f"configuration.{standing}", actor=actor, project=row.project, subject=subject, **detail)
