"""What a module of measures is."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from reports.dashboard.tables import Table


class Measures(Protocol):
    """A module of the group that its GROUP names: `statistics(loaded, context)` gives of each variety the part that is
    put together with those of other varieties, `figures(parts, is_total)` computes, and `tables(results)` writes them
    down."""

    @property
    def GROUP(self) -> str: ...

    @property
    def statistics(self) -> Callable[..., Mapping[int, Any]]: ...

    @property
    def figures(self) -> Callable[..., Any]: ...

    @property
    def tables(self) -> Callable[[Any], list[Table]]: ...
