"""The frame of what judges were asked: no reply, no key, no prompt text, but what became of each call."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from judging.models import Call
from projects.models import Project
from reports.frames.columns import FLAG, NUMBER, RATER, RESPONSE, TEXT, TIME, WHOLE, Column
from reports.frames.frame import Columns, Frame, Row, by_column
from reports.frames.reading import Reading, Text

NANO_DOLLARS = 1_000_000_000

CALLS = (
    *RESPONSE,
    *RATER,
    Column("judge_kind", TEXT, "what the judge answers: spans, rubric, pointwise, pairwise, groups, categories ..."),
    Column("model", TEXT, "the model as its provider names it"),
    Column("run_uuid", TEXT, "UUID of the run it belongs to"),
    Column("purpose", TEXT, "what the run is for: gold, or evaluation of the judge alone"),
    Column("round", WHOLE, "replicate, from 1"),
    Column(
        "unit", WHOLE, "number of the paragraph, from 0; -1 for the whole response; else as the judge's kind counts"
    ),
    Column("prompt_name", TEXT, "name of the prompt it was asked with"),
    Column("prompt_version", TEXT, "version of that prompt"),
    Column("prompt_sha256", TEXT, "SHA-256 of that prompt's text"),
    Column("state", TEXT, "what became of it, e.g. scored, repaired, refused, truncated, malformed, failed"),
    Column("signal", TEXT, "refusal or tool_call, where the reply said so beside its text"),
    Column("reply_model", TEXT, "the model as the reply names it"),
    Column("finish_reason", TEXT, "why the model stopped, as the reply says"),
    Column("attempts", WHOLE, "how often it was sent"),
    Column("retries", WHOLE, "how often somebody had it asked again after it had ended"),
    Column("prompt_tokens", WHOLE, "tokens of the question, as the provider counted"),
    Column("completion_tokens", WHOLE, "tokens of the answer, reasoning among them"),
    Column("reasoning_tokens", WHOLE, "tokens of reasoning"),
    Column("cost", NUMBER, "US dollars; missing where the model has no price"),
    Column("cost_is_bound", FLAG, "the cost is an upper bound"),
    Column("is_reused", FLAG, "the reply of an earlier call with the same question was taken: nothing was sent"),
    Column("latency_ms", WHOLE, "milliseconds of the attempt that brought the reply"),
    Column("words", WHOLE, "words of the reply, as a person counts them"),
    Column("ended_at", TIME, "when it ended; missing where it is still to be asked"),
)
FIELDS = (
    *("response_id", "judge__rater_id", "judge__kind", "judge__model", "run__uuid", "run__purpose", "round", "unit"),
    *("prompt_version__name", "prompt_version__version", "prompt_version__text_sha256", "state", "signal"),
    *("reply_model", "finish_reason", "attempts", "retries", "prompt_tokens", "completion_tokens"),
    *("reasoning_tokens", "cost", "cost_is_bound", "reused_id", "latency_ms", "words", "ended_at"),
)


def call_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    texts = {text.id: text for text in batch}
    rows = Call.objects.filter(**reading.within("response", batch), run__project=reading.project)
    made: list[Row] = []
    for response, rater, kind, model, run, *rest in rows.order_by("response_id", "id").values_list(*FIELDS):
        if response not in texts:
            continue
        *before, cost, is_bound, reused, latency, words, ended_at = rest
        dollars = None if cost is None else cost / NANO_DOLLARS
        made.append(
            (
                texts[response].cells,
                reading.raters[rater].cells,
                kind,
                model,
                str(run),
                *before,
                dollars,
                is_bound,
                reused is not None,
                latency,
                words,
                ended_at,
            )
        )
    return by_column(made)


def number_of_calls(project: Project) -> int:
    return Call.objects.filter(run__project=project, response__project=project).count()


calls = Frame(
    "calls",
    _("Every call of a judge: its state, prompt version, tokens, cost and time. Replies are not in it."),
    CALLS,
    call_rows,
    number_of_calls,
)
