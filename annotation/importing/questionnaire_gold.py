"""Gold files of questionnaires: what the export writes is read back, so that exporting again gives the same bytes.

The lines are declared in formats/questionnaire_gold.py. The file begins with what each stage shows and asks; then every
item brings its texts and all answers of people, who keep their pseudonyms. Gold is made anew from the answers, and a
line that says another is refused. A stage that the project does not have comes with the file, closed: its work is done.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.importing.gold_texts import Experts, TextsOfGold
from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.checking import read_draft
from annotation.questionnaires.gold import gold_entries
from formats.importing.items import ITEM_FIELDS, Items
from formats.importing.pairs import SIDES
from formats.importing.pseudonyms import PseudonymBook
from formats.importing.registry import Importer
from formats.kinds import moment_of
from formats.layout import Asked, Subject, Type, asked_of, plain_parts, refuse_together, subject_of
from formats.problems import ProblemLog
from formats.questionnaire_gold import FORMAT, SUBJECTS
from formats.reading import Record
from projects.among import Among
from projects.conversations import as_text
from projects.insertion import as_json, insert_rows
from projects.models import Project, Prompt, Response, ResponsePair
from projects.problems import Invalid
from workflow.layouts import change_layout
from workflow.models import Stage
from workflow.task_types import task_types

# Of a line, and of each of its responses, what a line of an items file has as well.
PROMPT_OF_ITEM = ("prompt_id", "prompt_variety", "task", "domain")
SIDE_OF_ITEM = ("id", "variety", "model", "laboratory", "response", "metadata")
ABOUT: Mapping[str, Any] = {Subject.RESPONSE: Response, Subject.PAIR: ResponsePair, Subject.PROMPT: Prompt}
# In the order of the rows in `_rows_of`.
STORED_FIELDS = (
    *("stage", "response", "pair", "prompt", "rater", "round"),
    *("answers", "is_check", "assignment", "metadata", "created_at"),
)
# Stage, kind and id of what it is about, rater and round.
Place = tuple[int, str, int, int, int]


class Asking(NamedTuple):
    id: int
    subject: str
    parts: list[Asked]


class QuestionnaireGold(Importer):
    """Stores stages, responses, pairs, prompts and people's answers."""

    kind = "questionnaire-gold"
    name = gettext_lazy("Gold: answers to questionnaires")
    format = FORMAT
    fills = (*Items.fills, QuestionnaireAnswer)
    settings = (Stage,)
    batch_lines = 200

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.items = Items(project, problems, [field for field in ITEM_FIELDS if field not in ("question", "template")])
        self.items.renews = False
        self.texts = TextsOfGold(self.items)
        self.raters = PseudonymBook(project, problems)
        self.experts = Experts(self.raters)
        self.stages: dict[str, Asking] = {}
        self.pairs: dict[str, tuple[str, ...]] = {}

    def areas(self) -> list[str]:
        return ["questionnaires"]

    def store(self, batch: Sequence[Record]) -> None:
        for record in batch:
            if record.fields["kind"] == "stage":
                self._store_stage(record)
        items = [record for record in batch if record.fields["kind"] != "stage" and self._is_asked(record)]
        self._store_texts(items)
        if self.problems.total or not items:
            return  # nothing will be stored, so the rest need not be tried
        self._store_answers(items)

    # --- Stages ---

    def _store_stage(self, record: Record) -> None:
        name, work, show, ask = (record.fields[field] for field in ("id", "work", "show", "ask"))
        stage = Stage.objects.filter(project=self.project, name=name).first()
        if stage is None:
            stage = self._new_stage(record)
        elif (stage.kind, stage.show, plain_parts(stage.ask)) != (work, show, plain_parts(ask)):
            message = _("The project has a stage of this name that shows or asks something else.")
            self.problems.say(record.line, "stage_differs", message, "id")
        if stage is not None:
            self.stages[name] = Asking(stage.pk, subject_of(show), asked_of(ask))

    def _new_stage(self, record: Record) -> Stage | None:
        name, work, show, ask = (record.fields[field] for field in ("id", "work", "show", "ask"))
        kind = task_types().get(work)
        if kind is None or not kind.takes_layout:
            message = _("One of these is expected: %(values)s.")
            known = [key for key, each in task_types().items() if each.takes_layout]
            self.problems.say(record.line, "not_a_choice", message % {"values": ", ".join(known)}, "work")
            return None
        found = ProblemLog()
        refuse_together(show, ask, "", found, kind.has_marks)
        for problem in found.shown:
            self.problems.say(record.line, problem.code, problem.message, problem.field)
        if found.total:
            return None
        stage = Stage.objects.create(project=self.project, kind=work, name=name, is_open=False)
        change_layout(stage, show, ask, None)
        self.counts["stages"] += 1
        return stage

    def _is_asked(self, record: Record) -> bool:
        """True where the file said before what the stage asks, about such an item."""
        asking = self.stages.get(record.fields["stage"])
        if asking is None:
            message = _("No line before this one says what this stage asks.")
            self.problems.say(record.line, "unknown_stage", message, "stage")
        elif asking.subject != record.fields["kind"]:
            message = _("One of these is expected: %(values)s.")
            self.problems.say(record.line, "not_a_choice", message % {"values": asking.subject}, "kind")
            return False
        return asking is not None

    # --- Texts ---

    def _store_texts(self, batch: Sequence[Record]) -> None:
        pairs, alone = [], []
        for record in batch:
            if not self._has_its_responses(record):
                continue
            if record.fields["kind"] == Subject.PAIR:
                pairs += self._pair(record)
            elif not record.fields["responses"]:
                alone.append(Record(record.line, {**prompt_of(record), "variety": record.fields["prompt_variety"]}))
        self.texts.store([(record.line, items_of(record)) for record in batch], pairs)
        self.items.prompts.prompts_of([record for record in alone if self.items.prompts.is_known(record)])
        self.counts |= self.items.counts

    def _has_its_responses(self, record: Record) -> bool:
        """A response shows itself, a pair two; and the line is about the prompt that it names."""
        fields = record.fields
        sides = [side["id"] for side in fields["responses"]]
        expected = {Subject.RESPONSE: 1, Subject.PAIR: 2}.get(fields["kind"])
        is_itself = fields["kind"] != Subject.RESPONSE or sides == [fields["id"]]
        if len(set(sides)) < len(sides) or expected not in (None, len(sides)) or not is_itself:
            message = _("These are not the responses that the item shows.")
            self.problems.say(record.line, "responses_differ", message, "responses")
        elif not _is_of_its_prompt(fields):
            message = _("The prompt “%(id)s” stands with another value here than before.")
            self.problems.say(record.line, "prompt_differs", message % {"id": fields["prompt_id"]}, "prompt_id")
        else:
            return True
        return False

    def _pair(self, record: Record) -> list[Record]:
        """The pair as a line of an items file, at its first line; a later one names the same two."""
        key, sides = record.fields["id"], tuple(side["id"] for side in record.fields["responses"])
        before = self.pairs.setdefault(key, sides)
        if before is sides:
            return [Record(record.line, {"kind": "pair", "id": key, **dict(zip(SIDES, sides, strict=True))})]
        if before != sides:
            message = _("These are not the responses that the item shows.")
            self.problems.say(record.line, "responses_differ", message, "responses")
        return []

    # --- Answers ---

    def _store_answers(self, batch: Sequence[Record]) -> None:
        about = {subject: self._ids(subject, batch) for subject in SUBJECTS}
        taken = self._given(about[Subject.PROMPT].values())
        rows: list[tuple] = []
        for record in batch:
            asking = self.stages[record.fields["stage"]]
            rows += self._rows_of(record, asking, about[asking.subject][record.fields["id"]], taken)
        if not self.problems.total:
            insert_rows(QuestionnaireAnswer, STORED_FIELDS, rows)
        self.counts["answers"] += len(rows)
        self.counts["new raters"] = self.raters.created

    def _ids(self, subject: str, batch: Sequence[Record]) -> dict[str, int]:
        """Of what the lines are about, by key; all of it is in the project by now."""
        keys = {record.fields["id"] for record in batch if record.fields["kind"] == subject}
        return dict(ABOUT[subject].objects.filter(project=self.project, key__in=keys).values_list("key", "pk"))

    def _given(self, prompts: Any) -> set[Place]:
        """What was answered about these prompts before: other than responses they may have been there."""
        rows = QuestionnaireAnswer.objects.filter(stage__project=self.project, prompt__in=Among(prompts))
        found = rows.values_list("stage", "prompt", "rater", "round")
        return {(stage, str(Subject.PROMPT), prompt, rater, turn) for stage, prompt, rater, turn in found}

    def _rows_of(self, record: Record, asking: Asking, about: int, taken: set[Place]) -> list[tuple]:
        names = [side["id"] for side in record.fields["responses"]]
        rows: list[tuple] = []
        latest: dict[int, tuple[int, dict[str, Any], bool]] = {}
        for index, answer in enumerate(record.fields["answers"]):
            place = f"answers[{index}]."
            rater = self.raters.person(answer["rater"], record.line, f"{place}rater")
            if rater is None or not self.experts.are_as_before(record.line, answer, rater, place):
                continue
            answers = self._answers(record.line, answer, asking, names, place)
            turn = answer.get("round") or 1
            at = (asking.id, asking.subject, about, rater.pk, turn)
            if at in taken:
                message = _("The rater's answer on this item in this round is already in the project.")
                self.problems.say(record.line, "already_there", message, f"{place}rater")
            taken.add(at)
            ids = (about if asking.subject == subject else None for subject in SUBJECTS)
            moment = moment_of(answer["answered_at"])
            rows.append((asking.id, *ids, rater.pk, turn, as_json(answers), False, None, "{}", moment))
            if rater.pk not in latest or latest[rater.pk][0] < turn:
                latest[rater.pk] = (turn, answers, bool(rater.is_expert))
        given = [(answers, is_expert) for _turn, answers, is_expert in latest.values()]
        if gold_entries(asking.parts, given, names) != _gold_said(record, asking.parts):
            message = _("The answers of this line make another gold than it says.")
            self.problems.say(record.line, "gold_differs", message, "gold")
        return rows

    def _answers(
        self, line: int, answer: Mapping[str, Any], asking: Asking, names: Sequence[str], place: str
    ) -> dict[str, Any]:
        try:
            read: dict[str, Any] = read_draft({"answers": answer["answers"]}, asking.parts, names)["answers"]
        except Invalid as refused:
            for problem in refused.problems:
                field = f"{place}answers.{problem.span or ''}".rstrip(".")
                self.problems.say(line, problem.code, problem.message, field)
            return {}
        return read


