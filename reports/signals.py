"""Signals that somebody may not be reading: for a lead to look at, person by person. None of them is a verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from django.db.models import F
from django.utils.translation import gettext_lazy

from agreement.attention import reading_seconds, rushing, straight_lining
from agreement.figures import NO_ITEMS, Figure
from agreement.raters import careless_shares
from annotation.models import Rating
from projects.among import Among
from projects.models import Project, Rater, RaterKind, Response, ResponsePair
from reports.dashboard.cache import key_of
from reports.dashboard.columns import columns
from reports.dashboard.figures import Look, OnPart, look_at
from reports.dashboard.freshness.revisions import revisions
from reports.warming import FiguredPage
from workflow.models import Assignment, Status

# From here on a lead is asked to look: an interval wholly above this share, or chance alone this unlikely.
NOTABLE_SHARE = 0.1
NOTABLE_P = 0.001
# A grade that is one's commonest is straight-lining only where it is most of what one gives.
MOST = 0.6


@dataclass
class Signals:
    """One person's signals. n of `rushed` counts answers with a time, of the others grades."""

    rater: Rater
    rushed: Figure = field(default_factory=lambda: Figure.without_value(NO_ITEMS))
    longest_run: Figure = field(default_factory=lambda: Figure.without_value(NO_ITEMS))
    modal_share: Figure = field(default_factory=lambda: Figure.without_value(NO_ITEMS))
    careless: Figure = field(default_factory=lambda: Figure.without_value(NO_ITEMS))

    @property
    def notable(self) -> int:
        """How many of the four are worth a look."""
        shares = [figure.low is not None and figure.low > NOTABLE_SHARE for figure in (self.rushed, self.careless)]
        run, modal = (figure.detail.get("p", 1.0) < NOTABLE_P for figure in (self.longest_run, self.modal_share))
        return sum(shares) + run + (modal and (self.modal_share.value or 0.0) > MOST)


def signals(project: Project) -> list[Signals]:
    """Of everybody who has answered anything, those with most to look at first."""
    return shown(look(project, {}).read())


def shown(figures: Mapping[int, dict[str, Figure]]) -> list[Signals]:
    """The people of these figures, those with most to look at first."""
    raters = Rater.objects.filter(pk__in=Among(figures)).prefetch_related("varieties").order_by("pseudonym")
    people = [Signals(rater, **figures[rater.pk]) for rater in raters]
    return sorted(people, key=lambda one: (-one.notable, -(one.rushed.value or 0.0), one.rater.pseudonym))


def look(project: Project, _filters: Mapping[str, Any]) -> Look:
    """By rater id the figures of each person, before they are computed."""
    return look_at(key_of("signals", project.pk, state(project)), partial(made, project))


def state(project: Project) -> list[Any]:
    """Changes with every answer and every rating."""
    return [*revisions(project).of("turns", "ratings of people", "raters")]


def submitted(project: Project) -> Any:
    return Assignment.objects.filter(stage__project=project, status=Status.SUBMITTED, rater__kind=RaterKind.HUMAN)


def ratings(project: Project) -> Any:
    graded = Rating.objects.filter(question__project=project, rater__kind=RaterKind.HUMAN)
    return graded.filter(is_check=False, first_grade__isnull=False)


def made(project: Project, on_part: OnPart) -> dict[int, dict[str, Figure]]:
    figures: dict[int, dict[str, Figure]] = {}
    on_part(0, 3)
    for rater, figure in rushed(project).items():
        figures.setdefault(rater, {})["rushed"] = figure
    on_part(1, 3)
    items, raters, grades = in_order(project)
    lining = straight_lining(items, raters, grades)
    for rater, run, share in zip(lining.raters.tolist(), lining.longest_run, lining.modal_share, strict=True):
        figures.setdefault(rater, {}).update(longest_run=run, modal_share=share)
    on_part(2, 3)
    if len(items):
        once = np.unique(np.column_stack((raters, items)), axis=0, return_index=True)[1]
        for rater, figure in zip(*careless_shares(items[once], raters[once], grades[once]), strict=True):
            figures.setdefault(int(rater), {})["careless"] = figure
    return figures


def rushed(project: Project) -> dict[int, Figure]:
    """Time on an item against what reading it needs; of work about responses, where there is something to read."""
    turns = submitted(project).filter(active_seconds__gt=0).exclude(item__response=None, item__pair=None)
    rater, seconds, response, pair = columns(
        turns.values_list("rater_id", "active_seconds", "item__response_id", "item__pair_id"), "iinn"
    )
    if not len(rater):
        return {}
    needs = needed(project, set(response.tolist()) - {0}, set(pair.tolist()) - {0})
    needed_seconds = [needs[one or -two] for one, two in zip(response.tolist(), pair.tolist(), strict=True)]
    return rushing(rater, seconds, needed_seconds)


def needed(project: Project, responses: set[int], pairs: set[int]) -> dict[int, float]:
    """Seconds that reading needs, by the response's id, and by minus the pair's: the prompt and what it is about."""
    reads: dict[int, float] = {}
    if responses:
        answered = Response.objects.filter(project=project)
        rows = answered.values_list("pk", "text", "prompt__text", "variety__script")
        for pk, text, prompt, script in rows.iterator():
            if pk in responses:
                reads[pk] = seconds_of(script, prompt, text)
    if pairs:
        both = ResponsePair.objects.filter(project=project)
        sides = both.values_list("pk", "first__text", "second__text", "prompt__text", "variety__script")
        for pk, first, second, prompt, script in sides.iterator():
            if pk in pairs:
                reads[-pk] = seconds_of(script, prompt, first, second)
    return reads


def seconds_of(script: str, *texts: str) -> float:
    """Never quite nothing: a response of signs alone takes a moment too."""
    return max(1.0, sum(reading_seconds(text, script) for text in texts))


def in_order(project: Project) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Item, rater and grade of every grade of a person, in the order they gave them. An item is a response on a
    question type; of a pair the first response's grade stands before the second's."""
    rows = ratings(project).order_by("rater_id", "created_at", "pk")
    names = ("question_id", F("response_id"), F("pair__first_id"), F("pair__second_id"), "rater_id")
    question, alone, first, second, rater, one, two = columns(
        rows.values_list(*names, "first_grade", "second_grade"), "innniff"
    )
    if not len(rater):
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty, np.zeros(0)
    sides = np.column_stack((np.where(alone > 0, alone, first), second))
    grades = np.column_stack((one, two))
    given = ~np.isnan(grades)
    subjects = np.column_stack((np.repeat(question, 2), sides.reshape(-1)))[given.reshape(-1)]
    _, item = np.unique(subjects, axis=0, return_inverse=True)
    return item.reshape(-1), np.repeat(rater, 2)[given.reshape(-1)], grades.reshape(-1)[given.reshape(-1)]


def headline(people: Sequence[Signals]) -> dict[str, int]:
    return {"people": len(people), "notable": sum(bool(one.notable) for one in people)}


SIGNALS = FiguredPage(
    "signals",
    gettext_lazy("Signals"),
    look,
    lambda project: [
        Response.objects.filter(project=project),  # whose texts are read
        submitted(project),
        ratings(project),
    ],
)
