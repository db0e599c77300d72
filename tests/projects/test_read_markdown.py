"""Markdown is rendered without moving a letter: what is shown and what is hidden are the text as it is stored."""

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.overlay import pieces
from projects.anchors import on_grapheme_boundary, paragraphs
from projects.reading.blocks import DEEPEST, blocks, lines
from projects.reading.markup import marked, reading
from workflow.as_shown import SPACE

PIECES = [
    *("**", "*", "_", "__", "~~", "`", "``", "# ", "### ", "> ", "- ", "+ ", "1. ", "12) ", "|"),
    *(
        "| a | b |\n|---|:-:|\n",
        "|-",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\t",
        "    ",
        "  ",
        " ",
        "```py\n",
        "~~~\n",
        "---\n",
    ),
    *("***\n", "[", "](", ")"),
    *("![", '](https://a.example "t")', "<https://a.example>", "\\", "\\*", "\\[", "&amp;", "<b onclick=x>", "$a_b$"),
    *("word", "snake_case", "-5 %", "👩🏽‍🚀", "e\u0301", "\u0301", "\ufe0f\u20e3", "ক্ষীর", "র‍্য", "السَّلام"),
    *("\u202e", "\u2067x\u2069"),
    *("می\u200cخواهم", "설날에는", "𠮷野家", "🇪🇬", "\u00a0", "\u2028", "\u0600"),
]
# No text that is stored holds a NUL, and no page can.
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
texts = st.lists(st.sampled_from(PIECES) | st.text(LETTERS, max_size=4), max_size=30).map("".join)


class Page(HTMLParser):
    """What a browser makes of the HTML: each line with its text nodes, and whether each of them is seen."""

    VOID = ("br", "hr")

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, dict]] = []
        self.tags: list[tuple[str, dict]] = []
        self.lines: list[tuple[int, list[tuple[str, bool]]]] = []
        self.stray = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append((tag, dict(attrs)))
        if "data-start" in dict(attrs):
            self.lines.append((int(dict(attrs)["data-start"] or ""), []))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if not any("data-start" in attrs for _tag, attrs in self.open):
            self.stray += data
            return
        self.lines[-1][1].append((data, not any("hidden" in attrs for _tag, attrs in self.open)))

    @property
    def shown(self) -> list[str]:
        return ["".join(words for words, is_shown in nodes if is_shown) for _start, nodes in self.lines]


def shown(text: str) -> list[str]:
    """What is seen of each line of a text, in order; lines of which nothing is seen are left out."""
    return [line for line in Page(reading(text)).shown if line]


@given(texts)
def test_segments_are_together_the_text(text):
    found = list(lines(blocks(text)))
    assert [line.number for line in found if line.number is not None] == list(range(len(paragraphs(text))))
    for line in found:
        at = line.start
        for segment in (segment for cell in line.cells for segment in cell):
            assert segment.start == at < segment.end
            assert on_grapheme_boundary(text, segment.start)
            at = segment.end
        assert at == line.end
    numbered = [line for line in found if line.number is not None]
    for line, (start, end) in zip(numbered, paragraphs(text), strict=True):
        assert (line.start, line.end) == (start, end)


@given(texts)
def test_the_page_holds_every_letter_once_and_in_order(text):
    page = Page(reading(text))
    assert page.stray == ""
    assert [start for start, _nodes in page.lines] == [start for start, _end in paragraphs(text)]
    for (start, nodes), (_start, end) in zip(page.lines, paragraphs(text), strict=True):
        assert "".join(words for words, _is_shown in nodes) == text[start:end]
    whole = "".join(words for _start, nodes in page.lines for words, _is_shown in nodes)
    assert SPACE.sub("", whole) == SPACE.sub("", text), "the hash of the words as shown is that of the plain view"


