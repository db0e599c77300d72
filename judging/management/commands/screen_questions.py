import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from benchmark.access import set_named
from benchmark.models import Configuration, QuestionSet
from benchmark.screening import THRESHOLD, Screened, Screening, as_json, screen
from judging.collecting.beginning import create_collections
from judging.collecting.planning import plan
from judging.management import sets
from judging.models import TargetEndpoint
from projects.among import Among
from projects.command_line import project_named
from projects.models import Project
from projects.problems import Invalid


class Command(BaseCommand):
    help = (
        "List the questions of a set that none of some models solves, with a sample to look at. With --ask, models "
        "that have not answered are asked first. Nothing is deleted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--question-set", metavar="SLUG", help="default: the only one")
        parser.add_argument("--set-version", type=int, help="default: the newest")
        parser.add_argument("--models", required=True, metavar="A,B", help="short names of configurations")
        parser.add_argument("--threshold", type=float, default=THRESHOLD, help="solved from here on, of 10 (default 5)")
        parser.add_argument("--sample", type=int, default=20, metavar="N", help="to look at first (default 20)")
        parser.add_argument("--seed", type=int, default=0, help="of the sample")
        parser.add_argument("--json", action="store_true", help="for programs")
        asking = parser.add_argument_group("asking the models first")
        asking.add_argument("--ask", action="store_true", help="what they have not answered, and wait for the answers")
        asking.add_argument("--here", action="store_true", help="ask from this process, without a worker")
        asking.add_argument("--money", type=sets.dollars, help="pause when so many US dollars may be spent")
        asking.add_argument("--tokens", type=int, help="pause when so many tokens may be used")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        slug = options["question_set"] or only_set(project)
        configurations = configurations_named(project, options["models"])
        question_set = set_named(project, slug, options["set_version"])
        if options["ask"]:
            self.ask(question_set, configurations, options)
        try:
            found = screen(
                question_set,
                configurations,
                threshold=options["threshold"],
                sample=options["sample"],
                seed=options["seed"],
            )
        except ValueError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(as_json(found), ensure_ascii=False, indent=1))
        else:
            self.say(found)

    def ask(self, question_set: QuestionSet, configurations: list[Configuration], options: dict[str, Any]) -> None:
        """Put to the models what they have not answered. What is told of it goes to the other output, so that the list
        can be read by programs. Raises CommandError for a draft, and where a model cannot be asked."""
        if not question_set.is_frozen:
            raise CommandError(
                "This version is a draft, of which no answer is collected: freeze it and ask then. The next version "
                "leaves out what you drop."
            )
        models = [row.target_model_id for row in configurations if row.target_model_id is not None]
        endpoints = TargetEndpoint.objects.filter(project=question_set.project, target_model__in=Among(models))
        endpoints = endpoints.exclude(provider=None).select_related("project", "target_model", "provider__laboratory")
        askable = {endpoint.target_model_id for endpoint in endpoints}
        if lacking := sorted(row.slug for row in configurations if row.target_model_id not in askable):
            raise CommandError(
                f"No provider is known for {', '.join(lacking)}: add the target model with its provider, or import "
                "its answers and leave out --ask."
            )
        asked = [endpoint for endpoint in endpoints if plan(endpoint).size]
        if not asked:
            return
        try:
            run_set = create_collections(question_set.project, asked, options["money"], options["tokens"])
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        sets.Sets(self.stderr, self.stderr).start(run_set, {"here": options["here"], "wait": not options["here"]})

    def say(self, found: Screening) -> None:
        values = {"unsolved": len(found.unsolved), "solved": found.solved, "unscored": len(found.unscored)}
        told = _("Solved by none: %(unsolved)d; by at least one: %(solved)d; not to be told: %(unscored)d.")
        self.stdout.write(told % values)
        for title, rows in (
            (_("Look at these first:"), found.sample),
            (_("Solved by none:"), found.unsolved),
            (_("Not to be told:"), found.unscored),
        ):
            if rows:
                self.stdout.write(title)
            for each in rows:
                self.stdout.write("\t".join([each.question.key, *(told_of(each, slug) for slug in each.scores)]))


def told_of(each: Screened, slug: str) -> str:
    value = each.scores[slug]
    return f"{slug} {value:.2f}" if value is not None else f"{slug} ({each.reasons[slug]})"


def only_set(project: Project) -> str:
    slugs = sorted(set(project.question_sets.values_list("slug", flat=True)))
    if len(slugs) != 1:
        known = ", ".join(slugs) or _("none yet")
        raise CommandError(_("The project has no such question set. It has: %(known)s.") % {"known": known})
    return slugs[0]


def configurations_named(project: Project, names: str) -> list[Configuration]:
    """In the order they were named in."""
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    rows = {row.slug: row for row in project.configurations.select_related("card")}
    if missing := [name for name in wanted if name not in rows] or ([names] if not wanted else []):
        values = {"models": ", ".join(missing), "known": ", ".join(sorted(rows)) or _("none yet")}
        raise CommandError(_("There is no configuration %(models)s. There are: %(known)s.") % values)
    return [rows[name] for name in wanted]
