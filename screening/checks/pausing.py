"""Pausing a person whose latest checks went wrong, telling the leads, and letting the person go on."""

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from notices.kinds import Kind
from notices.telling import tell
from projects.audit import record
from projects.models import Membership, Rater, Role, User
from screening.checks.accuracy import Rule
from screening.models import CheckResult, CheckSettings, Pause
from workflow.models import Stage


def counted_results(rater: Rater, stage: Stage, window: int) -> list[bool]:
    """Which of the latest `window` checks were right, oldest first; those before a lifted pause count no more."""
    lifted = Pause.objects.filter(stage=stage, rater=rater, lifted_at__isnull=False, last_result__isnull=False)
    after = lifted.order_by("-last_result").values_list("last_result", flat=True).first() or 0
    results = CheckResult.objects.filter(stage=stage, rater=rater, pk__gt=after).order_by("-pk")
    return list(results.values_list("is_right", flat=True)[:window])[::-1]


def pause_where_due(rater: Rater, stage: Stage, rule: CheckSettings) -> None:
    results = counted_results(rater, stage, rule.window)
    if not Rule(rule.window, rule.least, rule.mark).pauses(results):
        return
    if Pause.objects.filter(stage=stage, rater=rater, lifted_at=None).exists():
        return
    pause = Pause(stage=stage, rater=rater, right=sum(results), n=len(results), mark=rule.mark)
    # Two checks handed in at once may both come here: the second finds the row there, and its answer is stored all
    # the same.
    Pause.objects.bulk_create([pause], ignore_conflicts=True)
    begun = Pause.objects.get(stage=stage, rater=rater, lifted_at=None)
    if rater.user_id is not None:
        path = reverse("paused", args=[stage.project.slug, stage.pk])
        tell([rater.user_id], Kind.PAUSED, stage.project, f"pause-{begun.pk}", path, stage.name)
    record(
        "screening.paused",
        actor=None,
        project=stage.project,
        subject=rater.pseudonym,
        stage=stage.name,
        right=pause.right,
        checks=pause.n,
    )
    transaction.on_commit(lambda: tell_leads(pause))


def tell_leads(pause: Pause) -> None:
    """By mail, each in their language, beside the page and the project's front page; a mail that cannot be sent holds
    nothing up."""
    project = pause.stage.project
    leads = Membership.objects.filter(project=project, role=Role.LEAD, user__is_active=True).select_related("user")
    for lead in leads:
        with translation.override(lead.user.interface_language or settings.LANGUAGE_CODE):
            text = _(
                "%(person)s was paused in “%(stage)s” of %(project)s: %(right)d of the latest %(n)d checks were right. "
                "What they have begun they can finish. See “People under watch” in the project to let them go on."
            )
            values = {
                "person": pause.rater.pseudonym,
                "stage": pause.stage.label,
                "project": project.name,
                "right": pause.right,
                "n": pause.n,
            }
            subject = _("%(person)s is paused") % {"person": pause.rater.pseudonym}
            send_mail(subject, text % values, from_email=None, recipient_list=[lead.user.email], fail_silently=True)


def lift(pause: Pause, lead: User, note: str = "") -> bool:
    """Let the person go on; checks answered until now count no more. False where it was lifted before."""
    with transaction.atomic():
        latest = CheckResult.objects.filter(stage=pause.stage, rater=pause.rater).order_by("-pk").first()
        lifted = Pause.objects.filter(pk=pause.pk, lifted_at=None).update(
            lifted_at=timezone.now(), lifted_by=lead, last_result=latest, note=note
        )
        if lifted:
            record(
                "screening.pause_lifted",
                actor=lead,
                project=pause.stage.project,
                subject=pause.rater.pseudonym,
                stage=pause.stage.name,
                note=note[:200],
            )
    return bool(lifted)
