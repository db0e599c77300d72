"""Signs that a configuration's answers were made for the judge and not for the question: flags, and notes.

A flag stands beside the score and keeps the configuration out of calibrated and controlled columns; a note only says
something. Both are counts of answers, with the questions they concern, for people to look at: no p-value says "fraud".

Sources: one text for all questions: X. Zheng et al., Cheating Automatic LLM Benchmarks: Null Models Achieve High Win
Rates (arXiv 2410.07137); options repeated: K. Ouda, ABBL (2025), section 3.1; overlapping runs of words: A. Z. Broder,
On the Resemblance and Containment of Documents (1997), whose minimum hashes near-duplicates are found by.
"""

import zlib
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import regex
from numpy.typing import NDArray

from agreement.figures import NO_ITEMS, Figure

ONE_TEXT, NEAR_DUPLICATES, OPTIONS_REPEATED, PADDING = "one text", "near-duplicates", "options repeated", "padding"
EMPTY_SCORED = "empty answers scored"
FLAGS, NOTES = (ONE_TEXT, NEAR_DUPLICATES, OPTIONS_REPEATED, PADDING), (EMPTY_SCORED,)
#: Words of a run; answers of fewer words than MIN_WORDS (a letter, a name, a short refusal) are rightly alike.
RUN, MIN_WORDS = 5, 12
#: A habit of a configuration is flagged where so many answers, and such a share of them, show it.
MIN_ANSWERS, MIN_SHARE = 5, 0.1
#: Share of an answer's runs that it has in common with others, or repeats, or of its characters that are blank.
MOSTLY, BLANK = 0.5, 0.4
#: Near-duplicates: resemblance of two answers, share of the questions, and how many at least both answered at length.
RESEMBLANCE, SHARE_OF_PAIR, MIN_SHARED = 0.8, 0.5, 20
HASHES = 64
#: Hashes by which all pairs are compared first, and runs that are mixed at once.
FEW_HASHES, RUNS_AT_ONCE = 16, 16_384

_WORD = regex.compile(
    r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Han}\p{Hiragana}\p{Katakana}]|[\p{L}\p{M}\p{N}_]+"  # no spaces: letters
)
_BLANK = regex.compile(r"[\s\p{Z}\p{Cf}\p{Cc}]")
_VISIBLE = regex.compile(r"[^\s\p{Z}\p{Cf}\p{Cc}]")
_NO_SIGNATURE = np.iinfo(np.uint32).max
_generator = np.random.default_rng(1997)
_ODD = _generator.integers(0, 2**63, HASHES, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_ADDED = _generator.integers(0, 2**63, HASHES, dtype=np.uint64)

Q = TypeVar("Q", bound=Hashable)
Signatures = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Runs:
    """The different runs of five words of one answer, as numbers: a run's text would take ten times the memory, and a
    model answers ten thousand questions.

    distinct  64 bits each, ascending; the same run has the same number within a process, and no other one's. checksums
              32 bits each, which signatures are made of and which are the same everywhere. n  runs, repeats counted.
    """

    distinct: NDArray[np.int64]
    checksums: NDArray[np.uint32]
    n: int

    @classmethod
    def of(cls, text: str) -> "Runs":
        runs = _runs(text)
        if not runs:
            return NO_RUNS
        different = set(runs)
        numbers = np.fromiter(map(hash, different), dtype=np.int64, count=len(different))
        numbers.sort()
        sums = np.fromiter((zlib.crc32(run.encode()) for run in different), dtype=np.uint32, count=len(different))
        return cls(numbers, sums, len(runs))


NO_RUNS = Runs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint32), 0)


def runs_of(answers: Mapping[Q, str]) -> dict[Q, Runs]:
    """By question the runs of five words of its answer, none for one of fewer than twelve words. They take most of the
    time of what is asked here, so whoever asks several things hands them on."""
    return {question: Runs.of(text) for question, text in answers.items()}


def one_text(answers: Mapping[Q, str], refused: Collection[Q] = (), runs: Mapping[Q, Runs] | None = None) -> Figure:
    """Does one text, whole or with changes here and there, answer many questions?

    answers  by question; refused  questions whose answer is a refusal, which is rightly the same: left out; runs  as
             `runs_of` gives them, where they are at hand.

    Runs of five words that occur in a tenth of the answers (five at least) are common; an answer of twelve words or
    more counts where more than half of its runs are common. value = share of such answers, n = answers that are not
    empty. detail: `flag`, `is_flagged` (five answers and a tenth of all), `questions`. Undefined: "no items".
    """
    texts = {question: text for question, text in answers.items() if text.strip() and question not in refused}
    known = runs_of(texts) if runs is None else runs
    distinct = {question: known[question].distinct for question in texts if known[question].n}
    common = _common(list(distinct.values()), max(MIN_ANSWERS, MIN_SHARE * len(texts)))
    concerned = [
        question for question, of_answer in distinct.items() if _n_among(of_answer, common) > MOSTLY * len(of_answer)
    ]
    return _share(ONE_TEXT, concerned, len(texts))


