"""Gold files: what the export writes is read back, so that exporting again gives the same bytes.

The schema is annotation/schemas/gold.schema.json. Every line brings its prompt and response as an item and the
final set of its errors, which stand as they came: no person and no judge of this project is made responsible
for them, and deriving gold leaves them alone.
"""

from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import AnchorKind, Criticality, Depth, ErrorCategory, ErrorType, GoldAnswer, GoldError
from annotation.spans.checking import FAR, MAX_KEY, MAX_TEXT
from projects.anchors import check_anchor, paragraphs, sha256, to_utf16
from projects.importing.fields import (
    Fault,
    Field,
    ProblemLog,
    check_fields,
    flag,
    mapping,
    name,
    one_of,
    rows,
    short_text,
    text,
    whole,
)
from projects.importing.items import FIELDS as ITEM_FIELDS
from projects.importing.items import Items
from projects.importing.reading import Record
from projects.importing.registry import Importer
from projects.models import Project, RaterKind, Response
from projects.problems import Invalid

FORMAT = "mizan.gold/1"


def name_or_nothing(value: object) -> Fault | None:
    """Task and domain, which the export writes as "" where there is none."""
    return None if value == "" else name(80)(value)


def kinds_of_raters(value: object) -> Fault | None:
    if type(value) is list and set(map(str, value)) <= set(RaterKind.values) and len(set(value)) == len(value):
        return None
    return "not_a_choice", _("A list of “human” and “judge” is expected, each once at most.")


LINE_FIELDS = {
    **ITEM_FIELDS,
    "format": Field(one_of((FORMAT,)), required=True),
    "prompt_sha256": Field(short_text(FAR)),
    "response_sha256": Field(short_text(FAR)),
    "task": Field(name_or_nothing),
    "domain": Field(name_or_nothing),
    "unsettled": Field(whole(0, FAR)),
    "errors": Field(rows, required=True),
}
ERROR_FIELDS = {
    "id": Field(text(MAX_KEY), required=True),
    "anchor": Field(one_of(AnchorKind.values), required=True),
    "start": Field(whole(0, FAR)),
    "end": Field(whole(0, FAR)),
    "start_utf16": Field(whole(0, FAR)),
    "end_utf16": Field(whole(0, FAR)),
    "quote": Field(short_text(FAR)),
    "paragraph": Field(whole(0, FAR)),
    "type": Field(one_of(ErrorType.values)),
    "category": Field(name(60)),
    "depth": Field(one_of(Depth.values)),
    "criticality": Field(one_of(Criticality.values)),
    "explanation": Field(short_text(MAX_TEXT)),
    "correction": Field(short_text(MAX_TEXT)),
    "varies_by_region": Field(flag),
    "found_by": Field(kinds_of_raters),
    "provenance": Field(mapping),
}


