"""Markdown that leads write for their people, as HTML: links work, headings are those of the text."""

from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

# HTML in the source is shown, not run; links open no script (markdown-it refuses javascript: itself).
MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")


def rendered(text: str) -> SafeString:
    return mark_safe(MARKDOWN.render(text))


def in_sections(text: str) -> list[SafeString]:
    """As `rendered`, cut before each heading: what stands before the first one, if anything, then each with what
    follows it."""
    references: dict[str, Any] = {}
    sections: list[list[Token]] = []
    for token in MARKDOWN.parse(text, references):
        if not sections or (token.type == "heading_open" and token.level == 0):
            sections.append([])
        sections[-1].append(token)
    return [mark_safe(MARKDOWN.renderer.render(section, MARKDOWN.options, references)) for section in sections]
