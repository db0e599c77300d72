"""Can a reviewer tell judges' marks from people's: by what a card shows beside its words, and by the words alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from agreement.blindness import FOLDS, told_apart
from agreement.figures import Figure
from agreement.shown_marks import Card, explanation_columns, form_columns
from annotation.models import Span
from projects.chunks import in_chunks
from reports.dashboard.columns import Flags, Integers
from reports.dashboard.parts import pooled
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.spans.context import Context
from reports.spans.measures import explained
from reports.spans.measures.explained import Explained
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "blindness"
#: Marks looked at, of prompts that are drawn: with more the figure is hardly surer, and takes long.
MOST = 250
PERMUTATIONS = 99
SEED = 0


@dataclass(frozen=True, eq=False)
class SeenMarks:
    """Marks that are put to reviewers, of drawn prompts, shape (S,).

    chosen  what is chosen of lists: type, criticality, anchor, category, as numbers, -1 or 0 for none; and whether it
            lies in several places, 1 or 0; shape (S, 5).
    texts   explanation and correction, shape (S, 2).
    """

    response: Integers
    prompt: Integers
    by_judge: Flags
    chosen: Integers
    texts: NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Shown:
    """What reviewers are shown in a variety, and in which language it is explained."""

    marks: SeenMarks
    explained: Explained


def statistics(loaded: Loaded, context: Context) -> dict[int, Shown]:
    marks, answers, responses = loaded.marks, loaded.answers, loaded.responses
    response = marks.places.response
    by_judge = ~answers.by_human[marks.answer]
    # As in validation: what several judges say as one, and judges that are evaluated, are put to nobody.
    is_put = ~np.isin(answers.rater[marks.answer], list(loaded.panels)) & ~answers.is_evaluation[marks.answer]
    languages = explained.explained(loaded, is_put, SEED)
    return {
        variety: Shown(
            _read(loaded, np.flatnonzero(is_put & (responses.variety[response] == variety)), by_judge),
            languages[variety],
        )
        for variety in loaded.varieties
    }


def _read(loaded: Loaded, chosen: Integers, by_judge: Flags) -> SeenMarks:
    marks = loaded.marks
    response = loaded.responses.id[marks.places.response]
    prompt = loaded.responses.prompt[marks.places.response]
    chosen = chosen[_drawn(prompt[chosen], response[chosen], by_judge[chosen])]
    texts: dict[int, tuple[str, str, str]] = {}
    for chunk in in_chunks(marks.id[chosen].tolist()):
        rows = Span.objects.filter(pk__in=chunk).values_list("pk", "anchor", "explanation", "correction")
        texts |= {pk: (anchor, explanation, correction) for pk, anchor, explanation, correction in rows}
    said = [texts[pk] for pk in marks.id[chosen].tolist()]
    anchors = np.array([len(anchor) for anchor, _explanation, _correction in said], dtype=np.int64)
    is_divided = np.isin(chosen, marks.places.more.span)
    columns = (marks.error_type[chosen], marks.criticality[chosen], anchors, marks.category[chosen], is_divided)
    of_texts = np.empty((len(chosen), 2), dtype=object)
    of_texts[:, 0] = [explanation.strip() for _anchor, explanation, _correction in said]
    of_texts[:, 1] = [correction.strip() for _anchor, _explanation, correction in said]
    return SeenMarks(response[chosen], prompt[chosen], by_judge[chosen], np.column_stack(columns), of_texts)


def _drawn(prompt: Integers, response: Integers, by_judge: Flags) -> Integers:
    """Places of the marks on responses that both have marked, of as many prompts as make up to MOST of them; none of a
    prompt that would fill more than a fold."""
    both = np.intersect1d(response[by_judge], response[~by_judge])
    places = np.flatnonzero(np.isin(response, both))
    prompts, index, count = np.unique(prompt[places], return_inverse=True, return_counts=True)
    order = np.random.default_rng(SEED).permutation(len(prompts))
    order = order[count[order] <= MOST // FOLDS]
    taken = order[np.cumsum(count[order]) <= MOST]
    return places[np.isin(index, taken)]


def figures(parts: Sequence[Shown], is_total: bool) -> dict[str, Any]:
    """`form` and `words`: how often, of a person's and a judge's mark of one response, the judge's is recognised;
    `languages` as `explained.figures` has them."""
    pool = pooled([part.marks for part in parts])
    taken = _drawn(pool.prompt, pool.response, pool.by_judge)
    seen = SeenMarks(*(getattr(pool, name)[taken] for name in SeenMarks.__dataclass_fields__))
    columns, _names = form_columns(_cards(seen))
    return {
        "form": _told(columns, seen),
        "words": _told(explanation_columns(seen.texts[:, 0].tolist()), seen, is_scaled=False),
        "languages": explained.figures([part.explained for part in parts]),
        "people": 0,
        "responses": len(np.unique(seen.response)),
    }


def _told(columns: Any, seen: SeenMarks, **options: Any) -> Figure:
    told = told_apart(
        columns,
        seen.by_judge,
        seen.response,
        seen.prompt,
        permutations=PERMUTATIONS,
        seed=SEED,
        **options,
    )
    return told.figure


def _cards(seen: SeenMarks) -> list[Card]:
    """Without a place, which is drawn for each reviewer; a category or correction where a reviewer is shown it."""
    shows_category = bool((seen.chosen[:, 3] > 0).all())
    shows_correction = bool(seen.texts[:, 1].all())
    return [
        Card(
            0,
            1,
            {
                "type": str(error_type) if error_type >= 0 else "",
                "criticality": str(criticality) if criticality >= 0 else "",
                "anchor": str(anchor),
                "category": str(category) if shows_category else "",
                "parts": "several" if is_divided else "",
            },
            {"explanation": explanation, "correction": correction if shows_correction else ""},
        )
        for (error_type, criticality, anchor, category, is_divided), (explanation, correction) in zip(
            seen.chosen.tolist(), seen.texts.tolist(), strict=True
        )
    ]


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    total = results.total()
    words = total["words"]
    languages = explained.tables(results, total["languages"], SEED)
    if not words.n:
        return languages
    rows = [
        Row((label,), (total[name],), {}, results.marks())
        for name, label in (("form", _("Form, without the words")), ("words", _("Words of explanations")))
    ]
    return [
        Table(
            id="judges-told-apart",
            title=_("Can reviewers tell judges from people?"),
            summary=_(
                "Of a person's and a judge's mark on one answer, the words of the explanations alone give the judge "
                "away %(share)s of the time; by chance it would be half."
            )
            % {"share": figure_text(words)}
            if words.value is not None
            else no_figure_yet(),
            dimensions=(_("what is looked at"),),
            measures=(_("judges recognised"),),
            rows=tuple(rows),
            recipe=results.recipe(
                "auc_within_response",
                drawn=True,
                classifier="ridge logistic regression, centred within the response",
                folds=FOLDS,
                permutations=PERMUTATIONS,
                marks_at_most=MOST,
                seed=SEED,
                explanations="hashed runs of 1 to 4 characters, 128 principal directions",
            ),
            chart="none",
        ),
        *languages,
    ]
