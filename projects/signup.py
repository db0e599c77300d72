"""The form by which an invited person makes an account."""

from typing import Any

from allauth.account.forms import SignupForm
from allauth.core import context
from django import forms
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _

from projects.accounts import invitation_of_session
from projects.models import User


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

    def clean(self) -> dict[str, Any]:
        """allauth compares the pass phrase with the address alone; the name is as easily guessed."""
        cleaned = super().clean() or {}
        if "password1" in cleaned and "password1" not in self.errors:
            person = User(email=cleaned.get("email", ""), name=cleaned.get("name", ""))
            try:
                validate_password(cleaned["password1"], person)
            except forms.ValidationError as weak:
                self.add_error("password1", weak)
        return cleaned
