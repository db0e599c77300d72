"""What a layout shows of an item: its prompt, its responses in the order drawn for a rater, turns, a reference."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from formats.layout import Shown, Subject, subject_of
from projects.derived import taken
from projects.models import LanguageVariety, Prompt, Response, ResponsePair
from workflow.models import Assignment, Stage

#: Beyond that many, nobody ranks responses; their letters would run out as well.
MOST_RANKED = 12
LETTERS = "ABCDEFGHIJKL"
#: Of turns before the prompt, as `turns` of the metadata has them.
MOST_TURNS = 200
ROLES = ("user", "assistant", "system")


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    text: str
    variety: LanguageVariety


@dataclass(frozen=True, slots=True)
class Item:
    """What an item is about: its prompt and its responses, which need `variety` and `target_model`."""

    prompt: Prompt
    responses: tuple[Response, ...]

    @property
    def names(self) -> list[str]:
        """What screen and drafts call each response; a key may name a model."""
        return [str(response.uuid) for response in self.responses]


def item_of(assignment: Assignment) -> Item:
    """In a number of statements that does not grow with the responses. The order of several is drawn from the stage's
    seed, the rater and the prompt, so that no model is always read first; it is the same at every look."""
    subject = subject_of(assignment.stage.show)
    rows = Response.objects.select_related("prompt__variety", "variety", "target_model")
    if subject == Subject.RESPONSE:
        response = rows.get(pk=assignment.response.pk)
        return Item(response.prompt, (response,))
    if subject == Subject.PAIR:
        pair = assignment.pair
        found = list(rows.filter(pk__in=[pair.first_id, pair.second_id]).order_by("pk"))
        return Item(found[0].prompt, _drawn(assignment, pair.prompt_id, found))
    prompt = Prompt.objects.select_related("variety").get(work_items=assignment.item_id)
    if Shown.RESPONSES not in assignment.stage.show:
        return Item(prompt, ())
    found = list(current(taken(rows.filter(prompt=prompt))).order_by("pk")[:MOST_RANKED])
    return Item(prompt, _drawn(assignment, prompt.pk, found))


def _drawn(assignment: Assignment, prompt: int, responses: list[Response]) -> tuple[Response, ...]:
    random.Random(f"{assignment.stage.seed}:{assignment.rater_id}:{prompt}").shuffle(responses)
    return tuple(responses)


def current(responses: QuerySet[Response]) -> QuerySet[Response]:
    """Those that no other version has followed."""
    return responses.filter(~Exists(Response.objects.filter(earlier=OuterRef("pk"))))


# --- What is ready to become an item ----------------------------------------------------------------------


def ready_responses(stage: Stage) -> QuerySet[Response]:
    if not stage.ask or subject_of(stage.show) != Subject.RESPONSE:
        return Response.objects.none()
    return current(taken(Response.objects.filter(project=stage.project_id)))


def ready_pairs(stage: Stage) -> QuerySet[ResponsePair]:
    if not stage.ask or subject_of(stage.show) != Subject.PAIR:
        return ResponsePair.objects.none()
    return ResponsePair.objects.filter(project=stage.project_id)


def ready_prompts(stage: Stage) -> QuerySet[Prompt]:
    """All prompts; where responses are ranked, those of which from two to twelve are shown: of a response and what was
    made of it one alone."""
    if not stage.ask or subject_of(stage.show) != Subject.PROMPT:
        return Prompt.objects.none()
    prompts = Prompt.objects.filter(project=stage.project_id)
    if Shown.RESPONSES not in stage.show:
        return prompts
    shown = current(taken(Response.objects.filter(project=stage.project_id))).order_by()
    counted = shown.values("prompt").annotate(n=Count("pk")).filter(n__gte=2, n__lte=MOST_RANKED)
    return prompts.filter(pk__in=counted.values("prompt"))


# --- Texts that stand beside --------------------------------------------------------------------------------


def turns(item: Item) -> list[Turn]:
    """The turns before the prompt, as the metadata of the response or of the prompt has them, then the prompt."""
    if item.prompt.messages:
        return [Turn(each["role"], each["content"], item.prompt.variety) for each in item.prompt.messages]
    before = _beside(item, "turns")
    made = [
        Turn(turn["role"] if turn.get("role") in ROLES else ROLES[0], str(turn["text"]), item.prompt.variety)
        for turn in (before if isinstance(before, list) else [])[:MOST_TURNS]
        if isinstance(turn, Mapping) and isinstance(turn.get("text"), str) and turn["text"].strip()
    ]
    return [*made, Turn(ROLES[0], item.prompt.text, item.prompt.variety)]


def reference(item: Item) -> str:
    """The reference answer, `reference` of the metadata of the response or of the prompt; empty where there is none."""
    found = _beside(item, "reference")
    return found if isinstance(found, str) else ""


def _beside(item: Item, name: str) -> Any:
    rows: Sequence[Response | Prompt] = (*item.responses[:1], item.prompt)
    return next((row.metadata[name] for row in rows if isinstance(row.metadata, dict) and row.metadata.get(name)), None)
