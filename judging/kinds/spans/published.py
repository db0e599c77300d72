"""Errors in the form that JuICE's prompt asks for (appendix E.1): a list of span, reason and error_type."""

from collections.abc import Mapping, Sequence
from typing import Any

from judging.kinds import WrongAnswer
from judging.kinds.forms import check_field, check_keys

TEXT = {"type": "string"}


def form_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an entry, with the project's words for types, or any text where it has none."""
    known = schema["properties"]["errors"]["items"]["properties"].get("type")
    return {"span": TEXT, "reason": TEXT, "error_type": known or TEXT}


def errors_of(answer: Any, form: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The entries as errors of the shipped prompt. Where the words stand several times none of the places is meant for
    certain, and the error ends as one without a place.

    "cultural error" is the type "cultural", as the prompt writes it. Raises WrongAnswer for other keys, types or words.
    """
    if not isinstance(answer, Sequence) or isinstance(answer, str):
        raise WrongAnswer("wrong_type", "errors")
    errors = []
    for entry in answer:
        check_keys(entry, form, "errors")
        named = entry["error_type"]
        entry = {**entry, "error_type": named.removesuffix(" error") if isinstance(named, str) else named}
        for name, asked in form.items():
            check_field(name, entry[name], asked)
        if not entry["reason"].strip():
            raise WrongAnswer("explanation_missing")
        if not entry["span"]:
            raise WrongAnswer("quote_does_not_fit_anchor")
        said = {"quote": entry["span"], "explanation": entry["reason"], "correction": None}
        kind = {"type": entry["error_type"]} if "enum" in form["error_type"] else {}
        errors.append({"anchor": "words", "occurrence": None, **said, **kind})
    return errors
