"""Panels that grade by rubric: per criterion what most members say, as one grade.

A criterion passes, or its error is present, where the members who say so weigh more than half; at exactly half there
is no verdict, and with one criterion undecided no grade of the response at all. The reason beside a verdict is that
of the first member who gave it, word for word. Only members count that graded exactly the criteria the response is
graded by now.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from agreement.criteria import kappa_figure
from agreement.figures import Figure
from agreement.panels import yes_or_no
from judging.ensembles import (
    NOT_READY,
    TIE,
    TOO_FEW,
    Answer,
    Author,
    Member,
    PanelAnswers,
    PanelKind,
    StoredAnswer,
    VotingPanel,
    count_and_last,
    in_batches,
)
from judging.kinds.rubric.criteria import NEWEST, Asked, asked_of
from judging.kinds.rubric.kind import GradedCriterion
from projects.among import Among
from projects.laboratories import laboratory_slug
from projects.models import Project, Rater, RaterKind, Response
from projects.own_laboratories import about_own
from rubrics.models import Criterion, Grade, GradeRole, Rubric, Verdict, VerdictValue
from rubrics.scoring.storing import GIVEN, GradeData, VerdictData, store_grades

# By whether the criterion is positive, what yes and no are called.
VALUES = {
    True: (VerdictValue.PASS.value, VerdictValue.FAIL.value),
    False: (VerdictValue.PRESENT.value, VerdictValue.ABSENT.value),
}


class MemberGrade(NamedTuple):
    """A member's grade: its round, and by criterion the verdict and its reason."""

    round: int
    verdicts: dict[int, tuple[str, str]]


class Text(NamedTuple):
    key: str
    prompt: int
    author: Author


class Inputs(NamedTuple):
    """What the answers of a batch are made of; `weights` by criterion."""

    criteria_by_response: dict[int, Asked]
    texts: dict[int, Text]
    grades: dict[tuple[int, int], MemberGrade]
    weights: dict[int, int]


class RubricPanels(PanelKind):
    kind = "rubric"
    name = _("Grades by rubric")
    judge_kinds = ("rubric",)
    weighed_by = _("Cohen's kappa of its verdicts with those of the first grading, criterion by criterion")
    model = Grade

    def by_judges(self, project: Project) -> QuerySet[Grade]:
        return Grade.objects.filter(response__project=project, role=GradeRole.JUDGE)

    def gold_state(self, project: Project) -> list[int]:
        return count_and_last(Grade.objects.filter(response__project=project, rater__kind=RaterKind.HUMAN))

    def batches(self, raters: Collection[int]) -> Iterator[list[int]]:
        graded = Grade.objects.filter(NEWEST, rater__in=raters).order_by()
        return in_batches(set(graded.values_list("response_id", flat=True)))

    def read(self, voting_panel: VotingPanel, batch: Sequence[int], hold: bool = False) -> Inputs:
        """Six statements. `hold` takes the lock that graders take, so that the criteria stay those of now."""
        criteria_by_response = asked_of(batch, hold)
        weights = Criterion.objects.filter(pk__in=Among(criteria_of(criteria_by_response))).values_list("pk", "weight")
        return Inputs(
            criteria_by_response, texts_of(batch), grades_by_response(voting_panel.by_id, batch), dict(weights)
        )

    def decide(self, voting_panel: VotingPanel, batch: Sequence[int], inputs: Inputs) -> PanelAnswers:
        criteria_by_response, texts, grades, weights = inputs
        panel_answers = PanelAnswers()
        for response in batch:
            text, asked = texts[response], criteria_by_response.get(response)
            if asked is None:
                panel_answers.leave_undecided(NOT_READY, text.key)
                continue
            eligible = voting_panel.eligible([text.author])
            voting = [
                (member, grade)
                for member in eligible
                if (grade := grades.get((response, member.rater))) and grade.verdicts.keys() == set(asked.criteria)
            ]
            if not voting_panel.is_enough(voting):
                panel_answers.leave_undecided(TOO_FEW, text.key)
                continue
            verdicts = verdicts_of(voting, asked, weights)
            if verdicts is None:
                panel_answers.leave_undecided(TIE, text.key)
                continue
            metadata = voting_panel.provenance(voting, eligible, text.prompt)
            data = GradeData(
                response=Response(pk=response),
                rubric=Rubric(pk=asked.rubric),
                rater=voting_panel.rater,
                role=GradeRole.JUDGE,
                verdicts=verdicts,
                metadata=metadata,
            )
            contents = {verdict.criterion.pk: (verdict.value, verdict.justification) for verdict in verdicts}
            panel_answers.add((response, asked.rubric), Answer((contents, metadata), data))
        return panel_answers

    def stored(self, rater: Rater, batch: Sequence[int]) -> Mapping[Hashable, StoredAnswer]:
        """The grades under the newest version of each rubric; those under an earlier one stay as they are."""
        grades = Grade.objects.filter(NEWEST, rater=rater, response__in=batch)
        verdicts = verdicts_by_grade(grades)
        rows = grades.values_list("pk", "response_id", "rubric_id", "metadata")
        return {
            (response, rubric): StoredAnswer(pk, (verdicts[pk], metadata)) for pk, response, rubric, metadata in rows
        }

    def store(self, data: Sequence[GradeData], changed: Collection[Hashable]) -> None:
        store_grades(data)

    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """Over the criteria that both gave a verdict on, positive and negative ones together."""
        grades = Grade.objects.filter(NEWEST, response__project=project, is_complete=True)
        chosen = set(prompts)
        reference: dict[tuple[int, int], bool] = {}
        for response, prompt, criterion, value in verdicts_in(grades.filter(role=GradeRole.REFERENCE)):
            if prompt in chosen:
                reference[response, criterion] = value in GIVEN
        given: dict[int, dict[tuple[int, int], tuple[int, bool]]] = defaultdict(dict)
        of_raters = grades.filter(rater__in=raters).exclude(about_own(project, raters, "response__target_model"))
        for response, _prompt, criterion, value, rater, round in verdicts_in(of_raters, "grade__rater", "grade__round"):
            earlier = given[rater].get((response, criterion))
            if (response, criterion) in reference and (earlier is None or round > earlier[0]):
                given[rater][response, criterion] = (round, value in GIVEN)
        return {rater: kappa_figure(cells_of(reference, given[rater])) for rater in raters}


