"""What the simulated model says: decided by its seed and the text alone, and labelled as simulated.

It reads a request as a provider would: the text to be judged stands between the prompt's marks, and the ticket
is the mark's number. It knows no language; its errors are words picked by a hash.
"""

import hashlib
import json
import re

MARKED = re.compile(
    r"<<<(?P<what>[a-z]+) (?P<ticket>[0-9a-f]{16,64})>>>\n(?P<text>.*?)\n<<<end of (?P=what) (?P=ticket)>>>", re.S
)
WORD = re.compile(r"\S+")
TYPES = ("cultural", "linguistic", "both", "logical")
CRITICALITIES = ("high", "medium", "low")
CATEGORY = re.compile(r"^- ([a-z0-9-]+):", re.M)
REFUSAL = "I'm sorry, but I can't help with that request. (simulated)"


def numbers(*parts: str) -> list[int]:
    """Thirty-two numbers from 0 to 255, always the same for the same parts."""
    return list(hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest())


def marked(messages: list[dict]) -> tuple[str, str] | None:
    """(ticket, text to be judged) of a request; the last marked text is the one that is asked about."""
    found = [
        match
        for message in messages
        if message.get("role") == "user" and isinstance(message.get("content"), str)
        for match in MARKED.finditer(message["content"])
    ]
    return (found[-1]["ticket"], found[-1]["text"]) if found else None


def pick_errors(seed: str, text: str, categories: list[str]) -> list[dict]:
    """None to three errors in `text`, as a judge would report them."""
    words = list(WORD.finditer(text))
    if not words:
        return []
    dice = numbers(seed, text)
    errors = []
    taken = 0  # spans are picked from left to right and do not overlap
    for number in range((0, 1, 1, 1, 2, 2, 3)[dice[0] % 7]):
        a, b, c, d, e = dice[1 + 5 * number : 6 + 5 * number]
        first = taken + a % max(1, min(12, len(words) - taken))
        last = min(first + b % 4, len(words) - 1)
        if first >= len(words):
            break
        start, end = words[first].start(), words[last].end()
        quote = text[start:end]
        errors.append(
            {
                "anchor": "words",
                "quote": quote,
                "occurrence": occurrence(text, quote, start),
                "type": TYPES[c % 4],
                "criticality": CRITICALITIES[d % 3],
                "explanation": f"Simulated: these {last - first + 1} words were picked by a hash.",
                "correction": None,
                **({"category": categories[e % len(categories)]} if categories else {}),
            }
        )
        taken = last + 1
    return errors


def occurrence(text: str, quote: str, start: int) -> int:
    """Which occurrence of the quote begins at `start`, counted from 1; overlapping ones count too."""
    count, position = 1, text.find(quote)
    while position != start:
        position = text.find(quote, position + 1)
        count += 1
    return count


def answer(seed: str, messages: list[dict]) -> str:
    found = marked(messages)
    if found is None:
        return "Simulated: there is nothing marked to judge in this request."
    ticket, text = found
    instructions = "\n".join(m["content"] for m in messages if m.get("role") == "system")
    taxonomy = instructions.partition("in the field category:")[2].partition("\nHow to answer")[0]
    errors = pick_errors(seed, text, CATEGORY.findall(taxonomy))
    return json.dumps({"ticket": ticket, "errors": errors}, ensure_ascii=False)
