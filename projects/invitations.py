"""Bring people into a project: invite, accept, withdraw, change roles."""

import logging
import secrets
from collections.abc import Collection, Iterable

from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.audit import record
from projects.models import Invitation, LanguageVariety, Membership, Project, Rater, RaterKind, Role, User, digest

logger = logging.getLogger(__name__)

# Those whose answers are stored as a rater's.
RATING_ROLES = frozenset({Role.ANNOTATOR, Role.VALIDATOR, Role.AUTHOR})


@transaction.atomic
def invite(
    project: Project,
    email: str,
    *,
    roles: Collection[str],
    varieties: Iterable[LanguageVariety],
    invited_by: User,
    name: str = "",
    is_expert: bool = False,
) -> tuple[Invitation, str]:
    """Return the invitation and its token, which is not stored. An open one to the same address is replaced."""
    email = email.strip().lower()
    open_ones = Invitation.objects.filter(project=project, email__iexact=email, accepted_at=None, withdrawn_at=None)
    open_ones.update(withdrawn_at=timezone.now())
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        project=project,
        email=email,
        name=name,
        roles=sorted(roles),
        is_expert=is_expert,
        token_digest=digest(token),
        invited_by=invited_by,
    )
    invitation.varieties.set(varieties)
    record("person.invited", actor=invited_by, project=project, subject=email, roles=sorted(roles))
    return invitation, token


def send(invitation: Invitation, link: str) -> bool:
    """Mail the link; the lead is shown it too, as many annotators are reached by chat and not by mail. False where the
    mail server did not take it."""
    context = {"invitation": invitation, "link": link}
    try:
        send_mail(
            subject=_("You are invited to %(project)s") % {"project": invitation.project.name},
            message=render_to_string("projects/people/invitation.txt", context),
            from_email=None,
            recipient_list=[invitation.email],
        )
    except OSError:  # smtplib's errors are of this kind too
        logger.exception("An invitation could not be mailed")
        return False
    return True


@transaction.atomic
def accept(invitation: Invitation, user: User) -> None:
    """Give the person what the invitation promises. A person may accept only what was sent to their address."""
    if invitation.email != user.email:
        raise ValueError("an invitation is accepted by the address it was sent to")
    taken = Invitation.objects.filter(pk=invitation.pk, accepted_at=None).update(accepted_at=timezone.now())
    if not taken:
        return
    if invitation.name and not user.name:
        user.name = invitation.name
        user.save(update_fields=["name"])
    add_roles(invitation.project, user, invitation.roles)
    if RATING_ROLES & set(invitation.roles):
        rater = rater_of(invitation.project, user)
        rater.varieties.add(*invitation.varieties.all())
        if invitation.is_expert:
            rater.is_expert = True
            rater.save(update_fields=["is_expert"])
    record("invitation.accepted", actor=user, project=invitation.project, subject=user.email)


def add_roles(project: Project, user: User, roles: Iterable[str]) -> None:
    Membership.objects.bulk_create(
        [Membership(project=project, user=user, role=role) for role in roles], ignore_conflicts=True
    )


def rater_of(project: Project, user: User) -> Rater:
    """The person as a rater of the project, made on first need; a namesake gets a number behind the name."""
    rater = Rater.objects.filter(project=project, user=user).first()
    if rater is not None:
        return rater
    name = base = str(user)
    number = 2
    while Rater.objects.filter(project=project, kind=RaterKind.HUMAN, name=name).exists():
        name, number = f"{base} ({number})", number + 1
    return Rater.objects.create(project=project, kind=RaterKind.HUMAN, name=name, user=user)


@transaction.atomic
def withdraw(invitation: Invitation, by: User) -> None:
    Invitation.objects.filter(pk=invitation.pk, accepted_at=None).update(withdrawn_at=timezone.now())
    record("invitation.withdrawn", actor=by, project=invitation.project, subject=invitation.email)


@transaction.atomic
def change_roles(project: Project, user: User, roles: Collection[str], by: User) -> None:
    """Set a member's roles; none at all ends the membership, and what they submitted stays."""
    if user == by:
        raise ValueError("nobody changes their own roles")
    before = set(Membership.objects.filter(project=project, user=user).values_list("role", flat=True))
    Membership.objects.filter(project=project, user=user).exclude(role__in=roles).delete()
    add_roles(project, user, roles)
    if RATING_ROLES & set(roles):
        rater_of(project, user)
    record(
        "roles.changed",
        actor=by,
        project=project,
        subject=user.email,
        before=sorted(before),
        after=sorted(roles),
    )
