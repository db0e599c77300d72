"""Few-shot examples of questionnaires: what is drawn for an item, and what may be shown of it.

Three other items of the same questionnaire with people's gold: of its first grade, or choice, one from each part of the
scale, or one of each of the first three answers offered, and any other where there is none of a part. They come from
templates of the training split, never from the item's own nor from a prompt with its words, and none is a check; first
from the item's variety, else its language, else any. A hash of the item and the judge's seed says which. The
gold stands in the name of the example (`Call.about`): what a judge was shown stays on record though people may settle
on something else later.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models.functions import Length
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.consensus import nearest_grade
from agreement.panels import ranked
from annotation.questionnaires.shown import LETTERS
from annotation.questionnaires.standing import Item, answers_of, gold_values
from formats.layout import Asked, Subject, Type, asked_of
from judging.kinds import ShownExample
from judging.kinds.examples import Candidate, Pool, places_of
from judging.kinds.questionnaire.shown import AskedItem, items_of
from projects.among import Among
from projects.models import Project, Prompt, RaterKind, Response, Split
from workflow.models import Stage, WorkItem

FILLED_IN = "filled"
WANTED = 3
ANY = "any"
# An example is to show the measure, not to fill the prompt. In code points.
LONGEST = 4000
#: In place of a rater, for whom responses are put in order: of an example it is the same for every judge.
NOBODY = 0

RULE = gettext_lazy(
    "Three other items of the questionnaire with the answers that people settled on, one from each part of its first "
    "scale or of its first answers where there is one, from templates of the training split and never from the item's "
    "own; first of the item's variety, else its language, else any. A hash of the item, with the judge's seed where it "
    "has one, says which. Free text is left out."
)


def no_examples() -> str:
    """The reason why an item is not ready, in words."""
    return _("fewer than three other items that people answered in the training split, as examples")


@dataclass(frozen=True, slots=True)
class GoldPool:
    """What examples are drawn from, by stage; `wanted` names the parts of each stage's scale."""

    pool: Pool
    wanted: Mapping[int, tuple[str, ...]]

    def draw(self, stage: int, item: AskedItem, seeded: str) -> tuple[str, ...]:
        """Names of the examples for an item; none where there are not three."""
        place, shown = self.pool.places[item.under], {side.id for side in item.sides}
        names = []
        for number, part in enumerate(self.wanted[stage], start=1):
            drawn = self.pool.draw_one(stage, part, f"{seeded} {number}", place, shown)
            if drawn is None:
                drawn = self.pool.draw_one(stage, ANY, f"{seeded} {number}", place, shown)
            if drawn is None:
                return ()
            names.append(drawn.name)
            shown |= drawn.responses
        return tuple(names)


def gold_pool(project: Project, stages: Sequence[Stage]) -> GoldPool:
    """All that may be an example. A few statements for each stage, however many items there are."""
    parts = {stage.pk: asked_of(stage.ask) for stage in stages}
    people = answers_of(project, RaterKind.HUMAN).filter(stage__in=[stage.pk for stage in stages])
    gold = gold_values(people, parts)
    pool, long = Pool(places_of(project)), too_long(project)
    for stage in stages:
        checks = checked(stage)
        for item in items_of(stage, pool.places, NOBODY):
            place = pool.places[item.under]
            if place.origin.split != Split.TRAIN or (item.subject, item.id) in checks or long.has(item):
                continue
            answers = said(parts[stage.pk], gold.get(Item(stage.pk, item.subject, item.id), {}), item, long.keys)
            if answers is None:
                continue
            name = name_of(item, answers)
            # Of a prompt alone no response is shown; it is told from others by a number that no response has.
            responses = frozenset(side.id for side in item.sides) or frozenset({-item.id})
            candidate = Candidate(name, place.origin.template, place.origin.words, responses)
            for part in {ANY, part_of(parts[stage.pk], answers)}:
                pool.add(stage.pk, part, candidate, place)
    pool.sort()
    return GoldPool(pool, {pk: wanted_of(asked) for pk, asked in parts.items()})


class Long(NamedTuple):
    """Responses and prompts (ids) that are too long for an example, and the key of each response."""

    responses: frozenset[int]
    prompts: frozenset[int]
    keys: Mapping[int, str]

    def has(self, item: AskedItem) -> bool:
        if not item.sides:
            return item.id in self.prompts
        return any(side.id in self.responses for side in item.sides)


def too_long(project: Project) -> Long:
    """Three statements."""
    responses, prompts = (
        frozenset(
            model._default_manager.annotate(length=Length("text"))
            .filter(project=project, length__gt=LONGEST)
            .values_list("pk", flat=True)
        )
        for model in (Response, Prompt)
    )
    return Long(responses, prompts, dict(project.responses.values_list("pk", "key")))


def checked(stage: Stage) -> set[tuple[str, int]]:
    """What people are checked by, in this stage. One statement."""
    rows = WorkItem.objects.filter(stage=stage, is_check=True).values_list(*Subject.values)
    return {(subject, pk) for ids in rows for subject, pk in zip(Subject.values, ids, strict=True) if pk is not None}


# --- The parts of a scale -----------------------------------------------------------------------------------


