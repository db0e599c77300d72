"""What a reply says, or why it says nothing. Pure: no database, no network, no guessing.

The outcome is a state. Only an object that is whole, alone and of the asked form goes on to be read by its
judge kind; all else ends as refused, truncated, malformed or failed, and never as an answer without errors.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from judging.engine.mending import TooComplex, mend
from judging.engine.refusals import is_refusal
from providers.client.replies import UNSTORABLE, DuplicateKey, Reply, strict_json

# The version of all that makes an answer of a reply, the judge kinds' reading included. Raise it with any change by
# which a stored reply would be read in another way: such calls can then be read again without being asked again.
VERSION = 4
MAX_CHARACTERS = 400_000
# Brackets that open, wherever: thirty times as many as the longest answers have.
MAX_BRACKETS = 20_000
# Of objects in objects, as orjson has it; and of objects one behind the other, beyond which they are not counted.
MAX_DEPTH = 1024
MAX_OBJECTS = 100
THINKING = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
OPEN_THINKING = re.compile(r"^\s*<(?:think|thinking|reasoning)>")
PAIRS = {"}": "{", "]": "["}
# What changes no depth: strings, and brackets with nothing but strings in them. Then what does, or a quotation mark
# that nothing closes, or the end. Possessive, so that nothing is tried in two ways; and it fits everywhere, so that it
# is not tried anew from the next character.
STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
WITHIN = rf'(?:[^"{{}}\[\]]++|{STRING})*+'
PARTS = re.compile(rf'(?:[^"{{}}\[\]]++|{STRING}|\[{WITHIN}\]|\{{{WITHIN}\}})*+(["{{}}\[\]]|\Z)', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`state` is a CallState value; `value` is the object that was found, in `scored` and `repaired` alone."""

    state: str
    value: dict[str, Any] | None = None
    problem: str = ""
    parsed: dict[str, Any] | None = field(default=None)


def malformed(problem: str) -> Outcome:
    return Outcome("malformed", problem=problem)


def read_reply(reply: Reply) -> Outcome:
    """The one object of a reply, or the state that says why there is none."""
    return ended(reply) or read_text(reply.text)


def ended(reply: Reply) -> Outcome | None:
    """The state of a reply that did not end by itself, declined, or asked for a tool; None where its text is read."""
    if reply.failure:
        return Outcome("failed", problem=reply.failure)
    if reply.finish_reason == "content_filter" or reply.refusal:
        return Outcome("refused", problem="content_filter" if not reply.refusal else "refusal")
    if reply.has_tool_call:
        return malformed("tool_call")
    if reply.finish_reason == "length":
        return Outcome("truncated", problem="length")
    return None


def said(text: str) -> str | Outcome:
    """What a reply says behind its thinking, in whatever form; the outcome where that can be no answer of any."""
    if len(text) > MAX_CHARACTERS:
        return malformed("too_long")
    body = THINKING.sub("", text, count=1).strip("\ufeff \t\r\n")
    if OPEN_THINKING.match(body):
        return Outcome("truncated", problem="thinking_not_ended")
    if not body:
        return malformed("empty")
    return malformed("unstorable_characters") if UNSTORABLE.search(body) else body


def read_text(text: str) -> Outcome:
    body = said(text)
    if isinstance(body, Outcome):
        return body
    if body.count("{") + body.count("[") > MAX_BRACKETS:
        return malformed("reply_too_complex")
    try:
        return _checked(strict_json(body), "scored", body)
    except ValueError:
        pass
    try:
        pieces, is_cut = objects_in(body)
        if is_cut:
            return Outcome("truncated", problem="cut")
        if not pieces:
            return Outcome("refused", problem="refusal") if is_refusal(body) else malformed("prose")
        return malformed("several_objects") if len(pieces) > 1 else read_piece(pieces[0])
    except TooComplex:
        return malformed("reply_too_complex")


def read_piece(piece: str) -> Outcome:
    """A balanced object: as it stands, or mended where mending adds and loses nothing. Raises TooComplex."""
    try:
        return _checked(strict_json(piece), "scored", piece)
    except DuplicateKey:
        return malformed("duplicate_key")
    except ValueError:
        pass
    mended = mend(piece)
    return malformed("not_json") if mended is None else _checked(mended, "repaired", piece)


def _checked(value: object, state: str, text: str) -> Outcome:
    if value is None:
        return malformed("null")
    if not isinstance(value, dict):
        return malformed("not_an_object")
    # Escapes can spell what may not stand in the text itself: \u0000 and halves of surrogate pairs.
    if "\\u" in text or state == "repaired":
        try:
            spelled = json.dumps(value, ensure_ascii=False)
        except (ValueError, RecursionError):
            return malformed("not_json")
        if "\\u0000" in spelled or UNSTORABLE.search(spelled):
            return malformed("unstorable_characters")
    return Outcome(state, value=value)


def objects_in(text: str) -> tuple[list[str], bool]:
    """Balanced `{...}` pieces of a text, outermost only; and whether it ends inside of one.

    Braces inside JSON strings do not count. A closing bracket that fits nothing makes its piece one that ends
    nowhere: what is crooked is not straightened. Raises TooComplex where objects stand in each other deeper than any
    are read, or more of them one behind the other than anybody means.
    """
    pieces: list[str] = []
    start = text.find("{")
    while start != -1:
        if len(pieces) == MAX_OBJECTS:
            raise TooComplex
        end = end_of_object(text, start)
        if end is None:
            return pieces, True
        pieces.append(text[start:end])
        start = text.find("{", end)
    return pieces, False


def end_of_object(text: str, start: int) -> int | None:
    """The offset behind the object that begins at `start`; None where it ends nowhere. Raises TooComplex."""
    stack = ["{"]
    for match in PARTS.finditer(text, start + 1):
        part = match[1]
        if part == "" or part == '"':
            return None
        if part in "{[":
            stack.append(part)
            if len(stack) > MAX_DEPTH:
                raise TooComplex
        elif stack.pop() != PAIRS[part]:
            return None
        elif not stack:
            return match.end()
    return None
