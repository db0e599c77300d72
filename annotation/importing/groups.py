"""Lines of groups: which spans of a response point at one and the same issue."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotation.importing.parts import Batch, Line, ResponsePart, SpanFacts
from annotation.models import ErrorGroup, Span
from projects.chunks import in_chunks
from projects.insertion import update_rows


class GroupLines(ResponsePart):
    kind = "groups"

    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        spans = batch.spans_of(lines)
        stored = groups_of(lines)
        groups: list[ErrorGroup] = []
        members: list[list[SpanFacts]] = []
        emptied: list[int] = []
        for line in lines:
            for index, keys in enumerate(line.fields["groups"]):
                # Known by its first member, so the same file gives the same groups.
                before = stored.get((line.response.pk, keys[0]))
                if before is not None and self._stays(before, spans, line, index, keys, batch):
                    continue
                if before is not None:
                    emptied.append(before.pk)
                named_spans = [self._ungrouped(spans, line, key, f"groups[{index}]", batch) for key in keys]
                if None in named_spans:
                    continue
                groups.append(before or ErrorGroup(response=line.response, key=keys[0]))
                members.append([span for span in named_spans if span])
        new, renewed = ([each for each in groups if (each.pk is None) is is_new] for is_new in (True, False))
        for each in groups:
            each.came_with_id = batch.came_with()
        ErrorGroup.objects.bulk_create(new)
        for chunk in in_chunks(emptied):
            Span.objects.filter(group__in=chunk).update(group=None)
            ErrorGroup.objects.filter(pk__in=chunk).update(came_with=batch.came_with())
        grouped = [
            (group.pk, span.id) for group, spans_in_it in zip(groups, members, strict=True) for span in spans_in_it
        ]
        update_rows(Span, "group", grouped)
        batch.counts["groups"] += len(new)
        batch.counts["updated answers"] += len(renewed)

    def _stays(
        self,
        group: ErrorGroup,
        spans: dict[tuple[int, str], SpanFacts],
        line: Line,
        index: int,
        keys: Sequence[str],
        batch: Batch,
    ) -> bool:
        """Whether the group stays as it is: it holds these very spans, or may not be renewed. Else it is emptied."""
        place = f"groups[{index}]"
        held = {key for (response, key), each in spans.items() if each.group_id == group.pk}
        if held == set(keys) and not batch.came_just_now(group.came_with_id):
            batch.counts["unchanged answers"] += 1
            return True
        if not batch.may_renew(group.came_with_id, line.number, place):
            return True
        if group.confirmed_by_id is not None:
            batch.is_built_on(line.number, place)
            return True
        for each in spans.values():
            if each.group_id == group.pk:
                each.group_id = None
        return False

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


def groups_of(lines: Sequence[Line]) -> dict[tuple[int, str], ErrorGroup]:
    """The groups of these responses, by the response's id and the group's key."""
    groups = ErrorGroup.objects.filter(response__in={line.response.pk for line in lines})
    return {(group.response_id, group.key): group for group in groups}
