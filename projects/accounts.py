"""How people come to an account and back into it: by invitation, and in place when a session has ended."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from projects import account_audit, brute_force, throttling
from projects.invitations import accept
from projects.models import Invitation, User, digest
from projects.views.errors import throttled

logger = logging.getLogger(__name__)

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

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """What the page says stays the same where the mail server is away: it tells nobody whose address it was."""
        try:
            super().send_mail(template_prefix, email, context)
        except OSError:  # smtplib's errors are of this kind too
            logger.exception("A mail could not be sent (%s)", template_prefix)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        account = str(credentials.get("email", "")).strip().lower()
        attempt = self.begin_try(request, brute_force.PASS_PHRASE, account)
        user = super().authenticate(request, **credentials)
        if user is None:
            attempt.failed()
        else:
            attempt.succeeded()
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        account_audit.sign_in_failed(request, str(credentials.get("email", "")))

    def begin_try(self, request: HttpRequest, what: str, account: str) -> brute_force.Try:
        """Count a try at an account. Raises ImmediateHttpResponse, with status 429, where it must wait."""
        try:
            return brute_force.begin(what, account, throttling.visitor_address(request))
        except brute_force.TooSoon as refused:
            raise ImmediateHttpResponse(throttled(request, refused.wait_seconds)) from None

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return request.session.pop("after_signup", None) or super().get_signup_redirect_url(request)


def accept_after_signup(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Receiver of allauth's `user_signed_up`: the new account joins the project it was made for."""
    invitation = invitation_of_session(request)
    if invitation is not None:
        accept(invitation, user)
        request.session["after_signup"] = reverse("project", args=[invitation.project.slug])
