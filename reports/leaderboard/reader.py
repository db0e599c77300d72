"""Everything that a board is computed from, as arrays: what each rule, judge and person says of each answer.

Rows are the Q questions of one frozen version, or the U uses of rules in it; columns are the n configurations. A value
that is not there is NaN. Scores are joined by target and answer, so that versions in which a question is the same share
them (benchmark/targets.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import QuerySet

from agreement.answers.rules import rules
from agreement.sizes import size_class
from benchmark.baseline_names import shown_name
from benchmark.judged import ranked_version
from benchmark.models import (
    Answer,
    Board,
    Configuration,
    ConfigurationKind,
    Flag,
    Question,
    QuestionSet,
    RuleScore,
    RuleUse,
    Ruling,
    Standing,
)
from projects.laboratories import laboratory_id, laboratory_name
from projects.models import Project, RaterKind
from reports.dashboard.columns import Flags, Floats, Integers, Rows, columns, latest, positions

#: What a source is: translated from another language, written in its own, or nobody said.
TRANSLATED, NATIVE, UNSAID = "translated", "native", "unsaid"
ROWS_AT_ONCE = 2_000
KIND_OF_SOURCE = {True: TRANSLATED, False: NATIVE, None: UNSAID}


@dataclass(frozen=True, eq=False)
class Questions(Rows):
    """id, key, skill (slug), source (TRANSLATED, NATIVE or UNSAID), format, cluster (a label of its own where it shares
    no passage), whether it is held back, and how many options it has, 0 for none; shape (Q,) each."""

    id: Integers
    key: np.ndarray
    skill: np.ndarray
    source: np.ndarray
    format: np.ndarray
    cluster: np.ndarray
    is_held_back: Flags
    options: Integers


@dataclass(frozen=True)
class Entry:
    """A configuration as a board names it. Parameters are billions, None where undisclosed; flags and notes are kinds
    that no lead has cleared."""

    id: int
    slug: str
    name: str
    is_baseline: bool
    is_pending: bool
    laboratory: int | None
    laboratory_name: str
    access: str
    size: str
    parameters: float | None
    overlap: str
    flags: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def shown_name(self) -> str:
        return shown_name(self.name, is_baseline=self.is_baseline)


@dataclass(frozen=True)
class Judge:
    id: int
    name: str
    laboratory: int | None


@dataclass(frozen=True, eq=False)
class Loaded:
    """The answers to one version.

    skills      slug to name, in the order of the set.
    use         question of each use, ascending, shape (U,). is_judged  whether a judge scores what was not read.
    read        what a rule computed, or the reading of a choice gave; (U, n). published  the same as the paper reads
                it, where it is another.
    judged      by judge, its newest score of each use; (U, n). rounds  all of its scores: use, column, round, value.
    ruled       whether the fixed rules have seen the answer; (Q, n).
    decided     the score where a fixed rule gives it; limit  the most that rules can give; (Q, n).
    people      by person, their score of the whole answer in their newest round; (Q, n).
    answer      id of each answer, 0 for none; (Q, n).
    """

    question_set: QuestionSet
    board: Board | None
    skills: Mapping[str, str]
    questions: Questions
    entries: Sequence[Entry]
    judges: Mapping[int, Judge]
    use: Integers
    is_judged: Flags
    read: Floats
    published: Floats
    judged: Mapping[int, Floats]
    rounds: Mapping[int, tuple[Integers, Integers, Integers, Floats]]
    ruled: Flags
    decided: Floats
    limit: Floats
    people: Mapping[int, Floats]
    answer: Integers

    @property
    def answered(self) -> Flags:
        return self.answer > 0


def board_of(project: Project) -> Board | None:
    return Board.objects.filter(project=project).select_related("question_set").first()


def set_of(project: Project, board: Board | None) -> QuestionSet | None:
    return ranked_version(project, board)


def load(project: Project, question_set: QuestionSet | None = None) -> Loaded | None:
    """All of it, of the version that is ranked or another one; None where no version is frozen."""
    board = board_of(project)
    question_set = question_set or set_of(project, board)
    if question_set is None:
        return None
    skills = dict(question_set.skills.values_list("slug", "name"))
    questions, targets, prompts = read_questions(question_set)
    uses = RuleUse.objects.filter(question__question_set=question_set).order_by("question__position", "question", "pk")
    question_id, rule, use_target = columns(uses.values_list("question_id", "rule", "target_sha256"), "ioo")
    order = np.argsort(questions.id)
    use = order[positions(questions.id[order], question_id)]
    entries = read_entries(project, question_set)
    answer, of_answer = read_answers(question_set, entries, prompts)
    ruled, decided, limit = read_rulings(question_set, targets, of_answer, answer.shape)
    code = {sha256: place for place, sha256 in enumerate(dict.fromkeys([*use_target, *targets]))}
    scores = _Scores.of(question_set, of_answer, code)
    humans = {pk for pk, kind in project.raters.values_list("pk", "kind") if kind == RaterKind.HUMAN}
    by_person = np.isin(scores.rater, list(humans))
    of_use, of_question = (np.array([code[one] for one in each], dtype=np.int64) for each in (use_target, targets))
    of_rules = scores.taken(~by_person).at_uses(use, of_use, answer.shape[1])
    judges = {
        pk: Judge(pk, name, laboratory)
        for pk, name, laboratory in project.raters.filter(kind=RaterKind.JUDGE).values_list(
            "pk", "name", "laboratory_id"
        )
        if pk in of_rules.judged
    }
    return Loaded(
        question_set=question_set,
        board=board,
        skills=skills,
        questions=questions,
        entries=entries,
        judges=judges,
        use=use,
        is_judged=np.array([rules()[name].is_judged if name in rules() else True for name in rule], dtype=bool),
        read=of_rules.read,
        published=of_rules.published,
        judged=of_rules.judged,
        rounds=of_rules.rounds,
        ruled=ruled,
        decided=decided,
        limit=limit,
        people=scores.taken(by_person).of_people(of_question, answer.shape),
        answer=answer,
    )


def read_questions(question_set: QuestionSet) -> tuple[Questions, list[str], Integers]:
    """The questions with the target and the prompt of each."""
    rows = Question.objects.filter(question_set=question_set).order_by("position", "pk")
    names = ("pk", "key", "skill__slug", "source__is_translated", "format", "cluster", "is_held_back", "options")
    found = columns(rows.values_list(*names, "target_sha256", "prompt_id"), "iooooobooi")
    key, cluster = found[1], found[5]
    alone = [label or f"\0{name}" for label, name in zip(cluster, key, strict=True)]
    questions = Questions(
        found[0],
        key,
        found[2],
        np.array([KIND_OF_SOURCE[value] for value in found[3]], dtype=object),
        found[4],
        np.array(alone, dtype=object).astype(str),
        found[6],
        np.array([len(options) for options in found[7]], dtype=np.int64),
    )
    return questions, list(found[8]), found[9]


def read_entries(project: Project, question_set: QuestionSet) -> list[Entry]:
    """The configurations of a board: ranked ones, those that wait for a decision, and baselines."""
    flags: dict[int, tuple[list[str], list[str]]] = {}
    found = Flag.objects.filter(question_set=question_set, is_cleared=False).order_by("kind")
    for configuration, kind, is_note in found.values_list("configuration_id", "kind", "is_note"):
        flags.setdefault(configuration, ([], []))[is_note].append(kind)
    kinds = (ConfigurationKind.MODEL, ConfigurationKind.BASELINE)
    rows = Configuration.objects.filter(project=project, kind__in=kinds).exclude(standing=Standing.WITHDRAWN)
    entries = []
    rows = rows.annotate(
        laboratory_here=laboratory_id(project="project_id"), name_here=laboratory_name(project="project_id")
    )
    for row in rows.select_related("card").order_by("name", "pk"):
        card = row.card
        of_row = flags.get(row.pk, ([], []))
        entries.append(
            Entry(
                row.pk,
                row.slug,
                row.name,
                row.kind == ConfigurationKind.BASELINE,
                row.standing == Standing.PENDING,
                row.laboratory_here if card else None,
                row.name_here if card else "",
                card.access if card else "",
                size_class(card.parameters_total) if card else "",
                card.parameters_total if card else None,
                card.declared_overlap if card else "",
                tuple(of_row[0]),
                tuple(of_row[1]),
            )
        )
    return entries


@dataclass(frozen=True, eq=False)
class _Places:
    """Row and column of each answer, whose ids ascend."""

    id: Integers
    row: Integers
    column: Integers

    def of(self, answers: Integers) -> tuple[Integers, Integers, Flags]:
        """Row, column, and whether the answer is on the board at all."""
        at = positions(self.id, answers)
        known = at >= 0
        if not len(self.id):
            return at, at, known
        return self.row[at], self.column[at], known


def fetched(rows: QuerySet, *names: str) -> list[list[Any]]:
    """Columns of the rows as the database hands them out: a board has some hundred thousand, and to convert each value
    on its way takes longer than all the arithmetic. A few thousand rows at a time are turned into columns: as many
    tuples alive at once as there are rows keep the search for garbage busy for as long as the reading takes."""
    sql, parameters = rows.values_list(*names).query.sql_with_params()
    found: list[list[Any]] = [[] for _name in names]
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        while some := cursor.fetchmany(ROWS_AT_ONCE):
            for column, values in zip(found, zip(*some, strict=True), strict=True):
                column.extend(values)
    return found


def read_answers(question_set: QuestionSet, entries: Sequence[Entry], prompts: Integers) -> tuple[Integers, _Places]:
    rows = Answer.objects.filter(configuration__project_id=question_set.project_id).order_by("pk")
    found = fetched(rows, "pk", "configuration_id", "prompt_id")
    pk, configuration, prompt = (np.array(column, dtype=np.int64) for column in found)
    ids = np.array([entry.id for entry in entries], dtype=np.int64)
    by_id, by_prompt = np.argsort(ids), np.argsort(prompts)
    column, row = positions(ids[by_id], configuration), positions(prompts[by_prompt], prompt)
    known = (column >= 0) & (row >= 0)
    places = _Places(pk[known], by_prompt[row[known]], by_id[column[known]])
    answer = np.zeros((len(prompts), len(entries)), dtype=np.int64)
    answer[places.row, places.column] = places.id
    return answer, places


def read_rulings(
    question_set: QuestionSet, targets: Sequence[str], places: _Places, shape: tuple[int, ...]
) -> tuple[Flags, Floats, Floats]:
    """What the fixed rules say under the target that the question has in this version."""
    rows = Ruling.objects.filter(answer__configuration__project_id=question_set.project_id).order_by()
    found = fetched(rows, "answer_id", "target_sha256", "decided", "limit")
    answers, target = np.array(found[0], dtype=np.int64), found[1]
    given, most = (np.array(column, dtype=float) for column in found[2:])
    row, column, known = places.of(answers)
    code = {sha256: place for place, sha256 in enumerate(dict.fromkeys(targets))}
    of_question = np.array([code[sha256] for sha256 in targets], dtype=np.int64)
    of_ruling = np.array([code.get(sha256, -1) for sha256 in target], dtype=np.int64)
    if len(row):
        known &= of_question[row] == of_ruling
    ruled, decided, limit = np.zeros(shape, dtype=bool), np.full(shape, np.nan), np.full(shape, 10.0)
    row, column = row[known], column[known]
    ruled[row, column], decided[row, column], limit[row, column] = True, given[known], most[known]
    return ruled, decided, limit


@dataclass(frozen=True, eq=False)
class _OfRules:
    read: Floats
    published: Floats
    judged: dict[int, Floats]
    rounds: dict[int, tuple[Integers, Integers, Integers, Floats]]


@dataclass(frozen=True, eq=False)
class _Scores(Rows):
    """Stored scores of answers on the board: row and column of the answer, place of the target among those that were
    asked for, rater (0: the rule itself), round."""

    row: Integers
    column: Integers
    target: Integers
    rater: Integers
    round: Integers
    value: Floats
    is_as_published: Flags

    @classmethod
    def of(cls, question_set: QuestionSet, places: _Places, code: Mapping[str, int]) -> "_Scores":
        of_project = {"answer__configuration__project_id": question_set.project_id}
        rows = RuleScore.objects.filter(**of_project).order_by()
        names = ("answer_id", "target_sha256", "rater_id", "round", "value", "is_as_published")
        answer, target, rater, turn, value, published = fetched(rows, *names)
        row, column, known = places.of(np.array(answer, dtype=np.int64))
        of_target = np.array([code.get(sha256, -1) for sha256 in target], dtype=np.int64)
        known &= of_target >= 0
        of_rater = np.nan_to_num(np.array(rater, dtype=float)).astype(np.int64)
        turns, values = np.array(turn, dtype=np.int64), np.array(value, dtype=float)
        every = cls(row, column, of_target, of_rater, turns, values, np.array(published, dtype=bool))
        return every.taken(known)

    def at_uses(self, use: Integers, target: Integers, n: int) -> _OfRules:
        """The scores of uses, in their places; `use` is the question of each use, `target` the place of its target."""
        width = int(target.max(initial=-1)) + 1
        keys = use * width + target
        order = np.argsort(keys)
        at = positions(keys[order], np.where(self.target < width, self.row * width + self.target, -1))
        mine, place = self.taken(at >= 0), order[at[at >= 0]]
        shape = (len(use), n)
        read, published = np.full(shape, np.nan), np.full(shape, np.nan)
        for into, of_kind in ((read, ~mine.is_as_published), (published, mine.is_as_published)):
            own = (mine.rater == 0) & of_kind
            into[place[own], mine.column[own]] = mine.value[own]
        judged, rounds = {}, {}
        for rater in np.unique(mine.rater[mine.rater > 0]).tolist():
            by_judge = mine.rater == rater
            one, where = mine.taken(by_judge), place[by_judge]
            rounds[rater] = (where, one.column, one.round, one.value)
            last = latest((where, one.column), one.round)
            judged[rater] = np.full(shape, np.nan)
            judged[rater][where[last], one.column[last]] = one.value[last]
        return _OfRules(read, published, judged, rounds)

    def of_people(self, target: Integers, shape: tuple[int, ...]) -> dict[int, Floats]:
        """Scores of whole answers by person, in their newest round; `target` is the place of each question's."""
        whole = self.taken(target[self.row] == self.target) if len(self.row) else self
        people = {}
        for rater in np.unique(whole.rater).tolist():
            one = whole.taken(whole.rater == rater)
            one = one.taken(latest((one.row, one.column), one.round))
            people[rater] = np.full(shape, np.nan)
            people[rater][one.row, one.column] = one.value
        return people
