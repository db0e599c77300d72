"""Lines of groups: which spans of a response point at one and the same issue."""

from collections.abc import Sequence

from django.db import connection
from django.utils.translation import gettext as _

from annotation.importing.parts import Batch, Line, ResponsePart, SpanFacts
from annotation.models import ErrorGroup


class GroupLines(ResponsePart):
    kind = "groups"

    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        spans = batch.spans_of(lines)
        groups: list[ErrorGroup] = []
        members: list[list[SpanFacts]] = []
        for line in lines:
            for index, keys in enumerate(line.fields["groups"]):
                named_spans = [self._ungrouped(spans, line, key, f"groups[{index}]", batch) for key in keys]
                if None in named_spans:
                    continue
                # Known by its first member, so the same file gives the same groups.
                groups.append(ErrorGroup(response=line.response, key=keys[0]))
                members.append([span for span in named_spans if span])
        ErrorGroup.objects.bulk_create(groups)
        grouped = [
            (group.pk, span.id) for group, spans_in_it in zip(groups, members, strict=True) for span in spans_in_it
        ]
        # One prepared statement: an UPDATE with a CASE for every span takes many times as long.
        with connection.cursor() as cursor:
            cursor.executemany("UPDATE annotation_span SET group_id = %s WHERE id = %s", grouped)
        batch.counts["groups"] += len(groups)

    def _ungrouped(
        self, spans: dict[tuple[int, str], SpanFacts], line: Line, key: str, place: str, batch: Batch
    ) -> SpanFacts | None:
        span = batch.span(spans, line, key, place)
        if span is None:
            return None
        if span.group_id is not None:
            message = _("The span “%(id)s” is in a group already.")
            batch.problems.say(line.number, "already_there", message % {"id": key[:80]}, place)
            return None
        span.group_id = 0  # taken by this line; a later one of this batch finds it so
        return span
