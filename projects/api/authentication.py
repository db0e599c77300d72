"""Signing in of programs: a personal token in the Authorization header."""

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from projects.models import ApiToken, User, digest


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer mizan_…`. A revoked token or a disabled person is refused."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _separator, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        row = ApiToken.objects.select_related("user").filter(digest=digest(token.strip()), revoked_at=None).first()
        if row is None or not row.user.is_active:
            raise AuthenticationFailed(_("This token is not valid."))
        now = timezone.now()
        if row.last_used_at is None or (now - row.last_used_at).total_seconds() > 300:
            ApiToken.objects.filter(pk=row.pk).update(last_used_at=now)
        return row.user, row

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class TokenScheme(OpenApiAuthenticationExtension):
    """How the API's own description names this way of signing in."""

    target_class = "projects.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
