"""What a pass costs, written while its calls are made, so that whatever ends it loses nothing of that."""

import queue
import time

from benchmark.models import Configuration, SpeedSpending
from judging.speed.calling import Came, Sent
from providers.prices import Charge

#: How long the end of a pass that was broken off is waited for: the call under way is being cancelled.
GRACE_SECONDS = 2.0


class Ledger:
    """The spending of one pass. The event loop tells what was sent and what came; this thread writes it.

    A request that was sent counts with the most that it can cost until its answer has come, and for good where none
    comes.
    """

    def __init__(self, configuration: Configuration) -> None:
        self.row = SpeedSpending.objects.create(configuration=configuration)
        self.events: queue.SimpleQueue[Sent | Came | None] = queue.SimpleQueue()
        self._under_way: Sent | None = None
        self._is_over = False
        #: Places of the pass whose request may have been seen.
        self._left: set[int] = set()

    def write(self) -> None:
        """Write what was told since. One statement, or none."""
        is_new = False
        while not self._is_over:
            try:
                self._take(self.events.get_nowait())
            except queue.Empty:
                break
            is_new = True
        if is_new:
            self._save()

    def close(self) -> None:
        """Wait for the last that is told, and write it. A pass of which nothing was sent leaves nothing."""
        until = time.monotonic() + GRACE_SECONDS
        while not self._is_over:
            try:
                self._take(self.events.get(timeout=max(0.0, until - time.monotonic())))
            except queue.Empty:
                break
        self._count_under_way()
        self._save()
        if not self.row.calls:
            self.row.delete()

    def never_left(self, n: int) -> list[int]:
        """Of a pass of n places that was closed, those of which nothing was sent; none where its end was not told, for
        then nobody knows."""
        return [place for place in range(n) if place not in self._left] if self._is_over else []

    def _take(self, event: Sent | Came | None) -> None:
        if event is None:
            self._is_over = True
        elif isinstance(event, Sent):
            self._count_under_way()
            self._under_way = event
        else:
            if self._under_way is not None and event.has_left:
                self._left.add(self._under_way.place)
            self._under_way = None
            self._count(self.row, event.charge)

    def _count_under_way(self) -> None:
        if self._under_way is not None:
            self._left.add(self._under_way.place)
            self._count(self.row, self._under_way.at_most)
            self._under_way = None

    @staticmethod
    def _count(row: SpeedSpending, charge: Charge) -> None:
        row.calls += 1
        row.cost += charge.money or 0
        row.tokens += charge.tokens
        row.unpriced_calls += charge.money is None
        row.bound_calls += bool(charge.is_bound)

    def _save(self) -> None:
        shown = {name: getattr(self.row, name) for name in ("cost", "tokens", "calls", "unpriced_calls", "bound_calls")}
        if self._under_way is not None:
            held = SpeedSpending(**shown)
            self._count(held, self._under_way.at_most)
            shown = {name: getattr(held, name) for name in shown}
        SpeedSpending.objects.filter(pk=self.row.pk).update(**shown)
