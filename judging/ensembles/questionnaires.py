"""Panels that fill in questionnaires: the members' answers to each part, as one.

How votes are combined stands in `annotation/questionnaires/combining.py`.

A part is answered where at least as many members answered it as must have, and their votes are no tie. An answer that
says nothing of any part is none. Its metadata names the parts that were ties, and the means that others rest on. Where
any of several may be chosen or none, a tie leaves the whole item without an answer: what is open there says "none".
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from agreement.alpha import alpha
from agreement.figures import NO_ITEMS, Figure
from agreement.panels import pooled
from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.combining import Combined, combined, votes_of
from annotation.questionnaires.gold import as_numbers, level_of
from annotation.questionnaires.own import about_own_laboratory
from annotation.questionnaires.standing import answers_of, gold_values, latest
from formats.layout import JUDGED, Asked, Subject, Type, asked_of
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
from projects.models import Project, Prompt, Rater, RaterKind, Response, ResponsePair
from workflow.models import Stage

SUBJECTS: Mapping[str, Any] = {Subject.RESPONSE: Response, Subject.PAIR: ResponsePair, Subject.PROMPT: Prompt}
#: By what an item is about, the ways from it to the responses that it shows.
SIDES: Mapping[str, tuple[str, ...]] = {Subject.RESPONSE: ("",), Subject.PAIR: ("first__", "second__")}


class Batch(NamedTuple):
    """Ids of responses, pairs or prompts."""

    of: str
    ids: list[int]


class Key(NamedTuple):
    stage: int
    subject: int


class MemberAnswer(NamedTuple):
    round: int
    answers: Mapping[str, Any]


class Text(NamedTuple):
    """What an item is about: its key and prompt, and who wrote the responses to it."""

    key: str
    prompt: int
    authors: tuple[Author, ...]


class Inputs(NamedTuple):
    """What the answers of a batch are made of: `stages` what each shows and asks, by id."""

    texts: dict[int, Text]
    stages: dict[int, tuple[list[str], list[dict[str, Any]]]]
    answers: dict[Key, dict[int, MemberAnswer]]


class QuestionnairePanels(PanelKind):
    kind = "questionnaires"
    name = _("Answers to questionnaires")
    judge_kinds = ("questionnaire",)
    weighed_by = _("Krippendorff's alpha with people's gold, part by part")
    model = QuestionnaireAnswer

    def by_judges(self, project: Project) -> QuerySet[QuestionnaireAnswer]:
        return answers_of(project, RaterKind.JUDGE)

    def gold_state(self, project: Project) -> list[int]:
        return count_and_last(answers_of(project, RaterKind.HUMAN))

    def batches(self, raters: Collection[int]) -> Iterator[Batch]:
        for of in SUBJECTS:
            given = QuestionnaireAnswer.objects.filter(rater__in=raters, is_check=False, **{f"{of}__isnull": False})
            for ids in in_batches(set(given.order_by().values_list(f"{of}_id", flat=True))):
                yield Batch(of, ids)

    def read(self, voting_panel: VotingPanel, batch: Batch, hold: bool = False) -> Inputs:
        """Three statements, of prompts four."""
        stages = Stage.objects.filter(project=voting_panel.panel.project_id).exclude(ask=[])
        layouts = {pk: (show, ask) for pk, show, ask in stages.order_by("pk").values_list("pk", "show", "ask")}
        return Inputs(texts_of(batch), layouts, member_answers(voting_panel.by_id, batch))

    def decide(self, voting_panel: VotingPanel, batch: Batch, inputs: Inputs) -> PanelAnswers:
        panel_answers = PanelAnswers()
        for key, by_member in inputs.answers.items():
            show, ask = inputs.stages.get(key.stage, ([], []))
            text = inputs.texts[key.subject]
            eligible = voting_panel.eligible(text.authors if set(JUDGED) & set(show) else ())
            voting = [(member, by_member[member.rater]) for member in eligible if member.rater in by_member]
            if not voting_panel.is_enough(voting):
                panel_answers.leave_undecided(TOO_FEW, text.key)
                continue
            answers, details = answers_to(asked_of(ask), voting, voting_panel)
            if not answers:
                panel_answers.leave_undecided(TIE, text.key)
                continue
            metadata = voting_panel.provenance(voting, eligible, text.prompt, **details)
            row = QuestionnaireAnswer(
                stage_id=key.stage, rater_id=voting_panel.rater.pk, answers=answers, metadata=metadata
            )
            setattr(row, f"{batch.of}_id", key.subject)
            panel_answers.add(key, Answer((answers, metadata), row))
        return panel_answers

    def stored(self, rater: Rater, batch: Batch) -> Mapping[Hashable, StoredAnswer]:
        rows = answers_in([rater.pk], batch).values_list("pk", "stage_id", f"{batch.of}_id", "answers", "metadata")
        return {Key(*row[1:3]): StoredAnswer(row[0], tuple(row[3:])) for row in rows}

    def store(self, data: Sequence[QuestionnaireAnswer], changed: Collection[Hashable]) -> None:
        QuestionnaireAnswer.objects.bulk_create(data)

    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """Of each rater and gold as two raters of what both answered, part by part, put together by how many there are;
        an answer of any of several counts by itself. Free text has no gold."""
        parts = {stage.pk: asked_of(stage.ask) for stage in project.stages.exclude(ask=[])}
        gold = gold_values(about(answers_of(project, RaterKind.HUMAN), prompts), parts)
        own = about_own_laboratory(project, raters).values("pk")
        given = about(answers_of(project, RaterKind.JUDGE).filter(rater__in=raters).exclude(pk__in=own), prompts)
        pairs: dict[int, dict[tuple[int, str], list[tuple[float, float]]]] = {
            rater: defaultdict(list) for rater in raters
        }
        for (item, rater), (answers, _is_expert) in latest(given).items():
            for part in parts.get(item.stage, ()):
                best = gold.get(item, {}).get(part.key)
                names = best if isinstance(best, Mapping) else ()
                sides = [dict(as_numbers(part, value, names)) for value in (best, answers.get(part.key))]
                if best is not None:
                    pairs[rater][item.stage, part.key] += [
                        (sides[0][each], sides[1][each]) for each in sides[0] if each in sides[1]
                    ]
        asked = {(stage, part.key): part for stage, of_stage in parts.items() for part in of_stage}
        return {
            rater: pooled([alpha_with_gold(asked[of], beside) for of, beside in found.items() if beside], NO_ITEMS)
            for rater, found in pairs.items()
        }


def answers_in(raters: Collection[int], batch: Batch) -> QuerySet[QuestionnaireAnswer]:
    found = QuestionnaireAnswer.objects.filter(rater__in=raters, is_check=False, **{f"{batch.of}__in": batch.ids})
    return found.order_by("round", "pk")


def member_answers(members: Mapping[int, Member], batch: Batch) -> dict[Key, dict[int, MemberAnswer]]:
    """What each member answered in its latest round. One statement."""
    found: dict[Key, dict[int, MemberAnswer]] = defaultdict(dict)
    rows = answers_in(members, batch).values_list("stage_id", f"{batch.of}_id", "rater_id", "round", "answers")
    for stage, subject, rater, round, answers in rows:
        found[Key(stage, subject)][rater] = MemberAnswer(round, answers)
    return found


def texts_of(batch: Batch) -> dict[int, Text]:
    if batch.of == Subject.PROMPT:
        return _prompts_of(batch)
    models = [f"{side}target_model" for side in SIDES[batch.of]]
    authors = [column for name in models for column in (f"{name}__name", laboratory_slug(name))]
    rows = SUBJECTS[batch.of]._default_manager.filter(pk__in=batch.ids).values_list("pk", "key", "prompt_id", *authors)
    return {row[0]: Text(row[1], row[2], tuple(zip(row[3::2], row[4::2], strict=True))) for row in rows}


def _prompts_of(batch: Batch) -> dict[int, Text]:
    """With the authors of all responses to a prompt, whichever of them were shown. Two statements."""
    authors: dict[int, set[Author]] = defaultdict(set)
    rows = Response.objects.filter(prompt__in=batch.ids).order_by()
    for prompt, name, laboratory in rows.values_list("prompt_id", "target_model__name", laboratory_slug()):
        authors[prompt].add((name, laboratory))
    keys = Prompt.objects.filter(pk__in=batch.ids).values_list("pk", "key")
    return {pk: Text(key, pk, tuple(sorted(authors[pk]))) for pk, key in keys}


def answers_to(
    parts: Sequence[Asked], voting: Sequence[tuple[Member, MemberAnswer]], voting_panel: VotingPanel
) -> tuple[dict[str, Any], dict[str, Any]]:
    """By key of the part what the members' answers come to; and the `ties` and `means` among them."""
    answers: dict[str, Any] = {}
    ties: list[str] = []
    means: dict[str, Any] = {}
    for part in parts:
        given = [(answer.answers.get(part.key), member.weight) for member, answer in voting]
        votes = votes_of(part, given)
        if part.type == Type.TEXT or not voting_panel.is_enough(votes):
            continue
        found: Combined = combined(part, votes, voting_panel.rule != PanelRule.MAJORITY)
        if found.value is None and part.type == Type.CHOICES and part.is_optional:
            return {}, {}
        if found.value is None:
            ties.append(part.key)
        elif found.value != []:  # of any of several none: as people's answers have it, there is nothing
            answers[part.key] = found.value
            if found.mean is not None:
                means[part.key] = found.mean
    details = {"ties": ties, "means": means}
    return answers, {name: said for name, said in details.items() if said}


def about(rows: QuerySet[QuestionnaireAnswer], prompts: Collection[int]) -> QuerySet[QuestionnaireAnswer]:
    """Those of the answers that are about these prompts, or responses to them."""
    chosen = Among(prompts)
    return rows.filter(Q(prompt__in=chosen) | Q(response__prompt__in=chosen) | Q(pair__prompt__in=chosen))


def alpha_with_gold(part: Asked, pairs: Sequence[tuple[float, float]]) -> Figure:
    """Of (gold, given), as two raters. n = pairs."""
    items = [at for at in range(len(pairs)) for _side in range(2)]
    figure = alpha(items, [value for pair in pairs for value in pair], level_of(part))
    return replace(figure, n=len(pairs))
