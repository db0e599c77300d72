"""Builders of answers for tests of what comes after marking: spans, reviews, and many of both at once."""

from annotation.models import Marking, Review, Span
from projects.models import Project, Rater, Response, User


def rater_of(person: User | Rater, project: Project) -> Rater:
    return person if isinstance(person, Rater) else Rater.objects.get(project=project, user=person)


def mark(response: Response, person: User | Rater, *quotes: str, round: int = 1, **fields) -> list[Span]:
    """The person's marking of a response: a span per quote, keyed `<name>-<n>`, of a later round `<name>-<round>-<n>`;
    none says "no errors"."""
    rater = rater_of(person, response.project)
    marking = Marking.objects.create(response=response, rater=rater, no_errors=not quotes, round=round)
    name = "-".join([rater.name.split()[0].lower(), *[str(round)] * (round > 1)])
    spans = []
    for number, quote in enumerate(quotes, start=1):
        start = response.text.index(quote)
        span = Span(
            marking=marking,
            response=response,
            rater=rater,
            key=f"{name}-{number}",
            start=start,
            end=start + len(quote),
            quote=quote,
            **{"error_type": "cultural", "criticality": "high", "explanation": f"about {quote}", **fields},
        )
        span.save()
        spans.append(span)
    return spans


def review(span: Span, person: User | Rater, verdict: str, **fields) -> Review:
    rater = rater_of(person, span.response.project)
    return Review.objects.create(span=span, rater=rater, verdict=verdict, **fields)


def many_marked(project: Project, responses: list[Response], per_response: list[int]) -> int:
    """Two people mark `per_response[i]` spans in response i in turn, and keep all of each other's."""
    first, second = (Rater.objects.create(project=project, kind="human", name=name) for name in ("Salma", "Yara"))
    markings = [Marking(response=response, rater=rater) for response in responses for rater in (first, second)]
    Marking.objects.bulk_create(markings)
    marking_of = {(marking.response_id, marking.rater_id): marking for marking in markings}
    spans = []
    for response, count in zip(responses, per_response, strict=True):
        words = response.text.split(" ")
        position = 0
        for number in range(count):
            rater = (first, second)[number % 2]
            quote = words[number]
            spans.append(
                Span(
                    marking=marking_of[response.id, rater.id],
                    response=response,
                    rater=rater,
                    key=f"s{number}",
                    start=position,
                    end=position + len(quote),
                    quote=quote,
                    error_type="cultural",
                    criticality="medium",
                    explanation="The custom belongs to another feast and nobody here would say so.",
                )
            )
            position += len(quote) + 1
    Span.objects.bulk_create(spans, batch_size=1000)
    other = {first.id: second, second.id: first}
    Review.objects.bulk_create(
        [Review(span=span, rater=other[span.rater_id], verdict="keep") for span in spans], batch_size=1000
    )
    return len(spans)
