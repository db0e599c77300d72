"""Checks of questionnaires: part by part against what experts answered in the same stage."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.consensus import latest_rounds
from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.gold import gold_value
from formats.layout import Asked, Subject, Type, subject_of
from projects.among import Among
from projects.models import Prompt, RaterKind, Response, ResponsePair
from screening.checks.kinds import CheckKind, Compared
from screening.models import CheckResult
from screening.models.quizzes import ScoringRules
from screening.scoring import Score, average
from workflow.layouts import parts_of
from workflow.models import Assignment, Stage, WorkItem

#: 1.1 lies 0.1 from 1.0, though their difference is a little more.
ROUNDING = 1e-9
MODELS: Mapping[str, Any] = {Subject.RESPONSE: Response, Subject.PAIR: ResponsePair, Subject.PROMPT: Prompt}


def expert_answers(stage: Stage) -> QuerySet[QuestionnaireAnswer]:
    """Answers to checks are none: they say something of who gave them."""
    by_experts = {"rater__is_expert": True, "rater__kind": RaterKind.HUMAN}
    return QuestionnaireAnswer.objects.filter(stage=stage, is_check=False, **by_experts)


class QuestionnaireChecks(CheckKind):
    kind = "questionnaire"

    def subject_in(self, stage: Stage) -> str:
        return subject_of(stage.show)

    def candidates(self, stage: Stage) -> QuerySet[Any]:
        subject = subject_of(stage.show)
        taken = WorkItem.objects.filter(stage=stage, is_check=True, **{subject: OuterRef("pk")})
        answered = expert_answers(stage).filter(**{subject: OuterRef("pk")})
        rows = MODELS[subject].objects.filter(Exists(answered), ~Exists(taken), project=stage.project_id)
        return rows.order_by("variety", "key")

    def gold(self, stage: Stage, subjects: list[int]) -> dict[int, dict[str, Any]]:
        """Of an item on whose parts experts agree nowhere there is none; nor of free text."""
        of_items = gold_of_parts(stage, subject_of(stage.show), subjects)
        return {item: {"answers": known} for item, known in of_items.items()}

    def score(self, gold: dict[str, Any], assignment: Assignment, scoring: ScoringRules) -> Score:
        row = QuestionnaireAnswer.objects.filter(assignment=assignment).first()
        given = row.answers if row else {}
        scores = scores_of_parts(parts_of(assignment.stage), gold["answers"], given, scoring.tolerance)
        if not scores:  # the stage asks something else since the check was made
            return Score(True, 1.0, {})
        return average(list(scores.values()), list(scores))

    def compared(self, results: Sequence[CheckResult]) -> dict[int, list[Compared]]:
        chosen = Among(result.assignment_id for result in results)
        rows = QuestionnaireAnswer.objects.filter(assignment__in=chosen).values_list("assignment", "answers")
        given = dict(rows)
        parts = {result.stage_id: parts_of(result.stage) for result in results}
        return {
            result.pk: compared_parts(
                parts[result.stage_id], result.check_item.gold["answers"], given.get(result.assignment_id, {})
            )
            for result in results
        }


def gold_of_parts(stage: Stage, subject: str, subjects: list[int]) -> dict[int, dict[str, Any]]:
    """What experts' answers in the stage come to, by the id of the item and the key of the part; one statement."""
    parts = parts_of(stage)
    rows = expert_answers(stage).filter(**{f"{subject}__in": Among(subjects)}).order_by("pk")
    of_item: dict[int, list[QuestionnaireAnswer]] = defaultdict(list)
    for row in rows:
        of_item[getattr(row, f"{subject}_id")].append(row)
    made: dict[int, dict[str, Any]] = {}
    for item, answers in of_item.items():
        standing = latest_rounds(answers, lambda row: (row.rater_id, row.round))
        found = {part.key: _gold(part, standing) for part in parts}
        if known := {key: value for key, value in found.items() if value is not None}:
            made[item] = known
    return made


def scores_of_parts(
    parts: Sequence[Asked], gold: Mapping[str, Any], given: Mapping[str, Any], tolerance: float
) -> dict[str, Score]:
    """Of each part that the gold says something of as it is asked now, by its key."""
    held = [part for part in parts if is_held(part, gold.get(part.key))]
    return {part.key: score_part(part, gold[part.key], given.get(part.key), tolerance) for part in held}


def compared_parts(parts: Sequence[Asked], gold: Mapping[str, Any], given: Mapping[str, Any]) -> list[Compared]:
    return [
        Compared(part.question, in_words(part, given.get(part.key)), in_words(part, gold[part.key]))
        for part in parts
        if is_held(part, gold.get(part.key))
    ]


def _gold(part: Asked, answers: Sequence[QuestionnaireAnswer]) -> Any:
    values = [(row.answers.get(part.key), True) for row in answers]
    ranked = {name for value, _expert in values if isinstance(value, dict) for name in value}
    return gold_value(part, values, ranked)


def is_held(part: Asked, gold: Any) -> bool:
    """Whether answers to the part can be held against this gold: it may be of what the part was before."""
    if part.type == Type.CHOICES:
        return isinstance(gold, list)
    if part.type == Type.RANKING:
        return isinstance(gold, Mapping)
    if part.type == Type.CHOICE:
        return gold in part.options
    return part.type != Type.TEXT and type(gold) in (int, float)


def score_part(part: Asked, gold: Any, given: Any, tolerance: float) -> Score:
    """Right where a grade, a number or an ordered answer lies within `tolerance` of the gold, any other answer is the
    same, and no two responses are ranked the other way round. `value` is the share of options, or of pairs that the
    gold puts in an order, on which that is so."""
    if part.type == Type.CHOICES:
        same = [(option in gold) == (option in (given or ())) for option in part.options]
        return _share(same)
    if part.type == Type.RANKING:
        ordered = [(a, b) for a, b in combinations(sorted(gold), 2) if gold[a] != gold[b]]
        ranks = given if isinstance(given, Mapping) else {}
        kept = [a in ranks and b in ranks and (ranks[a] - ranks[b]) * (gold[a] - gold[b]) >= 0 for a, b in ordered]
        return _share(kept or [bool(ranks)])
    if given is None:
        return Score(False, 0.0, {"same": False})
    if part.type == Type.CHOICE and part.is_ordered and given in part.options and gold in part.options:
        near = abs(part.options.index(given) - part.options.index(gold)) <= tolerance
    elif part.type in (Type.SCALE, Type.NUMBER):
        near = abs(given - gold) <= tolerance + ROUNDING
    else:
        near = given == gold
    return Score(near, float(near), {"same": near})


def _share(kept: Sequence[bool]) -> Score:
    return Score(all(kept), sum(kept) / len(kept), {"same": sum(kept), "of": len(kept)})


def in_words(part: Asked, value: Any) -> list[str]:
    if value is None:
        return []
    if part.type == Type.RANKING:
        return [f"{rank:g}" for _name, rank in sorted(value.items())]
    if isinstance(value, list):
        return [str(one) for one in value]
    return [f"{value:.12g}" if isinstance(value, float) else str(value)]
