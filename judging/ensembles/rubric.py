"""Panels that grade by rubric: per criterion what most members say, as one grade.

A criterion passes, or its error is present, where the members who say so weigh more than half; at exactly half there
is no verdict, and with one criterion undecided no grade of the response at all. The reason beside a verdict is that
of the first member who gave it, word for word. Only members count that graded exactly the criteria the response is
graded by now.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count, Max, QuerySet
from django.utils.translation import gettext_lazy as _

from agreement.criteria import kappa_figure
from agreement.figures import Figure
from agreement.panels import yes_or_no
from judging.ensembles import NOT_READY, TIE, TOO_FEW, Answer, Author, Bench, Made, Member, Standing, in_batches
from judging.kinds.rubric.criteria import NEWEST, Asked, asked_of
from judging.kinds.rubric.kind import GradedCriterion
from projects.among import Among
from projects.models import Project, Rater, RaterKind, Response
from rubrics.models import Criterion, Grade, GradeRole, Rubric, Verdict, VerdictValue
from rubrics.scoring.storing import GIVEN, GradeData, VerdictData, store_grades

# By whether the criterion is positive, what yes and no are called.
VALUES = {
    True: (VerdictValue.PASS.value, VerdictValue.FAIL.value),
    False: (VerdictValue.PRESENT.value, VerdictValue.ABSENT.value),
}


class Said(NamedTuple):
    """A member's grade: its round, and by criterion the verdict and its reason."""

    round: int
    verdicts: dict[int, tuple[str, str]]


class Text(NamedTuple):
    key: str
    prompt: int
    author: Author


class Read(NamedTuple):
    """What the answers of a batch are made of; `weights` by criterion."""

    asked: dict[int, Asked]
    texts: dict[int, Text]
    said: dict[tuple[int, int], Said]
    weights: dict[int, int]


class RubricPanels:
    kind = "rubric"
    name = _("Grades by rubric")
    judge_kinds: tuple[str, ...] = ("rubric",)
    weighed_by = _("Cohen's kappa of its verdicts with those of the first grading, criterion by criterion")

    def answering(self, project: Project) -> set[int]:
        grades = Grade.objects.filter(response__project=project, role=GradeRole.JUDGE)
        return set(grades.order_by().values_list("rater_id", flat=True).distinct())

    def state(self, raters: Collection[int]) -> dict[str, list[int]]:
        rows = Grade.objects.filter(rater__in=raters).order_by().values_list("rater_id")
        return {str(rater): [n, last] for rater, n, last in rows.annotate(n=Count("pk"), last=Max("pk"))}

    def gold_state(self, project: Project) -> list[int]:
        people = Grade.objects.filter(response__project=project, rater__kind=RaterKind.HUMAN)
        found = people.aggregate(n=Count("pk"), last=Max("pk"))
        return [found["n"], found["last"] or 0]

    def batches(self, raters: Collection[int]) -> Iterator[list[int]]:
        graded = Grade.objects.filter(NEWEST, rater__in=raters).order_by()
        return in_batches(set(graded.values_list("response_id", flat=True)))

    def read(self, bench: Bench, batch: Sequence[int], hold: bool = False) -> Read:
        """Six statements. `hold` takes the lock that graders take, so that the criteria stay those of now."""
        asked = asked_of(batch, hold)
        weights = Criterion.objects.filter(pk__in=Among(criteria_of(asked))).values_list("pk", "weight")
        return Read(asked, texts_of(batch), grades_of(bench.by_id, batch), dict(weights))

    def made(self, bench: Bench, batch: Sequence[int], read: Read) -> Made:
        asked, texts, said, weights = read
        made = Made()
        for response in batch:
            text, now = texts[response], asked.get(response)
            if now is None:
                made.without(NOT_READY, text.key)
                continue
            seated = bench.seated([text.author])
            voting = [
                (member, found)
                for member in seated
                if (found := said.get((response, member.rater))) and found.verdicts.keys() == set(now.criteria)
            ]
            if not bench.is_enough(voting):
                made.without(TOO_FEW, text.key)
                continue
            verdicts = verdicts_of(voting, now, weights)
            if verdicts is None:
                made.without(TIE, text.key)
                continue
            rounds = [(member, found.round) for member, found in voting]
            metadata = bench.provenance(rounds, len(bench.members) - len(seated), text.prompt)
            made.counts["answers"] += 1
            made.answers[response, now.rubric] = Answer(
                ({each.criterion.pk: (each.value, each.justification) for each in verdicts}, metadata),
                GradeData(
                    response=Response(pk=response),
                    rubric=Rubric(pk=now.rubric),
                    rater=bench.rater,
                    role=GradeRole.JUDGE,
                    verdicts=verdicts,
                    metadata=metadata,
                ),
            )
        return made

    def standing(self, rater: Rater, batch: Sequence[int]) -> Mapping[Hashable, Standing]:
        """The grades under the newest version of each rubric; those under an earlier one stay as they are."""
        grades = Grade.objects.filter(NEWEST, rater=rater, response__in=batch)
        verdicts: dict[int, dict[int, tuple[str, str]]] = defaultdict(dict)
        rows = Verdict.objects.filter(grade__in=grades)
        for grade, criterion, value, justification in rows.values_list(*VERDICT_COLUMNS):
            verdicts[grade][criterion] = (value, justification)
        found = grades.values_list("pk", "response_id", "rubric_id", "metadata")
        return {(response, rubric): Standing(pk, (verdicts[pk], metadata)) for pk, response, rubric, metadata in found}

    def withdraw(self, ids: Collection[int]) -> set[int]:
        Grade.objects.filter(pk__in=Among(ids)).delete()
        return set()

    def store(self, data: Sequence[GradeData], changed: Collection[Hashable]) -> None:
        store_grades(data)

    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """Over the criteria that both gave a verdict on, positive and negative ones together."""
        grades = Grade.objects.filter(NEWEST, response__project=project, is_complete=True)
        chosen = set(prompts)
        first: dict[tuple[int, int], bool] = {}
        for response, prompt, criterion, value in verdicts_in(grades.filter(role=GradeRole.REFERENCE)):
            if prompt in chosen:
                first[response, criterion] = value in GIVEN
        said: dict[int, dict[tuple[int, int], tuple[int, bool]]] = defaultdict(dict)
        of_raters = grades.filter(rater__in=raters)
        for response, _prompt, criterion, value, rater, round in verdicts_in(of_raters, "grade__rater", "grade__round"):
            known = said[rater].get((response, criterion))
            if (response, criterion) in first and (known is None or round > known[0]):
                said[rater][response, criterion] = (round, value in GIVEN)
        return {rater: kappa_figure(cells_of(first, said[rater])) for rater in raters}


