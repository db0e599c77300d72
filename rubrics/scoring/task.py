"""The task types of grading: the reference grade, a second person's, and those of a calibration study."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.models import Project, Rater, Response, Vocabulary
from projects.prepared import Given
from projects.problems import Invalid, Problem
from projects.vocabularies import Words, words
from rubrics.authoring.settings import judges_grade_alone
from rubrics.models import CheckGrading, Grade, GradeRole, Rubric
from rubrics.scoring import checking
from rubrics.scoring.asking import Asked, rubric_alone, with_reference_errors
from rubrics.scoring.planning import scorable, ungraded_by, with_reference
from rubrics.scoring.rules import RULE_WORDS, WORDS, broken
from rubrics.scoring.screen import screen
from rubrics.scoring.storing import GradeData, NegativeData, VerdictData, free_keys, store_grades
from workflow.answer_rules import rules_of
from workflow.broken_rules import Broken
from workflow.models import Assignment, Stage, Status, WorkItem
from workflow.planning import plan_items
from workflow.task_types import ScreenActs, TaskType


def failure_types(assignment: Assignment) -> Words:
    return words(assignment.stage.project_id, Vocabulary.FAILURE_TYPE)


def checked(response: OuterRef | int | None, rater: Rater | Given) -> QuerySet[Assignment]:
    """Turns of this rater in which the response was a check, whatever became of them."""
    return Assignment.objects.filter(item__response=response, item__is_check=True, rater=rater)


class Grading(TaskType):
    """Verdicts on the criteria one is asked about, and errors of one's own as negative criteria."""

    template = "rubrics/scoring/grade.html"
    acts = ScreenActs.of(
        "scoring",
        passes=("P", "The current criterion passes"),
        fails=("F", "The current criterion fails"),
        next=("N", "Next undecided"),
        add=("A", "Add an error on the chosen words, or on none"),
        letters=("L", "Mark letters instead of whole words"),
        comment=("C", "Comment"),
    ).needing("123456789", "Choose what stands beside the digit on the current error")
    shows_text = True
    default_rules = ()
    rule_words = RULE_WORDS
    role: ClassVar[str]

    def asked(self, assignment: Assignment) -> Asked:
        return rubric_alone(assignment)

    def plan(self, stage: Stage) -> int:
        """What became ready while the stage was closed."""
        return plan_items(stage)

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """Nobody grades a response twice, though they did it elsewhere and it came by import, nor one that was a check
        of theirs."""
        return ungraded_by(items, rater).filter(~Exists(checked(OuterRef("response"), rater)))

    def title(self, item: WorkItem) -> str:
        """The prompt's key and four signs that tell its responses apart: a response's own key may name its model."""
        response = item.response
        return f"{response.prompt.key} · {response.uuid.hex[:4]}" if response else ""

    def may_be_given(self, item: WorkItem, rater: Rater) -> bool:
        if checked(item.response_id, rater).exists():
            return False
        return not Grade.objects.filter(rater=rater, response=item.response_id).exists()

    def empty_draft(self, assignment: Assignment) -> dict:
        return checking.blank()

    def screen(self, assignment: Assignment, body: dict) -> dict:
        grade = Grade.objects.filter(assignment=assignment).first()
        return screen(assignment, body, self.asked_by(grade) if grade else self.asked(assignment))

    def asked_by(self, grade: Grade) -> Asked:
        """What a stored grade answered, for reading it again."""
        verdicts = grade.verdicts.exclude(criterion__grade=grade).select_related("criterion__band")
        criteria = [verdict.criterion for verdict in verdicts]
        return Asked(
            grade.rubric, sorted(criteria, key=lambda each: (each.grade_id is not None, each.position, each.pk))
        )

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        return checking.check_draft(body, assignment.response.text, failure_types(assignment))

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        answer = self.check_draft(assignment, body)
        if judges_grade_alone(assignment.stage.project_id):
            raise Invalid(Problem("judges_alone", _("Judges grade alone in this project now. What you wrote is kept.")))
        asked = self.asked(assignment)
        checking.check_complete(answer, asked.polarity, failure_types(assignment))
        against = [each.problem for each in self._broken(assignment, answer, asked) if not each.warns]
        if against:
            raise Invalid(against)
        return answer

    def warnings(self, assignment: Assignment, answer: dict) -> list[Problem]:
        return [each.problem for each in self._broken(assignment, answer, self.asked(assignment)) if each.warns]

    def words_of_rules(self, project: Project) -> Mapping[str, Collection[str]]:
        """A tag may be one that no criterion has yet."""
        return WORDS

    def _broken(self, assignment: Assignment, answer: dict, asked: Asked) -> list[Broken]:
        tags = {criterion.key: criterion.tags for criterion in asked.criteria}
        return broken(rules_of(assignment.stage), answer, tags)

    def store(self, assignment: Assignment, answer: dict) -> None:
        if assignment.item.is_check:
            CheckGrading.objects.create(assignment=assignment, body=answer)
            return
        # Two who submit at once must not both take the reference for missing.
        response = Response.objects.select_for_update(no_key=True).get(pk=assignment.response.pk)
        asked = self.asked(assignment)
        # What is asked may have changed since it was checked.
        checking.check_complete(answer, asked.polarity, failure_types(assignment))
        negatives = [NegativeData(**negative) for negative in answer["negatives"]]
        free_keys(asked.rubric, negatives)
        criteria = {criterion.key: criterion for criterion in asked.criteria}
        data = GradeData(
            response=response,
            rubric=asked.rubric,
            rater=assignment.rater,
            role=self.role_of(response, asked.rubric),
            verdicts=[VerdictData(criteria[key], value) for key, value in answer["verdicts"].items()],
            negatives=negatives,
            round=assignment.round,
            assignment=assignment,
            comment=answer["comment"].strip(),
        )
        store_grades([data])

    def role_of(self, response: Response, rubric: Rubric) -> str:
        return self.role

    def stored(self, assignment: Assignment) -> dict:
        if assignment.item.is_check:
            return self._stored_check(assignment)
        grade = Grade.objects.filter(assignment=assignment).first()
        if grade is None:
            return checking.blank()
        given = grade.verdicts.exclude(criterion__grade=grade)
        return {
            "verdicts": dict(given.order_by("criterion__position").values_list("criterion__key", "value")),
            "negatives": list(grade.negative_criteria.order_by("position", "id").values(*checking.FIELDS)),
            "comment": grade.comment,
        }

    def _stored_check(self, assignment: Assignment) -> dict:
        """In the order of a grade that is read again: PostgreSQL puts the keys of JSON in an order of its own."""
        check = CheckGrading.objects.filter(assignment=assignment).first()
        if check is None:
            return checking.blank()
        given = check.body["verdicts"]
        verdicts = {each.key: given[each.key] for each in self.asked(assignment).criteria if each.key in given}
        negatives = [{field: each[field] for field in checking.FIELDS} for each in check.body["negatives"]]
        return {"verdicts": verdicts, "negatives": negatives, "comment": check.body["comment"]}

    def reopen(self, assignment: Assignment) -> dict:
        body = self.stored(assignment)
        CheckGrading.objects.filter(assignment=assignment).delete()
        Grade.objects.filter(assignment=assignment).delete()  # its own errors and all its verdicts go with it
        return body


