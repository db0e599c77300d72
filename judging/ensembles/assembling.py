"""Making a panel's answers out of its members', again and again: only what is new or changed is written.

In batches, each a transaction of its own under the panel's row lock. Whoever begins later takes over: an assembly
that finds another's mark on the panel stops, so two at once never write against each other, and nothing need be
released after a crash.
"""

import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from judging.ensembles import Bench, Made, Member, PanelKind, panel_kind
from judging.ensembles.weighing import Weight, held_out, store_weights, weigh
from judging.models import Panel, PanelRule
from projects.audit import record
from projects.models import User
from projects.problems import Invalid, Problem
from providers.laboratories import Guard, mappings
from providers.model_names import canonical

# So often something is thought out before a lock is taken, where others change each time what it rests on.
ATTEMPTS = 3
MOST_LISTED = 50  # of items without an answer, on the panel's page
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
        return {"counts": dict(self.counts), "undecided": [list(each) for each in self.undecided[:MOST_LISTED]]}


def nobody_waits(done: int, total: int) -> None:
    """Where nobody asked how far it is."""


def assemble(
    panel: Panel,
    by: User | None = None,
    on_batch: Callable[[int, int], object] = nobody_waits,
    on_written: Callable[[], object] = lambda: None,
) -> Assembly:
    """Bring the panel's answers up to date with its members'. `on_batch` is told before each batch how many of how
    many are done; what it raises breaks off there, and what was written stays. `on_written` is called within the
    transaction of each batch of which something was written.

    Raises Invalid where the members of a weighted panel cannot be weighed; what stands is left as it is then.
    """
    mark = str(uuid.uuid4())
    kind = panel_kind(panel.kind)
    bench, state = begin(panel, kind, mark)
    raters = [member.rater_id for member in panel.memberships.all()]
    done = Assembly()
    batches = list(kind.batches([*raters, panel.rater_id]))
    for number, batch in enumerate(batches):
        on_batch(number, len(batches))
        if not write(bench, kind, batch, mark, done, on_written):
            done.is_overtaken = True
            return done
    on_batch(len(batches), len(batches))
    return end(panel, mark, state, done, by)


class Basis(NamedTuple):
    """What an assembly rests on as it begins; `weighed` is empty where the rule weighs nobody."""

    panel: Panel
    state: dict[str, Any]
    prompts: frozenset[int]
    weighed: dict[int, Weight]


def begin(panel: Panel, kind: PanelKind, mark: str) -> tuple[Bench, dict[str, Any]]:
    """Put our mark on the panel and seat its members, weighed where the rule weighs them.

    Weighing takes long and is done before the panel's row is locked, then anew where that rests on something else by
    then. What the answers rest on is noted before any is read: what comes later makes the panel out of date.
    """
    for attempt in range(1, ATTEMPTS + 1):
        basis = basis_of(panel)
        with transaction.atomic():
            held = locked(panel)
            if attempt < ATTEMPTS and (held.rule, held.seed, state_of(held)) != seen_in(basis):
                continue
            store_weights(held, basis.weighed)
            unweighed = {str(rater): found.undefined for rater, found in basis.weighed.items() if found.undefined}
            held.options = {**held.options, "assembling": mark, "unweighed": unweighed}
            held.save(update_fields=["options"])
        break
    panel.options = basis.panel.options = held.options
    return bench_of(basis), basis.state


def basis_of(panel: Panel) -> Basis:
    """Raises Invalid where the members of a weighted panel cannot be weighed."""
    read = Panel.objects.select_related("rater", "project").get(pk=panel.pk)
    state = state_of(read)
    prompts = held_out(read)
    weighed = weigh(read, prompts) if read.rule == PanelRule.WEIGHTED else {}
    if read.rule == PanelRule.WEIGHTED and not any(found.weight for found in weighed.values()):
        raise Invalid(Problem("no_weights", str(NO_WEIGHTS)))
    return Basis(read, state, prompts, weighed)


