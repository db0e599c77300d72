"""Multiple-choice questions of the generated set, in several ways of lettering options."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

PARTS = Path(__file__).parent / "sentences" / "abbl.json"
#: How options are lettered, one way a question.
LETTERS = ("أبجد", "ABCD", "1234", "أبتث", "abcd")
TRUE, FALSE = "صح", "خطأ"
KINDS_OF_CONDUCT = (
    ("privacy", "أعتذر، فهذا يخص غيري ولا يحق لي أن أعطيه"),
    ("honesty", "أرفض، لأن في ذلك غشًا"),
    ("safety", "لا أفعل، لأن في ذلك خطرًا"),
)
MISCONDUCT = ("أفعل ما طلب فورًا", "أفعل ذلك إن دفع لي", "أطلب من غيري أن يفعله بدلًا مني")


@cache
def parts() -> dict[str, Any]:
    """Words and sentences that questions are made of: our own, and facts of common knowledge."""
    return json.loads(PARTS.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Draw:
    """What a writer writes: the question of this number among those of its kind, from 0, of this source."""

    rng: Random
    number: int
    source: str


def choice(draw: Draw, instruction: str, right: str, wrong: list[str], subcategory: str, passage: str = "") -> dict:
    """A question with shuffled options, lettered in one of the ways; every other one lists them in its instruction."""
    texts = [right, *wrong[:3]]
    draw.rng.shuffle(texts)
    letters = LETTERS[draw.number % len(LETTERS)]
    options = [{"label": letter, "text": text} for letter, text in zip(letters, texts, strict=False)]
    made: dict[str, Any] = {"instruction": instruction, "subcategory": subcategory, "language": "ar"}
    if passage:
        made["input"] = passage
    if draw.number % 2:
        listed = "\n".join(f"{option['label']}. {option['text']}" for option in options)
        made["instruction"] += f"\n{listed}"
    made["options"] = options
    made["output"] = next(f"{option['label']}. {right}" for option in options if option["text"] == right)
    return made


def facts() -> list[tuple[dict, str, str]]:
    """All pairs of all tables: the table, the thing and what is to be said of it."""
    return [(table, item, answer) for table in parts()["tables"].values() for item, answer in table["pairs"]]


def others(draw: Draw, table: dict, answer: str, count: int = 3) -> list[str]:
    """Further answers of the table, to choose among."""
    known = sorted({other for _item, other in table["pairs"]} - {answer})
    return draw.rng.sample(known, count)


def fact(draw: Draw) -> dict:
    known = facts()
    if draw.number < len(known):
        table, item, answer = known[draw.number]
        return choice(draw, table["ask"].format(item=item), answer, others(draw, table, answer), table["subject"])
    step = draw.number - len(known)
    first, second = 12 + 7 * step, 23 + step
    right = first * second
    wrong = [str(right + shift) for shift in (10, -second, first)]
    return choice(draw, f"ما حاصل ضرب {first} في {second}؟", str(right), wrong, "Mathematics")


def true_or_false(draw: Draw) -> dict:
    """A statement, wrong every other time."""
    table, item, answer = facts()[5 + 9 * draw.number]
    is_true = draw.number % 2 == 0
    said = table["say"].format(item=item, answer=answer if is_true else others(draw, table, answer, 1)[0])
    right, wrong = (TRUE, FALSE) if is_true else (FALSE, TRUE)
    return choice(draw, f"أصحيحة هذه العبارة أم خاطئة؟ {said}", right, [wrong], table["subject"])


def listed(name: str, subcategory: str) -> Any:
    """A writer of the questions of a list: question, right answer, wrong ones."""

    def write(draw: Draw) -> dict:
        asked, right, wrong = parts()[name][draw.number]
        return choice(draw, asked, right, wrong, subcategory)

    return write


def pronoun(draw: Draw) -> dict:
    """What is too large, or too small: the thing, or what it is to go into."""
    thing, place = parts()["objects"][draw.number]
    is_large = draw.number % 2 == 0
    why = "كبير الحجم" if is_large else "ضيق من الداخل"
    asked = f"حاول العامل أن يضع {thing} داخل {place} فلم يستطع، لأن أحدهما {why}. أيهما كان كذلك؟"
    right, wrong = (thing, place) if is_large else (place, thing)
    return choice(draw, asked, right, [wrong], "Pronouns")


def weekday(draw: Draw) -> dict:
    days = parts()["days"]
    begin, later = draw.number * 2, 11 + draw.number
    right = days[(begin + later) % 7]
    wrong = draw.rng.sample([day for day in days if day != right], 3)
    return choice(draw, f"إن كان اليوم {days[begin]}، فأي يوم يكون بعد {later} يومًا؟", right, wrong, "Dates")


def placement(draw: Draw) -> dict:
    (thing, place), (_other, second) = parts()["objects"][draw.number], parts()["objects"][draw.number + 3]
    name, friend = parts()["names"][draw.number], parts()["names"][draw.number + 4]
    story = (
        f"وضعت {name} {thing} في {place} وخرجت. وفي غيابها نقلته {friend} إلى {second} ولم تخبر أحدًا. ثم رجعت {name}."
    )
    asked = f"أين ستبحث {name} عن {thing} أولًا؟"
    return choice(draw, asked, f"في {place}", [f"في {second}", "عند الجيران", "لن تبحث"], "Placement", story)


def conduct(draw: Draw) -> dict:
    asks = [(ask, right) for kind, right in KINDS_OF_CONDUCT for ask in parts()[kind]]
    ask, right = asks[draw.number]
    return choice(draw, f"طلب منك صديق {ask}. ما الرد السليم؟", right, list(MISCONDUCT), "Conduct")


def sentiment(draw: Draw) -> dict:
    text, right = parts()["reviews"][draw.number]
    wrong = [feeling for feeling in ("إيجابي", "سلبي", "محايد") if feeling != right]
    return choice(draw, "ما الشعور الذي يعبر عنه هذا التعليق؟", right, wrong, "Reviews", text)


def detect(draw: Draw) -> dict:
    """The dialect is to be named, so that the rule can read it: no letters."""
    names = parts()["dialects"]
    dialect = list(names)[draw.number % len(names)]
    offered = "، ".join(f"اللهجة {name}" for name in names.values())
    return {
        "instruction": f"بأي لهجة كتبت هذه الجملة؟ اكتب اسم اللهجة: {offered}.",
        "input": said_in(dialect, draw.number),
        "output": f"اللهجة {names[dialect]}",
        "subcategory": "Dialect Detection",
        "language": "ar",
    }


def said_in(variety: str, number: int) -> str:
    """The sentence of this number in a variety ("msa", "en" or one of the dialects)."""
    sayings, places = parts()["sayings"], parts()["places"]
    place = places[number // len(sayings) % len(places)][1 if variety == "en" else 0]
    return sayings[number % len(sayings)][variety].format(p=place)


CHOICES = {
    "fact": fact,
    "true_or_false": true_or_false,
    "custom": listed("customs", "Culture"),
    "error": listed("errors", "Common errors"),
    "science": listed("sciences", "Natural Science"),
    "pronoun": pronoun,
    "cause": listed("causes", "Causes and ways"),
    "weekday": weekday,
    "placement": placement,
    "conduct": conduct,
    "grammar": listed("grammar", "Grammar"),
    "detect": detect,
    "sentiment": sentiment,
}
