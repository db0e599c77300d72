"""Which option of a multiple-choice question an answer settles on.

Read in this order: an explicit cue anywhere ("the answer is C"); an answer that is nothing but a letter or an option's
words; a letter at the start that a reason follows; a letter or an option at the end. Several options are no choice, and
silence is no wrong answer: a judge is asked then.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from agreement.answers.cues import CUES
from agreement.answers.declaration import TOP, Score
from agreement.answers.folding import content_lines
from agreement.answers.options import SERIES, Options, options_in, spelled, words_alone

ONE = "one"
SEVERAL = "several"
SILENT = "silent"

# Beyond this the middle of an answer is not read: its start and its end are.
MAX_CHARACTERS = 60_000
LAST_LINES = 3
# Series whose letters stand for options of another series.
LETTERS = ("latin", "arabic abjad", "korean", "bengali", "devanagari")

_EDGE = r"(?<![\p{L}\p{M}\p{N}])"
_OPEN = r"[\s:：=*_\"'«“‘(\[{（`>\-–—]{0,12}+"
_CLOSE = r"[*_\"'»”’)\]}）`]{0,6}"


@dataclass(frozen=True, slots=True)
class Choice:
    """state  "one", "several" or "silent"; options  positions chosen; basis  where it was read."""

    state: str
    options: tuple[int, ...] = ()
    basis: str = ""

    @property
    def option(self) -> int | None:
        return self.options[0] if self.state == ONE else None


def last_lines(text: str, lines: int = LAST_LINES) -> str:
    """The last lines with text: the paper's own cut, for the column "as published"."""
    return "\n".join(content_lines(text)[-lines:])


