"""`manage.py agreement PROJECT`: the figures of the dashboard, to read, or as JSON or CSV for programs."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.command_line import project_named
from projects.models import Project
from projects.problems import Invalid
from projects.terminal import ProgressBar, interrupted_with
from reports.dashboard.dashboards import all_filters, as_json, asked_for, tables
from reports.dashboard.tables import Table
from reports.dashboard.wording import figure_text
from reports.verification import TOLERANCE, Comparison, disagreeing, package_version
from reports.verifying import verified


class Command(BaseCommand):
    help = "How people and judges agree: every figure with its interval and its recipe."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--table", metavar="ID", help="this table alone, e.g. judge-scores")
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="as the programming interface answers")
        form.add_argument("--csv", action="store_true", help="one line per figure; needs --table")
        parser.add_argument(
            "--verify", action="store_true", help="recompute every alpha with the package krippendorff and compare"
        )
        for name, about in all_filters().items():
            parser.add_argument(f"--{name}", help=about)

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        if options["csv"] and not options["table"]:
            raise CommandError(_("CSV holds one table: name it with --table."))
        if options["csv"] and options["verify"]:
            raise CommandError(_("Recomputed alphas are written as lines or as JSON, not as CSV."))
        if options["verify"]:
            return self.verify(project, options)
        unchanged = "Interrupted. Nothing was changed."
        try:
            with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: unchanged):
                all_tables = tables(project, {name: options[name] for name in all_filters()}, bar.show)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        if options["table"]:
            check_known(options["table"], [table.id for table in all_tables])
            all_tables = [table for table in all_tables if table.id == options["table"]]
        self.stdout.write(self.written(project, all_tables, options))

    def verify(self, project: Project, options: dict) -> None:
        """Raises CommandError, with 1 as the exit code, naming each place where an alpha differs."""
        try:
            with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: "Interrupted. Nothing was changed."):
                asked = asked_for(project, {name: options[name] for name in all_filters()})
                known = [table for dashboard, _own in asked if dashboard.alphas for table in dashboard.alphas.tables]
                if options["table"]:
                    check_known(options["table"], known)
                comparisons = [
                    comparison for dashboard, own in asked for comparison in verified(dashboard, project, own, bar.show)
                ]
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        comparisons = [comparison for comparison in comparisons if options["table"] in (None, comparison.table)]
        if options["json"]:
            compared = [comparison.as_json() for comparison in comparisons]
            report = {"project": project.slug, "package": package_version(), "tolerance": TOLERANCE, "alphas": compared}
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=2))
        else:
            for comparison in comparisons:
                self.stdout.write(as_line(comparison))
        if wrong := disagreeing(comparisons):
            places = "\n".join(comparison.place for comparison in wrong)
            told_wrong = ngettext("%(n)d alpha differs:", "%(n)d alphas differ:", len(wrong)) % {"n": len(wrong)}
            raise CommandError(f"{told_wrong}\n{places}")
        agreed = ngettext(
            "%(n)d alpha is what %(package)s computes.", "%(n)d alphas are what %(package)s computes.", len(comparisons)
        )
        self.stderr.write(agreed % {"n": len(comparisons), "package": package_version()})

    def written(self, project: Project, all_tables: list[Table], options: dict) -> str:
        if options["json"]:
            return json.dumps(as_json(project, all_tables), ensure_ascii=False, indent=2)
        if options["csv"]:
            return all_tables[0].as_csv().rstrip("\n")
        return "\n\n".join(as_text(table) for table in all_tables)


def check_known(table_id: str, known: list[str]) -> None:
    if table_id not in known:
        names = {"id": table_id, "known": ", ".join(known)}
        raise CommandError(_("There is no table “%(id)s”; there are: %(known)s.") % names)


def as_line(comparison: Comparison) -> str:
    numbers = [
        "undefined" if number is None else f"{number:.12f}" for number in (comparison.shown, comparison.recomputed)
    ]
    apart = "" if comparison.difference is None else f"{comparison.difference:.1e}"
    return "  ".join(filter(None, [comparison.place, *numbers, apart, "" if comparison.agrees else _("differs")]))


def as_text(table: Table) -> str:
    """Title, finding, aligned columns, ceiling, note and the recipe's signature."""
    lines = [[*table.dimensions, *table.measures, ""]]
    units = [table.unit_of(measure) for measure in table.measures]
    for row in table.rows:
        figures = [figure_text(figure, unit) for figure, unit in zip(row.figures, units, strict=True)]
        lines.append([*row.labels, *figures, " ".join(row.marks)])
    if table.ceilings:
        pairs = zip(table.measures, units, strict=True)
        figures = [figure_text(table.ceilings[name], unit) if name in table.ceilings else "" for name, unit in pairs]
        lines.append([table.line_name or _("Human ceiling"), *[""] * (len(table.dimensions) - 1), *figures, ""])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    body = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    head = [f"{table.title} [{table.id}]", table.summary, *table.findings]
    foot = [*filter(None, [table.note]), _("Recipe %(signature)s") % {"signature": table.recipe.signature()}]
    return "\n".join([*head, *(body if table.rows else []), *foot])