def _gold_said(record: Record, parts: Sequence[Asked]) -> list[Mapping[str, Any]]:
    """Without what files of before have of any of several, of which one must be chosen: that it is none."""
    required = {part.key for part in parts if part.type == Type.CHOICES and not part.is_optional}
    return [each for each in record.fields["gold"] if each["value"] != [] or each["part"] not in required]


def _is_of_its_prompt(fields: Mapping[str, Any]) -> bool:
    """What is about a prompt is about that one, and the messages of a conversation are its text."""
    messages = fields.get("messages")
    is_itself = fields["kind"] != Subject.PROMPT or fields["id"] == fields["prompt_id"]
    return is_itself and (not isinstance(messages, list) or as_text(messages) == fields["prompt"])


def prompt_of(record: Record) -> dict[str, Any]:
    """What the line says of its prompt, as a line of an items file; what is empty is left out."""
    said = {field: value for field in PROMPT_OF_ITEM if (value := record.fields.get(field))}
    return {**said, "prompt": record.fields.get("messages") or record.fields["prompt"]}


def items_of(record: Record) -> dict[str, dict]:
    """The line's responses as lines of an items file."""
    return {
        side["id"]: {
            **prompt_of(record),
            **{field: side[field] for field in SIDE_OF_ITEM if side.get(field) not in (None, "")},
        }
        for side in record.fields["responses"]
    }
