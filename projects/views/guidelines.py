"""The guidelines of a project: read in the language of whoever reads, as they are or as an earlier version had them."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from projects.access import fetch_project, fetch_rater
from projects.guidelines import put_away
from projects.guidelines_drafts import MAIN
from projects.guidelines_in_languages import choice_of, reading_for, reading_in, reading_of, remember
from projects.models import Project
from projects.requests import SignedInRequest

#: A choice of language that takes the choice back.
AUTOMATIC = "automatic"


@require_safe
@login_required
def guidelines(request: SignedInRequest, slug: str) -> HttpResponse:
    """The guidelines as they are, or as an earlier version had them, with what changed when."""
    project = fetch_project(request.user, slug)
    versions = list(project.guidelines_versions.defer("text"))
    named = request.GET.get("language", "")
    asked = "" if named == MAIN else named
    there, shown = languages_of(project), None
    reading = reading_in(project, asked) if named else reading_for(project, request.user)
    if wanted := request.GET.get("version"):
        shown = next((version for version in versions if str(version.number) == wanted), None)
        if shown is None:
            raise Http404
        reading, there = reading_of(shown, asked if named or reading is None else reading.language)
    if reading is None:
        raise Http404
    context = {
        "project": project,
        "versions": versions,
        "shown": shown,
        "reading": reading,
        "languages": there if len(there) > 1 else [],
        "choice": choice_of(project, request.user),
    }
    return render(request, "projects/guidelines.html", context)


def languages_of(project: Project) -> list[str]:
    """The tags of every language that the guidelines are in, the main one first, "" where nobody has said it."""
    return [project.guidelines_language, *sorted(project.guidelines_translations)]


@require_POST
@login_required
def choose_language(request: SignedInRequest, slug: str) -> HttpResponse:
    """Remember in which language the person reads the guidelines of this project."""
    project = fetch_project(request.user, slug)
    named = request.POST.get("language", "")
    language = "" if named in (MAIN, project.guidelines_language) else named
    if named == AUTOMATIC:
        remember(project, request.user, None)
    elif named and reading_in(project, language) is not None:
        remember(project, request.user, language)
    else:
        raise Http404
    return redirect("guidelines", slug)


@require_POST
@login_required
def guidelines_read(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Put the notice of a change away; it does not come again."""
    project = fetch_project(request.user, slug)
    put_away(fetch_rater(request.user, project), number)
    return HttpResponse() if request.htmx else redirect("guidelines", slug)
