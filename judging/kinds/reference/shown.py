"""Questions of a benchmark as answers are scored by them, and what may be read of both.

Of a question its reference answer, expected language, passage and options are read, of an answer the tags around
thinking. What people or judges scored, and who they are, is in no column named here, so no prompt can hold it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from agreement.answers.thinking import without_thinking
from benchmark.models import Answer, RuleUse
from benchmark.prompting import beside_prompt, language_in_words
from judging.kinds import About, ShownReference, Unit, number_of
from projects.among import Among

USE, ANSWER, ANCHOR = "use", "answer", "anchor"
USE_COLUMNS = (
    "pk",
    "rule",
    "question__reference",
    "question__expected_language",
    "question__input_text",
    "question__options",
    "question__prompt__text",
)
ANSWER_COLUMNS = ("pk", "reasoning", "configuration__card__thinking_tags")


class Asked(NamedTuple):
    """What a call is about, by the names in `Call.about`: a use of a rule, an answer, and of an anchor answer which
    pass over the anchors it belongs to; of any other answer None."""

    use: int
    answer: int
    anchor_pass: int | None = None

    @classmethod
    def of(cls, about: Iterable[About]) -> "Asked":
        named: dict[str, list[int]] = {}
        for name in map(str, about):
            sort, *numbers = name.split(":")
            named[sort] = [int(number) for number in numbers]
        answer, *anchor_pass = named.get(ANSWER) or named[ANCHOR]
        return cls(named[USE][0], answer, anchor_pass[0] if anchor_pass else None)


def unit_of(use: RuleUse, answer: int, anchor_pass: int | None = None) -> Unit:
    """The question about an answer by a use of a rule. Its number follows from what the score depends on, so that a
    later version of the set in which that is the same asks the same; and, of an anchor, from the pass."""
    name = f"{ANSWER}:{answer}" if anchor_pass is None else f"{ANCHOR}:{answer}:{anchor_pass}"
    asked = (use.target_sha256,) if anchor_pass is None else (use.target_sha256, f"{ANCHOR} {anchor_pass}")
    return Unit(number_of(asked), (f"{USE}:{use.pk}", name))


class Thinking(NamedTuple):
    """How thinking is told from the answer. Whose answer it is says the response that the call stands under."""

    answer: int
    reasoning: str
    tags: Sequence[Sequence[str]]
    author: None = None

    def taken_off(self, text: str) -> str:
        """What of a reply is scored."""
        return without_thinking(text, self.reasoning, [(opens, closes) for opens, closes in self.tags]).text


def subjects(names: Collection[Any]) -> dict[Any, Any]:
    """What calls are about, as far as it is there. Two statements."""
    uses: set[int] = set()
    answers: dict[int, list[str]] = {}
    for name in map(str, names):
        sort, number, *_anchor_pass = name.split(":")
        if sort == USE:
            uses.add(int(number))
        else:
            answers.setdefault(int(number), []).append(name)
    shown: dict[Any, Any] = shown_references(uses)
    for pk, reasoning, tags in Answer.objects.filter(pk__in=Among(answers)).values_list(*ANSWER_COLUMNS):
        shown |= dict.fromkeys(answers[pk], Thinking(pk, reasoning, tags or ()))
    return shown


def shown_references(uses: Collection[int]) -> dict[str, ShownReference]:
    rows = RuleUse.objects.filter(pk__in=Among(uses)).values_list(*USE_COLUMNS)
    return {f"{USE}:{row[0]}": shown_reference(*row) for row in rows}


def shown_reference(
    pk: int,
    rule: str,
    reference: str,
    language: str,
    passage: str,
    options: Sequence[Mapping[str, str]],
    prompt: str,
) -> ShownReference:
    beside, listed = beside_prompt(prompt, passage, options)
    return ShownReference(pk, rule, reference, language_in_words(language), beside, listed)