def verdicts_by_grade(grades: QuerySet[Grade]) -> dict[int, dict[int, tuple[str, str]]]:
    """Of each grade, by criterion the verdict and its reason. One statement."""
    rows = Verdict.objects.filter(grade__in=grades)
    verdicts: dict[int, dict[int, tuple[str, str]]] = defaultdict(dict)
    for grade, criterion, value, justification in rows.values_list(
        "grade_id", "criterion_id", "value", "justification"
    ):
        verdicts[grade][criterion] = (value, justification)
    return verdicts


def verdicts_in(grades: QuerySet[Grade], *more: str) -> QuerySet:
    """(response, prompt, criterion, value, ...) of every verdict of these grades."""
    columns = ("grade__response_id", "grade__response__prompt_id", "criterion_id", "value", *more)
    return Verdict.objects.filter(grade__in=grades).order_by().values_list(*columns)


def cells_of(
    reference: Mapping[tuple[int, int], bool], given: Mapping[tuple[int, int], tuple[int, bool]]
) -> tuple[int, int, int, int]:
    """How often both count a criterion, the person alone, the judge alone, and neither."""
    cells = {(by_person, by_judge): 0 for by_person in (True, False) for by_judge in (True, False)}
    for place, (_round, value) in given.items():
        cells[reference[place], value] += 1
    return cells[True, True], cells[True, False], cells[False, True], cells[False, False]


def criteria_of(criteria_by_response: Mapping[int, Asked]) -> set[int]:
    return {criterion for asked in criteria_by_response.values() for criterion in asked.criteria}


def texts_of(responses: Collection[int]) -> dict[int, Text]:
    columns = ("pk", "key", "prompt_id", "target_model__name", laboratory_slug())
    rows = Response.objects.filter(pk__in=responses).values_list(*columns)
    return {pk: Text(key, prompt, (model, laboratory)) for pk, key, prompt, model, laboratory in rows}


def grades_by_response(members: Mapping[int, Member], responses: Collection[int]) -> dict[tuple[int, int], MemberGrade]:
    """The members' latest complete grades by (response, rater). Two statements."""
    grades = Grade.objects.filter(
        NEWEST, rater__in=members, response__in=responses, role=GradeRole.JUDGE, is_complete=True
    )
    verdicts = verdicts_by_grade(grades)
    by_member: dict[tuple[int, int], MemberGrade] = {}
    rows = grades.order_by("round").values_list("pk", "response_id", "rater_id", "round")
    for pk, response, rater, round in rows:
        by_member[response, rater] = MemberGrade(round, verdicts[pk])
    return by_member


def verdicts_of(
    voting: Sequence[tuple[Member, MemberGrade]], asked: Asked, weights: Mapping[int, int]
) -> list[VerdictData] | None:
    """A verdict on every criterion; None where the members are evenly divided on one."""
    votes = [member.weight for member, _rating in voting]
    verdicts = []
    for criterion in asked.criteria:
        yes = yes_or_no([grade.verdicts[criterion][0] in GIVEN for _member, grade in voting], votes)
        if yes is None:
            return None
        value = VALUES[weights[criterion] > 0][0 if yes else 1]
        reasons = [grade.verdicts[criterion][1] for _member, grade in voting if grade.verdicts[criterion][0] == value]
        verdicts.append(VerdictData(GradedCriterion(criterion, weights[criterion]), value, reasons[0]))
    return verdicts
