"""Fetching is the permission check: a quiz is there for who manages or has to pass it, an attempt for who takes it."""

import uuid

from django.http import Http404
from django.shortcuts import get_object_or_404

from projects.access import PERMISSIONS, fetch_project, fetch_rater
from projects.models import Project, Rater, User
from screening.eligibility import meant_for
from screening.models import Attempt, Interview, Quiz, QuizQuestion
from workflow.task_types import task_type


def fetch_quiz(project: Project, pk: int) -> Quiz:
    """A quiz of a project that was itself fetched with rights."""
    quiz = get_object_or_404(Quiz.objects.select_related("stage"), pk=pk, stage__project=project)
    quiz.stage.project = project
    return quiz


def fetch_question(quiz: Quiz, pk: int) -> QuizQuestion:
    return get_object_or_404(quiz.questions.select_related("pair", "response", "question_type"), pk=pk)


def fetch_quiz_to_take(user: User, slug: str, pk: int) -> tuple[Rater, Quiz]:
    """The person as a rater, and a quiz that they have to pass or have tried; Http404 for all others."""
    project = fetch_project(user, slug, "work.claim")
    rater, quiz = fetch_rater(user, project), fetch_quiz(project, pk)
    if not project.viewer_roles & PERMISSIONS[task_type(quiz.stage.kind).permission]:
        raise Http404
    open_quizzes = list(Quiz.objects.filter(stage=quiz.stage, is_open=True))
    if quiz not in meant_for(rater, open_quizzes) and not quiz.attempts.filter(rater=rater).exists():
        raise Http404
    return rater, quiz


def fetch_own_attempt(user: User, key: uuid.UUID) -> Attempt:
    """A person's own attempt, while they may work in the project; Http404 otherwise."""
    attempts = Attempt.objects.select_related("quiz__stage__project", "rater")
    attempt = get_object_or_404(attempts, uuid=key, rater__user=user)
    project = attempt.quiz.stage.project
    attempt.quiz.stage.project = fetch_project(user, project.slug, "work.claim")
    return attempt


def fetch_interview(project: Project, pk: int) -> Interview:
    """An interview of a project that was itself fetched with rights."""
    interview = get_object_or_404(Interview.objects.select_related("stage"), pk=pk, stage__project=project)
    interview.stage.project = project
    return interview
