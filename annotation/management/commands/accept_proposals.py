"""manage.py accept_proposals PROJECT list
manage.py accept_proposals PROJECT draw KIND [--proposer PSEUDONYM] [--size N | --bound SHARE] [--seed N] --by ADDRESS
manage.py accept_proposals PROJECT accept|refuse|take_back NUMBER --reason TEXT --by ADDRESS
"""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404

from agreement.acceptance import BOUND
from annotation.acceptance.jobs import carry_out
from annotation.acceptance.requests import as_told, draw_named, named
from annotation.acceptance.settling import ACTS, sources
from annotation.models import ProposalKind
from projects.access import fetch_project
from projects.command_line import project_named
from projects.models import Project, User
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Have a sample of what judges proposed decided on, and accept the rest unseen. Answers are lines of JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="what waits, and the samples that were drawn")
        draw = acts.add_parser("draw", help="a sample of what waits")
        draw.add_argument("kind", choices=ProposalKind.values)
        draw.add_argument("--proposer", default="", help="pseudonym of the judge; without it the overlap rule")
        draw.add_argument("--size", type=int, help="how many; without it as many as the bound takes")
        draw.add_argument("--bound", type=float, default=BOUND, help="at most so large a share is to be wrong")
        draw.add_argument("--seed", type=int, default=1)
        settling = [acts.add_parser(act, help="the rest of a sample") for act in ACTS]
        for one in settling:
            one.add_argument("number", type=int, help="of the sample")
            one.add_argument("--reason", required=True, help="for the record")
        for one in (draw, *settling):
            one.add_argument("--by", required=True, metavar="ADDRESS", help="email address of the lead who does it")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        try:
            told = self._done(project, options)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        for line in told:
            self.stdout.write(json.dumps(line, ensure_ascii=False))

    def _done(self, project: Project, options: dict[str, Any]) -> list[dict[str, Any]]:
        act = options["act"]
        if act == "list":
            waiting = [
                {"kind": str(one.kind.kind), "proposer": getattr(one.proposer, "pseudonym", ""), "waiting": one.waiting}
                for one in sources(project)
            ]
            return waiting + [as_told(one) for one in project.acceptances.select_related("project", "proposer")]
        by = lead_named(options["by"], project)
        if act == "draw":
            said = {name: options[name] for name in ("kind", "proposer", "size", "bound", "seed")}
            return [as_told(draw_named(project, by, **said))]
        settled, job = carry_out(named(project, options["number"]), act, options["reason"], by)
        return [as_told(settled) | {"job": str(job.uuid) if job else None}]


def lead_named(address: str, project: Project) -> User:
    """CommandError for who may not do so on the page either."""
    user = User.objects.filter(email=address.lower()).first()
    try:
        fetch_project(user, project.slug, "spans.refine") if user else None
    except Http404:
        user = None
    if user is None:
        raise CommandError(f"Nobody with the address {address} may do this in the project.")
    return user
