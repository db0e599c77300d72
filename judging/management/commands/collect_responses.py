"""manage.py collect_responses PROJECT [--model NAME] [--plan] [--money DOLLARS] [--tokens NUMBER] [--here | --wait]
manage.py collect_responses PROJECT --pause | --resume | --cancel | --retry UUID
"""

from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.collecting.beginning import create_collections, nothing_to_ask, planned_collection
from judging.collecting.configured import lacks_configuration, no_configuration
from judging.collecting.endpoints import set_replicates
from judging.collecting.planning import ALL, Part, plan
from judging.management import sets
from judging.models import TargetEndpoint
from projects.collecting_gates import gate_of
from projects.command_line import project_named
from projects.models import Project
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Put the prompts of a project to its target models, where something is frozen first, those alone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--model", help="one target model alone, as the project's page has it")
        parser.add_argument(
            "--replicates",
            type=int,
            help="from now on so many responses to each prompt; with --variety or --task to those, this time",
        )
        parser.add_argument("--variety", action="append", default=[], help="prompts of this variety alone (BCP 47)")
        parser.add_argument("--task", action="append", default=[], help="prompts of this task alone")
        parser.add_argument("--plan", action="store_true", help="say what would be asked, and ask nothing")
        parser.add_argument(
            "--take-over",
            action="store_true",
            help="take over the response where the very same was put to the same model at the same provider before",
        )
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--here", action="store_true", help="ask from this process, without a worker")
        how.add_argument("--wait", action="store_true", help="wait until the workers are through")
        sets.add_limits_and_verbs(parser, parser.add_argument_group("for how much"))

    def handle(self, *args: Any, project: str, model: str | None, **options: Any) -> None:
        row = project_named(project)
        if verb := next((verb for verb in sets.VERBS if options[verb]), None):
            sets.Sets(self.stdout, self.stderr).do(row, verb, options[verb], options)
            return
        endpoints = self.find(row, model)
        self.part = Part(tuple(options["variety"]), tuple(options["task"]))
        if self.part != ALL:
            self.part = replace(self.part, replicates=options["replicates"])
        elif options["replicates"] is not None:
            self.set_replicates(endpoints, options["replicates"])
        if options["plan"]:
            for endpoint in endpoints:
                self.say_plan(endpoint)
            return
        self.begin(row, endpoints, options)

    def set_replicates(self, endpoints: list[TargetEndpoint], replicates: int) -> None:
        try:
            for endpoint in endpoints:
                set_replicates(endpoint, replicates)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None

    def find(self, project: Project, name: str | None) -> list[TargetEndpoint]:
        known = TargetEndpoint.objects.filter(project=project)
        endpoints = list(known.select_related("project", "target_model", "provider__laboratory"))
        names = ", ".join(f"“{endpoint.target_model.name}”" for endpoint in endpoints) or "none"
        chosen = [endpoint for endpoint in endpoints if name in (None, endpoint.target_model.name)]
        if not chosen:
            raise CommandError(
                f"There is no target model “{name or ''}” in {project.slug}. Its target models: {names}."
            )
        return chosen

    def say_plan(self, endpoint: TargetEndpoint) -> None:
        try:
            would_be = planned_collection(endpoint, self.part)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        planned, estimate = would_be.plan, would_be.estimate
        how = "by hand" if endpoint.is_by_hand else f"{endpoint.provider} · {endpoint.model}"
        self.stdout.write(f"Target model:            {endpoint.target_model.name} ({how})")
        self.stdout.write(f"Prompts to {'paste' if endpoint.is_by_hand else 'ask'}:".ljust(25) + str(planned.size))
        if planned.taken_up:
            self.stdout.write(f"  left by a cancelled run: {len(planned.taken_up)}")
        self.stdout.write(f"With a response:         {planned.answered}")
        if endpoint.project.only_validated_prompts:
            self.stdout.write(f"Not validated:           {planned.unvalidated}")
        if gate := gate_of(endpoint.project):
            label = f"{gate.left_out_of_command[:1].upper()}{gate.left_out_of_command[1:]}:"
            self.stdout.write(f"{label.ljust(25)}{planned.unfrozen}")
        self.say_without_configuration(endpoint)
        for state, n in sorted(planned.asked.items()):
            self.stdout.write(f"Asked, {state}: {n}")
        if estimate is not None:
            most = "at most" if would_be.is_bounded else "as good as always at most"
            self.stdout.write(
                f"Tokens:                  {sets.between(estimate.tokens)}, {most} {estimate.most_tokens:,}"
            )
            if estimate.money is not None and estimate.most_money is not None:
                money = f"{sets.between(estimate.money, '$')}, {most} {sets.money(estimate.most_money)}"
                self.stdout.write(f"Cost:                    {money}")
            self.stdout.write(f"  {sets.basis([estimate])}")

    def say_without_configuration(self, endpoint: TargetEndpoint) -> None:
        if lacks_configuration(endpoint):
            self.stderr.write(no_configuration(endpoint))

    def begin(self, project: Project, endpoints: list[TargetEndpoint], options: dict[str, Any]) -> None:
        """Ask those of the models that have anything left to ask, and say of the others that they have not."""
        asked = [endpoint for endpoint in endpoints if not endpoint.is_by_hand]
        idle = [(endpoint, planned) for endpoint in asked if not (planned := plan(endpoint, self.part)).size]
        try:
            limits = (options["money"], options["tokens"])
            run_set = create_collections(project, endpoints, *limits, takes_over=options["take_over"], part=self.part)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        for endpoint, planned in idle:
            self.stdout.write(f"{endpoint}: {nothing_to_ask(planned, project)}")
        for endpoint in endpoints:
            self.say_without_configuration(endpoint)
        gate = gate_of(project)
        for run in run_set.runs.select_related("endpoint__target_model").order_by("pk"):
            n = run.collection_calls.count()
            left_out = f", {run.unfrozen} {gate.left_out_of_command}" if gate else ""
            self.stdout.write(f"{run.endpoint}: {n} prompts{left_out}.")
        sets.Sets(self.stdout, self.stderr).start(run_set, options)
