"""The form by which an invited person makes an account."""

from typing import Any

from allauth.account.forms import SignupForm
from allauth.core import context
from django import forms
from django.utils.translation import gettext_lazy as _

from projects.accounts import invitation_of_session


class InvitedSignupForm(SignupForm):
    """The address comes from the invitation; the person chooses a name and a pass phrase."""

    name = forms.CharField(label=_("Your name"), max_length=120)
    field_order = ["name", "email", "password1"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        invitation = invitation_of_session(context.request)
        if invitation is not None:
            self.fields["email"].initial = invitation.email
            self.fields["email"].disabled = True
            self.fields["name"].initial = invitation.name
