"""Answers to question types as rows, and what they say of items and contests.

Positions are indices into `Questions`, `Items` and `Contests`. An item is a response as rated on one question type;
a contest is two responses side by side on one question type.
"""

from dataclasses import dataclass

import numpy as np

from annotation.models import Preference
from reports.dashboard.columns import Flags, Floats, Integers, Rows, latest, positions
from reports.ratings.sides import one_by_one, without_grades

#: What a stated preference says of the first response; in the order of PREFERENCES.
PREFERENCES = (Preference.SECOND.value, Preference.TIE.value, Preference.FIRST.value)
SAYS = np.array([-1.0, 0.0, 1.0, np.nan])


@dataclass(frozen=True, eq=False)
class Questions(Rows):
    """The question types of the scope, in the order of their ids; shape (Q,). `number`: its place among all of the
    project; grades 0 where there is no scale; `nominal` where its grades are names without an order."""

    id: Integers
    number: Integers
    dimension: Integers
    lowest: Integers
    highest: Integers
    nominal: Flags


@dataclass(frozen=True, eq=False)
class Items(Rows):
    """Responses that somebody rated on a scale, once per question type; shape (I,). All ids but `question` and
    `length`, in characters."""

    question: Integers
    response: Integers
    variety: Integers
    prompt: Integers
    model: Integers
    length: Integers


@dataclass(frozen=True, eq=False)
class Grades(Rows):
    """Grades of items, shape (G,), NaN where a judge's verdict could not be read.

    item       index; rater  id; is_swapped  True where the second response of the pair was shown first; shown_first  1
    where the item's response was, 0 where the other was, NaN where it was alone.
    A person grades an item once: who met a response in several pairs counts with the latest grade. A judge's grades
    are all there, one per order and pair.
    """

    item: Integers
    rater: Integers
    grade: Floats
    is_swapped: Flags
    by_human: Flags
    by_expert: Flags
    shown_first: Floats


