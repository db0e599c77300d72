"""Taking a project whole, and making one of an archive."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from jobs.archiving import PERMISSION, begin_archiving, begin_restoring, restored_by
from jobs.importing import limit_in_megabytes
from jobs.listing import Jobs
from jobs.models import JobState
from jobs.views.pages import live
from projects.access import fetch_project
from projects.creation import may_create_projects
from projects.models import Project
from projects.requests import SignedInRequest


class ArchiveForm(forms.Form):
    file = forms.FileField(label=_("Archive"), help_text=_("The zip file, as it was taken from a project."))
    slug = forms.SlugField(
        label=_("Short name"),
        required=False,
        max_length=Project._meta.get_field("slug").max_length,
        help_text=_("Stands in addresses and commands. Left empty, it is the one that the project had."),
    )

    def clean_file(self) -> UploadedFile:
        file = self.cleaned_data["file"]
        if file.size > settings.IMPORT_MAX_BYTES:
            message = _("The file is larger than %(limit)d MB. Ask an administrator to import it by command.")
            raise forms.ValidationError(message % {"limit": limit_in_megabytes()})
        return file


@require_POST
@login_required
def take(request: SignedInRequest, slug: str) -> HttpResponse:
    """Begin the archive, or go to the one that is being written."""
    project = fetch_project(request.user, slug, PERMISSION)
    return redirect("job", slug, begin_archiving(project, request.user).uuid)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def bring_in(request: SignedInRequest) -> HttpResponse:
    """A project from an archive: the page says how far those are that the person brought in lately."""
    if not may_create_projects(request.user):
        raise PermissionDenied
    form = ArchiveForm(request.POST, request.FILES) if request.method == "POST" else ArchiveForm()
    if form.is_valid():
        file = form.cleaned_data["file"]
        begin_restoring(file.chunks(), file.name, form.cleaned_data["slug"], request.user)
        return redirect("archive-bring-in")
    rows = restored_by(request.user)
    made: list[Any] = [row.result["project"] if row.state == JobState.DONE and row.result else "" for row in rows]
    entries = Jobs().entries(rows)
    context = {
        "form": form,
        "coming": list(zip(entries, made, strict=True)),
        "is_live": any(entry.is_moving for entry in entries),
    }
    response = live(request, "jobs/bring_in.html", "jobs/bring_in_live.html", context)
    response.status_code = 422 if form.is_bound else 200
    return response
