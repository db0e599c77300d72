"""The score of each question of a frozen version for each configuration, from the scores that are stored.

Scores are stored under what they depend on (benchmark/targets.py), so that two versions share those of all questions
that did not change.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from django.db.models import Q, QuerySet
from numpy.typing import NDArray

from agreement.answers.declaration import TOP
from agreement.answers.question_scores import question_scores as scored
from agreement.answers.question_scores import rule_values
from benchmark.models import Answer, Configuration, Question, QuestionSet, RuleScore, RuleUse, Ruling
from benchmark.scoring import targets_of_uses
from projects.among import Among
from projects.models import Rater, RaterKind

#: Questions whose rows are read at once.
BATCH = 200
NO_ANSWER = "no answer"
NOT_RULED = "the fixed rules have not been applied"
NOT_JUDGED = "not scored by every judge"


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """Scores from 0 to 10 of a version's questions.

    keys            of the questions, in their order.
    configurations  the rows.
    values          shape (configurations, questions); NaN where a question has no score.
    unscored        why, by configuration and key of the question.
    """

    keys: Sequence[str]
    configurations: Sequence[Configuration]
    values: NDArray[np.float64]
    unscored: Mapping[tuple[int, str], str] = field(default_factory=dict)


@dataclass(slots=True)
class Cells:
    """What is stored of Q questions and n configurations, under the targets of the version.

    answer   id of each answer, 0 for none, (Q, n). decided, limit, ruled  as the fixed rules say, (Q, n).
    use      the question of each use of a rule, (U,); names of the uses beside it. read  what the rule gave, (U, n).
    judged   by judge, its score in its newest round, (U, n).
    """

    answer: NDArray[np.int64]
    decided: NDArray[np.float64]
    limit: NDArray[np.float64]
    ruled: NDArray[np.bool_]
    use: NDArray[np.int64]
    names: list[str]
    read: NDArray[np.float64]
    judged: dict[int, NDArray[np.float64]]


def question_scores(
    question_set: QuestionSet, configurations: Iterable[Configuration], judges: Collection[Rater] | None = None
) -> QuestionScores:
    """The questions' scores for each configuration, held-back questions included.

    judges  whose scores count: the mean of theirs, and none where one of them has not given any. None: the mean of
            all judges that have given one.

    A judge counts in its newest round, as on the board. A number of statements that grows with the questions alone.
    """
    rows, keys = list(configurations), []
    tables: list[NDArray[np.float64]] = []
    unscored: dict[tuple[int, str], str] = {}
    for batch in batches(question_set):
        cells = cells_of(batch, rows)
        nothing = np.full(cells.read.shape, np.nan)
        if judges is None:
            values = np.where(
                np.isnan(cells.read), mean_of_those_there(list(cells.judged.values()), nothing), cells.read
            )
        else:
            values = rule_values(cells.read, [cells.judged.get(judge.pk, nothing) for judge in judges])
        scores = scored(cells.use, values, cells.decided, cells.limit, cells.ruled)
        keys += [question.key for question in batch]
        tables.append(scores)
        for at, column in zip(*np.nonzero(np.isnan(scores)), strict=True):
            unscored[rows[column].pk, batch[at].key] = why_unscored(cells, values, int(at), int(column))
    values = np.concatenate(tables).T if tables else np.empty((len(rows), 0))
    return QuestionScores(keys, rows, values, unscored)


def mean_of_those_there(tables: Sequence[NDArray[np.float64]], nothing: NDArray[np.float64]) -> NDArray[np.float64]:
    if not tables:
        return nothing
    given = np.stack(tables)
    count = (~np.isnan(given)).sum(axis=0)
    return np.divide(np.nansum(given, axis=0), count, out=nothing.copy(), where=count > 0)


def why_unscored(cells: Cells, values: NDArray[np.float64], at: int, column: int) -> str:
    if not cells.answer[at, column]:
        return NO_ANSWER
    if not cells.ruled[at, column]:
        return NOT_RULED
    missing = np.flatnonzero((cells.use == at) & np.isnan(values[:, column]))
    return "; ".join(f"{cells.names[place]}: {NOT_JUDGED}" for place in missing)


def batches(question_set: QuestionSet) -> Iterator[list[Question]]:
    questions = question_set.questions.order_by("position", "pk").prefetch_related("rule_uses")
    for begin in range(0, questions.count(), BATCH):
        yield list(questions[begin : begin + BATCH])


def cells_of(questions: Sequence[Question], rows: Sequence[Configuration]) -> Cells:
    """In three statements."""
    shape = len(questions), len(rows)
    row_of = {question.prompt_id: at for at, question in enumerate(questions)}
    column_of = {row.pk: at for at, row in enumerate(rows)}
    uses = [(at, use) for at, question in enumerate(questions) for use in question.rule_uses.all()]
    of_uses = (len(uses), len(rows))
    cells = Cells(
        np.zeros(shape, dtype=np.int64),
        np.full(shape, np.nan),
        np.full(shape, TOP),
        np.zeros(shape, dtype=bool),
        np.array([at for at, _use in uses], dtype=np.int64),
        [name_of(use) for _at, use in uses],
        np.full(of_uses, np.nan),
        {},
    )
    answers = Answer.objects.filter(prompt__in=Among(row_of), configuration__in=Among(column_of))
    place = {}
    for pk, prompt, configuration in answers.values_list("pk", "prompt_id", "configuration_id"):
        place[pk] = row_of[prompt], column_of[configuration]
        cells.answer[place[pk]] = pk
    targets = [question.target_sha256 for question in questions]
    asked = Question.objects.filter(pk__in=Among(question.pk for question in questions))
    rulings = Ruling.objects.filter(target_sha256__in=asked.values("target_sha256"), answer__in=answers.values("pk"))
    for pk, target, decided, limit in rulings.values_list("answer_id", "target_sha256", "decided", "limit"):
        if pk in place and targets[place[pk][0]] == target:
            cells.ruled[place[pk]], cells.limit[place[pk]] = True, limit
            cells.decided[place[pk]] = np.nan if decided is None else decided
    fill_scores(cells, questions, answers, place)
    return cells


def fill_scores(
    cells: Cells, questions: Sequence[Question], answers: QuerySet[Answer], place: Mapping[int, tuple[int, int]]
) -> None:
    """What rules and judges gave; a judge's later round takes the place of an earlier one."""
    uses = (use for question in questions for use in question.rule_uses.all())
    use_of = {(int(at), use.target_sha256): n for n, (at, use) in enumerate(zip(cells.use, uses, strict=True))}
    scores = RuleScore.objects.filter(
        Q(rater=None) | Q(rater__kind=RaterKind.JUDGE),
        target_sha256__in=targets_of_uses(questions),
        answer__in=answers.values("pk"),
        is_as_published=False,
    )
    columns = ("answer_id", "target_sha256", "rater_id", "value")
    for pk, target, rater, value in scores.order_by("round").values_list(*columns):
        at, column = place[pk]
        use = use_of.get((at, target))
        if use is None:
            continue
        table = cells.read if rater is None else cells.judged.setdefault(rater, np.full(cells.read.shape, np.nan))
        table[use, column] = np.nan if value is None else value


def name_of(use: RuleUse) -> str:
    """A question may use a rule twice, with other parameters."""
    return f"{use.rule} {use.position}"