VERDICT_COLUMNS = ("grade_id", "criterion_id", "value", "justification")


def verdicts_in(grades: QuerySet[Grade], *more: str) -> QuerySet:
    """(response, prompt, criterion, value, ...) of every verdict of these grades."""
    columns = ("grade__response_id", "grade__response__prompt_id", "criterion_id", "value", *more)
    return Verdict.objects.filter(grade__in=grades).order_by().values_list(*columns)


def cells_of(
    first: Mapping[tuple[int, int], bool], said: Mapping[tuple[int, int], tuple[int, bool]]
) -> tuple[int, int, int, int]:
    """How often both count a criterion, the person alone, the judge alone, and neither."""
    cells = {(one, other): 0 for one in (True, False) for other in (True, False)}
    for place, (_round, value) in said.items():
        cells[first[place], value] += 1
    return cells[True, True], cells[True, False], cells[False, True], cells[False, False]


def criteria_of(asked: Mapping[int, Asked]) -> set[int]:
    return {criterion for each in asked.values() for criterion in each.criteria}


def texts_of(responses: Collection[int]) -> dict[int, Text]:
    columns = ("pk", "key", "prompt_id", "target_model__name", "target_model__laboratory__slug")
    rows = Response.objects.filter(pk__in=responses).values_list(*columns)
    return {pk: Text(key, prompt, (model, laboratory)) for pk, key, prompt, model, laboratory in rows}


def grades_of(members: Mapping[int, Member], responses: Collection[int]) -> dict[tuple[int, int], Said]:
    """The members' latest complete grades by (response, rater). Two statements."""
    grades = Grade.objects.filter(
        NEWEST, rater__in=members, response__in=responses, role=GradeRole.JUDGE, is_complete=True
    )
    verdicts: dict[int, dict[int, tuple[str, str]]] = defaultdict(dict)
    for grade, criterion, value, justification in Verdict.objects.filter(grade__in=grades).values_list(
        *VERDICT_COLUMNS
    ):
        verdicts[grade][criterion] = (value, justification)
    found: dict[tuple[int, int], Said] = {}
    rows = grades.order_by("round").values_list("pk", "response_id", "rater_id", "round")
    for pk, response, rater, round in rows:
        found[response, rater] = Said(round, verdicts[pk])
    return found


def verdicts_of(
    voting: Sequence[tuple[Member, Said]], asked: Asked, weights: Mapping[int, int]
) -> list[VerdictData] | None:
    """A verdict on every criterion; None where the members are evenly divided on one."""
    votes = [member.weight for member, _said in voting]
    verdicts = []
    for criterion in asked.criteria:
        yes = yes_or_no([said.verdicts[criterion][0] in GIVEN for _member, said in voting], votes)
        if yes is None:
            return None
        value = VALUES[weights[criterion] > 0][0 if yes else 1]
        reasons = [said.verdicts[criterion][1] for _member, said in voting if said.verdicts[criterion][0] == value]
        verdicts.append(VerdictData(GradedCriterion(criterion, weights[criterion]), value, reasons[0]))
    return verdicts
