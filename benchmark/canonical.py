"""The canonical form of a question set: the same bytes for the same set, whoever writes them down, and their hash.

A set is hashed by the hashes of its questions in the order of their keys, so that a set of any size is read once, and
a question proves by its own hash what it was. Counted in: what models are sent, what a good answer is, the rules with
their versions and all parameters, skills and sources with what they say, and the licence, since under other terms it
is not what was published. Left out: name, version, time, the order of the lines, and the canary, which is drawn at
random for each version.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any

FORMAT = "mizan.question-set/1"


@dataclass(frozen=True, slots=True)
class CanonicalRule:
    rule: str
    version: int
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalQuestion:
    """A question as it is hashed. `skill` and `source` are slugs, `twin_of` a key; empty for none."""

    key: str
    prompt_sha256: str
    variety: str
    instruction: str
    input_text: str
    options: Sequence[Mapping[str, str]]
    reference: str
    expected_language: str
    format: str
    skill: str
    subcategory: str
    source: str
    cluster: str
    is_held_back: bool
    twin_of: str
    metadata: Mapping[str, Any]
    rules: Sequence[CanonicalRule]


@dataclass(frozen=True, slots=True)
class CanonicalSkill:
    slug: str
    name: str
    counts_refusals: bool


@dataclass(frozen=True, slots=True)
class CanonicalSource:
    slug: str
    name: str
    is_translated: bool | None
    licence: str
    link: str


def as_bytes(form: object) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces; no text is normalised."""
    return json.dumps(form, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def sha256_of(form: object) -> str:
    return hashlib.sha256(as_bytes(form)).hexdigest()


def question_sha256(question: CanonicalQuestion) -> str:
    """The hash of one question; its rules in the order of their names and parameters, since they are averaged."""
    form = asdict(question)
    form["rules"].sort(key=as_bytes)
    return sha256_of(form)


def canonical_form(
    *,
    licence: str,
    skills: Iterable[CanonicalSkill],
    sources: Iterable[CanonicalSource],
    questions: Iterable[tuple[str, str]],
) -> bytes:
    """`questions`: key and hash of each. Skills and sources in the order of their slugs, questions of their keys."""
    return as_bytes(
        {
            "format": FORMAT,
            "licence": licence,
            "skills": [asdict(skill) for skill in sorted(skills, key=attrgetter("slug"))],
            "sources": [asdict(source) for source in sorted(sources, key=attrgetter("slug"))],
            "questions": sorted(questions),
        }
    )


def set_sha256(canonical: bytes) -> str:
    return hashlib.sha256(canonical).hexdigest()
