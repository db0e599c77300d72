"""A date keeps its order in a sentence that runs from right to left."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils import translation

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
WHEN = datetime(2026, 11, 23, 3, 51, tzinfo=UTC)


@pytest.mark.parametrize(("language", "said"), [("ar", "\u20662026-11-23 03:51\u2069"), ("bn", "2026-11-23 03:51")])
def test_it_stands_apart_where_the_language_needs_it(language, said):
    with translation.override(language):
        written = Template('{% load projects %}{{ when|date:"Y-m-d H:i"|isolated }}').render(Context({"when": WHEN}))
    assert written == said


def test_each_date_within_a_sentence_does():
    dates = re.compile(r'blocktranslate [^%]*\|date:"[^"]*"(\|isolated)?')
    found = [(path.name, match) for path in TEMPLATES.rglob("*.html") for match in dates.finditer(path.read_text())]
    assert len(found) >= 6
    assert not [name for name, match in found if not match[1]]
