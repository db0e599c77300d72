"""Candidates that neither of two models solves (ABBL, section 3): a list for people to look at, never a deletion."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from agreement.answers.declaration import TOP
from agreement.answers.fixed import ruling_on
from agreement.answers.question import QuestionScore, fixed, question_score
from benchmark.models import Answer, Configuration, Question, QuestionSet, RuleScore
from benchmark.question_scores import name_of
from benchmark.scoring import PreparedUse, expected_of, reply_of
from benchmark.targets import languages_of, use_target
from projects.among import Among
from projects.models import RaterKind

BATCH = 200
#: A question counts as solved from half of the points on.
THRESHOLD = TOP / 2


@dataclass(frozen=True, slots=True)
class Screened:
    """A question with the score that each configuration has on it, by its short name; None where it has none."""

    question: Question
    scores: Mapping[str, float | None]
    reasons: Mapping[str, str]


@dataclass(slots=True)
class Screening:
    """unsolved   no configuration reaches the threshold;
    solved     how many at least one solves;
    unscored   that cannot be told: no configuration solves it, and one has no answer or no score;
    sample     of the unsolved, drawn by the seed, to look at first.
    """

    threshold: float
    seed: int
    unsolved: list[Screened] = field(default_factory=list)
    unscored: list[Screened] = field(default_factory=list)
    solved: int = 0
    sample: list[Screened] = field(default_factory=list)


def screen(
    question_set: QuestionSet,
    configurations: Sequence[Configuration],
    *,
    threshold: float = THRESHOLD,
    sample: int = 20,
    seed: int = 0,
) -> Screening:
    """Which questions of a version, draft or frozen, none of the configurations solves.

    A question's score is that of agreement/answers: the fixed rules and computed rules are applied to the stored
    answers here, judged rules count by the mean of the judges that have scored them. Nobody is asked and nothing is
    stored. Raises ValueError for a threshold that is not above 0 and up to 10.
    """
    if not 0 < threshold <= TOP:
        raise ValueError(f"a threshold is above 0 and at most 10, not {threshold!r}")
    found = Screening(threshold, seed)
    languages = languages_of(question_set)
    questions = question_set.questions.order_by("position", "pk")
    questions = questions.select_related("prompt", "skill").prefetch_related("rule_uses")
    for begin in range(0, questions.count(), BATCH):
        for each in _screened(list(questions[begin : begin + BATCH]), configurations, languages):
            values = list(each.scores.values())
            if any(value is not None and value >= threshold for value in values):
                found.solved += 1
            else:
                (found.unscored if None in values else found.unsolved).append(each)
    drawn = random.Random(seed).sample(range(len(found.unsolved)), min(sample, len(found.unsolved)))
    found.sample = [found.unsolved[place] for place in sorted(drawn)]
    return found


def _screened(
    questions: Sequence[Question], configurations: Sequence[Configuration], languages: Sequence[str]
) -> list[Screened]:
    answers = Answer.objects.filter(
        prompt__in=Among(question.prompt_id for question in questions),
        configuration__in=Among(configuration.pk for configuration in configurations),
    )
    rows = list(answers.select_related("response", "configuration__card"))
    by_place = {(row.prompt_id, row.configuration_id): row for row in rows}
    targets = {use.pk: use_target(each, use) for each in questions for use in each.rule_uses.all()}
    judged = _judged(rows, set(targets.values()))
    screened = []
    for question in questions:
        uses = [PreparedUse(question, use) for use in question.rule_uses.all()]
        scores = {
            configuration.slug: score_now(
                question, uses, by_place.get((question.prompt_id, configuration.pk)), languages, targets, judged
            )
            for configuration in configurations
        }
        values = {slug: score.value for slug, score in scores.items()}
        reasons = {slug: score.unscored for slug, score in scores.items() if score.unscored}
        screened.append(Screened(question, values, reasons))
    return screened


def _judged(answers: Sequence[Answer], targets: set[str]) -> dict[tuple[int, str], float]:
    """The mean of the judges by answer and target."""
    given: dict[tuple[int, str], list[float]] = defaultdict(list)
    rows = RuleScore.objects.filter(answer__in=Among(answer.pk for answer in answers), rater__kind=RaterKind.JUDGE)
    for answer, target, value in rows.values_list("answer_id", "target_sha256", "value"):
        if value is not None and target in targets:
            given[answer, target].append(value)
    return {place: fmean(values) for place, values in given.items()}


def score_now(
    question: Question,
    uses: Sequence[PreparedUse],
    answer: Answer | None,
    languages: Sequence[str],
    targets: Mapping[int, str],
    judged: Mapping[tuple[int, str], float],
) -> QuestionScore:
    """The score of an answer by the rules that ask nobody, as scoring.py applies them to frozen sets, and by what
    judges have said already."""
    if answer is None:
        return QuestionScore(None, unscored="no answer")
    ruling = ruling_on(reply_of(answer), expected_of(question, languages))
    if ruling.decided is not None:
        assert ruling.decided.value is not None
        return fixed(ruling.decided.value, ruling.decided.fixed_by)
    by_rule: dict[str, float | None] = {}
    failures: dict[str, str] = {}
    for prepared in uses:
        use = prepared.use
        name = name_of(use)
        score, problem = prepared.outcome(ruling)
        by_rule[name] = None if score is None else score.value
        if score is None:
            by_rule[name] = None if problem else judged.get((answer.pk, targets[use.pk]))
            failures[name] = problem or "no judge has scored it"
    if not by_rule:
        return QuestionScore(None, unscored="no rule scores its answers")
    return question_score(by_rule, failures, ruling.limit, ruling.limited_by)


def as_json(found: Screening) -> dict[str, Any]:
    """For programs: the unsolved and those of which it cannot be told, each with its scores."""

    def listed(rows: list[Screened]) -> list[dict[str, Any]]:
        return [
            {
                "id": each.question.key,
                "instruction": each.question.instruction,
                "scores": dict(each.scores),
                "reasons": dict(each.reasons),
            }
            for each in rows
        ]

    return {
        "threshold": found.threshold,
        "seed": found.seed,
        "solved": found.solved,
        "sample": [each.question.key for each in found.sample],
        "unsolved": listed(found.unsolved),
        "unscored": listed(found.unscored),
    }
