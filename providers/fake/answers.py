"""What the simulated model says: decided by its seed and the text alone, and labelled as simulated.

It reads a request as a provider would: the text to be judged stands between the prompt's marks, and the ticket
is the mark's number. A request without marks is a prompt by itself, and is answered as one. It knows no language;
its errors are words picked by a hash, and so are its groups and categories. How it grades by criteria says grading.py,
how it rates by question types rating.py, how it scores by a reference scoring.py, in which language explaining.py.
"""

import hashlib
import json
import re

from providers.fake.explaining import explained
from providers.fake.filling import filled_in
from providers.fake.grading import HONEST, Habit, grade
from providers.fake.rating import FAIR, Leaning, always_first, grade_one, grade_two
from providers.fake.scoring import score

MARKED = re.compile(
    r"<<<(?P<what>[a-z]+) (?P<ticket>[0-9a-f]{16,64})>>>\n(?P<text>.*?)\n<<<end of (?P=what) (?P=ticket)>>>", re.S
)
WORD = re.compile(r"\S+")
# A line that describes something by its short name: a category, a type of error, a key of the answer.
DESCRIBED = re.compile(r"^- ([a-z0-9_-]+):", re.M)
# A placeholder of a prompt to be translated.
PLACEHOLDER = re.compile(r"\[([a-z][a-z0-9_]{0,59})\]")
# A word and the same word behind it.
TWICE = re.compile(r"\b(\w+)(?:[^\S\n]+\1\b)+")
REFUSAL = "I'm sorry, but I can't help with that request. (simulated)"


def numbers(*parts: str) -> list[int]:
    """Thirty-two numbers from 0 to 255, always the same for the same parts."""
    return list(hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest())


def marked(messages: list[dict]) -> tuple[str, str] | None:
    """(ticket, text to be judged) of a request; the last marked text is the one that is asked about."""
    blocks = texts(messages)
    return (blocks[-1]["ticket"], blocks[-1]["text"]) if blocks else None


def texts(messages: list[dict]) -> list[re.Match[str]]:
    return [
        match
        for message in messages
        if message.get("role") == "user" and isinstance(message.get("content"), str)
        for match in MARKED.finditer(message["content"])
    ]


def asked_about(messages: list[dict]) -> list[str]:
    """The marked texts without those of examples."""
    return [match["text"] for match in texts(messages) if match["what"] != "example"]


def group_errors(seed: str, remarks: list[str]) -> list[dict]:
    """The numbers of all remarks in issues: each joins an issue before it, or begins one, by its text's hash."""
    issues: list[list[int]] = []
    for number, remark in enumerate(remarks, start=1):
        dice = numbers(seed, remark)
        if issues and dice[0] % 4:
            issues[dice[1] % len(issues)].append(number)
        else:
            issues.append([number])
    return [{"errors": issue, "reason": "Simulated: put together by a hash."} for issue in issues]


def compare_errors(seed: str, remarks: list[str]) -> dict:
    """Two remarks in either order are one issue, or not, by their texts' hash."""
    is_same = numbers(seed, *sorted(remarks))[0] % 4
    return {"reason": "Simulated: told by a hash.", "same_issue": "SAME" if is_same else "DIFFERENT"}


def judge_sentence(seed: str, sentence: str, instructions: str) -> dict:
    """One sentence in four is erroneous, by its hash; its category is asked for where there are any."""
    dice = numbers(seed, sentence)
    is_error = dice[0] % 4 == 0
    said: dict = {"reason": "Simulated: told by a hash.", "sentence": "ERROR" if is_error else "NO_ERROR"}
    if '"category"' in instructions:
        said["category"] = pick_category(seed, sentence, categories_in(instructions))["category"] if is_error else None
    return said


def refine(seed: str, text: str, marked_words: str) -> dict:
    """Of marked words every fourth time nothing to change, else the first of them or all but the last, with the same
    words of explanation."""
    dice = numbers(seed, text, marked_words)
    words = list(WORD.finditer(marked_words))
    if dice[0] % 4 == 0:
        return {"quote": None, "occurrence": None, "explanation": None}
    explanation = f"Simulated: written by a hash, {dice[2]}."
    place = text.find(marked_words)
    if len(words) < 2 or place < 0:
        return {"quote": None, "occurrence": None, "explanation": explanation}
    last = words[0] if dice[1] % 2 else words[-2]
    quote = marked_words[words[0].start() : last.end()]
    start = place + words[0].start()
    return {"quote": quote, "occurrence": occurrence(text, quote, start), "explanation": explanation}


