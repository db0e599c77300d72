"""What a reviewer sees of a span, and under which name: nothing that tells whose it is.

Keys of spans are chosen by whoever marked them and may say so ("judge-3"), and so would their order. A reviewer
gets names made for this one assignment, in an order drawn for it; both are computed again from what is stored,
so a draft can be picked up anywhere.

Which fields are filled would say so as well: where judges mark too, a reviewer sees those fields alone that every span
of the project has. How far judges can still be told from people: reports/spans/measures/blindness.py.
"""

from collections.abc import Iterable
from hashlib import sha256

from django.db.models import Exists, OuterRef, Q

from annotation.models import Marking, Review, Span
from annotation.reviews.planning import reviewed_spans
from annotation.spans.storing import further
from annotation.taxonomy import read_as, replaced
from projects.models import Project, RaterKind, Response
from workflow.models import Assignment


def reviewable(assignment: Assignment) -> list[Span]:
    """The spans of this turn in its own order: of others, and not reviewed by this rater in an earlier turn.

    Spans of several judges as one are their members', who are reviewed themselves.
    """
    mapping = replaced(assignment.stage.project)
    earlier = Review.objects.filter(rater_id=assignment.rater_id).exclude(assignment=assignment)
    spans = (
        reviewed_spans()
        .filter(response=assignment.response)
        .exclude(rater_id=assignment.rater_id)
        .exclude(pk__in=earlier.filter(span__response=assignment.response).values("span"))
        .select_related("category")
    )
    if mapping:
        for span in spans:  # never saved: what is put to the reviewer is what the mark is read as
            span.category_id = read_as(span.category_id, mapping)
    return shuffled(assignment, spans)


def shuffled(assignment: Assignment, spans: Iterable[Span]) -> list[Span]:
    def place(span: Span) -> str:
        return sha256(f"order {assignment.stage.seed} {assignment.uuid} {span.key}".encode()).hexdigest()

    return sorted(spans, key=place)


def blind_key(assignment: Assignment, response: Response, span: Span) -> str:
    """The span's name in this turn. The response's UUID goes in because no reviewer is ever shown it."""
    return sha256(f"name {assignment.uuid} {response.uuid} {span.key}".encode()).hexdigest()[:16]


def by_blind_key(assignment: Assignment) -> dict[str, Span]:
    response = assignment.response
    return {blind_key(assignment, response, span): span for span in reviewable(assignment)}


def shown_optional_fields(project: Project) -> frozenset[str]:
    """Of the fields that not everybody is asked for, those that give nobody away: all where no judge marks in the
    project, else those that every span has."""
    spans = reviewed_spans().filter(response__project=OuterRef("pk"))
    judged = Marking.objects.filter(response__project=OuterRef("pk"), rater__kind=RaterKind.JUDGE, is_evaluation=False)
    split = [before for before, now in replaced(project).items() if now is None]  # read as none, and asked again
    lacking = {
        "category": spans.filter(Q(category=None) | Q(category__in=split)),
        "correction": spans.filter(correction=""),
    }
    asked = Project.objects.filter(pk=project.pk).values_list(
        Exists(judged), *(Exists(without) for without in lacking.values())
    )
    has_judges, *is_lacking = asked.get()
    return frozenset(name for name, lacks in zip(lacking, is_lacking, strict=True) if not (has_judges and lacks))


def blinded(key: str, span: Span, optional: frozenset[str]) -> dict:
    """The span as the screen reads it: what is claimed, never by whom. Offsets are code points, half-open.

    `optional` as `shown_optional_fields`; of the others what is given stays hidden. Further parts are shown always: who
    saw some of the words alone would judge another claim. They are read from `span.more`, best prefetched."""
    parts = [part.raw for part in further(span)]
    return {
        "id": key,
        "anchor": span.anchor,
        "start": span.start,
        "end": span.end,
        "quote": span.quote,
        "paragraph": span.paragraph,
        **({"more": parts} if parts else {}),
        "type": span.error_type,
        "category": span.category.slug if span.category and "category" in optional else "",
        "criticality": span.criticality,
        "explanation": span.explanation.strip(),
        "correction": span.correction.strip() if "correction" in optional else "",
    }
