"""manage.py verify_account EMAIL --laboratory NAME [--make]"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from benchmark.submissions.verifying import verify
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Say for which laboratory an account speaks, so that it may submit models to open boards."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--laboratory", required=True, help="its name, in Latin letters")
        parser.add_argument("--make", action="store_true", help="make the account where there is none")

    def handle(self, *args: Any, email: str, laboratory: str, make: bool, **options: Any) -> None:
        try:
            verified = verify(email, laboratory, None, is_made=make)
        except Invalid as invalid:
            raise CommandError(" ".join(problem.message for problem in invalid.problems)) from None
        self.stdout.write(f"{verified.user.email} speaks for {verified.laboratory.name} ({verified.laboratory.slug}).")
        if not verified.user.has_usable_password():
            self.stdout.write("Its owner sets a pass phrase at /accounts/password/reset/.")
