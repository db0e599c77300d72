from argparse import ArgumentParser
from typing import Any

from formats.importing.command import ImportCommand


class Command(ImportCommand):
    help = "Import answers of raters who worked elsewhere (JSONL), also to questionnaires: all of them or nothing."
    kind = "answers"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        kinds = ("answers", "questionnaire-answers")
        parser.add_argument("--kind", choices=kinds, default=self.kind, help=f"default: {self.kind}")

    def handle(self, *args: Any, **options: Any) -> None:
        self.kind = options["kind"]
        super().handle(*args, **options)
