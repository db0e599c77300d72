"""`manage.py plan PROJECT --width 0.4 ...`: how large a study has to be, as the page `/p/<project>/plan/` says it."""

from argparse import ArgumentParser
from typing import Any

from django import forms
from django.core.management.base import BaseCommand, CommandError

from projects.command_line import project_named
from reports.planning import wording
from reports.planning.form import PlanForm
from reports.planning.plan import Plan


class Command(BaseCommand):
    help = "How many prompts, raters and double codings an interval of a wanted width takes, and what a judge saves."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        for name, field in PlanForm.base_fields.items():
            flag = f"--{name.replace('_', '-')}"
            about = f"{field.label}. {field.help_text}".strip().replace("%", "%%")
            if name == "source":
                about = "question-SLUG, rubric-scores or assumptions; what the page would choose if left out"
            if isinstance(field, forms.BooleanField):
                parser.add_argument(flag, action="store_true", help=about)
            else:
                parser.add_argument(flag, metavar=name.rpartition("_")[2].upper(), help=about)

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        asked = {name: options[name] for name in PlanForm.base_fields if options[name] is not None}
        form = PlanForm(project, {"source": PlanForm(project).initial["source"], **asked})
        if not form.is_valid() or form.plan is None:
            wrong = [f"--{name.replace('_', '-')}: {' '.join(map(str, texts))}" for name, texts in form.errors.items()]
            raise CommandError("\n".join(wrong))
        if form.pilot:
            self.stdout.write("\n".join(wording.of_pilot(form.pilot)))
        self.stdout.write(written(form.plan))


def written(plan: Plan) -> str:
    """The spreads, the designs, and what is said beside them."""
    blocks = [aligned([[name, spread] for name, spread, _meaning in wording.of_spreads(plan)])]
    blocks.append(wording.why_none(plan) or aligned([wording.heads(plan), *wording.rows(plan)]))
    blocks += filter(None, [wording.of_twice(plan), "\n".join(wording.of_judge(plan))])
    return "\n\n".join(blocks)


def aligned(lines: list[list[str]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
