"""Assembling a panel: its answers are made of its members', and only what is new or changed is written.

In batches, each a transaction of its own under the panel's row lock. A later assembly takes over: one that finds
another's mark on the panel stops, so two at once never write against each other, and nothing is to be released after
a crash.
"""

import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from judging.ensembles import Member, PanelAnswers, PanelKind, VotingPanel, panel_kind
from judging.ensembles.weighing import Weight, held_out, store_weights, weigh
from judging.models import Panel, PanelRule
from projects.audit import record
from projects.models import User
from projects.problems import Invalid, Problem
from providers.laboratories import Guard, mappings
from providers.model_names import canonical

# So often something is computed before a lock is taken, where what it rests on has changed each time by then.
ATTEMPTS = 3
MAX_LISTED = 50  # of items without an answer, on the panel's page
NO_WEIGHTS = _(
    "None of the members can be weighed: there is no gold of people on the prompts drawn for that, or none of the "
    "members agrees with it better than chance. Collect more gold, or choose another rule."
)


@dataclass
class Assembly:
    """What became of one assembly. `counts`: answers there are now, of those written and withdrawn just now, and
    items without one by reason; `kept` answers that people have worked on stay as they were.
    """

    counts: Counter = field(default_factory=Counter)
    undecided: list[tuple[str, str]] = field(default_factory=list)
    # Another assembly of the panel began meanwhile and does the rest.
    is_overtaken: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"counts": dict(self.counts), "undecided": [list(entry) for entry in self.undecided[:MAX_LISTED]]}


def no_progress(done: int, total: int) -> None:
    """Reports no progress."""


def assemble(
    panel: Panel,
    by: User | None = None,
    on_batch: Callable[[int, int], object] = no_progress,
    on_written: Callable[[], object] = lambda: None,
) -> Assembly:
    """Bring the panel's answers up to date with its members'. `on_batch` is called before each batch with the number
    done and the number in all; what it raises stops the assembly there, and what was written stays. `on_written` is
    called within the transaction of each batch of which something was written.

    Raises Invalid where the members of a weighted panel cannot be weighed; what stands is left as it is then.
    """
    mark = str(uuid.uuid4())
    kind = panel_kind(panel.kind)
    voting_panel, state = begin(panel, kind, mark)
    raters = [member.rater_id for member in panel.memberships.all()]
    assembly = Assembly()
    batches = list(kind.batches([*raters, panel.rater_id]))
    for number, batch in enumerate(batches):
        on_batch(number, len(batches))
        if not write(voting_panel, kind, batch, mark, assembly, on_written):
            assembly.is_overtaken = True
            return assembly
    on_batch(len(batches), len(batches))
    return finish(panel, mark, state, assembly, by)


class Basis(NamedTuple):
    """What an assembly rests on as it begins; `weighed` is empty where the rule uses no weights."""

    panel: Panel
    state: dict[str, Any]
    prompts: frozenset[int]
    weighed: dict[int, Weight]


def begin(panel: Panel, kind: PanelKind, mark: str) -> tuple[VotingPanel, dict[str, Any]]:
    """Mark the panel as this assembly's, and determine its voting members, weighed where the rule weighs them.

    Weighing takes long and is done before the panel's row is locked, then again where that rests on something else by
    then. The state that the answers rest on is read before any answer: what comes later makes the panel out of date.
    """
    for attempt in range(1, ATTEMPTS + 1):
        basis = read_basis(panel)
        with transaction.atomic():
            panel_row = locked(panel)
            if attempt < ATTEMPTS and (panel_row.rule, panel_row.seed, state_of(panel_row)) != state_seen(basis):
                continue
            store_weights(panel_row, basis.weighed)
            unweighed = {str(rater): weight.undefined for rater, weight in basis.weighed.items() if weight.undefined}
            panel_row.options = {**panel_row.options, "assembling": mark, "unweighed": unweighed}
            panel_row.save(update_fields=["options"])
        break
    panel.options = basis.panel.options = panel_row.options
    return voting_panel_of(basis), basis.state


def read_basis(panel: Panel) -> Basis:
    """Raises Invalid where the members of a weighted panel cannot be weighed."""
    panel_row = Panel.objects.select_related("rater", "project").get(pk=panel.pk)
    state = state_of(panel_row)
    prompts = held_out(panel_row)
    weighed = weigh(panel_row, prompts) if panel_row.rule == PanelRule.WEIGHTED else {}
    if panel_row.rule == PanelRule.WEIGHTED and not any(weight.weight for weight in weighed.values()):
        raise Invalid(Problem("no_weights", str(NO_WEIGHTS)))
    return Basis(panel_row, state, prompts, weighed)


