"""Is this the draft of a rubric, and what does it still lack before it can be frozen? No database.

A draft is a mapping of plain JSON values (docs/rubrics.md):

    {"scope", "prompt", "gold_answer",
     "criteria": [{"key", "text", "weight", "band", "objectivity", "explicitness", "tags"}],
     "accepted": [{"code", "criterion", "words", "reason"}]}

Texts are kept as they were typed: nothing is trimmed or normalised. A draft may be unfinished everywhere; what may
not be is said by `lacking`.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from formats.limits import MAX_CRITERIA, MAX_CRITERION, MAX_GOLD_ANSWER, MAX_KEY, MAX_REASON, MAX_SLUG, MAX_WEIGHT
from formats.rubric import TAGS_OF_CRITERION
from projects.problems import Invalid, Problem
from projects.stored_text import text_fault
from rubrics.models import Explicitness, Objectivity, Scope

MAX_PROMPT = 10_000
MAX_ACCEPTED = 500

FIELDS = ("scope", "prompt", "gold_answer", "criteria", "accepted")
CRITERION_FIELDS = ("key", "text", "weight", "band", "objectivity", "explicitness", "tags")
ACCEPTED_FIELDS = ("code", "criterion", "words", "reason")


class _Reading:
    """Reads one mapping of the draft and collects its problems, each with its field and the criterion's key."""

    def __init__(self, raw: object, fields: Iterable[str], problems: list[Problem], key: str | None = None) -> None:
        self.problems, self.key = problems, key
        if isinstance(raw, Mapping):
            self.raw: Mapping[str, Any] = raw
        else:
            self.raw = {}
            self.add("not_an_object", _("This must be an object."), "body")
        for field in self.raw:
            if field not in fields:
                self.add("unknown_field", _("There is no such field."), str(field)[:40])

    def add(self, code: str, message: str, field: str) -> None:
        self.problems.append(Problem(code, message, field, span=self.key))

    def text(self, field: str, limit: int) -> str:
        value = self.raw.get(field)
        if value is None:
            return ""
        if fault := text_fault(value, limit):
            self.add(*fault, field)
            return ""
        return str(value)

    def choice(self, field: str, known: Collection[str]) -> str:
        value = self.text(field, MAX_SLUG)
        if value and value not in known:
            message = _("“%(value)s” is not one of the choices.")
            self.add("unknown", message % {"value": value[:40]}, field)
            return ""
        return value

    def weight(self) -> int | None:
        value = self.raw.get("weight")
        if value is None:
            return None
        if type(value) is not int or not -MAX_WEIGHT <= value <= MAX_WEIGHT:
            message = _("A weight is a whole number from %(lowest)d to %(highest)d.")
            self.add("not_a_weight", message % {"lowest": -MAX_WEIGHT, "highest": MAX_WEIGHT}, "weight")
            return None
        return value

    def tags(self) -> list[str]:
        value = self.raw.get("tags")
        if value is None:
            return []
        if fault := TAGS_OF_CRITERION.check(value):
            self.add(*fault, "tags")
            return []
        return list(value)

    def list_of(self, field: str, limit: int) -> list:
        value = self.raw.get(field)
        if value is None:
            return []
        if not isinstance(value, list):
            self.add("not_a_list", _("This must be a list."), field)
            return []
        if len(value) > limit:
            self.add("too_many", _("There are more than %(limit)d of these.") % {"limit": limit}, field)
            return []
        return value


def read_draft(body: object) -> dict:
    """The draft with all its fields and nothing else. Raises Invalid with every problem found."""
    problems: list[Problem] = []
    reading = _Reading(body, FIELDS, problems)
    draft: dict[str, Any] = {
        "scope": reading.choice("scope", Scope.values),
        "prompt": reading.text("prompt", MAX_PROMPT),
        "gold_answer": reading.text("gold_answer", MAX_GOLD_ANSWER),
        "criteria": [_criterion(raw, problems) for raw in reading.list_of("criteria", MAX_CRITERIA)],
        "accepted": [_accepted(raw, problems) for raw in reading.list_of("accepted", MAX_ACCEPTED)],
    }
    keys = [criterion["key"] for criterion in draft["criteria"] if criterion["key"]]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        problems.append(Problem("duplicate", _("Two criteria have the same key."), "key", span=key))
    if problems:
        raise Invalid(problems)
    return draft


