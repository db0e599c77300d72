"""Same issue: do an error of the gold and an error that a judge marked point at one and the same issue?

The semantic oracle of JuICE (appendix F.2.1), by which the overlap that counts as a match is calibrated: it is shown
the words and the explanation of both, in an order drawn by lot, and not which of them is the gold.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from annotation.models import AnchorKind, GoldError, Span
from judging.kinds import Material, Pass, Unit, Units, WrongAnswer, number_of
from judging.kinds.errors import PLACES, MarkedError, marked_errors
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import check_answer, closed
from judging.kinds.kept_in_calls import KeptInCalls
from judging.models import Judge
from judging.prompts import PromptText, chat, fill, templates_of
from projects.among import Among
from projects.models import RaterKind
from providers.laboratories import Guard

VERSION = "v1"
SAME, DIFFERENT = "SAME", "DIFFERENT"
#: What names in `Call.about` begin with: an error of the gold, and one that a judge marked.
GOLD, MARKED = "gold", "marked"
SCHEMA = closed(
    {
        "ticket": {"type": "string"},
        "reason": {"type": "string"},
        "same_issue": {"type": "string", "enum": [SAME, DIFFERENT]},
    }
)


class Place(NamedTuple):
    """Where an error lies: its id, half-open code points, and the error of the gold that it became, None for none."""

    id: int
    start: int
    end: int
    gold: int | None = None


class SameIssue(KeptInCalls):
    kind = "same_issue"
    options = (EXPLAINED,)
    name = _("Same issue? Judges' errors beside the gold")
    idle = _("No error of a judge that overlaps with one of the gold waits for this judge.")
    withheld = _("pairs with an error that the judge's own laboratory marked")
    gone = "error_gone"

    def prompt_text(self, judge: Judge) -> PromptText:
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in ("system", "question", "error")}
        parts |= templates.phrases(*PLACES) | templates.explained | templates.published
        return PromptText(self.kind, templates.version, parts, SCHEMA)

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One per pair of an error of the gold and a judge's error that share a character. A judge's error that became
        this very error of the gold is no question."""
        gold, own_gold = gold_of(texts, over.guard)
        marked, own_marked = marked_by_judges(texts, over.guard)
        asked: dict[int, list[Unit]] = defaultdict(list)
        withheld = 0
        for response in gold.keys() & marked.keys():
            for error, mark in touching(gold[response], marked[response]):
                if error.id in own_gold or mark.id in own_marked:
                    withheld += 1
                    continue
                pair = (f"{GOLD}:{error.id}", f"{MARKED}:{mark.id}")
                number = number_of(pair)
                asked[response].append(Unit(number, pair if number % 2 else pair[::-1]))
        return Units(asked, withheld)

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, MarkedError]:
        named = {
            sort: {int(name.split(":")[1]) for name in ids if name.startswith(f"{sort}:")} for sort in (GOLD, MARKED)
        }
        found = {f"{MARKED}:{pk}": error for pk, error in marked_errors(named[MARKED]).items()}
        return found | {f"{GOLD}:{pk}": error for pk, error in gold_errors(named[GOLD]).items()}

    def material(self, bare: Material, subjects: Sequence[MarkedError], target: str, prompt: PromptText) -> Material:
        return replace(bare, errors=tuple(error.shown(bare.response, prompt) for error in subjects))

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        parts = prompt.parts
        if prompt.answer_form:
            texts = {"prompt": material.prompt, "response": material.response, "language": material.language}
            for which, error in zip(("first", "second"), material.errors, strict=True):
                texts |= {f"{which}_words": error.words or error.place, f"{which}_explanation": error.explanation}
            return prompt.word_for_word(texts)
        errors = []
        for number, error in enumerate(material.errors, start=1):
            said = {"place": error.place, "words": error.words, "explanation": error.explanation}
            errors.append(fill(parts["error"], {**said, "number": str(number), "nonce": nonce}))
        shown = {"prompt": material.prompt, "response": material.response, "errors": "\n".join(errors), "nonce": nonce}
        return chat(fill(parts["system"], prompt.languages(material.language)), fill(parts["question"], shown))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        check_answer(value, prompt.schema["properties"], nonce)
        return answer_of(material, value["same_issue"] == SAME, value["reason"].strip())

    def read_plain(self, answer: Any, prompt: PromptText, material: Material, unit: int) -> dict[str, Any]:
        """True where both point at one issue, False where they do not."""
        said = str(answer).casefold()
        if said not in ("true", "false"):
            raise WrongAnswer("unknown_value", "same_issue")
        return answer_of(material, said == "true")


