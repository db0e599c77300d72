"""What reviewers said of a mark, in words for people: the verdict, a comment, each field they changed. Nobody's name,
no time; the order is drawn."""

from dataclasses import dataclass
from hashlib import sha256

from django.utils.translation import gettext as _

from annotation.models import ErrorCategory
from annotation.outcomes import Case, ReviewRow
from formats.choices import ReviewVerdict
from projects.models import Project
from projects.vocabularies import vocabularies


@dataclass(frozen=True, slots=True)
class Said:
    """What one reviewer said of the mark: the verdict in words, a comment, and each field they changed."""

    verdict: str
    comment: str
    changes: list[tuple[str, str]]


class Names:
    """The project's words for what a reviewer can change."""

    def __init__(self, project: Project) -> None:
        words = vocabularies(project)
        self.types = {label.slug: str(label.label) for label in words.error_types.labels}
        self.criticality = {label.slug: str(label.label) for label in words.criticality.labels}
        self.categories = {each.pk: str(each.label) for each in ErrorCategory.objects.filter(project=project)}

    def of(self, case: Case) -> list[Said]:
        """What everybody said of the mark."""
        in_order = sorted(case.reviews, key=lambda review: sha256(f"said {review.id}".encode()).hexdigest())
        return [self.said(case, review) for review in in_order]

    def said(self, case: Case, review: ReviewRow) -> Said:
        changes = [] if review.verdict != ReviewVerdict.CORRECT else self.changes(case, review)
        return Said(str(ReviewVerdict(review.verdict).label), review.comment.strip(), changes)

    def changes(self, case: Case, review: ReviewRow) -> list[tuple[str, str]]:
        """Each field that the reviewer filled otherwise than the mark has it."""
        span = case.span
        offered = (
            (_("Words"), review.quote, span.quote if (review.start, review.end) == (span.start, span.end) else ""),
            (_("Type"), self.types.get(review.error_type, ""), self.types.get(span.error_type, "")),
            (_("Category"), self.category(review.category_id), self.category(span.category_id)),
            (_("Criticality"), self.criticality.get(review.criticality, ""), self.criticality.get(span.criticality)),
            (_("Explanation"), review.explanation.strip(), span.explanation.strip()),
            (_("Correction"), review.correction.strip(), span.correction.strip()),
        )
        return [(name, now) for name, now, before in offered if now and now != before]

    def category(self, pk: int | None) -> str:
        return self.categories.get(pk, "") if pk else ""
