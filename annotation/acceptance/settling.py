"""Drawing a sample of what waits, and what a lead makes of it: accept the rest unseen, decide one by one, take back."""

import random
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.acceptance import BOUND, sample_size
from annotation.acceptance.kinds import KINDS, Proposals
from annotation.acceptance.worth import worth
from annotation.models import Acceptance, AcceptanceMember
from projects.audit import record
from projects.models import Project, Rater, User
from projects.problems import Invalid, Problem

ACCEPT, REFUSE, TAKE_BACK = "accept", "refuse", "take_back"
ACTS = (ACCEPT, REFUSE, TAKE_BACK)


class Source(NamedTuple):
    """Who proposed what waits: a judge, or None for the overlap rule. `open` is the sample under way, if any."""

    kind: Proposals
    proposer: Rater | None
    waiting: int
    open: Acceptance | None


def sources(project: Project) -> list[Source]:
    """All that proposed something which waits, by kind. Two statements for a kind and two for all."""
    under_way = {(one.kind, one.proposer_id): one for one in project.acceptances.filter(state=Acceptance.State.DRAWN)}
    counted = []
    for kind in KINDS.values():
        rows = kind.waiting(project).order_by(kind.by).values_list(kind.by).annotate(n=Count("pk"))
        counted += [(kind, proposer, n) for proposer, n in rows]
    raters = Rater.objects.in_bulk({proposer for _kind, proposer, _n in counted if proposer is not None})
    return [
        Source(kind, raters.get(proposer or 0), n, under_way.get((kind.kind, proposer)))
        for kind, proposer, n in counted
    ]


@transaction.atomic
def draw(
    project: Project,
    kind: str,
    proposer: Rater | None,
    by: User | None,
    *,
    seed: int = 1,
    size: int | None = None,
    bound: float = BOUND,
) -> Acceptance:
    """Draw a sample of what this judge, or the overlap rule, proposed and nobody has decided on.

    Without a size as many as it takes for at most the share `bound` to be wrong, should none of the sample be. The same
    seed draws the same of the same proposals. Raises Invalid where a sample is under way, and where drawing that many
    leaves nothing to accept.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # one draws at a time
    proposals = KINDS[kind]
    of_proposer = project.acceptances.filter(kind=kind, proposer=proposer)
    if of_proposer.filter(state=Acceptance.State.DRAWN).exists():
        raise Invalid(Problem("under_way", _("A sample of these proposals is under way.")))
    waiting = proposals.of(project, proposer).order_by(*proposals.order, "pk").values_list("pk", proposals.response)
    of_response = dict(waiting)
    if not 0 < bound < 1:
        raise Invalid(Problem("bound", _("The bound is a share between 0 and 1."), "bound"))
    size = sample_size(bound) if size is None else size
    if not 1 <= size < len(of_response):
        message = _("A sample of %(size)d leaves nothing to accept: %(count)d proposals wait.")
        raise Invalid(Problem("size", message % {"size": size, "count": len(of_response)}, "size"))
    drawn = set(random.Random(seed).sample(list(of_response), size))
    last = project.acceptances.aggregate(last=Max("number"))["last"] or 0
    made = Acceptance.objects.create(
        project=project,
        number=last + 1,
        kind=kind,
        proposer=proposer,
        seed=seed,
        drawn=size,
        rest=len(of_response) - size,
        drawn_by=by,
    )
    AcceptanceMember.objects.bulk_create(
        (
            AcceptanceMember(
                acceptance=made, response_id=response, is_drawn=pk in drawn, **{f"{proposals.column}_id": pk}
            )
            for pk, response in of_response.items()
        ),
        batch_size=1000,
    )
    record("acceptance.drawn", actor=by, project=project, subject=made.number, kind=kind, drawn=size, rest=made.rest)
    return made


@transaction.atomic
def settle(acceptance: Acceptance, act: str, reason: str, by: User | None) -> Acceptance:
    """Put on record what becomes of the rest; `jobs.do_settled` does it. Raises Invalid without a reason, for what
    is not to be done with it now, and where part of the sample waits."""
    rows = Acceptance.objects.select_for_update(no_key=True, of=("self",)).select_related("project")
    acceptance = rows.get(pk=acceptance.pk)
    if not reason.strip():
        raise Invalid(Problem("required", _("Say why: the reason goes on record with the decision."), "reason"))
    expected = Acceptance.State.ACCEPTED if act == TAKE_BACK else Acceptance.State.DRAWN
    if act not in ACTS or acceptance.state != expected:
        raise Invalid(Problem("conflict", _("This sample was settled meanwhile. Nothing was changed.")))
    found = worth(acceptance)
    if act == ACCEPT and not found.can_accept:
        raise Invalid(Problem("undecided", not_yet(found.waiting)))
    if act == TAKE_BACK:
        acceptance.state = Acceptance.State.TAKEN_BACK
    else:
        acceptance.state = Acceptance.State.ACCEPTED if act == ACCEPT else Acceptance.State.REFUSED
        acceptance.decided, acceptance.wrong = found.decided, found.wrong
    acceptance.reason, acceptance.settled_by, acceptance.settled_at = reason.strip(), by, timezone.now()
    acceptance.save()
    counts = {"decided": acceptance.decided, "wrong": acceptance.wrong, "unseen": found.unseen}
    subject = acceptance.number
    record(f"acceptance.{acceptance.state}", actor=by, project=acceptance.project, subject=subject, **counts)
    return acceptance


def not_yet(waiting: int) -> str:
    if waiting:
        return _("%(count)d proposals of the sample wait for a decision.") % {"count": waiting}
    return _("There is nothing to accept: nobody decided on the sample, or nothing of the rest waits.")
