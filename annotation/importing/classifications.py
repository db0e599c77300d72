"""Lines of classifications: the categories that one coder gave to spans of a response."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotation.importing.parts import Batch, Line, ResponsePart
from annotation.models import Classification
from projects.insertion import insert_rows


class ClassificationLines(ResponsePart):
    kind = "classifications"

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
