"""How a person's answers have stood over the weeks: marks that others kept, grades near those of others, checks.

Weeks begin on Monday where the person lives. Grades and checks are told of weeks that are over alone: a figure that
moves with one's last answer would say what others answered, or that the item was a check.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from agreement.figures import NO_ITEMS, Figure, Recipe
from agreement.inference import mean
from agreement.raters import against_others
from agreement.statistics import share_of_sums
from agreement.validation import retained_share, wilson_interval
from annotation.models import Rating
from annotation.outcomes import REJECTED
from projects.chunks import in_chunks
from projects.models import Rater, RaterKind
from projects.zones import beginning_of, monday_of, today_in, zone_of
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.feedback.marks import LATEST_ITEMS, SettledMark
from reports.ratings.at_first import ratings_in
from reports.sections import in_lines
from rubrics.models import Grade, Verdict
from screening.models import CheckResult
from workflow.models import WorkItem

Row = TypeVar("Row")
WEEKS = 8
NEAR = 1
# Below so many a share says little; the page says so beside it.
FEW = 10


@dataclass(frozen=True, slots=True)
class Week:
    """One line: the week that begins on `monday`, or all of them together where it is None."""

    monday: date | None
    figure: Figure

    @property
    def is_small(self) -> bool:
        return 0 < self.figure.n < FEW


@dataclass(frozen=True, slots=True)
class Standing:
    """A measure over the weeks, the latest first and all together last; `meaning` in a sentence for the person."""

    name: str
    title: str
    meaning: str
    weeks: list[Week]
    recipe: Recipe

    @property
    def recipe_lines(self) -> list[tuple[str, str]]:
        return in_lines(self.recipe)


def standings(rater: Rater, marks: Sequence[SettledMark]) -> list[Standing]:
    """Those measures of which the person has anything at all; no `marks` where the project does not tell of them."""
    zone = zone_of(rater.user)
    made = [
        of_marks(marks, zone) if marks else None,
        of_grades(rater, zone),
        of_verdicts(rater, zone),
        of_checks(rater, zone),
    ]
    return [standing for standing in made if standing is not None]


def of_marks(marks: Sequence[SettledMark], zone: ZoneInfo) -> Standing:
    """`agreement.validation.retained_share` of the person's settled marks, by the week of the answer."""

    def kept(some: Sequence[SettledMark]) -> Figure:
        return retained_share([mark.fate != REJECTED for mark in some], [mark.prompt for mark in some])

    return Standing(
        "retained_share",
        _("Marks that others kept"),
        _("Of your marks that are settled, the share that reviewers kept. Reviewers can be wrong too."),
        by_week(marks, lambda mark: mark.marked_at, kept, zone),
        Recipe("retained_share", len(marks), 1, {"latest_items": LATEST_ITEMS, "interval": "over prompts"}),
    )


def of_grades(rater: Rater, zone: ZoneInfo) -> Standing | None:
    """`agreement.raters.against_others`: of the other people's grades of the same items, the share within one step of
    the person's, averaged over grades. Items that somebody may still rate are left out. None without a grade."""
    before = beginning_of(monday_of(today_in(zone)), zone)
    still_open = WorkItem.objects.filter(pk=OuterRef("assignment__item"), open_slots__gt=0)
    own = Rating.objects.filter(
        ~Exists(still_open), rater=rater, is_check=False, first_grade__isnull=False, created_at__lt=before
    ).order_by("-created_at", "-pk")
    latest = list(own.values_list("pk", "question_id", "pair_id", "response_id", "created_at")[:LATEST_ITEMS])
    if not latest:
        return None
    at = {(question, pair, response): moment for _pk, question, pair, response, moment in latest}
    rows = [row for row in grades_of(rater, latest) if (row.question, row.pair, row.response) in at]

    def near(some: Sequence[tuple[Place, datetime]]) -> Figure:
        wanted = {place for place, _moment in some}
        of_these = [row for row in rows if (row.question, row.pair, row.response) in wanted]
        return near_others(rater, of_these)

    return Standing(
        "within_one_of_others",
        _("Grades near those of others"),
        _("Of the grades of others on the same items, the share within one step of yours. To differ is no error."),
        by_week(list(at.items()), lambda entry: entry[1], near, zone),
        Recipe(
            "within_others",
            len(at),
            len({row.rater for row in rows}),
            {"distance": NEAR, "latest_grades": LATEST_ITEMS, "answers": FIRST_ANSWERS},
        ),
    )


#: Question, pair, response: what a grade is of.
Place = tuple[int, int | None, int | None]


@dataclass(frozen=True, slots=True)
class Rated:
    rater: int
    question: int
    pair: int | None
    response: int | None
    first: float
    second: float | None


def grades_of(rater: Rater, latest: Iterable[tuple]) -> list[Rated]:
    """Everybody's grades of these places: people's, of each person and place the first round, as first handed in."""
    latest = list(latest)
    found: dict[tuple, Rated] = {}
    for field, at in (("pair", 2), ("response", 3)):
        for chunk in in_chunks({row[at] for row in latest if row[at] is not None}):
            rows = Rating.objects.filter(
                rater__kind=RaterKind.HUMAN, is_check=False, first_grade__isnull=False, **{f"{field}__in": chunk}
            ).order_by("round")
            names = ("rater_id", "question_id", "pair_id", "response_id", "first_grade", "second_grade")
            of_first = ("question__slug", "assignment__first_answer__body", "assignment__stage__scored_on__slug")
            for *place, first, second, slug, body, scored_on in rows.values_list(*names, *of_first):
                of, question, pair, response = place
                if body is not None:
                    given = {rating["question"]: rating for rating in ratings_in(body, scored_on)}.get(slug, {})
                    first, second = given.get("first"), given.get("second")
                if first is not None:
                    grade = Rated(of, question, pair, response, float(first), second)
                    found.setdefault((grade.rater, grade.question, grade.pair, grade.response), grade)
    return list(found.values())


