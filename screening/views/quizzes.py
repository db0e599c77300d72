"""A lead sets up quizzes: what is asked, what is right, how it reads, and how people do."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest
from screening.access import fetch_question, fetch_quiz
from screening.forms import NewQuizForm, QuizFileForm, QuizForm, language_name
from screening.models import Quiz, QuizQuestion
from screening.quiz import editing, files
from screening.quiz.kinds import question_kind, question_kinds
from screening.quiz.kinds.spans import words_of_samples
from screening.quiz.showing import previewed
from screening.quiz.statistics import overview, question_results

PAGE = 50


@require_safe
@login_required
def quizzes(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    quizzes = Quiz.objects.filter(stage__project=project).select_related("stage")
    rows = [(row, language_name(row.quiz.language)) for row in overview(quizzes)]
    context = {"project": project, "rows": rows, "has_stages": project.stages.exists()}
    return render(request, "screening/quizzes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    form = NewQuizForm(request.POST if request.method == "POST" else None, project=project)
    if form.is_valid():
        quiz = editing.create(form.save(commit=False), request.user)
        messages.success(request, _("The quiz is there. Add its questions, then open it."))
        return redirect("quiz-edit", slug, quiz.pk)
    context = {"project": project, "form": form}
    return render(request, "screening/quiz_form.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def bring_in(request: SignedInRequest, slug: str) -> HttpResponse:
    """A quiz from a file: a new one, or what there is of its language and step as the file says."""
    project = fetch_project(request.user, slug, "project.edit")
    sent = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = QuizFileForm(*sent, project=project)
    if form.is_valid():
        stage = form.cleaned_data["stage"]
        stage.project = project
        try:
            quiz, notes = files.bring_in(stage, form.cleaned_data["file"], request.user)
        except Invalid as refused:
            for problem in refused.problems:
                form.add_error("file", str(problem))
        else:
            for note in notes:
                messages.warning(request, note)
            return redirect("quiz-edit", slug, quiz.pk)
    context = {"project": project, "form": form}
    return render(request, "screening/quiz_from_file.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
def as_file(request: SignedInRequest, slug: str, quiz_id: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    name = f'attachment; filename="{project.slug}-quiz-{quiz.pk}.yaml"'
    return HttpResponse(files.file_of(quiz), content_type="application/yaml", headers={"Content-Disposition": name})


@require_safe
@login_required
def edit(request: SignedInRequest, slug: str, quiz_id: int) -> HttpResponse:
    """The quiz with its questions, and all that can be done to it."""
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    context = {
        "project": project,
        "quiz": quiz,
        "language": language_name(quiz.language),
        "questions": quiz.questions.all(),
        "kinds": [(kind, QuizQuestion(kind=kind).get_kind_display()) for kind in question_kinds()],
    }
    return render(request, "screening/quiz.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: SignedInRequest, slug: str, quiz_id: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    form = QuizForm(request.POST if request.method == "POST" else None, instance=quiz)
    if form.is_valid():
        editing.change(form.save(commit=False), form.changed_data, request.user)
        messages.success(request, _("The changes are saved. Attempts that are under way are marked as they began."))
        return redirect("quiz-edit", slug, quiz.pk)
    context = {"project": project, "quiz": quiz, "form": form}
    return render(request, "screening/quiz_form.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def set_open(request: SignedInRequest, slug: str, quiz_id: int) -> HttpResponse:
    """From now on only those are handed work who passed; or, closed, everybody."""
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    if not editing.set_open(quiz, request.POST.get("open") == "1", request.user):
        messages.error(request, _("A quiz without questions cannot be opened. Add one first."))
    return redirect("quiz-edit", slug, quiz.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add_question(request: SignedInRequest, slug: str, quiz_id: int, kind: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    if kind not in question_kinds():
        raise Http404
    return question_page(request, quiz, QuizQuestion(quiz=quiz, kind=kind))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def change_question(request: SignedInRequest, slug: str, quiz_id: int, question: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    return question_page(request, quiz, fetch_question(quiz, question))


def question_page(request: SignedInRequest, quiz: Quiz, question: QuizQuestion) -> HttpResponse:
    project = quiz.stage.project
    question.quiz = quiz
    posted = request.POST if request.method == "POST" else None
    form = question_kind(question.kind).form(posted, instance=question, project=project)
    if form.is_valid():
        editing.save_question(form.save(commit=False), request.user)
        messages.success(request, _("The question is saved. It is asked from the next attempt on."))
        return redirect("quiz-edit", project.slug, quiz.pk)
    context = {"project": project, "quiz": quiz, "question": question, "form": form}
    return render(request, "screening/question_form.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def delete_question(request: SignedInRequest, slug: str, quiz_id: int, question: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    if editing.delete_question(fetch_question(quiz, question), request.user):
        messages.success(request, _("The question is gone. Attempts in which it was asked stay as they were."))
    else:
        messages.error(request, _("It is the only question of an open quiz. Close the quiz, or add another one first."))
    return redirect("quiz-edit", slug, quiz.pk)


@require_POST
@login_required
def move_question(request: SignedInRequest, slug: str, quiz_id: int, question: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    editing.move_question(fetch_question(quiz, question), -1 if request.POST.get("to") == "up" else 1)
    return redirect("quiz-edit", slug, quiz.pk)


@require_safe
@login_required
def preview(request: SignedInRequest, slug: str, quiz_id: int) -> HttpResponse:
    """The questions as people will see them, in the lead's order; nothing of it is stored."""
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    questions = quiz.questions.select_related(
        "question_type", "response__variety", "response__prompt__variety", "pair__first", "pair__second"
    )
    shown = previewed(questions)
    words = words_of_samples(project, {each.question.kind for each in shown})
    context = {"project": project, "quiz": quiz, "questions": shown, "words": words, "own_keys": {}}
    return render(request, "screening/preview.html", context)


@require_safe
@login_required
def results(request: SignedInRequest, slug: str, quiz_id: int) -> HttpResponse:
    """Every attempt with its score, and of every question the share that answered it rightly."""
    project = fetch_project(request.user, slug, "project.edit")
    quiz = fetch_quiz(project, quiz_id)
    attempts = quiz.attempts.select_related("rater").order_by("-begun_at", "-pk")
    context = {
        "project": project,
        "quiz": quiz,
        "row": overview([quiz])[0],
        "page": Paginator(attempts, PAGE).get_page(request.GET.get("page")),
        "question_results": question_results(quiz),
    }
    return render(request, "screening/results.html", context)
