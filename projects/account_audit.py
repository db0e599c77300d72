"""What is written down of accounts: coming in, failing to, leaving, and every change of what one comes in with.

These events belong to no project. Failures are as many as projects/brute_force.py looks at, so nobody fills the log;
what was refused before it was looked at is not written down. A token's use is written down once per day, token and
address: every request would bury the rest, and the address is what shows that somebody else has it.
"""

from typing import Any

from allauth.account import signals as account
from allauth.core import context
from allauth.mfa import signals as second_factor
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from django.contrib.auth.signals import user_logged_out
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone

from projects import throttling
from projects.audit import record
from projects.models import ApiToken, User

MAX_TYPED = 80
HOUR = 3600.0
DAY = 24 * HOUR
# Of one address in an hour.
PASSKEYS_WRITTEN_DOWN = 10


def origin(request: HttpRequest | None) -> dict[str, str]:
    """{"address": …} of a visitor; empty where the act came from no visitor's request."""
    if request is None:
        return {}
    try:
        return {"address": throttling.visitor_address(request)}
    except PermissionDenied:  # a request that was made up by a program has no address
        return {}


def account_event(action: str, request: HttpRequest | None, user: User, **detail: Any) -> None:
    record(action, actor=user, project=None, subject=user.email, **origin(request), **detail)


def sign_in_failed(request: HttpRequest, typed: str) -> None:
    """The address of e-mail as it was typed, which may be nobody's."""
    record("sign_in.failed", actor=None, project=None, subject=typed[:MAX_TYPED], **origin(request))


def passkey_failed(request: HttpRequest, user: User | None) -> None:
    """`user` is whoever gave the pass phrase before; None where the passkey alone was to say who it is.

    There is nothing to guess at, so what keeps a stranger from filling the log is the number written down.
    """
    if throttling.count("passkeys failed", throttling.visitor_address(request), HOUR).n <= PASSKEYS_WRITTEN_DOWN:
        action = "second_factor.failed" if user else "sign_in.failed"
        record(action, actor=user, project=None, subject=user.email if user else "", **origin(request), kind="webauthn")


def token_used(request: HttpRequest, token: ApiToken) -> None:
    address = throttling.visitor_address(request)
    use = "token used", f"{token.pk} {address} {timezone.now():%Y-%m-%d}"
    if throttling.count(*use, DAY).n == 1:
        try:
            record("token.used", actor=token.user, project=None, subject=token.name, address=address)
        except DatabaseError:
            throttling.forget(*use)  # so that the next use is written down
            raise


class AuditedSessions(DefaultUserSessionsAdapter):
    """Sessions that a person ended from another one."""

    def end_sessions(self, sessions: list) -> None:
        sessions = list(sessions)
        super().end_sessions(sessions)
        if sessions:
            account_event("sessions.ended", context.request, sessions[0].user, sessions=len(sessions))


def _receiver(action: str) -> Any:
    def receive(sender: Any, request: HttpRequest | None = None, user: User | None = None, **rest: Any) -> None:
        if user is None or not user.pk:
            return
        detail = {}
        if "authenticator" in rest:
            detail["kind"] = rest["authenticator"].type
        if "email_address" in rest:
            detail["email"] = rest["email_address"].email
        account_event(action, request, user, **detail)

    return receive


RECEIVERS = {
    account.user_logged_in: _receiver("sign_in.succeeded"),
    user_logged_out: _receiver("sign_out"),
    account.password_changed: _receiver("password.changed"),
    account.password_set: _receiver("password.set"),
    account.password_reset: _receiver("password.reset"),
    account.email_added: _receiver("email.added"),
    account.email_changed: _receiver("email.changed"),
    account.email_removed: _receiver("email.removed"),
    second_factor.authenticator_added: _receiver("second_factor.added"),
    second_factor.authenticator_removed: _receiver("second_factor.removed"),
    second_factor.authenticator_reset: _receiver("second_factor.reset"),
    second_factor.authentication_failed: _receiver("second_factor.failed"),
}


def connect() -> None:
    for signal, receiver in RECEIVERS.items():
        signal.connect(receiver, weak=False, dispatch_uid="projects.account_audit")
