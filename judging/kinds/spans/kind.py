"""Span detection: a judge marks errors as people do, paragraph by paragraph or in the whole response at once."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.models import AnchorKind, ErrorCategory, Marking, Span
from annotation.receivers import answers_changed
from annotation.spans.parts import Part, put_together
from annotation.spans.storing import MarkingData, SpanData, store_markings
from formats.limits import MAX_PARTS
from judging.kinds import (
    AnswersByResponse,
    JudgeKind,
    Material,
    Pass,
    ShownExample,
    Unit,
    UnitAnswer,
    Units,
    Way,
    WrongAnswer,
)
from judging.kinds.examples import rule_parts, seeded
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import check_field, check_keys, check_ticket, closed
from judging.kinds.options import BALANCED, EXAMPLES_SEED, GRANULARITY, SEVERAL_PLACES, SHOTS_OF_SPANS, TAXONOMY
from judging.kinds.spans import examples as drawn
from judging.kinds.spans.examples import gold_pool, no_examples, shown_errors
from judging.kinds.spans.published import errors_of, form_of
from judging.kinds.spans.searching import NORMALISED, WHOLE, Search, unit_bounds
from judging.kinds.spans.words import asked_words, in_words
from judging.kinds.taxonomy import listed
from judging.models import ANSWERED, Granularity, Judge, Purpose, Shots
from judging.prompts import PromptText, chat, fill, templates_of
from projects.among import Among
from projects.anchors import check_anchor, paragraphs
from projects.models import Response
from projects.problems import Invalid
from projects.vocabularies import Vocabularies, vocabularies

VERSION = "v1"
MAX_ERRORS = 300
# The field of an error's further places, which comes before its category.
MORE = "more"
MORE_FIELD = ', "more": []'


def schema(categories: Sequence[str], words: Vocabularies, several_places: bool = False) -> dict[str, Any]:
    """JSON Schema of an answer, in the strict subset that providers enforce: every key required, no others. What the
    project has no words for is not asked, nor places elsewhere unless the judge may name `several_places`."""
    error: dict[str, Any] = {
        "anchor": {"type": "string", "enum": ["words", "missing"]},
        "quote": {"type": "string"},
        "occurrence": {"type": ["integer", "null"]},
        **{
            field: {"type": "string", "enum": [label.slug for label in known.offered]}
            for field, known in asked_words(words).items()
        },
        "explanation": {"type": "string"},
        "correction": {"type": ["string", "null"]},
    }
    if several_places:
        error[MORE] = {"type": "array", "items": closed({name: error[name] for name in ("quote", "occurrence")})}
    if categories:
        error["category"] = {"type": "string", "enum": list(categories)}
    return closed({"ticket": {"type": "string"}, "errors": {"type": "array", "items": closed(error)}})


EXAMPLES_RULE = _(
    "Three responses whose errors people have settled, two with errors and one without where there is one, from "
    "templates of the training split and never from the item's own; first of the item's variety, else its "
    "language, else any. A hash of the item, with the judge's seed where it has one, says which."
)
BALANCED_RULE = _(
    "Four responses whose errors people have settled, two with errors and two without, from templates of the training "
    "split and never from the item's own; first of the item's variety, else its language, else any. A hash of the "
    "item, with the judge's seed where it has one, says which."
)
WAYS = (
    Way(Granularity.PARAGRAPH.label, {"granularity": "paragraph"}),
    Way(Granularity.RESPONSE.label, {"granularity": "response"}),
    Way(_("Whole response, with the categories"), {"granularity": "response", "with_taxonomy": True}),
    Way(_("Whole response, errors in several places"), {"granularity": "response", "several_places": True}),
    Way(_("Paragraph by paragraph, with three examples"), {"granularity": "paragraph", "shots": "few"}),
)


class Spans(JudgeKind):
    kind = "spans"
    is_usual = True
    options = (GRANULARITY, TAXONOMY, SEVERAL_PLACES, SHOTS_OF_SPANS, BALANCED, EXAMPLES_SEED, EXPLAINED)
    ways = WAYS
    examples_rule = EXAMPLES_RULE
    setup_begins = ""
    name = _("Error spans")
    not_ready = _("responses that there are no examples for")
    is_stored_whole = True
    gone = "example_gone"
    unit_label = _("paragraph %(number)s")

    def prompt_text(self, judge: Judge) -> PromptText:
        categories = (
            list(ErrorCategory.objects.offered().filter(project=judge.project_id)) if TAXONOMY.of(judge) else []
        )
        words = vocabularies(judge.project_id)
        templates = templates_of(judge, self.kind, VERSION)
        parts = {
            "system": in_words(templates["system"], words) if judge.prompt is None else templates["system"],
            "question": templates[GRANULARITY.of(judge)],
            "taxonomy": "",
            "category_field": "",
        }
        if categories:
            categories_listed = listed(categories, templates.phrase("example"))
            parts["taxonomy"] = fill(templates["taxonomy"], {"categories": categories_listed})
            parts["category_field"] = ', "category": "..."'
        several = SEVERAL_PLACES.of(judge)
        if several:
            # Every prompt has these two slots, a project's own too.
            parts["taxonomy"] = templates["several_places"] + parts["taxonomy"]
            parts["category_field"] = MORE_FIELD + parts["category_field"]
        if is_few_shot(judge):
            parts |= {part: templates[part] for part in ("examples", "example")}
            parts |= rule_parts(judge, BALANCED_RULE if BALANCED.of(judge) else EXAMPLES_RULE)
        few = ("+balanced" if BALANCED.of(judge) else "+few") if is_few_shot(judge) else ""
        shown = f"{'+taxonomy' if categories else ''}{'+several' if several else ''}{few}"
        parts |= templates.published | templates.explained
        name = f"{self.kind}/{GRANULARITY.of(judge)}{shown}"
        form = schema([category.slug for category in categories], words, several)
        return PromptText(name, templates.version, parts, form)

    def answered(self, judge: Judge, round: int) -> set[int]:
        return set(Marking.objects.filter(rater=judge.rater_id, round=round).values_list("response_id", flat=True))

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """Paragraphs numbered from 0, or -1 for the whole; with the examples that are drawn for their response."""
        examples_by_response = examples_for(over, texts) if is_few_shot(over.judge) else dict.fromkeys(texts, ())
        asked = {}
        for pk, examples in examples_by_response.items():
            is_whole = GRANULARITY.of(over.judge) != Granularity.PARAGRAPH
            numbers = [WHOLE] if is_whole else range(len(paragraphs(texts[pk])))
            asked[pk] = [Unit(number, examples) for number in numbers]
        lacking = len(texts) - len(asked)
        reasons = {no_examples(BALANCED.of(over.judge)): lacking} if lacking else {}
        return Units(asked, not_ready=lacking, reasons=reasons)

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        return shown_errors(ids)  # a question is about the text alone, but for examples

    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        return replace(bare, examples=tuple(subjects))

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        start, end = unit_bounds(material.response, unit)
        parts = prompt.parts
        if prompt.answer_form:
            texts = {"prompt": material.prompt, "response": material.response, "language": material.language}
            return prompt.word_for_word({**texts, "paragraph": material.response[start:end]})
        fixed = {"taxonomy": parts["taxonomy"], "category_field": parts["category_field"]}
        shown = {
            "nonce": nonce,
            "prompt": material.prompt,
            "response": material.response,
            "paragraph": material.response[start:end],
        }
        examples = [example(parts["example"], n, item, nonce) for n, item in enumerate(material.examples, 1)]
        before = "".join([parts["examples"], *examples]) if examples else ""
        system = fill(parts["system"], {**fixed, **prompt.languages(material.language)})
        return chat(system, before + fill(parts["question"], shown))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        check_keys(value, prompt.schema["properties"])
        check_ticket(value, nonce)
        errors = value["errors"]
        if not isinstance(errors, list) or len(errors) > MAX_ERRORS:
            raise WrongAnswer("wrong_type", "errors")
        fields = prompt.schema["properties"]["errors"]["items"]["properties"]
        for error in errors:
            check_fields(error, fields)
        return found(errors, material.response, unit)

    def read_plain(self, answer: Any, prompt: PromptText, material: Material, unit: int) -> dict[str, Any]:
        return found(errors_of(answer, form_of(prompt.schema)), material.response, unit)

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        """One marking per response; a response that has its marking is left as it is."""
        rater = judge.rater
        marked = set(
            Marking.objects.filter(rater=rater, round=round, response__in=Among(answered)).values_list(
                "response", flat=True
            )
        )
        categories = {category.slug: category for category in ErrorCategory.objects.filter(project=judge.project_id)}
        new = [
            marking_data(Response(pk=response), judge, round, answers, categories, metadata)
            for response, answers in answered.items()
            if response not in marked
        ]
        store_markings(new)
        if not is_evaluation(metadata):
            answers_changed(answered)
        return len(new)

    def withdraw(self, judge: Judge, round: int, responses: Collection[int]) -> set[int]:
        """Delete incomplete markings, but none that people have worked on: their reviews would go with it."""
        markings = Marking.objects.filter(
            rater=judge.rater_id, round=round, is_complete=False, response__in=Among(responses)
        )
        reviewed = worked_on(markings)
        markings.exclude(response__in=Among(reviewed)).delete()
        answers_changed(responses)
        return reviewed

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        reviewed = worked_on(made_of(judge, round, prompt, answered))
        return {(response, answer.unit) for response in reviewed for answer in answered[response]}

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        made_of(judge, round, prompt, answered).delete()
        answers_changed(answered)


def is_evaluation(metadata: Mapping[str, Any]) -> bool:
    """Whether an answer with this `storing.origin` is for the evaluation of its judge alone."""
    return metadata.get("purpose") == Purpose.EVALUATION


def made_of(judge: Judge, round: int, prompt: str, responses: Iterable[int]) -> QuerySet[Marking]:
    """The judge's markings of these responses that answers to this prompt became."""
    of_judge = Marking.objects.filter(rater=judge.rater_id, round=round, response__in=Among(responses))
    return of_judge.filter(metadata__prompt=prompt)


