"""A browser that translates pages leaves alone what people or models wrote in the language of a study."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "templates"
IN_ITS_OWN_LANGUAGE = re.compile(r'<[^<]*? lang="\{\{ (?!LANGUAGE_CODE|code|each\.code)[^<]*')


def test_every_text_in_a_language_of_its_own_is_marked_so():
    found = [
        (str(path.relative_to(TEMPLATES)), tag)
        for path in sorted(TEMPLATES.rglob("*.html"))
        for tag in IN_ITS_OWN_LANGUAGE.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 40
    assert [(path, tag[:80]) for path, tag in found if 'translate="no"' not in tag] == []
