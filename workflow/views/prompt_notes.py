"""Content notes of prompts: a lead gives them to prompts that are there, or takes them away."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from projects.access import fetch_project
from projects.content_notes import change_notes, sets_of
from projects.models import ContentNote, Project, Prompt
from projects.problems import Invalid
from projects.requests import SignedInRequest

ON_A_PAGE = 50
#: In place of a note: prompts that carry none.
NONE = "-"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def of_prompts(request: SignedInRequest, slug: str) -> HttpResponse:
    """Prompts with their notes, to be chosen and noted anew; claims heed it from then on."""
    project = fetch_project(request.user, slug, "project.edit")
    asked = {name: request.GET.get(name, "").replace("\0", "").strip()[:200] for name in ("q", "note", "page")}
    if request.method == "POST":
        change(request, project)
        query = urlencode({name: value for name, value in asked.items() if value})
        return redirect(f"{request.path}?{query}" if query else request.path)
    notes = list(ContentNote.objects.filter(project=project))
    page = Paginator(matching(project, asked["q"], asked["note"]), ON_A_PAGE).get_page(asked["page"] or 1)
    labels = {note.slug: note.label for note in notes}
    slugs_of = {number: slugs.split() for slugs, number in sets_of(project).items()}
    lines = [(prompt, [labels.get(one, one) for one in slugs_of[prompt.note_set]]) for prompt in page]
    context: dict[str, Any] = {"project": project, "notes": notes, "page": page, "lines": lines, "asked": asked}
    return render(request, "workflow/prompt_notes.html", context)


def change(request: SignedInRequest, project: Project) -> None:
    numbers = (pk for pk in request.POST.getlist("prompt")[:ON_A_PAGE] if pk.isascii() and pk.isdigit())
    chosen = [int(pk) for pk in numbers if len(pk) < 19]  # so long no id is
    notes = request.POST.getlist("notes")
    if not chosen:
        messages.error(request, _("Choose the prompts first."))
        return
    is_taken = request.POST.get("act") == "take"
    said = {"take": notes} if is_taken else {"add": notes}
    try:
        count = change_notes(project, Prompt.objects.filter(pk__in=chosen), by=request.user, **said)
    except Invalid as invalid:
        messages.error(request, invalid.problems[0].message)
        return
    told = ngettext("%(n)d prompt carries other notes now.", "%(n)d prompts carry other notes now.", count)
    messages.success(request, told % {"n": count})


def matching(project: Project, words: str, note: str) -> QuerySet[Prompt]:
    rows = Prompt.objects.filter(project=project).select_related("variety").order_by("key", "pk")
    if words:
        rows = rows.filter(Q(key__icontains=words) | Q(text__icontains=words))
    if note:
        sets = sets_of(project)
        numbers = [number for slugs, number in sets.items() if note in slugs.split()] if note != NONE else [0]
        rows = rows.filter(note_set__in=numbers)
    return rows
