"""manage.py form_pairs PROJECT [--design all|baseline|balanced] [--baseline MODEL] [--per-prompt NUMBER] [--model NAME]
[--seed NUMBER] [--dry-run]
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.models import DesignKind
from annotation.pairs.forming import design_of, form, would_form
from projects.command_line import project_named
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Set responses of two models side by side, to be compared. What is a pair already stays one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--design", choices=DesignKind.values, help="which models meet; left out: as last time")
        parser.add_argument("--baseline", help="the model that each other one meets")
        parser.add_argument("--per-prompt", type=int, help="pairs to a prompt, of a balanced design")
        parser.add_argument("--model", action="append", help="only of this model; may be said several times")
        parser.add_argument("--seed", type=int, help="sides and, of a balanced design, who meets are drawn from it")
        parser.add_argument("--dry-run", action="store_true", help="say what would be formed, and form nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = design_of(project_named(options["project"]))
        for name in ("design", "baseline", "per_prompt", "seed"):
            if options[name] is not None:
                setattr(wanted, name, options[name])
        if options["model"] is not None:
            wanted.among = sorted(set(options["model"]))
        try:
            formed = would_form(wanted) if options["dry_run"] else form(wanted)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        self.stdout.write(f"{'Pairs to form' if options['dry_run'] else 'Pairs formed'}: {len(formed.pairs)}")
        self.stdout.write(f"There already: {formed.there}. Prompts with one model alone: {formed.too_few}.")
        for model in formed.models:
            self.stdout.write(f"{model.name}: {model.pairs} pairs, first in {model.first}")
