"""The markdown of a response as HTML that runs nothing and fetches nothing.

A response is text of a stranger: HTML in it is shown as it was written, an image is named instead of fetched, and
a link leads to the web alone, in a tab of its own.
"""

from collections.abc import Sequence

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

# Above it stand the page's heading and that of the response.
HIGHEST_HEADING = 3
LOWEST_HEADING = 6
SCHEMES = ("http://", "https://", "mailto:")


def rendered(text: str) -> SafeString:
    """The text as HTML. Lines stay lines; headings begin below those of the page and leave out no level."""
    return mark_safe(MARKDOWN.render(text))


def _leads_to_the_web(url: str) -> bool:
    return url.lower().startswith(SCHEMES)


def _image(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    alternative = self.renderInlineAsText(tokens[index].children, options, env)
    words = f"{_('Image, not shown')}: {alternative}" if alternative else _("Image, not shown")
    return f'<span class="tag">{escape(words)}</span>'


def _tame(state: StateCore) -> None:
    """Links open beside the page and pass nothing on; no style attribute; headings in an order without gaps."""
    above: list[int] = []
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            if token.type == "heading_open":
                level = int(token.tag[1:])
                above = [each for each in above if each < level] + [level]
            token.tag = f"h{min(HIGHEST_HEADING + len(above) - 1, LOWEST_HEADING)}"
        token.attrs.pop("style", None)  # the alignment of a table's cell
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs |= {"rel": "noopener noreferrer nofollow", "target": "_blank"}


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True})
    parser.enable(["table", "strikethrough"])
    parser.validateLink = _leads_to_the_web  # type: ignore[method-assign]
    parser.core.ruler.push("tame", _tame)
    parser.add_render_rule("image", _image)
    return parser


MARKDOWN = _parser()
