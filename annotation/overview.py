"""One response with everything that was said of it, as its page shows it: the end of every drill-down."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.classification import to_code_again
from annotation.models import (
    Adjudication,
    AnchorKind,
    Classification,
    CodingSample,
    ErrorCategory,
    GoldAnswer,
    GroupProposal,
    Marking,
    ReviewVerdict,
    Span,
)
from annotation.outcomes import OF_EVALUATION, OF_PANEL, Case, SpanRow, cases
from annotation.overlay import Piece, pieces
from annotation.spans.parts import Part, words_of
from annotation.spans.storing import parts_of_responses
from projects.models import Rater, RaterKind, Response
from projects.vocabularies import Vocabularies, vocabularies

OUTCOMES = {"kept": "good", "rejected": "bad", "open": "warning", "pending": "", OF_PANEL: "", OF_EVALUATION: ""}


@dataclass(slots=True)
class RaterLabel:
    """How a rater is called on the page. An expert sees letters, and not who is a judge."""

    number: int
    label: str
    detail: str = ""
    is_simulated: bool = False
    spans: int = 0
    no_errors: bool = False
    is_complete: bool = True


@dataclass(slots=True)
class SpanView:
    number: int
    case: Case
    rater: RaterLabel
    words: Vocabularies
    verdicts: list[tuple[str, str, str]] = field(default_factory=list)  # rater, verdict, comment
    categories: list[tuple[str, str, str]] = field(default_factory=list)  # rater, category, what it is so far
    own_category: str = ""
    group: str = ""
    adjudication: Adjudication | None = None
    more: tuple[Part, ...] = ()

    @property
    def span(self) -> SpanRow:
        return self.case.span

    @property
    def name(self) -> str:
        return name_of(self.span, self.more)

    @property
    def error_type(self) -> str:
        return self.words.error_types.name(self.span.error_type)

    @property
    def criticality(self) -> str:
        return self.words.criticality.name(self.span.criticality)

    @property
    def looks(self) -> tuple[str, str]:
        """How type and criticality are drawn."""
        return self.words.error_types.look(self.span.error_type), self.words.criticality.look(self.span.criticality)

    @property
    def outcome(self) -> str:
        labels = {"kept": _("kept"), "rejected": _("rejected"), "open": _("open"), "pending": _("awaits verdicts")}
        labels |= {OF_PANEL: _("of a panel"), OF_EVALUATION: _("for evaluation: put to nobody")}
        return str(labels[self.case.outcome])

    @property
    def outcome_kind(self) -> str:
        return OUTCOMES[self.case.outcome]


@dataclass(slots=True)
class Overview:
    raters: list[RaterLabel]
    spans: list[SpanView]
    pieces: list[Piece]
    proposals: list[GroupProposal]
    gold: GoldAnswer | None


def name_of(span: SpanRow | Span, more: Iterable[Part] = ()) -> str:
    """What an error is called in a list: its words, those of all parts, or what it is missing from."""
    if span.anchor == AnchorKind.RESPONSE:
        return _("Missing from the whole response")
    if span.anchor == AnchorKind.PARAGRAPH:
        return _("Missing from paragraph %(number)d") % {"number": (span.paragraph or 0) + 1}
    return words_of(span.quote, more)


def places_of(number: int, span: SpanRow | Span, more: Iterable[Part] = ()) -> list[tuple[int, int | None, int | None]]:
    """Where a span lies, part by part, under one number, as the overlay of a text takes it."""
    return [(number, span.start, span.end), *((number, part.start, part.end) for part in more)]


def labels_of(response: Response, rater_ids: Iterable[int], *, blinded: bool) -> dict[int, RaterLabel]:
    """A label per rater: pseudonyms for leads; for others letters in an order drawn for this response."""
    raters = Rater.objects.filter(pk__in=set(rater_ids))
    if not blinded:
        ordered = sorted(raters, key=lambda rater: (rater.kind, rater.pseudonym))
        return {
            rater.pk: RaterLabel(
                number,
                rater.pseudonym,
                _("panel: %(name)s") % {"name": rater.name} if rater.is_panel else rater.model,
                rater.is_simulated,
            )
            for number, rater in enumerate(ordered, start=1)
        }
    drawn = sorted(raters, key=lambda rater: sha256(f"{response.uuid} {rater.uuid}".encode()).hexdigest())
    return {rater.pk: RaterLabel(number, letter(number)) for number, rater in enumerate(drawn, start=1)}


def letter(number: int) -> str:
    """1 is A, 26 is Z, 27 is AA."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def codings_of(response: Response, *, blinded: bool, coder: Rater | None) -> list[Classification]:
    """The categories given and proposed; to those who may code themselves only what keeps their coding their own.

    They see no judge's proposal before a person has confirmed it, and nothing of an error whose second coder
    they can be.
    """
    codings = Classification.objects.filter(span__response=response).select_related("rater").order_by("pk")
    if not blinded:
        return list(codings)
    codings = codings.filter(Q(rater__kind=RaterKind.HUMAN) | Q(confirmed_by__isnull=False))
    sample = CodingSample.objects.filter(project=response.project_id).first()
    if sample is not None:
        codings = codings.exclude(span__in=to_code_again(sample, coder).filter(response=response).values("pk"))
    return list(codings)


