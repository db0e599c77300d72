"""The fixed rules, one after the other: what of a reply is scored, and what is decided before the question's rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agreement.answers import alternatives
from agreement.answers.declaration import TOP
from agreement.answers.languages import SecondOpinion, mismatch
from agreement.answers.question import QuestionScore, fixed
from agreement.answers.states import State, fixed_score, state_of
from agreement.answers.thinking import Answer, without_thinking

LANGUAGE = "language"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back from a model, as its provider reported it.

    reasoning   what was sent apart from the content.
    is_cut      ended at the token limit.
    is_refusal  the provider says so, or the words do.
    tags        the card's own pairs of tags around thinking.
    """

    content: str
    reasoning: str = ""
    is_cut: bool = False
    is_refusal: bool = False
    tags: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Expected:
    """What the fixed rules need of a question.

    counts_refusals  whether its skill takes a refusal for an answer.
    language         expected, code or tag; "" for any. languages  all of the set.
    """

    reference: str
    counts_refusals: bool = False
    language: str = ""
    languages: Iterable[str] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the fixed rules found.

    answer   without its thinking: what the rules of the question score.
    state    of the answer.
    decided  the question's score where a fixed rule gives it; None: the rules of the question go on.
    limit    what they can give at most, and limited_by its rule.
    detail   explains the ruling, in JSON types.
    """

    answer: Answer
    state: State
    decided: QuestionScore | None = None
    limit: float = TOP
    limited_by: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


def ruling_on(reply: Reply, expected: Expected, second_opinion: SecondOpinion | None = None) -> Ruling:
    """Thinking, state, language and several answers, in this order; the first that decides ends it."""
    answer = without_thinking(reply.content, reply.reasoning, reply.tags)
    state = state_of(answer.text, is_cut=reply.is_cut, is_refusal=reply.is_refusal)
    value = fixed_score(state, expected.counts_refusals)
    if value is not None:
        return Ruling(answer, state, fixed(value, state.value))
    other = mismatch(answer.text, expected.language, expected.languages, second_opinion)
    if other is not None:
        languages = {"languages": sorted(other.languages), "script": other.script, "confidence": other.confidence}
        return Ruling(answer, state, fixed(0.0, LANGUAGE), detail=languages)
    listed = alternatives.alternatives_in(answer.text, expected.reference)
    if listed is not None:
        detail = {"items": listed.items, "shared": listed.shared, "is_announced": listed.is_announced}
        return Ruling(answer, state, None, alternatives.LIMIT, alternatives.NAME, detail)
    return Ruling(answer, state)
