"""`manage.py json_schema KIND`: what a line of a kind of file looks like, or the project file."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from formats.project_file.describing import published_formats


class Command(BaseCommand):
    help = "Print the JSON Schema of a line of a kind of file, or of the project file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", choices=sorted(published_formats()))

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(published_formats()[options["kind"]].schema_json.decode(), ending="")
