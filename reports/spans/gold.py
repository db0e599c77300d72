"""The gold export: one response a line, as formats/gold.py declares it."""

import json
from collections import defaultdict
from collections.abc import Iterator

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from annotation.models import GoldError, Marking
from formats.format import encode
from formats.gold import VERSION as FORMAT
from formats.gold import Error, GoldLine, Part
from projects.models import Project, Response
from reports.gold.lines import TEXT_COLUMNS, TextRow, batches, doubt, free_form, has_pairs, offsets, unsure_of

BATCH = 400

LINE_COLUMNS = (*TEXT_COLUMNS, "gold_answer__open", "gold_answer__pending")
ERROR_FIELDS = (
    "response_id",
    "key",
    "anchor",
    "start",
    "end",
    "quote",
    "paragraph",
    "error_type",
    "category__slug",
    "category__depth",
    "criticality",
    "explanation",
    "correction",
    "varies_by_region",
    "found_by_human",
    "found_by_judge",
    "provenance_json",
)


def answered(project: Project) -> QuerySet[Response]:
    """The responses that have gold: answered by people, or of an imported gold file. Their set may be empty."""
    return Response.objects.filter(project=project, gold_answer__isnull=False)


def errors_in_gold(project: Project) -> QuerySet[GoldError]:
    """The errors of the project's gold: what its file holds, and what every page means by errors in the gold.

    Several spans that found one and the same error are one error here; where spans are counted, the words say spans.
    """
    return GoldError.objects.filter(response__project=project, response__gold_answer__isnull=False)


def lines(project: Project) -> Iterator[bytes]:
    """Every answered response in the order it was imported, as one line of UTF-8 JSON each, with its newline."""
    responses = answered(project).annotate(metadata_json=Cast("metadata", TextField()))
    for batch in batches(responses, LINE_COLUMNS, BATCH):
        first, last = batch[0][0], batch[-1][0]
        errors = _errors(project, first, last)
        marked_here = Marking.objects.filter(response__project=project, response__gte=first, response__lte=last)
        unsure = unsure_of(marked_here, "response")
        for *text, open_spans, pending_spans in batch:
            row = TextRow(*text)
            people = unsure.get(row.id, 0)
            yield encode(_line(row, open_spans + pending_spans, people, errors.get(row.id, [])))


def _errors(project: Project, first: int, last: int) -> dict[int, list[tuple]]:
    errors = GoldError.objects.filter(response_id__gte=first, response_id__lte=last, response__project=project)
    rows = errors.annotate(provenance_json=Cast("provenance", TextField())).values_list(*ERROR_FIELDS)
    of_response: dict[int, list[tuple]] = defaultdict(list)
    for row in rows:
        of_response[row[0]].append(row)
    return of_response


def _reading_order(row: tuple) -> tuple:
    """What is missing from the response first, then from its paragraphs, then by place in the text, then by key."""
    start, end, paragraph = row[3], row[4], row[6]
    if start is not None:
        return (2, start, end, row[1])
    return (0 if paragraph is None else 1, paragraph or 0, 0, row[1])


def _line(row: TextRow, undecided: int, unsure: int, errors: list[tuple]) -> GoldLine:
    counted = has_pairs(row.text)
    return {
        "format": FORMAT,
        **row.entry(),
        "unsettled": undecided,
        **doubt(unsure),
        "errors": [_error(error, row.text, counted) for error in sorted(errors, key=_reading_order)],
    }


def _further(provenance: str) -> tuple[list[dict], str]:
    """The further parts that stand in a stored provenance, and what else it says."""
    if '"more"' not in provenance:
        return [], provenance
    said = json.loads(provenance)
    further = said.pop("more", [])
    return further, json.dumps(said, ensure_ascii=False)


def _part(part: dict, text: str, counted: bool) -> Part:
    start, end, quote = part["start"], part["end"], part["quote"]
    units = offsets(text, start, end, counted)
    return {
        "start": start,
        "end": end,
        "start_utf16": units["start_utf16"],
        "end_utf16": units["end_utf16"],
        "quote": quote,
    }


def _error(row: tuple, text: str, counted: bool) -> Error:
    (_response, key, anchor, start, end, quote, paragraph, error_type, category, depth) = row[:10]
    (criticality, explanation, correction, varies, by_human, by_judge, provenance) = row[10:]
    further, provenance = _further(provenance)
    units = offsets(text, start, end, counted)
    error: Error = {
        "id": key,
        "anchor": anchor,
        "start": start,
        "end": end,
        "start_utf16": units["start_utf16"],
        "end_utf16": units["end_utf16"],
        "quote": quote,
        "paragraph": paragraph,
        "type": error_type or None,
        "category": category,
        "depth": depth,
        "criticality": criticality or None,
        "explanation": explanation,
        "correction": correction,
        "varies_by_region": varies,
        "found_by": [kind for kind, is_marked in (("human", by_human), ("judge", by_judge)) if is_marked],
        "provenance": free_form(provenance),
    }
    if further:
        error["more"] = [_part(part, text, counted) for part in further]
    return error
