"""What a reply says, or why it says nothing. Pure: no database, no network, no guessing.

The outcome is a state. Only an object that is whole, alone and of the asked form goes on to be read by its
judge kind; all else ends as refused, truncated, malformed or failed, and never as an answer without errors.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

import orjson
from json_repair import repair_json

from judging.refusals import is_refusal

# The version of all that makes an answer of a reply, the judge kinds' reading included. Raise it with any change by
# which a stored reply would be read in another way: such calls can then be read again without being asked again.
VERSION = 3
MOST_CHARACTERS = 400_000
THINKING = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
OPEN_THINKING = re.compile(r"^\s*<(?:think|thinking|reasoning)>")
PAIRS = {"}": "{", "]": "["}
# What neither database stores in a text; in an answer it is a sign of a broken encoding.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
LETTERS = re.compile(r"\w+")
STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|“[^”]*”', re.DOTALL)
# A sign that JSON has not, outside of strings. At a number it makes another one: about four, more than four, +4, 4/5,
# 3-4. Before a line it may say that the line is struck out, or a remark. JSON's own minus stands before a digit, where
# a number begins.
FOREIGN = re.compile(r"[^\s\w.,:\[\]{}\"'-]|-(?!\d)|(?<=[\w.])\s*-")


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back from a provider, whatever it was. `failure` is a code where no answer came at all."""

    text: str = ""
    model: str = ""
    finish_reason: str = ""
    refusal: str = ""
    has_tool_call: bool = False
    failure: str = ""
    detail: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    latency_ms: int | None = None
    attempts: int = 1
    # Attempts that broke off without telling their usage and may have been charged all the same.
    uncertain: int = 0


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
    if reply.failure:
        return Outcome("failed", problem=reply.failure)
    if reply.finish_reason == "content_filter" or reply.refusal:
        return Outcome("refused", problem="content_filter" if not reply.refusal else "refusal")
    if reply.has_tool_call:
        return malformed("tool_call")
    if reply.finish_reason == "length":
        return Outcome("truncated", problem="length")
    return read_text(reply.text)


def read_text(text: str) -> Outcome:
    if len(text) > MOST_CHARACTERS:
        return malformed("too_long")
    body = THINKING.sub("", text, count=1).strip("\ufeff \t\r\n")
    if OPEN_THINKING.match(body):
        return Outcome("truncated", problem="thinking_not_ended")
    if not body:
        return malformed("empty")
    if UNSTORABLE.search(body):
        return malformed("unstorable_characters")
    try:
        return _checked(strict_json(body), "scored")
    except ValueError:
        pass
    pieces, is_cut = objects_in(body)
    if is_cut:
        return Outcome("truncated", problem="cut")
    if not pieces:
        return Outcome("refused", problem="refusal") if is_refusal(body) else malformed("prose")
    if len(pieces) > 1:
        return malformed("several_objects")
    return read_piece(pieces[0])


def read_piece(piece: str) -> Outcome:
    """A balanced object: as it stands, or mended where mending adds and loses nothing."""
    try:
        return _checked(strict_json(piece), "scored")
    except DuplicateKey:
        return malformed("duplicate_key")
    except ValueError:
        pass
    mended = mend(piece)
    return malformed("not_json") if mended is None else _checked(mended, "repaired")


def _checked(value: object, state: str) -> Outcome:
    if value is None:
        return malformed("null")
    if not isinstance(value, dict):
        return malformed("not_an_object")
    try:
        # Escapes can spell what may not stand in the text itself: \u0000 and halves of surrogate pairs.
        spelled = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return malformed("not_json")
    if "\\u0000" in spelled or UNSTORABLE.search(spelled):
        return malformed("unstorable_characters")
    return Outcome(state, value=value)


class DuplicateKey(ValueError):
    """An object names a key twice: whichever value were taken, the other was meant as well."""


def strict_json(text: str) -> Any:
    """JSON as RFC 8259 has it: no NaN, no key twice. Raises ValueError, also for what is nested too deeply."""
    orjson.loads(text.encode("utf-8", "surrogatepass"))  # refuses NaN, deep nesting and bad encodings, quickly
    return json.loads(text, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise DuplicateKey
    return found


def objects_in(text: str) -> tuple[list[str], bool]:
    """Balanced `{...}` pieces of a text, outermost only; and whether it ends inside of one.

    Braces inside JSON strings do not count. A closing bracket that fits nothing makes its piece one that ends
    nowhere: what is crooked is not straightened.
    """
    pieces: list[str] = []
    stack: list[str] = []
    start = 0
    in_string = escaped = False
    for position, character in enumerate(text):
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif not stack:
            if character == "{":
                stack.append(character)
                start = position
        elif character == '"':
            in_string = True
        elif character in "{[":
            stack.append(character)
        elif character in "}]":
            if stack[-1] != PAIRS[character]:
                return pieces, True
            stack.pop()
            if not stack:
                pieces.append(text[start : position + 1])
    return pieces, bool(stack)


def mend(piece: str) -> object | None:
    """The object that a nearly-JSON text surely means, or None.

    Mending may drop commas and add quotation marks. It may neither invent nor lose a letter, a sign at a number or a
    bracket that opens, and a text that leaves something out itself (`[...]`) is not whole.
    """
    bare = without_strings(piece)
    if ".." in bare or FOREIGN.search(bare):
        return None
    try:
        value = repair_json(piece, return_objects=True, skip_json_loads=True)
        mended = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or letters(mended) != letters(piece):
        return None
    # An error that was begun and not written has no letters to lose: an empty list would then say "no errors".
    if any(mended.count(bracket) != piece.count(bracket) for bracket in "{["):
        return None
    return value


def without_strings(piece: str) -> str:
    return STRINGS.sub('""', piece)


def letters(text: str) -> str:
    """Letters and digits in order, with Python's words for JSON's own read as JSON's."""
    words = LETTERS.findall(text)
    return "".join({"True": "true", "False": "false", "None": "null"}.get(word, word) for word in words)