def pick_category(seed: str, remark: str, categories: list[str]) -> dict:
    category = categories[numbers(seed, remark)[0] % len(categories)] if categories else ""
    return {"category": category, "reason": "Simulated: this category was picked by a hash."}


def pick_errors(seed: str, text: str, instructions: str) -> list[dict]:
    """None to three errors in `text`, as a judge would report them."""
    types, levels = words_in(instructions, "type"), words_in(instructions, "criticality")
    categories = categories_in(instructions) if '"category"' in instructions else []
    asks_more = '"more"' in instructions
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
        # Two of three errors lie in one place.
        elsewhere = words[last + 2 : last + 3] if asks_more and e % 3 == 0 else []
        more = [{"quote": word[0], "occurrence": occurrence(text, word[0], word.start())} for word in elsewhere]
        errors.append(
            {
                "anchor": "words",
                "quote": quote,
                "occurrence": occurrence(text, quote, start),
                **({"type": types[c % len(types)]} if types else {}),
                **({"criticality": levels[d % len(levels)]} if levels else {}),
                "explanation": f"Simulated: these {last - first + 1} words were picked by a hash.",
                "correction": None,
                **({"more": more} if asks_more else {}),
                **({"category": categories[e % len(categories)]} if categories else {}),
            }
        )
        taken = last + 1 + 2 * len(elsewhere)
    return errors


def occurrence(text: str, quote: str, start: int) -> int:
    """Which occurrence of the quote begins at `start`, counted from 1; overlapping ones count too."""
    count, position = 1, text.find(quote)
    while position != start:
        position = text.find(quote, position + 1)
        count += 1
    return count


SENTENCES = (
    "It is a dish of spring, eaten on the second day.",
    "People wear blue, and the eldest lights the lamp.",
    "In some towns the drum is beaten before sunrise.",
    "The song names seven villages along the river.",
    "Bread is broken over the threshold and shared.",
)


def asked(messages: list[dict]) -> str:
    """What stands in the user's messages."""
    return "\n".join(m["content"] for m in messages if m.get("role") == "user" and isinstance(m.get("content"), str))


def plain(seed: str, messages: list[dict]) -> str:
    """A few sentences, none of them true: the same ones for the same prompt."""
    dice = numbers(seed, asked(messages))
    sentences = [SENTENCES[number % len(SENTENCES)] for number in dice[1 : 3 + dice[0] % 4]]
    return f"Simulated answer {bytes(dice[:3]).hex()}.\n\n" + " ".join(dict.fromkeys(sentences))


def stirred(seed: str, request: dict, messages: list[dict]) -> str:
    """The seed of an answer: a prompt that stands by itself is answered otherwise for each seed that comes with it."""
    return seed if request.get("seed") is None or marked(messages) else f"{seed}\x1f{request['seed']}"


def answer(
    seed: str,
    messages: list[dict],
    model: str = "",
    habit: Habit = HONEST,
    leaning: Leaning = FAIR,
    schema: dict | None = None,
) -> str:
    """What is asked for about a marked text; an answer of its own to a prompt that stands by itself.

    A questionnaire is answered by the schema that the request asks for: its questions are a lead's own.

    A model grades with its habit and rates with its leaning, and its name stirs the dice of its grades.
    """
    block = marked(messages)
    if block is None:
        return plain(seed, messages)
    ticket, text = block
    instructions = "\n".join(m["content"] for m in messages if m.get("role") == "system")
    stirred = f"{seed}\x1f{model}"
    if '"answers"' in instructions:
        content = {"ticket": ticket, **filled_in(stirred, "\n".join(asked_about(messages)), schema or {})}
    elif '"verdicts"' in instructions:
        content = {"ticket": ticket, "verdicts": grade(stirred, asked(messages), habit)}
    elif '"grade_a"' in instructions or '"preference"' in instructions:
        both = (texts(messages)[-2]["text"], text)
        content = {"ticket": ticket, **grade_two(f"{stirred}\x1f{instructions}", both, instructions, leaning)}
    elif '"grade"' in instructions:
        content = {"ticket": ticket, **grade_one(f"{stirred}\x1f{instructions}", text, instructions, leaning)}
    elif '"values"' in instructions:
        content = {"ticket": ticket, **translated(text)}
    elif '"text"' in instructions:
        content = {"ticket": ticket, "text": edited(text)}
    elif '"score"' in instructions:
        shown = {match["what"]: match["text"] for match in texts(messages)}
        content = {"ticket": ticket, **score(f"{stirred}\x1f{instructions}", shown, instructions, leaning)}
    else:
        content = {"ticket": ticket, **judged(seed, text, asked_about(messages), instructions)}
    return json.dumps(explained(content, instructions), ensure_ascii=False)


