"""Gold files: what the export writes is read back, so that exporting again gives the same bytes.

A line is declared in formats/gold.py. It brings its prompt and response as an item and the
final set of its errors, which stand as they came: no person and no judge of this project is made responsible
for them, and deriving gold leaves them alone.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Depth, ErrorCategory, GoldAnswer, GoldError
from formats.gold import FORMAT
from formats.importing.items import Items
from formats.importing.registry import Importer
from formats.item import RESPONSE_FIELDS
from formats.problems import ProblemLog
from formats.reading import Record
from projects.models import Label, Project, RaterKind, Response
from projects.vocabularies import vocabularies_of_import


class GoldFile(Importer):
    """Stores the items of a gold file through the importer of items, and their errors beside them."""

    kind = "gold"
    name = gettext_lazy("Gold: responses with their final errors")
    format = FORMAT
    fills = (*Items.fills, GoldAnswer, GoldError)
    settings = (ErrorCategory, Label)
    batch_lines = 400

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.items = Items(project, problems, RESPONSE_FIELDS)
        self.items.renews = False
        words = vocabularies_of_import(project, "spans")
        self.known = {"type": words.error_types, "criticality": words.criticality}
        self.categories = {category.slug: category for category in ErrorCategory.objects.filter(project=project)}

    def store(self, batch: Sequence[Record]) -> None:
        self.items.store([Record(record.line, item_of(record.fields)) for record in batch])
        self.counts |= self.items.counts
        for record in batch:
            self._find_categories(record)
            self._find_words(record)
        if self.problems.total:
            return  # nothing will be stored, so the errors need not be tried
        keys = [record.fields["id"] for record in batch]
        responses = dict(Response.objects.filter(project=self.project, key__in=keys).values_list("key", "id"))
        errors = [
            self._error(responses[record.fields["id"]], record.fields["response"], error)
            for record in batch
            for error in record.fields["errors"]
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

    def _find_words(self, record: Record) -> None:
        """Types and criticality are words of the project: what they mean and cost, a gold file does not say."""
        for index, error in enumerate(record.fields["errors"]):
            for field, words in self.known.items():
                if error.get(field) and error[field] not in words:
                    self.problems.say(record.line, "unknown", words.refusal(), f"errors[{index}].{field}")

    def _error(self, response_id: int, text: str, fields: dict) -> GoldError:
        found_by = fields.get("found_by") or []
        category = fields.get("category")
        head, *more = parts_of(text, fields)
        # What others write under this name in their free provenance are no parts.
        said = {name: value for name, value in (fields.get("provenance") or {}).items() if name != "more"}
        return GoldError(
            response_id=response_id,
            key=fields["id"],
            anchor=fields["anchor"],
            start=head["start"],
            end=head["end"],
            quote=head["quote"],
            paragraph=fields.get("paragraph"),
            error_type=fields.get("type") or "",
            category=self.categories[category] if category else None,
            criticality=fields.get("criticality") or "",
            explanation=fields.get("explanation") or "",
            correction=fields.get("correction") or "",
            varies_by_region=fields.get("varies_by_region") or False,
            found_by_human=RaterKind.HUMAN in found_by,
            found_by_judge=RaterKind.JUDGE in found_by,
            provenance=said | ({"more": more} if more else {}),
            is_imported=True,
        )


def parts_of(text: str, error: dict) -> list[dict]:
    """Where an error lies, part by part in reading order: offsets and words, both none of what is missing."""
    if error.get("start") is None:
        return [{"start": None, "end": None, "quote": ""}]
    places = sorted((part["start"], part["end"]) for part in (error, *(error.get("more") or ())))
    return [{"start": start, "end": end, "quote": text[start:end]} for start, end in places]


def item_of(fields: dict) -> dict:
    """The fields of the line that make an item; an empty task or domain is none."""
    return {field: fields[field] for field in RESPONSE_FIELDS if fields.get(field) not in (None, "")}
