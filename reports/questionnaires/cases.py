"""Settled answers to the parts of questionnaires for the case book: what an item came to on each part.

A part is settled where an expert answered it or ENOUGH people did, and no other answer is waited for. Its gold is made
by the rules of questionnaires (annotation/questionnaires/gold.py) of people's answers alone; free text has none, and
stands beside the others where the project shows what people wrote.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.casebook.answered import (
    ENOUGH,
    AnsweredKind,
    Written,
    awaited,
    awaited_prompts,
    beginning,
    notes_of,
    notes_of_prompts,
)
from annotation.casebook.filters import OUTCOME, QUESTION, Filter, label
from annotation.casebook.finding import Found, Reader
from annotation.casebook.indexing import Place, Wanted
from annotation.casebook.kinds import Shown, Side
from annotation.casebook.words import words_of
from annotation.consensus import EXPERT
from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.gold import gold_entries
from annotation.questionnaires.standing import answers_of, latest
from annotation.said import Said
from formats.layout import Asked, Subject, Type
from projects.models import Project, Prompt, RaterKind, Response, ResponsePair
from reports.dashboard.freshness.revisions import digest, revisions
from screening.checks.kinds.questionnaires import in_words
from workflow.layouts import parts_of, stages_with_parts
from workflow.models import feedback_rules

#: Grades are a filter where a list of so many holds them.
MOST_GRADES = 20
LETTERS = "ABCDEFGHIJKL"


class Settled(NamedTuple):
    """What a part came to, and people's answers (by key of the part) to what else was asked of the item."""

    part: Asked
    value: Any
    answers: list[Mapping[str, Any]]
    parts: Sequence[Asked]
    shows: Sequence[str]


class PartCases(AnsweredKind):
    """About a response or a pair."""

    name = "answers"

    def state(self, project: Project) -> str:
        asked = list(project.stages.exclude(ask=[]).order_by("pk").values_list("pk", "show", "ask"))
        told = feedback_rules(project).shows_words
        return digest((revisions(project).of("questionnaires", "experts"), asked, told))

    def answered(self, project: Project) -> Iterable[int]:
        rows = by_people(project).order_by()
        yield from rows.filter(response__isnull=False).values_list("response_id", flat=True).distinct()
        yield from rows.filter(pair__isnull=False).values_list("pair__first_id", flat=True).distinct()

    def settled(self, project: Project, written: dict[int, Written]) -> dict[Place, Wanted]:
        settled = self.of(project, list(written))
        texts = Texts(settled)
        shows_words = feedback_rules(project).shows_words
        wanted = {}
        for place, case in settled.items():
            variety, language = written[place.prompt_id or place.response_id]
            said = [said.comment for said in said_of(case)] if shows_words else []
            words = [case.part.question, *said, *(beginning(each.text) for each in texts.of(place, case))]
            found = tuple(words_of("\n".join(words), language))
            wanted[place] = Wanted(variety, None, found, (label(QUESTION, place.key), *outcomes_of(case)))
        return wanted

    def of(self, project: Project, ids: Collection[int]) -> dict[Place, Settled]:
        """What these came to."""
        return settled_of(project, Q(response__in=ids) | Q(pair__first__in=ids))

    def filters(self, reader: Reader) -> Sequence[Filter]:
        stages = [(stage, parts_of(stage)) for stage in stages_with_parts(reader.project)]
        asked = [(key_of(stage.pk, part), part) for stage, parts in stages for part in parts]
        outcomes: dict[str, None] = {}
        for _key, part in asked:
            outcomes |= dict.fromkeys(values_of(part))
        return [
            Filter(QUESTION, _("Question"), [(key, part.question) for key, part in asked if part.type != Type.TEXT]),
            Filter(OUTCOME, _("Outcome"), [(value, value) for value in outcomes]),
        ]

    def show(self, reader: Reader, found: Sequence[Found]) -> list[Shown]:
        ids = {each.prompt_id if self.of_prompts else each.response_id for each in found}
        settled = self.of(reader.project, ids)
        texts = Texts(settled)
        is_awaited = self.awaited(found)
        notes = self.notes(ids)
        shows_words = reader.is_lead or feedback_rules(reader.project).shows_words
        shown = []
        for each in found:
            place = self.place(each)
            case = settled.get(place)
            if case is None or place._replace(key="") in is_awaited:
                continue
            sides = sides_of(case, texts.of(place, case))
            outcome = "" if case.part.type == Type.RANKING else " · ".join(in_words(case.part, case.value))
            one = Shown(each.pk, sides[0].about, self.name, title=case.part.question, outcome=outcome, sides=sides)
            one.said = said_of(case) if shows_words else []
            shown.append(one.note(notes.get(place)))
        return shown

    def place(self, found: Found) -> Place:
        return Place(found.response_id, found.key, True, self.name, found.pair_id)

    def awaited(self, found: Sequence[Found]) -> set[Place]:
        return {Place(response, "", True, self.name, pair) for response, pair in awaited(found)}

    def notes(self, ids: Collection[int]) -> dict[Place, Any]:
        of_responses = notes_of(self.name, ids)
        return {Place(at, key, True, self.name, pair): note for (at, pair, key), note in of_responses.items()}


