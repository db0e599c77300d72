"""Which account speaks for which laboratory: checked and said by whoever runs the installation."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.models import VerifiedAccount
from formats.importing.laboratories import find_laboratory
from projects.audit import record
from projects.models import User
from projects.problems import Invalid, Problem
from projects.stored_text import name_fault

MAX_LABORATORY = 120


def verify(email: str, laboratory: str, by: User | None, *, is_made: bool = False) -> VerifiedAccount:
    """Let an account speak for a laboratory, which is made where it is not known; said again, the later one holds.

    is_made  make the account where there is none: in no project, and without a pass phrase, which its owner sets by way
             of “forgotten” on the page of signing in.

    Raises Invalid for what is no address, an unknown account, and a laboratory without a name in Latin letters.
    """
    address, name = email.strip().lower(), laboratory.strip()
    try:
        validate_email(address)
    except ValidationError:
        raise Invalid(Problem("email", _("This is not an e-mail address."), "email")) from None
    if fault := name_fault(name, MAX_LABORATORY):
        raise Invalid(Problem(*fault, "laboratory"))
    with transaction.atomic():
        user = User.objects.filter(email=address, is_active=True).first()
        if user is None and is_made and not User.objects.filter(email=address).exists():
            user = User.objects.create_user(address)
            record("account.made", actor=by, project=None, subject=address)
        if user is None:
            message = _("There is no account for %(email)s.") % {"email": address}
            raise Invalid(Problem("unknown_account", message, "email"))
        row, _is_new = find_laboratory(name)
        if row is None:
            message = _("A laboratory's name needs a letter from a to z or a digit.")
            raise Invalid(Problem("laboratory_name", message, "laboratory"))
        verified, _is_new = VerifiedAccount.objects.update_or_create(
            user=user, defaults={"laboratory": row, "verified_by": by}
        )
        record("account.verified", actor=by, project=None, subject=address, laboratory=row.slug)
    return verified


def take_back(verified: VerifiedAccount, by: User | None) -> None:
    """The account speaks for no laboratory any more; what it has submitted stays."""
    with transaction.atomic():
        laboratory = verified.laboratory.slug
        record("account.unverified", actor=by, project=None, subject=verified.user.email, laboratory=laboratory)
        verified.delete()
