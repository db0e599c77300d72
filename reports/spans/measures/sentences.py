"""Judges, sentence by sentence: is this sentence erroneous."""

from django.utils.translation import gettext as _

from agreement import sentences
from reports.dashboard.tables import Table
from reports.spans.measures.ceiling import by_judge_and_setting, judges_in
from reports.spans.results import SpanResults as Results

GROUP = "judging"
SCORES = (sentences.accuracy, sentences.precision, sentences.recall, sentences.f1)


def sentence_scores(results: Results) -> Table:
    total = results.total(GROUP)["sentences"]
    found = results.said_of({one: total[one][0] for one in judges_in(results)})
    return by_judge_and_setting(
        results,
        "sentences",
        (_("accuracy"), _("precision"), _("recall"), _("F1")),
        id="sentence-scores",
        title=_("Judges, sentence by sentence"),
        summary=_("Share of sentences a judge calls rightly erroneous or free of errors. %(shares)s.")
        % {"shares": found}
        if found
        else _("No judge has been asked yet."),
        recipe=results.recipe(
            GROUP,
            "sentence_scores",
            gold=True,
            drawn=True,
            sentences="by punctuation and line breaks",
            touch="one character",
        ),
    )
