import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404

from projects.audit import record
from projects.command_line import project_named, writing
from projects.terminal import ProgressBar, interrupted_with
from reports.gold.formats import format_of, formats_of


class Command(BaseCommand):
    help = "Write the project's gold as JSONL, one response a line, to a file or to the terminal."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project, as in its address")
        parser.add_argument("--of", default="", help="which gold, where there are several: the name of its area")
        parser.add_argument("-o", "--output", type=Path, help="file to write; the terminal where it is left out")

    def handle(self, *, project: str, output: Path | None, of: str, **options: Any) -> None:
        named = project_named(project)
        try:
            chosen = format_of(named, of)
        except Http404:
            known = ", ".join(each.area for each in formats_of(named))
            raise CommandError(f"{project} has no gold of “{of}”. It has: {known}.") from None
        record("gold.exported", actor=None, project=named, subject=chosen.area, via="command")
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
