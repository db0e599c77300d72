"""Judges, sentence by sentence: is this sentence erroneous."""

from django.utils.translation import gettext as _

from agreement import sentences
from reports.dashboard.tables import Table
from reports.dashboard.wording import no_figure_yet
from reports.spans.measures.ceiling import by_judge_and_variety, judges_in
from reports.spans.results import SpanResults as Results

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
            sentences="by punctuation and line breaks",
            touch="one character",
        ),
    )
