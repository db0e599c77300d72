"""One graded response, criterion by criterion: everybody's verdict beside the first grading's, with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from judging.models import ANSWERED, Call, CallState
from projects.models import Rater, RaterKind, Response, Vocabulary
from projects.vocabularies import words
from reports.dashboard.names import to_be_marked
from reports.dashboard.scope import name_of
from reports.rubrics.reader import COUNTS, JUDGE_KIND
from rubrics.models import Criterion, Grade, GradeRole, Rubric, Verdict


@dataclass
class Grader:
    """One grade under this rubric. `error` is in percentage points from the first grading's, None without one."""

    grade: Grade
    label: str
    is_judge: bool
    is_simulated: bool
    is_reference: bool
    error: float | None = None

    @property
    def percent(self) -> float | None:
        return self.grade.percent


@dataclass(frozen=True)
class Said:
    """One grader's verdict on a criterion; `differs` where the first grading says otherwise."""

    grader: Grader
    verdict: Verdict
    differs: bool


@dataclass
class Judgement:
    """A criterion with what everybody said of it. Of a negative one, `failure` names its type and `author` whose error
    it is."""

    criterion: Criterion
    failure: str = ""
    author: str = ""
    said: list[Said] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        return any(verdict.differs for verdict in self.said)


@dataclass(frozen=True)
class Unanswered:
    """A judge that was asked and whose answer could not be used, and how its call ended."""

    label: str
    is_simulated: bool
    state: str


@dataclass(frozen=True)
class SideBySide:
    """Graders, first grading first; criteria, positive ones first; and how many grades an older rubric has."""

    rubric: Rubric | None
    graders: list[Grader]
    judgements: list[Judgement]
    unanswered: list[Unanswered]
    outdated: int


def side_by_side(response: Response, judge: str = "") -> SideBySide:
    """Of the newest frozen rubric. `judge`, a pseudonym, keeps that judge alone beside the people.

    Six queries, however many grades and criteria there are.
    """
    rubric = newest_of(response)
    if rubric is None:
        return SideBySide(None, [], [], [], 0)
    grades = list(response.grades.select_related("rater").order_by("id"))
    outdated = sum(grade.rubric_id != rubric.pk for grade in grades)
    graders = graders_of([grade for grade in grades if grade.rubric_id == rubric.pk], judge)
    return SideBySide(
        rubric, graders, judgements(rubric, response, graders), unanswered(response, graders, judge), outdated
    )


def newest_of(response: Response) -> Rubric | None:
    """The frozen rubric that no frozen one has taken the place of."""
    rubrics = Rubric.objects.filter(prompt=response.prompt_id, frozen_at__isnull=False)
    return rubrics.select_related("author").order_by("-version").first()


def graders_of(grades: Sequence[Grade], judge: str) -> list[Grader]:
    graders = [
        Grader(
            grade,
            name_of(grade.rater),
            grade.rater.kind == RaterKind.JUDGE,
            to_be_marked(grade.rater),
            grade.role == GradeRole.REFERENCE,
        )
        for grade in grades
        if not judge or grade.rater.kind == RaterKind.HUMAN or grade.rater.pseudonym == judge
    ]
    reference = next((grader.percent for grader in graders if grader.is_reference), None)
    for grader in graders:
        if reference is not None and grader.percent is not None and not grader.is_reference:
            grader.error = grader.percent - reference
    return sorted(
        graders, key=lambda grader: (not grader.is_reference, grader.is_judge, grader.label, grader.grade.round)
    )


def judgements(rubric: Rubric, response: Response, graders: Sequence[Grader]) -> list[Judgement]:
    """Positive criteria, then the errors of the first grading, then those that others recorded."""
    by_grade = {one.grade.pk: one for one in graders}
    types = words(rubric.project_id, Vocabulary.FAILURE_TYPE)
    criteria = rubric.criteria.filter(response=None) | rubric.criteria.filter(response=response)
    judgements_by_rater: dict[int, Judgement] = {}
    for criterion in criteria.order_by("id"):
        if criterion.grade_id is None:
            judgements_by_rater[criterion.pk] = Judgement(criterion)
        elif criterion.grade_id in by_grade:
            failure = types.name(criterion.failure_type)
            judgements_by_rater[criterion.pk] = Judgement(criterion, failure, by_grade[criterion.grade_id].label)
    verdicts: dict[int, list[Verdict]] = {}
    for verdict in Verdict.objects.filter(grade__in=by_grade).order_by("id"):
        verdicts.setdefault(verdict.criterion_id, []).append(verdict)
    for pk, judgement in judgements_by_rater.items():
        of_this = {verdict.grade_id: verdict for verdict in verdicts.get(pk, [])}
        first = next((of_this[one.grade.pk] for one in graders if one.is_reference and one.grade.pk in of_this), None)
        judgement.said = [
            Said(one, of_this[one.grade.pk], first is not None and counts(of_this[one.grade.pk]) != counts(first))
            for one in graders
            if one.grade.pk in of_this
        ]
    order = {one.grade.pk: number for number, one in enumerate(graders)}
    return sorted(
        judgements_by_rater.values(),
        key=lambda one: (order.get(one.criterion.grade_id or 0, -1), one.criterion.position, one.criterion.pk),
    )


def counts(verdict: Verdict) -> bool:
    return verdict.value in COUNTS


def unanswered(response: Response, graders: Sequence[Grader], judge: str) -> list[Unanswered]:
    """Judges asked about this response without a grade of theirs, by the state of their latest call."""
    graded = {one.grade.rater_id for one in graders}
    calls = Call.objects.filter(response=response, judge__kind=JUDGE_KIND).exclude(state__in=ANSWERED)
    latest: dict[int, tuple[Rater, str]] = {}
    for call in calls.select_related("judge__rater").order_by("id"):
        rater = call.judge.rater
        if rater.pk not in graded and judge in ("", rater.pseudonym):
            latest[rater.pk] = (rater, str(CallState(call.state).label))
    return [Unanswered(rater.name, to_be_marked(rater), state) for rater, state in latest.values()]
