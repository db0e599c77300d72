"""The part of the project file about who is given work: quizzes with their questions, and how stages are checked."""

from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.kinds import FLAG, MAPPING, name, one_of, short_text, text, whole
from formats.project_file.part import LIST, RECORD, Findings, Part
from formats.project_file.rows import Settings
from formats.records import Entries
from projects.models import Project
from screening.checks.kinds import checked_kinds
from screening.models import CheckSettings, Interview, Quiz, QuizQuestion
from screening.models.checks import MAX_SHARE
from screening.models.quizzes import MAX_STEP, QuestionKind
from screening.quiz import editing
from screening.quiz.kinds import QuestionForm, question_kind, question_kinds
from workflow.models import Stage

MAX_QUIZZES = 100
MAX_QUESTIONS = 100
MAX_TEXT = 20_000

Percent = Annotated[int, whole(1, 100)]
Words = Annotated[str, short_text(MAX_TEXT)]


class QuizQuestionRecord(TypedDict):
    kind: Annotated[str, one_of(QuestionKind.values)]
    text: Annotated[str, text(MAX_TEXT), "Markdown"]
    asks: NotRequired[
        Annotated[dict[str, Any] | None, MAPPING, "What is right, by the fields of the page: right, wrong, sample ..."]
    ]
    explanation: NotRequired[Annotated[Words | None, "Markdown, shown after the attempt"]]


class QuizRecord(TypedDict):
    """What must be passed before a stage's work is handed out."""

    stage: Annotated[str, name(80), "Name of the stage"]
    language: NotRequired[Annotated[str | None, name(8), "Left out: of all languages without a quiz of their own"]]
    step: NotRequired[Annotated[int | None, whole(1, MAX_STEP), "Steps are passed one after the other; left out: 1"]]
    pass_mark: NotRequired[Percent | None]
    attempts: NotRequired[Percent | None]
    tolerance: NotRequired[Annotated[int | None, whole(0, 200)]]
    span_f1: NotRequired[Percent | None]
    verdict_share: NotRequired[Percent | None]
    introduction: NotRequired[Words | None]
    retraining: NotRequired[Words | None]
    open: NotRequired[Annotated[bool | None, FLAG]]
    questions: NotRequired[Annotated[list[QuizQuestionRecord] | None, LIST, Entries(most=MAX_QUESTIONS)]]


class ChecksRecord(TypedDict):
    """How a stage checks its raters by items with a known answer."""

    stage: Annotated[str, name(80), "Name of the stage"]
    share: NotRequired[Annotated[int | None, whole(0, MAX_SHARE), "Checks among the items handed out, in percent"]]
    window: NotRequired[Annotated[int | None, whole(1, 1000), "Latest checks that count"]]
    least: NotRequired[Annotated[int | None, whole(1, 1000), "Checks before anybody is paused"]]
    mark: NotRequired[Annotated[int | None, whole(1, 100), "Paused below this accuracy, in percent"]]
    tolerance: NotRequired[Annotated[int | None, whole(0, 200)]]
    span_f1: NotRequired[Percent | None]
    verdict_share: NotRequired[Percent | None]
    retraining: NotRequired[Words | None]


class InterviewRecord(TypedDict):
    """An interview that must be passed before a stage's work is handed out."""

    stage: Annotated[str, name(80), "Name of the stage"]
    language: NotRequired[
        Annotated[str | None, name(8), "Left out: of all languages without an interview of their own"]
    ]
    step: NotRequired[Annotated[int | None, whole(1, MAX_STEP), "Among the quizzes of the stage; left out: 1"]]
    open: NotRequired[Annotated[bool | None, FLAG, "It must be passed; left out: true"]]


class ScreeningRecord(TypedDict):
    quizzes: NotRequired[Annotated[list[QuizRecord] | None, LIST, Entries(most=MAX_QUIZZES)]]
    interviews: NotRequired[Annotated[list[InterviewRecord] | None, LIST, Entries(most=MAX_QUIZZES)]]
    checks: NotRequired[Annotated[list[ChecksRecord] | None, LIST, Entries(most=MAX_QUIZZES, unique="stage")]]


QUIZ = Settings(
    Quiz,
    {
        "pass_mark": "pass_mark",
        "attempts": "attempts_allowed",
        **{name: name for name in ("tolerance", "span_f1", "verdict_share", "introduction", "retraining")},
    },
)
CHECKS = Settings(
    CheckSettings,
    {
        name: name
        for name in ("share", "window", "least", "mark", "tolerance", "span_f1", "verdict_share", "retraining")
    },
)


