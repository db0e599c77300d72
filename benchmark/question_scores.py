"""The score of each question of a frozen version for each configuration, from the scores that are stored.

Scores are stored under what they depend on (benchmark/targets.py), so that two versions share those of all questions
that did not change.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from agreement.answers.question import QuestionScore, fixed, question_score
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
class Stored:
    """The rows of some questions: rulings by answer and target, scores by answer, target and rater (None: the rule)."""

    rulings: dict[tuple[int, str], Ruling] = field(default_factory=dict)
    scores: dict[tuple[int, str], dict[int | None, list[float | None]]] = field(default_factory=dict)


def question_scores(
    question_set: QuestionSet, configurations: Iterable[Configuration], judges: Collection[Rater] | None = None
) -> QuestionScores:
    """The questions' scores for each configuration, held-back questions included.

    judges  whose scores count: the mean of theirs, and none where one of them has not given any. None: the mean of
            all judges that have given one.

    A judge's score is the mean of its rounds. A number of statements that grows with the questions alone.
    """
    rows, keys = list(configurations), []
    columns: list[list[float]] = []
    unscored: dict[tuple[int, str], str] = {}
    raters = None if judges is None else frozenset(judge.pk for judge in judges)
    for batch in batches(question_set):
        answers = answers_to(batch, rows)
        stored = stored_of(batch, [pk for of_question in answers.values() for pk in of_question.values()])
        for question in batch:
            keys.append(question.key)
            column = []
            for row in rows:
                score = score_of(question, answers[question.pk].get(row.pk), stored, raters)
                column.append(np.nan if score.value is None else score.value)
                if score.value is None:
                    unscored[row.pk, question.key] = score.unscored
            columns.append(column)
    values = np.array(columns, dtype=np.float64).reshape(len(keys), len(rows)).T
    return QuestionScores(keys, rows, values, unscored)


def batches(question_set: QuestionSet) -> Iterator[list[Question]]:
    questions = question_set.questions.order_by("position", "pk").prefetch_related("rule_uses")
    for begin in range(0, questions.count(), BATCH):
        yield list(questions[begin : begin + BATCH])


def answers_to(questions: Sequence[Question], rows: Sequence[Configuration]) -> dict[int, dict[int, int]]:
    """By question and configuration the id of its answer."""
    of_prompt: dict[int, dict[int, int]] = defaultdict(dict)
    found = Answer.objects.filter(
        prompt__in=Among(question.prompt_id for question in questions), configuration__in=Among(row.pk for row in rows)
    )
    for pk, prompt, configuration in found.values_list("pk", "prompt_id", "configuration_id"):
        of_prompt[prompt][configuration] = pk
    return {question.pk: of_prompt.get(question.prompt_id, {}) for question in questions}


def stored_of(questions: Sequence[Question], answers: Sequence[int]) -> Stored:
    """The rulings and scores of these answers, some answers at a time."""
    stored = Stored()
    asked = Question.objects.filter(pk__in=Among(question.pk for question in questions))
    of_uses = targets_of_uses(questions)
    for begin in range(0, len(answers), BATCH):
        some = Among(answers[begin : begin + BATCH])
        for ruling in Ruling.objects.filter(target_sha256__in=asked.values("target_sha256"), answer__in=some):
            stored.rulings[ruling.answer_id, ruling.target_sha256] = ruling
        scores = RuleScore.objects.filter(target_sha256__in=of_uses, answer__in=some, is_as_published=False)
        scores = scores.exclude(rater__kind=RaterKind.HUMAN)
        for answer, target, rater, value in scores.values_list("answer_id", "target_sha256", "rater_id", "value"):
            stored.scores.setdefault((answer, target), {}).setdefault(rater, []).append(value)
    return stored


def score_of(question: Question, answer: int | None, stored: Stored, judges: frozenset[int] | None) -> QuestionScore:
    """The score of one answer, or why it has none."""
    if answer is None:
        return QuestionScore(None, unscored=NO_ANSWER)
    ruling = stored.rulings.get((answer, question.target_sha256))
    if ruling is None:
        return QuestionScore(None, unscored=NOT_RULED)
    if ruling.decided is not None:
        return fixed(ruling.decided, ruling.fixed_by)
    uses = list(question.rule_uses.all())
    by_rule = {name_of(use): use_score(use, stored.scores.get((answer, use.target_sha256), {}), judges) for use in uses}
    failures = {name: NOT_JUDGED for name, value in by_rule.items() if value is None}
    return question_score(by_rule, failures, ruling.limit, ruling.limited_by)


def name_of(use: RuleUse) -> str:
    """A question may use a rule twice, with other parameters."""
    return f"{use.rule} {use.position}"


def use_score(
    use: RuleUse, given: Mapping[int | None, Sequence[float | None]], judges: frozenset[int] | None
) -> float | None:
    """What the rule computed, else the mean of the judges; None where one of those asked for has none."""
    if None in given:
        return given[None][0]
    by_judge = {
        rater: fmean(values)
        for rater, rounds in given.items()
        if rater is not None and (values := [value for value in rounds if value is not None])
    }
    if judges is not None:
        if not judges <= by_judge.keys():
            return None
        by_judge = {rater: value for rater, value in by_judge.items() if rater in judges}
    return fmean(by_judge.values()) if by_judge else None
