"""The frame of texts: every response with its prompt, which the other frames point at by key."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from projects.laboratories import laboratory_slug
from projects.models import Response
from projects.splits import origin
from reports.frames.columns import RESPONSE, TEXT, TIME, Column
from reports.frames.frame import Columns, Frame, Row, by_column, responses_of, responses_with_text
from reports.frames.reading import Reading, Text

TEXTS = (
    *RESPONSE,
    Column("laboratory", TEXT, "short name of the laboratory that made the model"),
    Column("prompt_variety", TEXT, "tag of the prompt's language variety (BCP 47)"),
    Column("prompt", TEXT, "the prompt's words"),
    Column("response", TEXT, "the response's words, exactly as they were judged"),
    Column("derived_from", TEXT, "key of the text that it was made from by a step; null where a model answered so"),
    Column("step", TEXT, "the step that made it"),
    Column("task", TEXT, "what the prompt asks for"),
    Column("domain", TEXT, "what it is about"),
    Column(
        "split",
        TEXT,
        "train, validation or test: as its template was assigned or else is drawn, with all translations together",
    ),
    Column("created_at", TIME, "when it was imported or collected"),
)
FIELDS = (
    *("id", "prompt__variety__tag", "prompt__text", "prompt__task", "prompt__domain", "created_at"),
    *("derivation__source__key", "derivation__step__name"),
    *("prompt__template__key", "prompt__template__split", "prompt__text_sha256"),
)


def text_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    rows = Response.objects.filter(project=reading.project, id__gte=batch[0].id, id__lte=batch[-1].id)
    beside = {pk: others for pk, *others in rows.order_by("id").values_list(*FIELDS, laboratory_slug())}
    made: list[Row] = []
    for text in batch:
        variety, prompt, task, domain, at, source, step, *template, laboratory = beside[text.id]
        split = origin(*template).split
        made.append((text.cells, laboratory, variety, prompt, text.text, source, step, task, domain, split, at))
    return by_column(made)


texts = Frame(
    "texts",
    _("Every response with its prompt, whose keys the other tables name."),
    TEXTS,
    text_rows,
    responses_of,
    responses_with_text,
    shared={0: len(RESPONSE)},
)
