"""Texts that steps make from responses, and which of a response and what was made of it is taken further."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import regex
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from agreement.words import words
from projects.among import Among
from projects.anchors import sha256
from projects.chunks import in_chunks
from projects.differences import differences
from projects.models import Change, Derivation, DerivationStep, Project, Response, Segmentation

MAX_KEY, MAX_STEP_NAME = 200, 80
GRAPHEME = regex.compile(r"\X")
#: In the metadata of a text that was made from another: how.
DERIVED = "derived"


def collected(responses: QuerySet[Response]) -> QuerySet[Response]:
    """Those that target models wrote: without what was made of them."""
    return responses.filter(derivation=None)


def taken(responses: QuerySet[Response]) -> QuerySet[Response]:
    """Those that stages and judges take: of a response and all that was made of it the newest text of a step that is
    taken, else the response."""
    texts = Derivation.objects.filter(step__is_taken=True, response__isnull=False).order_by()
    newer = texts.filter(original=OuterRef("original"), pk__gt=OuterRef("pk"))
    left = Derivation.objects.filter(Q(step__is_taken=False) | Exists(newer), response=OuterRef("pk")).order_by()
    return responses.filter(~Exists(left), ~Exists(texts.filter(original=OuterRef("pk"))))


def to_change(step: DerivationStep) -> QuerySet[Response]:
    """Responses of the project that are taken further and that the step has not changed, nor looked at in vain.

    What a step makes is not given to it again, whatever other steps made of it meanwhile.
    """
    done = step.derivations.order_by()
    of_original = Derivation.objects.filter(
        response=OuterRef("pk"), original__in=done.values("original")
    )  # a text that was made from a response that this step has had
    responses = taken(Response.objects.filter(project=step.project_id))
    return responses.filter(~Exists(done.filter(original=OuterRef("pk"))), ~Exists(of_original))


def cut(text: str, change: str, limit: int, segmentation: str = "whitespace") -> str:
    """The text to the end of its word or character of that number, as it stands; all of it where it has fewer.

    Characters are what people count (grapheme clusters), so that no letter loses its marks and no emoji its parts.
    """
    if change == Change.WORDS:
        found = words(text, segmentation)
        return text if len(found) <= limit else text[: int(found.ends[limit - 1])]
    if len(text) <= limit:
        return text
    end = 0
    for number, match in enumerate(GRAPHEME.finditer(text), start=1):
        end = match.end()
        if number == limit:
            break
    return text[:end]


@dataclass(frozen=True, slots=True)
class Made:
    """What a step made of a response, which may be the same text."""

    source: Response
    text: str
    rater: int | None = None
    prompt: str = ""
    #: What else its metadata says of how it was made.
    how: Mapping[str, Any] = field(default_factory=dict)


def store(step: DerivationStep, made: Sequence[Made]) -> list[Response]:
    """Add the new texts, each with what it was made from and where the two differ; return them. What the step has made
    of a response already stays; where it changed nothing there is no new text, and that is kept as well.

    Sources come with their variety and whether they were derived (`sources`).
    """
    with transaction.atomic():
        DerivationStep.objects.select_for_update(no_key=True).get(pk=step.pk)  # one writer at a time
        originals = originals_of([each.source.pk for each in made])
        there = set(step.derivations.filter(original__in=Among(originals.values())).values_list("original", flat=True))
        new: list[tuple[Made, Response | None, list[Any]]] = []
        for each in made:
            if originals[each.source.pk] in there:
                continue
            there.add(originals[each.source.pk])
            rule = Segmentation(each.source.variety.segmentation).rule
            edits = differences(each.source.text, each.text, rule)
            new.append((each, response_of(step, each) if edits else None, [list(edit) for edit in edits]))
        texts = [response for _each, response, _edits in new if response is not None]
        make_keys_free(step.project_id, texts)
        Response.objects.bulk_create(texts)
        Derivation.objects.bulk_create(
            Derivation(
                step=step,
                source=each.source,
                original_id=originals[each.source.pk],
                response=response,
                edits=edits,
                rater_id=each.rater,
                prompt=each.prompt,
            )
            for each, response, edits in new
        )
    return texts


def originals_of(ids: Iterable[int]) -> dict[int, int]:
    """By response the collected one that it goes back to: itself where it was not derived."""
    originals = {pk: pk for pk in ids}
    for some in in_chunks(originals):
        originals |= dict(Derivation.objects.filter(response__in=some).values_list("response", "original"))
    return originals


def response_of(step: DerivationStep, made: Made) -> Response:
    source = made.source
    rule = {} if step.limit is None else {str(step.change): step.limit}
    return Response(
        project_id=source.project_id,
        prompt_id=source.prompt_id,
        target_model_id=source.target_model_id,
        variety_id=source.variety_id,
        key=f"{source.key[: MAX_KEY - len(step.name) - 1]}~{step.name}",
        text=made.text,
        text_sha256=sha256(made.text),
        metadata={DERIVED: {"step": step.name, "from": source.key, **rule, **made.how}},
    )


def make_keys_free(project: int, responses: Sequence[Response]) -> None:
    used = set(
        Response.objects.filter(project=project, key__in=[each.key for each in responses]).values_list("key", flat=True)
    )
    for each in responses:
        if each.key in used:
            each.key = f"{each.key[: MAX_KEY - 9]}-{uuid4().hex[:8]}"
        used.add(each.key)


def steps_of(project: Project) -> QuerySet[Any]:
    """With how many texts each has made, and how many it left as they were."""
    made = Count("derivations", filter=Q(derivations__response__isnull=False))
    same = Count("derivations", filter=Q(derivations__response=None))
    return DerivationStep.objects.filter(project=project).annotate(made=made, same=same).order_by("pk")
