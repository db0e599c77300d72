"""What is parted by a semicolon is parted by the reader's own."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from projects.problems import Invalid, Problem
from tests.people import signed_in


@pytest.mark.parametrize(("language", "sign"), [("en", "; "), ("ar", "؛ ")])
def test_several_problems_in_a_row(language, sign):
    with translation.override(language):
        invalid = Invalid([Problem("empty", "A", "name"), Problem("empty", "B"), Problem("empty", "C")])
        assert str(invalid) == f"name: A{sign}B{sign}C"
        assert str(Invalid(Problem("empty", "A"))) == "A"


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "sign"), [("en", "</code>; "), ("ar", "</code>؛ ")])
def test_where_a_program_gets_the_gold(project, nour, language, sign):
    page = signed_in(nour).get(reverse("gold", args=[project.slug]), HTTP_ACCEPT_LANGUAGE=language).content.decode()
    assert page.count(sign) == 1


def test_no_template_parts_two_phrases_by_a_latin_semicolon():
    between = re.compile(r"%\}\s*(?:</\w+>)?; *\{[%{]")
    places = [
        f"{path.name}: {line.strip()[:80]}"
        for path in Path(settings.BASE_DIR, "templates").rglob("*.html")
        for line in path.read_text().splitlines()
        if between.search(line) and 'dir="ltr">{% for name, value' not in line
    ]
    assert not places
