"""A lead writes the guidelines: drafts of one language, or of two side by side, and all of them published at once."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import orjson
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from projects import guidelines_drafts as drafts
from projects.access import fetch_project
from projects.differences import Part, differences, laid_side_by_side
from projects.guidelines import say_language
from projects.guidelines_drafts import MAIN, Saved, Sheet
from projects.languages.facts import facts
from projects.languages.names import suggestions
from projects.languages.tags import NotATag, read_tag
from projects.models import GuidelinesSetAside, Project, Segmentation
from projects.problems import Invalid, Problem
from projects.reading.instructions import in_sections
from projects.requests import SignedInRequest
from projects.stored_text import unbroken

SIDES = ("left", "right")
MAX_BYTES = 2 * 1024 * 1024
#: Characters around what differs; what lies between is left out.
AROUND = 120


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: SignedInRequest, slug: str) -> HttpResponse:
    """The drafts of one language, or of two side by side."""
    project = fetch_project(request.user, slug, "project.edit")
    if request.method == "POST":
        return acted(request, project)
    problems: list[Problem] = []
    left = sheet_named(project, request.GET.get("left", MAIN), problems) or drafts.sheet(project, "")
    beside = request.GET.get("add", "").strip() or request.GET.get("right")
    if beside is None:
        right = beside_main(project, left)
    else:
        right = sheet_named(project, beside, problems) if beside else None
    return page(request, project, [left, right], problems)


def sheet_named(project: Project, named: str, problems: list[Problem]) -> Sheet | None:
    try:
        return drafts.sheet(project, drafts.language_named(project, named[:200]))
    except NotATag as refused:
        problems.append(Problem("unknown", str(refused), "language"))
    except Invalid as refused:
        problems += refused.problems
    return None


def beside_main(project: Project, left: Sheet) -> Sheet | None:
    """What stands beside where nobody chose: a text that is being written, else one that there is."""
    begun = [sheet.language for sheet in drafts.changed_sheets(project)]
    others = [*begun, *sorted(project.guidelines_translations), ""]
    return next((drafts.sheet(project, each) for each in others if each != left.language), None)


def page(
    request: SignedInRequest,
    project: Project,
    sheets: list[Sheet | None],
    problems: list[Problem],
    status: int = 0,
    kept: dict[str, Any] | None = None,
) -> HttpResponse:
    """`kept` are fields that stand on the page though they were not stored, by the sheet's name."""
    shown = [sheet for index, sheet in enumerate(sheets) if sheet and sheet not in sheets[:index]]
    aside = GuidelinesSetAside.objects.filter(project=project, language__in=[sheet.language for sheet in shown])
    changed = drafts.changed_sheets(project)
    there = [project.guidelines_language, *project.guidelines_translations, *(each.language for each in changed)]
    context = {
        "project": project,
        "columns": [(sheet, (kept or {}).get(sheet.name)) for sheet in shown],
        "languages": list(dict.fromkeys(tag for tag in there if tag and tag != project.guidelines_language)),
        "changed": changed,
        "aside": aside.select_related("written_by"),
        "problems": problems,
        "varieties": project.varieties.select_related("variety"),
        "suggestions": suggestions(get_language() or "en"),
    }
    return render(request, "projects/guidelines_edit.html", context, status=status or (422 if problems else 200))


def acted(request: SignedInRequest, project: Project) -> HttpResponse:
    """What a button of the page asks for."""
    act = request.POST.get("do", "save")
    if act == "language":
        return main_language(request, project)
    if act.startswith(("take:", "drop:")):
        return decided_aside(request, project, act)
    if act.startswith("withdraw:"):
        language = act.partition(":")[2]
        if language not in project.guidelines_translations:
            raise Http404
        drafts.withdraw(project, language, request.user)
        messages.success(request, _("The translation is taken back."))
        return redirect("guidelines-edit", project.slug)
    return saved(request, project, act)


