"""What judges are shown of the items of questionnaires: which responses stand together, turns, a reference."""

import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from annotation.questionnaires.shown import Item, current, ready_pairs, ready_prompts, ready_responses, reference, turns
from formats.layout import Shown, Subject, asked_of, subject_of
from judging.kinds import ShownQuestionnaire
from judging.kinds.ratings import OTHER, PAIR, ids_of, named
from judging.kinds.ratings import subjects as rated
from projects.among import Among
from projects.derived import taken
from projects.laboratories import laboratory_slug
from projects.models import Prompt, Response
from workflow.models import Stage

STAGE, PROMPT, BESIDE, BESIDE_PROMPT = "stage", "prompt", "beside", "besides"


class Side(NamedTuple):
    """A response of an item, with its model and laboratory for the guard alone."""

    id: int
    model: str
    laboratory: str


class AskedItem(NamedTuple):
    """An item of a questionnaire: what it is about, one of `Subject` and its id, and its responses in their order.

    A prompt alone shows none: its call stands under one of `covered`, the responses to it that are looked at.
    """

    subject: str
    id: int
    sides: tuple[Side, ...]
    covered: tuple[int, ...] = ()

    @property
    def under(self) -> int:
        """The response (id) that the call stands under."""
        return self.sides[0].id if self.sides else self.covered[0]


class ShownBeside(NamedTuple):
    """What a layout shows beside the response: the conversation that led to it, and the reference answer."""

    id: int
    conversation: str
    reference: str
    author: None = None


class ShownSubject(NamedTuple):
    """That a prompt is still there, and the language that it is in: nothing of it is shown but its words."""

    id: int
    language: str = ""
    author: None = None


def items_of(stage: Stage, responses: Collection[int], rater: int) -> Iterator[AskedItem]:
    """The items of a questionnaire that have any of these responses (ids), in an order of responses drawn for the rater
    and the prompt. Two statements at most. A prompt alone is asked about under the first of its responses."""
    subject = subject_of(stage.show)
    if subject == Subject.RESPONSE:
        for _prompt, side in _sides(ready_responses(stage).filter(pk__in=Among(responses))):
            yield AskedItem(subject, side.id, (side,))
    elif subject == Subject.PAIR:
        pairs = ready_pairs(stage)
        rows = (pairs.filter(first__in=Among(responses)) | pairs.filter(second__in=Among(responses))).order_by("pk")
        of_pairs = list(rows.values_list("pk", "prompt", "first", "second"))
        by_id = {side.id: side for _prompt, side in _sides(_among(one for row in of_pairs for one in row[2:]))}
        for pk, prompt, first, second in of_pairs:
            yield AskedItem(subject, pk, _drawn(stage, rater, prompt, [by_id[first], by_id[second]]))
    elif Shown.RESPONSES in stage.show:
        prompts = ready_prompts(stage).filter(pk__in=Prompt.objects.filter(responses__in=Among(responses)))
        together: dict[int, list[Side]] = defaultdict(list)
        for prompt, side in _sides(current(taken(Response.objects.filter(prompt__in=prompts)))):
            together[prompt].append(side)
        for prompt, sides in together.items():
            yield AskedItem(subject, prompt, _drawn(stage, rater, prompt, sides))
    else:
        of_prompts = _among(responses).filter(prompt__in=ready_prompts(stage)).order_by("pk")
        alone: dict[int, list[int]] = defaultdict(list)
        for prompt, pk in of_prompts.values_list("prompt", "pk"):
            alone[prompt].append(pk)
        for prompt, covered in alone.items():
            yield AskedItem(subject, prompt, (), tuple(covered))


def _among(responses: Any) -> Any:
    return Response.objects.filter(pk__in=Among(responses))


def _sides(responses: Any) -> Iterator[tuple[int, Side]]:
    columns = ("prompt", "pk", "target_model__name", laboratory_slug())
    for prompt, *side in responses.order_by("pk").values_list(*columns):
        yield prompt, Side._make(side)


def _drawn(stage: Stage, rater: int, prompt: int, sides: Sequence[Side]) -> tuple[Side, ...]:
    """As people's are drawn (`annotation.questionnaires.shown`): no model is always read first."""
    sides = sorted(sides)
    random.Random(f"{stage.seed}:{rater}:{prompt}").shuffle(sides)
    return tuple(sides)


def about(stage: Stage, item: AskedItem) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names that a call's number is made of, and those of all that it is about."""
    keyed = (named(STAGE, stage.pk), *_subject(item))
    beside: tuple[str, ...] = ()
    if {Shown.CONVERSATION, Shown.REFERENCE} & set(stage.show):
        beside = (named(BESIDE, item.under) if item.sides else named(BESIDE_PROMPT, item.id),)
    return keyed, (*keyed, *(named(OTHER, one.id) for one in item.sides[1:]), *beside)


def _subject(item: AskedItem) -> tuple[str, ...]:
    """Of one response nothing: the call stands under it."""
    if item.subject == Subject.RESPONSE:
        return ()
    return (named(PAIR if item.subject == Subject.PAIR else PROMPT, item.id),)


def subjects(names: Collection[Any]) -> dict[str, Any]:
    """What calls are about, by the names in `Call.about`, as far as it is there. One statement for each sort."""
    found = rated([name for name in names if str(name).partition(":")[0] in (PAIR, OTHER)])
    if stages := ids_of(STAGE, names):
        there = Stage.objects.filter(pk__in=Among(stages)).values_list("pk", "name", "ask")
        found |= {
            named(STAGE, pk): ShownQuestionnaire(pk, name, frozenset(part.key for part in asked_of(ask)))
            for pk, name, ask in there
        }
    if prompts := ids_of(PROMPT, names):
        asked = Prompt.objects.filter(pk__in=Among(prompts)).values_list("pk", "variety__name")
        found |= {named(PROMPT, pk): ShownSubject(pk, language) for pk, language in asked}
    if beside := ids_of(BESIDE, names):
        for response in _among(beside).select_related("prompt__variety", "variety"):
            found[named(BESIDE, response.pk)] = _beside(response.pk, Item(response.prompt, (response,)))
    if beside := ids_of(BESIDE_PROMPT, names):
        for prompt in Prompt.objects.filter(pk__in=Among(beside)).select_related("variety"):
            found[named(BESIDE_PROMPT, prompt.pk)] = _beside(prompt.pk, Item(prompt, ()))
    return found


def _beside(pk: int, item: Item) -> ShownBeside:
    said = "\n\n".join(f"{turn.role}: {turn.text}" for turn in turns(item))
    return ShownBeside(pk, said, reference(item))
