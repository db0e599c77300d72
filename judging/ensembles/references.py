"""Panels that score by a reference: the members' points of an answer, rule by rule, as one score.

Mean and weighted: the (weighted) mean of the members' points as it is, for a score need not be a whole number.
Majority: the points most members gave; where several have as many, those of them that are the median; else a tie. The
reason beside the score is that of the member nearest to it, word for word. Anchor answers are for each judge by itself:
panels score none.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count, QuerySet
from django.utils.translation import gettext_lazy as _

from agreement.consensus import nearest_grade
from agreement.figures import NO_ITEMS, Figure
from agreement.kappa import cohen_kappa, confusion
from agreement.panels import most_said, share_of
from benchmark.judged import store_scores
from benchmark.models import Answer as BenchmarkAnswer
from benchmark.models import ConfigurationKind, Question, RuleScore
from judging.ensembles import (
    TIE,
    TOO_FEW,
    Answer,
    Author,
    Member,
    PanelAnswers,
    PanelKind,
    StoredAnswer,
    VotingPanel,
    count_and_last,
    in_batches,
)
from judging.models import PanelRule
from projects.among import Among
from projects.laboratories import laboratory_slug
from projects.models import Project, Rater, RaterKind
from projects.own_laboratories import about_own

LOWEST, HIGHEST = 0, 10


class Key(NamedTuple):
    """An answer and the hash of what its score depends on."""

    answer: int
    target: str


class MemberScore(NamedTuple):
    round: int
    value: float
    reason: str


class Text(NamedTuple):
    key: str
    prompt: int
    author: Author


class Inputs(NamedTuple):
    """What the answers of a batch are made of: texts by answer, and by key what each member gave."""

    texts: dict[int, Text]
    scores: dict[Key, dict[int, MemberScore]]


class ReferencePanels(PanelKind):
    kind = "reference"
    name = _("Scores by a reference")
    judge_kinds = ("reference",)
    weighed_by = _("quadratic-weighted kappa of its points with the mean of people's, of questions with one rule")
    model = RuleScore

    def by_judges(self, project: Project) -> QuerySet[RuleScore]:
        return scores_of(project, RaterKind.JUDGE)

    def gold_state(self, project: Project) -> list[int]:
        return count_and_last(scores_of(project, RaterKind.HUMAN))

    def batches(self, raters: Collection[int]) -> Iterator[list[int]]:
        scored = without_anchors(RuleScore.objects.filter(rater__in=raters)).order_by()
        return in_batches(set(scored.values_list("answer_id", flat=True)))

    def read(self, voting_panel: VotingPanel, batch: Sequence[int], hold: bool = False) -> Inputs:
        """Two statements."""
        return Inputs(texts_of(batch), member_scores(voting_panel.by_id, batch))

    def decide(self, voting_panel: VotingPanel, batch: Sequence[int], inputs: Inputs) -> PanelAnswers:
        panel_answers = PanelAnswers()
        for key, by_member in inputs.scores.items():
            text = inputs.texts[key.answer]
            eligible = voting_panel.eligible([text.author])
            voting = [(member, by_member[member.rater]) for member in eligible if member.rater in by_member]
            if not voting_panel.is_enough(voting):
                panel_answers.leave_undecided(TOO_FEW, text.key)
                continue
            value = points_of(voting, voting_panel.rule)
            if value is None:
                panel_answers.leave_undecided(TIE, text.key)
                continue
            panel_answers.add(key, answer_of(voting_panel, key, value, voting, eligible, text))
        return panel_answers

    def stored(self, rater: Rater, batch: Sequence[int]) -> Mapping[Hashable, StoredAnswer]:
        rows = RuleScore.objects.filter(rater=rater, answer__in=batch)
        columns = ("pk", "answer_id", "target_sha256", "value", "detail", "metadata")
        return {Key(row[1], row[2]): StoredAnswer(row[0], row[3:]) for row in rows.values_list(*columns)}

    def store(self, data: Sequence[RuleScore], changed: Collection[Hashable]) -> None:
        store_scores(data)

    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """Points against people's of the whole answer, where the question has this one rule: elsewhere a person's
        score is of more than the rule's. Both as whole points."""
        gold = people_s_points(project, set(prompts))
        given: dict[int, dict[Key, float]] = {rater: {} for rater in raters}
        own = about_own(project, raters, "answer__configuration__target_model")
        scores = RuleScore.objects.filter(rater__in=raters, value__isnull=False).exclude(own)
        scores = without_anchors(scores).order_by("round")
        for rater, answer, target, value in scores.values_list("rater_id", "answer_id", "target_sha256", "value"):
            if (key := Key(answer, target)) in gold and value is not None:
                given[rater or 0][key] = value
        return {rater: kappa([(gold[key], points) for key, points in found.items()]) for rater, found in given.items()}


