"""Categories of kept errors: given by hand, or proposed by a judge and confirmed; some coded twice, for kappa."""

import random
from collections.abc import Sequence

import numpy as np
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.kappa import cohen_kappa, confusion
from annotation.gold import derive
from annotation.models import Classification, CodingSample, ErrorCategory, Span
from projects.models import Project, Rater, RaterKind
from projects.problems import Invalid, Problem

BY_PEOPLE = Q(classifications__rater__kind=RaterKind.HUMAN)


def unclassified(project: Project, coder: Rater | None = None) -> QuerySet[Span]:
    """Kept spans whose error has no category yet, in order; not again those this coder has classified."""
    spans = Span.objects.filter(
        response__project=project, gold_error__isnull=False, gold_error__category=None, gold_error__is_imported=False
    )
    if coder is not None:
        spans = spans.exclude(classifications__rater=coder)
    return spans.order_by("response_id", "start", "pk")


@transaction.atomic
def classify(span: Span, coder: Rater, category: ErrorCategory) -> Classification:
    """The coder's category for a span; choosing again replaces it. Raises Invalid for another project's category."""
    if category.project_id != coder.project_id:
        raise Invalid(Problem("unknown", _("Choose one of the project's categories."), "category"))
    made, _created = Classification.objects.update_or_create(
        span=span, rater=coder, defaults={"category": category, "confirmed_by": None}
    )
    derive([span.response_id])
    return made


def proposal_for(span: Span) -> Classification | None:
    """What a judge suggests for the span, while no person has confirmed it."""
    proposals = span.classifications.filter(rater__kind=RaterKind.JUDGE, confirmed_by=None)
    return proposals.select_related("category").order_by("pk").first()


@transaction.atomic
def confirm(classification: Classification, rater: Rater) -> None:
    """Make this the span's category, whoever proposed it; an earlier confirmation of another one is withdrawn."""
    others = Classification.objects.filter(span=classification.span_id).exclude(pk=classification.pk)
    others.update(confirmed_by=None)
    classification.confirmed_by = rater
    classification.save(update_fields=["confirmed_by"])
    derive([classification.span.response_id])


# --- The doubly coded sample --------------------------------------------------------------------------


@transaction.atomic
def draw_sample(project: Project, size: int, seed: int) -> CodingSample:
    """Draw spans that one person has classified, to be coded by a second; the same seed draws the same spans.

    Raises Invalid where there are fewer such spans than asked for.
    """
    coded = Span.objects.filter(response__project=project).annotate(coders=Count("classifications", filter=BY_PEOPLE))
    keys = sorted(coded.filter(coders__gte=1).values_list("response__key", "key", "pk"))
    if size < 1 or len(keys) < size:
        message = _("There are %(count)d classified errors to draw from; choose from 1 to that many.")
        raise Invalid(Problem("too_few", message % {"count": len(keys)}, "size"))
    drawn = random.Random(seed).sample(keys, size)
    sample = CodingSample.objects.create(project=project, seed=seed)
    sample.spans.set([pk for _response, _key, pk in drawn])
    return sample


def to_code_again(sample: CodingSample, coder: Rater | None) -> QuerySet[Span]:
    """Spans of the sample that this coder is the second for: coded once, and not by them."""
    spans = sample.spans.annotate(coders=Count("classifications", filter=BY_PEOPLE)).filter(coders=1)
    if coder is not None:
        spans = spans.filter(~Exists(Classification.objects.filter(span=OuterRef("pk"), rater=coder)))
    return spans.order_by("pk")


def sample_kappa(sample: CodingSample) -> Figure:
    """Cohen's kappa between the first and the second coder of each span of the sample. n = spans coded twice."""
    rows = Classification.objects.filter(span__coding_samples=sample, rater__kind=RaterKind.HUMAN).order_by("pk")
    categories: dict[int, list[int]] = {}
    for span_id, category_id in rows.values_list("span_id", "category_id"):
        categories.setdefault(span_id, []).append(category_id)
    pairs = [given[:2] for given in categories.values() if len(given) >= 2]
    return kappa_of(pairs)


def kappa_of(pairs: Sequence[Sequence[int]]) -> Figure:
    known = sorted({category for pair in pairs for category in pair})
    indices = np.array([[known.index(category) for category in pair] for pair in pairs], dtype=np.int64).reshape(-1, 2)
    return cohen_kappa(confusion(indices[:, 0], indices[:, 1], len(known)))
