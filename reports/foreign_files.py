"""What people and judges marked in a project, as documents that the formats of other tools are written from."""

from collections.abc import Iterator

from django.db.models import Prefetch

from annotation.models import AnchorKind, Marking, Rating, Span
from benchmark.held_back import held_back
from formats.foreign.documents import Answer, Document, Mark
from projects.models import Project, Prompt, RaterKind

AT_ONCE = 200
SAID = ("criticality", "explanation")
#: The highest grade of a question type whose grades are scores of a whole text.
OF_SCORES = 100


def documents_of(project: Project, holds_omissions: bool = False) -> Iterator[Document]:
    """Each response of the project that somebody has marked, in the order in which they came, with all answers.

    Errors that point at no words are left out unless the format holds them; so are answers that are not whole, those
    that only evaluate a judge, and responses to prompts that are held back.
    """
    whole = Marking.objects.filter(is_complete=True, is_evaluation=False).select_related("rater").order_by("pk")
    words = Span.objects.select_related("category").order_by("pk")
    if not holds_omissions:
        words = words.filter(anchor="words")
    scores = Rating.objects.filter(question__lowest=0, question__highest=OF_SCORES, first_grade__isnull=False)
    secret = Prompt.objects.filter(held_back("pk"), project=project)
    responses = project.responses.filter(pk__in=whole.values("response")).exclude(prompt__in=secret).order_by("pk")
    responses = responses.select_related("prompt", "target_model", "variety").prefetch_related(
        Prefetch("markings", whole),
        Prefetch("markings__spans", words),
        Prefetch("ratings", scores.filter(is_check=False).order_by("round", "pk")),
    )
    for response in responses.iterator(AT_ONCE):
        facts = {
            "prompt": response.prompt.text,
            "model": response.target_model.name,
            "variety": response.variety.tag,
        }
        scored = {rating.rater_id: rating.first_grade for rating in response.ratings.all()}
        answers = [_answer(marking, scored.get(marking.rater_id)) for marking in response.markings.all()]
        yield Document(response.key, response.text, facts, answers)


def _answer(marking: Marking, score: float | None) -> Answer:
    rater = marking.rater
    model = rater.model if rater.kind == RaterKind.JUDGE else ""
    return Answer(rater.name, [_mark(span) for span in marking.spans.all()], model, score=score)


def _mark(span: Span) -> Mark:
    said = {name: getattr(span, name) for name in SAID if getattr(span, name)}
    if span.anchor != AnchorKind.WORDS:
        said["anchor"] = span.anchor
    return Mark(span.key, span.start or 0, span.end or 0, span.category.slug if span.category else "", said)
