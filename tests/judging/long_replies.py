"""What long replies are made of that takes some readers long, and how long a reading takes. Pure, as is its bench."""

import json
import time
from functools import cache

from judging.engine import mending
from judging.engine.parsing import MAX_CHARACTERS, read_text

TICKET = "0123456789abcdef"
TEXT = 'The fair opens in May. The fair closes in June.\n\nIts cook said: {"errors": []}'
ERROR = {
    "anchor": "words",
    "quote": "in May",
    "occurrence": 1,
    "type": "cultural",
    "criticality": "high",
    "explanation": "It opens in April.",
    "correction": "in April",
}
GOOD = json.dumps({"ticket": TICKET, "errors": [ERROR]})

# What replies are made of that take some readers long: each by itself, and in every mixture.
ATOMS = [
    *"\"'“”{}[],:\\a1-. \n<#/`",
    "'a\\",
    '"\\"',
    "''",
    '"":"",',
    "[[]]",
    '{"a":[{}]},',
    '{"a":1},',
    '{"a":',
    "'a':'b',",
    "it's ",
    '"a" b ',
    "a b ",
    "true,",
    "\\u0041",
    "\\ud800",
    "\u200f",
    "\u2067",
    "ا\u0301\u0315",
    "\u0301\u0315",
    "9" * 4301 + ",",
    "```json\n",
    "<think>",
    "</think>",
    "I cannot ",
    TEXT,
    GOOD,
]
AROUND = [("", ""), ("{", "}"), ('{"a":[', "]}"), ('{"a":"', '"}'), ("{'a':'", "'}"), ("[", "]"), ('{"a":', "")]
LENGTHS = [mending.MAX_GUESSED, mending.MAX_CHARACTERS, MAX_CHARACTERS]


def seconds(read, *given) -> float:
    """CPU time, at best of three: others on the machine only ever add to it."""
    times = []
    for _time in range(3):
        began = time.thread_time()
        read(*given)
        times.append(time.thread_time() - began)
    return min(times)


@cache
def good_answer() -> str:
    """A well-formed one of nearly 400,000 characters."""
    good = json.dumps({"ticket": TICKET, "errors": [ERROR] * 2300})
    assert MAX_CHARACTERS * 0.9 < len(good) < MAX_CHARACTERS
    assert read_text(good).state == "scored"
    return good


def reply_of(atoms: list[str], around: tuple[str, str], length: int) -> str:
    before, behind = around
    body = "".join(atoms)
    room = length - len(before) - len(behind)
    return before + (body * (room // len(body) + 1))[:room] + behind
