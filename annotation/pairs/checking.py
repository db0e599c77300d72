"""Is this a rating, and is this an answer? One path for people, judges and imports; no database.

A draft's body is

    {"ratings": [{"question", "first", "second", "preference", "comment"}]}

with an entry per question type, named by its slug. `first` and `second` are grades of the pair's first and second
response; of a single response there are `question`, `first` and `comment` alone. All but `question` may be absent,
null or empty while it is written.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from django.utils.translation import gettext as _

from annotation.models import Preference
from annotation.pairs.rules import broken, is_answered, left_open
from formats.limits import MAX_COMMENT, MAX_SLUG
from projects.problems import Invalid, Problem
from projects.stored_text import UNSTORABLE, read_text

MAX_RATINGS = 200
FARTHEST = 2**15 - 1  # of a grade; what a question type's scale can reach
#: As far from 1 a sum of rounded probabilities may be.
OF_ONE = 0.01
PREFERENCES = frozenset(["", *Preference.values])
FIELDS_OF_PAIR = ("question", "first", "second", "preference", "comment")
FIELDS_OF_RESPONSE = ("question", "first", "comment")


class Scaled(Protocol):
    """What of a question type is needed to check a rating: a row of projects.QuestionType, or no more than this."""

    @property
    def slug(self) -> str: ...
    @property
    def lowest(self) -> int | None: ...
    @property
    def highest(self) -> int | None: ...
    @property
    def is_nominal(self) -> bool: ...


# --- One rating, of anybody ---------------------------------------------------------------------------


def check_probabilities(question: Scaled, probabilities: Sequence[float] | None, *, is_pair: bool) -> list[Problem]:
    """What keeps these numbers from being chances of all that may be said: of a response of every grade of the scale,
    ascending; of a pair of a win of the first, a tie, a win of the second. Empty where nothing does, or none are given.
    """
    if not probabilities:
        return []
    if not is_pair and (question.lowest is None or question.highest is None):
        message = _("The question type has no scale, so no grade has a probability.")
        return [Problem("no_scale", message, "probabilities", span=question.slug)]
    expected = 3 if is_pair else (question.highest or 0) - (question.lowest or 0) + 1
    if len(probabilities) != expected:
        message = _("%(expected)d probabilities are expected; these are %(given)d.")
        message %= {"expected": expected, "given": len(probabilities)}
        return [Problem("wrong_number", message, "probabilities", span=question.slug)]
    if abs(sum(probabilities) - 1) > OF_ONE:
        message = _("Probabilities add up to 1; these make %(sum).4f.") % {"sum": sum(probabilities)}
        return [Problem("not_one", message, "probabilities", span=question.slug)]
    return []


def check_rating(
    question: Scaled,
    first: object,
    second: object,
    preference: object,
    *,
    is_pair: bool,
    is_unparseable: bool = False,
    where: str = "",
) -> list[Problem]:
    """What keeps these values from being a rating; empty where nothing does.

    A question type with a scale needs a grade of each side, or, of a pair, a preference in their place; one without
    a scale takes a preference alone. An unparseable verdict says nothing. `where` is put before the field's name in
    each problem; `span` is the question's slug.
    """
    problems: list[Problem] = []

    def add(code: str, message: str, field: str) -> None:
        problems.append(Problem(code, message, f"{where}.{field}" if where else field, span=question.slug))

    grades = {"first": first, "second": second} if is_pair else {"first": first}
    if not is_pair and second is not None:
        add("not_with_response", _("A single response has one grade."), "second")
    if not is_pair and preference not in ("", None):
        add("not_with_response", _("With a single response there is nothing to prefer."), "preference")
    if preference not in PREFERENCES:
        add("unknown", _("A preference is “first”, “second” or “tie”."), "preference")
    if is_unparseable:
        if preference or first is not None or second is not None:
            add("contradiction", _("A verdict that could not be read has no grade and no preference."), "first")
        return problems
    for field, grade in grades.items():
        if grade is None:
            continue
        if question.lowest is None or question.highest is None:
            add("no_scale", _("This question asks for a preference alone."), field)
        elif type(grade) not in (int, float) or not question.lowest <= grade <= question.highest:  # type: ignore[operator]
            message = _("A grade lies between %(lowest)d and %(highest)d.")
            add("off_scale", message % {"lowest": question.lowest, "highest": question.highest}, field)
        elif question.is_nominal and grade != int(grade):  # type: ignore[call-overload]
            add("not_whole_number", _("Grades of this question have no order, so there is none between two."), field)
    missing = [field for field, grade in grades.items() if grade is None]
    if missing and (len(missing) < len(grades) or not (is_pair and preference)):
        if question.lowest is None and is_pair:
            add("required", _("Say which one is better."), "preference")
        elif question.lowest is None:
            add("no_scale", _("This question compares two responses."), "first")
        for field in missing if question.lowest is not None else ():
            add("required", _("A grade is missing."), field)
    return problems


# --- A person's answer --------------------------------------------------------------------------------


def blank(questions: Sequence[Scaled], is_pair: bool) -> dict:
    """An answer nobody has begun, with an entry per question type."""
    return {"ratings": [_entry({"question": question.slug}, is_pair) for question in questions]}


def check_draft(body: object, is_pair: bool) -> dict:
    """The body with every field in its place: well-formed, though unfinished.

    Raises Invalid with every problem found; those of a rating name its question type as `span`.
    """
    if not isinstance(body, Mapping):
        raise Invalid(Problem("not_an_object", _("A draft must be an object."), "body"))
    problems = [_unknown(field) for field in body if field != "ratings"]
    raws = body.get("ratings", [])
    if not isinstance(raws, list):
        raise Invalid([*problems, Problem("not_a_list", _("The ratings must be a list."), "ratings")])
    if len(raws) > MAX_RATINGS:
        raise Invalid([*problems, Problem("too_many", _("There are more ratings than question types."), "ratings")])
    ratings: list[dict] = []
    for place, raw in enumerate(raws):
        ratings.append(_rating(raw, is_pair, f"ratings[{place}]", problems))
    slugs = [rating["question"] for rating in ratings]
    for slug in {slug for slug in slugs if slug and slugs.count(slug) > 1}:
        problems.append(Problem("repeated", _("Two ratings answer the same question type."), "question", span=slug))
    if problems:
        raise Invalid(problems)
    return {"ratings": ratings}


def check_complete(
    draft: Mapping[str, Any], questions: Sequence[Scaled], is_pair: bool, rules: Sequence[Mapping[str, Any]] = ()
) -> dict:
    """A checked draft as an answer, its ratings in the order of the question types asked.

    Raises Invalid with every problem, in the order of the screen. Grades of people are asked for even where they
    have a preference. Beside that the blocking ones of the stage's `rules` hold; questions that they leave open and
    nobody answered are in no answer.
    """
    given = {rating["question"]: rating for rating in draft["ratings"]}
    against = [each for each in broken(rules, draft["ratings"]) if not each.warns]
    skipped = {slug for slug in left_open(rules, draft["ratings"]) if not is_answered(given.get(slug, {}))}
    problems = []
    for question in questions:
        if question.slug in skipped:
            continue
        rating = given.get(question.slug) or _entry({"question": question.slug}, is_pair)
        faults = check_rating(
            question, rating["first"], rating.get("second"), rating.get("preference", ""), is_pair=is_pair
        )
        asked = ("first", "second") if is_pair and question.lowest is not None else ()
        named = {problem.field for problem in faults}
        faults += [
            Problem("required", _("A grade is missing."), field, span=question.slug)
            for field in asked
            if rating[field] is None and field not in named
        ]
        problems += faults or [each.problem for each in against if each.span == question.slug]
    known = {question.slug for question in questions}
    for slug in given:
        if slug not in known:
            message = _("This question is not asked about here. Reload the page; what you wrote is kept.")
            problems.append(Problem("unknown_question", message, "question", span=slug))
    problems += [each.problem for each in against if each.span is None]
    if problems:
        raise Invalid(problems)
    return {"ratings": [given[question.slug] for question in questions if question.slug not in skipped]}


def _entry(values: Mapping[str, Any], is_pair: bool) -> dict:
    unset = {"first": None, "second": None}
    fields = FIELDS_OF_PAIR if is_pair else FIELDS_OF_RESPONSE
    return {field: values.get(field, unset.get(field, "")) for field in fields}


def _unknown(field: object, where: str = "") -> Problem:
    return Problem("unknown_field", _("There is no such field."), f"{where}{str(field)[:40]}")


def _rating(raw: object, is_pair: bool, where: str, problems: list[Problem]) -> dict:
    if not isinstance(raw, Mapping):
        problems.append(Problem("not_an_object", _("A rating must be an object."), where))
        return _entry({}, is_pair)
    slug = raw.get("question")
    if not isinstance(slug, str) or not 0 < len(slug) <= MAX_SLUG or UNSTORABLE.search(slug):
        problems.append(Problem("required", _("Each rating names its question type."), f"{where}.question"))
        slug = ""
    fields = FIELDS_OF_PAIR if is_pair else FIELDS_OF_RESPONSE
    problems += [_unknown(field, f"{where}.") for field in raw if field not in fields]
    faults: list[Problem] = []
    values = {
        "question": slug,
        "first": _grade(raw, "first", faults),
        "comment": read_text(raw.get("comment"), MAX_COMMENT, "comment", faults),
    }
    if is_pair:
        values["second"] = _grade(raw, "second", faults)
        values["preference"] = read_text(raw.get("preference"), MAX_COMMENT, "preference", faults)
        if values["preference"] not in PREFERENCES:
            faults.append(Problem("unknown", _("A preference is “first”, “second” or “tie”."), "preference"))
    problems += [Problem(each.code, each.message, f"{where}.{each.field}", span=slug or None) for each in faults]
    return _entry(values, is_pair)


def _grade(raw: Mapping[str, Any], field: str, problems: list[Problem]) -> int | None:
    value = raw.get(field)
    if value is None:
        return None
    if type(value) is not int or not -FARTHEST <= value <= FARTHEST:
        problems.append(Problem("not_whole_number", _("A grade must be a whole number."), field))
        return None
    return value
