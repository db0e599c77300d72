import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from benchmark.access import add_set_options, frozen_sets_named
from benchmark.gaming import FlagCounts, find_flags
from benchmark.models import Flag, QuestionSet
from projects.command_line import project_named
from projects.terminal import ProgressBar, interrupted_with


class Command(BaseCommand):
    help = "Look for signs of gaming in the stored answers: flags and notes. Decisions of leads are kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        add_set_options(parser)
        parser.add_argument("--json", action="store_true", help="flags and notes as JSON, by set")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        sets = frozen_sets_named(project, options)
        counts = {question_set: self.found(question_set) for question_set in sets}
        if options["json"]:
            found = {str(each): {**asdict(counts[each]), "rows": rows_of(each)} for each in sets}
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        said = _("%(set)s: %(configurations)d models, %(flags)d flags, %(notes)d notes, %(new)d of both new.")
        for question_set, each in counts.items():
            self.stdout.write(said % {"set": question_set, **asdict(each)})
            for row in rows_of(question_set):
                name = _("cleared") if row["cleared"] else _("note") if row["note"] else _("flag")
                self.stdout.write(f"  {row['configuration']}: {row['kind']} ({name})")

    def found(self, question_set: QuestionSet) -> FlagCounts:
        message = _("Interrupted: nothing was changed; the same command begins anew.")
        with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: message):
            return find_flags(question_set, progress=lambda done, total: bar.show(done, total, str(question_set)))


def rows_of(question_set: QuestionSet) -> list[dict[str, Any]]:
    rows = Flag.objects.filter(question_set=question_set).select_related("configuration")
    return [
        {"configuration": row.configuration.slug, "kind": row.kind, "note": row.is_note, "cleared": row.is_cleared}
        for row in rows.order_by("configuration__slug", "kind")
    ]
