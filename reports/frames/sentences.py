"""The frame of sentences: what judges that are asked sentence by sentence said of each."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from judging.kinds.sentences.kind import Sentences, bounds
from judging.models import ANSWERED, Call, CallState
from projects.models import Project
from reports.frames.columns import FLAG, IS_COUNTED, RATER, RESPONSE, ROUND, TEXT, TIME, WHOLE, Column, offsets
from reports.frames.frame import Columns, Frame, Row, by_column, responses_with_text
from reports.frames.reading import Reading, Text

SENTENCES = (
    *RESPONSE,
    *RATER,
    ROUND,
    Column("sentence", WHOLE, "number of the sentence in its response, from 0"),
    *offsets("the sentence"),
    Column("is_error", FLAG, "the judge called it erroneous; missing where there is no answer"),
    Column("category", TEXT, "slug of the category that the judge named, where it was asked for one"),
    Column("reason", TEXT, "why, in the judge's words"),
    Column("state", TEXT, "what became of the call, as in the frame of calls"),
    IS_COUNTED,
    Column("ended_at", TIME, "when it ended; missing where it is still to be asked"),
)
FIELDS = ("id", "response_id", "judge__rater_id", "round", "unit", "state", "parsed", "ended_at")


def calls_of(project: Project) -> QuerySet[Call]:
    """A cancelled call was never asked."""
    calls = Call.objects.filter(run__project=project, response__project=project, judge__kind=Sentences.kind)
    return calls.exclude(state=CallState.CANCELLED)


def sentence_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    texts = {text.id: text for text in batch}
    rows = calls_of(reading.project).filter(**reading.within("response", batch)).order_by("response_id", "id")
    asked = [row for row in rows.values_list(*FIELDS) if row[1] in texts]
    last = last_of_each(asked)
    made: list[Row] = []
    for pk, response, rater, turn, sentence, state, parsed, at in asked:
        text = texts[response]
        said = parsed if state in ANSWERED and isinstance(parsed, dict) else {}
        is_counted = bool(said) and pk in last and reading.is_shown(rater, text.prompt, text.model)
        answer = (said.get("is_error"), said.get("category", ""), said.get("reason", ""))
        cells = (turn, sentence, *place_of(text, sentence), *answer, str(state), is_counted, at)
        made.append((text.cells, reading.raters[rater].cells, *cells))
    return by_column(made)


def last_of_each(asked: Sequence[tuple[Any, ...]]) -> set[int]:
    """Ids of the calls that figures take: of a judge and response those of its latest round, of a sentence the latest.

    A prompt that changed meanwhile asks about a sentence anew."""
    latest: dict[tuple[int, int], int] = defaultdict(int)
    for _pk, response, rater, turn, *_rest in asked:
        latest[response, rater] = max(latest[response, rater], turn)
    found = {}
    for pk, response, rater, turn, sentence, *_rest in asked:
        if turn == latest[response, rater]:
            found[response, rater, sentence] = pk
    return set(found.values())


def place_of(text: Text, sentence: int) -> tuple[int | None, int | None, int | None, int | None, str]:
    """The cells of `columns.offsets`; the text of a response never changes, so its sentences are those asked about."""
    start, end = bounds(text.text)[sentence]
    return (*text.offsets(start, end), text.text[start:end])


def number_of_sentences(project: Project) -> int:
    return calls_of(project).count()


sentences = Frame(
    "sentences",
    _("Every sentence that a judge was asked about by itself, and what it said."),
    SENTENCES,
    sentence_rows,
    number_of_sentences,
    responses_with_text,
)
