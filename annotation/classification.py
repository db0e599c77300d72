"""Categories of kept errors: given by hand, or proposed by a judge and confirmed; some coded twice, for kappa."""

import random
from collections.abc import Mapping, Sequence

import numpy as np
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.kappa import cohen_kappa, confusion
from annotation.gold import derive
from annotation.models import AcceptanceMember, Classification, CodingSample, ErrorCategory, Span
from annotation.taxonomy import asked_again, read_as, replaced
from projects.among import Among
from projects.models import Project, Rater, RaterKind
from projects.problems import Invalid, Problem

# Codings that people made by themselves: kappa rests on these alone.
BY_PEOPLE = Q(rater__kind=RaterKind.HUMAN, after_proposal=False)
OPEN_PROPOSAL = Q(rater__kind=RaterKind.JUDGE, confirmed_by=None, refused_by=None)


def unclassified(project: Project, coder: Rater | None = None) -> QuerySet[Span]:
    """Kept spans whose error has no category yet, in order; not again those this coder has classified, unless what
    they chose was split since."""
    spans = Span.objects.filter(
        response__project=project, gold_error__isnull=False, gold_error__category=None, gold_error__is_imported=False
    )
    if coder is not None:
        spans = spans.filter(~Exists(standing_of(project, coder).filter(span=OuterRef("pk"))))
    return spans.order_by("response_id", "start", "pk")


def standing_of(project: Project, coder: Rater) -> QuerySet[Classification]:
    """What this coder chose and is still read as a category."""
    return Classification.objects.filter(rater=coder).exclude(category__in=asked_again(project))


def coded_by_people(project: Project) -> Q:
    """Of spans: a person's own coding that is still read as a category."""
    own = Q(classifications__rater__kind=RaterKind.HUMAN, classifications__after_proposal=False)
    return own & ~Q(classifications__category__in=asked_again(project))


def to_propose(project: Project) -> QuerySet[Span]:
    """Kept spans that judges are asked to propose a category for: those without one, and those that people code twice,
    on which judges and people are compared. No proposal for the latter is shown to anybody."""
    kept = Q(gold_error__isnull=False, gold_error__is_imported=False)
    in_sample = Exists(CodingSample.spans.through.objects.filter(span=OuterRef("pk")))
    spans = Span.objects.filter(kept, Q(gold_error__category=None) | in_sample, response__project=project)
    return spans.order_by("response_id", "start", "pk")


@transaction.atomic
def classify(span: Span, coder: Rater, category: ErrorCategory, *, after_proposal: bool = False) -> Classification:
    """The coder's category for a span; choosing again replaces it. Raises Invalid for one of another project
    and for one that is no longer offered.

    Who has decided on a proposal for the span has seen it, so their choice is one made after a proposal.
    """
    if not ErrorCategory.objects.offered().filter(project=coder.project_id, pk=category.pk).exists():
        raise Invalid(Problem("unknown", _("Choose one of the project's categories."), "category"))
    seen = after_proposal or decided_by(coder).filter(span=span).exists()
    made, _created = Classification.objects.update_or_create(
        span=span, rater=coder, defaults={"category": category, "confirmed_by": None, "after_proposal": seen}
    )
    derive([span.response_id])
    return made


@transaction.atomic
def confirm(classification: Classification, rater: Rater) -> None:
    """Make this the span's category, whoever proposed it; an earlier confirmation of another one is withdrawn."""
    of_span = Classification.objects.filter(span=classification.span_id)
    of_span.exclude(pk=classification.pk).update(confirmed_by=None)
    AcceptanceMember.objects.filter(classification__in=of_span, is_accepted=True).update(is_accepted=False)
    classification.confirmed_by, classification.refused_by = rater, None
    classification.save(update_fields=["confirmed_by", "refused_by"])
    derive([classification.span.response_id])


# --- Proposals of judges ------------------------------------------------------------------------------


@transaction.atomic
def propose(judge: Rater, chosen: Mapping[int, tuple[ErrorCategory, str]]) -> int:
    """Store a judge's categories, with their reasons, by span id; return how many are new.

    Nothing counts until a person has confirmed it, so no gold is derived. A span that is kept no longer, or has
    this judge's proposal, is passed over; a proposal whose category was split since gives way. Raises ValueError
    where a person is to propose.
    """
    if judge.kind != RaterKind.JUDGE:
        raise ValueError("people classify, judges propose")
    stands = standing_of(judge.project, judge).filter(span=OuterRef("pk"))
    kept = Span.objects.filter(~Exists(stands), pk__in=chosen, gold_error__isnull=False)
    # Of which project a span is, is looked at here: SQLite, asked for it, goes through all responses of the project.
    of_projects = kept.values_list("pk", "response__project_id")
    waiting = sorted(pk for pk, project in of_projects if project == judge.project_id)
    rows = [Classification(span_id=pk, rater=judge, category=chosen[pk][0], reason=chosen[pk][1]) for pk in waiting]
    # What gives way was of a sample or its rest; what comes in its place is not.
    given_way = Classification.objects.filter(rater=judge, span__in=Among(waiting))
    AcceptanceMember.objects.filter(classification__in=given_way).delete()
    made = Classification.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["span", "rater"],
        update_fields=["category", "reason", "confirmed_by", "refused_by"],
    )
    return len(made)


