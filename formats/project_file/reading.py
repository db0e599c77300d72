"""Reading YAML that people write: plain data alone, with the line on which each value stands.

What can go wrong unseen is refused: anchors and aliases (a file of a few lines can unfold into gigabytes), tags, keys
that stand twice, several documents, and nesting without end. A plain word is a text but for `true`, `false`, `null`,
`~` and numbers in decimal: the code of Norwegian, `no`, is no truth value, and `1_000` no number.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml
from django.utils.translation import gettext as _

from projects.problems import Invalid, Problem
from projects.stored_text import UNSTORABLE

MAX_BYTES = 5_000_000
MAX_DEPTH = 32
# Far more than a study has, and no more than are read in a second.
MAX_VALUES = 100_000
MAX_KEY = 120
# Of both kinds of numbers a writer of YAML quotes the texts that look like them (`writing.py`).
WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,20}(?:e[-+][0-9]{1,3})?")
WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "true": True, "false": False}

#: Line by place, such as `categories[3].slug`; lines count from 1. The place of the whole file is "".
Lines = dict[str, int]


def read_yaml(content: bytes) -> tuple[Any, Lines]:
    """The data of a YAML file and the line of each place in it. Raises Invalid, with the line, for what is refused."""
    if len(content) > MAX_BYTES:
        message = _("The file is larger than %(limit)d MB.") % {"limit": MAX_BYTES // 1_000_000}
        raise Invalid(Problem("file_too_large", message))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Invalid(Problem("not_utf8", _("The file is not UTF-8."), line=line)) from None
    try:
        return _Composer(text).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = {"reason": error.problem or error.context}
        message = _("This is not YAML as it should be: %(reason)s.") % reason
        raise Invalid(Problem("not_yaml", message, line=mark.line + 1 if mark else None)) from None
    except yaml.YAMLError as error:  # a character that no YAML may hold
        message = _("This is not YAML as it should be: %(reason)s.") % {"reason": getattr(error, "reason", error)}
        raise Invalid(Problem("not_yaml", message)) from None


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _refused(code: str, message: str, event: yaml.Event, place: str = "") -> Invalid:
    return Invalid(Problem(code, message, place[:MAX_KEY], _line(event)))


class _Composer:
    """Builds the data of one document from the events of its parser."""

    def __init__(self, text: str) -> None:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self.events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=loader))
        self.lines: Lines = {}
        self.count = 0

    def document(self) -> tuple[Any, Lines]:
        data = None
        seen = False
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if seen:
                    raise _refused("many_documents", _("The file holds several documents; one is expected."), event)
                if event.tags:
                    raise _refused("tag", _("Tags are not read."), event)
                seen = True
                data = self.value(next(self.events), "", 1)
        return data, self.lines

    def value(self, event: yaml.Event, place: str, depth: int) -> Any:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            message = _("Anchors (&) and aliases (*) are not read: write out what is meant, or put it in quotes.")
            raise _refused("alias", message, event, place)
        if getattr(event, "tag", None):
            raise _refused("tag", _("Tags (!) are not read: put what is meant as a text in quotes."), event, place)
        if depth > MAX_DEPTH:
            message = _("More than %(limit)d levels of nesting.") % {"limit": MAX_DEPTH}
            raise _refused("too_deep", message, event, place)
        self.count += 1
        if self.count > MAX_VALUES:
            raise _refused("too_many", _("The file has more than %(limit)d values.") % {"limit": MAX_VALUES}, event)
        self.lines.setdefault(place, _line(event))
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(place, depth)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(place, depth)
        assert isinstance(event, yaml.ScalarEvent)
        if UNSTORABLE.search(event.value):
            raise _refused("unstorable", _("This holds a character that cannot be stored."), event, place)
        return event.value if event.style else _of_plain(event.value)

    def mapping(self, place: str, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent) or event.tag or event.anchor:
                raise _refused("not_a_key", _("A key is a plain word."), event, place)
            key = event.value
            at = f"{place}.{key}" if place else key
            if UNSTORABLE.search(key):
                raise _refused("unstorable", _("This holds a character that cannot be stored."), event, place)
            if key in found:
                raise _refused("duplicate_key", _("The key stands twice."), event, at)
            self.lines[at] = _line(event)
            found[key] = self.value(next(self.events), at, depth + 1)
        return found

    def sequence(self, place: str, depth: int) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            found.append(self.value(event, f"{place}[{len(found)}]", depth + 1))
        return found


def _of_plain(word: str) -> Any:
    """What a word without quotes stands for."""
    if word in WORDS:
        return WORDS[word]
    if WHOLE.fullmatch(word):
        return int(word)
    return float(word) if FRACTION.fullmatch(word) else word
