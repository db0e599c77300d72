"""A multiple choice with its options in another order: the labels stay where they are, the texts change places, and the
reference follows its option.

Nothing is trusted that cannot be read back: a question is shuffled only where the options of the new text are, as
options.py reads them, those of the old one in the drawn order, and the new reference names the same option. The rest is
left out with the reason.

Source of the measure: P. Pezeshkpour and E. Hruschka, Large Language Models Sensitivity to The Order of Options in
Multiple-Choice Questions, Findings of NAACL 2024.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from agreement.answers.choices import choice_in
from agreement.answers.options import Options, options_in, spelled, words_alone

NO_OPTIONS = "no options can be read"
NO_REFERENCE = "the reference names no one option"
EQUAL = "two options are equal"
OF_OTHERS = "an option speaks of other options"
NOT_TOLD_APART = "the options cannot be told apart in the text"

# As options.py has it, in a text that is not folded.
_MARKER = regex.compile(
    r"(?<!\S)[*_]{0,2}(?:[(\[（]?(?P<label>\p{L}\u0640?|\p{N})(?:[*_]{0,2}[)\]）][.:]?|[*_]{0,2}[.:、．：)\-–]+)"
    r"|(?P<circled>[\u2460-\u2468\u2776-\u277e\u2780-\u2788\u24b6-\u24e9\u3260-\u327b]))[*_]{0,2}"
)
#: Options that mean something in their place alone, in the spelling that options are compared in.
_OTHERS = [
    words_alone(spelled(words))
    for words in (
        *("all of the above", "none of the above", "both of the above", "all of these", "none of these", "neither"),
        *("جميع ما سبق", "كل ما سبق", "لا شيء مما سبق", "ليس أي مما سبق", "كلاهما", "جميع ما ذكر", "كل ما ذكر"),
        *("toutes les réponses", "aucune de ces réponses", "semua jawaban", "semua benar", "tidak ada yang benar"),
        *("উপরের সবগুলো", "উপরের সব", "উপরের কোনোটিই নয়", "কোনোটিই নয়", "위의 모두", "모두 정답", "정답 없음"),
    )
]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """order  the option that stands in each place now, positions from 0."""

    instruction: str
    options: list[dict[str, str]]
    reference: str
    order: tuple[int, ...]


def drawn_order(n: int, seed: int, key: str) -> tuple[int, ...]:
    """One of the orders of n options but the one they are in, each as likely, by the seed and the question's key."""
    draw = random.Random(f"{seed}\x1f{key}")
    order = list(range(n))
    while order == list(range(n)):
        draw.shuffle(order)
    return tuple(order)


def shuffled(
    instruction: str, options: Sequence[Mapping[str, str]], reference: str, asked: str, *, seed: int, key: str
) -> Shuffled | str:
    """The question in another order, or why there is none.

    options  [{"label", "text"}], empty where the instruction lists them. asked  the whole text that a model is sent,
    whose options are read.
    """
    read = options_in(asked)
    if read is None or (options and len(options) != len(read)):
        return NO_OPTIONS
    right = choice_in(reference, read).option
    if right is None:
        return NO_REFERENCE
    texts = [option.text for option in read.options]
    if len(set(texts)) < len(texts) or not all(texts):
        return EQUAL
    if any(speaks_of_others(text, read) for text in texts):
        return OF_OTHERS
    order = drawn_order(len(read), seed, key)
    given = [dict(option) for option in options]
    moved = [{**one, "text": given[place]["text"]} for one, place in zip(given, order, strict=True)] if given else []
    labels, wording = [option["label"] for option in given], instruction
    if not options or all(option["text"] in instruction for option in options):
        markers = markers_in(instruction, read)
        if markers is None:
            return NOT_TOLD_APART
        labels = labels or [match["label"] or match["circled"] for match in markers]
        wording = reordered(instruction, markers, order)
    return Shuffled(wording, moved, moved_reference(reference, read, right, labels[order.index(right)]), order)


def is_right(before: str, after: str, reference: str, made: Shuffled) -> bool:
    """Whether the text that a model is now sent lists the options of `before` in the drawn order, under the labels as
    they were, and the new reference names the option that the old one named."""
    old, new = options_in(before), options_in(after)
    if old is None or new is None or len(old) != len(new):
        return False
    moved = all(new.options[at].text == old.options[place].text for at, place in enumerate(made.order))
    labels = all(one.label == other.label for one, other in zip(old.options, new.options, strict=True))
    right, now = choice_in(reference, old).option, choice_in(made.reference, new).option
    return moved and labels and right is not None and now is not None and made.order[now] == right


def speaks_of_others(text: str, read: Options) -> bool:
    if any(words in text for words in _OTHERS):
        return True
    labels = {option.label.casefold() for option in read.options}
    words = regex.findall(r"[\p{L}\p{N}]+", text)
    # "A and B", "أ و ب": two labels among few words.
    return len(words) <= 4 and sum(word in labels for word in words) >= 2


def markers_in(text: str, read: Options) -> list[regex.Match[str]] | None:
    """The labels of the options where they stand in the text, the last ones of each; None where one is not found."""
    every = list(_MARKER.finditer(text))
    found: list[regex.Match[str]] = []
    at = len(every)
    for option in reversed(read.options):
        at = next((place for place in range(at - 1, -1, -1) if label_of(every[place]) == option.label), -1)
        if at < 0:
            return None
        found.append(every[at])
    return found[::-1]


def reordered(text: str, markers: Sequence[regex.Match[str]], order: Sequence[int]) -> str:
    """The text with what follows each label in the drawn order."""
    found = [match.span() for match in markers]
    last_line = text.find("\n", found[-1][1])
    ends = [start for start, _end in found[1:]] + [len(text) if last_line < 0 else last_line]
    parts = [Part.of(text[end:stop]) for (_start, end), stop in zip(found, ends, strict=True)]
    made = [text[: found[0][0]]]
    for at, ((start, end), part) in enumerate(zip(found, parts, strict=True)):
        made += [text[start:end], part.before, parts[order[at]].words, part.after]
    return "".join([*made, text[ends[-1] :]])


@dataclass(frozen=True, slots=True)
class Part:
    """The words behind a label, and the white space and stops around them, which stay where they are."""

    before: str
    words: str
    after: str

    @classmethod
    def of(cls, text: str) -> "Part":
        words = text.strip()
        stops = len(words) - len(words.rstrip(" ,;،؛"))
        words = words[: len(words) - stops]
        begin = text.find(words) if words else 0
        return cls(text[:begin], words, text[begin + len(words) :])


def label_of(match: regex.Match[str]) -> str:
    """The label as options.py has it."""
    words = spelled(match["circled"] or match["label"]).strip(" )\u0640")
    return words.upper()


def moved_reference(reference: str, read: Options, right: int, label: str) -> str:
    """The reference with this label of the option's new place, where it names it by a label."""
    bare = reference.strip()
    if words_alone(spelled(bare)).upper() == read.options[right].label:
        return reference.replace(words_of(bare), label, 1)
    match = _MARKER.match(bare)
    if match and label_of(match) == read.options[right].label:
        start, end = match.span("label" if match["label"] else "circled")
        return bare[:start] + label + bare[end:]
    return reference


def words_of(bare: str) -> str:
    """The label in a reference that is nothing else."""
    found = regex.search(r"[\p{L}\p{N}\p{So}]\u0640?", bare)
    return found[0] if found else bare
