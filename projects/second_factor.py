"""The code of the second factor: guessed at as slowly as a pass phrase."""

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django.forms import ValidationError

from projects.guessing import CODE


class SlowlyGuessed(BaseAuthenticateForm):
    def clean_code(self) -> str:
        attempt = get_adapter().begin_try(context.request, CODE, str(self.user.pk))
        try:
            code = super().clean_code()
        except ValidationError:
            attempt.failed()
            raise
        attempt.succeeded()
        return code


class CodeForm(SlowlyGuessed, AuthenticateForm):
    """At signing in."""


class CodeAgainForm(SlowlyGuessed, ReauthenticateForm):
    """Where somebody who is signed in confirms that it is them."""