def worked_on(markings: QuerySet[Marking]) -> set[int]:
    """Ids of responses where people have worked on the spans: with a span their work would be lost."""
    touched = (
        Q(reviews__isnull=False)
        | Q(classifications__isnull=False)
        | Q(adjudication__isnull=False)
        | Q(group__isnull=False)
        | Q(group_proposals__isnull=False)
    )
    return set(Span.objects.filter(touched, marking__in=markings).values_list("response_id", flat=True))


def is_few_shot(judge: Judge) -> bool:
    return SHOTS_OF_SPANS.of(judge) == Shots.FEW


def examples_for(over: Pass, texts: Mapping[int, str]) -> dict[int, tuple[str, ...]]:
    """Names of examples by response, of those that enough are found for."""
    if "gold" not in over.cache:
        over.cache["gold"] = gold_pool(over.judge.project, TAXONOMY.of(over.judge), SEVERAL_PLACES.of(over.judge))
    wanted = drawn.BALANCED if BALANCED.of(over.judge) else drawn.WANTED
    examples = {pk: tuple(over.cache["gold"].draw(seeded(over.judge, str(pk)), pk, wanted)) for pk in texts}
    return {pk: names for pk, names in examples.items() if names}


def example(template: str, number: int, shown: ShownExample, nonce: str) -> str:
    values = {
        "number": str(number),
        "language": shown.language,
        "prompt": shown.prompt,
        "response": shown.responses[0],
        "errors": shown.errors,
        "nonce": nonce,
    }
    return fill(template, values)


