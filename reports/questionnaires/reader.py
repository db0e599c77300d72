"""The answers to questionnaires, one row for each value that can be compared.

Of any of several each option is a row, 1 where it was chosen and 0 where not; of one of several the place of the
answer among those offered; of a grade or a number the number; of a ranking the rank of each response. Free text is
counted and not compared.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from django.db.models.functions import Coalesce

from annotation.models import QuestionnaireAnswer
from formats.layout import Asked, Type, asked_of
from projects.models import Project, Prompt, RaterKind, Response, TargetModel
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.freshness.revisions import digest, revisions
from workflow.models import Stage

#: In place of a target model, of what is about none.
NO_MODEL = 0
CHOSEN_PARTS = frozenset({Type.CHOICE, Type.CHOICES})


class Key(NamedTuple):
    """What is compared: a part of a stage; of any of several one option, else option is empty."""

    stage: int
    part: str
    option: str = ""


@dataclass(frozen=True, eq=False)
class Values:
    """Values of one `Key` and the part that they answer: item (the id of what it is about), value, rater, prompt and
    target model, by id, NO_MODEL where there is none; shape (N,)."""

    part: Asked
    item: Integers
    value: Floats
    rater: Integers
    prompt: Integers
    model: Integers


Loaded = Mapping[int, Mapping[Key, Values]]


class Reader:
    """Answers of people are those that stand: of each rater's rounds at an item the latest, without checks."""

    def fingerprints(self, project: Project) -> dict[int, dict[str, str]]:
        state = revisions(project)
        asked = list(project.stages.exclude(ask=[]).order_by("pk").values_list("pk", "show", "ask"))
        return {
            variety: {"answers": digest([state.of("questionnaires", "responses", variety=variety), asked])}
            for variety in varieties_asked(project)
        }

    def load(self, project: Project, varieties: Sequence[int], scope: Any) -> Loaded:
        made: dict[int, dict[Key, list[tuple]]] = {variety: {} for variety in varieties}
        parts = {stage.pk: asked_of(stage.ask) for stage in Stage.objects.filter(project=project).exclude(ask=[])}
        responses = _ranked(project, parts)
        model = (
            TargetModel.objects.filter(name=scope.model).values_list("pk", flat=True).first() if scope.model else None
        )
        for answer in _answers(project, varieties):
            for key, item, value, of_model in _values(answer, parts.get(answer.stage, ()), responses):
                if scope.model and of_model != model:
                    continue
                rows = made[answer.variety].setdefault(key, [])
                rows.append((item, value, answer.rater, answer.prompt, of_model))
        asked = {(stage, part.key): part for stage, of_stage in parts.items() for part in of_stage}
        return {
            variety: {key: _as_values(asked[key.stage, key.part], rows) for key, rows in of_variety.items()}
            for variety, of_variety in made.items()
        }


def varieties_asked(project: Project) -> list[int]:
    """Ids of the varieties that the project has responses or prompts in."""
    found: set[int] = set()
    for model in (Response, Prompt):
        found |= set(
            model._default_manager.filter(project=project).order_by().values_list("variety", flat=True).distinct()
        )
    return sorted(found)


class _Answer(NamedTuple):
    stage: int
    rater: int
    round: int
    answers: Mapping[str, Any]
    response: int | None
    pair: int | None
    prompt: int
    variety: int
    model: int


def _answers(project: Project, varieties: Sequence[int]) -> Iterator[_Answer]:
    rows = QuestionnaireAnswer.objects.filter(
        stage__project=project, is_check=False, rater__kind=RaterKind.HUMAN
    ).annotate(
        of_prompt=Coalesce("prompt", "response__prompt", "pair__prompt"),
        of_variety=Coalesce("response__variety", "pair__variety", "prompt__variety"),
    )
    fields = ("stage_id", "rater_id", "round", "answers", "response_id", "pair_id", "of_prompt", "of_variety")
    standing: dict[tuple, _Answer] = {}
    chosen = rows.filter(of_variety__in=varieties).order_by("id")
    for said in chosen.values_list(*fields, "response__target_model"):
        answer = _Answer._make((*said[:-1], said[-1] or NO_MODEL))
        place = (answer.stage, answer.rater, answer.response, answer.pair, answer.prompt)
        before = standing.get(place)
        if before is None or before.round < answer.round:
            standing[place] = answer
    yield from standing.values()


def _ranked(project: Project, parts: Mapping[int, Sequence[Asked]]) -> dict[str, tuple[int, int]]:
    """Id and target model of each response by its key, where anything is ranked."""
    if not any(part.type == Type.RANKING for asked in parts.values() for part in asked):
        return {}
    rows = Response.objects.filter(project=project).values_list("key", "pk", "target_model")
    return {key: (pk, model) for key, pk, model in rows}


def _values(
    answer: _Answer, parts: Sequence[Asked], responses: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[Key, int, float, int]]:
    """Key, item, value and target model of everything in an answer that can be compared."""
    item = answer.response or answer.pair or answer.prompt
    for part in parts:
        value = answer.answers.get(part.key)
        key = Key(answer.stage, part.key)
        if part.type == Type.CHOICES:
            if value is not None or part.is_optional:  # nothing chosen is an answer where it may be left open
                for option in part.options:
                    yield key._replace(option=option), item, float(option in (value or ())), answer.model
        elif value is None:
            continue
        elif part.type == Type.RANKING:
            for name, rank in value.items():
                if name in responses:
                    response, model = responses[name]
                    yield key, response, float(rank), model
        elif part.type == Type.CHOICE:
            if value in part.options:
                yield key, item, float(part.options.index(value)), answer.model
        else:
            yield key, item, 0.0 if part.type == Type.TEXT else float(value), answer.model


def _as_values(part: Asked, rows: Sequence[tuple]) -> Values:
    item, value, rater, prompt, model = zip(*rows, strict=True)
    items, raters, prompts, models = (np.array(column, dtype=np.int64) for column in (item, rater, prompt, model))
    return Values(part, items, np.array(value, dtype=np.float64), raters, prompts, models)
