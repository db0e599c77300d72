from argparse import ArgumentParser
from typing import Any

from formats.importing.command import ImportCommand


class Command(ImportCommand):
    help = "Import question types, prompt templates or their localisations into a project: all of it or nothing."
    kind = "templates"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        kinds = ("questions", "templates", "localisations")
        parser.add_argument("--kind", choices=kinds, default=self.kind, help=f"default: {self.kind}")

    def handle(self, *args: Any, **options: Any) -> None:
        self.kind = options["kind"]
        super().handle(*args, **options)