class MarkedPage(Page):
    """And of each character that is seen, by its place in the text, the spans whose mark it stands in."""

    def __init__(self, html: str) -> None:
        self.marked: dict[int, set[int]] = {}
        super().__init__(html)

    def handle_data(self, data):
        super().handle_data(data)
        start, nodes = self.lines[-1]
        place = start + sum(len(words) for words, _is_shown in nodes) - len(data)
        ids = {int(one) for tag, attrs in self.open if tag == "mark" for one in attrs["data-spans"].split()}
        if nodes[-1][1]:
            self.marked |= {place + at: ids for at in range(len(data))}


@given(texts, st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=4))
def test_marks_stand_on_what_is_seen_of_their_words_and_move_no_letter(text, drawn):
    spans = [(number, at, min(at + length, len(text))) for number, (at, length) in enumerate(drawn) if at < len(text)]
    page = MarkedPage(marked((piece.text, piece.spans) for piece in pieces(text, spans)))
    plain = Page(reading(text))
    assert ["".join(words for words, _ in nodes) for _, nodes in page.lines] == [
        "".join(words for words, _ in nodes) for _, nodes in plain.lines
    ]
    for place, ids in page.marked.items():
        assert ids == {number for number, start, end in spans if start <= place < end}
    seen = {place for line in lines(blocks(text)) if line.is_shown for cell in line.cells for segment in cell
            for place in range(segment.start, segment.end)}  # fmt: skip
    for number, start, end in spans:
        if seen & set(range(start, end)):
            assert any(number in ids for ids in page.marked.values()), "no mark is lost on signs"


@given(texts, st.data())
def test_any_selection_is_exactly_the_letters_between_its_ends(text, data):
    """From the first letter that is seen to the last: the signs between them are in, those around them are not."""
    places = [
        place
        for line in lines(blocks(text))
        for cell in line.cells
        for segment in cell
        if segment.is_shown
        for place in range(segment.start, segment.end)
    ]
    assert places == sorted(set(places))
    if not places:
        return
    first, last = sorted((data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))))
    quote = text[first : last + 1]
    seen = [text[place] for place in places if first <= place <= last]
    assert (quote[0], quote[-1]) == (seen[0], seen[-1])
    rest = iter(quote)
    assert all(letter in rest for letter in seen), "what is seen stands in the quote, in its order"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("# Koshari *now* ##", ["Koshari now"]),
        ("a **b *c* d** e", ["a b c d e"]),
        ("***a** b*", ["a b"]),
        ("**a*", ["*a"]),
        ("snake_case_word and _em_", ["snake_case_word and em"]),
        ("2 * 3 * 4", ["2 * 3 * 4"]),
        ("**مرحبا**، كيف", ["مرحبا، كيف"]),
        ("~~old~~ ~one~", ["old ~one~"]),
        ("`a*b*` and ``c`d`` and `open", ["a*b* and c`d and `open"]),
        ('[a *b*](https://x.example/(y) "t") [c] [d](e f)', ["a b [c] [d](e f)"]),
        ("![a bowl](x.png) <https://a.example>", ["a bowl https://a.example"]),
        (r"\*not\* 1\. \(x\) \[y\](z) \\", [r"*not* 1. \(x\) \[y\](z) \\"]),
        ("&amp; <b>bold</b>", ["&amp; <b>bold</b>"]),
        ("- a\n  - b\n\n    c\n- d", ["a", "b", "c", "d"]),
        ("3. a\n4. b", ["3. a", "4. b"]),
        ("> a\n> > b\n>\n> c", ["a", "b", "c"]),
        ("a\n---\n\n***", ["a"]),
        ("```py\nx = **1**\n\n  y\n```\nz", ["x = **1**", "  y", "z"]),
        ("~~~\nnever *closed*", ["never *closed*"]),
        ("In **1986. Great** year\n1986. was", ["In 1986. Great year", "1986. was"]),
        ("| a | b |\n|---|--:|\n| 1 \\| 2 | **3** |\n| 4", ["ab", "1 | 23", "4"]),
        ("a | b\n--|--|--\nc", ["a | b", "--|--|--", "c"]),
        ("**one\ntwo**", ["one", "two"]),
        ("- [ ] task", ["[ ] task"]),
        ("#hashtag", ["#hashtag"]),
        ("*\ufe0f\u20e3 and 1\ufe0f\u20e3", ["*\ufe0f\u20e3 and 1\ufe0f\u20e3"]),
    ],
)
def test_what_is_shown(text, seen):
    assert shown(text) == seen


