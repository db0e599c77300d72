"""The quality of groups of people, such as vendors: how each does on checks, beside others, in time and in review."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from django.db.models import Count, F, Max, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from agreement import inference, quantiles
from agreement.figures import NO_ITEMS, Figure, Recipe
from agreement.raters import near_other_groups
from agreement.statistics import share_of_sums
from agreement.validation import retained_share
from annotation.models import Span
from annotation.outcomes import KEPT, REJECTED, cases
from projects.chunks import in_chunks
from projects.models import Project, Response
from reports.dashboard import cache
from reports.dashboard.columns import Integers, columns
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.figures import Look, OnPart, Reading, look_at
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.freshness.revisions import digest, revisions
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.scope import Scope
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.ratings.at_first import AtFirst
from reports.signals import ratings, submitted
from reports.spans.reader import fingerprints
from screening.models import CheckResult, GroupMember, RaterGroup
from workflow.models import ReturnedAnswer

#: Two grades are near each other within one step.
NEAR = 1
NO_GROUP = 0


class NoScope(Scope):
    """There is nothing to narrow it by."""


def state_of(project: Project) -> list[Any]:
    """Changes with whatever the figures rest on. Results of checks and returns are never changed once they are there,
    so how many there are and the latest of them tell of all."""
    spans = [(variety, parts["answers"], parts["reviews"]) for variety, parts in sorted(fingerprints(project).items())]
    members = (
        GroupMember.objects.filter(group__project=project).order_by("rater_id").values_list("rater_id", "group_id")
    )
    names = RaterGroup.objects.filter(project=project).order_by("pk").values_list("pk", "name")
    told = [
        rows.order_by().aggregate(n=Count("pk"), last=Max("pk")).values()
        for rows in (results_of(project), returned(project))
    ]
    return [
        spans,
        list(members),
        list(names),
        [tuple(each) for each in told],
        *revisions(project).of("turns", "ratings of people", "raters"),
    ]


def prompt_of(item: str) -> Coalesce:
    """The prompt that an item is about, or the item itself where it is about none."""
    about = ("response__prompt_id", "pair__prompt_id", "prompt_id", "pk")
    return Coalesce(*(f"{item}__{each}" for each in about))


def results_of(project: Project) -> QuerySet[CheckResult]:
    return CheckResult.objects.filter(stage__project=project)


def returned(project: Project) -> QuerySet[ReturnedAnswer]:
    return ReturnedAnswer.objects.filter(assignment__stage__project=project)


def look(project: Project, filters: Mapping[str, Any]) -> Look:
    snapshot = digest(state_of(project))
    state = cache.key_of("group-quality", project.pk, get_language(), snapshot)
    return look_at(state, partial(computed, project, state, snapshot))


def computed(project: Project, state: str, snapshot: str, on_part: OnPart) -> Reading:
    names = dict(RaterGroup.objects.filter(project=project).values_list("pk", "name"))
    if not names:
        return Reading((), state)
    of_rater = dict(GroupMember.objects.filter(group__project=project).values_list("rater_id", "group_id"))
    found = [read(project, of_rater) for read in (checks_passed, near_others, minutes, sent_back)]
    found.append(kept_by_reviewers(project, of_rater, on_part))
    return Reading((table(names, of_rater, found, snapshot),), state)


#: By group (0 for people in none) a figure.
ByGroup = dict[int, Figure]


def groups_of(rater: Integers, of_rater: Mapping[int, int]) -> Integers:
    """The group of each, shape (N,)."""
    return np.array([of_rater.get(one, NO_GROUP) for one in rater.tolist()], dtype=np.int64)


def shares(values: Any, prompt: Integers, group: Integers) -> ByGroup:
    """Mean of what lies between 0 and 1, with its interval over prompts."""
    return {
        one: inference.mean(values[group == one], statistic=share_of_sums, cluster=prompt[group == one])
        for one in np.unique(group).tolist()
    }


def checks_passed(project: Project, of_rater: Mapping[int, int]) -> ByGroup:
    """Of first answers to checks the share that was right."""
    asked = results_of(project).annotate(about=prompt_of("check_item__item"))
    rater, about, right = columns(asked.order_by("pk").values_list("rater_id", "about", "is_right"), "iib")
    return shares(right.astype(float), about, groups_of(rater, of_rater))


def near_others(project: Project, of_rater: Mapping[int, int]) -> ByGroup:
    """Of the grades that people of other groups, or of none, gave the same text, the share within one step; of first
    answers."""
    rows = ratings(project).filter(round=1).annotate(about=Coalesce("response__prompt_id", "pair__prompt_id"))
    sides = (
        "question_id",
        F("response_id"),
        F("pair__first_id"),
        F("pair__second_id"),
        "rater_id",
        "about",
        "assignment_id",
    )
    question, alone, first, second, rater, about, turn, one, two = columns(
        rows.order_by("pk").values_list(*sides, "first_grade", "second_grade"), "innniinff"
    )
    at_first = AtFirst(project)
    one, two = at_first.grades(turn, question, "first", one), at_first.grades(turn, question, "second", two)
    subject = np.concatenate((np.where(alone > 0, alone, first), second))
    grade = np.concatenate((one, two))
    question, rater, about = (np.concatenate((column, column)) for column in (question, rater, about))
    given = ~np.isnan(grade)
    group = groups_of(rater[given], of_rater)
    places = np.column_stack((question, subject))[given]
    item = np.unique(places, axis=0, return_inverse=True)[1].reshape(-1)
    near = near_other_groups(item, group, grade[given], NEAR)
    return shares(near, about[given], group)


def minutes(project: Project, of_rater: Mapping[int, int]) -> ByGroup:
    """Median minutes of an item."""
    timed = submitted(project).filter(active_seconds__gt=0).order_by("pk")
    rater, seconds = columns(timed.values_list("rater_id", "active_seconds"), "ii")
    group = groups_of(rater, of_rater)
    return {one: quantiles.quantile(seconds[group == one] / 60, 0.5) for one in np.unique(group).tolist()}


def sent_back(project: Project, of_rater: Mapping[int, int]) -> ByGroup:
    """Of answers handed in the share that a lead sent back, once or more often."""
    turns = submitted(project).annotate(about=prompt_of("item"), returned=Count("returns")).order_by("pk")
    rater, about, times = columns(turns.values_list("rater_id", "about", "returned"), "iii")
    return shares((times > 0).astype(float), about, groups_of(rater, of_rater))


def kept_by_reviewers(project: Project, of_rater: Mapping[int, int], on_part: OnPart) -> ByGroup:
    """`retained_share` of settled marks."""
    responses = list(Response.objects.filter(project=project).order_by("pk").values_list("pk", "prompt_id"))
    prompts = dict(responses)
    kept: dict[int, list[bool]] = {}
    about: dict[int, list[int]] = {}
    chunks = list(in_chunks([pk for pk, _prompt in responses]))
    for done, chunk in enumerate(chunks):
        on_part(done, len(chunks))
        for case in cases(chunk):
            if case.outcome in (KEPT, REJECTED):
                group = of_rater.get(case.span.rater_id, NO_GROUP)
                kept.setdefault(group, []).append(case.outcome == KEPT)
                about.setdefault(group, []).append(prompts[case.span.response_id])
    return {group: retained_share(kept[group], about[group]) for group in kept}


def table(
    names: Mapping[int, str], of_rater: Mapping[int, int], found: Sequence[Mapping[int, Figure]], snapshot: str
) -> Table:
    """A row for each group, and one for people in none where they have answered anything."""
    in_group = list(of_rater.values())
    rows = [(pk, name) for pk, name in sorted(names.items(), key=lambda each: each[1])]
    if any(NO_GROUP in figures for figures in found):
        rows.append((NO_GROUP, _("in no group")))
    measures = (
        _("people"),
        _("checks passed"),
        _("grades near those of other groups"),
        _("median minutes an item"),
        _("answers sent back"),
        _("marks that reviewers kept"),
    )
    nothing = Figure.without_value(NO_ITEMS)
    made = [
        Row(
            (name,),
            (
                Figure(float(in_group.count(pk)), in_group.count(pk)) if pk else nothing,
                *(figures.get(pk, nothing) for figures in found),
            ),
        )
        for pk, name in rows
    ]
    recipe = Recipe(
        "group_quality",
        n_items=sum(row.figures[1].n for row in made),
        n_raters=len(of_rater),
        settings={
            "checks": "first answers to checks, whichever lie in the window of their stage",
            "near": f"within {NEAR} of the grade of a person of another group or of none, averaged over grades",
            "answers": FIRST_ANSWERS,
            "sent back": "of answers handed in, by a lead, once or more often",
            "quantiles": quantiles.RULE,
            "interval": f"{INTERVAL}; of the median between order statistics",
        },
        code_version=cache.code_version(),
        data_snapshot=snapshot,
    )
    return Table(
        id="group-quality",
        headline=NO_HEADLINE,
        title=_("Quality of groups"),
        dimensions=(_("group"),),
        measures=measures,
        rows=tuple(made),
        recipe=recipe,
        units={measures[0]: "count", measures[3]: "minutes"},
        chart="none",
        note=_("Groups that worked on other texts differ for that alone: look at the intervals, and at who did what."),
    )


GROUP_QUALITY = Dashboard(
    area="",
    page="group-quality",
    route="people/groups/quality/",
    title=gettext_lazy("Quality of groups"),
    lead=gettext_lazy(
        "How each group of people does on checks, beside other groups, in time and in review. Brackets hold the 95 % "
        "interval."
    ),
    empty=gettext_lazy("Figures appear here once there are groups of people and answers."),
    scope=NoScope,
    own_look=look,
    answers=lambda project: [Span.objects.filter(rater__project=project), ratings(project), submitted(project)],
    responses="rater-groups",
    listed=None,
    responses_name=gettext_lazy("Groups of people"),
)