def proposals_of(project: Project, judge: Rater | None = None) -> QuerySet[Classification]:
    """Categories that judges, or this one, propose for kept errors without one, undecided so far."""
    proposals = Classification.objects.filter(OPEN_PROPOSAL, span__in=unclassified(project).order_by())
    proposals = proposals.exclude(category__in=asked_again(project))
    return proposals if judge is None else proposals.filter(rater=judge)


def proposed(project: Project) -> QuerySet[Span]:
    """Kept spans without a category for which a judge has proposed one, undecided so far."""
    undecided = Classification.objects.filter(OPEN_PROPOSAL, span=OuterRef("pk"))
    return unclassified(project).filter(Exists(undecided.exclude(category__in=asked_again(project))))


def proposal_for(span: Span) -> Classification | None:
    """What a judge suggests for the span, while no person has confirmed or refused it; first what a sample asks for."""
    proposals = span.classifications.filter(OPEN_PROPOSAL).exclude(category__in=asked_again(span.response.project))
    sampled = Exists(AcceptanceMember.objects.in_open_samples().filter(classification=OuterRef("pk")))
    return proposals.select_related("category", "rater").order_by(sampled.desc(), "pk").first()


def category_now(given: Classification) -> ErrorCategory:
    """What this one is read as; itself where its category was split since."""
    now = read_as(given.category_id, replaced([given.category.project_id]))
    return given.category if now in (None, given.category_id) else ErrorCategory.objects.get(pk=now)


@transaction.atomic
def refuse(proposal: Classification, rater: Rater) -> None:
    """Set a judge's proposal aside: the error still has no category. Raises Invalid where it was decided before."""
    undecided = Classification.objects.filter(OPEN_PROPOSAL, pk=proposal.pk)
    if not undecided.update(refused_by=rater):
        raise Invalid(Problem("decided", _("This proposal was decided meanwhile. Nothing was changed.")))


@transaction.atomic
def change(proposal: Classification, rater: Rater, category: ErrorCategory) -> None:
    """Give the error another category than the one proposed; choosing the very same confirms it.

    Raises Invalid for another project's category, and where the proposal was decided before.
    """
    if category.pk == read_as(proposal.category_id, replaced([category.project_id])):
        confirm(proposal, rater)
        return
    refuse(proposal, rater)
    classify(proposal.span, rater, category, after_proposal=True)


def decided_by(rater: Rater) -> QuerySet[Classification]:
    """Judges' proposals that this person has confirmed or refused, and so has seen; none accepted unseen."""
    seen = Q(confirmed_by=rater) | Q(refused_by=rater)
    unseen = AcceptanceMember.objects.filter(is_accepted=True, classification=OuterRef("pk"))
    return Classification.objects.filter(seen, ~Exists(unseen), rater__kind=RaterKind.JUDGE)


# --- The doubly coded sample --------------------------------------------------------------------------


@transaction.atomic
def draw_sample(project: Project, size: int, seed: int) -> CodingSample:
    """Draw spans that one person has classified, to be coded by a second; the same seed draws the same spans.

    A choice made in sight of a judge's proposal is none of a first coder's own: such spans are not drawn.
    Raises Invalid where there are fewer spans than asked for.
    """
    spans = Span.objects.filter(response__project=project)
    coded = spans.annotate(coders=Count("classifications", filter=coded_by_people(project)))
    keys = sorted(coded.filter(coders__gte=1).values_list("response__key", "key", "pk"))
    if size < 1 or len(keys) < size:
        message = _(
            "There are %(count)d errors to draw from that people classified without a judge's proposal in view; "
            "choose from 1 to that many."
        )
        raise Invalid(Problem("too_few", message % {"count": len(keys)}, "size"))
    drawn = random.Random(seed).sample(keys, size)
    sample = CodingSample.objects.create(project=project, seed=seed)
    sample.spans.set([pk for _response, _key, pk in drawn])
    return sample


def to_code_again(sample: CodingSample, coder: Rater | None) -> QuerySet[Span]:
    """Spans of the sample that this coder is the second for: coded once, not by them, and no proposal for them seen."""
    counted = coded_by_people(sample.project)
    spans = sample.spans.annotate(coders=Count("classifications", filter=counted)).filter(coders=1)
    if coder is not None:
        spans = spans.filter(~Exists(standing_of(sample.project, coder).filter(span=OuterRef("pk"))))
        spans = spans.filter(~Exists(decided_by(coder).filter(span=OuterRef("pk"))))
    return spans.order_by("pk")


def sample_kappa(sample: CodingSample) -> Figure:
    """Cohen's kappa between the first and the second coder of each span of the sample. n = spans coded twice."""
    rows = Classification.objects.filter(BY_PEOPLE, span__coding_samples=sample).order_by("pk")
    mapping = replaced(sample.project)
    categories: dict[int, list[int]] = {}
    for span_id, category_id in rows.values_list("span_id", "category_id"):
        if (now := read_as(category_id, mapping)) is not None:
            categories.setdefault(span_id, []).append(now)
    pairs = [given[:2] for given in categories.values() if len(given) >= 2]
    return kappa_of(pairs)


def kappa_of(pairs: Sequence[Sequence[int]]) -> Figure:
    known = sorted({category for pair in pairs for category in pair})
    indices = np.array([[known.index(category) for category in pair] for pair in pairs], dtype=np.int64).reshape(-1, 2)
    return cohen_kappa(confusion(indices[:, 0], indices[:, 1], len(known)))