class Scoring(Grading):
    """The reference grade: the first under its rubric. Where a stage asks for more, the others are independent."""

    kind = "scoring"
    name = gettext_lazy("Scoring")
    role = GradeRole.REFERENCE

    def responses(self, stage: Stage) -> QuerySet[Response]:
        return scorable(stage.project_id)

    def role_of(self, response: Response, rubric: Rubric) -> str:
        reference = Grade.objects.filter(response=response, rubric=rubric, role=GradeRole.REFERENCE)
        return GradeRole.CALIBRATION if reference.exists() else GradeRole.REFERENCE

    def may_amend(self, assignment: Assignment) -> bool:
        """Until another person or a judge has graded by it, or has been shown the errors it names."""
        grade = Grade.objects.filter(assignment=assignment).first()
        if grade is None or grade.role != GradeRole.REFERENCE:
            return True
        others = Grade.objects.filter(response=grade.response_id, rubric=grade.rubric_id).exclude(pk=grade.pk)
        shown = Assignment.objects.filter(stage__kind=Regrading.kind, item__response=grade.response_id)
        return not others.exists() and not shown.exclude(status=Status.RESERVED).exists()


class Regrading(Grading):
    """A second person, never the first: own verdicts on every criterion, the first ones unseen."""

    kind = "regrading"
    name = gettext_lazy("Regrading")
    role = GradeRole.REGRADE

    def asked(self, assignment: Assignment) -> Asked:
        return with_reference_errors(assignment)

    def responses(self, stage: Stage) -> QuerySet[Response]:
        return with_reference(stage.project_id)

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """A reference grade that was taken back meanwhile is waited for."""
        reference = Grade.objects.filter(response=OuterRef("response"), role=GradeRole.REFERENCE, is_complete=True)
        return super().eligible(items.filter(Exists(reference)), rater)


class Calibration(Grading):
    """Independent grades by people of several communities. Turns are dealt by the study, none comes from a queue."""

    kind = "calibration"
    name = gettext_lazy("Calibration")
    role = GradeRole.CALIBRATION
    is_added_by_form = False  # its stages come with studies

    def responses(self, stage: Stage) -> QuerySet[Response]:
        return Response.objects.none()

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """Who grades what is the design's to say: a turn given back stays open until a lead hands it to somebody."""
        return items.filter(open_slots__lt=0)
