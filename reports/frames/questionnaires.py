"""The frame of questionnaires: every answer to every part of what a stage asks."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson
from django.db.models import Func, IntegerField, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from annotation.models import QuestionnaireAnswer
from benchmark.held_back import canary_of
from projects.models import Project
from reports.frames.columns import FLAG, HELD_BACK, NUMBER, RATER, ROUND, TEXT, TIME, WORKED, Column
from reports.frames.frame import Columns, Frame, Row, by_column
from reports.frames.reading import Reading, held_back_cells

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
    Column("is_check", FLAG, "an answer to a check: it says something of the rater and counts nowhere else"),
    Column("created_at", TIME, "when it was stored"),
)
FIELDS = (
    *("id", "of_prompt", "of_variety", "response__key", "pair__key", "canary", "rater_id", "stage__name"),
    *("round", "answers", "assignment_id", "assignment__active_seconds", "is_check", "created_at"),
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


def answers(reading: Reading, after: int, size: int) -> list[Given]:
    """The next answers in the order of their ids."""
    rows = QuestionnaireAnswer.objects.filter(stage__project=reading.project, id__gt=after).annotate(
        of_prompt=Coalesce("prompt__key", "response__prompt__key", "pair__prompt__key"),
        of_variety=Coalesce("response__variety__tag", "pair__variety__tag", "prompt__variety__tag"),
        about=Coalesce("prompt", "response__prompt", "pair__prompt"),
    )
    rows = rows.annotate(canary=canary_of("about"))
    return [Given._make(row) for row in rows.order_by("id").values_list(*FIELDS)[:size]]


def questionnaire_rows(reading: Reading, batch: Sequence[Given]) -> Columns:
    made: list[Row] = []
    for one in batch:
        about = (one.prompt, one.variety, one.response or "", one.pair or "", *held_back_cells(one.canary))
        worked = reading.worked(one.assignment, one.seconds, one.created_at)
        for key, value in one.answers.items():
            is_number = type(value) in (int, float)
            made.append(
                (
                    about,
                    reading.raters[one.rater].cells,
                    one.stage,
                    one.round,
                    key,
                    value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode(),
                    float(value) if is_number else None,
                    *worked,
                    one.is_check,
                    one.created_at,
                )
            )
    return by_column(made)


def answers_of(project: Project) -> int:
    return QuestionnaireAnswer.objects.filter(stage__project=project).count()


def number_of_answers(project: Project) -> int:
    """Each answer has as many rows as parts were answered. One statement, which counts where they lie."""
    rows = QuestionnaireAnswer.objects.filter(stage__project=project).order_by()
    return rows.aggregate(n=Sum(Keys("answers")))["n"] or 0


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
