"""Judges, sentence by sentence: is this sentence erroneous, and which erroneous sentences they find."""

from django.utils.translation import gettext as _

from agreement import sentences
from reports.dashboard.findings import highest
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import Table
from reports.dashboard.wording import no_figure_yet
from reports.spans.context import DEPTHS
from reports.spans.measures.categories import class_names
from reports.spans.measures.ceiling import by_judge_and_variety, judges_in, note
from reports.spans.results import SpanResults as Results

#: How a recipe says what a sentence is, and when an error is in one.
CUT = {"sentences": "by punctuation and line breaks", "touch": "one character"}
SCORES = (sentences.accuracy, sentences.precision, sentences.recall, sentences.f1)


def sentence_scores(results: Results) -> Table:
    total = results.total()["sentences"]
    shares = results.figure_texts({one: total[one][0] for one in judges_in(results)})
    return by_judge_and_variety(
        results,
        "sentences",
        (_("accuracy"), _("precision"), _("recall"), _("F1")),
        id="sentence-scores",
        title=_("Judges, sentence by sentence"),
        summary=_("Share of sentences a judge calls rightly erroneous or free of errors. %(shares)s.")
        % {"shares": shares}
        if shares
        else no_figure_yet()
        if judges_in(results)
        else _("No judge has been asked yet."),
        recipe=results.recipe(
            "sentence_scores",
            gold=True,
            drawn=True,
            **CUT,
        ),
    )


def sentence_recall(results: Results) -> Table:
    """Of the sentences with an error of a category, the share in which a detector marks anything."""
    recalls = results.total()["sentence_categories"]
    names = class_names(results)
    rows = tuple(
        results.row(one, (results.rater(one), label), (figure,), **drill)
        for one, by_class in recalls.items()
        for (label, drill), figure in zip(names, by_class, strict=True)
        if figure.n
    )
    thick = len(results.names.own.categories) + DEPTHS.index("thick")
    shares = results.figure_texts({one: by_class[thick] for one, by_class in recalls.items() if one != PEOPLE})
    return Table(
        id="sentence-recall",
        headline=highest([row for row in rows if row.drill.get("depth") == "thick"]),
        title=_("Erroneous sentences found, by category"),
        summary=_("Share of the sentences with a thick error in which a judge marks anything. %(shares)s.")
        % {"shares": shares}
        if rows and shares
        else no_figure_yet()
        if rows
        else _("No error of the gold has a category yet."),
        dimensions=(_("detector"), _("category")),
        measures=(_("recall of sentences"),),
        rows=rows,
        recipe=results.recipe(
            "sentence_recall_by_category",
            gold=True,
            drawn=True,
            category="of the gold errors that touch the sentence; a sentence counts once for each",
            **CUT,
        ),
        chart="heat",
        note=note(results),
    )
