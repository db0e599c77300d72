"""The frame of what people's answers to questionnaires come to, part by part."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import orjson
from django.db.models import Count, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from annotation.consensus import EXPERT
from annotation.questionnaires.gold import is_given, rule_of
from annotation.questionnaires.shown import current
from benchmark.held_back import canary_of
from formats.layout import Asked, Type, asked_of
from projects.among import Among
from projects.derived import taken
from projects.models import Project, Prompt, RaterKind, Response, ResponsePair
from reports.frames.columns import HELD_BACK, NUMBER, TEXT, WHOLE, Column
from reports.frames.frame import Columns, Frame, Row, by_column
from reports.frames.reading import Reading, held_back_cells
from reports.questionnaires.consensus import gold_of
from reports.questionnaires.gold import answered, prompts
from reports.questionnaires.reader import Key, as_values, ranked_responses, standing_answers, values_of
from workflow.layouts import stages_with_parts
from workflow.models import Stage

COLUMNS = (
    Column("prompt_key", TEXT, "key of the prompt"),
    Column("variety", TEXT, "tag of the language variety (BCP 47) of what was judged"),
    Column("response_key", TEXT, "key of the response; of a ranking of the one that has the rank"),
    Column("pair_key", TEXT, "key of the pair, where it is about one"),
    *HELD_BACK,
    Column("stage", TEXT, "name of the stage"),
    Column("question", TEXT, "key of the part"),
    Column("option", TEXT, "of any of several the option that the row is about; missing of all other parts"),
    Column("value", TEXT, "the gold: the words of the answer, or the number; of an option true or false"),
    Column("number", NUMBER, "the gold as a number; of an option 1 or 0; missing of words"),
    Column("rule", TEXT, "what made it: expert, where experts answered, else majority, median or mean"),
    Column("n", WHOLE, "answers that it rests on"),
    Column("agreeing", NUMBER, "share of these answers that are the gold"),
    Column("unsure", WHOLE, "people who answered it and said that they were unsure of their answers about the item"),
)


class About(NamedTuple):
    """A prompt about which people answered, with its keys."""

    id: int
    key: str
    canary: Any


def batch(reading: Reading, after: int, size: int) -> list[About]:
    """The next prompts in the order of their ids: all that was answered about one stands together."""
    rows = prompts(reading.project).filter(pk__gt=after).annotate(canary=canary_of("pk")).order_by("pk")
    return [About._make(row) for row in rows.values_list("pk", "key", "canary")[:size]]


class Place(NamedTuple):
    """What is compared, and the item: the response, else the pair, else the prompt, by id."""

    key: Key
    response: int | None
    pair: int | None
    prompt: int
    variety: int


def gold_rows(reading: Reading, of: Sequence[About]) -> Columns:
    """One row for each item and part that has gold; of ties between words there is none, nor of any of several that may
    not be left open where no option leads."""
    stages = {stage.pk: stage for stage in reading.project.stages.exclude(ask=[])}
    parts = {pk: asked_of(stage.ask) for pk, stage in stages.items()}
    asked = {(pk, part.key): part for pk, of_stage in parts.items() for part in of_stage}
    answers: dict[Place, list[tuple]] = defaultdict(list)
    unsure: dict[Place, set[int]] = defaultdict(set)
    about = {one.id: one for one in of}
    ids = Among(about)
    ranked = ranked_responses(reading.project, parts, prompt__in=ids)
    of_these = Q(prompt__in=ids) | Q(response__prompt__in=ids) | Q(pair__prompt__in=ids)
    for answer in standing_answers(reading.project, of_these, rater__kind=RaterKind.HUMAN):
        for key, item, value, model in values_of(answer, parts.get(answer.stage, ()), ranked):
            part = asked[key.stage, key.part]
            response = item if part.type == Type.RANKING else answer.response
            place = Place(key, response, answer.pair, answer.prompt, answer.variety)
            answers[place].append((0, value, answer.rater, answer.prompt, model, answer.is_expert))
            if answer.assignment in reading.unsure:
                unsure[place].add(answer.rater)
    names = Names.of(answers)
    gold = _gold_cells(asked, answers)
    made: list[Row] = []
    for place in sorted(gold, key=names.order):
        named = (stages[place.key.stage].name, place.key.part, place.key.option)
        made.append((*names.cells(place, about), *named, *gold[place], len(unsure[place])))
    return by_column(made)


def _gold_cells(asked: Mapping[tuple[int, str], Asked], answers: Mapping[Place, Sequence[tuple]]) -> dict[Place, Row]:
    """Value, number, rule, n and share of the answers that are the gold, by place: all of one part at once. Nothing of
    free text and of a tie."""
    alike: dict[tuple[int, str], list[Place]] = defaultdict(list)
    for place in answers:
        alike[place.key.stage, place.key.part].append(place)
    cells: dict[Place, Row] = {}
    for of_part, places in alike.items():
        part = asked[of_part]
        if part.type == Type.TEXT:
            continue
        values = as_values(part, [(at, *row[1:]) for at, place in enumerate(places) for row in answers[place]])
        gold = gold_of(values)
        best, by_experts = gold.of(values.item), np.isin(values.item, gold.items[gold.by_experts])
        counts = values.expert | ~by_experts
        agrees = np.bincount(values.item[counts], np.abs(values.value - best)[counts] < 1e-9, len(places))
        found: dict[Place, dict[str, float]] = defaultdict(dict)
        for at, number in zip(gold.items.tolist(), gold.values.tolist(), strict=True):
            found[_without_option(places[at])][places[at].key.option] = number
        rows = zip(gold.items.tolist(), gold.values.tolist(), gold.n.tolist(), gold.by_experts.tolist(), strict=True)
        for at, number, n, is_experts in rows:
            if not is_given(part, found[_without_option(places[at])]):
                continue
            rule = EXPERT if is_experts else rule_of(part)
            cells[places[at]] = (*_said(part, number), rule, n, float(agrees[at] / n))
    return cells


def _without_option(place: Place) -> Place:
    return place._replace(key=place.key._replace(option=""))


def _said(part: Asked, number: float) -> tuple[str, float | None]:
    if part.type == Type.CHOICE:
        return part.options[int(number)], None
    if part.type == Type.CHOICES:
        return str(bool(number)).lower(), number
    return orjson.dumps(int(number) if number == int(number) else number).decode(), number


class Names(NamedTuple):
    """Keys of responses and pairs, and tags of varieties, by id."""

    responses: dict[int, str]
    pairs: dict[int, str]
    varieties: dict[int, str]

    @classmethod
    def of(cls, places: Any) -> "Names":
        """Two statements: of one batch, which is bounded."""
        responses = {place.response for place in places if place.response}
        pairs = {place.pair for place in places if place.pair}
        keyed = Response.objects.filter(pk__in=Among(responses)).values_list("pk", "key", "variety", "variety__tag")
        of_pairs = ResponsePair.objects.filter(pk__in=Among(pairs)).values_list("pk", "key", "variety", "variety__tag")
        of_prompts = Prompt.objects.filter(pk__in=Among({place.prompt for place in places}))
        tags = dict(of_prompts.values_list("variety", "variety__tag"))
        names = cls({}, {}, tags)
        for rows, keys in ((keyed, names.responses), (of_pairs, names.pairs)):
            for pk, key, variety, tag in rows:
                keys[pk], tags[variety] = key, tag
        return names

    def order(self, place: Place) -> tuple:
        response, pair = self.responses.get(place.response or 0, ""), self.pairs.get(place.pair or 0, "")
        return (place.prompt, place.key.stage, pair, response, place.key.part, place.key.option)

    def cells(self, place: Place, about: dict[int, About]) -> Row:
        prompt = about[place.prompt]
        response, pair = self.responses.get(place.response or 0, ""), self.pairs.get(place.pair or 0, "")
        return (prompt.key, self.varieties[place.variety], response, pair, *held_back_cells(prompt.canary))


def number_of_rows(project: Project) -> int:
    """Counted where they lie, in a statement or two for each stage. Where people's words are tied, or none of
    several leads of which one must be chosen, there is no gold, so there may be fewer."""
    return sum(_rows_of(project, stage, asked_of(stage.ask)) for stage in stages_with_parts(project))


def _rows_of(project: Project, stage: Stage, parts: Sequence[Asked]) -> int:
    rows = answered(project).filter(stage=stage)
    items = Coalesce("response", "pair", "prompt")
    counted = rows.aggregate(
        **{f"n{at}": Count(items, filter=_answers(part), distinct=True) for at, part in enumerate(parts)}
    )
    n = sum(counted[f"n{at}"] * _values(part) for at, part in enumerate(parts))
    for part in parts:
        if part.type == Type.RANKING:
            of = rows.filter(_answers(part))
            pairs = of.exclude(pair=None).values("pair").distinct().count()
            beside = Response.objects.filter(prompt__in=of.exclude(prompt=None).values("prompt"))
            n += 2 * pairs + current(taken(beside)).count()
    return n


def _answers(part: Asked) -> Q:
    """Whether an answer says something of the part: of any of several that may be left open each does."""
    return Q() if part.type == Type.CHOICES and part.is_optional else Q(answers__has_key=part.key)


def _values(part: Asked) -> int:
    """How many rows an item has of the part; of rankings it is as many as there are responses."""
    return {Type.CHOICES: len(part.options), Type.TEXT: 0, Type.RANKING: 0}.get(Type(part.type), 1)


def number_of_prompts(project: Project) -> int:
    return prompts(project).count()


questionnaire_gold = Frame(
    "questionnaire_gold",
    _(
        "What people's answers to questionnaires come to, part by part: experts first, else the majority, the median "
        "or the mean."
    ),
    COLUMNS,
    gold_rows,
    number_of_rows,
    batch,
    number_of_prompts,
    {},
)
