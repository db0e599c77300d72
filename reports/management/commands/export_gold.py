import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from projects.command_line import project_named
from reports.gold import lines


class Command(BaseCommand):
    help = "Write the project's gold as JSONL, one response a line, to a file or to the terminal."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project, as in its address")
        parser.add_argument("-o", "--output", type=Path, help="file to write; the terminal where it is left out")

    def handle(self, *, project: str, output: Path | None, **options: Any) -> None:
        found = project_named(project)
        if output is None:
            sys.stdout.buffer.writelines(lines(found))
            sys.stdout.buffer.flush()
            return
        # Written beside and moved into place: an interrupted export leaves no half a file under the name.
        partial = output.with_name(output.name + ".partial")
        count = 0
        with partial.open("wb") as file:
            for line in lines(found):
                file.write(line)
                count += 1
        partial.replace(output)
        self.stdout.write(f"{count} responses written to {output}")
