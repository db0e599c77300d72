"""Whether an answer has the form asked for: a list, a table, headings."""

from collections.abc import Callable

import regex

from agreement.answers.declaration import Case, NotApplicable, Parameter, Rule, Score, Scorer, Target, scaled

_BULLETS = regex.compile(r"^[ \t]*[-*+•▪◦‣·–][ \t]+\S", regex.MULTILINE)
_NUMBERS = regex.compile(
    r"^[ \t]*(?:\*\*)?\(?(?:\d{1,3}|[٠-٩]{1,3}|[০-৯]{1,3})[.)\-:](?:\*\*)?[ \t]+\S", regex.MULTILINE
)
_HEADINGS = regex.compile(r"^[ \t]*(?:#{1,6}[ \t]+\S|\*\*[^*\n]+\*\*:?[ \t]*$)", regex.MULTILINE)
_ROW = regex.compile(r"^[ \t]*\|(.+)\|[ \t]*$", regex.MULTILINE)
_RULE = regex.compile(r"^[\s|:\-]+$")
_PAIRS = regex.compile(
    r"^[ \t]*(?:[-*+•][ \t]+)?(?:\*\*)?[^\s:：|][^:：\n|]{0,60}(?:\*\*)?[:：](?:\*\*)?[ \t]*\S", regex.MULTILINE
)


def _table(text: str) -> tuple[int, int]:
    """Rows below the head and columns of Markdown tables in a text; 0 and 0 where there is none."""
    rows = _ROW.findall(text)
    rules = [row for row in rows if _RULE.match(row)]
    if not rules:
        return 0, 0
    body = [row for row in rows if not _RULE.match(row)]
    return max(len(body) - 1, 0), max((row.count("|") + 1 for row in body), default=0)


def _counted(pattern: regex.Pattern[str]) -> Callable[[str], tuple[int, int]]:
    return lambda text: (len(pattern.findall(text)), 0)


#: By form, what gives its number of items (rows of a table) and of columns in a text.
FORMS: dict[str, Callable[[str], tuple[int, int]]] = {
    "bullets": _counted(_BULLETS),
    "numbers": _counted(_NUMBERS),
    "headings": _counted(_HEADINGS),
    "pairs": _counted(_PAIRS),
    "table": _table,
}


def prepare(target: Target, form: str, items: int) -> Scorer:
    count = FORMS[form]
    asked_items, asked_columns = count(target.reference)
    asked_items = items or asked_items
    if not asked_items:
        raise NotApplicable(f"structuring needs a reference in the form of {form}, or the number of items")

    def score(answer: str) -> Score:
        n_items, n_columns = count(answer)
        checks = {"form": n_items > 0, "items": n_items == asked_items}
        if asked_columns:
            checks["columns"] = n_columns == asked_columns
        value = scaled(sum(checks.values()) / len(checks)) if checks["form"] else 0.0
        return Score(value, {**checks, "n_items": n_items, "asked": asked_items})

    return score


RULE = Rule(
    name="structuring",
    title="Structure",
    definition=(
        "Share of the checks that the answer passes: it has the form asked for (bulleted or numbered lines, "
        "headings, name: value pairs, a Markdown table), as many items or rows as the reference, and for a table "
        "as many columns. Another form scores 0. What the items say is left to the question's other rules."
    ),
    version=1,
    published="MANUAL_STRUCTURING_1",
    parameters=(
        Parameter(name="form", kind="text", choices=tuple(FORMS), help="the form asked for"),
        Parameter(
            name="items", kind="integer", default=0, minimum=0, help="number of items; 0: as many as the reference has"
        ),
    ),
    prepare=prepare,
    cases=(
        Case(reference="- a\n- b", answer="* أحمد\n* منى", score=10, parameters={"form": "bullets"}),
        # the form, not the number: 1 of 2
        Case(reference="- a\n- b", answer="- a\n- b\n- c", score=5, parameters={"form": "bullets"}),
        Case(reference="1. a\n2. b", answer="- a\n- b", score=0, parameters={"form": "numbers"}),
        Case(reference="", answer="١. ا\n٢) ب", score=10, parameters={"form": "numbers", "items": 2}),
        # form and columns, not rows: 2 of 3
        Case(
            reference="|a|b|\n|-|-|\n|1|2|\n|3|4|",
            answer="| x | y |\n|---|:--|\n| 1 | 2 |",
            score=6.6666666667,
            parameters={"form": "table"},
            detail={"form": True, "items": False, "columns": True},
        ),
        Case(reference="Name: Mona\nAge: 3", answer="**الاسم**: منى\nالعمر: ٣", score=10, parameters={"form": "pairs"}),
        Case(reference="# A\ntext", answer="## ب\nنص", score=10, parameters={"form": "headings"}),
        Case(reference="- a", answer="", score=0, parameters={"form": "bullets"}),
        Case(reference="prose", parameters={"form": "bullets"}, refused="needs a reference in the form of bullets"),
    ),
)
