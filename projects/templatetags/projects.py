"""Parts of pages that depend on the project and on who looks at it."""

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from projects.access import PERMISSIONS, roles_in
from projects.models import Project, User
from projects.navigation import entries

register = template.Library()
# HTML in the source is shown, not run; links open no script (markdown-it refuses javascript: itself).
MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")


@register.inclusion_tag("projects/menu.html", takes_context=True)
def project_menu(context: dict, project: Project) -> dict:
    request = context["request"]
    roles = project.viewer_roles or roles_in(request.user, project)
    items = [
        {"label": entry.label, "url": reverse(entry.url_name, args=[project.slug])}
        for entry in entries()
        if roles & PERMISSIONS[entry.permission]
    ]
    here = max((item["url"] for item in items if request.path.startswith(item["url"])), key=len, default=None)
    return {"project": project, "items": items, "here": here}


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML; raw HTML in it is escaped."""
    return mark_safe(MARKDOWN.render(text or ""))


@register.simple_tag
def can(user: User, project: Project, permission: str) -> bool:
    return bool((project.viewer_roles or roles_in(user, project)) & PERMISSIONS[permission])
