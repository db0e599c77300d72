"""The parts of the project file about work: stages, each with its survey, and how working time is counted."""

from collections.abc import Collection
from typing import Annotated, Any, NotRequired, TypedDict

from django.conf import settings
from django.utils.translation import gettext as _

from formats.answer_rules import MAX_RULES, RuleRecord, plain_rules, waiting_in_a_circle
from formats.kinds import FLAG, LOCAL_MINUTE, local_minute, name, number_within, one_of, slug, text, whole
from formats.layout import MAX_ASKED, SHOWN, AskRecord, plain_parts
from formats.project_file.part import ALWAYS, LIST, RECORD, Findings, Part, Slug, texts, with_defaults
from formats.project_file.rows import Rows, Settings
from formats.records import Entries
from projects.models import Project
from projects.problems import Invalid
from workflow.answer_rules import change_rules
from workflow.due_dates import as_said, set_due
from workflow.forms import KINDS, MAX_MINUTES, MAX_RATERS, MORE_THAN_OVERLAP, TIME_RULES, TimeRulesForm
from workflow.layouts import refuse_layouts, shown_by
from workflow.models import (
    CaseBook,
    FeedbackRules,
    Layout,
    Policy,
    Stage,
    StageRules,
    Survey,
    TimeRules,
    WorkItem,
    feedback_rules,
)
from workflow.models.time import MOST_ITEMS, MOST_MINUTES
from workflow.planning import change_overlap
from workflow.signals import stages_made
from workflow.task_types import task_type, task_types

MAX_STAGES = 100
DUE_FIELDS = {"due": "due", "zone": "due_zone", "closes": "closes_when_due"}
MAX_SURVEY_QUESTIONS = 12
MAX_RATE = 99_999_999.99  # as many digits as the table has


class SurveyQuestionRecord(TypedDict):
    key: Annotated[str, slug(40), "What its answers are kept by"]
    text: Annotated[str, text(300)]
    kind: Annotated[str, one_of([kind for kind, _label in KINDS])]
    choices: NotRequired[Annotated[list[str] | None, texts(50, 200)]]


class SurveyRecord(TypedDict):
    """A few questions to raters after every so many items."""

    items_between: NotRequired[Annotated[int | None, whole(1, 32_767)]]
    open: NotRequired[Annotated[bool | None, FLAG]]
    questions: Annotated[list[SurveyQuestionRecord], LIST, Entries(fewest=1, most=MAX_SURVEY_QUESTIONS, unique="key")]


class StageRecord(TypedDict):
    name: Annotated[str, name(80), "What people call it; a stage of another name is another stage"]
    kind: Annotated[str, name(20), "Of work: spans, reviews, ratings, pairs, authoring, scoring ..."]
    raters_per_item: NotRequired[Annotated[int | None, whole(1, MAX_RATERS)]]
    most_when_unsure: NotRequired[
        Annotated[int | None, whole(2, MAX_RATERS), "One rater more where somebody is unsure, up to so many an item"]
    ]
    minutes_held: NotRequired[
        Annotated[int | None, whole(1, MAX_MINUTES), "How long an item is held for one person after each save"]
    ]
    policy: NotRequired[Annotated[str | None, Policy, "Which marks of others count in the end"]]
    verdict_first: NotRequired[
        Annotated[bool | None, FLAG, "Of reviews: the explanation is shown after a first verdict, which is kept"]
    ]
    open: NotRequired[Annotated[bool | None, FLAG, "Items are handed out"]]
    due: NotRequired[Annotated[str | None, LOCAL_MINUTE, "Until when its work is to be done"]]
    due_zone: NotRequired[Annotated[str | None, name(64), "The time zone of that; UTC where none is said"]]
    closes_when_due: NotRequired[Annotated[bool | None, FLAG, "No items are handed out from then on"]]
    seed: NotRequired[Annotated[int | None, whole(0), "Of the order in which items are handed out"]]
    score: NotRequired[Annotated[Slug | None, "Question type on whose scale whoever marks a response scores all of it"]]
    layout: NotRequired[Annotated[str | None, Layout, "Where the prompt stands"]]
    show: NotRequired[Annotated[list[str] | None, SHOWN, "Of a questionnaire: the texts on its screen"]]
    ask: NotRequired[
        Annotated[list[AskRecord] | None, LIST, Entries(most=MAX_ASKED), "Of a questionnaire: what is asked, in order"]
    ]
    rules: NotRequired[
        Annotated[list[RuleRecord] | None, LIST, Entries(most=MAX_RULES), "What answers hold; left out, as its kind"]
    ]
    survey: NotRequired[Annotated[SurveyRecord | None, RECORD]]


