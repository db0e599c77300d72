"""`manage.py create_admin EMAIL`: the first administrator of an installation."""

import getpass
import os
import sys
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email

from projects.audit import record
from projects.models import User


class Command(BaseCommand):
    help = "Make an administrator. The pass phrase is asked for, or read from ADMIN_PASSWORD."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", default="")

    def handle(self, *args: Any, email: str, name: str, **options: Any) -> None:
        email = email.strip().lower()
        try:
            validate_email(email)
        except ValidationError:
            raise CommandError(f"{email!r} is not an email address.") from None
        if User.objects.filter(email=email).exists():
            raise CommandError(f"There is an account for {email} already.")
        password = os.environ.get("ADMIN_PASSWORD") or self.ask()
        try:
            validate_password(password, User(email=email, name=name))
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        user = User.objects.create_superuser(email, password, name=name)
        record("administrator.created", actor=None, project=None, subject=user.email)
        self.stdout.write(self.style.SUCCESS(f"{email} can sign in as administrator."))

    def ask(self) -> str:
        if not sys.stdin.isatty():
            raise CommandError("Set ADMIN_PASSWORD, or run this where a pass phrase can be typed.")
        first = getpass.getpass("Pass phrase: ")
        if first != getpass.getpass("Again: "):
            raise CommandError("The two differ; nothing was made.")
        return first