def test_elements_say_what_stands_where():
    html = str(
        reading("## A\n- b\n1. c\n> d\n\n| e | f |\n|---|:-:|\n| g | h |\n\n`i` **j** *k* ~~l~~ [m](n)\n```\no\n```")
    )
    tags = [tag for tag, _attrs in Page(html).tags]
    for tag in (
        "h3",
        "ul",
        "ol",
        "li",
        "blockquote",
        "table",
        "thead",
        "th",
        "tbody",
        "td",
        "pre",
        "code",
        "strong",
        "em",
        "del",
    ):
        assert tag in tags, tag
    assert '<th scope="col" class="reading__center">' in html


def test_what_is_nested_too_deep_is_shown_as_it_stands():
    assert shown(">" * (DEEPEST + 3) + " a") == [">>> a"]
    assert len(shown("- " * 5000 + "a")) == 1


ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![a](https://tracker.example/p.png)",
    "[a](javascript:alert(1))",
    "<javascript:alert(1)>",
    "[a](https://x.example \"onmouseover='alert(1)'\")",
    "```html\n<b style=x>\n```",
    '"><b data-start="0">',
]


@given(st.lists(st.sampled_from([*ATTACKS, *PIECES])).map("".join))
def test_nothing_runs_is_fetched_or_leads_away(text):
    known = {
        *(
            "p",
            "h3",
            "h4",
            "h5",
            "h6",
            "ul",
            "ol",
            "li",
            "strong",
            "em",
            "del",
            "code",
            "pre",
            "blockquote",
            "hr",
            "br",
        ),
        *("table", "thead", "tbody", "tr", "th", "td", "span", "div"),
    }
    for tag, attributes in Page(str(reading(text))).tags:
        assert tag in known
        assert set(attributes) <= {"class", "data-start", "hidden", "role", "scope", "dir", "tabindex", "aria-label"}


@pytest.mark.parametrize(
    ("levels", "seen"),
    [
        ([1, 2, 3], [3, 4, 5]),
        ([3, 3, 1, 2], [3, 3, 3, 4]),
        ([1, 4, 2], [3, 4, 4]),
        ([1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 6, 6]),
    ],
)
def test_headings_stand_below_those_of_the_page_and_leave_out_no_level(levels, seen):
    html = str(reading("\n\n".join(f"{'#' * level} Title" for level in levels)))
    assert [int(level) for level in re.findall(r"<h(\d)", html)] == seen


PROSE = """## Title

A sentence with **strong words**, *others* and `code`, which goes on for a while as such do.

- one
- two

| a | b |
|---|---|
| 1 | 2 |

"""
MEAN = [
    *("*" * 20000, "[" * 20000, "![a](" * 4000, "*a_ " * 5000, "`a``" * 5000, "~~a " * 5000, "a\n" * 10000),
    *("|a" * 10000 + "\n" + "|-" * 10000, "> " * 10000, "- " * 10000, "\\" * 20000),
]


def test_long_texts_are_rendered_at_once():
    def seconds(text: str) -> float:
        begun = time.process_time()
        reading(text)
        return time.process_time() - begun

    def typical(length: int) -> float:
        # Each text anew: one that was rendered is kept.
        return min(seconds(f"{PROSE * (length // len(PROSE))}{number}") for number in range(3))

    whole = typical(20_000)
    assert whole < 0.15, "0.03 s on a machine of its own"
    assert whole < 4 * typical(10_000), "the cost grows with the length, not faster"
    for text in MEAN:
        assert seconds(text) < 2, text[:10]
