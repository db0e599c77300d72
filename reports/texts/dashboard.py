"""The page of a project's texts: how many there are of each kind, and how long they are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from judging.kinds import judge_kinds
from judging.models import Call
from projects.models import Project, Response
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.figures import Group, Source
from reports.dashboard.names import prompts_named
from reports.dashboard.results import Names, Results
from reports.texts import reader
from reports.texts.measures import cells, lengths, outputs


class TextResults(Results):
    """Nothing here is a comparison of judges with people."""

    of_people_alone = frozenset({"lengths", "cells"})

    @classmethod
    def named(cls, project: Project, context: Any, varieties: Sequence[int]) -> Names:
        """Replies are of judges of whatever kind; of the texts none was made from another."""
        named = super().named(project, context, varieties)
        return replace(named, prompts=prompts_named(project, *judge_kinds()), derived={})

    def is_weighed(self, group: str, gold: bool) -> bool:
        return False


def read(project: Project) -> list[QuerySet[Any]]:
    """Every response is cut into words, and every reply is counted."""
    return [Response.objects.filter(project=project), Call.objects.filter(run__project=project)]


TEXTS = Dashboard(
    area="",
    page="text-results",
    route="texts/",
    title=gettext_lazy("Texts"),
    lead=gettext_lazy(
        "How many prompts there are of each kind, and how long prompts, responses and judges' replies are. Brackets "
        "hold the 95 % interval."
    ),
    empty=gettext_lazy("Figures appear here once responses are in the project."),
    source=Source(reader, TextResults),
    groups=(
        Group(cells, ("texts",), gettext_lazy("What there is")),
        Group(lengths, ("texts",), gettext_lazy("How long it is")),
        Group(outputs, ("replies",), gettext_lazy("What judges reply")),
    ),
    answers=read,
    responses="project",
    listed=None,
    responses_name=gettext_lazy("Overview"),
)
