"""manage.py translate_prompts PROJECT --model NAME [--variety TAG ...] [--money DOLLARS] [--tokens N] [--here]"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from jobs.models import JobState
from jobs.working import do_at_once
from judging.management.sets import dollars
from judging.translating.beginning import begin_translating, translators, varieties_of
from projects.command_line import project_named
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Have a model draft the localisations that nobody has made. Native speakers look through every draft."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--model", required=True, metavar="NAME", help="target model of the project")
        parser.add_argument("--variety", action="append", default=[], metavar="TAG", help="default: all spoken ones")
        parser.add_argument("--money", type=dollars, help="what it may cost in US dollars")
        parser.add_argument("--tokens", type=int, help="and in tokens")
        parser.add_argument("--here", action="store_true", help="ask from this process, without a worker")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        known = {variety.tag: variety for variety in varieties_of(project)}
        if unknown := [tag for tag in options["variety"] if tag not in known]:
            raise CommandError(_("Nobody annotates or writes in: %(tags)s.") % {"tags": ", ".join(unknown)})
        try:
            job = begin_translating(
                project,
                translators(project).filter(target_model__name=options["model"]).first(),
                [known[tag] for tag in options["variety"] or known],
                options["money"],
                options["tokens"],
                wake=not options["here"],
            )
        except Invalid as refused:
            raise CommandError("\n".join(problem.message for problem in refused.problems)) from None
        if options["here"] and job.state == JobState.QUEUED:
            do_at_once(job)
            job.refresh_from_db()
        if job.state == JobState.FAILED:
            raise CommandError(job.problem)
        if job.state != JobState.DONE:
            self.stdout.write(_("Begun: job %(job)s. The page of jobs shows how far it is.") % {"job": job.uuid})
            return
        result = job.result or {}
        self.stdout.write(
            _("%(drafted)d drafts; %(failed)d replies were none, and the same command asks for them again.") % result
        )
