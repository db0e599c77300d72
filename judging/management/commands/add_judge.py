"""`manage.py add_judge PROJECT MODEL@PROVIDER`: set a judge up; its flags are the options of all kinds."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.forms.judges import options_of_kinds
from judging.judges import add_judge
from judging.kinds import judge_kinds
from judging.kinds.options import SENT
from judging.prompts.own import asking_by
from projects.command_line import project_named
from projects.problems import Invalid
from providers.command_line import model_at


class Command(BaseCommand):
    help = "Set up a judge. Nothing is asked before a run is begun (run_judges)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("model", metavar="MODEL@PROVIDER", help="the model as its provider writes it")
        parser.add_argument("--kind", default="spans", choices=list(judge_kinds()), help="what it is asked for")
        parser.add_argument("--name", default="", help="how it is called; by default the model and its options")
        parser.add_argument("--prompt", default="", metavar="VERSION", help="v2, v2-ar, v1, own-3 ...")
        for option in (*options_of_kinds(), *SENT):
            option.add_flag(parser)

    def handle(self, *args: Any, project: str, model: str, kind: str, name: str, prompt: str, **flags: Any) -> None:
        row = project_named(project)
        model, provider = model_at(model)
        chosen: dict[str, Any] = {}
        for option in (*options_of_kinds(), *SENT):
            given = flags[option.field_name]
            if given is not None and given is not False:  # 0 is a number
                chosen[option.name] = option.from_form(given)
        try:
            chosen = asking_by(row, kind, prompt, chosen)
            judge = add_judge(row, provider, model, kind=kind, name=name, **chosen)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        self.stdout.write(f"{judge.rater.name} ({judge.rater.pseudonym})")