@dataclass(frozen=True, eq=False)
class Contests(Rows):
    """Pairs on a question type, shape (C,). `first`, `second` are items, -1 where the question has no scale.

    question  index; longer  1 where the first response has more characters, -1 where the second has, 0 where they
    have as many; first_length, second_length  in characters; all others ids.
    """

    question: Integers
    pair: Integers
    variety: Integers
    prompt: Integers
    first: Integers
    second: Integers
    first_model: Integers
    second_model: Integers
    longer: Integers
    first_response: Integers
    second_response: Integers
    first_length: Integers
    second_length: Integers


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What raters say of contests, shape (V,): `says` 1 where the first response wins, 0 a tie, -1 where it loses,
    NaN where a judge's verdict could not be read. `difference` is first less second grade, NaN without grades.

    contest  index; rater  id; is_swapped  as of `Grades`; is_ordered  False of grades that were given one by one.
    """

    contest: Integers
    rater: Integers
    says: Floats
    difference: Floats
    is_swapped: Flags
    is_ordered: Flags
    by_human: Flags
    by_expert: Flags


@dataclass(frozen=True, eq=False)
class Texts(Rows):
    id: Integers
    variety: Integers
    prompt: Integers
    model: Integers
    length: Integers


@dataclass(frozen=True, eq=False)
class Pairs(Rows):
    """Pairs whose responses are among the texts; `first`, `second` are positions there."""

    id: Integers
    variety: Integers
    first: Integers
    second: Integers


@dataclass(frozen=True, eq=False)
class Answers(Rows):
    """Answers as stored, the latest of each. `of_pair`, `of_text`  position, else -1; `turn`  of assignment, else 0."""

    id: Integers
    question: Integers
    of_pair: Integers
    of_text: Integers
    rater: Integers
    first: Floats
    second: Floats
    says: Integers
    is_swapped: Flags
    by_human: Flags
    by_expert: Flags
    turn: Integers


def graded(questions: Questions, texts: Texts, pairs: Pairs, rows: Answers) -> tuple[Items, Grades, Integers]:
    """Items in the order of response and question, their grades, and of each grade the assignment."""
    with_scale = questions.highest > questions.lowest
    of_pair = rows.taken((rows.of_pair >= 0) & with_scale[rows.question])
    single = rows.taken((rows.of_text >= 0) & with_scale[rows.question])
    sides = (
        (of_pair, pairs.first[of_pair.of_pair], of_pair.first, np.where(of_pair.is_swapped, 0.0, 1.0)),
        (of_pair, pairs.second[of_pair.of_pair], of_pair.second, np.where(of_pair.is_swapped, 1.0, 0.0)),
        (single, single.of_text, single.first, np.full(len(single), np.nan)),
    )
    text = np.concatenate([side for _rows, side, _grade, _shown in sides])
    grade, shown = (np.concatenate([one[place] for one in sides]) for place in (2, 3))
    names = ("id", "question", "rater", "says", "is_swapped", "by_human", "by_expert", "turn")
    pk, question, rater, says, swapped, by_human, by_expert, turn = (
        np.concatenate([getattr(one, name) for one, *_columns in sides]) for name in names
    )
    # Whoever stated a preference instead of grades has graded nothing.
    kept = ~np.isnan(grade) | (says < 0)
    key, item = np.unique(text * len(questions) + question, return_inverse=True)
    place, of_question = np.divmod(key, max(1, len(questions)))
    chosen = np.flatnonzero(kept)
    people = chosen[by_human[chosen]]
    people = people[latest((item[people], rater[people]), pk[people])]
    chosen = np.sort(np.concatenate((people, chosen[~by_human[chosen]])))
    of_text = (getattr(texts, name)[place] for name in ("id", "variety", "prompt", "model", "length"))
    items = Items(of_question, *of_text)
    grades = Grades(item, rater, grade, swapped, by_human, by_expert, shown).taken(chosen)
    return items, grades, turn[chosen]


def contested(questions: Questions, texts: Texts, pairs: Pairs, rows: Answers, items: Items) -> tuple:
    """Pairs as they were answered side by side, and those whose two responses a rater graded one by one."""
    n = max(1, len(questions))
    # Of grades without an order no preference follows.
    nominal = questions.nominal[rows.question]
    together = rows.taken((rows.of_pair >= 0) & ~(nominal & ~np.isnan(rows.first) & (rows.says < 0)))
    together = together.taken(np.arange(len(together)), **without_grades(together, questions))
    alone, pair, difference = one_by_one(rows.taken((rows.of_text >= 0) & ~nominal), pairs, n)
    key = np.concatenate((together.of_pair * n + together.question, pair * n + alone.question))
    keys, contest = np.unique(key, return_inverse=True)
    pair, question = np.divmod(keys, n)
    key_of_item = positions(texts.id, items.response) * n + items.question
    first, second = pairs.first[pair], pairs.second[pair]
    contests = Contests(
        question,
        pairs.id[pair],
        pairs.variety[pair],
        texts.prompt[first],
        positions(key_of_item, first * n + question),
        positions(key_of_item, second * n + question),
        texts.model[first],
        texts.model[second],
        np.sign(texts.length[first] - texts.length[second]),
        texts.id[first],
        texts.id[second],
        texts.length[first],
        texts.length[second],
    )
    graded = ~np.isnan(together.first)
    inferred = np.sign(together.first - together.second)
    raters = ("rater", "by_human", "by_expert")
    rater, by_human, by_expert = (np.concatenate((getattr(together, one), getattr(alone, one))) for one in raters)
    verdicts = Verdicts(
        contest,
        rater,
        np.concatenate((np.where(graded, inferred, SAYS[together.says]), np.sign(difference))),
        np.concatenate((together.first - together.second, difference)),
        np.concatenate((together.is_swapped, np.zeros(len(difference), dtype=bool))),
        np.concatenate((np.ones(len(inferred), dtype=bool), np.zeros(len(difference), dtype=bool))),
        by_human,
        by_expert,
    )
    return contests, verdicts
