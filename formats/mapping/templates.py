"""What fills a field: a text with the names of columns in braces, such as "{recipe}|{condition}", or one column alone.

{name}           the column; its value keeps its type where nothing stands around it
{a.b.0}          a part of a column that holds an object or a list
{a?b}            the first of these that has a value
{name|slug}      a short name of it; also lower, upper, trim, times 10, plus 1
{{ and }}        braces
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from formats.fitting import as_number, as_text
from formats.reading import number_too_large
from projects.problems import Invalid, Problem

PART = re.compile(r"\{\{|\}\}|\{([^{}]+)\}|[{}]")
MAX_TEMPLATE = 2_000
#: Larger numbers no file and no field holds exactly.
MAX_COMPUTED = 2**63


@dataclass(frozen=True, slots=True)
class Placeholder:
    names: tuple[str, ...]
    filters: tuple[Callable[[Any], Any], ...]

    def value(self, row: Mapping[str, Any]) -> Any:
        values = [looked_up(row, name) for name in self.names]
        found = next((value for value in values if value not in (None, "")), "" if "" in values else None)
        for each in self.filters:
            if found is not None:
                found = each(found)
        return found


@dataclass(frozen=True, slots=True)
class Template:
    """Texts and placeholders by turns. Without a value for any of its placeholders it has none itself."""

    parts: tuple[str | Placeholder, ...]

    @property
    def names(self) -> set[str]:
        """The columns that it looks at: of each placeholder, the first part of its names."""
        return {name for part in self.parts if isinstance(part, Placeholder) for name in part.names}

    def value(self, row: Mapping[str, Any]) -> Any:
        if len(self.parts) == 1 and isinstance(self.parts[0], Placeholder):
            return self.parts[0].value(row)
        values = [part if isinstance(part, str) else part.value(row) for part in self.parts]
        holes = [value for part, value in zip(self.parts, values, strict=True) if isinstance(part, Placeholder)]
        if holes and all(value is None for value in holes):
            return None
        return "".join("" if value is None else str(as_text(value)) for value in values)


def looked_up(row: Mapping[str, Any], name: str) -> Any:
    """The value of a column, or of what stands at a path into one; None where there is none."""
    if name in row:
        return row[name]
    head, dot, rest = name.partition(".")
    while dot:
        if head in row:
            return _within(row[head], rest)
        more, dot, rest = rest.partition(".")
        head = f"{head}.{more}"
    return None


def _within(value: Any, path: str) -> Any:
    if isinstance(value, list):
        place, _dot, rest = path.partition(".")
        if not place.isdecimal() or int(place) >= len(value):
            return None
        return _within(value[int(place)], rest) if rest else value[int(place)]
    return looked_up(value, path) if isinstance(value, dict) else None


def template(text: str) -> Template:
    """Raises Invalid where a brace does not close, or a filter is not known."""
    if len(text) > MAX_TEMPLATE:
        raise Invalid(
            Problem("too_long", _("The template is longer than %(limit)d characters.") % {"limit": MAX_TEMPLATE})
        )
    parts: list[str | Placeholder] = []
    place = 0
    for found in PART.finditer(text):
        parts.append(text[place : found.start()])
        if found[1] is not None:
            parts.append(placeholder(found[1]))
        elif found[0] in ("{{", "}}"):
            parts.append(found[0][0])
        else:
            message = _("A brace stands alone in “%(text)s”. Write {{ or }} for a brace itself.")
            raise Invalid(Problem("not_template", message % {"text": text[:80]}))
        place = found.end()
    parts.append(text[place:])
    return Template(tuple(part for part in parts if part != "") or ("",))


def placeholder(text: str) -> Placeholder:
    names, *filters = text.split("|")
    return Placeholder(tuple(name.strip() for name in names.split("?")), tuple(filter_of(each) for each in filters))


def filter_of(said: str) -> Callable[[Any], Any]:
    word, _space, number = said.strip().partition(" ")
    texts: dict[str, Callable[[str], str]] = {
        "slug": short_name,
        "lower": str.lower,
        "upper": str.upper,
        "trim": str.strip,
    }
    if word in texts and not number:
        return lambda value: texts[word](str(as_text(value)))
    if word in ("times", "plus") and isinstance(as_number(number), (int, float)):
        by = as_number(number)
        return lambda value: _computed(word, as_number(value), by)
    message = _("“%(filter)s” is not known. Known are slug, lower, upper, trim, times 10, plus 1.")
    raise Invalid(Problem("unknown_filter", message % {"filter": said.strip()[:40]}))


def short_name(value: str) -> str:
    return slugify(value.replace(".", "-"))


def _computed(word: str, value: Any, by: float) -> Any:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return value
    computed = value * by if word == "times" else value + by
    if not abs(computed) < MAX_COMPUTED:
        raise Invalid(number_too_large())
    return computed
