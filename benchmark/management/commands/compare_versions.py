import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from agreement.figures import Figure
from benchmark.access import set_named
from benchmark.comparing import FIGURES, as_json, compare
from projects.command_line import project_named


class Command(BaseCommand):
    help = "Two frozen versions of a question set beside each other: each configuration over common and all questions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("set", help="short name of the question set")
        parser.add_argument("before", type=int, help="the earlier version")
        parser.add_argument("after", type=int, help="the later version")
        parser.add_argument("--json", action="store_true", help="for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        before, after = (set_named(project, options["set"], options[name]) for name in ("before", "after"))
        if not (before.is_frozen and after.is_frozen):
            raise CommandError(_("Scores are compared of frozen versions alone."))
        found = compare(before, after)
        if options["json"]:
            self.stdout.write(json.dumps(as_json(found), ensure_ascii=False, indent=1))
            return
        values = {"n": found.common, "changed": len(found.changed)}
        self.stdout.write(_("Questions in both versions: %(n)d, of which changed: %(changed)d.") % values)
        for row in found.rows:
            cells = (in_words(getattr(row, name)) for name in FIGURES)
            self.stdout.write("\t".join([row.configuration.name, *cells]))


def in_words(figure: Figure) -> str:
    return f"{figure.value:.3f} (n = {figure.n})" if figure.value is not None else str(figure.undefined)