def used_stages(ids: Collection[int]) -> set[int]:
    """Those with items, and those that people were screened for."""
    with_items = WorkItem.objects.filter(stage__in=ids).order_by().values_list("stage", flat=True).distinct()
    return {*with_items, *Stage.objects.filter(pk__in=ids, is_screened=True).values_list("pk", flat=True)}


STAGES = Rows(
    Stage,
    {
        "name": "name",
        "kind": "kind",
        "raters_per_item": "overlap",
        "most_when_unsure": "most_when_unsure",
        "minutes_held": "lease_minutes",
        "policy": "policy",
        "verdict_first": "verdict_first",
        "open": "is_open",
        "due": "due_at",
        "due_zone": "due_zone",
        "closes_when_due": "closes_when_due",
        "seed": "seed",
        "score": "scored_on_id",
        "layout": "layout",
        "show": "show",
        "ask": "ask",
    },
    {
        "name": ALWAYS,
        "kind": ALWAYS,
        "raters_per_item": 2,
        "most_when_unsure": None,
        "minutes_held": 120,
        "policy": Policy.UNANIMOUS.value,
        "verdict_first": False,
        "open": True,
        "due": None,
        "due_zone": "",
        "closes_when_due": False,
        "seed": 0,
        "score": None,
        "layout": Layout.ABOVE.value,
        "show": [],
        "ask": [],
    },
    key="name",
    fixed=("kind", "seed", "score"),
    used=used_stages,
)
SURVEY = Settings(Survey, {"items_between": "batch_size", "open": "is_open", "questions": "questions"})


class StagesPart(Part):
    """Stages that have items stay, with their kind, seed and score; all else of them can change at any time."""

    key = "stages"
    record = Annotated[list[StageRecord], LIST, Entries(most=MAX_STAGES, unique="name")]
    position = 40

    def read(self, project: Project) -> list[dict[str, Any]]:
        surveys = {survey.stage_id: survey for survey in Survey.objects.filter(stage__project=project)}
        rules = _rules_by_stage(project)
        listed = []
        for stage in project.stages.select_related("scored_on").order_by("position", "pk"):
            if stage.closes_when_due and stage.is_over:  # what the clock makes of it when it comes round
                stage.is_open = stage.closes_when_due = False
            entry = STAGES.entry(stage)
            if stage.scored_on is not None:
                entry["score"] = stage.scored_on.slug
            if stage.due_at is not None:
                said = as_said(stage)
                entry |= {"due": said["due"], "due_zone": said["zone"]}
            if stage.ask:
                entry["ask"] = plain_parts(stage.ask)
            if stage.pk in rules and rules[stage.pk] != plain_rules(task_type(stage.kind).default_rules or ()):
                # As they are read now: what is not asked any more nobody could bring in again.
                entry["rules"] = task_type(stage.kind).rules_now(stage, rules[stage.pk])
            if survey := surveys.get(stage.pk):
                entry["survey"] = {"questions": [], **SURVEY.entry(survey)}
                entry["survey"]["questions"] = [_asked(question) for question in survey.questions]
            listed.append(entry)
        return listed

    def write(self, project: Project, value: list[dict[str, Any]], findings: Findings) -> None:
        for index, entry in enumerate(value):
            if entry["kind"] not in task_types():
                message = _("One of these is expected: %(values)s.") % {"values": ", ".join(task_types())}
                findings.refuse(f"stages[{index}].kind", "not_a_choice", message)
            if (entry.get("most_when_unsure") or MAX_RATERS + 1) <= (entry.get("raters_per_item") or 2):
                findings.refuse(f"stages[{index}].most_when_unsure", "too_few", str(MORE_THAN_OVERLAP))
        if not findings.total:
            value = _with_dates(_with_questions(project, value, findings), findings)
            refuse_layouts(project, value, findings)
        if findings.total:
            return
        value = [_with_layout(entry) for entry in value]
        there = list(project.stages.all())
        surveys = {survey.stage_id: survey for survey in Survey.objects.filter(stage__in=there)}
        rules = _rules_by_stage(project)
        overlaps = {stage.name: stage.overlap for stage in there}
        closed = {stage.name for stage in there if not stage.is_open}
        stages, left_out = STAGES.write(project, there, value, "stages", findings)
        STAGES.remove(left_out, "stages", findings)
        if findings.are_any():
            return
        for entry in value:
            stage = stages[entry["name"]]
            if overlaps.get(stage.name, stage.overlap) != stage.overlap:
                change_overlap(stage, stage.overlap)
            if stage.name in closed and stage.is_open:
                task_type(stage.kind).plan(stage)  # kinds whose turns follow from other stages' answers
            default = task_type(stage.kind).default_rules
            wanted = plain_rules((default or ()) if entry.get("rules") is None else entry["rules"])
            if wanted != rules.get(stage.pk, plain_rules(default or ())):
                change_rules(stage, wanted, findings.actor)
            _write_survey(stage, surveys.get(stage.pk), entry.get("survey"))
        stages_made.send(StagesPart, project=project)

    def check(self, project: Project, value: list[dict[str, Any]], findings: Findings) -> None:
        refuse_rules(project, value, findings)


