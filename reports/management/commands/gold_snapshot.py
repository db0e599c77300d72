"""Snapshots of gold in the terminal.

manage.py gold_snapshot PROJECT NAME [--of AREA]     take one
manage.py gold_snapshot PROJECT --since NAME [--until NAME] [--of AREA]     what has changed since
"""

import sys
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404

from projects.command_line import project_named
from projects.models import Project
from projects.problems import Invalid
from reports.gold.formats import format_of, formats_of
from reports.gold.snapshots import changes_since, take
from reports.models import GoldSnapshot


class Command(BaseCommand):
    help = "Keep the gold as it is under a name, or say as JSON what has changed since (--since)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project, as in its address")
        parser.add_argument("name", nargs="?", help="of the snapshot to take")
        parser.add_argument("--of", default="", help="which gold, where there are several: the name of its area")
        parser.add_argument("--since", help="name of the earlier snapshot")
        parser.add_argument("--until", help="name of the later one; the gold as it is now where it is left out")

    def handle(self, *, project: str, name: str | None, of: str, **options: Any) -> None:
        named = project_named(project)
        try:
            chosen = format_of(named, of)
        except Http404:
            known = ", ".join(each.area for each in formats_of(named))
            raise CommandError(f"{project} has no gold of “{of}”. It has: {known}.") from None
        if (name is None) == (options["since"] is None):
            raise CommandError("Name the snapshot to take, or with --since the one to compare with.")
        if name is None:
            since = snapshot_named(named, chosen.area, options["since"])
            until = snapshot_named(named, chosen.area, options["until"]) if options["until"] else None
            sys.stdout.buffer.write(orjson.dumps(changes_since(since, until).as_json(), option=orjson.OPT_INDENT_2))
            sys.stdout.buffer.write(b"\n")
            sys.stdout.buffer.flush()
            return
        try:
            snapshot = take(named, chosen, name, None, via="command")
        except Invalid as refused:
            raise CommandError("\n".join(problem.message for problem in refused.problems)) from None
        self.stdout.write(f"{snapshot.name}: {snapshot.lines} lines, SHA-256 {snapshot.sha256}")


def snapshot_named(project: Project, area: str, name: str) -> GoldSnapshot:
    found = project.gold_snapshots.filter(area=area, name=name).first()
    if found is None:
        names = ", ".join(project.gold_snapshots.filter(area=area).values_list("name", flat=True)[:20]) or "none yet"
        raise CommandError(f"There is no snapshot “{name}” of {area}. There are: {names}.")
    return found
