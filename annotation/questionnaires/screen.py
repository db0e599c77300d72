"""What the screen of a questionnaire shows: the texts that the layout names, in its order, and what is asked.

Nothing on it names a target model, unless the project says so, and no key of a response.
"""

from collections.abc import Sequence
from typing import Any

from annotation.questionnaires.shown import LETTERS, Item, reference, turns
from formats.layout import Asked, Shown, Type
from workflow.answer_rules import rules_of
from workflow.broken_rules import message_of
from workflow.layouts import parts_of
from workflow.models import Assignment, Layout

#: Shown beside what is judged, in this order.
BESIDE = (Shown.PROMPT, Shown.SOURCE, Shown.CONVERSATION, Shown.REFERENCE)


def screen(assignment: Assignment, body: dict, item: Item) -> dict:
    """Template context; `task` is what the page's script reads."""
    stage = assignment.stage
    show = list(stage.show)
    judged = item.responses or (item.prompt,)
    variety = judged[0].variety
    parts = parts_of(stage)
    return {
        "blocks": blocks(show, item),
        "sides": _sides(item, show, stage.project.show_target_model),
        "is_beside": stage.layout == Layout.BESIDE or Shown.SOURCE in show,
        "parts": parts,
        "task": {
            "draft": body,
            "sides": item.names,
            "lang": variety.tag,
            "dir": variety.direction,
            "rules": [{**rule, "message": message_of(rule)} for rule in rules_of(stage)],
            "questions": [as_asked(part, len(item.responses)) for part in parts],
        },
    }


def blocks(show: Sequence[str], item: Item) -> list[dict[str, Any]]:
    """What stands beside what is judged: `part`, `title`, and `texts` with who said each where they are turns."""
    return [block for part in show if part in BESIDE for block in _blocks(part, item)]


def _sides(item: Item, show: list[str], shows_model: bool) -> list[dict[str, Any]]:
    """What is judged: the responses, or the prompt itself where there are none."""
    if not item.responses:
        part = Shown.SOURCE if Shown.SOURCE in show else Shown.PROMPT
        return [_side(part.label, LETTERS[0], item.prompt.text, item.prompt.variety, "")]
    several = len(item.responses) > 1
    title = Shown.TARGET.label if Shown.TARGET in show else Shown.RESPONSE.label
    return [
        _side(
            "" if several else title,
            letter,
            response.text,
            response.variety,
            response.target_model.name if shows_model else "",
        )
        for letter, response in zip(LETTERS, item.responses, strict=False)
    ]


def _side(title: Any, letter: str, text: str, variety: Any, target_model: str) -> dict[str, Any]:
    return {"title": title, "letter": letter, "text": text, "variety": variety, "target_model": target_model}


def _blocks(part: str, item: Item) -> list[dict[str, Any]]:
    """What stands beside: a title, and texts with who said each where they are turns."""
    if part == Shown.REFERENCE:
        text = reference(item)
        return [_block(part, [{"role": "", "text": text, "variety": item.prompt.variety}])] if text else []
    if part == Shown.CONVERSATION:
        texts = [{"role": turn.role, "text": turn.text, "variety": turn.variety} for turn in turns(item)]
        return [_block(part, texts)]
    if not item.responses:
        return []  # it is what is judged
    return [_block(part, [{"role": "", "text": item.prompt.text, "variety": item.prompt.variety}])]


def _block(part: str, texts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"part": str(part), "title": Shown(part).label, "texts": texts}


def as_asked(part: Asked, n_responses: int) -> dict[str, Any]:
    """What a script needs to know of a part; the grades of a ranking are its ranks."""
    bounds = (1, n_responses) if part.type == Type.RANKING else (part.lowest, part.highest)
    labels = dict(zip(map(str, map(_whole, bounds)), part.ends, strict=True)) if part.ends else {}
    return {
        "slug": part.key,
        "type": part.type,
        "name": part.question,
        "options": list(part.options),
        "lowest": _whole(bounds[0]),
        "highest": _whole(bounds[1]),
        "labels": labels,
        "most": part.most,
        "ties": part.has_ties,
        "optional": part.is_optional,
    }


def _whole(number: float | None) -> float | int | None:
    """Without a fraction where there is none: 5 and not 5.0."""
    return int(number) if number is not None and number == int(number) else number
