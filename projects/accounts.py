"""How people come to an account and back into it: by invitation, and in place when a session has ended."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.models import Invitation, User, digest

INVITATION_SESSION_KEY = "invitation"


def display_name(user: User) -> str:
    return user.name or user.email


def open_invitation(token: str) -> Invitation | None:
    """The invitation that a link's token opens, or None where it was used, withdrawn or has run out."""
    invitation = Invitation.objects.select_related("project").filter(token_digest=digest(token)).first()
    return invitation if invitation and invitation.is_open else None


class InvitationOnlyAdapter(DefaultAccountAdapter):
    """Sign-up is closed but for those who came through an open invitation's link in this session."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return Invitation.objects.filter(
            pk=request.session.get(INVITATION_SESSION_KEY),
            accepted_at=None,
            withdrawn_at=None,
            expires_at__gt=timezone.now(),
        ).exists()


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Scripts get a code they can act on (fetch a fresh token, try again); people get a page."""
    if request.headers.get("Accept", "").startswith("application/json"):
        message = _("This page's protection token has run out. It is being renewed.")
        return JsonResponse({"error": {"code": "csrf", "message": message}}, status=403)
    return render(request, "403_csrf.html", status=403)
