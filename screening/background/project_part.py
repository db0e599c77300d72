"""The part of the project file about what people are asked of themselves. What they answered stands in no file."""

from collections.abc import Collection
from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.kinds import FLAG, Fault, Kind, one_of, short_text, text, whole
from formats.project_file.part import ALWAYS, LIST, Findings, Part, Slug, texts
from formats.project_file.rows import Rows
from formats.records import Entries
from projects.models import Project
from screening.background.answering import fits, questions_of
from screening.background.eligibility import screen_all
from screening.models import BackgroundAnswer, BackgroundKind, BackgroundQuestion
from screening.models.background import MAX_NUMBER

MAX_QUESTIONS = 40
MAX_OPTIONS = 100
MAX_OPTION = 120

Number = Annotated[int, whole(0, MAX_NUMBER)]


def _bands(value: object) -> Fault | None:
    if type(value) is not list or not 1 <= len(value) <= MAX_OPTIONS:
        return "not_list", _("A list is expected, each entry behind a hyphen.")
    if any(type(number) is not int or not 0 <= number <= MAX_NUMBER for number in value):
        return "not_whole_number", _("A whole number is expected.")
    if value != sorted(set(value)):
        return "not_in_order", _("Numbers from the lowest to the highest are expected, each once.")
    return None


BANDS = Kind(_bands, {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1})


class BackgroundRecord(TypedDict):
    """A question about the person. One that decides who may work is required; every other may be left."""

    slug: Slug
    text: Annotated[str, text(300)]
    purpose: NotRequired[Annotated[str | None, short_text(500), "What the answer is for, as the person reads it"]]
    kind: Annotated[str, one_of(BackgroundKind.values)]
    required: NotRequired[Annotated[bool | None, FLAG, "No work before it is answered"]]
    options: NotRequired[Annotated[list[str] | None, texts(MAX_OPTIONS, MAX_OPTION), "Of a choice: its answers"]]
    bands: NotRequired[Annotated[list[int] | None, BANDS, "Of a number: where the cells it is counted in begin"]]
    eligible: NotRequired[
        Annotated[list[str] | None, texts(MAX_OPTIONS, MAX_OPTION), "Of a choice: answers that let people work"]
    ]
    at_least: NotRequired[Annotated[Number | None, "Of a number: the lowest that lets people work"]]
    at_most: NotRequired[Annotated[Number | None, "Of a number: the highest that lets people work"]]


def answered(ids: Collection[int]) -> set[int]:
    rows = BackgroundAnswer.objects.filter(question__in=ids).order_by()
    return set(rows.values_list("question", flat=True).distinct())


QUESTIONS = Rows(
    BackgroundQuestion,
    {
        "slug": "slug",
        "text": "text",
        "purpose": "purpose",
        "kind": "kind",
        "required": "is_required",
        "options": "options",
        "bands": "bands",
        "eligible": "eligible",
        "at_least": "at_least",
        "at_most": "at_most",
    },
    {
        **dict.fromkeys(("slug", "text", "kind"), ALWAYS),
        "purpose": "",
        "required": False,
        **{name: [] for name in ("options", "bands", "eligible")},
        "at_least": None,
        "at_most": None,
    },
    # What somebody said for one purpose is not used for another, and no bound is moved to find out what they said.
    fixed=("text", "purpose", "kind", "eligible", "at_least", "at_most"),
    used=answered,
)


class BackgroundPart(Part):
    """A question that the file leaves out goes with its answers; one that was answered keeps what it asks and what for.
    An answer that a changed list of options no longer has is gone, and asked for again."""

    key = "background"
    record = Annotated[list[BackgroundRecord], LIST, Entries(most=MAX_QUESTIONS, unique="slug")]
    position = 82

    def read(self, project: Project) -> list[dict[str, Any]]:
        return [QUESTIONS.entry(question) for question in questions_of(project)]

    def write(self, project: Project, value: list[dict[str, Any]], findings: Findings) -> None:
        before = findings.total
        for index, entry in enumerate(value):
            refuse_contradictions(entry, f"background[{index}]", findings)
        if findings.total > before:
            return
        there = questions_of(project)
        _rows, left_out = QUESTIONS.write(project, there, value, "background", findings)
        if findings.are_any():
            return
        if there:
            BackgroundQuestion.objects.filter(pk__in=[question.pk for question in left_out]).delete()
            forget_what_does_not_fit(project)
        screen_all(project)


def refuse_contradictions(entry: dict[str, Any], place: str, findings: Findings) -> None:
    """What the fields of an entry say against each other."""
    options, eligible = entry.get("options") or [], entry.get("eligible") or []
    low, high = entry.get("at_least"), entry.get("at_most")
    of_number = [name for name in ("bands", "at_least", "at_most") if entry.get(name) is not None]
    of_choice = [name for name in ("options", "eligible") if entry.get(name)]
    is_choice = entry["kind"] == BackgroundKind.CHOICE
    for name in of_number if is_choice else of_choice:
        findings.refuse(f"{place}.{name}", "not_of_this_kind", _("A question of this kind has no such field."))
    as_posted = {" ".join(option.split()) for option in options}  # what a browser sends of an answer
    if is_choice and (len(as_posted) < max(2, len(options)) or not as_posted <= set(options)):
        message = _("At least two different answers are expected, each once, on one line and without spaces around.")
        findings.refuse(f"{place}.options", "too_few", message)
    for option in eligible if is_choice else ():
        if option not in options:
            findings.refuse(f"{place}.eligible", "unknown", _("“%(name)s” is none of the answers.") % {"name": option})
    if low is not None and high is not None and low > high:
        findings.refuse(f"{place}.at_most", "out_of_range", _("This is below the lowest that lets people work."))
    if (eligible or low is not None or high is not None) and not entry.get("required"):
        message = _("What decides who may work is required: say “required: true”.")
        findings.refuse(f"{place}.required", "must_be_required", message)


def forget_what_does_not_fit(project: Project) -> None:
    """Answers that the questions, as they are asked now, no longer offer."""
    rows = BackgroundAnswer.objects.filter(question__project=project).select_related("question")
    gone = [row.pk for row in rows if not fits(row.question, row.value)]
    BackgroundAnswer.objects.filter(question__project=project, pk__in=gone).delete()


PARTS = (BackgroundPart(),)
