"""A person's own quiz: what it is about, the questions, what came of it; and the page of who is paused."""

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from projects.access import fetch_project, fetch_rater
from projects.problems import Invalid, Problem
from projects.requests import SignedInRequest
from screening.access import fetch_own_attempt, fetch_quiz_to_take
from screening.models import Attempt, AttemptQuestion, CheckSettings, Pause
from screening.quiz import taking
from screening.quiz.kinds import question_kind
from screening.quiz.kinds.spans import SCREEN, words_of_samples
from screening.quiz.showing import Shown, reviewed, shown
from workflow import own_keys, own_reading
from workflow.access import fetch_stage
from workflow.refusals import Refused
from workflow.views.calls import error, json_call, read_version


@require_safe
@never_cache
@login_required
def introduction(request: SignedInRequest, slug: str, quiz_id: int) -> HttpResponse:
    """What the quiz is about, how far the person is with it, and what helps after a failed attempt."""
    rater, quiz = fetch_quiz_to_take(request.user, slug, quiz_id)
    attempts = taking.attempts_of(rater, quiz)
    graded = [attempt for attempt in attempts if attempt.submitted_at is not None]
    context = {
        "project": quiz.stage.project,
        "quiz": quiz,
        "count": quiz.questions.count(),
        "attempts": graded,
        "open_attempt": next((attempt for attempt in attempts if attempt.submitted_at is None), None),
        "passed": next((attempt for attempt in graded if attempt.is_passed), None),
        "left": max(0, quiz.attempts_allowed - len(attempts)),
    }
    return render(request, "screening/quiz/introduction.html", context)


@require_POST
@login_required
def begin(request: SignedInRequest, slug: str, quiz_id: int) -> HttpResponse:
    rater, quiz = fetch_quiz_to_take(request.user, slug, quiz_id)
    try:
        attempt = taking.begin(rater, quiz)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("quiz", slug, quiz.pk)
    return redirect("attempt", attempt.uuid)


@require_safe
@never_cache
@login_required
def show(request: SignedInRequest, attempt: uuid.UUID) -> HttpResponse:
    """The questions while the attempt is open, and what came of it afterwards."""
    own = fetch_own_attempt(request.user, attempt)
    if own.submitted_at is None:
        return questions_page(request, own, shown(taking.questions_of(own)), str(uuid.uuid4()))
    return result_page(request, own)


def questions_page(
    request: SignedInRequest, own: Attempt, questions: list[Shown], submission: str, missing: list[int] | None = None
) -> HttpResponse:
    context = {
        "project": own.quiz.stage.project,
        "quiz": own.quiz,
        "attempt": own,
        "questions": questions,
        "submission": submission,
        "missing": missing or [],
        "words": words_of_samples(own.quiz.stage.project, {each.question.kind for each in questions}),
        "own_reading": own_reading.told(request.user.pk),
        "own_keys": own_keys.told(request.user.pk, SCREEN),
    }
    return render(request, "screening/quiz/questions.html", context, status=422 if missing else 200)


def result_page(request: SignedInRequest, own: Attempt) -> HttpResponse:
    attempts = taking.attempts_of(own.rater, own.quiz)
    context = {
        "project": own.quiz.stage.project,
        "quiz": own.quiz,
        "attempt": own,
        "questions": reviewed(taking.questions_of(own)),
        "left": max(0, own.quiz.attempts_allowed - len(attempts)),
        "is_last": own == attempts[-1],
        # What is right is told once there is nothing left to pass: the next attempt asks the same.
        "shows_right": own.is_passed or len(attempts) >= own.quiz.attempts_allowed,
    }
    return render(request, "screening/quiz/result.html", context)


@json_call("POST")
def save(request: SignedInRequest, attempt: uuid.UUID, position: int) -> HttpResponse:
    """Keep one answer as it stands; 412 with the stored one where another tab saved it since."""
    own = fetch_own_attempt(request.user, attempt)
    question = next((candidate for candidate in taking.questions_of(own) if candidate.position == position), None)
    if question is None:
        return error(404, "not_found", _("There is no such item, or it is not yours."))
    answer = read_answer(question, request.POST)
    try:
        return JsonResponse({"saves": taking.save_answer(question, answer, read_version(request))})
    except taking.Overtaken as overtaken:
        message = _("This answer was changed in another tab or device meanwhile. Reload the page to see it.")
        return error(412, "conflict", message, saves=overtaken.stored.saves)


@require_POST
@login_required
def submit(request: SignedInRequest, attempt: uuid.UUID) -> HttpResponse:
    """Hand the attempt in. What is missing is named, and all that was answered is kept."""
    own = fetch_own_attempt(request.user, attempt)
    questions = taking.questions_of(own)
    try:
        answers = {question.position: read_answer(question, request.POST) for question in questions}
        submission = read_submission(request.POST)
        if own.submitted_at is None and (missing := taking.unanswered(questions, answers)):
            taking.keep(own, questions, answers)
            return questions_page(request, own, shown(questions), str(submission), missing)
        taking.submit(own, submission, answers)
    except Invalid as refused:
        messages.error(request, str(refused.problems[0].message))
    except Refused as refused:
        messages.info(request, refused.message)
    return redirect("attempt", own.uuid)


def read_answer(question: AttemptQuestion, posted: QueryDict) -> Any:
    return question_kind(question.kind).read(question, posted, f"q{question.position}")


def read_submission(posted: QueryDict) -> uuid.UUID:
    try:
        return uuid.UUID(posted.get("submission", ""))
    except ValueError:
        raise Invalid(Problem("not_a_uuid", _("Each submission needs a UUID of its own."), "submission")) from None


@require_safe
@never_cache
@login_required
def paused(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Why a person is handed nothing just now, what helps, and what they can still do."""
    project = fetch_project(request.user, slug, "work.claim")
    rater, chosen = fetch_rater(request.user, project), fetch_stage(project, stage)
    context = {
        "project": project,
        "stage": chosen,
        "pause": Pause.objects.filter(stage=chosen, rater=rater, lifted_at=None).first(),
        "settings": CheckSettings.objects.filter(stage=chosen).first(),
    }
    return render(request, "screening/paused.html", context)
