"""How people come to an account and back into it: by invitation, and in place when a session has ended."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.invitations import accept
from projects.models import Invitation, User, digest

INVITATION_SESSION_KEY = "invitation"


def display_name(user: User) -> str:
    return user.name or user.email


def open_invitation(token: str) -> Invitation | None:
    """The invitation that a link's token opens, or None where it was used, withdrawn or has run out."""
    invitation = Invitation.objects.select_related("project").filter(token_digest=digest(token)).first()
    return invitation if invitation and invitation.is_open else None


def invitation_of_session(request: HttpRequest) -> Invitation | None:
    """The open invitation through whose link this session came, if any."""
    key = request.session.get(INVITATION_SESSION_KEY)
    if key is None:
        return None
    return (
        Invitation.objects.select_related("project")
        .filter(
            pk=key,
            accepted_at=None,
            withdrawn_at=None,
            expires_at__gt=timezone.now(),
        )
        .first()
    )


class InvitationOnlyAdapter(DefaultAccountAdapter):
    """Sign-up is closed but for those who came through an open invitation's link in this session."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return invitation_of_session(request) is not None

    def save_user(self, request: HttpRequest, user: User, form: forms.Form, commit: bool = True) -> User:
        """The account gets the address the invitation was sent to, whatever the form says."""
        invitation = invitation_of_session(request)
        if invitation is None:
            raise PermissionDenied
        user.email = invitation.email
        user.name = form.cleaned_data.get("name", "")
        user.set_password(form.cleaned_data["password1"])
        if commit:
            user.save()
        return user

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return request.session.pop("after_signup", None) or super().get_signup_redirect_url(request)


def accept_after_signup(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Receiver of allauth's `user_signed_up`: the new account joins the project it was made for."""
    invitation = invitation_of_session(request)
    if invitation is not None:
        accept(invitation, user)
        request.session["after_signup"] = reverse("project", args=[invitation.project.slug])


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Scripts get a code they can act on (fetch a fresh token, try again); people get a page."""
    if request.headers.get("Accept", "").startswith("application/json"):
        message = _("This page's protection token has run out. It is being renewed.")
        return JsonResponse({"error": {"code": "csrf", "message": message}}, status=403)
    return render(request, "403_csrf.html", status=403)
