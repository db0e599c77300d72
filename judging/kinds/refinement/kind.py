"""Refinement: a judge proposes where exactly a kept error lies and what is wrong there, in the language of the text.

It is shown all marks that found the error and what people said when they kept it (JuICE): the one kind that is shown
comments of validators. "Nothing to change" is an answer. Words are found by the same search as those of span judges.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation import refining
from annotation.models import Refinement, Review
from annotation.refining import Refined, touches
from judging.kinds import AnswersByResponse, Material, Pass, ShownError, Unit, Units, WrongAnswer, number_of
from judging.kinds.errors import PLACES, AboutErrors, MarkedError, marked_errors, own_raters
from judging.kinds.forms import check_answer, closed
from judging.kinds.spans.searching import WHOLE, Search
from judging.models import ANSWERED, Judge
from judging.prompts import PromptText, chat, fill, templates_of
from projects.among import Among
from projects.anchors import check_anchor
from projects.models import RaterKind
from projects.problems import Invalid

VERSION = "v1"
SCHEMA = closed(
    {
        "ticket": {"type": "string"},
        "quote": {"type": ["string", "null"]},
        "occurrence": {"type": ["integer", "null"]},
        "explanation": {"type": ["string", "null"]},
    }
)
PARTS = ("system", "question", "mark", "comment")


@dataclass(frozen=True, slots=True)
class ReviewedError:
    """A mark with what people said of it, the earliest first."""

    error: MarkedError
    comments: tuple[str, ...]

    @property
    def author(self) -> tuple[str, str] | None:
        return self.error.author


class Refinements(AboutErrors):
    kind = "refinement"
    can_be_evaluated = False
    name = _("Refinement of errors")
    idle = _("No kept error that is to be refined waits for this judge.")

    def prompt_text(self, judge: Judge) -> PromptText:
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in PARTS} | templates.phrases(*PLACES)
        return PromptText(self.kind, templates.version, parts, SCHEMA)

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One per kept error that nothing stands refined of, about all spans that found it; none that this judge has
        proposed for."""
        own = own_raters(over.judge.project, over.guard)
        spans = refining.unrefined(over.judge.project).filter(response__in=Among(texts))
        proposed = Refinement.objects.filter(rater=over.judge.rater_id, span__response__in=Among(texts))
        done = set(proposed.values_list("span__gold_error", flat=True))
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        withheld = set()
        for pk, response, rater, error in spans.values_list("pk", "response_id", "rater_id", "gold_error_id"):
            if error not in done:
                found[response, error].append(pk)
                withheld |= {error} if rater in own else set()
        asked: dict[int, list[Unit]] = defaultdict(list)
        for (response, error), pks in found.items():
            if error not in withheld:
                asked[response].append(Unit(number_of(pks), tuple(sorted(pks))))
        return Units(asked, len(withheld))

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        said = comments_on(ids)
        return {pk: ReviewedError(error, said.get(pk, ())) for pk, error in marked_errors(ids).items()}

    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        return replace(bare, errors=tuple(shown(one, bare.response, prompt) for one in subjects))

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        parts = prompt.parts
        marks = []
        for number, error in enumerate(material.errors, start=1):
            comments = [fill(parts["comment"], {"comment": said, "nonce": nonce}) for said in error.comments]
            values = {"place": error.place, "words": error.words, "explanation": error.explanation}
            values |= {"number": str(number), "comments": "".join(comments), "nonce": nonce}
            marks.append(fill(parts["mark"], values))
        texts = {"prompt": material.prompt, "response": material.response, "marks": "\n".join(marks), "nonce": nonce}
        return chat(fill(parts["system"], {"language": material.language}), fill(parts["question"], texts))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        """Boundaries with their place, and an explanation; both empty where nothing is to be changed."""
        check_answer(value, prompt.schema["properties"], nonce)
        first = material.errors[0]
        explanation = (value["explanation"] or "").strip()
        return {
            "error": {"span": first.id, "words": first.words},
            "explanation": "" if explanation == first.explanation else explanation,
            **boundaries(value["quote"] or "", value["occurrence"], material),
        }

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        given = [
            answer.parsed
            for answers in answered.values()
            for answer in answers
            if answer.state in ANSWERED and answer.parsed
        ]
        chosen = {
            said["error"]["span"]: Refined(said["start"], said["end"], said["quote"], said["explanation"])
            for said in given
        }
        return refining.propose(judge.rater, chosen)

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        """Answers whose proposal was confirmed or refused."""
        decided = proposed_of(judge, answered).exclude(confirmed_by=None, refused_by=None)
        spans = set(decided.values_list("span_id", flat=True))
        return {
            (response, answer.unit)
            for response, answers in answered.items()
            for answer in answers
            if answer.about and answer.about[0] in spans
        }

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        proposed_of(judge, answered).filter(confirmed_by=None, refused_by=None).delete()


def shown(one: ReviewedError, text: str, prompt: PromptText) -> ShownError:
    return replace(one.error.shown(text, prompt), comments=one.comments, start=one.error.start)


def boundaries(quote: str, occurrence: int | None, material: Material) -> dict[str, Any]:
    """Where the quoted words lie; nowhere where none are quoted.

    Raises WrongAnswer where they have no certain place, or share no character with any of the marks.
    """
    if not quote:
        if occurrence is not None:
            raise WrongAnswer("quote_does_not_fit_anchor")
        return {"start": None, "end": None, "quote": ""}
    text = material.response
    try:
        start, end, located = Search(text, WHOLE).find(quote, occurrence)
        quote = check_anchor(text, start, end, None if located else quote)
    except Invalid as invalid:
        raise WrongAnswer("quote_without_place", invalid.problems[0].code) from None
    marks = [(error.start, (error.start or 0) + len(error.words)) for error in material.errors if error.words]
    if not any(touches(*mark, start, end) for mark in marks):
        raise WrongAnswer("quote_elsewhere")
    if (start, end) == marks[0] and material.errors[0].words:
        return {"start": None, "end": None, "quote": ""}
    return {"start": start, "end": end, "quote": quote, **located}


def comments_on(spans: Collection[int]) -> dict[int, tuple[str, ...]]:
    """What people said of each span, each with their latest round. One statement, and none without spans."""
    if not spans:
        return {}
    rows = Review.objects.filter(span__in=Among(spans), rater__kind=RaterKind.HUMAN).order_by("round", "id")
    latest: dict[tuple[int, int], str] = {}
    for span, rater, comment in rows.values_list("span_id", "rater_id", "comment"):
        latest[span, rater] = comment.strip()
    said: dict[int, list[str]] = defaultdict(list)
    for (span, _rater), comment in latest.items():
        if comment:
            said[span].append(comment)
    return {span: tuple(comments) for span, comments in said.items()}


def proposed_of(judge: Judge, answered: AnswersByResponse) -> QuerySet[Refinement]:
    """The judge's proposals for the errors that these answers are about."""
    spans = [int(answer.about[0]) for answers in answered.values() for answer in answers if answer.about]
    return Refinement.objects.filter(rater=judge.rater_id, span__in=Among(spans))
