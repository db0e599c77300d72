"""`migrate` as Django has it, in little more than half the time."""

from typing import Any

from django.core.management.commands import migrate

from projects.migrating import fields_copied


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with fields_copied():
            super().handle(*args, **options)
