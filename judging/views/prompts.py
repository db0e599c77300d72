"""Prompts that judges are asked by: the list, reading one, writing the next, trying it on an item, comparing two."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judging.kinds import judge_kind
from judging.prompts import published
from judging.prompts.comparing import compare
from judging.prompts.forms import PART, PreviewForm, PromptForm, in_order, part_label, parts_in
from judging.prompts.own import (
    Version,
    add_prompt,
    faults_of,
    find_version,
    versions,
    with_names,
)
from judging.prompts.previews import Preview, askable, judge_for, preview, unsaved
from judging.prompts.shipped import FIRST, LANGUAGES
from projects.access import fetch_project
from projects.models import Project, Response
from projects.problems import Invalid
from projects.requests import SignedInRequest


def fetch_version(project: Project, kind: str, name: str) -> Version:
    version = find_version(project, kind, name)
    if version is None:
        raise Http404
    return version


@require_safe
@login_required
def prompts(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    kinds = [(kind, judge_kind(kind).name, listed) for kind, listed in versions(project).items()]
    return render(request, "judging/prompts.html", {"project": project, "kinds": kinds})


@require_safe
@login_required
def prompt(request: SignedInRequest, slug: str, kind: str, version: str) -> HttpResponse:
    """Its parts, who uses it, and the ways on from it: trying it, comparing it, writing another from it."""
    project = fetch_project(request.user, slug, "judges.run")
    shown = fetch_version(project, kind, version)
    listed = versions(project)[kind]
    context = about(project, kind) | {
        "version": next((other for other in listed if other.name == shown.name), shown),
        "parts": [(part, part_label(part), shown.parts[part]) for part in in_order(shown.parts)],
        "others": [other for other in listed if other.name != shown.name],
        "preview_form": PreviewForm(project, kind),
        "was_saved": "saved" in request.GET,  # the browser drops its draft
    }
    return render(request, "judging/prompt.html", context)


def about(project: Project, kind: str) -> dict[str, Any]:
    asked = judge_kind(kind)
    may_be_published = kind in published.OF_KIND
    named = {"project": project, "kind": kind, "kind_name": asked.name, "may_be_published": may_be_published}
    return named | {"examples_rule": asked.examples_rule}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add(request: SignedInRequest, slug: str, kind: str) -> HttpResponse:
    """Write the next prompt of a kind, begun from any other."""
    project = fetch_project(request.user, slug, "judges.run")
    begun_from = fetch_version(project, kind, request.GET.get("from") or request.POST.get("from") or FIRST)
    is_published = (
        published.is_published(begun_from.parts) or "published" in request.GET or PART + published.FORM in request.POST
    )
    initial = {PART + part: text for part, text in begun_from.parts.items()}
    initial["language"] = begun_from.language if begun_from.language in LANGUAGES else LANGUAGES[0]
    form = PromptForm(kind, request.POST or None, initial=initial, is_published=is_published)
    problems: list[tuple[str, Any]] = []
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        chosen = {"language": values["language"], "note": values["note"], "based_on": begun_from, "by": request.user}
        try:
            prompt = add_prompt(project, kind, parts_in(request.POST), **chosen)
        except Invalid as invalid:
            problems = [(part_label(problem.field), problem) for problem in invalid.problems]
        else:
            messages.success(request, _("The prompt is saved as own-%(number)d.") % {"number": prompt.number})
            return redirect(reverse("judge-prompt", args=[slug, kind, f"own-{prompt.number}"]) + "?saved")
    context = about(project, kind) | {
        "form": form,
        "is_published": is_published,
        "begun_from": begun_from,
        "problems": problems,
        "preview_form": PreviewForm(project, kind),
    }
    refused = bool(problems or form.errors)
    return render(request, "judging/prompt_add.html", context, status=422 if refused else 200)


@require_POST
@login_required
def check(request: SignedInRequest, slug: str, kind: str) -> HttpResponse:
    """A fragment: what is wrong with the texts as they stand in the form. Nothing is kept."""
    project = fetch_project(request.user, slug, "judges.run")
    fetch_version(project, kind, FIRST)
    context = {"problems": problems_in(kind, parts_in(request.POST))}
    return render(request, "judging/prompt_problems.html", context)


def problems_in(kind: str, parts: dict[str, str]) -> list[tuple[str, Any]]:
    """(the part's label, problem) of everything wrong with these texts."""
    problems = faults_of(kind, with_names(kind, parts))
    return [(part_label(problem.part), problem) for problem in problems]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def try_on(request: SignedInRequest, slug: str, kind: str) -> HttpResponse:
    """What a judge would be sent about a chosen response: of a kept prompt, or of one that is being written.

    Nothing is sent and nothing is kept; a prompt that is being written is posted because it is long.
    """
    project = fetch_project(request.user, slug, "judges.run")
    data = request.POST if request.method == "POST" else request.GET
    context = about(project, kind) if find_version(project, kind, FIRST) else {}
    if not context:
        raise Http404
    problems: list[tuple[str, Any]] = []
    if request.method == "POST":
        parts = with_names(kind, parts_in(data))
        problems = problems_in(kind, parts)
        language = data.get("language", "")
        version = unsaved(project, kind, language if language in LANGUAGES else LANGUAGES[0], parts)
    else:
        version = fetch_version(project, kind, data.get("version", FIRST))
    form = PreviewForm(project, kind, {"asked_as": "way-0", **data.dict()})
    context |= {"form": form, "version": version, "problems": problems}
    if form.is_valid() and not problems:
        context |= tried(project, version, form)
    page = "judging/prompt_preview_shown.html" if request.htmx else "judging/prompt_preview.html"
    answer = render(request, page, context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def tried(project: Project, version: Version, form: PreviewForm) -> dict[str, Any]:
    """The preview of the chosen response, else of the first that can be asked about, and which else those are."""
    judge = judge_for(project, version, form.judge, form.way)
    responses: QuerySet[Response] = project.responses.select_related("prompt", "variety", "target_model__laboratory")
    possible = askable(judge, responses)
    key = form.cleaned_data["item"].strip()
    response = responses.filter(key=key).first() if key else next(iter(possible or responses.order_by("pk")[:1]), None)
    if response is None:
        reason = _("There is no response with the id “%(key)s” in this project.") if key else _("No responses yet.")
        return {"preview": Preview(None, reason=reason % {"key": key}), "askable": possible}
    return {"preview": preview(judge, response, form.cleaned_data["number"] or 1), "askable": possible}


@require_safe
@login_required
def compared(request: SignedInRequest, slug: str, kind: str) -> HttpResponse:
    """Two prompts of a kind, part by part."""
    project = fetch_project(request.user, slug, "judges.run")
    if find_version(project, kind, FIRST) is None:
        raise Http404
    before = fetch_version(project, kind, request.GET.get("before") or FIRST)
    after = fetch_version(project, kind, request.GET.get("after") or FIRST)
    parts = in_order({*before.parts, *after.parts})
    pairs = [(part, before.parts.get(part, ""), after.parts.get(part, "")) for part in parts]
    context = about(project, kind) | {
        "before": before,
        "after": after,
        "listed": versions(project)[kind],
        "changed": [(part, part_label(part), compare(a, b)) for part, a, b in pairs if a != b],
        "same": [part_label(part) for part, a, b in pairs if a == b],
    }
    return render(request, "judging/prompts_compared.html", context)