def near_others(rater: Rater, grades: Sequence[Rated]) -> Figure:
    """The person's own line of `against_others`; each side of a pair is a place of its own."""
    places: dict[tuple, int] = {}
    items, raters, values = [], [], []
    for grade in grades:
        for side, value in (("first", grade.first), ("second", grade.second)):
            if value is not None:
                place = (grade.question, grade.pair, grade.response, side)
                items.append(places.setdefault(place, len(places)))
                raters.append(grade.rater)
                values.append(value)
    if rater.pk not in raters:
        return Figure.without_value(NO_ITEMS)
    figures = against_others(items, raters, values, NEAR)
    return figures.within[list(figures.raters).index(rater.pk)]


def of_verdicts(rater: Rater, zone: ZoneInfo) -> Standing | None:
    """Of the verdicts that other people gave on the same criteria of the same responses, the share that are the
    person's own, averaged over their verdicts; of everybody the first answer. Items that somebody may still grade are
    left out. None without a grade."""
    before = beginning_of(monday_of(today_in(zone)), zone)
    still_open = WorkItem.objects.filter(pk=OuterRef("assignment__item"), open_slots__gt=0)
    own = Grade.objects.filter(~Exists(still_open), rater=rater, is_complete=True, created_at__lt=before)
    rows = own.order_by("-created_at", "-pk").values_list("response_id", "response__prompt_id", "created_at")
    latest = {response: (prompt, moment) for response, prompt, moment in rows[:LATEST_ITEMS]}
    if not latest:
        return None
    shares = shares_alike(rater, latest)

    def alike(some: Sequence[int]) -> Figure:
        of_these = [(latest[response][0], share) for response in some for share in shares.get(response, ())]
        prompts, values = [prompt for prompt, _share in of_these], [share for _prompt, share in of_these]
        return mean(values, statistic=share_of_sums, cluster=prompts)

    return Standing(
        "same_verdict_as_others",
        _("Verdicts as those of others"),
        _("Of the verdicts of others on the same criteria, the share that are like yours. To differ is no error."),
        by_week(list(latest), lambda response: latest[response][1], alike, zone),
        Recipe(
            "same_verdict_as_others",
            len(latest),
            1,
            {"latest_grades": LATEST_ITEMS, "interval": "over prompts", "answers": FIRST_ANSWERS},
        ),
    )


def shares_alike(rater: Rater, responses: Iterable[int]) -> dict[int, list[float]]:
    """By response, of each verdict of the person's that others gave too, the share of these that are the same; of
    everybody what they first handed in."""
    said: dict[tuple[int, int], dict[int, str]] = defaultdict(dict)
    for chunk in in_chunks(set(responses)):
        rows = Verdict.objects.filter(
            grade__response__in=chunk, grade__rater__kind=RaterKind.HUMAN, grade__is_complete=True
        ).order_by("grade__round", "pk")
        names = ("grade__rater_id", "grade__response_id", "criterion_id", "value")
        of_first = ("criterion__key", "grade__assignment__first_answer__body")
        for of, response, criterion, value, key, body in rows.values_list(*names, *of_first):
            first = (body or {}).get("verdicts", {}).get(key, value)
            said[response, criterion].setdefault(of, first)
    shares: dict[int, list[float]] = defaultdict(list)
    for (response, _criterion), values in said.items():
        mine = values.pop(rater.pk, None)
        if mine is not None and values:
            shares[response].append(sum(value == mine for value in values.values()) / len(values))
    return shares


def of_checks(rater: Rater, zone: ZoneInfo) -> Standing | None:
    """Share of right answers to checks, with its Wilson interval. None before a week with a check is over."""
    before = beginning_of(monday_of(today_in(zone)), zone)
    results = CheckResult.objects.filter(rater=rater, created_at__lt=before).order_by("-pk")
    rows = list(results.values_list("created_at", "is_right")[:LATEST_ITEMS])
    if not rows:
        return None

    def accuracy(some: Sequence[tuple[datetime, bool]]) -> Figure:
        right = sum(is_right for _at, is_right in some)
        if not some:
            return Figure.without_value(NO_ITEMS)
        low, high = wilson_interval(right, len(some))
        return Figure(right / len(some), len(some), low, high)

    return Standing(
        "check_accuracy",
        _("Checks answered as experts did"),
        _("Some items are checks, whose answer experts gave before. The present week is told when it is over."),
        by_week(rows, lambda row: row[0], accuracy, zone),
        Recipe("check_accuracy", len(rows), 1, {"latest_checks": LATEST_ITEMS, "interval": "Wilson"}),
    )


def by_week(
    rows: Sequence[Row], moment: Callable[[Row], datetime], figure: Callable[[Sequence[Row]], Figure], zone: ZoneInfo
) -> list[Week]:
    """The figure of each of the latest WEEKS weeks that have rows, the latest first, then that of all rows."""
    weeks: Mapping[date, list[Row]] = defaultdict(list)
    for row in rows:
        weeks[monday_of(moment(row).astimezone(zone).date())].append(row)
    latest = sorted(weeks, reverse=True)[:WEEKS]
    return [*(Week(monday, figure(weeks[monday])) for monday in latest), Week(None, figure(rows))]