def answer_of(material: Material, is_same: bool, reason: str = "") -> dict[str, Any]:
    """An answer as `Call.parsed` holds it."""
    return {"words": [error.words for error in material.errors], "is_same": is_same, "reason": reason}


def touching(gold: Sequence[Place], marked: Sequence[Place]) -> Iterator[tuple[Place, Place]]:
    """The pairs of one response that share a character, but those that are one error already."""
    for error in gold:
        for mark in marked:
            if mark.gold != error.id and mark.start < error.end and error.start < mark.end:
                yield error, mark


def gold_of(responses: Collection[int], guard: Guard) -> tuple[dict[int, list[Place]], set[int]]:
    """Errors of the gold in words, by response; and the ids of those that a judge of the guarded laboratory found."""
    rows = GoldError.objects.filter(response__in=Among(responses), anchor=AnchorKind.WORDS).order_by("start", "pk")
    by_response: dict[int, list[Place]] = defaultdict(list)
    own = set()
    for response, pk, start, end, provenance in rows.values_list("response_id", "pk", "start", "end", "provenance"):
        by_response[response].append(Place(pk, start or 0, end or 0))
        if any(guard.forbids(*judge) for judge in judges_in(provenance)):
            own.add(pk)
    return by_response, own


def judges_in(provenance: Any) -> list[tuple[str, str]]:
    """Model and laboratory of each judge that found an error of the gold, as its provenance says."""
    spans = provenance.get("spans") if isinstance(provenance, dict) else None
    found = [span for span in spans if isinstance(span, dict)] if isinstance(spans, list) else []
    return [(str(span["model"]), str(span.get("laboratory") or "")) for span in found if span.get("model")]


def marked_by_judges(responses: Collection[int], guard: Guard) -> tuple[dict[int, list[Place]], set[int]]:
    """Errors in words of each judge's latest whole answer, by response; and the ids of those of the guarded laboratory.

    Answers of several judges as one are made of their members', so none of theirs is asked about.
    """
    rows = Span.objects.filter(
        response__in=Among(responses),
        anchor=AnchorKind.WORDS,
        rater__kind=RaterKind.JUDGE,
        rater__panel=None,
        marking__is_complete=True,
    )
    names = ("response_id", "rater_id", "marking__round", "pk", "start", "end", "gold_error_id")
    found = list(rows.order_by("start", "pk").values_list(*names, "rater__model", "rater__laboratory__slug"))
    last: dict[tuple[int, int], int] = {}
    for response, rater, round, *_rest in found:
        last[response, rater] = max(round, last.get((response, rater), 0))
    by_response: dict[int, list[Place]] = defaultdict(list)
    own = set()
    for response, rater, round, pk, start, end, gold, model, laboratory in found:
        if round == last[response, rater]:
            by_response[response].append(Place(pk, start or 0, end or 0, gold))
            if guard.forbids(model, laboratory or ""):
                own.add(pk)
    return by_response, own


def gold_errors(ids: Collection[int]) -> dict[int, MarkedError]:
    """Errors of the gold that are still there, as an error to be shown; by id. One statement, and none without ids."""
    if not ids:
        return {}
    names = ("pk", "anchor", "start", "quote", "paragraph", "explanation", "provenance")
    errors = {}
    for *shown, provenance in GoldError.objects.filter(pk__in=Among(ids)).values_list(*names):
        model, laboratory = next(iter(judges_in(provenance)), ("", None))
        errors[shown[0]] = MarkedError._make((*shown, model, laboratory))
    return errors