def choice_in(answer: str, options: Options) -> Choice:
    """The option an answer settles on."""
    text = spelled(answer)
    if len(text) > MAX_CHARACTERS:
        text = text[: MAX_CHARACTERS // 2] + "\n" + text[-MAX_CHARACTERS // 2 :]
    reader = _reader(options)
    for basis, read in (("cue", reader.by_cue), ("alone", reader.alone), ("ends", reader.at_the_ends)):
        chosen = read(text)
        if chosen:
            return Choice(ONE if len(chosen) == 1 else SEVERAL, tuple(sorted(chosen)), basis)
    return Choice(SILENT)


def score_choice(answer: str, question: str, reference: str) -> Score | None:
    """10 where the answer settles on the reference's option alone, 0 for another or several; None: ask the judge.

    None also where the question lists no options, or the reference names none or several of them.
    """
    score = choice_scorer(question, reference)
    return score(answer) if score else None


def choice_scorer(question: str, reference: str) -> Callable[[str], Score | None] | None:
    """`score_choice` for many answers to one question; None where all of them are the judge's."""
    options = options_in(question)
    right = choice_in(reference, options).option if options else None
    if options is None or right is None:
        return None

    def score(answer: str) -> Score | None:
        choice = choice_in(answer, options)
        if choice.state == SILENT:
            return None
        detail = {
            "state": choice.state,
            "chosen": [options.options[option].label for option in choice.options],
            "right": options.options[right].label,
            "basis": choice.basis,
        }
        return Score(TOP if choice.option == right else 0.0, detail)

    return score


@lru_cache(maxsize=1024)
def _reader(options: Options) -> "_Reader":
    return _Reader(options)


@cache
def _any_of(*names: str) -> str:
    """A pattern of all languages' phrases of these kinds, longest first."""
    phrases = {spelled(phrase) for cues in CUES.values() for name in names for phrase in getattr(cues, name)}
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return "(?i:" + "|".join(r"\s+".join(map(regex.escape, phrase.split())) for phrase in longest_first) + ")"


@dataclass(frozen=True)
class _Patterns:
    """What holds for every question: a label here is any letter or digit, which the question knows or does not."""

    announced: regex.Pattern[str]
    final: regex.Pattern[str]
    label: regex.Pattern[str]
    settled: regex.Pattern[str]
    addition: regex.Pattern[str]
    whole: regex.Pattern[str]
    start: regex.Pattern[str]
    marked: regex.Pattern[str]
    end: regex.Pattern[str]


@cache
def _patterns() -> _Patterns:
    ends_word = r"(?![\p{L}\p{M}\p{N}])"
    # A lone A in a sentence is an article, "Answer: A cat", unless a reason or the like follows.
    goes_on = rf"{_any_of('because', 'settled', 'conjunctions')}{ends_word}"
    label = rf"(?P<label>\p{{L}}|\p{{N}}){_any_of('particles')}?{ends_word}(?!(?<=[Aa])\s+(?!{goes_on})\p{{Ll}})"
    noun = rf"(?:{_any_of('nouns')}\b)?"
    to_target = rf"{_OPEN}{noun}{_OPEN}(?:\\text)?{_OPEN}"
    link = rf"{_any_of('links')}{ends_word}"
    announced = (
        rf"{_any_of('certain', 'final')}(?:\s+{link})?{ends_word}"
        rf"|{_any_of('answers')}(?:\s*{link}|{_CLOSE}\s*[:：=\-–>])"
        rf"|{_any_of('choosing')}{ends_word}"
    )
    final = rf"{_any_of('final')}(?:\s+{link})?{ends_word}|\\boxed"
    closing = rf"{_CLOSE}\s*[.،,:：)\]\-–—।]*{_CLOSE}\s*"
    stop = rf"{_CLOSE}\s*[.،,:：)\]\-–—।]|{_CLOSE}\s*{_any_of('because')}{ends_word}|\s*\n|\s*$"
    conclusion = rf"[.!?؟।。:：]|{_EDGE}{_any_of('therefore')}[\s,،:]"
    return _Patterns(
        announced=regex.compile(rf"{_EDGE}(?:{announced}){to_target}"),
        final=regex.compile(rf"(?:{_EDGE}|(?=\\))(?:{final}){to_target}"),
        label=regex.compile(label),
        settled=regex.compile(rf"{_EDGE}{label}{_CLOSE}\s*{_any_of('settled')}(?![\p{{L}}\p{{M}}])"),
        addition=regex.compile(
            rf"{_CLOSE}\s*(?:[,،/&+]|{_any_of('conjunctions')}(?=[\s(\[*]))\s*{noun}{_OPEN}(?!\p{{Ll}}\s){label}"
            # "C, B is wrong" adds nothing.
            rf"(?=\s*(?:$|[^\s\p{{L}}\p{{M}}\p{{N}}]|\n|{_any_of('conjunctions', 'because')}{ends_word}))"
        ),
        whole=regex.compile(rf"{_OPEN}{noun}{_OPEN}{label}{closing}"),
        start=regex.compile(rf"{_OPEN}{noun}{_OPEN}{label}(?:{stop})"),
        marked=regex.compile(rf"(?<!\S)[*_]*[(\[]?{label}[*_]*[)\].:\-–]"),
        end=regex.compile(rf"(?:{conclusion})\s*{noun}{_OPEN}{label}{closing}$"),
    )


class _Reader:
    """Reads answers to one list of options."""

    def __init__(self, options: Options) -> None:
        self.positions = _positions(options)
        texts = [option.text for option in options.options]
        # Words that two options share name neither; words that are the label of another option name nobody, as does
        # that label.
        self.by_text = {text: place for place, text in enumerate(texts) if text and texts.count(text) == 1}
        for text, place in list(self.by_text.items()):
            if self.positions.get(text.upper(), place) != place:
                del self.by_text[text], self.positions[text.upper()]
        longest_first = sorted(self.by_text, key=len, reverse=True)
        alternatives = "|".join(r"\s+".join(map(regex.escape, text.split())) for text in longest_first)
        ends_word = r"(?![\p{L}\p{M}\p{N}])"
        self.words = regex.compile(f"({alternatives}){ends_word}", regex.IGNORECASE) if longest_first else None

    def named(self, match: regex.Match[str] | None) -> set[int]:
        """The option whose label was matched: none where the question has no such label."""
        position = self.positions.get(match["label"].upper()) if match else None
        return set() if position is None else {position}

    def by_cue(self, text: str) -> set[int]:
        """Options that explicit cues name, and those added to them ("A and C"). A final answer takes others back."""
        patterns = _patterns()
        if chosen := self.announced(text, patterns.final):
            return chosen
        chosen = self.announced(text, patterns.announced)
        for match in patterns.settled.finditer(text):
            chosen |= self.named(match)
        return chosen

    def announced(self, text: str, cue: regex.Pattern[str]) -> set[int]:
        chosen: set[int] = set()
        for match in cue.finditer(text):
            start = match.end()
            if self.words and (words := self.words.match(text, start)):
                chosen.add(self.by_text[" ".join(words[1].casefold().split())])
            elif label := _patterns().label.match(text, start):
                chosen |= self.with_additions(text, label)
        return chosen

    def with_additions(self, text: str, label: regex.Match[str]) -> set[int]:
        """The option of a label and of those joined to it by a comma or a conjunction."""
        chosen = self.named(label)
        end = label.end("label")
        while chosen and (addition := _patterns().addition.match(text, end)):
            chosen |= self.named(addition)
            end = addition.end()
        return chosen

    def alone(self, text: str) -> set[int]:
        """The option of an answer that is a label, an option's words, or both and nothing else."""
        return self.of_line(text.strip())

    def of_line(self, line: str) -> set[int]:
        place = self.by_text.get(words_alone(line))
        if place is not None:
            return {place}
        if match := _patterns().whole.fullmatch(line):
            return self.named(match)
        match = _patterns().marked.match(line)
        if match and (place := self.by_text.get(words_alone(line[match.end() :]))) is not None:
            # A label beside another option's words is two answers.
            return {place} | self.named(match)
        return set()

    def listed(self, text: str) -> tuple[set[int], bool]:
        """Options with their label and a bracket or stop, and whether nothing but their own words follows each."""
        matches = [match for match in _patterns().marked.finditer(text) if self.named(match)]
        ends = [match.start() for match in matches[1:]] + [len(text)]
        listed: set[int] = set()
        is_list = True
        for match, end in zip(matches, ends, strict=False):
            (place,) = self.named(match)
            listed.add(place)
            words = words_alone(text[match.end() : end].strip().partition("\n")[0])
            is_list = is_list and (not words or self.by_text.get(words) == place)
        return listed, is_list

    def at_the_ends(self, text: str) -> set[int]:
        """The option a letter at the start or an option at the end names; both, where they differ.

        A list of options names all of them, unless a letter alone stands below it.
        """
        lines = content_lines(text)
        if not lines:
            return set()
        patterns, text = _patterns(), text.strip()
        listed, is_list = self.listed(text)
        starting: set[int] = set()
        if label := patterns.label.match(text, _opened(text)):
            starting = self.with_additions(text, label)
            if len(starting) < 2 and not patterns.start.match(text):
                starting = set()
        last = patterns.whole.fullmatch(lines[-1]) if len(lines) > 1 else None
        if ending := self.named(last or patterns.end.search(lines[-1])):
            # Options discussed above a conclusion are no choice; a letter the text begins with is one.
            return ending if len(listed - ending) > 1 else ending | starting
        if len(listed) > 1:
            # Options spoken of in sentences may be right or wrong ones.
            return listed if is_list else set()
        return starting or self.of_line(lines[-1]) or self.of_line(lines[0])


_OPENING = regex.compile(_OPEN)


def _opened(text: str) -> int:
    """Where the first letter or digit behind opening brackets and the like stands."""
    match = _OPENING.match(text)
    return match.end() if match else 0


def _positions(options: Options) -> dict[str, int]:
    """By label in capitals, the option it names.

    The question's own labels, and letters of another series that are as far on: C for ج, ③ or 다, and ج for C. Digits
    never stand for letters: they may be meant as the answer itself.
    """
    positions = {option.label: place for place, option in enumerate(options.options)}
    for series in LETTERS:
        if not set(SERIES[series]) & set(positions):
            positions.update({letter: place for place, letter in enumerate(SERIES[series][: len(options)])})
    return positions
