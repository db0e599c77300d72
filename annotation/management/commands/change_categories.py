"""manage.py change_categories PROJECT rename SLUG [--name N] [--definition D] [--example E]
manage.py change_categories PROJECT merge SLUG... --into SLUG
manage.py change_categories PROJECT split SLUG --part "Name: definition" --part ...
manage.py change_categories PROJECT undo NUMBER

Each with [--reason TEXT] [--dry-run].
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.category_changes import Part
from annotation.category_requests import Wanted, carry_out
from projects.command_line import project_named
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Rename, merge or split categories of errors after work has begun, or take a change back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        kinds = parser.add_subparsers(dest="kind", required=True)
        rename = kinds.add_parser("rename", help="other words for the same category")
        rename.add_argument("category", help="its short name, which stays")
        for name in ("name", "definition", "example"):
            rename.add_argument(f"--{name}")
        merge = kinds.add_parser("merge", help="several categories are read as one")
        merge.add_argument("categories", nargs="+", help="their short names")
        merge.add_argument("--into", required=True, help="the one that they are read as")
        split = kinds.add_parser("split", help="several categories are offered in place of one")
        split.add_argument("category", help="its short name")
        split.add_argument("--part", action="append", required=True, help="Name: definition; said at least twice")
        undo = kinds.add_parser("undo", help="what stood before a change stands again")
        undo.add_argument("number", type=int, help="of the change")
        for one in (rename, merge, split, undo):
            one.add_argument("--reason", default="", help="for the record")
            one.add_argument("--dry-run", action="store_true", help="say what it touches, and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("kind", "category", "categories", "into", "name", "definition", "example", "number", "reason")
        said = {name: options[name] for name in names if options.get(name) is not None}
        parts = [part.partition(":") for part in options.get("part") or ()]
        said["parts"] = [Part(name.strip(), definition.strip()) for name, _colon, definition in parts]
        try:
            made = carry_out(project_named(options["project"]), Wanted(**said), None, dry_run=options["dry_run"])
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        touched = made.touched
        self.stdout.write(
            f"{'Would touch' if options['dry_run'] else 'Touched'}: {touched.spans} marks, {touched.reviews} reviews, "
            f"{touched.codings} codings, {touched.gold} final errors, {touched.weights} points of their own, "
            f"{touched.rules} rules of answers."
        )
        if made.change is not None:
            self.stdout.write(f"Change {made.change.number}.")
        if made.job is not None:
            self.stdout.write(f"The final errors follow in a job: {made.job.uuid}.")
