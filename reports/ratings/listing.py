"""The rated pairs behind a figure: those its filters select, the widest miss of a judge first."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.utils.translation import gettext_lazy

from annotation.models import Rating
from projects.models import Project, QuestionType, Response, ResponsePair, TargetModel
from reports.dashboard.listing import Judged, number_or_none
from reports.ratings.overview import APART, Overview, look, overview
from reports.ratings.scope import Narrowed
from reports.warming import FiguredPage

# Where more judges have answered, those that go wrong are named, and the others counted.
FEW = 3


@dataclass(frozen=True)
class JudgeSays(Judged):
    """One answer of a judge: whom it prefers (1 the first, 0 neither, -1 the second, None not known) or its error in
    the grade of a single response; `is_right` None where there is no gold to compare with."""

    says: int | None
    error: float | None
    is_right: bool | None
    is_unread: bool


@dataclass
class Line:
    """One pair, or one single response, as rated on one question type."""

    pair: ResponsePair | None
    response: Response | None
    question: QuestionType
    first: float | None
    second: float | None
    says: int | None
    people: int
    judged: list[JudgeSays] = field(default_factory=list)

    @property
    def subject(self) -> Any:
        return self.pair or self.response

    @property
    def told(self) -> list[JudgeSays]:
        """The answers of judges that the list names one by one: all where they are few, else those that go wrong."""
        if len(self.judged) <= FEW:
            return self.judged
        return [one for one in self.judged if one.is_right is False or one.is_unread]

    @property
    def like_gold(self) -> int:
        """How many are not named, for they say what gold says."""
        return len(self.judged) - len(self.told)


@dataclass(frozen=True)
class Selection:
    """Places in the overview, in the order of the list."""

    places: list[int]
    seen: Overview


def selected(project: Project, chosen: Mapping[str, str], seen: Overview | None = None) -> Selection:
    """What was rated, as chosen: variety, dimension, question, split; judge  answered by it; rater  answered by this
    person; model  of this target model; outcome  see `scope.RatedScope`. `seen` is the overview where it was read
    before."""
    scope = Narrowed.of(Narrowed.known(chosen))
    seen = overview(project, scope) if seen is None else seen
    is_selected = np.ones(len(seen.pair), dtype=bool)
    if scope.judge:
        is_selected &= np.isin(np.arange(len(is_selected)), seen.subject)
    if "model" in chosen:
        model = TargetModel.objects.filter(name=chosen["model"]).values_list("id", flat=True).first() or 0
        is_selected &= (seen.models == model).any(axis=1)
    if "rater" in chosen:
        is_selected &= _rated_by(project, chosen["rater"], seen)
    outcomes = {"missed": seen.missed, "swayed": seen.swayed, "unread": seen.unread, "apart": seen.spread > APART}
    if "outcome" in chosen:
        is_selected &= outcomes[chosen["outcome"]]
    places = np.flatnonzero(is_selected)
    order = np.lexsort(
        (seen.response[places], seen.pair[places], -seen.differed_by()[places], -seen.missed_by()[places])
    )
    return Selection(places[order].tolist(), seen)


def _rated_by(project: Project, pseudonym: str, seen: Overview) -> Any:
    rows = Rating.objects.filter(rater__project=project, rater__pseudonym=pseudonym, is_check=False)
    rated = list(rows.values_list("question_id", "pair_id", "response_id"))
    pairs, responses = {(one[0], one[1]) for one in rated if one[1]}, {(one[0], one[2]) for one in rated if one[2]}
    subjects = zip(seen.question.tolist(), seen.pair.tolist(), seen.response.tolist(), strict=True)
    return np.array([(question, pair) in pairs or (question, one) in responses for question, pair, one in subjects])


def lines(project: Project, selection: Selection, places: list[int]) -> list[Line]:
    """A line for each of these places, in their order. Four queries, however many there are."""
    seen = selection.seen
    sides = ("variety", "first__target_model", "second__target_model")
    pairs = ResponsePair.objects.select_related(*sides).in_bulk([int(seen.pair[at]) for at in places])
    responses = Response.objects.select_related("variety", "target_model").in_bulk(
        [int(seen.response[at]) for at in places]
    )
    questions = QuestionType.objects.in_bulk({int(seen.question[at]) for at in places})
    answers = np.flatnonzero(np.isin(seen.subject, places))
    raters = project.raters.in_bulk({int(one) for one in seen.judge[answers]})
    made = {
        at: Line(
            pairs.get(int(seen.pair[at])),
            responses.get(int(seen.response[at])),
            questions[int(seen.question[at])],
            number_or_none(seen.first[at]),
            number_or_none(seen.second[at]),
            _whole(seen.says[at]),
            int(seen.people[at]),
        )
        for at in places
    }
    for answer in answers.tolist():
        line = made[int(seen.subject[answer])]
        says, error = _whole(seen.verdict[answer]), number_or_none(seen.grade_error[answer])
        names_gold = _whole(seen.names_gold[answer])
        is_right = bool(names_gold) if names_gold is not None else None
        if says is not None and line.says is not None:
            is_right = says == line.says
        is_unread = says is None and error is None and names_gold is None
        is_unread &= line.says is not None or line.first is not None
        line.judged.append(JudgeSays(raters[int(seen.judge[answer])], says, error, is_right, is_unread))
    for line in made.values():
        line.judged.sort(key=lambda one: one.rater.name)
    return [made[at] for at in places]


def _whole(value: float) -> int | None:
    return None if np.isnan(value) else int(value)


RATED = FiguredPage(
    "rated-pairs",
    gettext_lazy("Rated pairs"),
    lambda project, filters: look(project, Narrowed.of(filters)),
    lambda project: [Rating.objects.filter(question__project=project)],
)