def saved(request: SignedInRequest, project: Project, act: str) -> HttpResponse:
    """Stores both fields; then shows what would be published, publishes it, or comes back."""
    problems: list[Problem] = []
    sheets: list[Sheet | None] = []
    kept: dict[str, Any] = {}
    conflicts = 0
    for side in SIDES:
        if f"language-{side}" not in request.POST:
            continue
        said = {name: unbroken(request.POST.get(f"{name}-{side}", "")) for name in ("text", "change")}
        named = request.POST[f"language-{side}"]
        sheet = sheet_named(project, named, problems)
        if sheet is None:
            if lost := unnamed(project, named):
                sheets.append(lost)
                kept[lost.name] = said
            continue
        # Whoever ticks this has seen what stands; before they do, they build on what they built on.
        replace = request.POST.get(f"replace-{side}", "")
        state = replace or request.POST.get(f"state-{side}", "")
        try:
            answer = drafts.save(project, sheet.language, **said, state=state, by=request.user, replace=bool(replace))
        except Invalid as refused:
            problems += [Problem(each.code, each.message, sheet.name) for each in refused.problems]
            answer = Saved(sheet)
            kept[sheet.name] = said
        if answer.is_conflict:
            conflicts += 1
            kept[sheet.name] = {**said, "conflict": True, "state": state}
        sheets.append(answer.sheet)
    if problems or conflicts:
        return page(request, project, sheets or [drafts.sheet(project, "")], problems, 422 if problems else 409, kept)
    if act == "publish":
        return published(request, project, sheets)
    if act == "review":
        return redirect("guidelines-review", project.slug)
    messages.success(request, _("The drafts are saved. Nobody but leads sees them."))
    return redirect(f"{reverse('guidelines-edit', args=[project.slug])}?{shown_sides(sheets)}")


def unnamed(project: Project, named: str) -> Sheet | None:
    """What was being written under a tag that became another text's meanwhile: it stays on the page, to be copied."""
    try:
        return drafts.sheet(project, read_tag(named))
    except NotATag:
        return None


def shown_sides(sheets: list[Sheet | None]) -> str:
    return urlencode({side: sheet.name for side, sheet in zip(SIDES, sheets, strict=False) if sheet})


def published(request: SignedInRequest, project: Project, sheets: list[Sheet | None]) -> HttpResponse:
    """Publishes every draft as whoever asks has seen it: those of the fields as just stored, others by their state."""
    seen = dict(value.partition("=")[::2] for value in request.POST.getlist("seen"))
    seen = {"" if name == MAIN else name: state for name, state in seen.items()}
    stored = {sheet.language: sheet for sheet in sheets if sheet}
    seen = {language: state for language, state in seen.items() if language not in stored}
    seen |= {language: sheet.state for language, sheet in stored.items() if sheet.is_changed}
    try:
        version = drafts.publish_drafts(project, seen, request.user, request.POST.getlist("still"))
    except Invalid as refused:
        if sheets:
            return page(request, project, sheets, refused.problems)
        return reviewed(request, project, refused.problems)
    messages.success(request, _("Version %(number)d is published.") % {"number": version.number})
    return redirect("guidelines", project.slug)


def main_language(request: SignedInRequest, project: Project) -> HttpResponse:
    problems: list[Problem] = []
    if sheet := sheet_named(project, request.POST.get("language", "") or "?", problems):
        if sheet.language in project.guidelines_translations or (sheet.draft and sheet.language):
            message = _("There is a translation in this language already. Take it back first.")
            problems.append(Problem("duplicate", message, "language"))
        elif sheet.language:
            say_language(project, sheet.language, request.user)
    if problems:
        return page(request, project, [drafts.sheet(project, "")], problems)
    return redirect("guidelines-edit", project.slug)


def decided_aside(request: SignedInRequest, project: Project, act: str) -> HttpResponse:
    act, _colon, pk = act.partition(":")
    aside = get_object_or_404(GuidelinesSetAside, project=project, pk=int(pk) if pk.isdecimal() and len(pk) < 18 else 0)
    if act == "take":
        drafts.take_up(aside, request.user)
    else:
        aside.delete()
    query = urlencode({"right" if aside.language else "left": aside.language or MAIN})
    return redirect(f"{reverse('guidelines-edit', args=[project.slug])}?{query}")


