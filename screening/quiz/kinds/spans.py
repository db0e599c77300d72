"""A sample to mark: the errors of a response, against the experts' marks, by the F1 of the words.

Content: {"gold": [[start, end], ...]}, half-open code points, of an error in several places those of each part behind
one another; empty where there is no error. People mark as in the work; marks on the parts of one error count as one. An
answer is

    {"places": [[start, end], ...], "no_errors": false, "said": [{"type", "criticality", "category"}, ...]}

where `said` holds what was said of each place, in the words of the project, and may be absent. It is kept for the
person alone: only the words are compared. Without a script words are check boxes, and those beside each other are one
mark.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.spans.parts import Part, put_together
from annotation.spans.screen import words_to_mark_with
from formats.limits import MAX_KEY, MAX_SPANS
from projects.anchors import check_anchor, locate
from projects.models import Project, Response
from projects.problems import Invalid, Problem
from projects.stored_text import text_fault
from screening.expert_gold import gold_places
from screening.models.quizzes import Asked, QuestionKind, ScoringRules
from screening.quiz.kinds import Line, QuestionForm, QuestionKindBase
from screening.quiz.kinds.choice import lines
from screening.scoring import PARTED, Place, Score, in_words, parts_of, score_places, taken_together, words_of
from workflow.screen import shown_text

#: The kind of work on whose surface samples are marked, whatever the stage: its keys are those of a sample.
SCREEN = "spans"
SAID = ("type", "criticality", "category")
#: Longest answer that is read: so many marks, each with its offsets and three words.
MAX_POSTED = MAX_SPANS * (3 * MAX_KEY + 80)
#: Words with their place before them, in code points: "[0-3] one"; of an error in several "[3-7 17-19] gave … up".
PLACED = re.compile(r"\[(?P<places>[0-9]{1,9}-[0-9]{1,9}(?: [0-9]{1,9}-[0-9]{1,9})*)\](?P<words>.*)")


class SpansForm(QuestionForm):
    sample = forms.CharField(
        label=gettext_lazy("Response"),
        max_length=200,
        help_text=gettext_lazy("Its id, as in the file it came from."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    quotes = forms.CharField(
        label=gettext_lazy("Experts' marks"),
        required=False,
        help_text=gettext_lazy(
            "The words of one error a line, exactly as in the response; “ … ” stands between words of one error that "
            "lie apart. Left empty, the settled errors of the response in this project are taken."
        ),
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )
    no_errors = forms.BooleanField(label=gettext_lazy("The response has no errors"), required=False)

    def begin(self, content: Mapping[str, Any]) -> None:
        if self.instance.response is not None:
            text = self.instance.response.text
            self.initial["sample"] = self.instance.response.key
            self.initial["quotes"] = "\n".join(written(text, place) for place in content.get("gold", []))
            self.initial["no_errors"] = content.get("gold") == []

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        key = cleaned.get("sample")
        if not key:
            return cleaned
        response = Response.objects.filter(project=self.project, key=key).first()
        if response is None:
            self.add_error("sample", _("The project has no response of this id."))
            return cleaned
        quotes = lines(cleaned.get("quotes"))
        is_kept = bool(quotes) and response == self.instance.response and self.are_kept(response, quotes)
        self.instance.response = response
        if quotes and cleaned.get("no_errors"):
            self.add_error("no_errors", _("There are marks, so the answer cannot also be that there are no errors."))
        elif quotes and not is_kept:
            self.instance.content = {"gold": self.located(response, quotes)}
        elif cleaned.get("no_errors"):
            self.instance.content = {"gold": []}
        elif not quotes:
            places = gold_places([response.pk]).get(response.pk)
            if places is None:
                message = _("The errors of this response are not settled yet. Enter the experts' marks here.")
                self.add_error("quotes", message)
            else:
                self.instance.content = {"gold": [list(place) for place in places]}
        return cleaned

    def are_kept(self, response: Response, quotes: list[str]) -> bool:
        """Whether these are the marks that are stored, as they are written now or by their words alone, as files had
        them before places could be named."""
        gold = (self.instance.content or {}).get("gold", [])
        alone = "\n".join(in_words(response.text, place) for place in gold)
        return quotes in (lines(self.initial.get("quotes")), lines(alone))

    def located(self, response: Response, quotes: list[str]) -> list[list[int]]:
        places = []
        for quote in quotes:
            try:
                places.append(place_of(response.text, quote))
            except Invalid as refused:
                self.add_error("quotes", f"“{quote[:60]}”: {refused.problems[0].message}")
        return sorted(places)


class SampleMarking(QuestionKindBase):
    kind = QuestionKind.SPANS
    template = "screening/quiz/kinds/spans.html"
    form = SpansForm

    def shown(self, asked: Asked, order: list[int], answer: Any) -> dict[str, Any]:
        response = _response(asked)
        given = answer or {"places": [], "no_errors": False}
        pieces, position = [], 0
        for index, (start, end) in enumerate(_words(response)):
            chosen = any(start < place[1] and place[0] < end for place in given["places"])
            pieces.append((response.text[position:start], index, response.text[start:end], chosen))
            position = end
        said = given.get("said") or [{} for _place in given["places"]]
        marks = [
            {"start": start, "end": end, **words} for (start, end), words in zip(given["places"], said, strict=True)
        ]
        return {
            "response": response,
            "task": {**shown_text(response), "marks": marks},
            "words": pieces,
            "rest": response.text[position:],
            "no_errors": given["no_errors"],
        }

    def read(self, asked: Asked, posted: QueryDict, name: str) -> Any:
        says_none = posted.get(f"{name}-none") == "1"
        if drawn := posted.get(f"{name}-marks"):
            places, said = _drawn(drawn, _response(asked).text, name)
        else:
            places, said = self._chosen(asked, posted, name), []
        if not places and not says_none:
            return None
        return {"places": places, "no_errors": says_none and not places} | ({"said": said} if any(said) else {})

    def _chosen(self, asked: Asked, posted: QueryDict, name: str) -> list[list[int]]:
        """The places of words that were chosen as check boxes."""
        places = _words(_response(asked))
        offered = {str(index): index for index in range(len(places))}
        values = posted.getlist(f"{name}-word")
        if any(value not in offered for value in values):
            raise not_offered(name)
        runs: list[list[int]] = []
        for index in sorted({offered[value] for value in values}):
            if runs and runs[-1][1] == index - 1:
                runs[-1][1] = index
            else:
                runs.append([index, index])
        return [[places[first][0], places[last][1]] for first, last in runs]

    def score(self, asked: Asked, answer: Any, scoring: ScoringRules) -> Score:
        response, gold = _response(asked), asked.content["gold"]
        if answer is None:
            return Score(False, 0.0, {"gold": len(gold), "marked": 0, "matched": 0})
        given = taken_together(answer["places"], gold)
        return score_places(response.text, response.variety.segmentation, gold, given, scoring.span_f1 / 100)

    def right_answer(self, asked: Asked) -> list[Line]:
        return _quotes(asked, asked.content["gold"])

    def given_answer(self, asked: Asked, answer: Any) -> list[Line]:
        return _quotes(asked, answer["places"]) if answer else []


def words_of_samples(project: Project, kinds: Iterable[str]) -> dict[str, Any] | None:
    """What the page of a quiz with these kinds of questions offers to say of a mark; None where nothing is marked."""
    return words_to_mark_with(project) if QuestionKind.SPANS in kinds else None


def not_offered(name: str) -> Invalid:
    return Invalid(Problem("not_offered", _("This answer was not offered."), name))


def _drawn(posted: str, text: str, name: str) -> tuple[list[list[int]], list[dict[str, str]]]:
    """Places in reading order, and what was said of each, of marks as the page sends them: [{"start", "end", ...}] in
    code points. Raises Invalid."""
    try:
        marks = json.loads(posted) if len(posted) <= MAX_POSTED else None
    except (ValueError, RecursionError):
        marks = None
    if not isinstance(marks, list) or len(marks) > MAX_SPANS:
        raise not_offered(name)
    read = [_mark(mark, len(text), name) for mark in marks]
    read.sort(key=lambda mark: mark[0])
    return [list(place) for place, _said in read], [said for _place, said in read]


def _mark(mark: Any, length: int, name: str) -> tuple[tuple[int, int], dict[str, str]]:
    if not isinstance(mark, dict):
        raise not_offered(name)
    start, end = mark.get("start"), mark.get("end")
    words = {field: mark.get(field, "") for field in SAID}
    # True is a number to Python, and none to a reader.
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
        raise not_offered(name)
    if any(text_fault(word, MAX_KEY) for word in words.values()):
        raise not_offered(name)
    return (start, end), {field: word for field, word in words.items() if word}


def written(text: str, place: Place) -> str:
    """The line by which `place_of` finds the place again: its words, and before them, where these alone would not do,
    its offsets, such as "[0-3 9-11] gave … up". Line ends are spaces in it."""
    words = in_words(text, place)
    try:
        if lines(words) == [words] and place_of(text, words) == list(place):
            return words
    except Invalid:
        pass
    return f"[{' '.join(f'{start}-{end}' for start, end in parts_of(place))}] {_on_one_line(words)}".strip()


def _on_one_line(words: str) -> str:
    return " ".join(words.split())


def place_of(text: str, quote: str) -> list[int]:
    """Where an error lies that a lead wrote by its words, with or without its place before them. Raises Invalid where
    they have no certain place."""
    if (placed := PLACED.fullmatch(quote)) and (found := _place_named(text, placed)):
        return found
    whole = [quote] if quote in text or PARTED.strip() not in quote else quote.split(PARTED.strip())
    places = []
    for words in map(str.strip, whole):
        start, end = locate(text, words)
        places.append(Part(start, end, check_anchor(text, start, end, words)))
    return [offset for part in put_together(text, places) for offset in (part.start, part.end)]


def _place_named(text: str, placed: re.Match[str]) -> list[int] | None:
    """The place that a line names by offsets; None where other words stand there, which may then be a quote."""
    offsets = [tuple(map(int, pair.split("-"))) for pair in placed["places"].split()]
    if any(not 0 <= start < end <= len(text) for start, end in offsets):
        return None
    together = put_together(text, (Part(start, end, text[start:end]) for start, end in offsets))
    place = [offset for part in together for offset in (part.start, part.end)]
    if _on_one_line(in_words(text, place)) != _on_one_line(placed["words"]):
        return None
    for part in together:
        check_anchor(text, part.start, part.end, part.quote)
    return place


def _response(asked: Asked) -> Response:
    assert asked.response is not None
    return asked.response


def _words(response: Response) -> list[tuple[int, int]]:
    pieces = words_of(response.text, response.variety.segmentation)
    return [(int(start), int(end)) for start, end in zip(pieces.starts, pieces.ends, strict=True)]


def _quotes(asked: Asked, places: list[list[int]]) -> list[Line]:
    response = _response(asked)
    if not places:
        return [Line(_("There are no errors."))]
    variety = response.variety
    return [Line(in_words(response.text, place), variety.tag, variety.direction) for place in places]
