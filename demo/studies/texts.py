"""Texts of about 400 words in English, Korean, Indonesian or Bengali, put together from sentence templates.

They are real sentences of the language and differ from text to text, but nobody means anything by them: they
exist so that a project can be loaded at full size. The templates and word lists are in `sentences/`.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

SENTENCES = Path(__file__).parent / "sentences"
WORDS_PER_TEXT = 400
DOMAINS = ("food", "holidays", "sports", "family", "education", "work-life")

SLOT = re.compile(r"\{(\w+)\}")
TOKEN = re.compile(r"\S+")
# A Korean particle has one form after a final consonant and another after a vowel.
PARTICLE = re.compile(r"([가-힣])\(([가-힣])/([가-힣])\)")
HANGUL_SYLLABLES, FINALS = 0xAC00, 28
# "와" follows a vowel although it is written first in the usual pair.
VOWEL_FORM_FIRST = {"와"}
PUNCTUATION = ".,!?;:।\"'“”‘’*()[]"


@dataclass(frozen=True)
class Text:
    """A text, the offsets of its sentences and the number of its paragraphs (non-empty lines)."""

    text: str
    sentences: tuple[tuple[int, int], ...]
    paragraphs: int

    def words(self, sentence: int) -> list[tuple[int, int]]:
        """Half-open code-point offsets of the sentence's words, without the punctuation around them."""
        return words_within(self.text, *self.sentences[sentence])


def words_within(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Half-open code-point offsets of the words in a part of a text, without the punctuation around them."""
    words = []
    for match in TOKEN.finditer(text, start, end):
        token = match.group()
        left = len(token) - len(token.lstrip(PUNCTUATION))
        right = len(token.rstrip(PUNCTUATION))
        if left < right:
            words.append((match.start() + left, match.start() + right))
    return words


@cache
def language(code: str) -> dict:
    """Templates and word lists of a language. Raises FileNotFoundError where there are none."""
    return json.loads((SENTENCES / f"{code}.json").read_text(encoding="utf-8"))


def topics(code: str) -> list[tuple[str, str]]:
    """(domain, topic) of a language, going round the domains."""
    by_domain = language(code)["topics"]
    rounds = zip(*(by_domain[domain] for domain in DOMAINS), strict=True)
    return [(domain, topic) for row in rounds for domain, topic in zip(DOMAINS, row, strict=True)]


def prompt(code: str, country: str, task: str, topic: str) -> str:
    words = language(code)
    return words["prompts"][task].format(country=words["countries"][country], topic=topic)


def explain(code: str, category: str, quote: str) -> str:
    return language(code)["explanations"][category].format(quote=quote)


def _particle(match: re.Match) -> str:
    syllable, first, second = match.groups()
    closed = (ord(syllable) - HANGUL_SYLLABLES) % FINALS > 0
    after_consonant, after_vowel = (second, first) if first in VOWEL_FORM_FIRST else (first, second)
    return syllable + (after_consonant if closed else after_vowel)


def _fill(rng: Random, template: str, slots: dict[str, list[str]]) -> str:
    sentence = SLOT.sub(lambda slot: rng.choice(slots[slot[1]]), template)
    sentence = PARTICLE.sub(_particle, sentence)
    return sentence[0].upper() + sentence[1:]


class _Page:
    """A text under construction that remembers where its sentences lie."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.sentences: list[tuple[int, int]] = []
        self.paragraphs = 0

    def add(self, part: str) -> None:
        self.parts.append(part)
        self.length += len(part)

    def paragraph(self, sentences: list[str], lead: str = "", gap: str = "\n\n") -> None:
        self.add((gap if self.parts else "") + lead)
        self.paragraphs += 1
        for number, sentence in enumerate(sentences):
            self.add(" " if number else "")
            self.sentences.append((self.length, self.length + len(sentence)))
            self.add(sentence)

    def finish(self) -> Text:
        return Text("".join(self.parts), tuple(self.sentences), self.paragraphs)


def _body(rng: Random, templates: list[str], slots: dict[str, list[str]], words: int) -> list[str]:
    """Sentences of together about that many words; a template comes again only when all have been used."""
    sentences: list[str] = []
    waiting: list[str] = []
    while words > 0:
        if not waiting:
            waiting = rng.sample(templates, len(templates))
        sentence = _fill(rng, waiting.pop(), slots)
        sentences.append(sentence)
        words -= sentence.count(" ") + 1
    return sentences


def write(rng: Random, code: str, country: str, task: str) -> Text:
    """A story for "story generation", else advice with a numbered list; same `rng` state, same text."""
    words = language(code)
    slots = words["slots"][country]
    templates = words["story" if task == "story generation" else "ideas"]
    length = round(rng.gauss(WORDS_PER_TEXT - 30, 35))
    body = _body(rng, templates["body"], slots, max(250, length))
    opening, closing = (_fill(rng, rng.choice(templates[part]), slots) for part in ("open", "close"))
    page = _Page()
    page.paragraph([opening, *body[:2]])
    rest = body[2:]
    headings = rng.sample(templates["heading"], len(templates["heading"])) if "heading" in templates else []
    number = 0
    while rest:
        size = rng.randint(3, 5)
        block, rest = rest[:size], rest[size:]
        if headings:
            number += 1
            page.paragraph(block, f"{number}. **{headings.pop()}:** ", "\n\n" if number == 1 else "\n")
        else:
            page.paragraph(block)
    page.paragraph([closing], "🌿 " if rng.random() < 0.2 else "")
    return page.finish()
