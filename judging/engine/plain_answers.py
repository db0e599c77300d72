"""Answers in the forms of published prompts: an answer in tags, a bare number, a bare word, a list.

As strict as an object is read: what is no answer of its form is unreadable, what could be two is too, and nothing is
filled in. Pure: no database, no network.
"""

import json
import re
from typing import Any

from judging.engine.parsing import MAX_BRACKETS, Outcome, ended, malformed, said
from judging.engine.refusals import is_refusal
from judging.prompts.published import LIST, NUMBER, TAGS, WHOLE, WORD
from providers.client.replies import UNSTORABLE, Reply, strict_json

FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(?P<inside>.*)\n```\Z", re.DOTALL)
OPENING, CLOSING = re.compile(r"<answer>", re.IGNORECASE), re.compile(r"</answer>", re.IGNORECASE)
TAG = re.compile(r"</?\s*answer\b", re.IGNORECASE)
TRUE_OR_FALSE = re.compile(r"true|false", re.IGNORECASE | re.ASCII)
MAX_ITEMS = 300


def read_plain(reply: Reply, form: str) -> Outcome:
    """The answer of a reply in this form, as `value["answer"]`: text of tags and words, an int of numbers, a list."""
    return ended(reply) or read_text(reply.text, form)


def read_text(text: str, form: str) -> Outcome:
    body = said(text)
    if isinstance(body, Outcome):
        return body
    answer, problem = READERS[form](body)
    if problem == "prose" and is_refusal(body):
        return Outcome("refused", problem="refusal")
    return malformed(problem) if problem else Outcome("scored", value={"answer": answer})


def could_be_forged(text: str, form: str) -> bool:
    """Whether a judge that repeats this text, or a line of it, would answer: then it is not asked about it."""
    if form == TAGS:
        return TAG.search(text) is not None
    if form == LIST:
        return '"span"' in text
    reader = READERS[form]
    return any(not reader(line.strip("\ufeff \t\r"))[1] for line in text.splitlines() if line.strip())


def _in_tags(body: str) -> tuple[str, str]:
    """What stands between the one pair of tags; what is said around it does not matter."""
    if len(TAG.findall(body)) > 2:
        return "", "several_answers"
    opening, closing = OPENING.search(body), CLOSING.search(body)
    if opening is None or closing is None or closing.start() < opening.end():
        return "", "no_answer_in_tags" if TAG.search(body) else "prose"
    return body[opening.end() : closing.start()].strip(), ""


def _number(body: str) -> tuple[int, str]:
    return (int(body), "") if WHOLE.fullmatch(body) else (0, "prose")


def _word(body: str) -> tuple[str, str]:
    word = body.removesuffix(".")
    return (word, "") if TRUE_OR_FALSE.fullmatch(word) else ("", "prose")


def _list(body: str) -> tuple[list[Any], str]:
    if body.count("{") + body.count("[") > MAX_BRACKETS:
        return [], "reply_too_complex"
    fenced = FENCE.match(body)
    inside = fenced["inside"] if fenced else body
    try:  # within an object, where no key may stand twice at any depth
        within = strict_json(f'{{"answer": {inside}}}')
    except ValueError:
        return [], "not_json" if body.startswith(("[", "`")) else "prose"
    value = within["answer"]
    if len(within) > 1 or not isinstance(value, list):
        return [], "not_a_list"
    spelled = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in spelled or UNSTORABLE.search(spelled):  # escapes can spell what may not stand in a text
        return [], "unstorable_characters"
    return (value, "") if len(value) <= MAX_ITEMS else ([], "too_long")


READERS: dict[str, Any] = {TAGS: _in_tags, NUMBER: _number, WORD: _word, LIST: _list}
