"""Answers that a newer file says again: the same ones stay, others take the place of those that came by import."""

from collections.abc import Collection, Hashable
from typing import Any, Generic, TypeVar

from django.db.models import Model

from annotation.importing.parts import Batch
from projects.chunks import in_chunks

Row = TypeVar("Row")


class Settled(Generic[Row]):
    """Lines of one batch about answers that the project has, of a kind on which no other row rests."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        # The stored rows that another answer is to take the place of, each with what is said on which line.
        self.changed: list[tuple[Any, Row, int, str]] = []

    @property
    def before(self) -> list[Any]:
        return [stored for stored, *_rest in self.changed]

    def settle(self, stored: Any, row: Row, is_same: bool, line: int, place: str) -> None:
        """Count what is the same; note what may be renewed; say of all else that it is there already."""
        if is_same and not self.batch.came_just_now(stored.came_with_id):
            self.batch.counts["unchanged answers"] += 1
        elif self.batch.may_renew(stored.came_with_id, line, place):
            self.changed.append((stored, row, line, place))

    def renewed(self, model: type[Model], held: Collection[Hashable] = (), by: str = "pk") -> list[Row]:
        """Take the rows away that are renewed, and return those to be stored in their places. Those whose `by` is
        among `held` are built on: it is said that they stay."""
        free = []
        for stored, row, line, place in self.changed:
            if getattr(stored, by) in held:
                self.batch.is_built_on(line, place)
            else:
                free.append((stored, row))
        for chunk in in_chunks(stored.pk for stored, _row in free):
            model._default_manager.filter(pk__in=chunk).delete()
        self.batch.counts["updated answers"] += len(free)
        return [row for _stored, row in free]
