"""A request state of HELM's `scenario_state.json` (`whole_files.py` makes a line of each)."""

from collections.abc import Mapping
from typing import Any

from benchmark.importing.elsewhere import PassedOver, Row, keys_in, last_asked, texts_in, texts_of

#: Of what HELM keeps for each request, what is read.
READ = ("instance", "reference_index", "request_mode", "train_trial_index", "output_mapping")
CUT, FILTERED = ("length", "max_tokens", "incomplete"), ("content_filter", "safety", "refusal")


def read(fields: Mapping[str, Any]) -> Row | PassedOver | None:
    instance, request, result = (fields.get(name) for name in ("instance", "request", "result"))
    if not isinstance(instance, Mapping) or not isinstance(request, Mapping):
        return None
    completions = result.get("completions") if isinstance(result, Mapping) else None
    is_copy = bool(instance.get("perturbation")) or fields.get("request_mode") == "calibration"
    if not completions or is_copy or fields.get("train_trial_index"):
        return PassedOver()
    first, asked, mapping = completions[0], instance.get("input"), fields.get("output_mapping")
    reason, thinking = first.get("finish_reason"), first.get("thinking")
    # Asked once for each given answer, or to repeat its prompt, its likelihood counts and not what was written.
    is_written = fields.get("reference_index") is None and not request.get("echo_prompt")
    return Row(
        keys=keys_in(instance, instance.get("extra_data")),
        texts=(*texts_in(asked, request.get("prompt")), last_asked(request.get("messages"))),
        text=(first.get("text") or "") if is_written else None,
        finish_reason=reason_of(reason.get("reason") if isinstance(reason, Mapping) else reason),
        reasoning=(thinking.get("text") or "") if isinstance(thinking, Mapping) else "",
        model=str(request.get("model") or ""),
        choices=texts_of(list(mapping.values())) if isinstance(mapping, Mapping) else (),
    )


def reason_of(said: object) -> str:
    """Why an answer ended, in our words: cut, or held back by a filter; empty for any other reason."""
    reason = str(said).lower()
    return "length" if reason in CUT else "content_filter" if reason in FILTERED else ""


def kept_of(state: Mapping[str, Any]) -> dict[str, Any]:
    """A request state without its tokens and their likelihoods, which are most of the file."""
    request, result = state.get("request") or {}, state.get("result") or {}
    completions = [
        {name: each.get(name) for name in ("text", "finish_reason", "thinking")}
        for each in result.get("completions") or []
    ]
    if not result.get("success", True):
        completions = completions_of_failed(result)
    kept = {name: state.get(name) for name in READ}
    kept["request"] = {name: request.get(name) for name in ("model", "prompt", "messages", "echo_prompt")}
    kept["result"] = {"completions": completions}
    return kept


def completions_of_failed(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What counts of a call that failed: none, unless HELM itself takes it for an empty answer that would come again,
    as it does where a filter held the answer back."""
    flags = result.get("error_flags") or {}
    if flags.get("is_fatal") is not False or flags.get("is_retriable") is not False:
        return []
    error = str(result.get("error")).lower()
    is_filtered = "block" in error or "filter" in error
    return [{"text": "", "finish_reason": {"reason": "content_filter" if is_filtered else "stop"}}]
