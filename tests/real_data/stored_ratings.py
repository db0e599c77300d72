"""Ratings of a project as lines, as its file had them: what the import stored, read back from the database."""

from collections.abc import Iterator

from annotation.models import Rating
from projects.models import Project, RaterKind

COLUMNS = (
    "pair__key",
    "response__key",
    "question__slug",
    "rater__name",
    "rater__kind",
    "rater__is_expert",
    "round",
    "first_grade",
    "second_grade",
    "preference",
    "is_swapped",
    "is_of_both_orders",
    "is_unparseable",
)


def lines_of(project: Project) -> Iterator[dict]:
    for row in Rating.objects.filter(question__project=project).order_by("id").values_list(*COLUMNS):
        pair, item, question, rater, kind, is_expert, number, first, second, preference, *flags = row
        about = {"pair": pair, "first": first, "second": second} if pair else {"item": item, "grade": first}
        said = {"preference": preference, **dict(zip(("swapped", "both_orders", "unparseable"), flags, strict=True))}
        line = {"kind": "ratings", "question": question, "rater": rater, "rater_kind": kind, "round": number}
        expert = {"expert": True} if is_expert and kind == RaterKind.HUMAN else {}
        yield {**line, **expert, **{name: value for name, value in (about | said).items() if value is not None}}


def comparable(line: dict, questions: dict[str, str]) -> tuple:
    """What two lines that say the same have in common, whatever they leave out. `questions` by pair or item."""
    subject = line.get("pair") or line["item"]
    grades = [line.get(name) for name in ("first", "second", "grade")]
    flags = [bool(line.get(name)) for name in ("swapped", "both_orders", "unparseable")]
    return (
        subject,
        line.get("question") or questions[subject],
        line["rater"],
        line["rater_kind"],
        line.get("round") or 1,
        *(None if grade is None else float(grade) for grade in grades),
        line.get("preference") or "",
        *flags,
    )
