"""The answers to questionnaires, one row for each value that can be compared.

Of any of several each option is a row, 1 where it was chosen and 0 where not; of one of several the place of the
answer among those offered; of a grade or a number the number; of a ranking the rank of each response. Free text is
counted and not compared.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Case, Q, When
from django.db.models.functions import Coalesce

from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.gold import as_numbers
from annotation.questionnaires.own import about_own_laboratory
from formats.layout import Asked, Type, asked_of
from projects.models import Project, Prompt, RaterKind, Response, TargetModel
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.freshness.revisions import digest, revisions
from reports.dashboard.names import PEOPLE
from reports.dashboard.panels import Panels
from reports.questionnaires.at_first import answers_at_first
from workflow.models import Stage

#: In place of a target model, of what is about none.
NO_MODEL = 0
#: In place of a judge: people's first answers.
AT_FIRST = PEOPLE - 1
OF_PEOPLE = (PEOPLE, AT_FIRST)
CHOSEN_PARTS = frozenset({Type.CHOICE, Type.CHOICES})


class Key(NamedTuple):
    """What is compared: a part of a stage; of any of several one option, else option is empty."""

    stage: int
    part: str
    option: str = ""


@dataclass(frozen=True, eq=False)
class Values:
    """Values of one `Key` and the part that they answer: item (the id of what it is about), value, rater, prompt and
    target model, by id, NO_MODEL where there is none, and whether an expert gave it; shape (N,)."""

    part: Asked
    item: Integers
    value: Floats
    rater: Integers
    prompt: Integers
    model: Integers
    expert: Flags


class Answered(NamedTuple):
    """What was answered in one variety, by what is compared: by people, and by each judge (the id of its rater);
    `panels` are those of the judges that are several as one; `at_first` people's answers with the first of each in
    place of those that were amended or sent back, where there are any in the project."""

    people: Mapping[Key, Values]
    judges: Mapping[int, Mapping[Key, Values]]
    panels: frozenset[int] = frozenset()
    at_first: Mapping[Key, Values] | None = None

    @property
    def agreed(self) -> Mapping[Key, Values]:
        """Of people, what agreement counts."""
        return self.people if self.at_first is None else self.at_first


Loaded = Mapping[int, Answered]


class Reader:
    """Answers are those that stand: of each rater's rounds at an item the latest, without checks; of judges those about
    models of other laboratories."""

    def fingerprints(self, project: Project) -> dict[int, dict[str, str]]:
        state = revisions(project)
        asked = list(project.stages.exclude(ask=[]).order_by("pk").values_list("pk", "show", "ask"))
        parts = ("questionnaires", "responses", "laboratories", "experts")
        return {
            variety: {"answers": digest([state.of(*parts, variety=variety), asked])}
            for variety in varieties_asked(project)
        }

    def load(self, project: Project, varieties: Sequence[int], scope: Any) -> Loaded:
        made: dict[int, dict[int, dict[Key, list[tuple]]]] = {variety: {} for variety in varieties}
        parts = {stage.pk: asked_of(stage.ask) for stage in Stage.objects.filter(project=project).exclude(ask=[])}
        responses = ranked_responses(project, parts)
        model = (
            TargetModel.objects.filter(name=scope.model).values_list("pk", flat=True).first() if scope.model else None
        )
        raters = project.raters.filter(kind=RaterKind.JUDGE).values_list("pk", "kind", "model", "laboratory")
        panels = Panels.of(project, raters)
        first = answers_at_first(project)
        for answer in standing_answers(project, of_variety__in=varieties):
            if answer.prompt in panels.held_out.get(answer.rater, ()):
                continue
            at_first = answer._replace(answers=first.get(answer.assignment or 0, answer.answers))
            places = [(answer.rater if answer.is_judge else PEOPLE, answer)]
            places += [(AT_FIRST, at_first)] if first and not answer.is_judge else []
            for place, said in places:
                of_rater = made[answer.variety].setdefault(place, {})
                for key, item, value, of_model in values_of(said, parts.get(answer.stage, ()), responses):
                    if not scope.model or of_model == model:
                        row = (item, value, answer.rater, answer.prompt, of_model, answer.is_expert)
                        of_rater.setdefault(key, []).append(row)
        asked = {(stage, part.key): part for stage, of_stage in parts.items() for part in of_stage}

        def values(of_rater: Mapping[Key, list[tuple]]) -> dict[Key, Values]:
            return {key: as_values(asked[key.stage, key.part], rows) for key, rows in of_rater.items()}

        return {
            variety: Answered(
                values(of_variety.get(PEOPLE, {})),
                {rater: values(given) for rater, given in sorted(of_variety.items()) if rater not in OF_PEOPLE},
                panels.raters,
                values(of_variety.get(AT_FIRST, {})) if first else None,
            )
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


class Answer(NamedTuple):
    """An answer that stands, with the variety and prompt of what it is about, by id."""

    stage: int
    rater: int
    round: int
    answers: Mapping[str, Any]
    response: int | None
    pair: int | None
    prompt: int
    variety: int
    is_judge: bool
    is_expert: bool
    assignment: int | None
    model: int


def standing_answers(project: Project, *conditions: Q, **chosen: Any) -> Iterator[Answer]:
    """Of each rater's rounds at an item the latest, without checks, and without what judges said of models of their own
    laboratory. `conditions` and `chosen` narrow the rows, also by `of_prompt` and `of_variety`. Four statements."""
    rows = QuestionnaireAnswer.objects.filter(stage__project=project, is_check=False).annotate(
        is_judge=Case(When(rater__kind=RaterKind.JUDGE, then=True), default=False),
        of_prompt=Coalesce("prompt", "response__prompt", "pair__prompt"),
        of_variety=Coalesce("response__variety", "pair__variety", "prompt__variety"),
    )
    rows = rows.filter(*conditions, **chosen).order_by("id")
    if judges := list(project.raters.filter(kind=RaterKind.JUDGE).values_list("pk", flat=True)):
        rows = rows.exclude(pk__in=about_own_laboratory(project, judges).values("pk"))
    fields = (
        *("stage_id", "rater_id", "round", "answers", "response_id", "pair_id", "of_prompt", "of_variety"),
        *("is_judge", "rater__is_expert", "assignment_id", "response__target_model"),
    )
    standing: dict[tuple, Answer] = {}
    for *said, model in rows.values_list(*fields):
        answer = Answer._make((*said, model or NO_MODEL))
        place = (answer.stage, answer.rater, answer.response, answer.pair, answer.prompt)
        before = standing.get(place)
        if before is None or before.round < answer.round:
            standing[place] = answer
    yield from standing.values()


def ranked_responses(
    project: Project, parts: Mapping[int, Sequence[Asked]], **chosen: Any
) -> dict[str, tuple[int, int]]:
    """Id and target model of each response by its key, where anything is ranked; `chosen` narrows the responses."""
    if not any(part.type == Type.RANKING for asked in parts.values() for part in asked):
        return {}
    rows = Response.objects.filter(project=project, **chosen).values_list("key", "pk", "target_model")
    return {key: (pk, model) for key, pk, model in rows}


def values_of(
    answer: Answer, parts: Sequence[Asked], responses: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[Key, int, float, int]]:
    """Key, item, value and target model of everything in an answer that can be compared."""
    item = answer.response or answer.pair or answer.prompt
    for part in parts:
        key = Key(answer.stage, part.key)
        for name, value in as_numbers(part, answer.answers.get(part.key), responses):
            if part.type == Type.RANKING:
                response, model = responses[name]
                yield key, response, value, model
            else:
                yield key._replace(option=name), item, value, answer.model


def as_values(part: Asked, rows: Sequence[tuple]) -> Values:
    """Of rows with item, value, rater, prompt, target model and whether an expert gave it."""
    item, value, rater, prompt, model, expert = zip(*rows, strict=True)
    items, raters, prompts, models = (np.array(column, dtype=np.int64) for column in (item, rater, prompt, model))
    return Values(part, items, np.array(value, dtype=np.float64), raters, prompts, models, np.array(expert, dtype=bool))
