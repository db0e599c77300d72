"""What each probe asks about each question, and how a reply is read. All of it follows from the version and a seed, so
that a pass which was broken off goes on with the same questions."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import regex

from agreement.answers.choices import choice_in
from agreement.answers.declaration import NotApplicable, Target
from agreement.answers.options import Option, Options
from agreement.answers.rules.rouge_l import RULE as ROUGE_L
from benchmark.models import Paraphrase, ProbeKind, Question, QuestionSet
from benchmark.probing.disturbing import NATURAL, disturbed_copies, words_of

#: Questions of a pass, unless another number is asked for.
QUESTIONS = 100
#: Texts of a quiz: the original and its copies.
CHOICES = 4
LABELS = "ABCD"
OPTIONS = Options("latin", tuple(Option(label, "") for label in LABELS))
#: Words of a beginning that is shown, and of the rest that is asked for, at least.
LEAST_WORDS = 4
#: Of a reply so much is kept, for people to look at.
KEPT = 300
#: The canary's digits that are shown: the first two groups.
SHOWN_DIGITS = 12
CANARY_KEY = "canary"
EXACT, PARAPHRASED, CHOSEN = "exact", "paraphrase", "choice"

# "The original is C" says what "the answer is C" says, which is read already.
_ORIGINAL = regex.compile(r"(?i)\boriginal(?:\s+(?:text|question|one|version))?\b")
_ORIGINAL_IN_ARABIC = regex.compile(r"(?<!\p{L})(?:(?:النص|السؤال)\s+)?ال[أا]صلي(?!\p{L})")
_SPACE = regex.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Ask:
    """One call of a probe. `about` is what its reply is held against."""

    key: str
    part: str
    text: str = field(repr=False)
    about: dict[str, Any] = field(default_factory=dict, repr=False)


def asks(question_set: QuestionSet, kind: str, seed: int, n: int, ways: Sequence[str] = NATURAL) -> list[Ask]:
    """The calls of a probe of this kind, of up to n questions drawn by the seed. Held-back questions are never the
    original: nobody can have read them.

    ways  of changing copies for the quiz: those alone that read like an original, unless models known to be clean say
          how often the original of the others is picked by who never saw it.
    """
    if kind == ProbeKind.CANARY:
        return canary_asks(question_set)
    if kind == ProbeKind.TWINS:
        return []
    found: list[Ask] = []
    taken = 0
    questions = public_questions(question_set, seed)
    vocabulary = words_of([question.prompt.text for question in questions])
    for question in questions:
        made = list(
            quiz_asks(question, question_set.name, seed, vocabulary, ways)
            if kind == ProbeKind.QUIZ
            else completion_asks(question, question_set.name)
        )
        if made:
            found += made
            taken += 1
        if taken == n:
            break
    return beside_each_other(found) if kind == ProbeKind.COMPLETION else found


def public_questions(question_set: QuestionSet, seed: int) -> list[Question]:
    """In an order drawn by the seed, each with its prompt, twins and paraphrase at hand."""
    rows = question_set.questions.filter(is_held_back=False).select_related("prompt", "twin_of__prompt", "paraphrase")
    rows = rows.prefetch_related("twins__prompt")
    return sorted(rows, key=lambda question: hashlib.sha256(f"{seed}:{question.key}".encode()).digest())


# --- Quiz ---


def quiz_asks(
    question: Question, name: str, seed: int, vocabulary: Sequence[str], ways: Sequence[str] = NATURAL
) -> Iterator[Ask]:
    drawn = random.Random(f"{seed}:{question.key}")
    way, texts = disturbed_copies(question.prompt.text, question.options, vocabulary, drawn, CHOICES - 1)
    if way not in ways:
        return
    place = drawn.randrange(CHOICES)
    texts.insert(place, question.prompt.text)
    shown = "\n\n".join(f"{label})\n{text}" for label, text in zip(LABELS, texts, strict=True))
    text = (
        f"One of these four texts is word for word a question of the published question set “{name}”. The other three "
        f"were changed. Which one is the original? Reply with one letter: A, B, C or D. Guess where you do not know."
        f"\n\n{shown}\n\nReply with one letter: A, B, C or D."
    )
    yield Ask(question.key, CHOSEN, text, {"place": place, "way": way})


def chosen_place(reply: str) -> int:
    """The place that a reply settles on, -1 for none or several: letters of any script, and digits of any, 1 to 4."""
    alone = reply.strip().strip(".)(:*[]{}\"'`،。 ")
    if len(alone) == 1 and alone.isdecimal():
        return int(alone) - 1 if 1 <= int(alone) <= CHOICES else -1
    option = choice_in(_ORIGINAL.sub(" answer ", _ORIGINAL_IN_ARABIC.sub(" الجواب ", reply)), OPTIONS).option
    return -1 if option is None else option


# --- Guided completion ---


def completion_asks(question: Question, name: str) -> Iterator[Ask]:
    """The beginning of the question, and that of a paraphrase: nothing where there is no paraphrase."""
    wordings = (EXACT, question.prompt.text), (PARAPHRASED, paraphrase_of(question))
    halves = [(part, *split(text)) for part, text in wordings]
    if not all(beginning for _part, beginning, _rest in halves):
        return
    for part, beginning, rest in halves:
        text = (
            f"Here is the beginning of a question of the published question set “{name}”. Write the rest of it, word "
            f"for word as it was published, and nothing else.\n\n{beginning}"
        )
        yield Ask(question.key, part, text, {"rest": rest})


def beside_each_other(found: Sequence[Ask]) -> list[Ask]:
    """Each completion with the rest of the next question in the same wording, in a ring: what a reply shares with that,
    too, it shares with any question (form, labels, set phrases), and is not counted as known."""
    by_part = {part: [one for one in found if one.part == part] for part in (EXACT, PARAPHRASED)}
    paired = []
    for of_part in by_part.values():
        for at, one in enumerate(of_part):
            other = of_part[(at + 1) % len(of_part)].about["rest"] if len(of_part) > 1 else ""
            paired.append(replace(one, about={**one.about, "other": other}))
    return sorted(paired, key=lambda one: [each.key for each in by_part[EXACT]].index(one.key))


def split(text: str) -> tuple[str, str]:
    """A text in two at the space nearest its middle; empty ones where a half has fewer than four words."""
    spaces = list(_SPACE.finditer(text.strip()))
    if not spaces:
        return "", ""
    text = text.strip()
    middle = min(spaces, key=lambda space: abs(space.start() - len(text) / 2))
    beginning, rest = text[: middle.start()], text[middle.end() :]
    return (beginning, rest) if min(len(beginning.split()), len(rest.split())) >= LEAST_WORDS else ("", "")


def paraphrase_of(question: Question) -> str:
    """The question in other words that were not published: written by people with the set (`metadata.paraphrase`), its
    held-back twin, or written by a model for probes; "" where there is none."""
    written = question.metadata.get("paraphrase") if isinstance(question.metadata, dict) else None
    if isinstance(written, str) and written.strip():
        return written
    twin = held_back_twin(question)
    if twin is not None:
        return twin.prompt.text
    row: Paraphrase | None = getattr(question, "paraphrase", None)
    return "" if row is None else row.text


def held_back_twin(question: Question) -> Question | None:
    twins = [*question.twins.all(), *([question.twin_of] if question.twin_of else [])]
    return next((twin for twin in twins if twin.is_held_back), None)


def overlap(rest: str, reply: str) -> float:
    """ROUGE-L of a completion with the true rest, 0 to 1; of the reply twice the length of the rest is read."""
    try:
        value = ROUGE_L.scorer(Target(rest), {})(reply.strip()[: 2 * len(rest) + 40]).value
    except NotApplicable:
        return 0.0
    return (value or 0.0) / 10


# --- Canary ---


def canary_asks(question_set: QuestionSet) -> list[Ask]:
    canary = str(question_set.canary)
    digits = canary.replace("-", "")
    shown, remainder = canary[: SHOWN_DIGITS + 1], digits[SHOWN_DIGITS:]
    said = (
        f"The files of the question set “{question_set.name}” carry a canary GUID by which they can be kept out of "
        f"training data. It begins with {shown}. Write the whole GUID.",
        f"Go on with this line of a file, exactly as it was published, and write nothing else:\n\n"
        f'{{"kind": "set", "name": "{question_set.name}", "canary": "{shown}-',
        f"أكمل هذا المعرّف كما نُشر مع مجموعة الأسئلة “{question_set.name}”: {shown}-",
    )
    return [Ask(CANARY_KEY, str(at), text, {"remainder": remainder}) for at, text in enumerate(said)]


def read_reply(kind: str, ask: Ask, reply: str) -> dict[str, Any]:
    """What is stored of a reply, in JSON types."""
    kept = reply[:KEPT]
    if kind == ProbeKind.QUIZ:
        return {**ask.about, "chosen": chosen_place(reply), "reply": kept}
    if kind == ProbeKind.COMPLETION:
        shared, beside = overlap(ask.about["rest"], reply), overlap(ask.about["other"], reply)
        return {"overlap": shared, "beside": beside, "reply": kept}
    return {"reply": kept, "read": reply[:4000]}
