"""The rewards for training a judge, of pairs and of marks, and the text in which a trained judge answers.

A file by itself: it needs the standard library alone, so that it can be copied beside a trainer. What it calls a
good answer is what `manage.py export_training` writes as one and asks for. Of pairs:

    <think>...</think>
    <grade_a>4</grade_a>
    <grade_b>2</grade_b>

For grades s and gold g of the two responses A and B (MENLO, section 4.1):

    R = sum over A and B of max(1[s = g], 0.5 * 1[|s - g| = 1])
        + 1[sign(s_A - s_B) = sign(g_A - g_B)]
        - 1 if a grade is missing or invalid
        - 0.2 if a tag is missing, stands twice or out of order

The maximum is 3. A grade that is missing or invalid earns nothing and decides nothing: the term for the order of the
two needs both. It is taken off once, though both be missing.

Of marks, `{"errors": [...]}` after the reasoning, against the gold of a response (places and labels):

    R = 2 * (sum over the matched pairs of IoU * labels) / (marks + errors of the gold)
        - 0.2 if a quote has no certain place in the response
        - 0.2 if the reasoning is missing, stands twice or out of order
    R = -1 if what follows the reasoning is no such object

The F1 of marks as figures have it (docs/figures.md, `agreement/spans.py`): IoU of words, a match above 0.15, each mark
with one error and each error with one mark, as many as can be. That each pair counts by its IoU is not the figures': a
mark over the whole response matches an error of a sixth of it, and would earn as much as the error's own words.
`labels` is 1 where category and criticality are those of the gold, as far as it has them, and 0.6 where none is.
Nothing to find and nothing marked is 1, the maximum. Omissions have no words to match, and neither earn nor cost.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

REASONING = "think"
GRADES = ("grade_a", "grade_b")
TAGS = (REASONING, *GRADES)
EXACT, NEAR, SAME_ORDER = 1.0, 0.5, 1.0
NO_GRADE, NO_FORM = -1.0, -0.2
MAXIMUM = len(GRADES) * EXACT + SAME_ORDER
LOWEST, HIGHEST = 1, 5
# The digits of JSON alone: int() would take Arabic and full-width ones, underscores, signs and spaces as well.
WHOLE = re.compile(r"-?[0-9]{1,6}")


def written(first: int, second: int, reasoning: str | None = None) -> str:
    """The answer with these grades; without a reasoning it has the two grades alone."""
    parts = [] if reasoning is None else [f"<{REASONING}>{reasoning}</{REASONING}>"]
    return "\n".join([*parts, *(f"<{tag}>{grade}</{tag}>" for tag, grade in zip(GRADES, (first, second), strict=True))])


def read_grade(text: str, tag: str, lowest: int = LOWEST, highest: int = HIGHEST) -> int | None:
    """The grade that stands in this tag, or None where it is missing, no whole number of the scale, or two of them."""
    # Behind the last closing tag every opening one would be followed to the end in vain.
    closed = "".join(text.rpartition(f"</{tag}>")[:2])
    marked = {content.strip(" \t\r\n") for content in re.findall(rf"<{tag}>(.*?)</{tag}>", closed, re.DOTALL)}
    if len(marked) != 1:
        return None
    [content] = marked
    if not WHOLE.fullmatch(content):
        return None
    grade = int(content)
    return grade if lowest <= grade <= highest else None


def read_grades(text: str, lowest: int = LOWEST, highest: int = HIGHEST) -> tuple[int | None, int | None]:
    """What an answer grades A and B, after its reasoning: grades that it only thinks of are none."""
    answer = text.rpartition(f"</{REASONING}>")[2]
    first, second = (read_grade(answer, tag, lowest, highest) for tag in GRADES)
    return first, second


def is_well_formed(text: str, tags: Sequence[str] = TAGS) -> bool:
    """Whether every tag is opened and closed exactly once, one after the other in their order."""
    marks = [mark for tag in tags for mark in (f"<{tag}>", f"</{tag}>")]
    return re.findall(rf"</?(?:{'|'.join(tags)})>", text) == marks


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


def reward(
    text: str, gold: tuple[float, float], lowest: int = LOWEST, highest: int = HIGHEST, tags: Sequence[str] = TAGS
) -> float:
    """The reward of one answer against the gold of A and B, in the order in which they were shown. From -1.2 to 3."""
    grades = read_grades(text, lowest, highest)
    earned = sum(closeness(grade, best) for grade, best in zip(grades, gold, strict=True))
    first, second = grades
    if first is None or second is None:
        earned += NO_GRADE
    elif sign(first - second) == sign(gold[0] - gold[1]):
        earned += SAME_ORDER
    return earned if is_well_formed(text, tags) else earned + NO_FORM


def closeness(grade: int | None, gold: float) -> float:
    if grade is None:
        return 0.0
    distance = abs(grade - gold)
    return EXACT if distance == 0 else NEAR if distance == 1 else 0.0


def text_of(completion: str | Sequence[Mapping[str, Any]]) -> str:
    """A completion's text: a string as it is, of a conversation what its last message says."""
    if isinstance(completion, str):
        return completion
    return str(completion[-1].get("content") or "") if completion else ""


