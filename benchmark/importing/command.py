"""What the commands that import into a benchmark have in common: files beside the one that is read."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from formats.importing.command import ImportCommand
from projects.problems import Invalid


class BenchmarkImportCommand(ImportCommand):
    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--columns", metavar="FILE", help="column map: JSON, their names and ours")

    def read(self, path: str, reader: Any) -> Any:
        """What stands in a file beside the lines; CommandError with every problem of it."""
        try:
            return reader(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(_("%(path)s cannot be read: %(reason)s.") % {"path": path, "reason": error}) from None
        except Invalid as refused:
            raise CommandError("\n".join(f"{path}, {problem}" for problem in refused.problems)) from None
