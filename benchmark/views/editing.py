"""A lead words a question of a draft otherwise, the old wording beside the new, or drops it."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from benchmark.access import fetch_question, fetch_set
from benchmark.editing import drop, fingerprint, repair
from benchmark.models import Question, QuestionSet
from benchmark.wording import WordingForm
from projects.problems import Invalid
from projects.requests import SignedInRequest


class QuestionForm(WordingForm):
    instruction = forms.CharField(
        label=gettext_lazy("Instruction"), widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"})
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def show_fingerprint(self, asked: Question) -> None:
        """Of what stands now: whoever has been told of another's change, and sends again, means it."""
        self.initial["seen"] = fingerprint(asked)
        if self.is_bound:
            self.data = {**self.data.dict(), "seen": self.initial["seen"]}  # type: ignore[attr-defined]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_question(request: SignedInRequest, slug: str, question_set: str, version: int, question: int) -> HttpResponse:
    """The question as it stands beside a form for its new wording."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    asked = fetch_question(row, question)
    if row.is_frozen:
        return frozen(request, row, asked)
    form = QuestionForm(request.POST or None, initial=QuestionForm.initial_of(asked))
    if form.is_valid():
        try:
            repair(asked, **form.cleaned_data, actor=request.user)
        except Invalid as refused:
            form.add_problems(refused)
        else:
            messages.success(request, _("The question is worded anew."))
            return redirect("benchmark-question", slug, row.slug, row.version, asked.pk)
    form.show_fingerprint(asked)
    context = {"project": row.project, "question_set": row, "question": asked, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "benchmark/edit_question.html", context, status=status)


@require_POST
@login_required
def drop_question(request: SignedInRequest, slug: str, question_set: str, version: int, question: int) -> HttpResponse:
    """Take a question out of its draft. The page's button asks first."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    asked = fetch_question(row, question)
    try:
        drop(asked, request.user)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("benchmark-question", slug, row.slug, row.version, asked.pk)
    messages.success(request, _("The question was dropped."))
    return redirect("question-set", slug, row.slug, row.version)


def frozen(request: SignedInRequest, row: QuestionSet, asked: Question) -> HttpResponse:
    messages.error(request, _("The question set is frozen: what should be otherwise becomes a new version."))
    return redirect("benchmark-question", row.project.slug, row.slug, row.version, asked.pk)
