"""`manage.py leaderboard PROJECT`: the board, to read or as JSON; a model's report; freezing a version's control."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from projects.command_line import project_named, writing
from projects.models import Project
from projects.problems import Invalid
from reports.dashboard.wording import figure_text
from reports.leaderboard.files import as_json
from reports.leaderboard.measures.columns import frozen_control
from reports.leaderboard.report import report_of
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import Line, Standings, sheet_of, standings, study_of


class Command(BaseCommand):
    help = "Models by score on a frozen question set, with rank sets that hold for all of them at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        for name, about in BoardScope.abouts().items():
            parser.add_argument(f"--{name}", help=about)
        parser.add_argument("--json", action="store_true", help="as the programming interface answers")
        parser.add_argument("--report", metavar="CONFIGURATION", help="write this one's report to --output")
        parser.add_argument("--output", metavar="FILE", help="where the report goes")
        parser.add_argument("--freeze-control", action="store_true", help="freeze the control for length and format")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        if options["report"]:
            return self.report(project, options["report"], options["output"])
        if options["freeze_control"]:
            return self.freeze(project)
        try:
            scope = BoardScope.within(project, {name: options[name] for name in BoardScope.abouts()})
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        board = standings(project, scope)
        if options["json"]:
            self.stdout.write(json.dumps(as_json(project, board), ensure_ascii=False, indent=2))
        elif board is None:
            raise CommandError(_("No question set of the project is frozen yet."))
        else:
            self.stdout.write(as_text(board))

    def report(self, project: Project, slug: str, output: str | None) -> None:
        sheet = sheet_of(project)
        if sheet is None or sheet.column(slug) is None:
            raise CommandError(_("There is no such model on the board."))
        if not output:
            raise CommandError(_("Say where the report goes: --output FILE."))
        told = report_of(project, sheet, slug)
        with writing(Path(output)):
            Path(output).write_text(told, encoding="utf-8")
        self.stdout.write(output)

    def freeze(self, project: Project) -> None:
        try:
            control = frozen_control(study_of(project))
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        self.stdout.write(_("Frozen, fitted on %(n)s models.") % {"n": len(control.references)})


def as_text(board: Standings) -> str:
    """Columns in line: rank set, name, score with interval, n, class, words a second, flags and notes."""
    heads = [_("rank"), _("model"), _("score"), "n", _("size class"), _("words per second"), _("flags and notes")]
    lines = [heads, *(cells(line) for line in (*board.lines, *board.baselines))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    body = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    least = _("Smallest difference shown with power 0.8: %(least)s.")
    said = least % {"least": figure_text(board.detectable, "score")}
    return "\n".join([f"{board.question_set} v{board.version}", said, *body])


def cells(line: Line) -> list[str]:
    speed = ""
    if line.speed is not None:
        speed = figure_text(line.speed.words, "per second") + (f" ({_('local')})" if line.speed.is_local else "")
    return [
        line.rank_words or _(line.no_rank),
        line.entry.name,
        figure_text(line.score, "score"),
        str(line.score.n),
        line.entry.size,
        speed,
        " ".join((*line.entry.flags, *(f"({note})" for note in line.entry.notes))),
    ]
