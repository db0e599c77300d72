"""The difficulty check on a model that can be asked from here: a prompt goes out once, its answer to its author alone.

What the model answers lives in the request that asked for it and in nothing that outlasts it: no row, no cache entry,
no message of the broker and no log line holds it. The check itself (rubrics/authoring/difficulty.py) keeps model and
time, and later the author's verdict.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from judging.models import DifficultyModel
from projects.audit import record
from projects.models import Project, User
from projects.problems import Invalid, Problem
from providers.client import loop
from providers.client.keys import KeyMissing
from providers.client.replies import Reply
from providers.client.requests import PlainRequest
from providers.endpoints import endpoint
from providers.limiter.circuit_breaker import ProviderDown
from providers.models import Provider
from providers.problem_texts import in_words
from providers.waiting import count_attempt, release_database_connection, waiting_slot
from rubrics.authoring.difficulty import begin, withdraw
from workflow.models import Assignment

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections

# An author tries a prompt every few minutes. Each try costs the project money, also one that is broken off.
MAX_TRIES = 10
WINDOW_SECONDS = 300
LOOK_UP_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Told:
    """The id of the check and, for its author's eyes alone, what the model said and after how many seconds."""

    check: int
    answer: str = field(repr=False)
    seconds: float


class NoAnswer(Exception):
    """The model said nothing; the check is withdrawn and the same text may be tried again."""

    def __init__(self, code: str, message: str):
        self.code, self.message = code, message
        super().__init__(code)


def asker(assignment: Assignment) -> dict | None:
    """Which model the project names for its authors, and where their screen asks it; None where it names none."""
    named = DifficultyModel.objects.filter(project=assignment.stage.project_id).first()
    if named is None:
        return None
    return {"model": named.model, "url": reverse("difficulty-ask", args=[assignment.uuid])}


def ask_once(assignment: Assignment, prompt: str, is_gone: Callable[[], bool] = lambda: False) -> Told:
    """Try a prompt on the project's model, in a session of its own.

    `is_gone` is asked now and then whether the author has stopped waiting; then nothing was tried.
    Raises Invalid where the text is empty or was tried before, or the project names no model; Busy where this
    author or this server asks too much at once; NoAnswer where none came.
    """
    named = DifficultyModel.objects.select_related("provider").filter(project=assignment.stage.project_id).first()
    if named is None:
        raise Invalid(Problem("no_model", _("This project names no model to try prompts on. Try it elsewhere.")))
    connections = connections_to(named.provider)
    check_rate(assignment.rater.user_id or 0)
    with waiting_slot():
        check = begin(assignment, prompt, named.model, by_hand=False)
        try:
            reply = wait_for(connections, PlainRequest(named.model, prompt), named.provider.timeout_seconds, is_gone)
            answer = answer_of(reply)
        except BaseException:
            withdraw(check)
            raise
    return Told(check.pk, answer, round((reply.latency_ms or 0) / 1000, 1))


def connections_to(provider: Provider) -> Connections:
    try:
        return loop.connections(endpoint(provider))
    except KeyMissing:
        message = _("The provider's key is not set where pages are served. An administrator can set it.")
        raise NoAnswer("key_missing", message) from None


def check_rate(author: int) -> None:
    """Count a try of this person. Raises Busy where the window's tries are used up, in whichever process."""
    count_attempt(f"difficulty:{author}", MAX_TRIES, WINDOW_SECONDS)


def wait_for(connections: Connections, request: PlainRequest, seconds: float, is_gone: Callable[[], bool]) -> Reply:
    """The reply within the provider's time, all attempts of the retry policy together. Raises NoAnswer where the author
    has gone."""
    release_database_connection()
    asked = loop.run(within(connections, request, seconds))
    try:
        while not concurrent.futures.wait([asked], timeout=LOOK_UP_SECONDS).done:
            if is_gone():
                raise gone()
        if is_gone():
            raise gone()
        return asked.result()
    finally:
        asked.cancel()


async def within(connections: Connections, request: PlainRequest, seconds: float) -> Reply:
    try:
        return await asyncio.wait_for(connections.ask(request), seconds)
    except TimeoutError:
        return Reply(failure="timeout")
    except ProviderDown:
        return Reply(failure="provider_down")


def gone() -> NoAnswer:
    return NoAnswer("gone", _("The answer was not waited for. The prompt can be tried again."))


def answer_of(reply: Reply) -> str:
    """What the model said, word for word. Raises NoAnswer where it said nothing."""
    if reply.failure:
        # What the provider complains of may repeat what was asked or answered; the code says enough.
        raise no_answer(reply.failure)
    text = reply.text or reply.refusal
    if not text.strip():
        raise no_answer("content_filter" if reply.finish_reason == "content_filter" else "empty")
    return text


def no_answer(problem: str) -> NoAnswer:
    message = _("The model gave no answer: %(problem)s The prompt can be tried again.")
    return NoAnswer("no_answer", message % {"problem": in_words(problem)})


def name_model(project: Project, provider: Provider | None, model: str, by: User) -> None:
    """Say on which model a project's authors try their prompts; without a provider they try them elsewhere."""
    with transaction.atomic():
        if provider is None:
            DifficultyModel.objects.filter(project=project).delete()
        else:
            values: dict[str, Any] = {"provider": provider, "model": model}
            DifficultyModel.objects.update_or_create(project=project, defaults=values)
        record(
            "difficulty_model.named",
            actor=by,
            project=project,
            subject=model if provider else "",
            provider=provider.name if provider else "",
        )
