"""Judges that are asked of each sentence whether it is erroneous, against the sentences that the gold touches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import sentences
from agreement.figures import share
from agreement.spans import Spans
from reports.dashboard.columns import Flags, Integers
from reports.dashboard.findings import highest
from reports.dashboard.intervals import Block, with_intervals
from reports.dashboard.parts import pooled
from reports.dashboard.tables import Table
from reports.dashboard.wording import no_figure_yet
from reports.spans.context import DEPTHS, Context, numbers_of
from reports.spans.measures.categories import class_names, recalls, sentences_by_category
from reports.spans.measures.matching import sided
from reports.spans.measures.sentences import CUT, SCORES
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "sentence verdicts"
NOT_ASKED = "no responses planned"
WHOLE = "responses of which every sentence was answered; the others are counted beside"


@dataclass(frozen=True, eq=False)
class Judged:
    """One judge in one variety, a row per response with settled gold of which it answered every sentence, N of them.

    prompt      ids, shape (N,).
    counts      sentence counts, (N, 4); categories  erroneous sentences found and all, by category and then by depth of
                the errors in them, (N, C + D, 2).
    planned, scored  responses of the variety asked about, and those of which every sentence was answered.
    """

    prompt: Integers
    counts: Integers
    categories: Integers
    planned: int
    scored: int


@dataclass(frozen=True, eq=False)
class JudgedSentences:
    judged: dict[int, Judged]


def statistics(loaded: Loaded, context: Context) -> dict[int, JudgedSentences]:
    """Per variety, by judge."""
    found = {rater: _of_judge(loaded, context, rater) for rater in np.unique(loaded.verdicts.rater).tolist()}
    return {
        variety: JudgedSentences({one: rows(loaded.responses.variety == variety) for one, rows in found.items()})
        for variety in loaded.varieties
    }


def _of_judge(loaded: Loaded, context: Context, rater: int) -> Any:
    """What gives the judge's rows in the responses chosen by flags, of shape (R,)."""
    verdicts = loaded.verdicts.taken(loaded.verdicts.rater == rater)
    n = len(loaded.responses)
    sizes = loaded.in_sentences.sizes
    planned = np.zeros(n, dtype=bool)
    planned[verdicts.response] = True
    answered = np.bincount(verdicts.response[verdicts.is_answered], minlength=n)
    is_whole = planned & (answered == sizes)
    rows = np.flatnonzero(is_whole & loaded.gold.settled)
    counts, categories = _counted(loaded, context, verdicts, rows)

    def chosen(in_variety: Flags) -> Judged:
        here = in_variety[rows]
        prompt = loaded.responses.prompt[rows[here]]
        totals = int((planned & in_variety).sum()), int((is_whole & in_variety).sum())
        return Judged(prompt, counts[here], categories[here], *totals)

    return chosen


def _counted(loaded: Loaded, context: Context, verdicts: Any, rows: Integers) -> tuple[Integers, Integers]:
    row = np.full(len(loaded.responses), -1)
    row[rows] = np.arange(len(rows))
    said = verdicts.taken(verdicts.is_error & (row[verdicts.response] >= 0))
    place, at = said.sentence, row[said.response]
    # A sentence as a span over one sentence: of its characters nothing is asked.
    predicted = Spans(at, place, place + 1, place, place + 1, np.ones(len(at), dtype=bool), len(rows))
    cut = loaded.in_sentences
    index, gold = sided(cut.gold, cut.gold.response, rows)
    category = numbers_of(context.categories, loaded.gold.category, -1)[index]
    sizes = cut.sizes[rows]
    counts = sentences.touched_counts(predicted, gold, sizes)
    return counts, sentences_by_category(predicted, gold, sizes, category, context)


def figures(parts: Sequence[JudgedSentences], is_total: bool) -> dict[str, Any]:
    """By judge accuracy, precision, recall, F1 and the share of responses answered; and recall by category and depth,
    with intervals over prompts."""
    judges = sorted({one for part in parts for one in part.judged})
    result: dict[str, Any] = {"verdicts": {}, "categories": {}, "judges": len(judges), "responses": 0}
    for one in judges:
        rows = pooled([part.judged[one] for part in parts if one in part.judged])
        if not rows.planned:
            continue
        scores = Block([sentences.figure(rows.counts, score) for score in SCORES], rows.counts, SCORES)
        of_categories = recalls(rows.categories, sentences.NO_ERRONEOUS)
        drawn, by_category = with_intervals([scores, of_categories], rows.prompt)
        asked = {"scored": rows.scored, "planned": rows.planned, "with_gold": len(rows.prompt)}
        result["verdicts"][one] = (*drawn, share(rows.scored, rows.planned, NOT_ASKED, **asked))
        result["categories"][one] = by_category
        result["responses"] = max(result["responses"], len(rows.prompt))
    return result


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [verdicts(results), by_category(results)] if results.total()["verdicts"] else []


def settings_of(results: Results) -> dict[str, Any]:
    prompts = {judge: list(each) for judge, each in results.names.own.apart.items()}
    return {**CUT, "items": WHOLE, "asked": "of each sentence, with question and response", "prompts": prompts or None}


def verdicts(results: Results) -> Table:
    scores = results.figure_texts({one: figures[3] for one, figures in results.total()["verdicts"].items()})
    rows = tuple(results.pool_rows(lambda pool: pool["verdicts"], raters_first=True))
    return Table(
        id="sentence-verdicts",
        headline=highest(rows, 3),
        title=_("Judges asked of each sentence"),
        summary=_("F1 of the sentences that a judge calls erroneous. %(scores)s.") % {"scores": scores}
        if scores
        else no_figure_yet(),
        dimensions=(_("judge"), _("variety")),
        measures=(_("accuracy"), _("precision"), _("recall"), _("F1"), _("answered")),
        rows=rows,
        recipe=results.recipe("sentence_scores", gold=True, drawn=True, **settings_of(results)),
    )


def by_category(results: Results) -> Table:
    recalled = results.total()["categories"]
    names = class_names(results)
    rows = tuple(
        results.row(one, (results.rater(one), label), (figure,), **drill)
        for one, by_class in recalled.items()
        for (label, drill), figure in zip(names, by_class, strict=True)
        if figure.n
    )
    thick = len(results.names.own.categories) + DEPTHS.index("thick")
    shares = results.figure_texts({one: by_class[thick] for one, by_class in recalled.items()})
    return Table(
        id="sentence-verdict-recall",
        headline=highest([row for row in rows if row.drill.get("depth") == "thick"]),
        title=_("Sentences called erroneous, by category"),
        summary=_("Share of the sentences with a thick error that a judge calls erroneous. %(shares)s.")
        % {"shares": shares}
        if rows and shares
        else no_figure_yet()
        if rows
        else _("No error of the gold has a category yet."),
        dimensions=(_("judge"), _("category")),
        measures=(_("recall of sentences"),),
        rows=rows,
        recipe=results.recipe(
            "sentence_recall_by_category",
            gold=True,
            drawn=True,
            category="of the gold errors that touch the sentence; a sentence counts once for each",
            **settings_of(results),
        ),
        chart="heat",
    )
