"""manage.py probe_models PROJECT [--set SLUG] [--set-version N] [--configuration SLUG ...] [--kind KIND,KIND]
[--seed S] [--questions N] [--clean SLUG ...] [--paraphraser NAME] [--money DOLLARS] [--tokens N] [--here] [--json]
"""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from benchmark.access import frozen_set_named
from benchmark.judged import newest_frozen
from benchmark.models import Configuration, Probe, ProbeKind, QuestionSet
from benchmark.probing.asking import QUESTIONS
from jobs.models import JobState
from jobs.working import do_at_once
from judging.management.sets import dollars
from judging.probing.beginning import Wanted, begin_probing, board_models
from projects.command_line import project_named
from projects.models import Project
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Probe the models of a board for contamination. What was asked before is not asked again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument(
            "--set", "--question-set", dest="question_set", metavar="SLUG", help="short name of the set"
        )
        parser.add_argument("--set-version", type=int, metavar="N", help="default: the newest frozen one")
        parser.add_argument("--configuration", action="append", default=[], metavar="SLUG", help="default: all models")
        parser.add_argument("--kind", default=",".join(ProbeKind.values), help="completion,quiz,twins,canary")
        parser.add_argument("--seed", type=int, default=0, help="draws the questions and their copies")
        parser.add_argument("--questions", type=int, default=QUESTIONS, help="of each probe")
        parser.add_argument(
            "--clean", action="append", default=[], metavar="SLUG", help="cannot have seen the questions"
        )
        parser.add_argument("--paraphraser", default="", metavar="NAME", help="target model that writes paraphrases")
        parser.add_argument("--money", type=dollars, help="what these probes may cost in US dollars")
        parser.add_argument("--tokens", type=int, help="and in tokens")
        parser.add_argument("--here", action="store_true", help="ask from this process, without a worker")
        parser.add_argument("--json", action="store_true", help="the newest figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        question_set = self.set_of(project, options)
        wanted = Wanted(
            kinds=tuple(kind.strip() for kind in options["kind"].split(",") if kind.strip()),
            questions=options["questions"],
            seed=options["seed"],
            clean=tuple(options["clean"]),
            paraphraser=options["paraphraser"],
            money_limit=options["money"],
            token_limit=options["tokens"],
        )
        rows = self.models_of(question_set, options["configuration"])
        self.models_of(question_set, options["clean"])
        try:
            job = begin_probing(question_set, rows, wanted, wake=not options["here"])
        except Invalid as refused:
            raise CommandError("\n".join(problem.message for problem in refused.problems)) from None
        if options["here"] and job.state == JobState.QUEUED:
            do_at_once(job)
        if job.state == JobState.FAILED:
            raise CommandError(job.problem)
        if options["json"]:
            self.stdout.write(json.dumps(figures_of(question_set, rows), ensure_ascii=False))
            return
        if job.state != JobState.DONE:
            self.stdout.write(_("Begun: job %(job)s. The page of probes shows how far it is.") % {"job": job.uuid})
            return
        result = job.result or {"verdicts": {}, "failed": 0}
        result = job.result or {"verdicts": {}, "failed": 0}
        for row in rows:
            self.stdout.write(f"{row.slug}: {result['verdicts'].get(row.slug, '')}")
            for kind, figure in figures_of(question_set, [row])[row.slug].items():
                self.stdout.write(f"  {kind}: {in_words(figure)}")
        if result["failed"]:
            self.stdout.write(
                _("%(n)d calls brought no reply; the same command asks them again.") % {"n": result["failed"]}
            )

    def set_of(self, project: Project, options: dict[str, Any]) -> QuestionSet:
        if options["question_set"]:
            return frozen_set_named(project, options["question_set"], options["set_version"])
        sets = list(newest_frozen().filter(project=project).order_by("slug"))
        if len(sets) != 1:
            raise CommandError(
                _("Name the question set by --set: the project has %(n)d that are frozen.") % {"n": len(sets)}
            )
        return sets[0]

    def models_of(self, question_set: QuestionSet, slugs: list[str]) -> list[Configuration]:
        known = {row.slug: row for row in board_models(question_set)}
        if unknown := [slug for slug in slugs if slug not in known]:
            raise CommandError(_("No model of the board: %(slugs)s.") % {"slugs": ", ".join(unknown)})
        return [known[slug] for slug in slugs] if slugs else list(known.values())


def figures_of(question_set: QuestionSet, rows: list[Configuration]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {row.slug: {} for row in rows}
    probes = Probe.objects.filter(question_set=question_set, ended_at__isnull=False).select_related("configuration")
    for probe in probes.order_by("ended_at", "pk"):
        if probe.configuration.slug in found:
            found[probe.configuration.slug][probe.kind] = probe.figure
    return found


def in_words(figure: dict[str, Any]) -> str:
    if figure["undefined"]:
        return f"{figure['undefined']} (n = {figure['n']})"
    detail = figure["detail"]
    power = "" if detail.get("power") is None else f", power {detail['power']:.2f}"
    return (
        f"{figure['value']:.3f}, p = {detail['p']:.3g}, n = {figure['n']}{power}{', found' if detail['found'] else ''}"
    )
