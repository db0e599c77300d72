"""The frame of pairs of errors: whether one of the gold and one that a judge marked are one issue, as judges said."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.models import GoldError, Span
from judging.kinds.same_issue.kind import GOLD, MARKED, SameIssue
from judging.models import ANSWERED, Call, CallState
from projects.among import Among
from projects.models import Project
from reports.frames.columns import FLAG, IS_COUNTED, RATER, RESPONSE, ROUND, TEXT, TIME, Column
from reports.frames.frame import Columns, Frame, Row, by_column
from reports.frames.reading import Reading, Text

SAME_ISSUES = (
    *RESPONSE,
    *RATER,
    ROUND,
    Column("gold_key", TEXT, "id of the error in the gold file; missing where that error is no longer gold"),
    Column("gold_quote", TEXT, "the words of the error of the gold, as the judge was shown them"),
    Column("marked_by", TEXT, "name of the judge that marked the other error; missing where its mark is gone"),
    Column("span_key", TEXT, "key of its span, as in the frame of spans; missing where it is gone"),
    Column("marked_quote", TEXT, "the words that it marked, as the judge was shown them"),
    Column("is_gold_first", FLAG, "the error of the gold was shown first"),
    Column("is_same", FLAG, "the judge called them one issue; missing where there is no answer"),
    Column("reason", TEXT, "why, in the judge's words"),
    Column("state", TEXT, "what became of the call, as in the frame of calls"),
    IS_COUNTED,
    Column("ended_at", TIME, "when it ended; missing where it is still to be asked"),
)
FIELDS = ("id", "response_id", "judge__rater_id", "round", "about", "state", "parsed", "ended_at")


class Compared(NamedTuple):
    """A pair, by the ids of the error of the gold and of the span."""

    gold: int
    marked: int


def calls_of(project: Project) -> QuerySet[Call]:
    """A cancelled call was never asked."""
    calls = Call.objects.filter(run__project=project, response__project=project, judge__kind=SameIssue.kind)
    return calls.exclude(state=CallState.CANCELLED)


def same_issue_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    """Four statements for a batch."""
    texts = {text.id: text for text in batch}
    rows = calls_of(reading.project).filter(**reading.within("response", batch)).order_by("response_id", "id")
    asked = [row for row in rows.values_list(*FIELDS) if row[1] in texts]
    pairs = {row[0]: compared(row[4]) for row in asked}
    gold = dict(GoldError.objects.filter(pk__in=Among(pair.gold for pair in pairs.values())).values_list("pk", "key"))
    spans = Span.objects.filter(pk__in=Among(pair.marked for pair in pairs.values()))
    marked = {pk: names for pk, *names in spans.values_list("pk", "rater__name", "key")}
    last = latest(asked, pairs)
    made: list[Row] = []
    for pk, response, rater, turn, about, state, parsed, at in asked:
        text, pair = texts[response], pairs[pk]
        said = parsed if state in ANSWERED and isinstance(parsed, dict) else {}
        words = dict(zip((str(name).partition(":")[0] for name in about), said.get("words", ()), strict=False))
        is_counted = (
            pk in last
            and pair.gold in gold
            and pair.marked in marked
            and reading.is_shown(rater, text.prompt, text.model)
        )
        cells = (
            turn,
            gold.get(pair.gold, ""),
            words.get(GOLD, ""),
            *marked.get(pair.marked, ("", "")),
            words.get(MARKED, ""),
            str(about[0]).startswith(f"{GOLD}:") if about else None,
            said.get("is_same"),
            said.get("reason", ""),
        )
        made.append((text.cells, reading.raters[rater].cells, *cells, str(state), is_counted, at))
    return by_column(made)


def compared(about: Sequence[Any]) -> Compared:
    ids = dict(str(name).split(":", 1) for name in about)
    return Compared(int(ids.get(GOLD, 0)), int(ids.get(MARKED, 0)))


def latest(asked: Sequence[tuple[Any, ...]], pairs: Mapping[int, Compared]) -> set[int]:
    """Ids of the calls that figures take: of those of a judge about a pair that were answered the last."""
    answered = [(turn, pk, rater) for pk, _response, rater, turn, _about, state, *_rest in asked if state in ANSWERED]
    return set({(pairs[pk], rater): pk for _turn, pk, rater in sorted(answered)}.values())


def number_of_pairs(project: Project) -> int:
    return calls_of(project).count()


same_issues = Frame(
    "same_issues",
    _("Every pair of an error of the gold and one that a judge marked, and whether a judge called them one issue."),
    SAME_ISSUES,
    same_issue_rows,
    number_of_pairs,
)
