"""A response's markdown is shown as it was meant; nothing in it runs, is fetched, or disturbs the page."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.pairs.rendering import rendered

KNOWN = {
    *("p", "br", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "s", "code", "pre", "blockquote"),
    *("table", "thead", "tbody", "tr", "th", "td", "a", "span"),
}


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![a](https://tracker.example/p.png)",
    "![a](data:image/png;base64,AAAA)",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    "[a](/accounts/logout/)",
    "[a](//evil.example)",
    "<javascript:alert(1)>",
    "[a](https://x.example \"onmouseover='alert(1)'\")",
    "| a |\n|:-:|\n| b |",
    "[a]: https://x.example\n\n[a]",
    "```html\n<b style=x>\n```",
]


def check(html: str) -> None:
    for tag, attributes in Tags(html).found:
        assert tag in KNOWN
        assert set(attributes) <= {"href", "rel", "target", "title", "class", "start"}
        if tag == "a":
            assert re.match(r"(https?://|mailto:)", attributes["href"], re.IGNORECASE)
            assert (attributes["rel"], attributes["target"]) == ("noopener noreferrer nofollow", "_blank")


@pytest.mark.parametrize("source", ATTACKS)
def test_nothing_runs_and_nothing_is_fetched(source):
    check(str(rendered(source)))


@given(
    st.lists(
        st.sampled_from([*ATTACKS, "# ", "> ", "- ", "1. ", "\n", "**", "`", "مرحبا ", "\u202e"]) | st.text(max_size=8)
    )
)
def test_nor_in_any_mixture(parts):
    check(str(rendered("".join(parts))))


def test_what_was_meant_is_shown():
    html = str(rendered("**Koshari**\nis\n\n1. rice\n2. lentils\n\n| a | b |\n|--|--|\n| 1 | 2 |"))
    assert "<strong>Koshari</strong><br />\nis" in html
    assert "<ol>\n<li>rice</li>" in html
    assert "<td>2</td>" in html


def test_an_image_is_named_instead_of_fetched():
    html = str(rendered("![a <b>bowl</b>](https://tracker.example/p.png)"))
    assert "tracker" not in html
    assert "Image, not shown: a &lt;b&gt;bowl&lt;/b&gt;" in html


@pytest.mark.parametrize(
    ("levels", "shown"),
    [
        ([1, 2, 3], [3, 4, 5]),
        ([3, 3, 1, 2], [3, 3, 3, 4]),
        ([1, 4, 2], [3, 4, 4]),
        ([1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 6, 6]),
    ],
)
def test_headings_stand_below_those_of_the_page_and_leave_out_no_level(levels, shown):
    html = str(rendered("\n\n".join(f"{'#' * level} Title" for level in levels)))
    assert [int(level) for level in re.findall(r"<h(\d)>", html)] == shown
    assert [int(level) for level in re.findall(r"</h(\d)>", html)] == shown
