"""How often a program may ask. The address it comes from has a limit of its own: projects/middleware.py."""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from projects import throttling
from projects.models import ApiToken

MINUTE = 60.0


class PerToken(BaseThrottle):
    """Each token by itself; a person who is signed in with a browser as one."""

    _wait: float | None = None

    def allow_request(self, request: Request, view: object) -> bool:
        if isinstance(request.auth, ApiToken):
            key = f"token {request.auth.pk}"
        else:
            key = f"person {request.user.pk}"
        self._wait = throttling.take("api by token", key, settings.API_REQUESTS_PER_MINUTE, MINUTE)
        return self._wait is None

    def wait(self) -> float | None:
        return self._wait
