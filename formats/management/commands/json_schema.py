"""`manage.py json_schema KIND`: what a line of a kind of file looks like."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from formats.importing.registry import importers


class Command(BaseCommand):
    help = "Print the JSON Schema of a line of a kind of file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", choices=sorted(importers()))

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(importers()[options["kind"]].format.schema_json.decode(), ending="")