class PartCasesOfPrompts(PartCases):
    """About a prompt, or all responses to it."""

    name = "answers_of_prompts"
    of_prompts = True

    def answered(self, project: Project) -> Iterable[int]:
        rows = by_people(project).order_by().filter(prompt__isnull=False)
        return rows.values_list("prompt_id", flat=True).distinct()

    def of(self, project: Project, ids: Collection[int]) -> dict[Place, Settled]:
        return settled_of(project, Q(prompt__in=ids))

    def filters(self, reader: Reader) -> Sequence[Filter]:
        return ()  # those of the other kind are the same

    def place(self, found: Found) -> Place:
        return Place(0, found.key, True, self.name, None, found.prompt_id)

    def awaited(self, found: Sequence[Found]) -> set[Place]:
        kinds = ["questionnaire"]
        return {Place(0, "", True, self.name, None, prompt) for prompt in awaited_prompts(found, kinds)}

    def notes(self, ids: Collection[int]) -> dict[Place, Any]:
        of_prompts = notes_of_prompts(self.name, ids)
        return {Place(0, key, True, self.name, None, at): note for (at, key), note in of_prompts.items()}


def by_people(project: Project) -> QuerySet[QuestionnaireAnswer]:
    return answers_of(project, RaterKind.HUMAN).exclude(stage__ask=[])


def key_of(stage: int, part: Asked) -> str:
    """What is found by it in an archive is named anew there (annotation/archived.py)."""
    return f"{stage}:{part.key}"


def settled_of(project: Project, about: Q) -> dict[Place, Settled]:
    """What the parts of these items came to; three statements."""
    stages = {stage.pk: stage for stage in stages_with_parts(project)}
    parts = {pk: parts_of(stage) for pk, stage in stages.items()}
    of_item: dict[Any, list[tuple[Mapping[str, Any], bool]]] = defaultdict(list)
    for (item, _rater), said in latest(by_people(project).filter(about)).items():
        of_item[item].append(said)
    pairs = {item.id for item in of_item if item.subject == Subject.PAIR}
    firsts = dict(ResponsePair.objects.filter(pk__in=pairs).values_list("pk", "first_id"))
    settled: dict[Place, Settled] = {}
    for item, given in of_item.items():
        asked = {part.key: part for part in parts.get(item.stage, ())}
        for entry in gold_entries(list(asked.values()), given, named_in(given)):
            if entry["rule"] != EXPERT and entry["n"] < ENOUGH:
                continue
            part = asked[entry["part"]]
            of_gold = [answers for answers, is_expert in given if is_expert or entry["rule"] != EXPERT]
            place = place_of(item.subject, item.id, key_of(item.stage, part), firsts)
            settled[place] = Settled(part, entry["value"], of_gold, parts[item.stage], stages[item.stage].show)
    return settled


