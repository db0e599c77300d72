"""Prompts, rubrics and responses in Egyptian and Iraqi Arabic, put together from hand-written parts.

Every criterion quotes, between «guillemets», the words that decide it: a response that passes holds them, one that
fails does not, and an error's words stand where the error is. The parts are in `sentences/`; nobody means anything
by the texts that come of them.
"""

import json
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

SENTENCES = Path(__file__).parent / "sentences"
SLOT = re.compile(r"\{(\w+)\}")
OMISSION = "omission"


@cache
def parts_of(variety: str) -> dict:
    """The sentence parts of a variety. Raises FileNotFoundError where there are none."""
    return json.loads((SENTENCES / f"{variety}.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Fact:
    """What a good answer says, and the criterion that asks for it."""

    words: str
    criterion: str


@dataclass(frozen=True)
class Question:
    """A prompt about one topic, and the words every response to it opens with."""

    variety: str
    scope: str
    text: str
    opening: str


@dataclass(frozen=True)
class Placed:
    """An error as it stands in a response: code points, half-open; None and "" for something that is missing."""

    failure_type: str
    criterion: str
    start: int | None
    end: int | None
    quote: str


@dataclass
class Page:
    """A response under construction that remembers where its errors and its last sentence lie."""

    text: str = ""
    errors: list[Placed] = field(default_factory=list)
    closing: tuple[int, int] = (0, 0)

    def say(self, lead: str, words: str) -> tuple[int, int]:
        """Add a sentence; return where its words lie."""
        self.text += (" " if self.text else "") + lead
        start = len(self.text)
        self.text += words
        end = len(self.text)
        self.text += "."
        return start, end


def questions(variety: str, scope: str, count: int) -> list[Question]:
    """So many different questions: each topic once, then each topic in the other wording."""
    parts = parts_of(variety)
    asked = [(wording, topic) for wording in parts["prompts"][scope] for topic in parts["topics"][scope]]
    return [
        Question(variety, scope, wording.format(topic=topic), parts["open"][scope].format(topic=topic))
        for wording, topic in asked[:count]
    ]


def fill(rng: Random, variety: str, template: str) -> str:
    slots = parts_of(variety)["slots"]
    return SLOT.sub(lambda slot: rng.choice(slots[slot[1]]), template)


def facts(rng: Random, question: Question, band: str, count: int) -> list[Fact]:
    """Different facts of one weight band, and how a criterion asks for each."""
    parts = parts_of(question.variety)
    chosen = rng.sample(parts["facts"][question.scope][band], count)
    filled = [fill(rng, question.variety, template) for template in chosen]
    return [Fact(words, rng.choice(parts["criterion"]).format(words=words)) for words in filled]


def room(variety: str, failure_type: str) -> int:
    """How many different errors of this type one response can hold."""
    parts = parts_of(variety)
    return len(parts["omissions"] if failure_type == OMISSION else parts["errors"].get(failure_type, ()))


def write(rng: Random, question: Question, said: list[Fact], errors: dict[str, int]) -> Page:
    """A response that says these facts and makes so many errors of each type; same `rng` state, same text."""
    parts = parts_of(question.variety)
    page = Page()
    page.say("", question.opening)
    sentences: list[tuple[str, str]] = [(fact.words, "") for fact in said]
    for failure_type, count in errors.items():
        if failure_type == OMISSION:
            for template in rng.sample(parts["omissions"], count):
                criterion = template.format(words=question.opening)
                page.errors.append(Placed(failure_type, criterion, None, None, ""))
        else:
            chosen = rng.sample(parts["errors"][failure_type], count)
            sentences += [(fill(rng, question.variety, template), failure_type) for template in chosen]
    rng.shuffle(sentences)
    for words, failure_type in sentences:
        lead = "" if words.startswith("و") else rng.choice(parts["leads"])
        start, end = page.say(lead, words)
        if failure_type:
            criterion = parts["error_criterion"][failure_type].format(words=words)
            page.errors.append(Placed(failure_type, criterion, start, end, words))
    page.closing = page.say("", rng.choice(parts["close"]))
    return page
