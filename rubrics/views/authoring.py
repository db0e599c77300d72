"""Beginning a rubric, and the calls the authoring screen makes beside those of every task screen."""

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from projects.models import LanguageVariety
from projects.requests import SignedInRequest
from rubrics.access import fetch_author, fetch_authoring_stage, fetch_own_rubric
from rubrics.authoring import difficulty, linting, reviewing
from rubrics.authoring.checking import read_draft
from rubrics.lint import limits
from workflow import claims
from workflow.beginning import begin_own
from workflow.refusals import Refused
from workflow.views.calls import json_call, read_json, short_text, whole_number


class BeginForm(forms.Form):
    """`key` is chosen with the page: the same form sent twice begins one rubric."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    variety: forms.ModelChoiceField = forms.ModelChoiceField(
        LanguageVariety.objects.none(), label=gettext_lazy("Language"), widget=forms.RadioSelect, empty_label=None
    )

    def __init__(self, *args: Any, varieties: QuerySet[LanguageVariety], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        variety = self.fields["variety"]
        assert isinstance(variety, forms.ModelChoiceField)
        variety.queryset = varieties
        if len(varieties) == 1:
            variety.initial = varieties[0]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def begin(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Choose the language and begin a rubric of one's own, or take up a prompt that was imported without one."""
    author = fetch_author(request.user, slug)
    chosen = fetch_authoring_stage(author.project, stage)
    data = request.POST if request.method == "POST" else None
    form = BeginForm(data, initial={"key": uuid.uuid4()}, varieties=author.varieties())
    if form.is_valid():
        try:
            begun = begin_own(author.acting(), chosen, form.cleaned_data["variety"], form.cleaned_data["key"])
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("rubrics", slug)
        return redirect("task", begun.uuid)
    context = {"project": author.project, "stage": chosen, "form": form, "waiting": author.prompts_waiting(chosen)}
    status = 422 if request.method == "POST" else 200
    return render(request, "rubrics/authoring/begin.html", context, status=status)


@require_POST
@login_required
def take_up(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Claim the next imported prompt that has no rubric yet."""
    author = fetch_author(request.user, slug)
    chosen = fetch_authoring_stage(author.project, stage)
    try:
        taken = claims.claim_another(author.acting(), chosen)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("rubrics", slug)
    if taken is None:
        messages.info(request, _("No imported prompt is waiting for you just now."))
        return redirect("rubric-begin", slug, stage)
    return redirect("task", taken.uuid)


@json_call("POST")
def lint(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """What the lint finds in the draft as it stands on the screen; nothing is stored."""
    own = fetch_own_rubric(request.user, assignment)
    draft = read_draft(read_json(request).get("body"))
    return JsonResponse(
        {
            "findings": [linting.as_json(finding) for finding in linting.findings(own, draft)],
            "limits": str(limits(own.item.variety.tag)),
            "difficulty": difficulty.state(own, draft["prompt"]),
            "review": reviewing.state(own, draft),
        }
    )


@json_call("POST")
def difficulty_by_hand(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """The author tried the prompt on a model elsewhere and says how it did."""
    payload = read_json(request)
    own = fetch_own_rubric(request.user, assignment, to_write=True)
    prompt, model = short_text(payload, "prompt", 10_000), short_text(payload, "model", difficulty.MAX_MODEL)
    check = difficulty.tried_by_hand(own, prompt, model, short_text(payload, "outcome", 10))
    return JsonResponse({"difficulty": difficulty.as_json(check)})


@json_call("POST")
def difficulty_mark(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """The author says how the project's model did, having read its answer once."""
    payload = read_json(request)
    own = fetch_own_rubric(request.user, assignment, to_write=True)
    check = own.difficulty_checks.filter(pk=whole_number(payload, "check", 2**62)).first()
    if check is None:
        raise Http404
    difficulty.mark(check, short_text(payload, "outcome", 10))
    return JsonResponse({"difficulty": difficulty.as_json(check)})


@json_call("POST")
def ask_review(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """Ask another author to look at the draft as it was last saved."""
    own = fetch_own_rubric(request.user, assignment, to_write=True)
    return JsonResponse({"review": reviewing.as_json(reviewing.ask(own))})