def place_of(subject: str, pk: int, key: str, firsts: Mapping[int, int]) -> Place:
    if subject == Subject.PROMPT:
        return Place(0, key, True, PartCasesOfPrompts.name, None, pk)
    if subject == Subject.PAIR:
        return Place(firsts[pk], key, True, PartCases.name, pk)
    return Place(pk, key, True, PartCases.name)


def named_in(given: Iterable[tuple[Mapping[str, Any], bool]]) -> set[str]:
    """The UUIDs of responses that somebody ranked."""
    values = (value for answers, _expert in given for value in answers.values() if isinstance(value, Mapping))
    return {name for value in values for name in value}


class Texts:
    """What cases of a page are about; four statements."""

    def __init__(self, settled: Mapping[Place, Settled]) -> None:
        ids = {place.response_id for place in settled} - {0}
        pairs = {place.pair_id for place in settled if place.pair_id}
        self.seconds = dict(ResponsePair.objects.filter(pk__in=pairs).values_list("pk", "second_id"))
        ranked = {name for case in settled.values() if isinstance(case.value, Mapping) for name in case.value}
        rows = Response.objects.select_related("variety")
        ids |= set(self.seconds.values())
        self.responses = {each.pk: each for each in rows.filter(pk__in=ids)} if ids else {}
        self.by_name = {str(each.uuid): each for each in rows.filter(uuid__in=ranked)} if ranked else {}
        prompts = Prompt.objects.select_related("variety")
        self.prompts = prompts.in_bulk({place.prompt_id for place in settled if place.prompt_id})

    def of(self, place: Place, case: Settled) -> list[Response | Prompt]:
        """One text or several; of ranked ones the best first."""
        if place.prompt_id:
            if isinstance(case.value, Mapping):
                ranked = sorted(case.value, key=lambda name: (case.value[name], name))
                if found := [self.by_name[name] for name in ranked if name in self.by_name]:
                    return list(found)
            return [self.prompts[place.prompt_id]]
        first = self.responses[place.response_id]
        return [first, self.responses[self.seconds[place.pair_id]]] if place.pair_id else [first]


def sides_of(case: Settled, texts: Sequence[Response | Prompt]) -> list[Side]:
    """With letters where they are several, and of a ranking the rank of each."""
    ranks = case.value if isinstance(case.value, Mapping) else {}
    sides = []
    for letter, text in zip(LETTERS, texts, strict=False):
        rank = ranks.get(str(text.uuid)) if isinstance(text, Response) else None
        title = letter if len(texts) > 1 else ""
        sides.append(Side(title, text, beginning(text.text), "" if rank is None else f"{rank:g}"))
    return sides


def values_of(part: Asked) -> list[str]:
    """What answers to the part can be narrowed by."""
    if part.type in (Type.CHOICE, Type.CHOICES):
        return list(part.options)
    if part.type == Type.SCALE and part.lowest is not None and part.highest is not None:
        grades = range(int(part.lowest), int(part.highest) + 1)
        return [str(grade) for grade in grades] if len(grades) <= MOST_GRADES else []
    return []


def outcomes_of(case: Settled) -> list[str]:
    given = case.value if isinstance(case.value, list) else [case.value]
    offered = values_of(case.part)
    return [label(OUTCOME, value) for value in dict.fromkeys(map(str, given)) if value in offered]


def said_of(case: Settled) -> list[Said]:
    """What people wrote in words of their own about the item, in the order of these, which tells nothing of them."""
    texts = [part for part in case.parts if part.type == Type.TEXT]
    said = []
    for answers in case.answers:
        for part in texts:
            words = answers.get(part.key)
            if isinstance(words, str) and words.strip():
                said.append(Said(part.question, words.strip(), []))
    return sorted(said, key=lambda each: (each.comment, each.verdict))
