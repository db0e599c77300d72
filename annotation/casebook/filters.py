"""By what cases can be narrowed beside words: each kind says its filters, and files its cases under their values.

The category of an error is a column of its case, for it moves when categories are merged; everything else is a label.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotation.models import MAX_LABEL

if TYPE_CHECKING:
    from annotation.casebook.finding import Reader

CATEGORY, TYPE, QUESTION, TAG, OUTCOME = "category", "type", "question", "tag", "outcome"
#: In the order in which they stand on a page.
NAMES = (CATEGORY, TYPE, QUESTION, TAG, OUTCOME)


def label(name: str, value: object) -> str:
    return f"{name}:{value}"[:MAX_LABEL]


@dataclass(frozen=True)
class Filter:
    """name  one of NAMES.  title  for people.  options  value and words of each."""

    name: str
    title: Any  # lazy translation, as the words of options may be
    options: Sequence[tuple[str, Any]]


@dataclass(frozen=True)
class Offered:
    """A filter on a page, and the value that is chosen, or empty."""

    name: str
    title: Any  # lazy translation, as the words of options may be
    options: Sequence[tuple[str, Any]]
    chosen: str


def filters_of(reader: "Reader") -> list[Filter]:
    """Those of all kinds of the project; what two kinds call the same is one."""
    from annotation.casebook.kinds import case_kinds

    titles: dict[str, str] = {}
    options: dict[str, dict[str, str]] = {}
    for kind in case_kinds(reader.project):
        for each in kind.filters(reader):
            titles.setdefault(each.name, each.title)
            for value, words in each.options:
                options.setdefault(each.name, {}).setdefault(value, words)
    return [Filter(name, titles[name], list(options[name].items())) for name in NAMES if options.get(name)]


def offered(filters: Sequence[Filter], said: Mapping[str, Any]) -> list[Offered]:
    """With what was chosen of each; what is no value of it was not chosen."""
    return [Offered(each.name, each.title, each.options, chosen(each, said)) for each in filters]


def chosen(filter_: Filter, said: Mapping[str, Any]) -> str:
    value = str(said.get(filter_.name) or "")
    return value if any(value == known for known, _words in filter_.options) else ""
