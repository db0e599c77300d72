"""Parts of pages that depend on the project and on who looks at it."""

from collections.abc import Iterable

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from projects import directions, script_texts
from projects.access import PERMISSIONS, roles_in
from projects.enumeration import enumerated
from projects.languages import names
from projects.languages.facts import facts
from projects.models import LanguageVariety, Project, User
from projects.navigation import Menu, menu
from projects.reading import markup
from projects.reading.instructions import rendered

register = template.Library()


@register.simple_tag(takes_context=True)
def project_menu(context: dict, project: Project) -> Menu:
    request = context["request"]
    roles = project.viewer_roles or roles_in(request.user, project)
    return menu(project.slug, roles, request.path, project.areas)


@register.simple_tag
def script(name: str) -> SafeString:
    """{% script "spans" %}: a script of the interface, behind its texts in the reader's language."""
    tag = format_html('<script src="{}" defer></script>', static(f"{name}.js"))
    texts = script_texts.address(get_language() or "en", name)
    return format_html('<script src="{}" defer></script>\n  {}', texts, tag) if texts else tag


@register.simple_tag
def script_when_asked(name: str) -> SafeString:
    """{% script_when_asked "find" %}: where a page fetches a script, its texts and styles once somebody asks for it."""
    return format_html(
        '<template id="{0}-parts" data-script="{1}" data-texts="{2}" data-styles="{3}"></template>',
        name,
        static(f"{name}.js"),
        script_texts.address(get_language() or "en", name),
        static(f"{name}.css"),
    )


@register.filter
def as_typed(value: float) -> str:
    """As it is typed into the form: 7.2 and not 7.200, with a point in every language."""
    return f"{value:.10g}"


@register.filter
def reading(text: str) -> SafeString:
    """A text that is judged, its markdown rendered so that every place in it stays its place in the text."""
    return markup.reading(text)


@register.filter
def marked_reading(pieces: Iterable) -> SafeString:
    """The text that these pieces are (annotation/overlay.py), its markdown rendered and what spans cover marked."""
    return markup.marked((piece.text, piece.spans) for piece in pieces)


@register.filter
def called_in(variety: LanguageVariety, project: Project) -> str:
    """What the project calls a language variety in its tables."""
    return project.calls(variety)


@register.filter
def language_name(tag: str) -> str:
    """What a language variety's tag is called in the reader's language."""
    return names.name(tag, get_language() or "en")


@register.filter
def own_language_name(tag: str) -> str:
    """What a language calls itself, else what the reader's language calls it."""
    return names.native_name(tag) or names.name(tag, get_language() or "en")


@register.filter
def written_from(tag: str) -> str:
    """ "rtl" or "ltr" of a language tag; "auto" where there is none."""
    return facts(tag).direction if tag else "auto"


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML; raw HTML in it is escaped."""
    return rendered(text or "")


@register.filter
def isolated(words: str) -> str:
    """{{ when|date:"Y-m-d"|isolated }}: a date or a number for a sentence that may run from right to left."""
    return directions.isolated(words)


register.filter("enumerated", enumerated)


@register.simple_tag
def can(user: User, project: Project, permission: str) -> bool:
    return bool((project.viewer_roles or roles_in(user, project)) & PERMISSIONS[permission])