def pair_reward(
    prompts: Sequence[Any],
    completions: Sequence[str | Sequence[Mapping[str, Any]]],
    *,
    gold_a: Sequence[float],
    gold_b: Sequence[float],
    lowest: Sequence[int] | None = None,
    highest: Sequence[int] | None = None,
    **columns: Any,
) -> list[float]:
    """The rewards of a batch, with the signature that TRL's GRPOTrainer calls: GRPOTrainer(reward_funcs=pair_reward).

    `gold_a`, `gold_b`, `lowest` and `highest` are columns of the exported file, a value for each completion. The
    trainer passes its other columns and its state as well; they are not looked at.
    Raises ValueError where the columns are not as long as the completions.
    """
    n = len(completions)
    bottom, top = lowest or [LOWEST] * n, highest or [HIGHEST] * n
    rows = zip(completions, gold_a, gold_b, bottom, top, strict=True)
    return [reward(text_of(completion), (first, second), low, high) for completion, first, second, low, high in rows]


def compute_score(
    data_source: str, solution_str: str, ground_truth: Mapping[str, Any], extra_info: Any = None, **more: Any
) -> float:
    """The same rewards as verl calls them. `ground_truth` of pairs has the keys gold_a, gold_b, lowest and highest; of
    marks, whose `data_source` ends in "/marks", response_text and gold."""
    if data_source.endswith(OF_MARKS):
        return reward_of_marks(solution_str, ground_truth["response_text"], ground_truth["gold"])
    gold = (ground_truth["gold_a"], ground_truth["gold_b"])
    return reward(solution_str, gold, ground_truth.get("lowest", LOWEST), ground_truth.get("highest", HIGHEST))


# --- Marks ----------------------------------------------------------------------------------------------

OF_MARKS = "/marks"
MALFORMED, NO_PLACE = -1.0, -0.2
#: Two marks match where their IoU is strictly greater.
THRESHOLD = 0.15
#: What of a matched pair its place is worth, and each label that the gold has.
OF_PLACE, OF_LABEL = 0.6, 0.2
LABELS = ("category", "criticality")
ANCHORS = ("words", "paragraph", "response", "missing")
LONGEST, MOST_MARKS, MOST_PLACES = 200_000, 300, 20
#: Occurrences of a quote that are counted, and characters that are searched for the quotes of one answer.
MOST_COUNTED, MOST_SEARCHED = 100, 12_000_000
FEW_CHARACTERS = 4
FENCES = ("```", "```json")
WORD = re.compile(r"\S+")
Stretches = list[tuple[int, int]]


class Mark(NamedTuple):
    """What a mark covers: words by their number, or characters where it owns no word; half open, none twice."""

    stretches: Stretches
    is_wordless: bool
    labels: dict[str, str]


class Malformed(ValueError):
    """What was answered cannot be read."""


def mark_reward(
    prompts: Sequence[Any],
    completions: Sequence[str | Sequence[Mapping[str, Any]]],
    *,
    response_text: Sequence[str],
    gold: Sequence[str | Mapping[str, Any]],
    **columns: Any,
) -> list[float]:
    """The rewards of a batch, with the signature that TRL's GRPOTrainer calls: GRPOTrainer(reward_funcs=mark_reward).

    `response_text` and `gold` are columns of the exported file. Raises ValueError where they are not as long as the
    completions.
    """
    rows = zip(completions, response_text, gold, strict=True)
    return [reward_of_marks(text_of(completion), response, truth) for completion, response, truth in rows]