def state_seen(basis: Basis) -> tuple[str, int, dict[str, Any]]:
    return basis.panel.rule, basis.panel.seed, basis.state


def voting_panel_of(basis: Basis) -> VotingPanel:
    mapped = mappings()
    memberships = list(basis.panel.memberships.select_related("rater__laboratory").order_by("rater__pseudonym"))
    weights = {rater: weight.weight for rater, weight in basis.weighed.items()}
    eligible = tuple(
        Member(
            membership.rater_id,
            membership.rater.pseudonym,
            membership.rater.name,
            membership.rater.model,
            laboratory,
            weight,
            Guard(membership.rater.model, canonical(laboratory), mapped),
        )
        for membership in memberships
        for laboratory in [membership.rater.laboratory.slug if membership.rater.laboratory else ""]
        if (weight := weights.get(membership.rater_id) if weights else 1.0)
    )
    return VotingPanel(basis.panel, eligible, len(memberships), basis.prompts)


def locked(panel: Panel) -> Panel:
    return Panel.objects.select_for_update(of=("self",)).select_related("rater", "project").get(pk=panel.pk)


def state_of(panel: Panel) -> dict[str, Any]:
    """What the panel's answers rest on; another state, and they are out of date."""
    kind = panel_kind(panel.kind)
    raters = list(panel.memberships.values_list("rater_id", flat=True))
    gold = kind.gold_state(panel.project) if panel.rule == PanelRule.WEIGHTED else []
    return {"answers": kind.state(raters), "gold": gold}


def write(
    voting_panel: VotingPanel,
    kind: PanelKind,
    batch: Any,
    mark: str,
    assembly: Assembly,
    on_written: Callable[[], object],
) -> bool:
    """Bring one batch up to date; False where another assembly has taken over.

    The answers are computed before the panel's row is locked (SQLite has one lock for all), and again where the
    members' answers have changed by then.
    """
    inputs = kind.read(voting_panel, batch)
    for attempt in range(1, ATTEMPTS + 1):
        panel_answers = kind.decide(voting_panel, batch, inputs)
        with transaction.atomic():
            if locked(voting_panel.panel).options.get("assembling") != mark:
                return False
            before, inputs = inputs, kind.read(voting_panel, batch, hold=True)
            if inputs != before and attempt == ATTEMPTS:  # changed each time; the lock keeps it as it is now
                panel_answers = kind.decide(voting_panel, batch, inputs)
            elif inputs != before:
                continue
            counts = apply(voting_panel, kind, batch, panel_answers)
            if counts["written"] or counts["withdrawn"]:
                on_written()
        assembly.counts += panel_answers.counts + counts
        assembly.undecided += panel_answers.undecided
        return True
    raise AssertionError("unreachable")


def apply(voting_panel: VotingPanel, kind: PanelKind, batch: Any, panel_answers: PanelAnswers) -> Counter:
    """Write what differs from what stands; return how many answers were written, withdrawn and kept."""
    stored = kind.stored(voting_panel.rater, batch)
    stale = {
        answer.pk: key
        for key, answer in stored.items()
        if key not in panel_answers.by_key or panel_answers.by_key[key].content != answer.content
    }
    worked_on = {stale[pk] for pk in kind.withdraw(list(stale))} if stale else set()
    changed = set(stale.values()) - worked_on
    fresh = [key for key in panel_answers.by_key if key not in stored or key in changed]
    if fresh:
        kind.store([panel_answers.by_key[key].data for key in fresh], changed | set(fresh))
    return Counter(written=len(fresh), withdrawn=len(changed - set(fresh)), kept=len(worked_on))


def finish(panel: Panel, mark: str, state: dict[str, Any], assembly: Assembly, by: User | None) -> Assembly:
    with transaction.atomic():
        panel_row = locked(panel)
        if panel_row.options.get("assembling") != mark:
            assembly.is_overtaken = True
            return assembly
        panel_row.options = {**panel_row.options, "assembling": "", "assembled": assembly.as_json(), "state": state}
        panel_row.assembled_at = timezone.now()
        panel_row.save(update_fields=["options", "assembled_at"])
        record(
            "panel.assembled",
            actor=by,
            project=panel_row.project,
            subject=panel_row.rater.name,
            **dict(assembly.counts),
        )
    panel.options, panel.assembled_at = panel_row.options, panel_row.assembled_at
    return assembly