def translated(text: str) -> dict:
    """A prompt as it is, said to be simulated, and a value for each of its placeholders."""
    names = dict.fromkeys(PLACEHOLDER.findall(text))
    return {"text": f"{text} (simulated)", "values": {name: f"{name.replace('_', ' ')} (simulated)" for name in names}}


def edited(text: str) -> str:
    """The text without a word that stands twice in a row, and with a stop behind its last word."""
    once = TWICE.sub(r"\1", text)
    return f"{once.rstrip()}." if once.rstrip()[-1:].isalpha() else once


def judged(seed: str, text: str, shown: list[str], instructions: str) -> dict:
    """What the instructions ask for: issues of remarks, the category of one, or errors in the text.

    Of remarks the words and the explanation stand behind the question and the answer, in pairs.
    """
    remarks = ["\n".join(pair) for pair in zip(shown[2::2], shown[3::2], strict=False)]
    if '"issues"' in instructions:
        return {"issues": group_errors(seed, remarks)}
    if '"same_issue"' in instructions:
        return compare_errors(seed, remarks)
    if '"occurrence"' in instructions and '"errors"' not in instructions:
        return refine(seed, shown[1], shown[2])
    if '"sentence"' in instructions:
        return judge_sentence(seed, text, instructions)
    if '"errors"' not in instructions and remarks:
        return pick_category(seed, remarks[0], categories_in(instructions))
    return {"errors": pick_errors(seed, text, instructions)}


def categories_in(instructions: str) -> list[str]:
    """The short names of the categories that may be given, whatever language they are told in.

    They are described before the keys of the answer, of which the ticket is the first, and after the types of error.
    """
    described = DESCRIBED.findall(instructions)
    if "ticket" in described:
        last = len(described) - 1 - described[::-1].index("ticket")
        described = described[:last]
    types = words_in(instructions, "type")
    return described[len(types) :] if described[: len(types)] == types else described


def words_in(instructions: str, field: str) -> list[str]:
    """The words that a field of an error may hold, whatever language they are told in; none where it is not asked."""
    line = re.search(rf"^- {field}:(.*)$", instructions, re.M)
    return re.findall(r'"([\w-]+)"', line[1]) if line else []


def biased(good: str, messages: list[dict]) -> str:
    """The answer of a model that always prefers what it reads first; of one response, the answer as it was."""
    content = always_first(json.loads(good), "\n".join(m["content"] for m in messages if m.get("role") == "system"))
    return json.dumps(content, ensure_ascii=False)


def misnamed(good: str) -> str:
    """The answer with another name for what was asked for."""
    ticket, _comma, rest = good.partition(", ")
    return f'{ticket}, "faults"{rest[rest.index(":") :]}' if rest else good


def astray(good: str) -> str:
    """The answer pointing at what was never shown: words not in the text, an error's number, a category,
    a criterion, a grade that is not on the scale."""
    content = json.loads(good)
    for error in content.get("errors", []):
        error["quote"] += " simulated"
    for verdict in content.get("verdicts", [])[:1]:
        verdict["criterion"] = "c999"
    if "occurrence" in content:
        content |= {"quote": "simulated words", "occurrence": 1}
    for issue in content.get("issues", [])[:1]:
        issue["errors"].append(999)
    for name in list(content.get("answers", {}))[:1]:
        content["answers"][name] = 999
    for name in {"grade", "grade_b", "score"} & content.keys():
        content[name] = 999
    for name in {"category", "preference", "sentence", "same_issue"} & content.keys():
        content[name] = "simulated"
    return json.dumps(content, ensure_ascii=False)
