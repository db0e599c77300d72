"""manage.py map_model PATTERN LABORATORY"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.text import slugify

from projects.audit import record
from providers.laboratories import MAX_PATTERN, laboratory_row
from providers.models import ModelMapping


class Command(BaseCommand):
    help = "Say which laboratory stands behind the models whose names begin with PATTERN."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pattern", help="start of the model's name, as a gateway writes it or without the gateway")
        parser.add_argument("laboratory", help="short name of the laboratory, for example anthropic")

    def handle(self, *args: Any, pattern: str, laboratory: str, **options: Any) -> None:
        slug = slugify(laboratory)
        if not pattern.strip() or not slug:
            raise CommandError("Neither the pattern nor the laboratory may be empty. Nothing was mapped.")
        if len(pattern.strip().casefold()) > MAX_PATTERN:
            raise CommandError(f"A pattern has at most {MAX_PATTERN} characters: give the name's beginning.")
        row = laboratory_row(slug)
        mapping, created = ModelMapping.objects.update_or_create(
            pattern=pattern.strip().casefold(), defaults={"laboratory": row}
        )
        record("model.mapped", actor=None, project=None, subject=mapping.pattern, laboratory=row.slug)
        verb = "is now mapped" if created else "is mapped anew"
        self.stdout.write(f"{mapping.pattern}... {verb} to {row.name} ({row.slug}).")