def _with_layout(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with all that its layout says, also what it leaves to be known."""
    if not entry.get("ask"):
        return entry
    show = shown_by(entry["kind"], entry.get("show"), entry["ask"])
    return {**entry, "show": show, "ask": plain_parts(entry["ask"])}


def _with_questions(project: Project, value: list[dict[str, Any]], findings: Findings) -> list[dict[str, Any]]:
    """The entries with the ids of the question types that they name."""
    if not any(entry.get("score") for entry in value):
        return value
    questions = {question.slug: question for question in project.question_types.all()}
    found = []
    for index, entry in enumerate(value):
        question = questions.get(entry.get("score") or "")
        if entry.get("score"):
            place = f"stages[{index}].score"
            if not task_type(entry["kind"]).takes_score:
                findings.refuse(place, "not_with_kind", _("Work of this kind takes no score."))
            elif question is None or not question.has_scale:
                message = _("The project has no question type “%(slug)s” with a scale.") % {"slug": entry["score"]}
                findings.refuse(place, "unknown", message)
        found.append({**entry, "score": question.pk if question is not None else None})
    return found


def _with_dates(value: list[dict[str, Any]], findings: Findings) -> list[dict[str, Any]]:
    """The entries with the moments that they name, in UTC."""
    found = []
    for index, entry in enumerate(value):
        due, zone = local_minute(entry.get("due")), entry.get("due_zone") or settings.TIME_ZONE
        closes = bool(entry.get("closes_when_due"))
        row = Stage(is_open=entry.get("open") is not False)
        try:
            set_due(row, due, zone, closes)
        except Invalid as refused:
            for problem in refused.problems:
                findings.refuse(f"stages[{index}].{DUE_FIELDS[problem.field]}", problem.code, problem.message)
        found.append({**entry, "due": row.due_at, "due_zone": row.due_zone, "closes_when_due": row.closes_when_due})
    return found


def _rules_by_stage(project: Project) -> dict[int, list[dict[str, Any]]]:
    """Of each stage with rules of its own, those that hold."""
    versions = StageRules.objects.filter(stage__project=project).order_by("number")
    return {version.stage_id: plain_rules(version.rules) for version in versions}


def refuse_rules(project: Project, value: list[dict[str, Any]], findings: Findings) -> None:
    """Rules that do not fit their kind of work, and those that name what the project does not have."""
    for index, entry in enumerate(value):
        rules, place = entry.get("rules") or (), f"stages[{index}].rules"
        if not rules:
            continue
        kind = task_type(entry["kind"])
        if kind.default_rules is None:
            findings.refuse(place, "not_with_kind", _("Answers of this kind of work are held to no rules."))
            continue
        words = kind.words_in_stage(project, entry["name"])
        for at, rule in enumerate(rules):
            for field, code, message in kind.rule_words.faults(rule, words):
                findings.refuse(f"{place}[{at}].{field}", code, message)
        for at in waiting_in_a_circle(rules):
            message = _("It is asked after a question that itself waits for it, so neither would ever be asked.")
            findings.refuse(f"{place}[{at}].after", "circular", message)


def _asked(question: dict[str, Any]) -> dict[str, Any]:
    """In the order of the file: a database may keep the keys of JSON in another one."""
    said = {name: question[name] for name in ("key", "text", "kind")}
    return {**said, "choices": question["choices"]} if question.get("choices") else said


def _write_survey(stage: Stage, survey: Survey | None, value: dict[str, Any] | None) -> None:
    if value is None:
        if survey is not None:
            survey.delete()
        return
    questions = [{"choices": [], **question} for question in value["questions"]]
    survey = survey or Survey(stage=stage)
    SURVEY.set_on(survey, {**value, "questions": questions})
    survey.save()


class WorkingTimeRecord(TypedDict):
    """How working time is counted, and what an hour is paid with."""

    idle_seconds: NotRequired[Annotated[int | None, whole(15, 600), "Pause after which time stops"]]
    most_minutes_per_item: NotRequired[Annotated[int | None, whole(1, 1440)]]
    quizzes: NotRequired[Annotated[bool | None, FLAG, "Quizzes count"]]
    guidelines: NotRequired[Annotated[bool | None, FLAG, "Reading the guidelines counts"]]
    begun: NotRequired[Annotated[bool | None, FLAG, "Items that were begun and given back count"]]
    hourly_rate: NotRequired[Annotated[float | None, number_within(0, MAX_RATE), "With two decimals at most"]]
    currency: NotRequired[Annotated[str | None, name(3), "Three letters, such as EGP"]]
    items_per_day: NotRequired[Annotated[int | None, whole(1, MOST_ITEMS), "The most that a person is handed in a day"]]
    minutes_per_day: NotRequired[Annotated[int | None, whole(1, MOST_MINUTES)]]


COUNTED = {"quizzes": "counts_quizzes", "guidelines": "counts_guidelines", "begun": "counts_begun"}
TIME = Settings(TimeRules, {name: name for name in TIME_RULES} | COUNTED)


class WorkingTimePart(Part):
    key = "working_time"
    record = Annotated[WorkingTimeRecord, RECORD]
    position = 45

    def read(self, project: Project) -> dict[str, Any]:
        said = TIME.entry(TimeRules.objects.filter(project=project).first() or TimeRules(project=project))
        return {**said, "hourly_rate": float(said["hourly_rate"])} if "hourly_rate" in said else said

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        row = TimeRules.objects.filter(project=project).first() or TimeRules(project=project)
        full = {**TIME.defaults, **with_defaults(value, {})}
        said = {TIME.columns[name]: each for name, each in full.items()}
        form = TimeRulesForm({**said, "leaves_out_begun": not full["begun"]}, instance=row)
        for field, errors in form.errors.items():
            findings.refuse(f"{self.key}.{field}", "invalid", " ".join(map(str, errors)))
        if form.is_valid() and form.has_changed():
            form.save()


class FeedbackRecord(TypedDict):
    """What people are told about their own answers."""

    outcomes: NotRequired[Annotated[bool | None, FLAG, "What became of their marks"]]
    words: NotRequired[Annotated[bool | None, FLAG, "With what reviewers wrote"]]
    checks: NotRequired[Annotated[bool | None, FLAG, "Checks are explained once they are over"]]
    case_book: NotRequired[
        Annotated[str | None, one_of(CaseBook.values), "When people may search settled cases of others"]
    ]
    notes: NotRequired[Annotated[bool | None, FLAG, "Leads read people's notes to themselves"]]


FEEDBACK = Settings(
    FeedbackRules,
    {
        "outcomes": "shows_outcomes",
        "words": "shows_words",
        "checks": "explains_checks",
        "case_book": "case_book",
        "notes": "shares_notes",
    },
)


class FeedbackPart(Part):
    key = "feedback"
    record = Annotated[FeedbackRecord, RECORD]
    position = 46

    def read(self, project: Project) -> dict[str, Any]:
        return FEEDBACK.entry(feedback_rules(project))

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        row = feedback_rules(project)
        if FEEDBACK.set_on(row, value):
            row.save()


PARTS = (StagesPart(), WorkingTimePart(), FeedbackPart())
