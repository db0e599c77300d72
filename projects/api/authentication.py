"""Signing in of programs: a personal token in the Authorization header."""

from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import APIException, AuthenticationFailed, Throttled
from rest_framework.request import Request

from projects import throttling
from projects.account_audit import token_used
from projects.models import ApiToken, User, digest
from projects.outages import Outage, outage_of


def note_use(request: HttpRequest, token: ApiToken, now: datetime) -> None:
    """Write down when a token was used last, and from where; reading by it goes on where nothing can be written."""
    try:
        if token.last_used_at is None or (now - token.last_used_at).total_seconds() > 300:
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
        token_used(request, token)
    except DatabaseError as problem:
        if outage_of(problem) not in (Outage.FULL, Outage.BUSY) or connection.in_atomic_block:
            raise


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer mizan_…`. A revoked token or a disabled person is refused."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _separator, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        row = ApiToken.objects.select_related("user").filter(digest=digest(token.strip()), revoked_at=None).first()
        if row is None or not row.user.is_active:
            raise refusal(request)
        note_use(request._request, row, timezone.now())
        return row.user, row

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def refusal(request: Request) -> APIException:
    """401; after many from one address 429. A good token from there goes on working: it is looked up first."""
    address = throttling.visitor_address(request._request)
    wait = throttling.take("bad tokens by address", address, settings.API_BAD_TOKENS_PER_MINUTE, 60.0)
    return AuthenticationFailed(_("This token is not valid.")) if wait is None else Throttled(wait)


class TokenScheme(OpenApiAuthenticationExtension):
    """How the API's own description names this way of signing in."""

    target_class = "projects.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