class GoldFile(Importer):
    """Stores the items of a gold file through the importer of items, and their errors beside them."""

    kind = "gold"
    name = gettext_lazy("Gold: responses with their final errors")
    line_format = FORMAT
    schema = Path(__file__).parent.parent / "schemas" / "gold.schema.json"
    fills = (*Items.fills, GoldAnswer, GoldError)
    settings = (ErrorCategory,)
    batch_lines = 400

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.items = Items(project, problems, ITEM_FIELDS)
        self.categories = {category.slug: category for category in ErrorCategory.objects.filter(project=project)}

    def check(self, record: Record) -> bool:
        before = self.problems.total
        if not check_fields(LINE_FIELDS, record.fields, record.line, self.problems):
            return False
        self._check_hash(record, "prompt")
        self._check_hash(record, "response")
        seen: set[str] = set()
        for index, error in enumerate(record.fields["errors"]):
            place = f"errors[{index}]."
            if not check_fields(ERROR_FIELDS, error, record.line, self.problems, place):
                continue
            if error["id"] in seen:
                self.problems.say(record.line, "duplicate_id", _("This id stands twice in the line."), place + "id")
            seen.add(error["id"])
            self._check_place(record, error, place)
        return self.problems.total == before

    def _check_hash(self, record: Record, field: str) -> None:
        given = record.fields.get(f"{field}_sha256")
        if given is not None and given != sha256(record.fields[field]):
            message = _("The text is not the one this hash was made of.")
            self.problems.say(record.line, "hash_differs", message, f"{field}_sha256")

    def _check_place(self, record: Record, error: dict, place: str) -> None:
        response = record.fields["response"]
        if error["anchor"] != AnchorKind.WORDS:
            self._check_omission(record, error, place)
            return
        if error.get("paragraph") is not None:
            message = _("An error on words names no paragraph.")
            self.problems.say(record.line, "not_with_anchor", message, place + "paragraph")
        try:
            check_anchor(response, error.get("start"), error.get("end"), error.get("quote"))
        except Invalid as refused:
            for problem in refused.problems:
                self.problems.say(record.line, problem.code, problem.message, place + problem.field)
            return
        for field in ("start", "end"):
            units = error.get(f"{field}_utf16")
            if units is not None and units != to_utf16(response, error[field]):
                message = _("The offset in UTF-16 units is another place than the one in code points.")
                self.problems.say(record.line, "offsets_differ", message, f"{place}{field}_utf16")

    def _check_omission(self, record: Record, error: dict, place: str) -> None:
        for field in ("start", "end", "start_utf16", "end_utf16", "quote"):
            if error.get(field) not in (None, ""):
                message = _("Something that is missing has no words to point at.")
                self.problems.say(record.line, "not_with_anchor", message, place + field)
        number = error.get("paragraph")
        if error["anchor"] == AnchorKind.RESPONSE:
            if number is not None:
                message = _("This is anchored to the response as a whole.")
                self.problems.say(record.line, "not_with_anchor", message, place + "paragraph")
        elif number is None:
            self.problems.say(record.line, "missing", _("The field is missing."), place + "paragraph")
        elif number >= len(paragraphs(record.fields["response"])):
            self.problems.say(record.line, "past_end", _("There is no such paragraph."), place + "paragraph")

    def store(self, batch: Sequence[Record]) -> None:
        self.items.store([Record(record.line, item_of(record.fields)) for record in batch])
        self.counts |= self.items.counts
        for record in batch:
            self._find_categories(record)
        if self.problems.total:
            return  # nothing will be stored, so the errors need not be tried
        keys = [record.fields["id"] for record in batch]
        responses = dict(Response.objects.filter(project=self.project, key__in=keys).values_list("key", "id"))
        errors = [
            self._error(responses[record.fields["id"]], error) for record in batch for error in record.fields["errors"]
        ]
        GoldError.objects.bulk_create(errors, batch_size=2000)
        GoldAnswer.objects.bulk_create(
            GoldAnswer(
                response_id=responses[record.fields["id"]],
                kept=len(record.fields["errors"]),
                pending=record.fields.get("unsettled") or 0,
                is_imported=True,
            )
            for record in batch
        )
        self.counts["errors"] += len(errors)

    def _find_categories(self, record: Record) -> None:
        """Categories the project has not are added to it; one of another class is another category."""
        for index, error in enumerate(record.fields["errors"]):
            slug, depth = error.get("category"), error.get("depth")
            place = f"errors[{index}].depth"
            if slug is None:
                if depth is not None:
                    self.problems.say(record.line, "not_alone", _("Only a category has a class."), place)
                continue
            known = self.categories.get(slug)
            if known is None:
                known = self.categories[slug] = ErrorCategory.objects.create(
                    project=self.project,
                    slug=slug,
                    name=slug.replace("-", " ").capitalize(),
                    depth=depth or Depth.SEPARATE,
                    position=len(self.categories) + 1,
                )
                self.counts["categories"] += 1
            if depth is not None and depth != known.depth:
                message = _("The project knows the category “%(slug)s” as %(depth)s.")
                self.problems.say(record.line, "depth_differs", message % {"slug": slug, "depth": known.depth}, place)

    def _error(self, response_id: int, fields: dict) -> GoldError:
        found_by = fields.get("found_by") or []
        category = fields.get("category")
        return GoldError(
            response_id=response_id,
            key=fields["id"],
            anchor=fields["anchor"],
            start=fields.get("start"),
            end=fields.get("end"),
            quote=fields.get("quote") or "",
            paragraph=fields.get("paragraph"),
            error_type=fields.get("type") or "",
            category=self.categories[category] if category else None,
            criticality=fields.get("criticality") or "",
            explanation=fields.get("explanation") or "",
            correction=fields.get("correction") or "",
            varies_by_region=fields.get("varies_by_region") or False,
            found_by_human=RaterKind.HUMAN in found_by,
            found_by_judge=RaterKind.JUDGE in found_by,
            provenance=fields.get("provenance") or {},
            is_imported=True,
        )


def item_of(fields: dict) -> dict:
    """The fields of the line that make an item; an empty task or domain is none."""
    return {field: fields[field] for field in ITEM_FIELDS if fields.get(field) not in (None, "")}