def standing(row: Classification) -> str:
    """What a category is so far: "confirmed", "refused", "proposed" by a judge, or empty for a coder's own."""
    if row.confirmed_by_id is not None:
        return "confirmed"
    if row.rater.kind == RaterKind.HUMAN:
        return ""
    return "refused" if row.refused_by_id is not None else "proposed"


def overview(response: Response, *, blinded: bool, coder: Rater | None = None) -> Overview:
    """About a dozen statements, whatever the number of spans. `coder` is who looks, where they may code as well."""
    shown = sorted(cases([response.pk]), key=lambda case: (case.span.start or 0, case.span.end or 0, case.span.id))
    markings = list(Marking.objects.filter(response=response).select_related("rater"))
    if blinded:  # what several judges say as one would tell who is a judge, and what nobody is asked about too
        shown = [case for case in shown if case.outcome not in (OF_PANEL, OF_EVALUATION)]
        markings = [marking for marking in markings if not marking.rater.is_panel and not marking.is_evaluation]
    classifications = codings_of(response, blinded=blinded, coder=coder)
    raters = {marking.rater_id for marking in markings} | {case.span.rater_id for case in shown}
    raters |= {review.rater_id for case in shown for review in case.reviews}
    raters |= {row.rater_id for row in classifications}
    labels = labels_of(response, raters, blinded=blinded)
    for marking in markings:
        labels[marking.rater_id].no_errors |= marking.no_errors
        labels[marking.rater_id].is_complete &= marking.is_complete
    for case in shown:
        labels[case.span.rater_id].spans += 1
    names = dict(ErrorCategory.objects.filter(project=response.project_id).values_list("pk", "name"))
    by_span: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    for row in classifications:
        by_span[row.span_id].append((labels[row.rater_id].label, names[row.category_id], standing(row)))
    adjudications = {row.span_id: row for row in Adjudication.objects.filter(span__response=response)}
    groups = {number: f"G{at}" for at, number in enumerate(sorted({c.span.group_id or 0 for c in shown} - {0}), 1)}
    words = vocabularies(response.project_id)
    parts = parts_of_responses([response.pk])
    views = [
        SpanView(
            number=number,
            case=case,
            rater=labels[case.span.rater_id],
            words=words,
            verdicts=[
                (labels[review.rater_id].label, str(ReviewVerdict(review.verdict).label), review.comment)
                for review in case.reviews
            ],
            categories=by_span[case.span.id],
            own_category=names.get(case.span.category_id or 0, ""),
            group=groups.get(case.span.group_id or 0, ""),
            adjudication=adjudications.get(case.span.id),
            more=parts.get(case.span.id, ()),
        )
        for number, case in enumerate(shown, start=1)
    ]
    return Overview(
        raters=sorted((label for label in labels.values() if label.spans or label.no_errors), key=lambda r: r.number),
        spans=views,
        pieces=pieces(response.text, [each for view in views for each in places_of(view.number, view.span, view.more)]),
        proposals=list(
            GroupProposal.objects.filter(response=response, state="open")
            .select_related("proposed_by")
            .prefetch_related("spans__more")
            .order_by("pk")
        ),
        gold=GoldAnswer.objects.filter(response=response).first(),
    )