def found(errors: Sequence[Mapping[str, Any]], text: str, unit: int) -> dict[str, Any]:
    """The errors with their places, those without one apart, each place once."""
    spans: list[dict[str, Any]] = []
    unlocatable: list[dict[str, Any]] = []
    search = Search(text, unit)
    for error in errors:
        try:
            spans.append(placed(error, text, unit, search))
        except Invalid as invalid:
            unlocatable.append({"reason": invalid.problems[0].code, **error})
    distinct, repeated = without_repetitions(spans)
    return {"spans": distinct, "unlocatable": unlocatable, "repeated": repeated}


def check_fields(error: object, fields: Mapping[str, Any]) -> None:
    """Raises WrongAnswer unless the error has exactly the schema's keys, with values of its types."""
    check_keys(error, fields, "errors")
    assert isinstance(error, dict)
    for name, asked in fields.items():
        if name == MORE:
            check_places(error[MORE], asked["items"]["properties"])
        else:
            check_field(name, error[name], asked)
    if not error["explanation"].strip():
        raise WrongAnswer("explanation_missing")
    if (error["anchor"] == "words") != bool(error["quote"]) or (error.get(MORE) and error["anchor"] != "words"):
        raise WrongAnswer("quote_does_not_fit_anchor")


def check_places(places: object, fields: Mapping[str, Any]) -> None:
    """Raises WrongAnswer unless these are the further places of an error, each with its quote."""
    if not isinstance(places, list):
        raise WrongAnswer("wrong_type", MORE)
    if len(places) >= MAX_PARTS:
        raise WrongAnswer("too_long", MORE)
    for place in places:
        check_keys(place, fields, MORE)
        for name, asked in fields.items():
            check_field(name, place[name], asked)
        if not place["quote"]:
            raise WrongAnswer("quote_does_not_fit_anchor")


