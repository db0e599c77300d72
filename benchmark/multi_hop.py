"""Shuffled contexts that a model has to put in order before it can answer: multi-hop questions as ABBL has them.

A story is cut into lines of ten characters, which are shuffled by a seed and buried among lines of distractors cut in
the same way. The question is asked openly and its answer is the reference; either can be cut and buried as well. The
same seed and texts give the same bytes. Pure. Source: K. Ouda (2025), the 4-Birds Multihop Challenge and appendix D.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import regex

#: Characters of a line, as people count them (grapheme clusters), so that no letter loses its marks.
WIDTH = 10
CHARACTER = regex.compile(r"\X")
LINE_BREAKS = regex.compile(r"\s*\R\s*")
#: What of a source can be cut and buried.
PARTS = ("story", "question", "answer")
BUILDER = "multi_hop/1"


@dataclass(frozen=True, slots=True)
class Context:
    """lines   in the order they are shown in;
    places  of each part that was cut, where its lines stand in `lines`, from 0, in the order of the text.
    """

    lines: Sequence[str]
    places: Mapping[str, Sequence[int]]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def recovered(self, part: str) -> str:
        """The part put together again, as `on_one_line` has it."""
        return "".join(self.lines[place] for place in self.places[part])


def on_one_line(text: str) -> str:
    """The text with a space in the place of each line break: a line of the context is one piece of it."""
    return LINE_BREAKS.sub(" ", text.strip())


def cut(text: str, width: int = WIDTH) -> list[str]:
    """The text in pieces of `width` grapheme clusters, the last one shorter; together they are the text.

    Raises ValueError for a width below 1.
    """
    if width < 1:
        raise ValueError("a line has at least one character")
    characters = CHARACTER.findall(text)
    return ["".join(characters[begin : begin + width]) for begin in range(0, len(characters), width)]


def build(parts: Mapping[str, str], distractors: Iterable[str] = (), *, seed: int | str, width: int = WIDTH) -> Context:
    """Cut the parts and the distractors, and shuffle all lines. Raises ValueError for a text that says nothing."""
    texts = [(part, on_one_line(text)) for part, text in parts.items()]
    texts += [("", on_one_line(text)) for text in distractors]
    if not all(text for _part, text in texts):
        raise ValueError("every text says something")
    pieces = [(part, piece) for part, text in texts for piece in cut(text, width)]
    order = list(range(len(pieces)))
    random.Random(seed).shuffle(order)
    places: dict[str, list[int]] = {part: [] for part in parts}
    place_of = {number: place for place, number in enumerate(order)}
    for number, (part, _piece) in enumerate(pieces):
        if part:
            places[part].append(place_of[number])
    return Context([pieces[number][1] for number in order], places)


def question_line(
    source: Mapping[str, Any],
    distractors: Sequence[str],
    *,
    seed: int,
    buried: Sequence[str] = ("story",),
    width: int = WIDTH,
) -> dict[str, Any]:
    """A line for the import of questions: the question is asked of the context, and its answer is the reference.

    source  "id", "story", "question", "answer"; every other field goes along. Each source has a shuffle of its own,
            which depends on the seed and its id alone.
    buried  which parts are cut into the context.

    `metadata.context` says with what the context was built and where the lines of each part stand. Raises ValueError
    for an unknown part and as `build`.
    """
    if unknown := set(buried) - set(PARTS):
        raise ValueError(f"no part of a source: {', '.join(sorted(unknown))}")
    parts = {part: source[part] for part in PARTS if part in buried}
    context = build(parts, distractors, seed=f"{seed} {source['id']}", width=width)
    made = {"builder": BUILDER, "seed": seed, "width": width, "places": dict(context.places)}
    rest = {name: value for name, value in source.items() if name not in PARTS}
    return {
        **rest,
        "instruction": source["question"],
        "input": context.text,
        "output": source["answer"],
        "metadata": {**(source.get("metadata") or {}), "context": made},
    }
