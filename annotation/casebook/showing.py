"""What a page of the case book shows of each error: what was marked and why, what became of it, nobody's name.

A page reads the rows as they are at that moment: an error that is no longer settled is left out, whatever the index
says. Nothing tells a person's mark from a judge's: fields that not everybody fills are left out as on the screen of
reviewers, and verdicts of judges are none.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from annotation.casebook.finding import Found, Reader
from annotation.casebook.indexing import Place
from annotation.casebook.kinds import Shown, case_kinds
from annotation.models import ERRORS, Adjudication, CaseNote, CodingSample, GoldError, SettledCase
from annotation.outcomes import KEPT, REJECTED, Case, cases
from annotation.reviews.blinding import shown_optional_fields
from annotation.said import Names, Said
from annotation.spans.parts import words_of
from annotation.spans.storing import parts_of_responses
from annotation.taxonomy import read_as, replaced
from projects.models import Response
from projects.vocabularies import vocabularies
from workflow.models import feedback_rules

# Characters of the response that stand beside the marked words, on either side.
AROUND = 160


class Showing:
    """What the errors of a page are made of; a number of queries that does not hang on how many they are."""

    def __init__(self, reader: Reader, found: Sequence[Found]) -> None:
        self.reader, self.project = reader, reader.project
        responses = {each.response_id for each in found}
        self.responses = Response.objects.select_related("variety").in_bulk(responses)
        self.errors = {
            Place(error.response_id, error.key, True): error
            for error in GoldError.objects.filter(response__in=responses)
        }
        of_response = cases(sorted(responses)) if responses else []
        self.rejected = {
            Place(case.span.response_id, case.span.key, False): case for case in of_response if case.outcome == REJECTED
        }
        self.more = parts_of_responses(sorted(responses)) if self.rejected else {}
        self.kept: dict[int, list[Case]] = defaultdict(list)
        for case in of_response:
            if case.outcome == KEPT and case.span.gold_error_id is not None:
                self.kept[case.span.gold_error_id].append(case)
        rows = CaseNote.objects.filter(response__in=responses, kind=ERRORS)
        self.notes = {Place(note.response_id or 0, note.key, note.is_kept): note for note in rows}
        self.optional = optional_fields(reader)
        self.replaced = replaced(self.project)
        self.words, self.names = vocabularies(self.project), Names(self.project)
        self.reasons: dict[int, str] = {}
        self.shows_words = feedback_rules(self.project).shows_words or reader.is_lead
        if self.shows_words:
            spans = [case.span.id for case in of_response if case.adjudication]
            self.reasons = dict(Adjudication.objects.filter(span__in=spans).values_list("span_id", "reason"))

    def of(self, pk: int, place: Place) -> Shown | None:
        """None where it is settled no longer."""
        said_of: list[Case]
        row: Any
        if place.is_kept:
            row = self.errors.get(place)
            said_of = self.kept.get(row.pk, []) if row else []
        else:
            case = self.rejected.get(place)
            row, said_of = (case.span, [case]) if case else (None, [])
        if row is None:
            return None
        shown = self.fields(pk, place, row)
        shown.varies_by_region = place.is_kept and row.varies_by_region
        shown.note(self.notes.get(place))
        if self.shows_words:
            shown.said = [said for case in said_of for said in self.names.of(case)]
            if "category" not in self.optional or "correction" not in self.optional:
                # A change of a field that is not shown would tell that it was filled.
                shown.said = [Said(said.verdict, said.comment, []) for said in shown.said]
            reasons = (self.reasons.get(case.span.id, "").strip() for case in said_of)
            shown.last_words = [reason for reason in reasons if reason]
        return shown

    def fields(self, pk: int, place: Place, row: Any) -> Shown:
        response = self.responses[place.response_id]
        before = after = ""
        more = row.more if place.is_kept else self.more.get(row.id, ())
        if row.start is not None and not more:
            before = response.text[max(0, row.start - AROUND) : row.start]
            after = response.text[row.end : row.end + AROUND]
        category = read_as(row.category_id, self.replaced) if "category" in self.optional else None
        return Shown(
            pk=pk,
            about=response,
            kind=ERRORS,
            is_kept=place.is_kept,
            quote=words_of(row.quote, more),
            before=before,
            after=after,
            error_type=str(self.words.error_types.name(row.error_type)),
            criticality=str(self.words.criticality.name(row.criticality)),
            category=self.names.category(category),
            explanation=row.explanation.strip(),
            correction=row.correction.strip() if "correction" in self.optional else "",
            varies_by_region=False,
        )


def show(reader: Reader, found: Sequence[Found]) -> list[Shown]:
    """Each found case that is still settled, in this order."""
    shown: dict[int, Shown] = {}
    for kind in case_kinds(reader.project):
        if of_kind := [each for each in found if each.kind == kind.name]:
            shown |= {case.pk: case for case in kind.show(reader, of_kind)}
    return [shown[each.pk] for each in found if each.pk in shown]


def show_errors(reader: Reader, found: Sequence[Found]) -> list[Shown]:
    rows = SettledCase.objects.filter(pk__in=[each.pk for each in found])
    places = {row[0]: Place(*row[1:]) for row in rows.values_list("pk", "gold_id", "key", "is_kept")}
    showing = Showing(reader, found)
    shown = (showing.of(each.pk, places[each.pk]) for each in found if each.pk in places)
    return [each for each in shown if each is not None]


def optional_fields(reader: Reader) -> frozenset[str]:
    """Of the fields that not everybody is asked for, those that this reader is shown: as reviewers are. An expert who
    may be asked to code errors a second time is shown no category."""
    optional = shown_optional_fields(reader.project)
    may_code = reader.rater is not None and reader.rater.is_expert and not reader.is_lead
    if may_code and CodingSample.objects.filter(project=reader.project).exists():
        return optional - {"category"}
    return optional
