"""The frame of codings: which category a coder gave to a span, and what became of a judge's proposal."""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from annotation.models import AcceptanceMember, Classification, Refinement
from projects.models import Project
from reports.frames.columns import CATEGORY_NOW, FLAG, RATER, RESPONSE, TEXT, TIME, WHOLE, Column
from reports.frames.frame import Columns, Frame, Row, by_column
from reports.frames.reading import Reading, Text

CODINGS = (
    *RESPONSE,
    *RATER,
    Column("span_key", TEXT, "key of the span it is about, as in the frame of spans"),
    Column("span_rater", TEXT, "who marked that span"),
    Column("category", TEXT, "slug of the category that the coder gave it"),
    CATEGORY_NOW,
    Column("reason", TEXT, "why, in the coder's words"),
    Column("confirmed_by", TEXT, "pseudonym of the person who confirmed a judge's proposal"),
    Column("is_accepted_unseen", FLAG, "it was confirmed with others after a sample of them was looked at"),
    Column("refused_by", TEXT, "pseudonym of the person who refused it"),
    Column("is_after_proposal", FLAG, "a person chose in sight of a judge's proposal: it counts, but not for kappa"),
    Column("created_at", TIME, "when it was stored"),
)
FIELDS = (
    *("span__response_id", "rater_id", "span__key", "span__rater_id", "category_id", "reason"),
    *("confirmed_by_id", "is_accepted_unseen", "refused_by_id", "after_proposal", "created_at"),
)


def coding_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    texts = {text.id: text for text in batch}
    unseen = AcceptanceMember.objects.filter(is_accepted=True, classification=OuterRef("pk"))
    rows = Classification.objects.filter(**reading.within("span__response", batch))
    rows = rows.annotate(is_accepted_unseen=Exists(unseen))
    made: list[Row] = []
    for response, rater, key, author, category, reason, confirmed, is_unseen, refused, after, at in rows.order_by(
        "span__response_id", "span_id", "id"
    ).values_list(*FIELDS):
        if response not in texts:
            continue
        made.append(
            (
                texts[response].cells,
                reading.raters[rater].cells,
                key,
                reading.raters[author].cells[0],
                reading.categories[category],
                reading.categories_now[category],
                reason,
                None if confirmed is None else reading.raters[confirmed].cells[0],
                is_unseen,
                None if refused is None else reading.raters[refused].cells[0],
                after,
                at,
            )
        )
    return by_column(made)


def number_of_codings(project: Project) -> int:
    return Classification.objects.filter(span__response__project=project).count()


codings = Frame(
    "codings",
    _("Every category that a person or a judge gave to a span."),
    CODINGS,
    coding_rows,
    number_of_codings,
)

REFINEMENTS = (
    *RESPONSE,
    *RATER,
    Column("span_key", TEXT, "key of the span that the error was refined under, as in the frame of spans"),
    Column("start", WHOLE, "first character of the proposed or written boundaries; code points"),
    Column("end", WHOLE, "behind their last character"),
    Column("quote", TEXT, "the words within them"),
    Column("explanation", TEXT, "what is wrong; empty where the error's own explanation is to stay"),
    Column("confirmed_by", TEXT, "pseudonym of the person who confirmed a judge's proposal"),
    Column("is_accepted_unseen", FLAG, "it was confirmed with others after a sample of them was looked at"),
    Column("refused_by", TEXT, "pseudonym of the person who refused it, or wrote other words"),
    Column("created_at", TIME, "when it was stored"),
)


def refinement_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    texts = {text.id: text for text in batch}
    unseen = AcceptanceMember.objects.filter(is_accepted=True, refinement=OuterRef("pk"))
    rows = Refinement.objects.filter(**reading.within("span__response", batch))
    rows = rows.annotate(is_accepted_unseen=Exists(unseen))
    names = ("span__response_id", "rater_id", "span__key", "start", "end", "quote", "explanation")
    decided = ("confirmed_by_id", "is_accepted_unseen", "refused_by_id", "created_at")
    made: list[Row] = []
    for response, rater, *said, confirmed, is_unseen, refused, at in rows.order_by(
        "span__response_id", "span_id", "id"
    ).values_list(*names, *decided):
        if response not in texts:
            continue
        who = [None if one is None else reading.raters[one].cells[0] for one in (confirmed, refused)]
        made.append((texts[response].cells, reading.raters[rater].cells, *said, who[0], is_unseen, who[1], at))
    return by_column(made)


def number_of_refinements(project: Project) -> int:
    return Refinement.objects.filter(span__response__project=project).count()


refinements = Frame(
    "refinements",
    _("Every set of boundaries and every explanation that a judge proposed or a person wrote for a kept error."),
    REFINEMENTS,
    refinement_rows,
    number_of_refinements,
)
