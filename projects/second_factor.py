"""The second factor: its code is guessed at as slowly as a pass phrase, and a wrong one of any kind is written down."""

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import AuthenticateWebAuthnForm, LoginWebAuthnForm, ReauthenticateWebAuthnForm
from django.forms import ValidationError

from projects.account_audit import passkey_failed
from projects.brute_force import CODE


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


class WrittenDown(AuthenticateWebAuthnForm):
    """allauth tells nobody of a passkey that did not fit, and fails at one that is none."""

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()
        except ValidationError:
            passkey_failed(context.request, self.user)
            raise
        except (KeyError, TypeError, ValueError, AttributeError):  # what its library raises for another shape
            passkey_failed(context.request, self.user)
            raise get_mfa_adapter().validation_error("incorrect_code") from None


class PasskeyForm(WrittenDown):
    """After the pass phrase."""


class PasskeyAloneForm(WrittenDown, LoginWebAuthnForm):
    """In place of the pass phrase."""


class PasskeyAgainForm(WrittenDown, ReauthenticateWebAuthnForm):
    """Where somebody who is signed in confirms that it is them."""