def reward_of_marks(text: str, response: str, gold: str | Mapping[str, Any]) -> float:
    """The reward of one answer about a response, from -1 to 1.

    gold  as it is exported, JSON or read: `errors`, each with `places` (start and end in code points) and its labels;
          `words`, their starts and ends, where these are not what spaces part.
    """
    truth = json.loads(gold) if isinstance(gold, str) else gold
    words = truth.get("words") or [match.span() for match in WORD.finditer(response)]
    wanted = [mark_of(each["places"], words, each) for each in truth["errors"]]
    try:
        placed, lost = marks_of(read_errors(text), response, words)
    except Malformed:
        return MALFORMED
    earned = share_found(placed, wanted, lost) + NO_PLACE * bool(lost)
    return earned if is_well_formed(text, (REASONING,)) else earned + NO_FORM


def share_found(placed: Sequence[Mark], wanted: Sequence[Mark], lost: int = 0) -> float:
    """2 * (credits of the matched pairs) / (marks of both sides), from 0 to 1; `lost` marks have no place."""
    every = len(placed) + lost + len(wanted)
    if not every:
        return 1.0
    credits = [credit for _mark, _error, credit in matched(placed, wanted)]
    return round(2 * sum(sorted(credits)) / every, 9)


def read_errors(text: str) -> list[dict[str, Any]]:
    """The errors that an answer names after its reasoning. Raises Malformed."""
    answer = text.rpartition(f"</{REASONING}>")[2].strip()
    if len(answer) > LONGEST:
        raise Malformed("too long")
    try:
        value = json.loads(unfenced(answer))
    except (ValueError, RecursionError):
        raise Malformed("no JSON") from None
    errors = value.get("errors") if isinstance(value, dict) else None
    if not isinstance(errors, list) or len(errors) > MOST_MARKS:
        raise Malformed("no list of errors")
    for error in errors:
        check_error(error)
    return errors


def unfenced(answer: str) -> str:
    """What stands between an opening and a closing fence, each on a line of its own; else the answer as it is. Without
    a pattern, which would try every newline of a model that writes nothing else as the end of every part of it."""
    opening, _newline, rest = answer.partition("\n")
    inside, _newline, closing = rest.rpartition("\n")
    return inside if opening.rstrip() in FENCES and closing.strip() == FENCES[0] else answer


def check_error(error: Any) -> None:
    """Raises Malformed unless the error is laid out as it is asked for. What else stands in it is not looked at."""
    check_place(error)
    has_words = error.get("anchor", ANCHORS[0] if error.get("quote") else ANCHORS[-1]) == ANCHORS[0]
    more = [] if error.get("more") is None else error["more"]
    if error.get("anchor", ANCHORS[0]) not in ANCHORS or has_words != bool(error.get("quote")):
        raise Malformed("the quote does not fit the anchor")
    if not isinstance(more, list) or len(more) > MOST_PLACES or (more and not has_words):
        raise Malformed("more is no list of places")
    for place in more:
        check_place(place)
        if not place.get("quote"):
            raise Malformed("a place without words")


def check_place(place: Any) -> None:
    if not isinstance(place, dict):
        raise Malformed("no object")
    if not all(isinstance(place.get(name), str | None) for name in ("quote", *LABELS)):
        raise Malformed("a text is expected")
    if type(place.get("occurrence")) not in (int, type(None)):
        raise Malformed("a whole number is expected")


def marks_of(errors: Sequence[Mapping[str, Any]], response: str, words: Any) -> tuple[list[Mark], int]:
    """The errors that have words, with their places, and how many of them have no certain one."""
    places, marks, lost = Places(response), [], 0
    for error in errors:
        if not error.get("quote"):
            continue
        found = [places.find(each["quote"], each.get("occurrence")) for each in (error, *(error.get("more") or ()))]
        certain = [place for place in found if place is not None]
        if len(certain) == len(found):
            marks.append(mark_of(certain, words, error))
        else:
            lost += 1
    return marks, lost


class Places:
    """Where quotes stand in a response, letter by letter, within a bound on all of them together."""

    def __init__(self, response: str) -> None:
        self.response, self.searched = response, 0
        self.known: dict[str, list[int]] = {}

    def find(self, quote: str, occurrence: int | None) -> tuple[int, int] | None:
        """Start and end in code points; None where the quote is absent, or stands several times and which one is meant
        is not said. Occurrences count from 1, and may overlap."""
        if quote not in self.known:
            factor = min(len(quote), MOST_COUNTED) if len(set(quote)) < FEW_CHARACTERS else 1
            self.searched += len(self.response) * factor
            if self.searched > MOST_SEARCHED:
                return None
            self.known[quote] = list(islice(occurrences(self.response, quote), MOST_COUNTED))
        starts = self.known[quote]
        if occurrence is None and len(starts) > 1:
            return None
        number = 1 if occurrence is None else occurrence
        if not 1 <= number <= len(starts):
            return None
        return starts[number - 1], starts[number - 1] + len(quote)