def scores_of(project: Project, kind: str) -> QuerySet[RuleScore]:
    return without_anchors(RuleScore.objects.filter(answer__configuration__project=project, rater__kind=kind))


def without_anchors(scores: QuerySet[RuleScore]) -> QuerySet[RuleScore]:
    return scores.exclude(answer__configuration__kind=ConfigurationKind.ANCHOR)


def texts_of(answers: Collection[int]) -> dict[int, Text]:
    model = "response__target_model"
    columns = ("pk", "response__key", "prompt_id", f"{model}__name", laboratory_slug(model, "response__project"))
    rows = BenchmarkAnswer.objects.filter(pk__in=answers, response__isnull=False).values_list(*columns)
    return {pk: Text(key, prompt, (name, laboratory)) for pk, key, prompt, name, laboratory in rows}


def member_scores(members: Mapping[int, Member], answers: Collection[int]) -> dict[Key, dict[int, MemberScore]]:
    """What each member gave in its latest round, by what it is of."""
    scores: dict[Key, dict[int, MemberScore]] = defaultdict(dict)
    rows = RuleScore.objects.filter(rater__in=members, answer__in=answers, value__isnull=False)
    columns = ("answer_id", "target_sha256", "rater_id", "round", "value", "detail")
    for answer, target, rater, round, value, detail in rows.order_by("round", "pk").values_list(*columns):
        scores[Key(answer, target)][rater] = MemberScore(round, value, detail.get("reason", ""))
    return scores


def points_of(voting: Sequence[tuple[Member, MemberScore]], rule: str) -> float | None:
    """What the members' points come to by the rule; None for a tie."""
    weights = [member.weight for member, _score in voting]
    if rule == PanelRule.MAJORITY:
        most = most_said(whole_points(score.value for _member, score in voting), weights)
        return None if most is None else float(most)
    total = sum(weights)
    return round(sum(score.value * share_of(member.weight, total) for member, score in voting), 9)


def whole_points(values: Iterable[float]) -> list[int]:
    return nearest_grade(list(values), LOWEST, HIGHEST).astype(int).tolist()


def answer_of(
    voting_panel: VotingPanel,
    key: Key,
    value: float,
    voting: Sequence[tuple[Member, MemberScore]],
    eligible: Sequence[Member],
    text: Text,
) -> Answer:
    metadata = voting_panel.provenance(voting, eligible, text.prompt)
    detail = {"reason": min((score for _member, score in voting), key=lambda score: abs(score.value - value)).reason}
    data = RuleScore(
        answer_id=key.answer,
        target_sha256=key.target,
        rater_id=voting_panel.rater.pk,
        value=value,
        detail=detail,
        metadata=metadata,
    )
    return Answer((value, detail, metadata), data)


def people_s_points(project: Project, prompts: Collection[int]) -> dict[Key, float]:
    """The mean of people's latest scores of each answer, under the target of the one rule of its question."""
    alone = Question.objects.filter(prompt__in=Among(prompts)).exclude(target_sha256="")
    alone = alone.annotate(n=Count("rule_uses")).filter(n=1)
    rule_of = dict(alone.values_list("target_sha256", "rule_uses__target_sha256"))
    given: dict[Key, dict[int, float]] = defaultdict(dict)
    scores = scores_of(project, RaterKind.HUMAN).filter(answer__prompt__in=Among(prompts), value__isnull=False)
    columns = ("answer_id", "target_sha256", "rater_id", "value")
    for answer, target, rater, value in scores.order_by("round", "pk").values_list(*columns):
        if target in rule_of:
            given[Key(answer, rule_of[target])][rater] = value
    return {key: sum(by_person.values()) / len(by_person) for key, by_person in given.items()}


def kappa(pairs: Sequence[tuple[float, float]]) -> Figure:
    if not pairs:
        return Figure.without_value(NO_ITEMS)
    gold, given = (whole_points(side) for side in zip(*pairs, strict=True))
    return cohen_kappa(confusion(gold, given, HIGHEST + 1), "quadratic")
