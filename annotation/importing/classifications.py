"""Lines of classifications: the categories that one coder gave to spans of a response."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotation.importing.parts import LINE_FIELDS, Batch, Line, Part
from annotation.models import Classification
from annotation.spans.checking import MAX_KEY
from projects.importing.fields import Field, ProblemLog, check_fields, name, one_of, rows
from projects.importing.raters import RATER_FIELDS
from projects.importing.reading import Record
from projects.insertion import insert_rows
from projects.models import RaterKind

CLASSIFICATION_FIELDS = {
    "span": Field(name(MAX_KEY), required=True),
    "category": Field(name(60), required=True),
}


class ClassificationLines(Part):
    kind = "classifications"
    fields = {
        **LINE_FIELDS,
        **RATER_FIELDS,
        "rater_kind": Field(one_of(RaterKind.values)),
        "classifications": Field(rows, required=True),
    }

    def check(self, record: Record, problems: ProblemLog) -> bool:
        before = problems.total
        for index, entry in enumerate(record.fields["classifications"]):
            check_fields(CLASSIFICATION_FIELDS, entry, record.line, problems, f"classifications[{index}].")
        return problems.total == before

    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        spans = batch.spans_of(lines)
        given = set(
            Classification.objects.filter(span__response_id__in={line.response.pk for line in lines}).values_list(
                "span_id", "rater_id"
            )
        )
        stored = []
        for line in lines:
            rater = batch.rater(line)
            if rater is None:
                continue
            for index, entry in enumerate(line.fields["classifications"]):
                place = f"classifications[{index}]"
                span = batch.span(spans, line, entry["span"], f"{place}.span")
                category = batch.categories.get(entry["category"])
                if category is None:
                    message = _("The project has no category “%(slug)s”.") % {"slug": entry["category"]}
                    batch.problems.say(line.number, "unknown", message, f"{place}.category")
                elif span and (span.id, rater.pk) in given:
                    message = _("The coder has classified this span already.")
                    batch.problems.say(line.number, "already_there", message, f"{place}.span")
                elif span:
                    given.add((span.id, rater.pk))
                    stored.append((span.id, rater.pk, category.pk, batch.now))
        insert_rows(Classification, ("span", "rater", "category", "created_at"), stored)
        batch.counts["classifications"] += len(stored)
