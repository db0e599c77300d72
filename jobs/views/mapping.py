"""Saying what becomes of a file that another tool wrote: its first rows, what is proposed, and what comes of it."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.importing.registry import importers, said_beside
from formats.mapping.preview import Preview, preview
from formats.mapping.saved import for_kind, save_mapping, take_away_mapping
from formats.mapping.specification import checked, parsed, written
from formats.readers.choosing import FORMATS, Reading, format_of
from formats.reading import Source
from jobs.files import Reader, content_of
from jobs.importing import begin_import, outcome_of
from jobs.models import StoredFile
from projects.access import fetch_project
from projects.models import ImportMapping, Project
from projects.problems import Invalid, Problem
from projects.requests import SignedInRequest

#: Fields are asked for under these names, each with the name of our field behind it.
PREFIX = "field-"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def map_columns(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """The file waits a day; checking it, saving the mapping and looking again leave it where it is."""
    project = fetch_project(request.user, slug, "data.import")
    file = get_object_or_404(StoredFile, project=project, uuid=uuid, job=None)
    kind = request.POST.get("kind") or request.GET.get("kind") or "items"
    if kind not in importers():
        raise Http404
    context: dict[str, Any] = {
        "project": project,
        "file": file,
        "kind": kind,
        "kind_name": importers()[kind].name,
        "saved": project.import_mappings.filter(kind=kind),
    }
    problems: list[Problem] = []
    mapping, rest = None, request.POST.get("rest", "")
    try:
        mapping, rest = stated_mapping(request, project, kind)
        act = request.POST.get("act", "")
        if mapping and act == "save":
            kept = save_mapping(project, mapping, request.POST.get("name", ""), request.user)
            messages.success(request, _("The mapping “%(name)s” is saved.") % {"name": kept.name})
        elif mapping and act in ("import", "check"):
            return imported(request, project, file, mapping, context | {"act": act})
    except Invalid as refused:
        problems = refused.problems
    seen = preview(Source(Reader(file), file.name, file.size), kind, written_as(request, file), Reading(), mapping)
    seen.problems = problems + seen.problems
    context |= {"preview": seen, "rest": rest, "fields": asked_fields(kind, seen, mapping, request)}
    return render(request, "projects/import_mapping.html", context, status=422 if problems else 200)


def written_as(request: SignedInRequest, file: StoredFile) -> str:
    """The format that was chosen, else that of the file's name."""
    said = request.GET.get("format", "")
    return said if said in FORMATS else format_of(file.name)


def stated_mapping(request: SignedInRequest, project: Project, kind: str) -> tuple[dict[str, Any] | None, str]:
    """What the form says, or the saved mapping that is asked for; and the part of it that the form has as text.
    Raises Invalid."""
    named = request.GET.get("mapping")
    if request.method != "POST" and named:
        kept = get_object_or_404(ImportMapping, project=project, name=named, kind=kind)
        shown_apart = ("kind", "name", "format", *(["fields"] if isinstance(kept.stated["fields"], dict) else []))
        other = {name: part for name, part in kept.stated.items() if name not in shown_apart}
        return kept.stated, written(other).partition("\n")[2]
    if request.method != "POST":
        return None, ""
    rest = request.POST.get("rest", "")
    fields = {
        name.removeprefix(PREFIX): value
        for name, value in request.POST.items()
        if name.startswith(PREFIX) and isinstance(value, str) and value != ""
    }
    # A text that says what the fields are goes before the single fields.
    stated = {"kind": kind, "fields": fields or {"": ""}}
    if rest.strip():
        said = parsed(rest)
        if not isinstance(said, dict):
            raise Invalid(Problem("not_object", _("A mapping is an object: kind, fields, and what else it says.")))
        stated |= said
    if stated["fields"] == {"": ""}:
        raise Invalid(Problem("missing", _("Say for one field at least what fills it.")))
    return for_kind(checked(stated), kind), rest


def imported(
    request: SignedInRequest, project: Project, file: StoredFile, mapping: dict[str, Any], context: dict[str, Any]
) -> HttpResponse:
    is_check = context["act"] == "check"
    job = begin_import(
        project,
        content_of(file),
        file.name,
        mapping["kind"],
        written_as(request, file),
        dry_run=is_check,
        by=request.user,
        mapping=mapping,
        beside=said_beside(mapping["kind"], request.GET),
    )
    outcome = outcome_of(job)
    if outcome is not None and outcome.is_stored:
        StoredFile.objects.filter(pk=file.pk).delete()
    if outcome is None or not is_check:
        response = redirect("job", project.slug, job.uuid)
        response.status_code = 303
        return response
    seen = preview(
        Source(Reader(file), file.name, file.size), context["kind"], written_as(request, file), Reading(), mapping
    )
    fields = asked_fields(context["kind"], seen, mapping, request)
    context |= {"preview": seen, "outcome": outcome, "rest": request.POST.get("rest", ""), "fields": fields}
    return render(request, "projects/import_mapping.html", context, status=200 if outcome.is_clean else 422)


def asked_fields(
    kind: str, seen: Preview, mapping: dict[str, Any] | None, request: SignedInRequest
) -> list[dict[str, Any]]:
    """Our fields of that kind in their order, those that must be filled first, each with what fills it."""
    declared = importers()[kind].format
    types = [declared.types[declared.default]] if declared.default else list(declared.types.values())
    stated = (mapping or {}).get("fields")
    filled = stated if isinstance(stated, dict) else seen.fields if mapping is None else {}
    fields: dict[str, dict[str, Any]] = {}
    for type_ in types:
        for name, each in type_.fields.items():
            value = request.POST.get(PREFIX + name, filled.get(name, ""))
            required = each.is_required and len(types) == 1
            fields.setdefault(
                name,
                {"name": name, "help": each.description, "value": value, "is_required": required},
            )
    return sorted(fields.values(), key=lambda field: (not field["is_required"], not field["value"]))


@require_safe
@login_required
def mapping_file(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """A saved mapping as the YAML that another project saves."""
    project = fetch_project(request.user, slug, "data.import")
    kept = get_object_or_404(ImportMapping, project=project, pk=pk)
    response = HttpResponse(written(kept.stated), content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="mapping-{kept.pk}.yaml"'
    return response


@require_POST
@login_required
def delete_mapping(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "data.import")
    kept = get_object_or_404(ImportMapping, project=project, pk=pk)
    take_away_mapping(kept, request.user)
    messages.success(request, _("The mapping “%(name)s” is deleted.") % {"name": kept.name})
    return redirect("import", slug)