class ScreeningPart(Part):
    """A quiz that people attempted stays; closed, it keeps nobody out. A sample that the project has not yet is left
    out with a note: bring in the texts, then the file once more."""

    key = "screening"
    record = Annotated[ScreeningRecord, RECORD]
    position = 80

    def read(self, project: Project) -> dict[str, Any]:
        quizzes = (
            Quiz.objects.filter(stage__project=project)
            .select_related("stage")
            .order_by("stage__position", "stage__pk", "language", "step")
        )
        questions: dict[int, list[dict[str, Any]]] = {}
        asked = QuizQuestion.objects.filter(quiz__stage__project=project).order_by("position", "pk")
        types = dict(project.question_types.values_list("pk", "slug"))
        for question in asked.select_related("quiz", "pair", "response", "question_type"):
            questions.setdefault(question.quiz_id, []).append(asked_entry(project, question, types))
        checks = CheckSettings.objects.filter(stage__project=project).select_related("stage")
        interviews = Interview.objects.filter(stage__project=project).select_related("stage")
        said = {
            "quizzes": [quiz_entry(quiz, questions.get(quiz.pk, [])) for quiz in quizzes],
            "interviews": [
                interview_entry(row) for row in interviews.order_by("stage__position", "stage__pk", "language", "step")
            ],
            "checks": [
                {"stage": row.stage.name, **CHECKS.entry(row)}
                for row in checks.order_by("stage__position", "stage__pk")
            ],
        }
        return {key: listed for key, listed in said.items() if listed}

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        stages = {stage.name: stage for stage in project.stages.all()}
        self._write_quizzes(project, value.get("quizzes") or [], stages, findings)
        self._write_interviews(value.get("interviews") or [], stages, findings)
        self._write_checks(project, value.get("checks") or [], stages, findings)

    def _write_quizzes(
        self, project: Project, entries: list[dict[str, Any]], stages: dict[str, Stage], findings: Findings
    ) -> None:
        quizzes = Quiz.objects.filter(stage__in=list(stages.values())).select_related("stage__project")
        there = {(quiz.stage.name, quiz.language, quiz.step): quiz for quiz in quizzes}
        seen = set()
        for index, entry in enumerate(entries):
            place, key = f"screening.quizzes[{index}]", place_of(entry)
            if key in seen:
                message = _("This stage has a quiz for this language already.")
                findings.refuse(f"{place}.language", "duplicate_id", message)
            elif stage := _stage(stages, entry["stage"], f"{place}.stage", findings):
                seen.add(key)
                quiz = there.pop(key, None) or Quiz(stage=stage, language=key[1], step=key[2])
                write_quiz(project, quiz, entry, place, findings)
        for (stage_name, *_place), quiz in there.items():
            if quiz.attempts.exists():
                message = _("The quiz of “%(name)s” was attempted, so it stays. Keep it here, and say “open: false”.")
                findings.refuse("screening", "in_use", message % {"name": stage_name})
            else:
                quiz.delete()

    def _write_interviews(self, entries: list[dict[str, Any]], stages: dict[str, Stage], findings: Findings) -> None:
        """One with results stays; closed, it keeps nobody out."""
        rows = Interview.objects.filter(stage__in=list(stages.values())).select_related("stage")
        there = {(row.stage.name, row.language, row.step): row for row in rows}
        for index, entry in enumerate(entries):
            place, key = f"screening.interviews[{index}]", place_of(entry)
            if key in {place_of(earlier) for earlier in entries[:index]}:
                message = _("This stage has an interview for this language and step already.")
                findings.refuse(f"{place}.step", "duplicate_id", message)
            elif stage := _stage(stages, entry["stage"], f"{place}.stage", findings):
                row = there.pop(key, None) or Interview(stage=stage, language=key[1], step=key[2])
                is_open = entry.get("open") is not False
                if row._state.adding or row.is_open != is_open:
                    row.is_open = is_open
                    row.save()
        for row in there.values():
            if row.results.exists():
                message = _("An interview of “%(name)s” has results, so it stays. Keep it here, and say “open: false”.")
                findings.refuse("screening", "in_use", message % {"name": row.stage.name})
            else:
                row.delete()

    def _write_checks(
        self, project: Project, entries: list[dict[str, Any]], stages: dict[str, Stage], findings: Findings
    ) -> None:
        there = {row.stage_id: row for row in CheckSettings.objects.filter(stage__in=list(stages.values()))}
        for index, entry in enumerate(entries):
            place = f"screening.checks[{index}]"
            stage = _stage(stages, entry["stage"], f"{place}.stage", findings)
            if stage is None:
                continue
            row = there.pop(stage.pk, None) or CheckSettings(stage=stage)
            CHECKS.set_on(row, entry)
            if stage.kind not in checked_kinds():
                message = _("Work of this kind has no checks.")
                findings.refuse(f"{place}.stage", "no_checks", message)
            elif row.least > row.window:
                message = _("No more than the latest checks that count: %(n)d.") % {"n": row.window}
                findings.refuse(f"{place}.least", "out_of_range", message)
            else:
                row.save()
        CheckSettings.objects.filter(stage__in=list(there)).delete()


def place_of(entry: dict[str, Any]) -> tuple[str, str, int]:
    """The stage, the language and the step of a quiz, of which a project has one each."""
    return entry["stage"], entry.get("language") or "", entry.get("step") or 1


def _stage(stages: dict[str, Stage], wanted: str, place: str, findings: Findings) -> Stage | None:
    if wanted not in stages:
        message = _("The project has no stage “%(name)s”.") % {"name": wanted}
        findings.refuse(place, "unknown", message)
    return stages.get(wanted)


