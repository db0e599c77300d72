"""Questionnaires: a judge answers what a stage of a lead's own parts asks, after its reasoning and apart from it.

A call stands under the response that it shows first; of a prompt alone under a response to it, which is not shown.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext_lazy

from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.shown import LETTERS
from formats.layout import JUDGED, Asked, Shown, Subject, asked_of
from judging.kinds import (
    AnswersByResponse,
    JudgeKind,
    Material,
    Pass,
    ShownExample,
    ShownQuestionnaire,
    ShownReference,
    Unit,
    UnitAnswer,
    Units,
    Way,
    number_of,
)
from judging.kinds.examples import rule_parts, seeded
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import check_keys, check_ticket
from judging.kinds.options import EXAMPLES_SEED, SHOTS_OF_QUESTIONNAIRES
from judging.kinds.questionnaire import examples as drawn
from judging.kinds.questionnaire.asking import in_words, read_answers, schema_of
from judging.kinds.questionnaire.chosen import CHOSEN, asked_by, ready
from judging.kinds.questionnaire.shown import (
    PROMPT,
    STAGE,
    AskedItem,
    ShownBeside,
    ShownSubject,
    about,
    items_of,
    subjects,
)
from judging.kinds.ratings import OTHER, PAIR, OtherResponse, check_reasoning, flat, id_of, ids_of
from judging.models import ANSWERED, Judge, Shots
from judging.prompts import PromptText, chat, fill, templates_of
from projects.among import Among
from projects.models import Response
from workflow.models import Stage

VERSION = "v1"
PARTS = ("system", "question", "prompt", "reference", "answer")
#: What is said where no response is shown; of a judge that is asked about responses the prompt does not hold it.
ALONE = "alone"
EXAMPLE_PARTS = ("examples", "example", "example_prompt", "example_answer")
WAYS = (
    Way(gettext_lazy("No examples"), {}),
    Way(gettext_lazy("Three examples"), {"shots": "few"}),
)
#: What is shown as the question that was asked.
ASKED = (Shown.PROMPT, Shown.SOURCE, Shown.CONVERSATION)


def part_of(key: str) -> str:
    """The name of a questionnaire's part in a prompt."""
    return f"stage {key}"


def key_in(prompt: PromptText, shown: ShownQuestionnaire) -> str | None:
    """The questionnaire's key in the prompt, None where the prompt does not have it.

    By its name, which a project that moved to another installation keeps, where ids are others; by its id where it was
    renamed since. Where the two point at different ones, as after two questionnaires changed names, it is the one that
    asks nothing which this one does not: parts that were answered stay.
    """
    keys = [key for key, layout in prompt.schema.items() if shown.name and layout.get("name") == shown.name]
    keys += [key for key in (str(shown.id),) if key in prompt.schema and key not in keys]
    if len(keys) > 1:
        keys = [key for key in keys if asked_in(prompt.schema[key]) <= shown.parts] or keys
    return keys[0] if keys else None


def asked_in(layout: Mapping[str, Any]) -> set[str]:
    """The keys of what a layout asks."""
    return {part.key for part in asked_of(layout.get("ask", ()))}


def shown_among(subjects: Sequence[Any]) -> ShownQuestionnaire | None:
    return next((one for one in subjects if isinstance(one, ShownQuestionnaire)), None)


class Place(NamedTuple):
    """Which row an answer becomes: its stage, what it is about (one of `Subject`) and the id of that."""

    stage: int
    subject: str
    id: int


