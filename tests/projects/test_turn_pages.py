"""A long list is turned page by page, and reached at both ends at once."""

import re

import pytest
from django.core.paginator import Paginator
from django.template.loader import render_to_string
from django.test import RequestFactory


def links(number: int, pages: int) -> dict[str, str]:
    page = Paginator(range(pages), 1).get_page(number)
    request = RequestFactory().get("/", {"page": number, "state": "open"})
    shown = render_to_string("pagination.html", {"page": page}, request=request)
    return dict(re.findall(r'id="(\w+)-page".*?href="\?([^"]+)"', shown))


@pytest.mark.parametrize(
    ("number", "pages", "expected"),
    [
        (1, 1, {}),
        (1, 2, {"next": 2}),
        (2, 2, {"previous": 1}),
        (1, 9, {"next": 2, "last": 9}),
        (5, 9, {"first": 1, "previous": 4, "next": 6, "last": 9}),
        (9, 9, {"first": 1, "previous": 8}),
    ],
)
def test_neighbours_and_ends_are_one_press_away_and_filters_stay(number, pages, expected):
    asked = {name: f"page={at}&amp;state=open" for name, at in expected.items()}
    assert links(number, pages) == asked
