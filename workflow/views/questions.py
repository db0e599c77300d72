"""Questions about items: asked on the task screen, answered by experts and leads, read by everybody in the log."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import fetch_project, fetch_rater
from projects.models import Project, Rater
from projects.problems import Invalid
from projects.requests import SignedInRequest
from workflow import item_questions
from workflow.access import fetch_answerer, fetch_own
from workflow.models import ItemQuestion, QuestionState

PAGE = 30


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def of_item(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """What the rater has asked about this item, and room for another question: a fragment of the task screen."""
    own = fetch_own(request.user, assignment)
    context = {"assignment": own, "key": uuid.uuid4(), "text": "", "problem": "", "is_asked": False}
    if request.method == "POST":
        try:
            item_questions.ask(own, sent_key(request), request.POST.get("text", ""))
            context["is_asked"] = True
        except Invalid as invalid:
            text, key = request.POST.get("text", ""), request.POST.get("key", "")
            context |= {"text": text, "key": key, "problem": invalid.problems[0].message}
    context["questions"] = own.questions.prefetch_related("messages")
    # What is wrong with a question is said in the fragment; htmx would leave an answer of another status out.
    return render(request, "workflow/questions/of_item.html", context)


def sent_key(request: SignedInRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid.uuid4()


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def mine(request: SignedInRequest, slug: str) -> HttpResponse:
    """What the person asked and what became of it, and room for a question to the lead about no item."""
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    context = {"project": project, "key": uuid.uuid4(), "text": "", "problem": ""}
    if request.method == "POST":
        text = request.POST.get("text", "")
        try:
            asked = item_questions.ask(rater, sent_key(request), text)
            messages.success(request, _("Sent. The answer will stand here."))
            return redirect("my-question", slug, asked.pk)
        except Invalid as invalid:
            context |= {"text": text, "key": sent_key(request), "problem": invalid.problems[0].message}
    context["page"] = Paginator(item_questions.own_questions(rater), PAGE).get_page(request.GET.get("page"))
    return render(request, "workflow/questions/mine.html", context, status=422 if context["problem"] else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def my_question(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """One's own question with all that was written about it, and room to ask on."""
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    question = get_object_or_404(item_questions.own_questions(rater).prefetch_related("messages"), pk=pk)
    context = {"project": project, "question": question, "key": uuid.uuid4(), "text": "", "problem": ""}
    if request.method == "POST":
        text = request.POST.get("text", "")
        try:
            item_questions.write(question, sent_key(request), text, answered_by=None, rater=rater)
            messages.success(request, _("Sent. The answer will stand here."))
            return redirect("my-question", slug, pk)
        except Invalid as invalid:
            context |= {"text": text, "key": sent_key(request), "problem": invalid.problems[0].message}
    return render(request, "workflow/questions/my_question.html", context, status=422 if context["problem"] else 200)


@require_POST
@login_required
def read(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "work.claim")
    item_questions.put_away(fetch_rater(request.user, project))
    return redirect("work", slug)


@require_safe
@login_required
def log(request: SignedInRequest, slug: str) -> HttpResponse:
    """The answers that stand beside the guidelines, for everybody."""
    project = fetch_project(request.user, slug)
    page = Paginator(item_questions.published(project), PAGE).get_page(request.GET.get("page"))
    return render(request, "workflow/questions/log.html", {"project": project, "page": page})


@require_safe
@never_cache
@login_required
def questions(request: SignedInRequest, slug: str) -> HttpResponse:
    """What raters asked, the open questions first; an expert sees those of their own languages and of no names."""
    project, rater, is_lead = fetch_answerer(request.user, slug)
    to_answer = item_questions.to_answer(project, None if is_lead else rater)
    state = request.GET.get("state", "")
    if state in QuestionState.values:
        to_answer = to_answer.filter(state=state)
    page = Paginator(to_answer, PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "page": page, "is_lead": is_lead, "state": state, "states": QuestionState.choices}
    return render(request, "workflow/questions/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def answer(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """The first answer, which may be given better at any time; each word after it is a message of `reply`."""
    project, question, rater, is_lead = fetch_question(request, slug, pk)
    context = answering(project, question, is_lead)
    if request.method == "POST":
        text, is_published = request.POST.get("answer", ""), bool(request.POST.get("is_published"))
        try:
            item_questions.answer(question, text, is_published, request.user, rater)
            messages.success(request, _("Answered. Whoever asked is shown the answer under My work."))
            return redirect("questions", slug)
        except Invalid as invalid:
            context |= {"text": text, "is_published": is_published, "problem": invalid.problems[0].message}
    return render(request, "workflow/questions/answer.html", context, status=422 if context["problem"] else 200)


def fetch_question(request: SignedInRequest, slug: str, pk: int) -> tuple[Project, ItemQuestion, Rater | None, bool]:
    """A question that the person may answer, as `fetch_answerer`; Http404 otherwise."""
    project, rater, is_lead = fetch_answerer(request.user, slug)
    to_answer = item_questions.to_answer(project, None if is_lead else rater).prefetch_related("messages")
    return project, get_object_or_404(to_answer, pk=pk), rater, is_lead


def answering(project: Project, question: ItemQuestion, is_lead: bool) -> dict:
    context = {"project": project, "question": question, "text": question.answer, "problem": "", "is_lead": is_lead}
    context["is_published"] = question.is_published or not question.answer
    return context | {"key": uuid.uuid4(), "reply": "", "reply_problem": ""}


@require_POST
@login_required
def reply(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """An answer to what the rater asked on."""
    project, question, rater, is_lead = fetch_question(request, slug, pk)
    text = request.POST.get("text", "")
    try:
        item_questions.write(question, sent_key(request), text, answered_by=request.user, rater=rater)
    except Invalid as invalid:
        context = answering(project, question, is_lead)
        context |= {"reply": text, "key": sent_key(request), "reply_problem": invalid.problems[0].message}
        return render(request, "workflow/questions/answer.html", context, status=422)
    messages.success(request, _("Answered. Whoever asked is shown the answer under My work."))
    return redirect("questions", slug)


@require_POST
@login_required
def close(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    _project, question, _rater, _is_lead = fetch_question(request, slug, pk)
    item_questions.close(question)
    return redirect("questions", slug)
