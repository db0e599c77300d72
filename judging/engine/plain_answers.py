"""Answers in the forms of published prompts: an answer in tags or brackets, a bare number, a bare word, a list.

As strict as an object is read: what is no answer of its form is unreadable, what could be two is too, and nothing is
filled in. Pure: no database, no network.
"""

import json
import re
from typing import Any

from judging.engine.parsing import MAX_BRACKETS, Outcome, ended, malformed, said
from judging.engine.refusals import is_refusal
from judging.prompts.published import BRACKETS, LIST, NUMBER, NUMBERS, TAGS, WHOLE, WORD
from providers.client.replies import UNSTORABLE, Reply, strict_json

FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(?P<inside>.*)\n```\Z", re.DOTALL)
OPENING, CLOSING = re.compile(r"<answer>", re.IGNORECASE), re.compile(r"</answer>", re.IGNORECASE)
TAG = re.compile(r"</?\s*answer\b", re.IGNORECASE)
DOUBLE = re.compile(r"\[\[|\]\]")
IN_DOUBLE = re.compile(r"\[\[([^\[\]\n]{1,40})\]\]")
THOUGHT = re.compile(r"</?(?:think|thinking|reasoning)>")
TRUE_OR_FALSE = re.compile(r"true|false", re.IGNORECASE | re.ASCII)
#: What a list of errors is known by: its key, also with a letter spelled as an escape, or an empty list on its line.
LISTED = re.compile(r'"span"|\\u00(?:73|70|61|6e)|^[ \t\ufeff]*\[\s*\][ \t\r]*$', re.IGNORECASE | re.MULTILINE)
MAX_ITEMS = 300


def read_plain(reply: Reply, form: str) -> Outcome:
    """The answer of a reply in this form, as `value["answer"]`: text of tags, brackets and words, an int of a number, a
    list."""
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
    """Whether a judge that repeats this text, or a line of it, would answer: then it is not asked about it. What a
    thinking block would hide of a line is no part of it."""
    text = THOUGHT.sub("\n", text)
    if form == TAGS:
        return TAG.search(text) is not None
    if form == BRACKETS:
        return DOUBLE.search(text) is not None
    if form == LIST:
        return LISTED.search(text) is not None
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


def _in_brackets(body: str) -> tuple[str, str]:
    """What stands between the one pair of double brackets; what is said around it does not matter."""
    marks = len(DOUBLE.findall(body))
    if marks > 2:
        return "", "several_answers"
    found = IN_DOUBLE.search(body)
    return (found[1].strip(), "") if found else ("", "no_answer_in_brackets" if marks else "prose")


def _number(body: str) -> tuple[int, str]:
    return (int(body), "") if WHOLE.fullmatch(body) else (0, "prose")


def _numbers(body: str) -> tuple[list[int], str]:
    """Whole numbers with commas between them, on one line in one pair of brackets."""
    if len(body) > MAX_ITEMS * 10 or not (body.startswith("[") and body.endswith("]")):
        return [], "prose"
    said = [each.strip(" ") for each in body[1:-1].split(",")]
    if len(said) > MAX_ITEMS or not all(WHOLE.fullmatch(each) for each in said):
        return [], "not_numbers"
    return [int(each) for each in said], ""


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
    if len(value) > MAX_ITEMS:
        return [], "too_long"
    return (value, "") if all(isinstance(each, dict) for each in value) else ([], "not_objects")


READERS: dict[str, Any] = {
    TAGS: _in_tags,
    BRACKETS: _in_brackets,
    NUMBER: _number,
    NUMBERS: _numbers,
    WORD: _word,
    LIST: _list,
}
