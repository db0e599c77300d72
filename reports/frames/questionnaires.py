"""The frame of questionnaires: every answer to every part of what a stage asks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from django.db.models import Exists, Func, IntegerField, OuterRef, Q, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.gold import as_numbers
from annotation.questionnaires.own import about_own_laboratory
from benchmark.held_back import canary_of
from formats.layout import Asked, Subject, asked_of
from projects.among import Among
from projects.models import Project
from reports.dashboard.first_answers import kept_first
from reports.frames.columns import (
    HELD_BACK,
    IS_COUNTED,
    IS_FIRST,
    NUMBER,
    OWN_LABORATORY,
    RATER,
    ROUND,
    TEXT,
    TIME,
    WORKED,
    Column,
)
from reports.frames.frame import Columns, Frame, Row, by_column
from reports.frames.rating import IS_CHECK
from reports.frames.reading import Reading, held_back_cells
from reports.questionnaires.at_first import KINDS, answers_at_first
from workflow.layouts import stages_with_parts

ABOUT = (
    Column("prompt_key", TEXT, "key of the prompt"),
    Column("variety", TEXT, "tag of the language variety (BCP 47) of what was judged"),
    Column("response_key", TEXT, "key of the response; missing where it is about a pair or a prompt"),
    Column("pair_key", TEXT, "key of the pair, where it is about one"),
    *HELD_BACK,
)
QUESTIONNAIRES = (
    *ABOUT,
    *RATER,
    Column("stage", TEXT, "name of the stage"),
    ROUND,
    Column("question", TEXT, "key of the part that was answered"),
    Column("value", TEXT, "the answer: its words; of any of several a JSON list, of a ranking a JSON object of ranks"),
    Column("number", NUMBER, "the grade or number; missing of all other answers"),
    *WORKED,
    IS_CHECK,
    IS_COUNTED,
    IS_FIRST,
    OWN_LABORATORY,
    Column("created_at", TIME, "when it was stored"),
)
FIELDS = (
    *("id", "of_prompt", "of_variety", "response__key", "pair__key", "canary", "rater_id", "stage__name"),
    *("round", "answers", "assignment_id", "assignment__active_seconds", "is_check", "created_at"),
    *("stage_id", "about", "is_latest"),
)


class Keys(Func):
    """How many keys a JSON object has."""

    output_field = IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return super().as_sql(compiler, connection, template="(SELECT COUNT(*) FROM json_each(%(expressions)s))")

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        of = "(SELECT COUNT(*) FROM jsonb_object_keys(%(expressions)s))"
        return super().as_sql(compiler, connection, template=of)


class Given(NamedTuple):
    """A row of the table, in the order of FIELDS, with the prompt's key and the variety's tag."""

    id: int
    prompt: str
    variety: str
    response: str | None
    pair: str | None
    canary: Any
    rater: int
    stage: str
    round: int
    answers: dict[str, Any]
    assignment: int | None
    seconds: int | None
    is_check: bool
    created_at: Any
    of_stage: int
    about: int
    is_latest: bool


def answers(reading: Reading, after: int, size: int) -> list[Given]:
    """The next answers in the order of their ids."""
    rows = QuestionnaireAnswer.objects.filter(stage__project=reading.project, id__gt=after).annotate(
        of_prompt=Coalesce("prompt__key", "response__prompt__key", "pair__prompt__key"),
        of_variety=Coalesce("response__variety__tag", "pair__variety__tag", "prompt__variety__tag"),
        about=Coalesce("prompt", "response__prompt", "pair__prompt"),
    )
    rows = rows.annotate(canary=canary_of("about"), is_latest=~later_rounds())
    return [Given._make(row) for row in rows.order_by("id").values_list(*FIELDS)[:size]]


def later_rounds() -> Q:
    """Whether the rater has answered the same again: looked for where it is stored, for it may be of another batch."""
    again = QuestionnaireAnswer.objects.filter(
        stage=OuterRef("stage"), rater=OuterRef("rater"), round__gt=OuterRef("round"), is_check=False
    )
    found = Q()
    for subject in Subject.values:
        found |= Q(Exists(again.filter(**{subject: OuterRef(subject)})))
    return found


def questionnaire_rows(reading: Reading, batch: Sequence[Given]) -> Columns:
    """Those first handed in stand behind those of the answer that replaced them."""
    asked = {stage.pk: {part.key: part for part in asked_of(stage.ask)} for stage in stages_with_parts(reading.project)}
    own = about_own(reading, batch)
    first = first_of(reading, batch)
    made: list[Row] = []
    for one in batch:
        parts = asked.get(one.of_stage, {})
        stands = one.is_latest and not one.is_check and one.id not in own and reading.is_shown(one.rater, one.about)
        of_first = first.get(one.assignment or 0)
        about = (one.prompt, one.variety, one.response or "", one.pair or "", *held_back_cells(one.canary))
        for key, value in one.answers.items():
            is_counted = stands and says(parts.get(key), value)
            is_first = is_counted and of_first is None
            made.append(cells(reading, about, one, key, value, is_counted, is_first, one.id in own))
        if of_first is not None:
            before = one._replace(answers=of_first.answers, seconds=None, created_at=of_first.at)
            for key, value in before.answers.items():
                is_first = stands and says(parts.get(key), value)
                made.append(cells(reading, about, before, key, value, False, is_first, False))
    return by_column(made)


def cells(
    reading: Reading, about: Row, one: Given, key: str, value: Any, is_counted: bool, is_first: bool, is_own: bool
) -> Row:
    return (
        about,
        reading.raters[one.rater].cells,
        one.stage,
        one.round,
        key,
        value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode(),
        float(value) if type(value) in (int, float) else None,
        *reading.worked(one.assignment, one.seconds, one.created_at),
        one.is_check,
        is_counted,
        is_first,
        is_own,
        one.created_at,
    )


def says(part: Asked | None, value: Any) -> bool:
    """Whether it is an answer to the part as it is asked now: all else was given before the part was changed."""
    ranked = value if isinstance(value, Mapping) else ()
    return part is not None and any(True for _value in as_numbers(part, value, ranked))


def about_own(reading: Reading, batch: Sequence[Given]) -> set[int]:
    """Ids of what judges said of models of their own laboratory. No statement where no judge answered."""
    judges = {one.rater for one in batch if not reading.raters[one.rater].is_human}
    if not judges:
        return set()
    rows = about_own_laboratory(reading.project, judges).filter(id__gte=batch[0].id, id__lte=batch[-1].id)
    return set(rows.values_list("id", flat=True))


class FirstGiven(NamedTuple):
    answers: dict[str, Any]
    at: Any


def first_of(reading: Reading, batch: Sequence[Given]) -> dict[int, FirstGiven]:
    """By id of the turn what was first handed in. No statement where none was amended."""
    turns = reading.amended & {one.assignment for one in batch if one.assignment is not None}
    if not turns:
        return {}
    of_turns = {"pk__in": Among(turns)}
    at = dict(kept_first(reading.project, KINDS, **of_turns).values_list("assignment_id", "submitted_at"))
    given = answers_at_first(reading.project, **of_turns)
    return {turn: FirstGiven(answers, at[turn]) for turn, answers in given.items() if turn in at}


def answers_of(project: Project) -> int:
    return QuestionnaireAnswer.objects.filter(stage__project=project).count()


def number_of_answers(project: Project) -> int:
    """Each answer has as many rows as parts were answered, and as many as were at first. Two statements; those that
    stand are counted where they lie."""
    rows = QuestionnaireAnswer.objects.filter(stage__project=project).order_by()
    first = kept_first(project, KINDS, questionnaire_answers__isnull=False).values_list("body__answers", flat=True)
    return (rows.aggregate(n=Sum(Keys("answers")))["n"] or 0) + sum(len(given or ()) for given in first.iterator())


questionnaires = Frame(
    "questionnaires",
    _("Every answer to every part of a questionnaire."),
    QUESTIONNAIRES,
    questionnaire_rows,
    number_of_answers,
    answers,
    answers_of,
    {0: len(ABOUT), 1: len(RATER)},
)