def leading(parts: Sequence[Asked]) -> Asked | None:
    """The part whose answers examples are to differ in."""
    return next((part for part in parts if part.type in (Type.SCALE, Type.CHOICE)), None)


def wanted_of(parts: Sequence[Asked]) -> tuple[str, ...]:
    part = leading(parts)
    if part is None:
        return (ANY,) * WANTED
    if part.type == Type.CHOICE and not part.is_ordered:
        return (*map(str, range(min(WANTED, len(part.options)))), *(ANY,) * (WANTED - len(part.options)))
    return ("low", "middle", "high")


def part_of(parts: Sequence[Asked], answers: Mapping[str, Any]) -> str:
    """Of an ordered answer low, middle or high, two fifths below and two above; of others the place of the answer."""
    part = leading(parts)
    value = answers.get(part.key) if part else None
    if part is None or value is None:
        return ANY
    if part.type == Type.SCALE:
        lowest, highest, at = part.lowest or 0, part.highest or 0, value
    else:
        lowest, highest, at = 0, len(part.options) - 1, part.options.index(value)
        if not part.is_ordered:
            return str(at)
    share = (at - lowest) / (highest - lowest)
    return "low" if share <= 0.4 else "high" if share >= 0.6 else "middle"


# --- What is shown of an example ----------------------------------------------------------------------------


def said(
    parts: Sequence[Asked], gold: Mapping[str, Any], item: AskedItem, keys: Mapping[int, str]
) -> dict[str, Any] | None:
    """The gold as a judge would answer, without free text; None where a part that must be answered has none, or one
    that is no answer."""
    answers: dict[str, Any] = {}
    for part in parts:
        if part.type == Type.TEXT:
            continue
        value = gold.get(part.key)
        if value is not None and part.type == Type.RANKING:
            value = by_letter(value, part.has_ties, [keys[side.id] for side in item.sides])
        elif value is not None and part.type == Type.SCALE:
            value = int(nearest_grade([value], int(part.lowest or 0), int(part.highest or 0))[0])
        elif part.type == Type.CHOICES and not _can_be_said(part, value):
            return None
        if value is None and not part.is_optional:
            return None
        answers[part.key] = value
    return answers if any(value is not None for value in answers.values()) else None


def _can_be_said(part: Asked, chosen: Sequence[str] | None) -> bool:
    """Whether a judge could answer any of several so: people's majorities, option by option, need not be an answer."""
    chosen = chosen or ()
    return (bool(chosen) or part.is_optional) and (part.most is None or len(chosen) <= part.most)


def by_letter(means: Mapping[str, float], has_ties: bool, keys: Sequence[str]) -> dict[str, int] | None:
    """Ranks of the responses by the letters under which they are shown; None where people's ranks are tied, or some
    response has none."""
    if set(means) != set(keys):
        return None
    ranks = ranked(means, has_ties)
    return ranks and {letter: ranks[key] for letter, key in zip(LETTERS, keys, strict=False)}


def name_of(item: AskedItem, answers: Mapping[str, Any]) -> str:
    """What is shown, and the gold: `filled::31:{...}`, of several responses `filled::31,32:{...}`, of a prompt alone
    `filled:5::{...}`."""
    prompt = None if item.sides else item.id
    return written(prompt, [side.id for side in item.sides], json.dumps(answers, ensure_ascii=False))


def written(prompt: int | None, responses: Sequence[int], answers: str) -> str:
    """The name that `parse` reads."""
    return f"{FILLED_IN}:{'' if prompt is None else prompt}:{','.join(map(str, responses))}:{answers}"


def parse(name: str) -> tuple[int | None, tuple[int, ...], str]:
    """The prompt, of one that is shown alone; the responses in the order in which they are shown; the answers."""
    _sort, prompt, responses, answers = name.split(":", 3)
    return int(prompt) if prompt else None, tuple(int(pk) for pk in responses.split(",") if pk), answers


def shown_examples(names: Collection[Any]) -> dict[str, ShownExample]:
    """The examples of these names whose texts are still there. Two statements, none without names."""
    parsed = {name: parse(name) for name in names if str(name).partition(":")[0] == FILLED_IN}
    if not parsed:
        return {}
    responses = {pk for _prompt, shown, _answers in parsed.values() for pk in shown}
    prompts = {prompt for prompt, _shown, _answers in parsed.values() if prompt is not None}
    columns = ("pk", "prompt__text", "variety__name", "text")
    texts: dict[int, tuple[str, ...]] = defaultdict(tuple)
    texts |= {pk: row for pk, *row in Response.objects.filter(pk__in=Among(responses)).values_list(*columns)}
    alone = Prompt.objects.filter(pk__in=Among(prompts)).values_list("pk", "text", "variety__name")
    of_prompt = {pk: (text, language) for pk, text, language in alone}
    examples = {}
    for name, (prompt, shown, answers) in parsed.items():
        if prompt is not None and prompt in of_prompt:
            examples[name] = ShownExample(*of_prompt[prompt], (), errors=answers)
        elif prompt is None and all(texts.get(pk) for pk in shown):
            asked, language, _text = texts[shown[0]]
            examples[name] = ShownExample(asked, language, tuple(texts[pk][2] for pk in shown), errors=answers)
    return examples
