"""A request state of HELM's `scenario_state.json` (`whole_files.py` makes a line of each)."""

from collections.abc import Mapping
from typing import Any

from benchmark.importing.elsewhere import PassedOver, Row, keys_in, texts_in

#: Of what HELM keeps for each request, what is read.
READ = ("instance", "reference_index", "request_mode", "train_trial_index")


def read(fields: Mapping[str, Any]) -> Row | PassedOver | None:
    instance, request, result = (fields.get(name) for name in ("instance", "request", "result"))
    if not isinstance(instance, Mapping) or not isinstance(request, Mapping):
        return None
    completions = result.get("completions") if isinstance(result, Mapping) else None
    is_copy = bool(instance.get("perturbation")) or fields.get("request_mode") == "calibration"
    if not completions or is_copy or fields.get("train_trial_index"):
        return PassedOver()
    first, asked = completions[0], instance.get("input")
    reason = first.get("finish_reason")
    is_cut = isinstance(reason, Mapping) and reason.get("reason") in ("length", "max_tokens")
    return Row(
        keys=keys_in(instance, instance.get("extra_data")),
        texts=texts_in(asked, request.get("prompt")),
        # Asked once for each given answer, its likelihood counts and not what was written.
        text=None if fields.get("reference_index") is not None else first.get("text", ""),
        finish_reason="length" if is_cut else "",
        model=str(request.get("model") or ""),
    )


def kept_of(state: Mapping[str, Any]) -> dict[str, Any]:
    """A request state without its tokens and their likelihoods, which are most of the file."""
    request, result = state.get("request") or {}, state.get("result") or {}
    completions = [
        {name: each.get(name) for name in ("text", "finish_reason")} for each in result.get("completions") or []
    ]
    kept = {name: state.get(name) for name in READ}
    kept["request"] = {name: request.get(name) for name in ("model", "prompt")}
    # A call that failed has an error and perhaps an empty completion.
    kept["result"] = {"completions": completions if result.get("success", True) else []}
    return kept
