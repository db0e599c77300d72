"""Which rules score a question, and whether they can."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.translation import gettext as _

from agreement.answers.declaration import NotApplicable, Target
from agreement.answers.folding import fold, normal
from agreement.answers.rules import rule_named, rules

#: Code and message of what is wrong, and where: behind the name of the entry of `rules`, or a field of the question.
Fault = tuple[str, str, str]


class Scored(Protocol):
    """What of a question its rules are about: a row of the database, or one to come."""

    reference: str
    input_text: str
    expected_language: str
    options: Any


@dataclass(frozen=True, slots=True)
class ReadRule:
    """A rule of the registry with all its parameters, in JSON types."""

    rule: str
    version: int
    parameters: Mapping[str, Any]

    @property
    def parameters_sha256(self) -> str:
        return parameters_sha256(self.parameters)


def parameters_sha256(parameters: Mapping[str, Any]) -> str:
    return hashlib.sha256(parameters_json(parameters).encode()).hexdigest()


def parameters_json(parameters: Mapping[str, Any]) -> str:
    return json.dumps(parameters, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def read_rule(rule: str, version: int | None, stated: Mapping[str, Any]) -> ReadRule | Fault:
    """The rule with the stated parameters and the defaults of the others, or what is wrong with it."""
    if rule not in rules():
        message = _("There is no scoring rule “%(rule)s”. There are: %(known)s.")
        return "unknown_rule", message % {"rule": rule, "known": ", ".join(rules())}, ".rule"
    declared = rule_named(rule)
    if version not in (None, declared.version):
        message = _("The rule “%(rule)s” has version %(ours)d here, not %(theirs)d: it would score otherwise.")
        values = {"rule": rule, "ours": declared.version, "theirs": version}
        return "other_rule_version", message % values, ".version"
    try:
        read = declared.read_parameters(stated)
    except ValueError as error:
        return "parameters_misfit", in_words(rule, error), ".parameters"
    numbers = {parameter.name for parameter in declared.parameters if parameter.kind == "number"}
    parameters = {
        # 5 and 5.0 are the same number and must be the same bytes.
        name: float(value) if name in numbers else list(value) if isinstance(value, tuple) else value
        for name, value in read.items()
    }
    return ReadRule(rule, declared.version, parameters)


def why_it_cannot_score(question: Scored, read: ReadRule) -> Fault | None:
    """What keeps the rule from scoring answers to this question; None where it can."""
    declared = rule_named(read.rule)
    if declared.is_judged:
        if not question.reference.strip():
            message = _("The rule “%(rule)s” compares answers with a reference, and there is none.")
            return "no_reference", message % {"rule": read.rule}, "output"
        return None
    target = Target(question.reference, question.input_text, primary_language(question.expected_language))
    try:
        declared.scorer(target, read.parameters)
    except NotApplicable as error:
        return "rule_cannot_apply", in_words(read.rule, error), ".rule"
    except ValueError as error:
        return "parameters_misfit", in_words(read.rule, error), ".parameters"
    return None


def in_words(rule: str, error: ValueError) -> str:
    return _("The rule “%(rule)s” cannot score this question: %(reason)s.") % {"rule": rule, "reason": error}


def primary_language(tag: str) -> str:
    """ISO 639 of a language tag."""
    return tag.partition("-")[0].lower()


def faults_of(question: Scored, uses: Sequence[ReadRule]) -> Iterable[tuple[int, Fault]]:
    """Each rule that cannot score the question, by its index, or -1 for what the question itself lacks."""
    seen: set[tuple[str, str]] = set()
    for index, use in enumerate(uses):
        if (use.rule, use.parameters_sha256) in seen:
            message = _("The rule “%(rule)s” stands twice with the same parameters.") % {"rule": use.rule}
            yield index, ("duplicate_rule", message, ".rule")
        seen.add((use.rule, use.parameters_sha256))
        if fault := why_it_cannot_score(question, use):
            yield index, fault
    if question.options and question.reference and not is_an_option(question.reference, question.options):
        message = _("The reference answer is none of the options: give the label or the text of one.")
        yield -1, ("not_an_option", message, "output")


def is_an_option(reference: str, options: Sequence[Mapping[str, str]]) -> bool:
    """True where the reference is an option's label, its text, or both as “A. text” or “A) text”. Spellings that count
    as one to the rules do so here."""
    answer = fold(normal(reference))
    for option in options:
        label, text = fold(normal(option["label"])), fold(normal(option["text"]))
        if answer in {label, text, *(f"{label}{between}{text}" for between in (". ", ") ", ": ", " "))}:
            return True
    return False
