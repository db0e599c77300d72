"""Rows out of records: what lies deeper is brought up, columns are taken apart, several columns become rows."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import regex
from django.utils.translation import gettext as _

from formats.fitting import as_text
from formats.mapping.templates import looked_up
from projects.problems import Invalid, Problem

Row = dict[str, Any]
#: A regular expression that takes longer for one text, in seconds, is refused: it may take for ever.
PATIENCE = 0.1
MAX_PATTERN = 500
MAX_PARTS = 50


def compiled_pattern(pattern: str) -> regex.Pattern:
    """Raises Invalid where it is none."""
    try:
        if len(pattern) > MAX_PATTERN:
            raise regex.error(_("it is longer than %(limit)d characters") % {"limit": MAX_PATTERN})
        return regex.compile(pattern)
    except regex.error as error:
        message = _("This is no regular expression: %(reason)s.")
        raise Invalid(Problem("not_pattern", message % {"reason": error}, pattern[:80])) from None


def matched(pattern: regex.Pattern, text: str) -> regex.Match | None:
    """Raises Invalid where it takes too long."""
    try:
        return pattern.fullmatch(text, timeout=PATIENCE)
    except TimeoutError:
        message = _("The regular expression takes too long on a text of %(length)d characters. Write a simpler one.")
        raise Invalid(Problem("slow_pattern", message % {"length": len(text)}, pattern.pattern[:80])) from None


# --- What lies deeper ---


def walk(record: Row, path: Sequence[str]) -> Iterator[Row]:
    """A row for each place that the path leads to. A part in braces stands for every name or place there, and its row
    has it under that name; what stands beside the path on the way comes along, what lies deeper first."""
    yield from _walk(record, path, {})


def _walk(node: Any, path: Sequence[str], row: Row) -> Iterator[Row]:
    if not path:
        yield {**row, **node} if isinstance(node, dict) else {**row, "value": node}
        return
    part, rest = path[0], path[1:]
    if part.startswith("{"):
        name = part[1:-1]
        inner: Any = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, value in inner:
            yield from _walk(value, rest, {**row, name: key})
    elif isinstance(node, dict) and part in node:
        beside = {name: value for name, value in node.items() if name != part}
        yield from _walk(node[part], rest, {**row, **beside})


# --- Columns taken apart ---


def splitter(column: str, how: Row) -> Callable[[Row], None]:
    """Adds the parts of a column to a row: between separators, or the named groups of a regular expression that the
    whole text is to match. Raises Invalid where neither is said."""
    if isinstance(how.get("pattern"), str):
        pattern = compiled_pattern(how["pattern"])
        if not pattern.groupindex:
            message = _("The regular expression names no group: write (?P<name>...) for each part.")
            raise Invalid(Problem("no_group", message, column))

        def by_pattern(row: Row) -> None:
            found = matched(pattern, str(as_text(looked_up(row, column) or "")))
            if found:
                row.update({name: value for name, value in found.groupdict().items() if value is not None})

        return by_pattern
    by, into = how.get("by"), how.get("into")
    if isinstance(by, str) and by and isinstance(into, list) and 0 < len(into) <= MAX_PARTS:

        def by_separator(row: Row) -> None:
            text = looked_up(row, column)
            if text is not None:
                row.update(zip(map(str, into), str(as_text(text)).split(by, len(into) - 1), strict=False))

        return by_separator
    message = _("A column is taken apart by a separator into names (by, into), or by a pattern.")
    raise Invalid(Problem("not_split", message, column))


# --- Columns that become rows ---


class Melting:
    """One row for each of several columns that has a value."""

    def __init__(self, stated: Row) -> None:
        columns = stated["columns"]
        self.names = columns if isinstance(columns, list) else None
        self.pattern = None if isinstance(columns, list) else compiled_pattern(columns)
        self.name, self.value = stated.get("name"), stated["value"]
        self.known: dict[str, Row | None] = {}

    def rows(self, row: Row) -> Iterator[Row]:
        chosen = self.names if self.names is not None else [name for name in row if self._groups(name) is not None]
        rest = {name: value for name, value in row.items() if name not in chosen}
        for column in chosen:
            value = looked_up(row, column)
            if value is not None and value != "":
                named = {self.name: column} if self.name else {}
                yield {**rest, **named, **(self._groups(column) or {}), self.value: value}

    def _groups(self, column: str) -> Row | None:
        """The named groups of a column's name; None where the pattern does not match it."""
        if self.pattern is None:
            return {}
        if column not in self.known:
            found = matched(self.pattern, column)
            self.known[column] = None if found is None else found.groupdict()
        return self.known[column]


# --- Rows that count ---


def is_one_of(row: Row, wanted: Row) -> bool:
    """True where every column named has one of its values."""
    for column, values in wanted.items():
        found = looked_up(row, column)
        expected = [said(each) for each in (values if isinstance(values, list) else [values])]
        if said(found) not in expected:
            return False
    return True


def said(value: Any) -> Any:
    return "" if value is None else as_text(value)
