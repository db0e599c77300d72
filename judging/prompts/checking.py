"""Whether a prompt can be asked: its variables, the marks around what others wrote, the form of its answer.

The rule follows from the shipped English part of the same name:

- It may use the variables that the English part uses and no others, and must use all of them but those that only
  help the wording (`OPTIONAL`).
- What stands between marks in the English part was written by somebody who may want to speak for the judge. It must
  stand between the same marks, which carry the call's number, and nowhere else; nothing else stands between them.
- Words in straight quotation marks in the English part ("ticket", "PASS") are what an answer is read by. Each must
  stand in the part, in the same quotation marks.
- Braces are balanced, so that a variable with a brace too few is found and not sent as it stands.

Knows no database.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from django.utils.translation import gettext as _

from judging.prompts import VARIABLE
from judging.prompts.shipped import is_phrase

OPTIONAL = frozenset({"language", "explanation_language", "count", "decision"})
MARKED = re.compile(
    r"^<<<(?P<mark>[a-z]+) \{\{nonce\}\}>>>\n\{\{(?P<variable>[a-z_]+)\}\}\n<<<end of (?P=mark) \{\{nonce\}\}>>>$", re.M
)
MARK = re.compile(r"<<<|>>>")
QUOTED = re.compile(r'"([A-Za-z_][A-Za-z0-9_]*)"')
NEWLINES = re.compile(r"\r\n?")
MAX_CHARACTERS = 20_000
# What is looked at behind two braces for the variable that is meant.
MAX_NAME = 40


@dataclass(frozen=True, slots=True)
class PartProblem:
    """What is wrong with a part, and where: line and column from 1 in code points, 0 for the part as a whole."""

    part: str
    code: str
    message: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """What the shipped English text of a part asks of every other text of it."""

    allowed: frozenset[str]
    required: frozenset[str]
    marked: Mapping[str, str]  # the name of the marks by the variable between them
    quoted: tuple[str, ...]
    head: str  # the empty lines that it begins and ends with: parts are put together without any between them
    tail: str

    @classmethod
    def of(cls, english: str) -> "Rule":
        allowed = frozenset(VARIABLE.findall(english))
        marked = {match["variable"]: match["mark"] for match in MARKED.finditer(english)}
        quoted = tuple(dict.fromkeys(QUOTED.findall(english)))
        inner = english.strip("\n")
        at = english.index(inner)
        return cls(allowed, allowed - OPTIONAL, marked, quoted, english[:at], english[at + len(inner) :])


def tidied(text: str, english: str) -> str:
    """As it is kept: lines end in one way, and as many empty lines stand around it as around the English part."""
    rule = Rule.of(english)
    return rule.head + NEWLINES.sub("\n", text).strip("\n") + rule.tail


def problems_of(parts: Mapping[str, str], english: Mapping[str, str]) -> list[PartProblem]:
    """All that is wrong with a prompt, part by part in the order of the English one; nothing where it can be asked."""
    problems = [
        PartProblem(part, "unknown_part", _("There is no such part in a prompt of this kind."))
        for part in parts
        if part not in english
    ]
    for part, text in english.items():
        problems += problems_of_part(part, parts.get(part, ""), text)
    return problems


def problems_of_part(part: str, text: str, english: str) -> list[PartProblem]:
    rule = Rule.of(english)
    if not text.strip():
        return [PartProblem(part, "empty", _("This part is empty. Take over the text that it was begun from."))]
    if len(text) > MAX_CHARACTERS:
        message = _("This part has %(n)d characters; %(most)d are the most.")
        return [PartProblem(part, "too_long", message % {"n": len(text), "most": MAX_CHARACTERS})]
    problems = [*of_braces(part, text, rule), *of_variables(part, text, rule), *of_marks(part, text, rule)]
    problems += of_form(part, text, rule)
    if is_phrase(part) and "\n" in text.strip("\n"):
        problems.append(PartProblem(part, "several_lines", _("These words stand within a line, so they are one line.")))
    return sorted(problems, key=lambda problem: (problem.line, problem.column))


def place(text: str, at: int) -> tuple[int, int]:
    """Line and column of an offset, both counted from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def of_braces(part: str, text: str, rule: Rule) -> Iterator[PartProblem]:
    """Doubled braces that are no variable, single ones around a variable's name, and braces without their partner."""
    opened: list[int] = []
    at = 0
    while at < len(text):
        if variable := VARIABLE.match(text, at):
            at = variable.end()
            continue
        if text.startswith("{{", at) and not VARIABLE.match(text, at + 1):
            message = _("Here two braces open that are no variable. A variable is written {{%(name)s}}.")
            name = meant(text[at + 2 : at + 2 + MAX_NAME], rule)
            yield PartProblem(part, "not_a_variable", message % {"name": name}, *place(text, at))
            return  # what follows would only be said of the same slip
        if text[at] == "{":
            opened.append(at)
            named = re.compile(r"\{([a-z_]+)\}").match(text, at)
            if named and named[1] in rule.allowed:
                message = _("A variable stands between two braces on each side: {{%(name)s}}.")
                yield PartProblem(part, "single_braces", message % {"name": named[1]}, *place(text, at))
        elif text[at] == "}":
            if not opened:
                yield PartProblem(part, "brace_closes", _("This brace closes and none was opened."), *place(text, at))
                return
            opened.pop()
        at += 1
    for offset in opened[:1]:
        yield PartProblem(part, "brace_opens", _("This brace opens and is not closed."), *place(text, offset))


