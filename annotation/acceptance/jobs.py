"""Accepting the rest of a sample, and taking that back, as a job: some responses at a time, each in one transaction."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from annotation.acceptance.kinds import KINDS
from annotation.acceptance.settling import REFUSE, settle
from annotation.gold import derive
from annotation.models import Acceptance, AcceptanceMember
from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job
from jobs.working import Held
from projects.among import Among
from projects.chunks import in_chunks
from projects.insertion import update_rows
from projects.models import Rater, User
from workflow.access import acting_rater

ACCEPTANCE = "acceptance"
RESPONSES_AT_ONCE = 100


def carry_out(acceptance: Acceptance, act: str, reason: str, by: User) -> tuple[Acceptance, Job | None]:
    """What a lead decides, with the job that does it; none where there is nothing to do. Raises Invalid as `settle`."""
    with transaction.atomic():
        settled = settle(acceptance, act, reason, by)
        if act == REFUSE:
            return settled, None
        rater = acting_rater(by, settled.project, is_expert=True)
        options = {"acceptance": settled.pk, "rater": rater.pk}
        return settled, add_job(ACCEPTANCE, settled.project, by, options=options, key=f"{settled.pk} {settled.state}")


class AcceptProposals(JobKind):
    """What one attempt did stands: those that are accepted, or wait again, are looked at no more."""

    name = ACCEPTANCE
    label = gettext_lazy("Proposals accepted unseen")
    permission = "spans.refine"

    def run(self, held: Held) -> Any:
        acceptance = Acceptance.objects.select_related("project").get(pk=held.job.options["acceptance"])
        by = Rater.objects.get(pk=held.job.options["rater"])
        held.progress(0, None, "")
        do_settled(acceptance, by, held.progress)
        return {"accepted": Acceptance.objects.values_list("accepted", flat=True).get(pk=acceptance.pk)}

    def describe(self, job: Job) -> str:
        count = job.result["accepted"] if job.result else 0
        return ngettext("%(count)d accepted", "%(count)d accepted", count) % {"count": count}

    def url(self, job: Job) -> str:
        assert job.project is not None
        return reverse("acceptances", args=[job.project.slug])


def do_settled(
    acceptance: Acceptance, by: Rater, on_part: Callable[[int, int], object] = lambda done, total: None
) -> None:
    """Accept the rest of a settled sample, or let it wait again, some responses at a time. `on_part` is told after each
    how many responses are done, and of how many."""
    responses = sorted(set(to_do(acceptance).values_list("response_id", flat=True)))
    done = 0
    for chunk in in_chunks(responses, RESPONSES_AT_ONCE):
        if not some_responses(acceptance, chunk, by):
            break
        on_part(done := done + len(chunk), len(responses))


def to_do(acceptance: Acceptance) -> QuerySet[AcceptanceMember]:
    """Members of the rest that are to be accepted, or of what was accepted that are to wait again."""
    if acceptance.state == Acceptance.State.TAKEN_BACK:
        return acceptance.members.filter(is_accepted=True)
    rest = acceptance.members.filter(is_drawn=False, is_accepted=False)
    return KINDS[acceptance.kind].still(rest, acceptance.project)


@transaction.atomic
def some_responses(acceptance: Acceptance, responses: list[int], by: Rater) -> bool:
    """Do it for these; False where a lead has decided otherwise meanwhile."""
    stands = Acceptance.objects.select_for_update(no_key=True).filter(pk=acceptance.pk, state=acceptance.state)
    if not stands.exists():
        return False
    kind = KINDS[acceptance.kind]
    members = list(to_do(acceptance).filter(response__in=Among(responses)).order_by("pk"))
    if acceptance.state == Acceptance.State.TAKEN_BACK:
        kind.take_back(members)
        accepted, change = members, -len(members)
    else:
        accepted = kind.accept(members, by)
        change = len(accepted)
    same = AcceptanceMember.objects.filter(pk__in=Among(member.pk for member in accepted))
    same.update(is_accepted=acceptance.state == Acceptance.State.ACCEPTED)
    if kind.makes_groups:
        update_rows(AcceptanceMember, "made_group", [(member.made_group_id, member.pk) for member in accepted])
    Acceptance.objects.filter(pk=acceptance.pk).update(accepted=F("accepted") + change)
    derive(responses)
    return True
