"""What the import commands have in common; each names the kind of data it takes."""

import os
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from formats.importing.counted import counted, problems_said
from formats.importing.registry import Importer
from formats.importing.running import Outcome, run_import
from formats.mapping.saved import for_kind, mapping_named
from formats.mapping.specification import MAX_FILE, read_mapping
from formats.readers.choosing import FORMATS, Reading, format_of
from formats.reading import Source
from projects.command_line import project_named
from projects.models import Project
from projects.problems import Invalid
from projects.terminal import ProgressBar, in_megabytes, interrupted_with


class ImportCommand(BaseCommand):
    """`PROJECT FILE [--dry-run] [--format F] [--quiet]`; exit code 1 and every problem said where it is refused."""

    kind: str

    def configuration(self, options: dict[str, Any]) -> Callable[[Importer], None] | None:
        """What the command's own options set of the importer."""
        return None

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("file", help="path of the file, or - for standard input")
        parser.add_argument("--dry-run", action="store_true", help="do everything but store")
        parser.add_argument("--format", choices=FORMATS, help="default: what the file's name says, else jsonl")
        parser.add_argument("--delimiter", default="", help="what sets columns apart; default: as the first row shows")
        parser.add_argument("--sheet", default="", help="name of the sheet of a workbook; default: the first")
        parser.add_argument("--mapping", default="", help="a YAML or JSON file, or the name of one that is saved")
        parser.add_argument("--quiet", action="store_true", help="no progress")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        file_format = options["format"] or format_of(options["file"])
        configure = self.configuration(options)
        with (
            opened(options["file"]) as source,
            terminated_as_interrupted(),
            ProgressBar(sys.stderr, in_megabytes) as bar,
        ):

            def show(lines: int, bytes_read: int, size: int | None) -> None:
                words = ngettext("%(lines)d line", "%(lines)d lines", lines)
                bar.show(bytes_read, size, words % {"lines": lines})

            with interrupted_with(lambda: _("Interrupted: nothing was stored.")):
                outcome = run_import(
                    project,
                    source,
                    self.kind,
                    file_format,
                    dry_run=options["dry_run"],
                    progress=None if options["quiet"] else show,
                    configure=configure,
                    mapping=self.mapping(project, options["mapping"]),
                    reading=Reading(delimiter_said(options["delimiter"]), options["sheet"]),
                )
        self.report(outcome)

    def mapping(self, project: Project, said: str) -> dict[str, Any] | None:
        """A file's or, where there is no such file, the project's of that name; CommandError with all its problems."""
        if not said:
            return None
        try:
            if os.path.isfile(said):
                with open(said, "rb") as file:
                    return for_kind(read_mapping(file.read(MAX_FILE + 1)), self.kind)
            return mapping_named(project, said, self.kind)
        except Invalid as refused:
            raise CommandError("\n".join(f"{said}, {problem}" for problem in refused.problems)) from None

    def report(self, outcome: Outcome) -> None:
        for note in outcome.notes:
            self.stderr.write(note)
        if outcome.is_unchanged:
            self.stdout.write(_("Nothing to store: all of it is in the project already."))
            return
        if outcome.is_clean:
            counts = ", ".join(counted(outcome.counts))
            said = _("Would be stored: %(counts)s.") if outcome.is_dry_run else _("Stored: %(counts)s.")
            self.stdout.write(said % {"counts": counts})
            return
        for problem in outcome.problems:
            self.stderr.write(str(problem))
        hidden = outcome.problem_count - len(outcome.problems)
        if hidden:
            self.stderr.write(_("and %(count)d more problems.") % {"count": hidden})
        raise CommandError(problems_said(outcome.problem_count))


def delimiter_said(said: str) -> str:
    """One character; a tab may be said as \\t or tab."""
    delimiter = "\t" if said in ("\\t", "tab") else said
    if len(delimiter) > 1:
        raise CommandError(_("What sets columns apart is one character."))
    return delimiter


@contextmanager
def opened(path: str) -> Iterator[Source]:
    if path == "-":
        yield Source(sys.stdin.buffer, "standard input")
        return
    try:
        with open(path, "rb") as file:
            yield Source(file, os.path.basename(path), os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise CommandError(
            _("%(path)s cannot be read: %(reason)s.") % {"path": path, "reason": error.strerror}
        ) from None


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """SIGTERM undoes an import as Ctrl-C does, instead of leaving the database to find out."""

    def interrupt(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not in the main thread: signals are not ours
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