def occurrences(text: str, quote: str) -> Any:
    at = text.find(quote)
    while at != -1:
        yield at
        at = text.find(quote, at + 1)


def mark_of(places: Any, words: Any, said: Mapping[str, Any]) -> Mark:
    """A mark over these places. A word belongs to it where they share a character."""
    starts, ends = [word[0] for word in words], [word[1] for word in words]
    owned = joined([(bisect_right(ends, start), bisect_left(starts, end)) for start, end in places])
    labels = {name: str(said.get(name) or "") for name in LABELS}
    return Mark(owned or joined([(start, end) for start, end in places]), not owned, labels)


def joined(stretches: Stretches) -> Stretches:
    """Those that hold anything, in order, and what two of them share once."""
    found: Stretches = []
    for start, end in sorted(each for each in stretches if each[0] < each[1]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def overlap(one: Mark, other: Mark) -> float:
    """Intersection over union; a mark that owns words shares nothing with one that owns none."""
    if one.is_wordless != other.is_wordless:
        return 0.0
    pairs = ((a, b) for a in one.stretches for b in other.stretches)
    shared = sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in pairs)
    every = sum(end - start for start, end in (*one.stretches, *other.stretches)) - shared
    return shared / every if every else 0.0


def agreed(mark: Mark, error: Mark) -> float:
    """1 where the labels are those of the gold, as far as it has them."""
    asked = [name for name in LABELS if error.labels[name]]
    same = sum(mark.labels[name] == error.labels[name] for name in asked)
    return (OF_PLACE + OF_LABEL * same) / (OF_PLACE + OF_LABEL * len(asked))


def matched(marks: Sequence[Mark], errors: Sequence[Mark]) -> list[tuple[int, int, float]]:
    """Index of a mark, index of an error and what the pair is worth: one-to-one, with the most pairs whose overlap is
    above the threshold, then the largest sum of what they are worth."""
    worth: dict[tuple[int, int], float] = {}
    for number, mark in enumerate(marks):
        for at, error in enumerate(errors):
            if (iou := overlap(mark, error)) > THRESHOLD:
                worth[number, at] = iou * agreed(mark, error)
    rows, columns = (sorted({pair[side] for pair in worth}) for side in (0, 1))
    first = 1 + min(len(rows), len(columns))  # one pair more is worth more than all that pairs can earn
    table = [[first + worth[row, column] if (row, column) in worth else 0.0 for column in columns] for row in rows]
    chosen = ((rows[row], columns[column]) for row, column in best_pairs(table))
    return [(*pair, worth[pair]) for pair in chosen if pair in worth]


def best_pairs(table: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The rows and columns whose sum is the largest, none twice: H. W. Kuhn, The Hungarian method for the assignment
    problem (1955), by shortest augmenting paths. Time grows with the smaller side squared, times the larger."""
    if not table:
        return []
    if len(table) > len(table[0]):
        return [(row, column) for column, row in best_pairs(list(zip(*table, strict=True)))]
    n, m = len(table), len(table[0])
    of_row, of_column, partner = [0.0] * (n + 1), [0.0] * (m + 1), [0] * (m + 1)
    for row in range(1, n + 1):
        partner[0], at = row, 0
        least, came, done = [float("inf")] * (m + 1), [0] * (m + 1), [False] * (m + 1)
        while partner[at]:
            done[at], here = True, partner[at]
            for column in range(1, m + 1):
                cost = -table[here - 1][column - 1] - of_row[here] - of_column[column]
                if not done[column] and cost < least[column]:
                    least[column], came[column] = cost, at
            nearest = min((column for column in range(1, m + 1) if not done[column]), key=least.__getitem__)
            step = least[nearest]
            for column in range(m + 1):
                if done[column]:
                    of_row[partner[column]] += step
                    of_column[column] -= step
                else:
                    least[column] -= step
            at = nearest
        while at:
            partner[at], at = partner[came[at]], came[at]
    return [(partner[column] - 1, column - 1) for column in range(1, m + 1) if partner[column]]