def seen_in(basis: Basis) -> tuple[str, int, dict[str, Any]]:
    return basis.panel.rule, basis.panel.seed, basis.state


def bench_of(basis: Basis) -> Bench:
    mapped = mappings()
    members = list(basis.panel.memberships.select_related("rater__laboratory").order_by("rater__pseudonym"))
    weights = {rater: found.weight for rater, found in basis.weighed.items()}
    seated = tuple(
        Member(
            each.rater_id,
            each.rater.pseudonym,
            each.rater.name,
            each.rater.model,
            laboratory,
            weight,
            Guard(each.rater.model, canonical(laboratory), mapped),
        )
        for each in members
        for laboratory in [each.rater.laboratory.slug if each.rater.laboratory else ""]
        if (weight := weights.get(each.rater_id) if weights else 1.0)
    )
    return Bench(basis.panel, seated, len(members), basis.prompts)


def locked(panel: Panel) -> Panel:
    return Panel.objects.select_for_update(of=("self",)).select_related("rater", "project").get(pk=panel.pk)


def state_of(panel: Panel) -> dict[str, Any]:
    """What the panel's answers rest on; another state, and they are out of date."""
    kind = panel_kind(panel.kind)
    raters = list(panel.memberships.values_list("rater_id", flat=True))
    gold = kind.gold_state(panel.project) if panel.rule == PanelRule.WEIGHTED else []
    return {"answers": kind.state(raters), "gold": gold}


def write(
    bench: Bench, kind: PanelKind, batch: Any, mark: str, done: Assembly, on_written: Callable[[], object]
) -> bool:
    """Bring one batch up to date; False where the panel is no longer ours.

    What its answers come to is found out before the panel's row is locked (on SQLite that is the lock of all), and
    anew where the members' answers have changed by then.
    """
    read = kind.read(bench, batch)
    for attempt in range(1, ATTEMPTS + 1):
        made = kind.made(bench, batch, read)
        with transaction.atomic():
            if locked(bench.panel).options.get("assembling") != mark:
                return False
            before, read = read, kind.read(bench, batch, hold=True)
            if read != before and attempt == ATTEMPTS:  # changed each time: nobody changes it now
                made = kind.made(bench, batch, read)
            elif read != before:
                continue
            counts = put(bench, kind, batch, made)
            if counts["written"] or counts["withdrawn"]:
                on_written()
        done.counts += made.counts + counts
        done.undecided += made.undecided
        return True
    raise AssertionError("unreachable")


def put(bench: Bench, kind: PanelKind, batch: Any, made: Made) -> Counter:
    """Write what differs from what stands; return how many answers were written, withdrawn and kept."""
    standing = kind.standing(bench.rater, batch)
    stale = {
        each.pk: key
        for key, each in standing.items()
        if key not in made.answers or made.answers[key].content != each.content
    }
    kept = {stale[pk] for pk in kind.withdraw(list(stale))} if stale else set()
    changed = set(stale.values()) - kept
    fresh = [key for key in made.answers if key not in standing or key in changed]
    if fresh:
        kind.store([made.answers[key].data for key in fresh], changed | set(fresh))
    return Counter(written=len(fresh), withdrawn=len(changed - set(fresh)), kept=len(kept))


def end(panel: Panel, mark: str, state: dict[str, Any], done: Assembly, by: User | None) -> Assembly:
    with transaction.atomic():
        held = locked(panel)
        if held.options.get("assembling") != mark:
            done.is_overtaken = True
            return done
        held.options = {**held.options, "assembling": "", "assembled": done.as_json(), "state": state}
        held.assembled_at = timezone.now()
        held.save(update_fields=["options", "assembled_at"])
        record("panel.assembled", actor=by, project=held.project, subject=held.rater.name, **dict(done.counts))
    panel.options, panel.assembled_at = held.options, held.assembled_at
    return done