@require_safe
@login_required
def review(request: SignedInRequest, slug: str) -> HttpResponse:
    """Every draft as people will see it, and in what it differs from what is published."""
    return reviewed(request, fetch_project(request.user, slug, "project.edit"), [])


def reviewed(request: SignedInRequest, project: Project, problems: list[Problem]) -> HttpResponse:
    changed = drafts.changed_sheets(project)
    drafted = {sheet.language for sheet in changed}
    context = {
        "project": project,
        "changed": changed,
        "differences": [(sheet, list(told_differences(sheet, project))) for sheet in changed],
        "sections": [
            list(zip(changed, row, strict=True))
            for row in zip_longest(*(in_sections(sheet.text) for sheet in changed), fillvalue="")
        ],
        "lagging": [tag for tag in project.guidelines_translations if tag not in drafted] if "" in drafted else [],
        "problems": problems,
    }
    return render(request, "projects/guidelines_review.html", context, status=422 if problems else 200)


def told_differences(sheet: Sheet, project: Project) -> Iterator[Part]:
    """In pieces, what is the same cut down to what stands around a change."""
    tag = sheet.language or project.guidelines_language
    rule = Segmentation(facts(tag).segmentation if tag else Segmentation.SPACE).rule
    edits = differences(sheet.published, sheet.text, rule)
    for part in laid_side_by_side(sheet.published, sheet.text, edits):
        if len(part.same) > 3 * AROUND:
            yield Part(same=f"{part.same[:AROUND]} … {part.same[-AROUND:]}")
        else:
            yield part


def draft(request: HttpRequest, slug: str) -> JsonResponse:
    """Stores a draft as somebody types it: `language`, `text`, `change`, the `state` they build on, and `replace` where
    they have seen what stands. 412 with what stands where another's came between; theirs is set aside then."""
    if request.method != "PUT":
        return JsonResponse({"error": {"code": "method"}}, status=405, headers={"Allow": "PUT"})
    if not request.user.is_authenticated:
        message = _("You are signed out. Sign in again in another tab; what you wrote stays on this page.")
        return JsonResponse({"error": {"code": "signed_out", "message": message}}, status=401)
    try:
        project = fetch_project(request.user, slug, "project.edit")
    except Http404:
        return JsonResponse({"error": {"code": "not_found"}}, status=404)
    said = _json_of(request)
    if said is None:
        return JsonResponse({"error": {"code": "malformed"}}, status=400)
    try:
        language = drafts.language_named(project, str(said.get("language", ""))[:200])
        if problems := drafts.problems_of(said.get("text"), said.get("change")):
            raise Invalid(problems)
        text, change = (unbroken(said[name]) for name in ("text", "change"))
        answer = drafts.save(
            project,
            language,
            text,
            change,
            str(said.get("state", "")),
            request.user,
            replace=said.get("replace") is True,
        )
    except NotATag as refused:
        return _refused([Problem("unknown", str(refused), "language")])
    except Invalid as refused:
        return _refused(refused.problems)
    return JsonResponse(_told(answer), status=412 if answer.is_conflict else 200)


def _json_of(request: HttpRequest) -> dict[str, Any] | None:
    if len(request.body) > MAX_BYTES:
        return None
    try:
        said = orjson.loads(request.body)
    except orjson.JSONDecodeError:
        return None
    return said if isinstance(said, dict) else None


def _refused(problems: list[Problem]) -> JsonResponse:
    told = {"code": "invalid", "message": problems[0].message, "problems": [each.as_json() for each in problems]}
    return JsonResponse({"error": told}, status=422)


def _told(answer: Saved) -> dict[str, Any]:
    sheet = answer.sheet
    told: dict[str, Any] = {"state": sheet.state}
    if answer.is_conflict:
        by = sheet.draft.saved_by if sheet.draft else None
        told |= {"text": sheet.text, "change": sheet.change, "by": str(by) if by else ""}
    return told