def interview_entry(row: Interview) -> dict[str, Any]:
    said = {"stage": row.stage.name, "language": row.language, "step": row.step, "open": row.is_open}
    unsaid = {"language": "", "step": 1, "open": True}
    return {key: given for key, given in said.items() if key not in unsaid or given != unsaid[key]}


def quiz_entry(quiz: Quiz, questions: list[dict[str, Any]]) -> dict[str, Any]:
    said = {"stage": quiz.stage.name, "language": quiz.language, "step": quiz.step, **QUIZ.entry(quiz)}
    said |= {"open": quiz.is_open}
    unsaid = {"language": "", "step": 1, "open": False}
    said = {key: given for key, given in said.items() if key not in unsaid or given != unsaid[key]}
    return {**said, "questions": questions} if questions else said


def _form(project: Project, question: QuizQuestion, data: dict[str, Any] | None = None) -> QuestionForm:
    return question_kind(question.kind).form(data, instance=question, project=project)


def _own_fields(form: QuestionForm) -> list[str]:
    return [field for field in form.fields if field not in ("text", "explanation")]


def asked_entry(project: Project, question: QuizQuestion, types: dict[int, str]) -> dict[str, Any]:
    """A question as the page would show it in its form."""
    form = _form(project, question)
    asks = {field: form.initial.get(field) for field in _own_fields(form)}
    if "question_type" in asks:
        asks["question_type"] = types.get(question.question_type_id or 0)
    asks = {field: given for field, given in asks.items() if given not in (None, "", False)}
    said = {"kind": question.kind, "text": question.text, "asks": asks, "explanation": question.explanation}
    return {key: given for key, given in said.items() if given not in ("", {})}


def write_quiz(project: Project, quiz: Quiz, entry: dict[str, Any], place: str, findings: Findings) -> None:
    changed = QUIZ.set_on(quiz, entry)
    if quiz._state.adding:
        editing.create(quiz, findings.actor)
    else:
        editing.change(quiz, changed, findings.actor)
    before = findings.total
    count = _write_questions(project, quiz, entry.get("questions") or [], place, findings)
    is_open = bool(entry.get("open"))
    if is_open and not count and findings.total == before:
        findings.refuse(f"{place}.open", "nothing", _("A quiz without questions cannot be opened. Add one first."))
    elif is_open != quiz.is_open and findings.total == before:
        editing.set_open(quiz, is_open, findings.actor)


def _write_questions(
    project: Project, quiz: Quiz, entries: list[dict[str, Any]], place: str, findings: Findings
) -> int:
    """Save those that are new or changed, delete those that are gone; a question is known by its text. Returns how many
    it has then."""
    types = dict(project.question_types.values_list("pk", "slug"))
    there: dict[str, list[QuizQuestion]] = {}
    for question in quiz.questions.select_related("quiz", "pair", "response", "question_type"):
        there.setdefault(question.text, []).append(question)
    order = []
    for index, entry in enumerate(entries):
        at = f"{place}.questions[{index}]"
        known = there.get(entry["text"])
        question = known.pop(0) if known else QuizQuestion(quiz=quiz, kind=entry["kind"])
        if question.pk and asked_entry(project, question, types) == _said(entry):
            order.append(question)
        elif saved := _saved(project, question, entry, types, at, findings):
            order.append(saved)
    for question in (question for rest in there.values() for question in rest):
        if order:
            editing.delete_question(question, findings.actor)
        else:
            question.delete()
    moved = [question for position, question in enumerate(order, start=1) if question.position != position]
    for position, question in enumerate(order, start=1):
        question.position = position
    QuizQuestion.objects.bulk_update(moved, ["position"])
    return len(order)


def _said(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: given for key, given in entry.items() if given not in (None, "", {})}


def _saved(
    project: Project,
    question: QuizQuestion,
    entry: dict[str, Any],
    types: dict[int, str],
    place: str,
    findings: Findings,
) -> QuizQuestion | None:
    """The question as its form reads it, stored; None where it is refused, or its sample is not there yet."""
    question.kind = entry["kind"]
    if question.kind not in question_kinds():
        return None
    asks = dict(entry.get("asks") or {})
    if slug := asks.get("question_type"):
        by_slug = {each: pk for pk, each in types.items()}
        asks["question_type"] = by_slug.get(str(slug))
    form = _form(project, question, {"text": entry["text"], "explanation": entry.get("explanation") or "", **asks})
    for field in asks:
        if field not in _own_fields(form):
            findings.refuse(f"{place}.asks.{field}", "unknown_field", _("There is no such field."))
    if form.is_valid():
        saved = form.save(commit=False)
        editing.save_question(saved, findings.actor)
        return saved
    if "sample" in form.errors and asks.get("sample"):
        message = _("The project has no text “%(key)s” yet, so this question was left out.")
        findings.note(place, message % {"key": asks["sample"]})
        return None
    for field, errors in form.errors.items():
        at = f"{place}.{field}" if field in ("text", "explanation") else f"{place}.asks.{field}"
        findings.refuse(at, "invalid", " ".join(map(str, errors)))
    return None


PARTS = (ScreeningPart(),)