def padding(answers: Mapping[Q, str], runs: Mapping[Q, Runs] | None = None) -> Figure:
    """Are answers filled up?

    An answer of twelve words or more counts where more than half of its runs of five words are repeats of runs within
    it, and one of any length (a hundred characters at least) where more than 40 % of its characters are blank: spaces,
    line ends, or invisible. Weak models fall into loops on single questions; a tenth of all answers is a habit.
    runs, value, n and detail as `one_text`.
    """
    texts = {question: text for question, text in answers.items() if text.strip()}
    known = runs_of(texts) if runs is None else runs
    concerned = [question for question, text in texts.items() if _is_padded(text, known[question])]
    return _share(PADDING, concerned, len(texts))


def options_repeated(answers: Mapping[Q, str], options: Mapping[Q, Sequence[str]]) -> Figure:
    """Do multiple-choice answers end by listing the choices instead of making one?

    options  texts of the choices by question; questions without, or with fewer than three, are left out.

    An answer counts where the last three of its lines that are not empty hold every option as whole words, and the
    options make up more than half of what they hold: an explanation of each choice does not. value = share of such
    answers, n = answers with options. detail as `one_text`.
    """
    chosen = {
        question: text
        for question, text in answers.items()
        if text.strip() and len([option for option in options.get(question, ()) if option.strip()]) >= 3
    }
    concerned = [question for question, text in chosen.items() if _lists_all(text, options[question])]
    return _share(OPTIONS_REPEATED, concerned, len(chosen))


def empty_scored(answers: Mapping[Q, str], scored: Collection[Q]) -> Figure:
    """Answers without a visible character that have a score all the same; `scored` are the questions with a score.

    A note: the judge scored nothing. value = how many, n = scored answers. detail: `note`, `is_noted`, `questions`.
    Undefined: "no items".
    """
    judged = [question for question in answers if question in scored]
    if not judged:
        return Figure.without_value(NO_ITEMS, note=EMPTY_SCORED, is_noted=False, questions=[])
    empty = [question for question in judged if not _VISIBLE.search(answers[question])]
    detail = {"note": EMPTY_SCORED, "is_noted": bool(empty), "questions": empty}
    return Figure(float(len(empty)), len(judged), detail=detail)


def signatures(answers: Sequence[str | None]) -> Signatures:
    """Minimum hashes of the runs of five words of each answer, shape (Q, 64); a row of the largest number where there
    is no answer of twelve words. Two answers share as many of 64 as their runs resemble each other (Jaccard).

    The same for the same text on every machine. Answers in the order of the set's questions, so that rows compare.
    """
    return signatures_of([Runs.of(text or "") for text in answers])


def signatures_of(runs: Sequence[Runs]) -> Signatures:
    """As `signatures`, of the runs of each answer."""
    table = np.full((len(runs), HASHES), _NO_SIGNATURE, dtype=np.uint32)
    for rows in _rows_at_once([len(of_answer.checksums) for of_answer in runs]):
        flat = np.concatenate([runs[row].checksums for row in rows]).astype(np.uint64)
        begins = np.cumsum([0, *(len(runs[row].checksums) for row in rows[:-1])])
        # Multiply and shift (Dietzfelbinger et al., 1997); arithmetic modulo 2^64 is meant. Shifted is the smallest
        # alone: the order stays.
        for column in range(HASHES):
            mixed = flat * _ODD[column] + _ADDED[column]
            table[rows, column] = (np.minimum.reduceat(mixed, begins) >> np.uint64(32)).astype(np.uint32)
    return table


