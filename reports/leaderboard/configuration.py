"""One configuration seen closely: where it is better and worse than its size class, and what it answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db.models import Q

from agreement.figures import Figure
from agreement.ranks import mean_score
from benchmark.models import Answer, Question, RuleScore, Ruling
from benchmark.scoring import CHOICE
from projects.models import RaterKind
from reports.leaderboard.scores import TOP, mean_points
from reports.leaderboard.standings import Sheet

SCORE, WORST, BEST = "", "worst", "best"


@dataclass(frozen=True)
class SkillLine:
    """A skill: the configuration's score, and its difference from the mean of the others of its size class."""

    slug: str
    name: str
    score: Figure
    difference: Figure

    @property
    def is_strength(self) -> bool:
        return self.difference.low is not None and self.difference.low > 0

    @property
    def is_weakness(self) -> bool:
        return self.difference.high is not None and self.difference.high < 0


def by_skill(sheet: Sheet, column: int) -> tuple[list[SkillLine], int]:
    """Each skill with its difference from the class, and how many others are in it.

    The intervals of all skills hold together with 95 % (Bonferroni): otherwise one of twenty would be a strength by
    chance alone.
    """
    own = sheet.entries[column]
    others = [
        at
        for at, entry in enumerate(sheet.entries)
        if at != column and entry.size == own.size and not entry.is_baseline
    ]
    mean = np.full(len(sheet.questions), np.nan)
    if others:
        known = ~np.isnan(sheet.scores[:, others])
        count = known.sum(axis=1)
        np.divide(np.nansum(sheet.scores[:, others], axis=1), count, out=mean, where=count > 0)
    lines = []
    for slug, name in sheet.skills.items():
        rows = np.flatnonzero(sheet.questions.skill == slug)
        cluster = sheet.questions.cluster[rows]
        scores = sheet.scores[rows, column]
        difference = mean_score(scores - mean[rows], cluster, confidence=1 - 0.05 / len(sheet.skills))
        lines.append(SkillLine(slug, name, mean_points(scores, cluster), difference.within(-TOP, TOP)))
    return lines, len(others)


@dataclass
class Said:
    """What one rule, judge or person says of an answer."""

    rule: str
    by: str
    is_person: bool
    round: int
    value: float | None
    problem: str
    words: str

    @property
    def is_read(self) -> bool:
        """Whether an option was found in the answer, so that no judge was asked about it."""
        return self.rule == CHOICE and not self.by


@dataclass
class Output:
    """A question with what the configuration answered; `question` None where its text is held back from the reader."""

    key: str
    skill: str
    score: float | None
    is_hidden: bool
    question: Question | None = None
    answer: Answer | None = None
    ruling: Ruling | None = None
    said: list[Said] = field(default_factory=list)
    # Where a fault of the question is reported, with this answer.
    erratum: str = ""


def order_of(sheet: Sheet, column: int, skill: str, order: str) -> list[int]:
    """Rows of the questions, of one skill where it is named; worst or best first, unscored ones last."""
    rows = [row for row in range(len(sheet.questions)) if skill in ("", sheet.questions.skill[row])]
    if order not in (WORST, BEST):
        return rows
    sign = 1 if order == WORST else -1
    scores = sheet.scores[:, column]
    return sorted(rows, key=lambda row: (np.isnan(scores[row]), sign * np.nan_to_num(scores[row]), row))


def outputs(sheet: Sheet, column: int, rows: Sequence[int], *, sees_held_back: bool) -> list[Output]:
    """These questions with all that was said of the answers to them; held-back texts for those alone who may read them.

    The number of queries does not depend on how many there are.
    """
    shown = []
    for row in rows:
        hidden = bool(sheet.questions.is_held_back[row]) and not sees_held_back
        value = sheet.scores[row, column]
        name = sheet.skills[sheet.questions.skill[row]]
        shown.append(Output(str(sheet.questions.key[row]), name, None if np.isnan(value) else float(value), hidden))
    ids = {
        int(sheet.questions.id[row]): output for row, output in zip(rows, shown, strict=True) if not output.is_hidden
    }
    questions = Question.objects.filter(pk__in=ids).select_related("prompt__variety", "skill")
    of_answer: dict[int, Output] = {}
    uses: dict[tuple[int, str], str] = {}
    by_prompt = {}
    for question in questions.prefetch_related("rule_uses"):
        ids[question.pk].question = question
        by_prompt[question.prompt_id] = ids[question.pk]
    answers = Answer.objects.filter(configuration=sheet.entries[column].id, prompt__in=by_prompt)
    for answer in answers.select_related("response"):
        output = by_prompt[answer.prompt_id]
        output.answer, of_answer[answer.pk] = answer, output
        if output.question is not None:
            uses |= {(answer.pk, use.target_sha256): use.rule for use in output.question.rule_uses.all()}
            uses[answer.pk, output.question.target_sha256] = ""
    add_scores(of_answer, uses)
    return shown


def add_scores(of_answer: Mapping[int, Output], uses: Mapping[tuple[int, str], str]) -> None:
    """Rulings and scores under the targets of this version."""
    for ruling in Ruling.objects.filter(answer__in=of_answer):
        question = of_answer[ruling.answer_id].question
        if question is not None and ruling.target_sha256 == question.target_sha256:
            of_answer[ruling.answer_id].ruling = ruling
    rows = RuleScore.objects.filter(Q(answer__in=of_answer), is_as_published=False).select_related("rater")
    for score in rows.order_by("rater__kind", "rater__name", "round", "pk"):
        rule = uses.get((score.answer_id, score.target_sha256))
        if rule is None:
            continue
        rater = score.rater
        is_person = rater is not None and rater.kind == RaterKind.HUMAN
        name = "" if rater is None else rater.pseudonym if is_person else rater.name
        words = words_of(score.detail) if rater is not None else ""
        of_answer[score.answer_id].said.append(
            Said(rule, name, is_person, score.round, score.value, score.problem, words)
        )


def words_of(detail: Mapping[str, Any]) -> str:
    """A judge's words, or a person's note."""
    said = detail.get("reason") or detail.get("note") or ""
    return said if isinstance(said, str) else ""