def placed(error: Mapping[str, Any], text: str, unit: int, search: Search) -> dict[str, Any]:
    """The error with its places in the response. Raises Invalid where one of its quotes has no certain place."""
    span = {name: error.get(name) or "" for name in ("type", "criticality", "explanation", "correction", "category")}
    if error["anchor"] == "missing":
        whole = unit == WHOLE
        anchor = AnchorKind.RESPONSE if whole else AnchorKind.PARAGRAPH
        place = {"start": None, "end": None, "quote": "", "paragraph": None if whole else unit}
        return {"anchor": anchor.value, **place, **span}
    parts: list[Part] = []
    located: dict[str, str] = {}
    for named in (error, *error.get(MORE, ())):
        start, end, how = search.find(named["quote"], named["occurrence"])
        parts.append(Part(start, end, check_anchor(text, start, end, None if how else named["quote"])))
        located |= how
    first, *more = put_together(text, parts)
    place = {**first.raw, "paragraph": None}
    elsewhere = {MORE: [part.raw for part in more]} if more else {}
    return {"anchor": AnchorKind.WORDS.value, **place, **elsewhere, **located, **span}


def without_repetitions(spans: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """The spans without those that say the same of the same place again, and how many those were."""
    seen: dict[tuple, dict[str, Any]] = {}
    for span in spans:
        further = tuple((part["start"], part["end"]) for part in span.get(MORE, ()))
        key = (span["anchor"], span["start"], span["end"], further, span["type"])
        # Omissions have no place of their own: two of them differ by what they say.
        seen.setdefault(key if span["start"] is not None else (*key, span["explanation"]), span)
    return list(seen.values()), len(spans) - len(seen)


def marking_data(
    response: Response,
    judge: Judge,
    round: int,
    answers: Sequence[UnitAnswer],
    categories: Mapping[str, ErrorCategory],
    metadata: dict,
) -> MarkingData:
    """The units' answers as one marking: complete where every unit was answered, and without errors only then."""
    complete = all(answer.state in ANSWERED for answer in answers)
    spans: list[SpanData] = []
    unlocatable = normalised = 0
    for answer in sorted(answers, key=lambda answer: answer.unit):
        if answer.state not in ANSWERED or answer.parsed is None:
            continue
        unlocatable += len(answer.parsed["unlocatable"])
        for span in answer.parsed["spans"]:
            key = f"{judge.rater.pseudonym}-{round}-{len(spans) + 1}"
            spans.append(span_data(key, span, categories.get(span["category"])))
            normalised += span.get("located") == NORMALISED
    return MarkingData(
        response=response,
        rater=judge.rater,
        round=round,
        no_errors=complete and not spans and not unlocatable,
        is_complete=complete,
        spans=spans,
        metadata={**metadata, "unlocatable": unlocatable, "normalised": normalised},
        is_evaluation=is_evaluation(metadata),
    )


def span_data(key: str, span: Mapping[str, Any], category: ErrorCategory | None) -> SpanData:
    return SpanData(
        key=key,
        anchor=span["anchor"],
        start=span["start"],
        end=span["end"],
        quote=span["quote"],
        paragraph=span["paragraph"],
        error_type=span["type"],
        category=category,
        criticality=span["criticality"],
        explanation=span["explanation"],
        correction=span["correction"],
        metadata={"located": span["located"]} if "located" in span else {},
        more=tuple(Part(**part) for part in span.get(MORE, ())),
    )