def _rows_at_once(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Rows that are not empty, in groups whose runs fit into the processor's cache together."""
    rows: list[int] = []
    n = 0
    for row, length in enumerate(lengths):
        if length:
            rows.append(row)
            n += length
            if n >= RUNS_AT_ONCE:
                yield rows
                rows, n = [], 0
    if rows:
        yield rows


def near_duplicates(first: Signatures, second: Signatures, reference: Signatures | None = None) -> Figure:
    """Do two entries give nearly the same answers?

    first, second  `signatures` of two configurations, rows of the same questions; reference  of the reference answers:
                   questions on which both resemble it are left out, for there is one right text (a diacritization).

    value = share of questions, among those that both answered in twelve words or more, on which the answers resemble
    each other to four fifths; n = those questions. detail: `flag`, `is_flagged` (half of at least 20), `questions`
    (rows). Undefined: "no items". Entries of one model in two precisions are near-duplicates too: what a flag means is
    for people to say. Raises ValueError for other shapes.
    """
    if first.shape != second.shape or (reference is not None and reference.shape != first.shape):
        raise ValueError("signatures are of the same questions")
    both = (first != _NO_SIGNATURE).any(axis=1) & (second != _NO_SIGNATURE).any(axis=1)
    alike = (first == second).mean(axis=1) >= RESEMBLANCE
    if reference is not None:
        both &= ~(((first == reference).mean(axis=1) >= RESEMBLANCE) & alike)
    n, rows = int(both.sum()), np.flatnonzero(both & alike).tolist()
    if n == 0:
        return Figure.without_value(NO_ITEMS, flag=NEAR_DUPLICATES, is_flagged=False, questions=[])
    is_flagged = n >= MIN_SHARED and len(rows) >= SHARE_OF_PAIR * n
    detail = {"flag": NEAR_DUPLICATES, "is_flagged": is_flagged, "questions": rows}
    return Figure(len(rows) / n, n, detail=detail)


def near_duplicate_pairs(
    entries: Mapping[Q, Signatures], reference: Signatures | None = None
) -> dict[tuple[Q, Q], Figure]:
    """The flagged pairs of entries, earlier first; each figure as `near_duplicates`.

    All entries are compared at once by a few of their hashes, and only pairs that these leave possible by all.
    """
    names = list(entries)
    flagged: dict[tuple[Q, Q], Figure] = {}
    if not names:
        return flagged
    if len({table.shape for table in entries.values()}) > 1:
        raise ValueError("signatures are of the same questions")
    signed = np.stack([(table != _NO_SIGNATURE).any(axis=1) for table in entries.values()])
    few = np.stack([table[:, :FEW_HASHES].T for table in entries.values()])  # (entries, hashes, questions)
    for place, second in enumerate(names):
        for earlier in _possible(few, signed, place):
            figure = near_duplicates(entries[names[earlier]], entries[second], reference)
            if figure.detail["is_flagged"]:
                flagged[names[earlier], second] = figure
    return flagged


def _possible(few: Signatures, signed: NDArray[np.bool_], place: int) -> list[int]:
    """Entries before `place` that may be its near-duplicates: of answers that resemble each other at most 64 x (1 -
    RESEMBLANCE) hashes differ, so that of FEW_HASHES some are the same."""
    least = FEW_HASHES - int(HASHES * (1 - RESEMBLANCE))
    same = np.zeros((place, few.shape[2]), dtype=np.uint8)
    for column in range(FEW_HASHES):
        same += few[:place, column] == few[place, column]
    alike = ((same >= least) & signed[:place] & signed[place]).sum(axis=1)
    return np.flatnonzero(alike >= SHARE_OF_PAIR * MIN_SHARED).tolist()


def _share(flag: str, concerned: list[Q], n: int) -> Figure:
    if n == 0:
        return Figure.without_value(NO_ITEMS, flag=flag, is_flagged=False, questions=[])
    is_flagged = len(concerned) >= max(MIN_ANSWERS, MIN_SHARE * n)
    return Figure(len(concerned) / n, n, detail={"flag": flag, "is_flagged": is_flagged, "questions": concerned})


def _runs(text: str) -> list[str]:
    """Runs of five words in their order, none for a text of fewer than twelve words."""
    words = _WORD.findall(text.casefold())
    if len(words) < MIN_WORDS:
        return []
    return list(map(" ".join, zip(*(words[at:] for at in range(RUN)), strict=False)))


def _common(distinct: Sequence[NDArray[np.int64]], least: float) -> NDArray[np.int64]:
    """Runs of at least so many answers, ascending."""
    if not distinct:
        return NO_RUNS.distinct
    together = np.concatenate(distinct)
    together.sort()
    begins = np.flatnonzero(np.concatenate(([True], together[1:] != together[:-1])))
    times = np.diff(begins, append=len(together))
    return together[begins[times >= least]]


def _n_among(numbers: NDArray[np.int64], common: NDArray[np.int64]) -> int:
    """How many of the numbers are among others that ascend."""
    if not len(common):
        return 0
    places = np.minimum(np.searchsorted(common, numbers), len(common) - 1)
    return int((common[places] == numbers).sum())


def _is_padded(text: str, runs: Runs) -> bool:
    if len(text) >= 100 and _n_blank(text) > BLANK * len(text):
        return True
    return len(runs.distinct) < (1 - MOSTLY) * runs.n


def _n_blank(text: str) -> int:
    """Characters that are blank. What `isprintable` lets through holds, but for spaces, none: counted so it is much
    faster, and exact."""
    without_spaces = "".join(text.split())
    return len(text) - len(without_spaces) if without_spaces.isprintable() else len(_BLANK.findall(text))


def _lists_all(text: str, options: Sequence[str]) -> bool:
    lines = [line for line in text.splitlines() if line.strip()][-3:]
    end = " ".join(" ".join(lines).casefold().split())
    wanted = [" ".join(option.casefold().split()) for option in options if option.strip()]
    if not all(regex.search(rf"(?<!\w){regex.escape(option)}(?!\w)", end) for option in wanted):
        return False
    return sum(map(len, wanted)) > MOSTLY * len(end)
