"""Lines of classifications: the categories that one coder gave to spans of a response."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotation.importing.parts import Batch, Line, ResponsePart
from annotation.importing.renewing import Settled
from annotation.models import Classification
from projects.insertion import insert_rows


class ClassificationLines(ResponsePart):
    kind = "classifications"

    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        spans = batch.spans_of(lines)
        responses = {line.response.pk for line in lines}
        rows = Classification.objects.filter(span__response_id__in=responses)
        given = {(row.span_id, row.rater_id): row for row in rows}
        said: set[tuple[int, int]] = set()
        coming, settled = [], Settled[tuple[int, int, int]](batch)
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
                elif span and (span.id, rater.pk) in said:
                    message = _("The coder has classified this span already.")
                    batch.problems.say(line.number, "already_there", message, f"{place}.span")
                elif span:
                    said.add((span.id, rater.pk))
                    row, before = (span.id, rater.pk, category.pk), given.get((span.id, rater.pk))
                    if before is None:
                        coming.append(row)
                    else:
                        settled.settle(before, row, before.category_id == category.pk, line.number, f"{place}.span")
        decided = {each.pk for each in settled.before if each.confirmed_by_id or each.refused_by_id}
        stored = [*coming, *settled.renewed(Classification, held=decided)]
        fields = ("span", "rater", "category", "created_at", "came_with")
        insert_rows(Classification, fields, [(*row, batch.now, batch.came_with()) for row in stored])
        batch.counts["classifications"] += len(coming)
