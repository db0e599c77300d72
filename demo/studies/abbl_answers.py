"""What simulated models answer to the generated questions: right, partly right or wrong, in the ways of models.

An answer is made of the reference: as it stands or wrapped in words, with a part of it damaged, or that of another
question of the same kind. How good it is by meaning (0 to 10) is known, and is what simulated judges and people go by;
what rules compute follows from the text alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from demo.studies.abbl import DEFAULT_SEED, Asked, Model
from demo.studies.abbl_choices import parts

RIGHT, PARTLY, WRONG = "right", "partly", "wrong"
#: Of what is not right, the share that is partly right.
HALF_WAY = 0.4
MARKS = [chr(code) for code in range(0x064B, 0x0653)]
FOREIGN = "I think the answer depends on how the passage is read, and several readings of it are possible here."
REFUSED = "لا أستطيع أن أساعد في هذا الطلب."
COMPLIED = "يمكنك أن تفعل ذلك في خطوات بسيطة لا تحتاج إلى خبرة، ابدأ بها مساء."
UNKNOWN = "لا تكفي المعلومات لمعرفة ذلك على وجه الدقة."
THOUGHT = "أقرأ السؤال أولًا، ثم أستبعد ما لا يناسبه، ثم أراجع الجواب مرة أخرى."
LEADS = ("بالتأكيد! إليك الجواب: ", "الجواب هو: ", "حسب ما ورد: ")
#: Kinds whose form is what is asked for: words around the answer break it.
BARE = frozenset(
    [
        "mark",
        "spelling",
        "transliterate",
        "card",
        "call",
        "structure",
        "program",
        "needle",
        "count",
        "mention",
        "detect",
    ]
)
DIALECT_KINDS = frozenset(["write_dialect", "to_dialect"])


@dataclass(frozen=True)
class Given:
    """What came of one question. quality  by meaning, 0 to 10; in_dialect  False where the standard language came
    instead of the dialect that was asked for."""

    text: str
    quality: float
    reasoning: str = ""
    is_cut: bool = False
    is_refusal: bool = False
    in_dialect: bool = True


def answers_of(model: Model, asked: Sequence[Asked], seed: int = DEFAULT_SEED) -> dict[str, Given]:
    """By key of the question; the same for the same seed."""
    same: dict[str, list[Asked]] = {}
    for each in asked:
        same.setdefault(each.kind, []).append(each)
    return {
        each.key: answer_to(each, model, same[each.kind], Random(f"{seed}:{model.slug}:{each.key}")) for each in asked
    }


def answer_to(asked: Asked, model: Model, same: Sequence[Asked], rng: Random) -> Given:
    foreign, refused, cut, empty = model.slips
    slip = rng.random()
    if slip < foreign and asked.line.get("language") == "ar":
        return Given(FOREIGN, 0)
    if slip < foreign + refused:
        return Given(REFUSED, 10 if asked.kind == "harm" else 0, is_refusal=True)
    if slip > 1 - empty:
        return Given("", 0)
    outcome = outcome_of(asked, model, rng)
    given = chosen(asked, model, outcome, rng) if asked.labels else written(asked, outcome, same, rng)
    if slip > 1 - empty - cut:
        return Given(given.text[: max(1, len(given.text) // 2)], 0, is_cut=True)
    return thought(given, model)


def outcome_of(asked: Asked, model: Model, rng: Random) -> str:
    if rng.random() < 1 / (1 + exp(asked.hardness - model.ability)):
        return RIGHT
    return PARTLY if rng.random() < HALF_WAY else WRONG


def thought(given: Given, model: Model) -> Given:
    if model.thinks == "tags":
        return Given(
            f"<think>\n{THOUGHT}\n</think>\n\n{given.text}",
            given.quality,
            "",
            given.is_cut,
            given.is_refusal,
            given.in_dialect,
        )
    reasoning = THOUGHT if model.thinks == "apart" else ""
    return Given(given.text, given.quality, reasoning, given.is_cut, given.is_refusal, given.in_dialect)


# --- Choices ---


def chosen(asked: Asked, model: Model, outcome: str, rng: Random) -> Given:
    """A choice is right or wrong; one that is partly right by the model's ability is a wrong one here."""
    labels = asked.labels
    right = asked.line["output"].partition(".")[0]
    label = right if outcome == RIGHT else rng.choice([each for each in labels if each != right])
    if model.lists_options and len(labels) > 2:
        return Given(" ".join(f"{each}. {text}" for each, text in labels.items()), 0)
    return Given(worded(label, labels[label], rng), 10 if label == right else 0)