def meant(inside: str, rule: Rule) -> str:
    """The variable most like what stands between braces, else any that may be used."""
    near = get_close_matches(inside.partition("}")[0].strip().casefold(), sorted(rule.allowed), 1)
    return near[0] if near else min(rule.required or rule.allowed or {"nonce"})


def of_variables(part: str, text: str, rule: Rule) -> Iterator[PartProblem]:
    used = set()
    for match in VARIABLE.finditer(text):
        used.add(match[1])
        if match[1] not in rule.allowed:
            message = _("This part knows no variable {{%(name)s}}. It knows: %(known)s.")
            known = ", ".join(f"{{{{{name}}}}}" for name in sorted(rule.allowed)) or _("none")
            yield PartProblem(
                part, "unknown_variable", message % {"name": match[1], "known": known}, *place(text, match.start())
            )
    for name in sorted(rule.required - used):
        message = _("The variable {{%(name)s}} is missing. A judge cannot be asked without it.")
        yield PartProblem(part, "variable_missing", message % {"name": name})


def of_marks(part: str, text: str, rule: Rule) -> Iterator[PartProblem]:
    """Texts that others wrote outside their marks, and marks that are not whole."""
    whole = [match for match in MARKED.finditer(text) if rule.marked.get(match["variable"]) == match["mark"]]
    covered = [(match.start(), match.end()) for match in whole]

    def is_covered(at: int) -> bool:
        return any(start <= at < end for start, end in covered)

    for match in VARIABLE.finditer(text):
        if match[1] in rule.marked and not is_covered(match.start()):
            message = _(
                "{{%(name)s}} is a text that somebody else wrote. It stands alone on its line, with the line "
                "<<<%(mark)s {{nonce}}>>> before it and the line <<<end of %(mark)s {{nonce}}>>> after it."
            )
            message_of_variable = message % {"name": match[1], "mark": rule.marked[match[1]]}
            yield PartProblem(part, "outside_its_marks", message_of_variable, *place(text, match.start()))
    for match in MARK.finditer(text):
        if not is_covered(match.start()):
            message = _("These marks are not whole, or stand around something else than in the shipped prompt.")
            yield PartProblem(part, "broken_marks", message, *place(text, match.start()))
            return


def of_form(part: str, text: str, rule: Rule) -> Iterator[PartProblem]:
    quoted = set(QUOTED.findall(text))
    for word in rule.quoted:
        if word not in quoted:
            message = _("“%(word)s” is missing, in straight quotation marks: an answer is read by it.")
            yield PartProblem(part, "form_word_missing", message % {"word": word})
