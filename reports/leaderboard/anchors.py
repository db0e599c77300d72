"""The page and the programming interface of anchor answers: what they are, what each judge says of them, and what a
lead makes of a judge that has drifted."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from benchmark.anchor_passes import AnchorFigures, accept_drift, anchor_figures, limit_of
from benchmark.anchors import add_anchors
from benchmark.judged import uses_to_judge
from benchmark.models import Answer, ConfigurationKind, RuleScore
from formats.limits import MAX_GOLD_ANSWER
from formats.reading import Source
from projects.access import fetch_project
from projects.among import Among
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.models import Project, RaterKind
from projects.problems import Invalid, Problem

PER_PAGE = 25
MOST_BY_API = 1000


class AnchorsForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("JSON lines: question (its key), text, and expected points from 0 to 10 where known."),
    )

    def clean_file(self) -> UploadedFile:
        file = self.cleaned_data["file"]
        if file.size > settings.IMPORT_MAX_BYTES:
            message = _("The file is larger than %(limit)d MB. Ask an administrator to import it by command.")
            raise forms.ValidationError(message % {"limit": settings.IMPORT_MAX_BYTES // 1_000_000})
        return file


@dataclass(frozen=True)
class JudgeLine:
    """What the anchors show of a judge, with its name."""

    rater: int
    name: str
    figures: AnchorFigures


@dataclass(frozen=True)
class AnchorLine:
    """An anchor by one use of a rule: what was expected, and by judge its first and its newest score."""

    question: str
    rule: str
    text: str
    expected: float | None
    scores: Sequence[tuple[str, float, float]]


def judge_lines(project: Project) -> list[JudgeLine]:
    names = dict(project.raters.filter(kind=RaterKind.JUDGE).values_list("pk", "name"))
    found = anchor_figures(project).items()
    return sorted((JudgeLine(rater, names[rater], one) for rater, one in found), key=lambda line: line.name)


def anchors_of(project: Project) -> QuerySet[Answer]:
    rows = Answer.objects.filter(configuration__project=project, configuration__kind=ConfigurationKind.ANCHOR)
    return rows.select_related("response").order_by("prompt", "configuration")


def anchor_lines(answers: Sequence[Answer], names: dict[int, str]) -> list[AnchorLine]:
    """Four statements, however many anchors."""
    uses = uses_to_judge(None, {answer.prompt_id for answer in answers})
    given: dict[tuple[int, str], dict[int, list[float]]] = {}
    scores = RuleScore.objects.filter(answer__in=Among(answer.pk for answer in answers), value__isnull=False)
    columns = ("answer_id", "target_sha256", "rater_id", "value")
    for answer, target, rater, value in scores.order_by("round", "pk").values_list(*columns):
        given.setdefault((answer, target), {}).setdefault(rater, []).append(value)
    lines = []
    for row in answers:
        said = row.response.metadata.get("anchor", {}) if row.response else {}
        for use in uses.get(row.prompt_id, ()):
            of_use = given.get((row.pk, use.target_sha256), {})
            by_judge = sorted((names[rater], one[0], one[-1]) for rater, one in of_use.items() if rater in names)
            lines.append(AnchorLine(use.question.key, use.rule, row.content, said.get("expected"), by_judge))
    return lines


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def anchors(request: SignedInRequest, slug: str) -> HttpResponse:
    """What anchors there are and what they show; a file of them adds more."""
    project = fetch_project(request.user, slug, "project.edit")
    form = AnchorsForm(request.POST or None, request.FILES or None)
    problems: Sequence[Problem] = ()
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            counts = add_anchors(project, Source(file, file.name, file.size), request.user)
        except Invalid as refused:
            problems = refused.problems
        else:
            said = ngettext("%(n)d anchor answer was added.", "%(n)d anchor answers were added.", counts["added"])
            messages.success(request, said % {"n": counts["added"]})
            return redirect("board-anchors", slug)
    judges = judge_lines(project)
    page: Page = Paginator(anchors_of(project), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "form": form,
        "problems": problems,
        "judges": judges,
        "limit": limit_of(project),
        "page": page,
        "lines": anchor_lines(list(page), {line.rater: line.name for line in judges}),
    }
    refused_status = 422 if problems or form.errors else 200
    return render(request, "reports/leaderboard/anchors.html", context, status=refused_status)


@require_POST
@login_required
def accept(request: SignedInRequest, slug: str, rater: int) -> HttpResponse:
    """Take a judge that has drifted as it is now, with the reason."""
    project = fetch_project(request.user, slug, "project.edit")
    try:
        accept_drift(project, rater, request.POST.get("reason", ""), request.user)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
    else:
        messages.success(request, _("The judge is taken as it is now. The reason stands in the audit log."))
    return redirect("board-anchors", slug)


# --- For programs ----------------------------------------------------------------------------------------------------


class NewAnchor(serializers.Serializer):
    question = serializers.CharField()
    text = serializers.CharField(max_length=MAX_GOLD_ANSWER, trim_whitespace=False)
    expected = serializers.FloatField(required=False, allow_null=True)


class Anchors(ProjectView):
    """Anchor answers with what each judge says of them, a page at a time, and how far each judge has moved. POST adds
    some: all of them or, with every problem by its place in the list, none."""

    permission = "project.edit"

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: SignedInRequest, slug: str) -> Response:
        judges = judge_lines(self.project)
        page = Paginator(anchors_of(self.project), PER_PAGE).get_page(request.query_params.get("page"))
        lines = anchor_lines(list(page), {line.rater: line.name for line in judges})
        return Response(
            {
                "limit": limit_of(self.project),
                "judges": [judge_json(line) for line in judges],
                "count": page.paginator.count,
                "page": page.number,
                "pages": page.paginator.num_pages,
                "anchors": [anchor_json(line) for line in lines],
            }
        )

    @extend_schema(request=NewAnchor(many=True), responses={201: OpenApiTypes.OBJECT})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        coming: serializers.ListSerializer = serializers.ListSerializer(
            child=NewAnchor(), data=request.data, max_length=MOST_BY_API
        )
        coming.is_valid(raise_exception=True)
        lines = "\n".join(json.dumps(dict(line), ensure_ascii=False) for line in coming.validated_data)
        try:
            counts = add_anchors(self.project, Source(io.BytesIO(lines.encode()), "anchors.jsonl"), request.user)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(counts, status=status.HTTP_201_CREATED)


class AcceptedReason(serializers.Serializer):
    reason = serializers.CharField(allow_blank=True, help_text="Why the judge is taken as it is now.")


class AcceptDrift(ProjectView):
    """Take a judge that has drifted as its newest pass over the anchors shows it; answers with the judge as the list
    has it. Nothing changes where it has not drifted or no reason is given."""

    permission = "project.edit"

    @extend_schema(request=AcceptedReason, responses={200: OpenApiTypes.OBJECT})
    def post(self, request: SignedInRequest, slug: str, rater: int) -> Response:
        judge = get_object_or_404(self.project.raters.filter(kind=RaterKind.JUDGE), pk=rater)
        coming = AcceptedReason(data=request.data)
        coming.is_valid(raise_exception=True)
        try:
            accept_drift(self.project, judge.pk, coming.validated_data["reason"], request.user)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(judge_json(JudgeLine(judge.pk, judge.name, anchor_figures(self.project)[judge.pk])))


def judge_json(line: JudgeLine) -> dict[str, Any]:
    figures = line.figures
    moved = figures.drift
    return {
        "id": line.rater,
        "judge": line.name,
        "passes": figures.passes,
        "state": moved.state if moved else None,
        "shift": moved.shift.as_json() if moved else None,
        "moved": moved.moved.as_json() if moved else None,
        "error": figures.error.as_json(),
        "ranks_pause": figures.was_off,
    }


def anchor_json(line: AnchorLine) -> dict[str, Any]:
    scores = [{"judge": judge, "first": first, "newest": newest} for judge, first, newest in line.scores]
    shown = {"question": line.question, "rule": line.rule, "text": line.text, "expected": line.expected}
    return shown | {"scores": scores}
