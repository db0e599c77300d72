"""manage.py collect_responses PROJECT [--model NAME] [--plan] [--here | --wait]"""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.collecting import jobs
from judging.collecting.planning import plan
from judging.collecting.summaries import counts
from judging.collecting.working import work_through
from judging.models import Collection, RunState, TargetEndpoint
from judging.runs import OVER
from projects.command_line import project_named
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Put the prompts whose rubrics are frozen to the target models of a project, each once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--model", help="one target model alone, as the project's page has it")
        parser.add_argument("--plan", action="store_true", help="say what would be asked, and ask nothing")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--here", action="store_true", help="ask from this process, without a worker")
        how.add_argument("--wait", action="store_true", help="wait until the workers are through")

    def handle(self, *args: Any, project: str, model: str | None, **options: Any) -> None:
        endpoints = self.find(project, model)
        if options["plan"]:
            for endpoint in endpoints:
                self.say_plan(endpoint)
            return
        begun = [collection for endpoint in endpoints if (collection := self.begin(endpoint, bool(model)))]
        for collection in begun:
            jobs.start(collection, here=options["here"])
            if options["here"]:
                work_through(collection.pk)
        while options["wait"] and Collection.objects.filter(pk__in=[c.pk for c in begun]).exclude(state__in=OVER):
            time.sleep(0.5)
        for collection in begun:
            self.say_end(collection)

    def find(self, slug: str, name: str | None) -> list[TargetEndpoint]:
        project = project_named(slug)
        known = TargetEndpoint.objects.filter(project=project)
        found = list(known.select_related("project", "target_model", "provider__laboratory"))
        names = ", ".join(f"“{endpoint.target_model.name}”" for endpoint in found) or "none"
        chosen = [endpoint for endpoint in found if name in (None, endpoint.target_model.name)]
        if not chosen:
            raise CommandError(f"There is no target model “{name or ''}” in {slug}. Its target models: {names}.")
        return chosen

    def say_plan(self, endpoint: TargetEndpoint) -> None:
        planned = plan(endpoint)
        how = "by hand" if endpoint.is_by_hand else f"{endpoint.provider} · {endpoint.model}"
        self.stdout.write(f"Target model:            {endpoint.target_model.name} ({how})")
        self.stdout.write(f"Prompts to {'paste' if endpoint.is_by_hand else 'ask'}:".ljust(25) + str(planned.size))
        if planned.taken_up:
            self.stdout.write(f"  left by a cancelled collection: {len(planned.taken_up)}")
        self.stdout.write(f"With a response:         {planned.answered}")
        self.stdout.write(f"Without frozen rubric:   {planned.unfrozen}")
        for state, n in sorted(planned.asked.items()):
            self.stdout.write(f"Asked, {state}: {n}")

    def begin(self, endpoint: TargetEndpoint, is_named: bool) -> Collection | None:
        """A collection, or None (said) where one of several models has nothing to ask. Of the one named, an error."""
        try:
            collection = jobs.create_collection(endpoint)
        except Invalid as invalid:
            if is_named:
                raise CommandError(str(invalid)) from None
            self.stdout.write(f"{endpoint.target_model.name}: {invalid}")
            return None
        asked = collection.calls.count()
        self.stdout.write(
            f"{endpoint.target_model.name}: {asked} prompts, {collection.unfrozen} without frozen rubric."
        )
        return collection

    def say_end(self, collection: Collection) -> None:
        collection.refresh_from_db()
        found = ", ".join(f"{n} {state}" for state, n in counts(collection).items() if n)
        self.stdout.write(f"{collection.endpoint.target_model.name}: {RunState(collection.state).label}: {found}")
