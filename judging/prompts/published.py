"""Published prompts, asked word for word: one message with the texts in their places, and an answer in its own form.

Such a prompt is one of the project's own that says in which form it is answered. It has no marks and carries no
number, for its authors had none; so a judge is not asked about a text in which such an answer stands already. Knows no
database.
"""

import re
from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.prompts import VARIABLE
from judging.prompts.checking import MAX_CHARACTERS, NEWLINES, PartProblem, Rule, of_braces, place

#: Digits of ASCII alone, without a point or a leading zero: a number that could be written in no other way.
WHOLE = re.compile(r"(?:0|-?[1-9][0-9]{0,5})")
#: The parts of such a prompt.
PUBLISHED, FORM = "published", "answer_form"
TAGS, BRACKETS, NUMBER, NUMBERS, WORD, LIST = "tags", "brackets", "number", "numbers", "word", "list"
FORMS = {
    TAGS: gettext_lazy("in tags: <answer>...</answer>"),
    BRACKETS: gettext_lazy("in double brackets: [[...]]"),
    NUMBER: gettext_lazy("a number and nothing else"),
    NUMBERS: gettext_lazy("a list of whole numbers and nothing else: [4, 2]"),
    WORD: gettext_lazy("True or False and nothing else"),
    LIST: gettext_lazy("a JSON list of errors: span, reason, error_type"),
}
#: By kind of judging the forms that answers may have, the variables that must stand in the text, and those that may.
OF_KIND: Mapping[str, tuple[tuple[str, ...], frozenset[str], frozenset[str]]] = {
    "pointwise": ((TAGS, BRACKETS, NUMBER), frozenset({"response"}), frozenset({"prompt", "language", "aspect"})),
    "pairwise": (
        (TAGS, BRACKETS, NUMBERS),
        frozenset({"response", "other"}),
        frozenset({"prompt", "language", "aspect"}),
    ),
    "same_issue": (
        (TAGS, WORD),
        frozenset({"first_words", "second_words"}),
        frozenset({"first_explanation", "second_explanation", "prompt", "response", "language"}),
    ),
    "rubric": ((NUMBERS,), frozenset({"response", "criteria"}), frozenset({"prompt", "language", "count"})),
    "sentences": ((TAGS, WORD), frozenset({"sentence"}), frozenset({"prompt", "response", "language"})),
    "spans": ((LIST,), frozenset({"paragraph"}), frozenset({"prompt", "response", "language"})),
}


def is_published(parts: Mapping[str, str]) -> bool:
    return FORM in parts


def tidied(parts: Mapping[str, str]) -> dict[str, str]:
    """As they are kept: lines end in one way, and nothing else is touched."""
    text = NEWLINES.sub("\n", parts.get(PUBLISHED, ""))
    return {PUBLISHED: text, FORM: parts[FORM]}


def problems_of_published(kind: str, parts: Mapping[str, str]) -> list[PartProblem]:
    """All that is wrong with it; nothing where it can be asked."""
    forms, required, optional = OF_KIND.get(kind, ((), frozenset(), frozenset()))
    text, problems = parts.get(PUBLISHED, ""), []
    if parts[FORM] not in forms:
        message = _("Judges of this kind cannot be answered in this form. They can: %(forms)s.")
        problems.append(PartProblem(FORM, "unknown_form", message % {"forms": ", ".join(forms) or _("none")}))
    if not text.strip():
        return [*problems, PartProblem(PUBLISHED, "empty", _("Paste the prompt here."))]
    if len(text) > MAX_CHARACTERS:
        message = _("This part has %(n)d characters; %(most)d are the most.")
        return [
            *problems,
            PartProblem(PUBLISHED, "too_long", message % {"n": len(text), "most": MAX_CHARACTERS}),
        ]
    allowed = required | optional
    rule = Rule(allowed, required, {}, (), "", "")
    problems += [one for one in of_braces(PUBLISHED, text, rule) if one.code in ("not_a_variable", "single_braces")]
    used = set()
    for match in VARIABLE.finditer(text):
        used.add(match[1])
        if match[1] not in allowed:
            message = _("This part knows no variable {{%(name)s}}. It knows: %(known)s.")
            known = ", ".join(f"{{{{{name}}}}}" for name in sorted(allowed)) or _("none")
            words = message % {"name": match[1], "known": known}
            problems.append(PartProblem(PUBLISHED, "unknown_variable", words, *place(text, match.start())))
    for name in sorted(required - used):
        message = _("The variable {{%(name)s}} is missing. A judge cannot be asked without it.")
        problems.append(PartProblem(PUBLISHED, "variable_missing", message % {"name": name}))
    return problems
