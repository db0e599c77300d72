"""The importer of answers to questionnaires: held to what the stage asks, by the path that its screen takes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.importing.taking_back import RowsOfQuestionnaires
from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.checking import check_complete, read_draft
from annotation.questionnaires.rules import broken
from annotation.questionnaires.shown import current
from annotation.spans.parts_beside import of_parts
from formats.importing.raters import RaterBook
from formats.importing.registry import Importer
from formats.layout import Asked, Subject, asked_of, subject_of
from formats.problems import ProblemLog
from formats.questionnaire_answer import FORMAT
from formats.reading import Record
from projects.derived import taken
from projects.models import Project, Prompt, Rater, Response, ResponsePair
from projects.problems import Invalid
from workflow.answer_rules import rules_of
from workflow.layouts import stages_with_parts
from workflow.models import Stage
from workflow.task_types import task_type

#: The field of a line by what a stage is about.
FIELDS: Mapping[str, str] = {Subject.RESPONSE: "item", Subject.PAIR: "pair", Subject.PROMPT: "prompt"}
MODELS: Mapping[str, Any] = {Subject.RESPONSE: Response, Subject.PAIR: ResponsePair, Subject.PROMPT: Prompt}
# Stage, what it is about by id, rater and round.
Place = tuple[int, int, int, int]


class About(NamedTuple):
    """Id of what a line is about, and the keys of the responses that can be ranked."""

    id: int
    responses: tuple[str, ...]


class Asking(NamedTuple):
    id: int
    subject: str
    parts: list[Asked]
    rules: Sequence[Mapping[str, Any]]
    has_marks: bool  # all parts may stay open beside them


def _asking(stage: Stage) -> Asking:
    has_marks, rules = task_type(stage.kind).has_marks, rules_of(stage)
    return Asking(
        stage.pk,
        subject_of(stage.show),
        asked_of(stage.ask),
        of_parts(rules) if has_marks else rules,
        has_marks,
    )


class QuestionnaireAnswers(Importer):
    """Stores answers of people who worked elsewhere. What stands in the project just so is left as it is."""

    kind = "questionnaire-answers"
    name = gettext_lazy("Answers to questionnaires")
    fills = (QuestionnaireAnswer,)
    settings = (Stage,)
    format = FORMAT
    rows = RowsOfQuestionnaires()

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.raters = RaterBook(project, problems)
        self.stages = {stage.name: _asking(stage) for stage in stages_with_parts(project)}

    def store(self, batch: Sequence[Record]) -> None:
        about = {subject: self._about(subject, batch) for subject in FIELDS}
        made: dict[Place, QuestionnaireAnswer] = {}
        lines: dict[Place, int] = {}
        for record in batch:
            asking = self.stages.get(record.fields["stage"])
            if asking is None:
                message = _("The project has no questionnaire of this name.")
                self.problems.say(record.line, "unknown_stage", message, "stage")
                continue
            subject = self._subject(record, asking, about[asking.subject])
            rater = self.raters.rater(record.line, {"rater": record.fields["rater"]})
            if subject is None or rater is None or (answers := self._answers(record, asking, subject)) is None:
                continue
            place = (asking.id, subject.id, rater.pk, record.fields.get("round") or 1)
            if place in made:
                message = _("This answer stands on an earlier line already.")
                self.problems.say(record.line, "already_there", message, FIELDS[asking.subject])
                continue
            lines[place] = record.line
            made[place] = self._row(place, asking.subject, rater, answers)
        self._keep(made, lines)
        self.counts["new raters"] = self.raters.created

    def areas(self) -> list[str]:
        return ["questionnaires"]

    def _about(self, subject: str, batch: Sequence[Record]) -> dict[str, About]:
        """What the lines are about, by key."""
        field = FIELDS[subject]
        keys = {record.fields[field] for record in batch if record.fields.get(field) is not None}
        rows = MODELS[subject].objects.filter(project=self.project, key__in=keys)
        if not keys:
            return {}
        if subject == Subject.RESPONSE:
            return {key: About(pk, ()) for pk, key in rows.values_list("pk", "key")}
        if subject == Subject.PAIR:
            names = ("pk", "key", "first__key", "second__key")
            return {key: About(pk, (first, second)) for pk, key, first, second in rows.values_list(*names)}
        ranked: defaultdict[int, list[str]] = defaultdict(list)
        of_prompts = current(taken(Response.objects.filter(prompt__in=rows))).order_by("pk")
        for prompt, key in of_prompts.values_list("prompt", "key"):
            ranked[prompt].append(key)
        return {key: About(pk, tuple(ranked[pk])) for pk, key in rows.values_list("pk", "key")}

    def _subject(self, record: Record, asking: Asking, about: Mapping[str, About]) -> About | None:
        field = FIELDS[asking.subject]
        key = record.fields.get(field)
        if key is None:
            message = _("Items of this stage are named by “%(field)s”.") % {"field": field}
            self.problems.say(record.line, "missing", message, field)
        elif key not in about:
            message = _("The project has nothing of this id.")
            self.problems.say(record.line, "unknown_item", message, field)
        return about.get(key) if key is not None else None

    def _answers(self, record: Record, asking: Asking, subject: About) -> dict[str, Any] | None:
        try:
            draft = read_draft({"answers": record.fields["answers"]}, asking.parts, subject.responses)
            given = check_complete(draft, asking.parts, subject.responses, asking.rules, asking.has_marks)
        except Invalid as refused:
            for problem in refused.problems:
                self.problems.say(
                    record.line, problem.code, problem.message, f"answers.{problem.span or ''}".rstrip(".")
                )
            return None
        answers: dict[str, Any] = given["answers"]
        if warned := sum(each.warns for each in broken(asking.rules, answers)):
            self.counts["warnings"] += warned
        return answers

    def _row(self, place: Place, subject: str, rater: Rater, answers: dict[str, Any]) -> QuestionnaireAnswer:
        stage, about, _rater, turn = place
        return QuestionnaireAnswer(stage_id=stage, rater=rater, round=turn, answers=answers, **{f"{subject}_id": about})

    def _keep(self, made: dict[Place, QuestionnaireAnswer], lines: Mapping[Place, int]) -> None:
        """Store what is new; of what is there already say so where it is another answer."""
        for subject, field in FIELDS.items():
            ids = {getattr(row, f"{subject}_id") for row in made.values()} - {None}
            rows = QuestionnaireAnswer.objects.filter(stage__project=self.project, **{f"{subject}__in": ids})
            for stage, about, rater, turn, answers in rows.values_list(
                *("stage", subject, "rater", "round", "answers")
            ):
                row = made.pop((stage, about, rater, turn), None)
                if row is not None and row.answers == answers:
                    self.counts["unchanged answers"] += 1
                elif row is not None:
                    message = _("The rater's answer on this item in this round is already in the project.")
                    self.problems.say(lines[stage, about, rater, turn], "already_there", message, field)
        if made and self.origin is not None:
            for row in made.values():
                row.came_with_id = self.origin.pk
        QuestionnaireAnswer.objects.bulk_create(made.values())
        self.counts["answers"] += len(made)
