"""What people do where no program does it: paste a response, or let an answer that was cut or declined be one."""

from collections.abc import Collection as Collected

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.words import words
from benchmark import exposure
from benchmark.models import ExposureKind
from formats.limits import MAX_TEXT
from judging.collecting.questions import seen_by
from judging.collecting.storing import add_response, has_response
from judging.models import CollectionCall, CollectionState, TargetEndpoint
from projects.audit import record
from projects.collecting_gates import gate_of, passed
from projects.models import Prompt, Response, Segmentation, User
from projects.problems import Invalid, Problem
from projects.validation import NOT_VALIDATED, held_back
from providers.client.replies import UNSTORABLE

# What people confirm of how they came by a response that they paste: the controls under which programs collect.
CONTROLS = {
    "clean_session": gettext_lazy("I asked in a new session, with memory and history switched off, and nothing else."),
    "first_response": gettext_lazy("This is the first response, not one that was asked for anew."),
    "no_follow_up": gettext_lazy("It is whole and unchanged, and I wrote nothing after the prompt."),
}
TAKABLE = (CollectionState.REFUSED, CollectionState.TRUNCATED)


def paste(endpoint: TargetEndpoint, prompt: Prompt, text: str, controls: Collected[str], by: User) -> Response:
    """Store a pasted response exactly as it is, with who confirmed what.

    Raises Invalid where a control is not confirmed, the text is none, the prompt may not be asked yet, or the model
    has a response to the prompt already. Nothing is stored then.
    """
    problems = [
        Problem("not_confirmed", _("Without this the response cannot be compared with the others."), name)
        for name in CONTROLS
        if name not in controls
    ]
    if problem := problem_of_text(text):
        problems.append(problem)
    if problems:
        raise Invalid(problems)
    try:
        with transaction.atomic():
            TargetEndpoint.objects.select_for_update(of=("self",)).get(pk=endpoint.pk)  # one paste at a time
            check_open(endpoint, prompt)
            return write_pasted(endpoint, prompt, text, by)
    except IntegrityError:  # somebody else was first
        raise Invalid(taken()) from None


def problem_of_text(text: str) -> Problem | None:
    if not text.strip():
        return Problem("empty", _("There is no response here. An empty answer is none."), "text")
    if UNSTORABLE.search(text):
        return Problem("unstorable_characters", _("The text holds characters that cannot be stored."), "text")
    if len(text) > MAX_TEXT:
        message = _("A response has at most %(limit)d characters.")
        return Problem("too_long", message % {"limit": MAX_TEXT}, "text")
    return None


def check_open(endpoint: TargetEndpoint, prompt: Prompt) -> None:
    """Raises Invalid where this prompt takes no response of this model by hand."""
    if not endpoint.is_by_hand:
        raise Invalid(Problem("not_by_hand", _("This model is asked through its provider, not by hand.")))
    if prompt.project_id != endpoint.project_id:
        raise Invalid(Problem("other_project", _("The prompt belongs to another project.")))
    if Prompt.objects.filter(held_back(endpoint.project), pk=prompt.pk).exists():
        raise Invalid(Problem("not_validated", str(NOT_VALIDATED)))
    gate = gate_of(endpoint.project)
    if gate is not None and not Prompt.objects.filter(passed(endpoint.project), pk=prompt.pk).exists():
        raise Invalid(Problem("not_frozen", str(gate.refused)))
    if has_response(prompt.pk, endpoint.target_model_id, endpoint.replicates):
        raise Invalid(taken())


def taken() -> Problem:
    message = _("This prompt has a response of this model already. The first one stands; nothing was stored.")
    return Problem("response_exists", message)


def write_pasted(endpoint: TargetEndpoint, prompt: Prompt, text: str, by: User) -> Response:
    call = CollectionCall(
        endpoint=endpoint,
        prompt=prompt,
        replicate=min(endpoint.calls.filter(prompt=prompt).count() + 1, endpoint.replicates),
        state=CollectionState.COLLECTED,
        words=len(words(text, Segmentation(prompt.variety.segmentation).rule)),
        ended_at=timezone.now(),
        pasted_by=by,
        controls=list(CONTROLS),
    )
    call.response = add_response(call, text)
    call.save()
    laboratory, _through = seen_by(endpoint)
    exposure.record([prompt.pk], laboratory, endpoint.target_model.name, ExposureKind.ANSWERING)
    record(
        "response.pasted",
        actor=by,
        project=endpoint.project,
        subject=call.response.key,
        model=endpoint.target_model.name,
        sha256=call.response.text_sha256,
        confirmed=list(CONTROLS),
    )
    return call.response


def take_as_response(call: CollectionCall, by: User) -> Response:
    """Let an answer that was cut short or reads as a refusal be the response it is: it was the first, word for word.

    Raises Invalid where there are no words to take, or the prompt has a response of the model by now.
    """
    with transaction.atomic():
        locked = CollectionCall.objects.select_for_update(of=("self",)).get(pk=call.pk)
        if locked.state not in TAKABLE or not locked.raw_output.strip():
            raise Invalid(Problem("nothing_to_take", _("There is no answer here that could be taken.")))
        if problem := problem_of_text(locked.raw_output):
            raise Invalid(problem)
        wanted = max(locked.endpoint.replicates, locked.replicate)
        if has_response(locked.prompt_id, locked.endpoint.target_model_id, wanted):
            raise Invalid(taken())
        was = locked.state
        locked.response = add_response(locked, locked.raw_output)
        locked.state, locked.raw_output = CollectionState.COLLECTED, ""
        locked.save()
        record(
            "response.taken",
            actor=by,
            project=locked.endpoint.project,
            subject=locked.response.key,
            model=locked.endpoint.target_model.name,
            was=was,
        )
    return locked.response