class Questionnaires(JudgeKind):
    kind = "questionnaire"
    options = (CHOSEN, SHOTS_OF_QUESTIONNAIRES, EXAMPLES_SEED, EXPLAINED)
    ways = WAYS
    examples_rule = drawn.RULE
    is_usual = True
    name = gettext_lazy("Answers questionnaires")
    idle = gettext_lazy("No item waits for this judge: they were answered, or its own laboratory has a part in them.")
    withheld = gettext_lazy("items with a response of the judge's own laboratory")
    not_ready = gettext_lazy("responses that no questionnaire asks about, or that there are no examples for")
    gone = "rated_gone"

    def prompt_text(self, judge: Judge) -> PromptText:
        """With every questionnaire that the judge answers: its questions in words, and under its id its layout, from
        which the form of the answer follows."""
        templates = templates_of(judge, self.kind, VERSION)
        stages = asked_by(judge)
        parts = {part: templates[part] for part in PARTS}
        if not all(is_of_responses(stage.show) for stage in stages):
            parts[ALONE] = templates[ALONE]
        parts |= {part_of(str(stage.pk)): in_words(asked_of(stage.ask), templates) for stage in stages}
        few = is_few_shot(judge)
        if few:
            parts |= {part: templates[part] for part in EXAMPLE_PARTS} | rule_parts(judge, drawn.RULE)
        parts |= templates.explained
        layouts = {str(stage.pk): {"name": stage.name, "show": stage.show, "ask": stage.ask} for stage in stages}
        return PromptText(f"{self.kind}/few" if few else self.kind, templates.version, parts, layouts)

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One for each item that shows one of these responses first, and for each prompt alone that has one of them."""
        if "stages" not in over.cache:
            over.cache["stages"] = ready(over.judge)
        planned: dict[int, list[Unit]] = defaultdict(list)
        seen = over.cache.setdefault("prompts", set())
        withheld = answered = lacking = 0
        shown: set[int] = set()
        for stage in over.cache["stages"]:
            items = list(items_of(stage, texts, over.judge.rater_id))
            have = self._have(over.judge, over.round, items, stage.pk)
            for item in items:
                shown.update((*item.covered, *(one.id for one in item.sides)))
                if item.under not in texts or (stage.pk, item.id) in seen:
                    continue
                if not item.sides:
                    seen.add((stage.pk, item.id))
                if any(over.guard.forbids(one.model, one.laboratory) for one in item.sides):
                    withheld += 1
                elif Place(stage.pk, item.subject, item.id) in have:
                    answered += 1
                elif (examples := examples_for(over, stage, item)) is None:
                    lacking += 1
                else:
                    keyed, named = about(stage, item)
                    planned[item.under].append(Unit(number_of(keyed), (*named, *examples)))
        unasked = len(texts.keys() - shown)
        reasons = {drawn.no_examples(): lacking} if lacking else {}
        return Units(planned, withheld, unasked + lacking, reasons=reasons, answered=answered)

    def _have(self, judge: Judge, round: int, items: Sequence[AskedItem], stage: int) -> set[Place]:
        return already(judge, round, [Place(stage, item.subject, item.id) for item in items])

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        return {**subjects(ids), **drawn.shown_examples(ids)}

    def is_in(self, prompt: PromptText, subjects: Sequence[Any]) -> bool:
        of_stage = shown_among(subjects)
        return of_stage is not None and key_in(prompt, of_stage) is not None

    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        """What the layout shows and no more: a questionnaire that does not show the prompt is answered without it."""
        of_stage = shown_among(subjects)
        key = key_in(prompt, of_stage) if of_stage else None
        show = prompt.schema[key]["show"] if key else []
        beside = next((one for one in subjects if isinstance(one, ShownBeside)), None)
        asked = beside.conversation if beside and Shown.CONVERSATION in show else bare.prompt
        alone = next((one for one in subjects if isinstance(one, ShownSubject) and one.language), None)
        if alone and not is_of_responses(show):
            bare = replace(bare, response="", language=alone.language)
        has_reference = beside is not None and Shown.REFERENCE in show and beside.reference
        return replace(
            bare,
            prompt=asked if set(ASKED) & set(show) else "",
            questionnaire=of_stage,
            examples=tuple(one for one in subjects if isinstance(one, ShownExample)),
            others=tuple(one.text for one in subjects if isinstance(one, OtherResponse)),
            reference=ShownReference(beside.id, "", beside.reference) if beside and has_reference else None,
        )

    def schema(self, prompt: PromptText, material: Material) -> dict[str, Any]:
        return schema_of(parts_of(prompt, material), len(texts_of(prompt, material)))

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        assert material.questionnaire is not None
        parts = prompt.parts
        questions = parts[part_of(str(key_in(prompt, material.questionnaire)))]
        texts = texts_of(prompt, material)
        shown = [] if texts else [parts[ALONE]]
        if material.prompt:
            shown.append(fill(parts["prompt"], {"nonce": nonce, "prompt": material.prompt}))
        if material.reference:
            shown.append(fill(parts["reference"], {"nonce": nonce, "reference": material.reference.reference}))
        for letter, text in zip(LETTERS, texts, strict=False):
            shown.append(fill(parts["answer"], {"nonce": nonce, "letter": letter, "response": text}))
        system = fill(parts["system"], {**prompt.languages(material.language), "questions": questions})
        examples = [example_in_words(prompt, material, n, one, nonce) for n, one in enumerate(material.examples, 1)]
        before = "".join([parts["examples"], *examples]) if examples else ""
        return chat(system, before + fill(parts["question"], {"nonce": nonce, "shown": "\n".join(shown)}))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        check_keys(value, self.schema(prompt, material)["properties"])
        check_ticket(value, nonce)
        reasoning = check_reasoning(value["reasoning"])
        answers = read_answers(value["answers"], parts_of(prompt, material), len(texts_of(prompt, material)))
        return {"reasoning": reasoning, "answers": answers}

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        """An answer for every call that came to one and has none yet. How many were new."""
        answers = [(response, answer) for response, answer in flat(answered) if answer.state in ANSWERED]
        places = {(response, answer.unit): place_of(response, answer) for response, answer in answers}
        have = already(judge, round, places.values())
        there = set(Stage.objects.filter(pk__in=Among(place.stage for place in places.values())).values_list("pk"))
        keys = response_keys(answers)
        new: list[QuestionnaireAnswer] = []
        for response, answer in answers:
            place = places[response, answer.unit]
            if place in have or (place.stage,) not in there or answer.parsed is None:
                continue
            have.add(place)
            row = QuestionnaireAnswer(stage_id=place.stage, rater=judge.rater, round=round, metadata=metadata)
            setattr(row, f"{place.subject}_id", place.id)
            row.answers = by_key(answer.parsed["answers"], [keys.get(one, "") for one in shown_of(response, answer)])
            new.append(row)
        QuestionnaireAnswer.objects.bulk_create(new)
        return len(new)

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        return set()

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        places = {place_of(response, answer) for response, answer in flat(answered)}
        rows = of_judge(judge, round, places).filter(metadata__prompt=prompt)
        found = rows.values_list("pk", "stage", *Subject.values)
        gone = [pk for pk, stage, *ids in found if _place(stage, ids) in places]
        QuestionnaireAnswer.objects.filter(pk__in=Among(gone)).delete()


def is_few_shot(judge: Judge) -> bool:
    return SHOTS_OF_QUESTIONNAIRES.of(judge) == Shots.FEW


def examples_for(over: Pass, stage: Stage, item: AskedItem) -> tuple[str, ...] | None:
    """Names of the examples of an item; none of a judge that is shown none, None where there are not enough."""
    if not is_few_shot(over.judge):
        return ()
    if "gold" not in over.cache:
        over.cache["gold"] = drawn.gold_pool(over.judge.project, over.cache["stages"])
    pool: drawn.GoldPool = over.cache["gold"]
    return pool.draw(stage.pk, item, seeded(over.judge, f"{stage.pk} {item.subject} {item.id}")) or None


def example_in_words(prompt: PromptText, material: Material, number: int, shown: ShownExample, nonce: str) -> str:
    """An example as the layout shows an item: without the question where the layout has none."""
    parts = prompt.parts
    blocks = []
    if material.prompt or not shown.responses:
        blocks.append(fill(parts["example_prompt"], {"nonce": nonce, "prompt": shown.prompt}))
    for letter, text in zip(LETTERS, shown.responses, strict=False):
        blocks.append(fill(parts["example_answer"], {"nonce": nonce, "letter": letter, "response": text}))
    told = {"number": str(number), "language": shown.language, "answers": shown.errors, "nonce": nonce}
    return fill(parts["example"], {**told, "shown": "".join(blocks).rstrip("\n")})


def is_of_responses(show: Collection[str]) -> bool:
    """Whether a layout that shows these shows any response."""
    return bool(set(JUDGED) & set(show))


def texts_of(prompt: PromptText, material: Material) -> tuple[str, ...]:
    """The responses that are shown."""
    assert material.questionnaire is not None
    show = prompt.schema[str(key_in(prompt, material.questionnaire))]["show"]
    return (material.response, *material.others) if is_of_responses(show) else ()


def parts_of(prompt: PromptText, material: Material) -> list[Asked]:
    assert material.questionnaire is not None
    return asked_of(prompt.schema[str(key_in(prompt, material.questionnaire))]["ask"])


# --- Answers as rows --------------------------------------------------------------------------------------


def place_of(response: int, answer: UnitAnswer) -> Place:
    stage = id_of(STAGE, answer.about) or 0
    if pair := id_of(PAIR, answer.about):
        return Place(stage, Subject.PAIR, pair)
    if prompt := id_of(PROMPT, answer.about):
        return Place(stage, Subject.PROMPT, prompt)
    return Place(stage, Subject.RESPONSE, response)


def _place(stage: int, ids: Sequence[int | None]) -> Place:
    [(subject, pk)] = [(subject, pk) for subject, pk in zip(Subject.values, ids, strict=True) if pk is not None]
    return Place(stage, subject, pk)


def of_judge(judge: Judge, round: int, places: Iterable[Place]) -> Any:
    """The judge's answers of this round about any of these."""
    by_subject: dict[str, set[int]] = {subject: set() for subject in Subject.values}
    for place in places:
        by_subject[place.subject].add(place.id)
    about = Q(pk__in=())
    for subject, ids in by_subject.items():
        if ids:
            about |= Q(**{f"{subject}__in": Among(ids)})
    return QuestionnaireAnswer.objects.filter(about, rater=judge.rater_id, round=round)


def already(judge: Judge, round: int, places: Iterable[Place]) -> set[Place]:
    """What the judge has answered in this round. One statement."""
    rows = of_judge(judge, round, places).values_list("stage", *Subject.values)
    return {_place(stage, ids) for stage, *ids in rows}


def shown_of(response: int, answer: UnitAnswer) -> list[int]:
    """The responses in the order in which they were shown."""
    return [response, *(pk for name in answer.about if (pk := id_of(OTHER, [name])))]


def response_keys(answers: Iterable[tuple[int, UnitAnswer]]) -> dict[int, str]:
    shown = {one for response, answer in answers for one in (response, *ids_of(OTHER, answer.about))}
    return dict(Response.objects.filter(pk__in=Among(shown)).values_list("pk", "key"))


def by_key(answers: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Answers whose rankings name responses by their keys, as the table has them."""
    names = dict(zip(LETTERS, keys, strict=False))
    return {
        key: {names[letter]: rank for letter, rank in value.items()} if isinstance(value, dict) else value
        for key, value in answers.items()
    }
