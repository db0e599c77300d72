import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.audit import record
from projects.command_line import project_named, writing
from projects.models import Project
from projects.terminal import ProgressBar, interrupted_with
from reports.dataset.gold_files import blocks
from reports.dataset.tables import of_gold
from reports.frames.files import FORMATS, PARQUET
from reports.gold.formats import GoldFormat, format_of, formats_of


class Command(BaseCommand):
    help = "Write the project's gold as JSONL, one response a line, to a file or to the terminal; or as tables."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project, as in its address")
        parser.add_argument("--of", default="", help="which gold, where there are several: the name of its area")
        places = parser.add_mutually_exclusive_group()
        places.add_argument("-o", "--output", type=Path, help="file to write; the terminal where it is left out")
        places.add_argument("--to", type=Path, metavar="DIR", help="folder of a table of each kind of line instead")
        parser.add_argument("--format", choices=FORMATS, default=PARQUET, help=f"of the tables; default: {PARQUET}")

    def handle(
        self, *, project: str, output: Path | None, of: str, to: Path | None, format: str, **options: Any
    ) -> None:
        named = project_named(project)
        try:
            chosen = format_of(named, of)
        except Http404:
            known = ", ".join(each.area for each in formats_of(named))
            raise CommandError(f"{project} has no gold of “{of}”. It has: {known}.") from None
        record("gold.exported", actor=None, project=named, subject=chosen.area, via="command")
        if to is not None:
            self.write_tables(named, chosen, to, format)
            return
        lines = chosen.lines(named)
        if output is None:
            sys.stdout.buffer.writelines(lines)
            sys.stdout.buffer.flush()
            return
        # Written beside and moved into place: an interrupted export leaves no half a file under the name.
        partial = output.with_name(output.name + ".partial")
        total, count = chosen.summarise(named).responses, 0
        nothing = f"Interrupted: {output} is what it was before; {partial} can be deleted."
        with writing(output):
            with partial.open("wb") as file, ProgressBar(sys.stderr) as bar, interrupted_with(lambda: nothing):
                for line in lines:
                    file.write(line)
                    count += 1
                    bar.show(count, total)
            partial.replace(output)
        self.stdout.write(f"{count} responses written to {output}")

    def write_tables(self, project: Project, chosen: GoldFormat, to: Path, file_format: str) -> None:
        """A file of each kind of line, each written beside and moved into place."""
        ready: list[str] = []

        def interrupted() -> str:
            names = ", ".join(ready) or _("none")
            return _("Interrupted. Files that are complete: %(names)s; no other was changed.") % {"names": names}

        with writing(to), interrupted_with(interrupted):
            to.mkdir(parents=True, exist_ok=True)
            for table in of_gold(chosen):
                path = to / f"{project.slug}-{table.name}.{file_format}"
                partial, rows = path.with_name(path.name + ".partial"), 0
                try:
                    with partial.open("wb") as file:
                        for block, count in blocks(table, project, file_format):
                            file.write(block)
                            rows += count
                    partial.replace(path)
                finally:
                    partial.unlink(missing_ok=True)
                ready.append(path.name)
                words = ngettext("%(rows)d row written to %(path)s", "%(rows)d rows written to %(path)s", rows)
                self.stdout.write(words % {"rows": rows, "path": path})