def _criterion(raw: object, problems: list[Problem]) -> dict:
    key = raw.get("key") if isinstance(raw, Mapping) else None
    reading = _Reading(raw, CRITERION_FIELDS, problems, key[:MAX_KEY] if isinstance(key, str) else None)
    read_key = reading.text("key", MAX_KEY)
    if not read_key.strip():
        reading.add("required", _("Each criterion needs a key of its own."), "key")
    return {
        "key": read_key,
        "text": reading.text("text", MAX_CRITERION),
        "weight": reading.weight(),
        "band": reading.text("band", MAX_SLUG),
        "objectivity": reading.choice("objectivity", Objectivity.values),
        "explicitness": reading.choice("explicitness", Explicitness.values),
        "tags": reading.tags(),
    }


def _accepted(raw: object, problems: list[Problem]) -> dict:
    reading = _Reading(raw, ACCEPTED_FIELDS, problems)
    return {
        "code": reading.text("code", MAX_SLUG),
        "criterion": reading.text("criterion", MAX_KEY),
        "words": reading.text("words", MAX_GOLD_ANSWER),
        "reason": reading.text("reason", MAX_REASON),
    }


def lacking(draft: dict, bands: Collection[str]) -> list[Problem]:
    """What a well-formed draft still lacks to be a rubric, by field. `bands` are the slugs the project knows."""
    problems = []
    if not draft["scope"]:
        problems.append(Problem("required", _("Choose the scope: cultural or linguistics."), "scope"))
    if not draft["prompt"].strip():
        problems.append(Problem("required", _("Write the prompt."), "prompt"))
    if not draft["gold_answer"].strip():
        problems.append(Problem("required", _("Write the gold answer."), "gold_answer"))
    if not draft["criteria"]:
        problems.append(Problem("required", _("Add at least one criterion."), "criteria"))
    elif all((criterion["weight"] or 1) < 0 for criterion in draft["criteria"]):
        message = _("Add a criterion with a weight above 0: without one there is nothing to reach.")
        problems.append(Problem("no_positive", message, "criteria"))
    for criterion in draft["criteria"]:
        problems += _lacking_in_criterion(criterion, bands)
    return problems


def _lacking_in_criterion(criterion: dict, bands: Collection[str]) -> list[Problem]:
    faults = []
    if not criterion["text"].strip():
        faults.append(("required", _("Say what the answer must contain."), "text"))
    if criterion["weight"] is None:
        faults.append(("required", _("Give this criterion a weight."), "weight"))
    elif criterion["weight"] == 0:
        message = _("A weight of 0 changes nothing: give points above 0, or below 0 for an error.")
        faults.append(("zero", message, "weight"))
    if criterion["band"] and criterion["band"] not in bands:
        faults.append(("unknown", _("This project has no such band any more. Choose another."), "band"))
    if not criterion["objectivity"]:
        faults.append(("required", _("Say whether this is objective or subjective."), "objectivity"))
    if not criterion["explicitness"]:
        faults.append(("required", _("Say whether the prompt asks for this explicitly."), "explicitness"))
    return [Problem(code, message, field, span=criterion["key"]) for code, message, field in faults]


def draft_sha256(draft: dict) -> str:
    """The hash of exactly these words, in 64 hexadecimal digits: what a second author's approval holds of.

    A list of tags that is empty is left out: what was approved before there were tags stays approved.
    """
    criteria = [
        {name: value for name, value in criterion.items() if name != "tags" or value} for criterion in draft["criteria"]
    ]
    form = json.dumps({**draft, "criteria": criteria}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(form.encode()).hexdigest()
