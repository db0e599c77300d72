"""What people and judges marked and rated in a project, as what the formats of other tools are written from."""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import groupby

from django.db.models import Exists, OuterRef, Prefetch

from annotation.models import AnchorKind, Marking, Rating, Span
from annotation.spans.storing import further
from benchmark.held_back import held_back
from formats.foreign.documents import Answer, Document, Loss, Mark
from formats.foreign.rated import Game, Rated, Side
from projects.models import Project, Prompt, QuestionType, RaterKind

AT_ONCE = 200
SAID = ("criticality", "explanation")
#: What is said of a mark by the column that says it; formats declare those that they hold (`HOLDS`).
KEPT_APART = {
    "types": "error_type",
    "categories": "category_id",
    "criticality": "criticality",
    "explanations": "explanation",
    "corrections": "correction",
}
#: The highest grade of a question type whose grades are scores of a whole text.
OF_SCORES = 100
WEIGHTS = {"first": 1.0, "tie": 1.5, "second": 2.0}


def documents_of(project: Project, holds: Collection[str], lost: Counter[str] | None = None) -> Iterator[Document]:
    """Each response of the project that somebody has marked, in the order in which they came, with all answers.

    holds  what the format does: of `KEPT_APART` the names, "omissions", "parts" and "raters"
    lost   counts what it does not, by `Loss`

    Errors that point at no words are left out unless the format holds them; so are answers that are not whole, those
    that only evaluate a judge, and responses to prompts that are held back. Further parts of an error are marks of
    their own unless the format holds them.
    """
    lost = Counter() if lost is None else lost
    whole = Marking.objects.filter(is_complete=True, is_evaluation=False).select_related("rater").order_by("pk")
    words = Span.objects.select_related("category").prefetch_related("more").order_by("pk")
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
        answers = [_answer(marking, scored.get(marking.rater_id), holds, lost) for marking in response.markings.all()]
        if "raters" not in holds:
            lost[Loss.RATERS] += len(answers)
        yield Document(response.key, response.text, facts, answers)


def _answer(marking: Marking, score: float | None, holds: Collection[str], lost: Counter[str]) -> Answer:
    rater = marking.rater
    model = rater.model if rater.kind == RaterKind.JUDGE else ""
    marks = [mark for span in marking.spans.all() for mark in _marks(span, holds, lost)]
    if score is not None and "scores" not in holds:
        lost[Loss.SCORES] += 1
    return Answer(rater.name, marks, model, score=score)


def _marks(span: Span, holds: Collection[str], lost: Counter[str]) -> Iterator[Mark]:
    """A mark with its further parts; in a format that holds none, each of them as one under its key with a number."""
    if span.anchor != AnchorKind.WORDS and "omissions" not in holds:
        lost[Loss.OMISSIONS] += 1
        return
    for name, column in KEPT_APART.items():
        if name not in holds and getattr(span, column):
            lost[Loss(name)] += 1
    said = {name: getattr(span, name) for name in SAID if getattr(span, name)}
    if span.anchor != AnchorKind.WORDS:
        said["anchor"] = span.anchor
    category = span.category.slug if span.category else ""
    more = [(part.start, part.end) for part in further(span)]
    yield Mark(span.key, span.start or 0, span.end or 0, category, said, more=more if "parts" in holds else [])
    if "parts" in holds:
        return
    if more:
        lost[Loss.TIES] += 1
    for number, place in enumerate(more, start=2):
        yield Mark(f"{span.key}.{number}", *place, category, dict(said))


# --- Ratings --------------------------------------------------------------------------------------------


def ratings_of(question: QuestionType) -> Iterator[Rated]:
    """Everybody's latest answers on a question type, on responses and pairs, pair by pair.

    Answers to checks are left out, and those on prompts that are held back.
    """
    later = Rating.objects.filter(
        question=OuterRef("question"), rater=OuterRef("rater"), round__gt=OuterRef("round"), is_check=False
    )
    of_pair, of_one = later.filter(pair=OuterRef("pair")), later.filter(response=OuterRef("response"))
    secret = Prompt.objects.filter(held_back("pk"), project=question.project_id)
    ratings = Rating.objects.filter(~Exists(of_pair), ~Exists(of_one), question=question, is_check=False)
    ratings = ratings.exclude(pair__prompt__in=secret).exclude(response__prompt__in=secret)
    sides = ("pair__first", "pair__second", "response")
    related = [f"{side}__target_model" for side in sides]
    ratings = ratings.select_related("rater", "pair__prompt", "response__prompt", *related)
    # The two orders of one answer stand one behind the other.
    in_order = ratings.order_by("pair", "response", "rater", "is_swapped")
    rows = in_order.iterator(AT_ONCE)
    for _whose, games in groupby(rows, lambda each: (each.pair_id, each.response_id, each.rater_id)):
        yield _rated(list(games))


def _rated(games: list[Rating]) -> Rated:
    rating = games[0]
    responses = [rating.pair.first, rating.pair.second] if rating.pair else [rating.response]
    sides = [Side(each.target_model.name, each.text) for each in responses if each is not None]
    about = rating.pair or rating.response
    assert about is not None
    prompt, rater = about.prompt, rating.rater
    model = rater.model if rater.kind == RaterKind.JUDGE else ""
    said = tuple(Game(_weight(each), each.first_grade, each.comment) for each in games)
    return Rated(prompt.key, prompt.text, prompt.domain, tuple(sides), rater.name, model, said, rating.created_at)


def _weight(rating: Rating) -> float | None:
    """From 1 for the first to 2 for the second of a pair: as surely as the judge says, else what was preferred
    outright, else what the grades say."""
    if rating.pair_id is None or rating.is_unparseable:
        return None
    if rating.probabilities:
        first, tie, second = rating.probabilities
        return float(first + 1.5 * tie + 2 * second)
    if rating.preference:
        return WEIGHTS[rating.preference]
    assert rating.first_grade is not None
    assert rating.second_grade is not None
    difference = rating.second_grade - rating.first_grade
    return 1.5 if difference == 0 else 1.0 if difference < 0 else 2.0
