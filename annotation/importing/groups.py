"""Lines of groups: which spans of a response point at one and the same issue."""

from collections.abc import Sequence

from django.db import connection
from django.utils.translation import gettext as _

from annotation.importing.parts import LINE_FIELDS, Batch, Line, Part, SpanFacts
from annotation.models import ErrorGroup
from projects.importing.fields import Fault, Field, ProblemLog
from projects.importing.reading import Record


def lists_of_ids(value: object) -> Fault | None:
    if type(value) is not list:
        return "not_list", _("A JSON list in brackets is expected.")
    if any(type(group) is not list or any(type(key) is not str for key in group) for group in value):
        return "not_list", _("Each group is a list of span ids.")
    return None


class GroupLines(Part):
    kind = "groups"
    fields = {**LINE_FIELDS, "groups": Field(lists_of_ids, required=True)}

    def check(self, record: Record, problems: ProblemLog) -> bool:
        before = problems.total
        seen: set[str] = set()
        for index, keys in enumerate(record.fields["groups"]):
            if len(keys) < 2:
                message = _("A group holds two spans at least.")
                problems.say(record.line, "too_few", message, f"groups[{index}]")
            for key in keys:
                if key in seen:
                    message = _("The span “%(id)s” stands in two groups, or twice in one.")
                    problems.say(record.line, "repeated", message % {"id": key[:80]}, f"groups[{index}]")
                seen.add(key)
        return problems.total == before

    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        spans = batch.spans_of(lines)
        groups: list[ErrorGroup] = []
        members: list[list[SpanFacts]] = []
        for line in lines:
            for index, keys in enumerate(line.fields["groups"]):
                found = [self._ungrouped(spans, line, key, f"groups[{index}]", batch) for key in keys]
                if None in found:
                    continue
                # Known by its first member, so the same file gives the same groups.
                groups.append(ErrorGroup(response=line.response, key=keys[0]))
                members.append([span for span in found if span])
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