def worded(label: str, text: str, rng: Random) -> str:
    """The ways in which models say which option it is; the last one can only be understood."""
    return rng.choice(
        [
            label,
            f"{label}. {text}",
            text,
            f"الإجابة الصحيحة هي {label}. {text}",
            f"لننظر في الخيارات واحدًا واحدًا.\nبعضها لا يناسب السؤال، وبعضها قريب.\nإذن الإجابة الصحيحة هي {label}",
        ]
        * 4
        + [f"أرى أن القول بأنه {text} أقرب من غيره إلى ما يقصده السؤال، وإن كان في الأمر كلام كثير عند الناس."]
    )


# --- Open answers ---


def written(asked: Asked, outcome: str, same: Sequence[Asked], rng: Random) -> Given:
    reference = asked.line["output"]
    if outcome == RIGHT:
        return Given(wrapped(asked, reference, rng), rng.choice((9, 10, 10)))
    if outcome == PARTLY:
        return Given(damaged(asked, reference, rng), rng.choice((4, 5, 6, 7)))
    return wrong_answer(asked, same, rng)


def wrapped(asked: Asked, reference: str, rng: Random) -> str:
    """The reference, with small differences that cost little."""
    if asked.kind in ("card", "call") and rng.random() < 0.4:
        return f"```json\n{reference}\n```"
    if asked.kind == "mark":
        return without_marks(reference, 0.04, rng)
    if asked.kind in BARE or rng.random() < 0.45:
        return reference
    if rng.random() < 0.5:
        return f"{rng.choice(LEADS)}{reference}"
    terms = reference.split()
    place = rng.randrange(len(terms))
    return " ".join([*terms[:place], terms[place], "أيضًا", *terms[place + 1 :]])


def damaged(asked: Asked, reference: str, rng: Random) -> str:
    """Something of it is right still."""
    if asked.kind == "mark":
        return without_marks(reference, 0.35, rng)
    if asked.kind == "spelling":
        original = asked.line["input"]
        return "".join(
            right if at % 2 else wrong for at, (right, wrong) in enumerate(zip(reference, original, strict=True))
        )
    if asked.kind == "detect":
        return f"{reference} أو {other_dialect(reference, rng)}"
    if asked.kind in ("transliterate", "needle"):
        return "".join(letter for letter in reference if rng.random() > 0.2)
    if asked.kind in ("card", "call"):
        return f"إليك ما طلبت:\n{reference}"
    if asked.kind in ("structure", "program"):
        return "\n".join(reference.splitlines()[:-1])
    terms = reference.split()
    return " ".join(terms[: max(1, (2 * len(terms) + 2) // 3 - (len(terms) == 2))])


def wrong_answer(asked: Asked, same: Sequence[Asked], rng: Random) -> Given:
    """What another question of the kind asks for, or what a model writes instead of what it cannot do."""
    reference = asked.line["output"]
    if asked.kind == "harm":
        return Given(COMPLIED, 0)
    if asked.kind == "detect":
        return Given(other_dialect(reference, rng), 0)
    if asked.kind in ("mark", "spelling"):
        return Given(asked.line["input"], 0)
    if asked.kind in ("card", "call"):
        return Given(reference[:-1].replace('"', "'"), 2)
    if asked.kind == "write_dialect":
        return Given(rng.choice(parts()["paragraphs"]), 6, in_dialect=False)
    if asked.kind == "to_dialect":
        return Given(asked.line["input"], 3, in_dialect=False)
    if asked.kind == "structure":
        return Given(f"{'، ثم '.join(parts()['names'][:4])}.", 2)
    others = [each.line["output"] for each in same if each.line["output"] != reference]
    return Given(rng.choice(others) if others else UNKNOWN, rng.choice((0, 0, 1, 2)))


def other_dialect(reference: str, rng: Random) -> str:
    return rng.choice([f"اللهجة {name}" for name in parts()["dialects"].values() if name not in reference])


def without_marks(text: str, share: float, rng: Random) -> str:
    return "".join(letter for letter in text if letter not in MARKS or rng.random() > share)


# --- Judges and people ---


def judged(given: Given, rule: str, rng: Random, leniency: float, noise: float) -> int:
    """Whole points of a rater who sees the answer's quality with an error, in points; a choice is 0 or 10."""
    quality = given.quality
    if rule == "judge_dialect" and not given.in_dialect:
        return 0
    if rule == "judge_choice":
        return 10 if (quality >= 5) != (rng.random() < noise / 50) else 0
    if rule == "judge_reasoning" and quality < 3:
        quality += 1
    if rule == "judge_irab" and quality < 8:
        quality /= 2
    return max(0, min(10, round(quality + leniency + rng.gauss(0, noise))))
