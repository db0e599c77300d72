"""Question types: what responses are rated on, one with the levels of its scale a line."""

from typing import Annotated, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.format import EVERY_FILE, Format
from formats.kinds import name, short_text, slug, text, whole
from formats.problems import ProblemLog
from formats.records import Rule, ruled

LOWEST, HIGHEST = -100, 100
MAX_DEFINITION = 5_000

Grade = Annotated[int, whole(LOWEST, HIGHEST)]
Definition = Annotated[str, short_text(MAX_DEFINITION)]
DimensionName = Annotated[str, name(80)]


class Level(TypedDict):
    grade: Grade
    label: NotRequired[Annotated[str | None, short_text(40)]]
    summary: Annotated[str, text(300), "In one line"]
    detail: NotRequired[Annotated[Definition | None, "In full"]]


class Question(TypedDict):
    id: Annotated[str, slug(60), "Short name of the question type, unique in its project"]
    dimension: Annotated[DimensionName, "Name of its dimension; made where the project has none of that name"]
    name: Annotated[str, name(80)]
    definition: NotRequired[Annotated[Definition | None, "What is asked"]]
    lowest: NotRequired[
        Annotated[Grade | None, "Lowest grade. Left out together with highest where only a preference is asked for"]
    ]
    highest: NotRequired[Annotated[Grade | None, "Highest grade, above the lowest"]]
    nominal: NotRequired[
        Annotated[bool | None, "True where the grades are names without an order, such as of dialects; needs a scale"]
    ]
    levels: NotRequired[Annotated[list[Level] | None, "What the grades mean, each grade of the scale once at most"]]


def check_scale(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    """Two grades make a scale, none at all ask for a preference; no schema says which is the higher one."""
    lowest, highest = record.get("lowest"), record.get("highest")
    if (lowest is None) != (highest is None):
        message = _("A scale has a lowest and a highest grade; without a scale both are left out.")
        problems.say(line, "half_a_scale", message, prefix + ("highest" if highest is None else "lowest"))
    elif lowest is not None and highest is not None and highest <= lowest:
        problems.say(line, "not_a_scale", _("The highest grade lies above the lowest."), f"{prefix}highest")


def check_nominal(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    """Names without an order are those of a scale."""
    if record.get("nominal") and record.get("lowest") is None:
        message = _("Grades without an order need a scale: a lowest and a highest grade.")
        problems.say(line, "no_classes", message, f"{prefix}nominal")


def check_levels(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    lowest, highest = record.get("lowest"), record.get("highest")
    seen = set()
    for index, level in enumerate(record.get("levels") or []):
        grade, place = level.get("grade"), f"{prefix}levels[{index}].grade"
        if type(grade) is not int:
            continue  # which was said already
        if lowest is None or highest is None or not lowest <= grade <= highest:
            problems.say(line, "off_the_scale", _("The grade lies outside the scale."), place)
        elif grade in seen:
            problems.say(line, "duplicate_id", _("The grade has a level already."), place)
        seen.add(grade)


SCALE_RULES = (Rule(check_scale, is_decisive=True), Rule(check_nominal), Rule(check_levels))
ruled(Question, *SCALE_RULES)

FORMAT = Format(
    name="question",
    version="mizan.question/1",
    title="A line of a questions file: one question type with the levels of its scale",
    description=f"{EVERY_FILE} A null stands for an optional field left out.",
    records={"": Question},
    example='{"id": "warmth", "dimension": "Localized tone", "name": "Warmth", "definition": "…", "lowest": 1, '
    '"highest": 3, "levels": [{"grade": 1, "label": "Cold", "summary": "…", "detail": "…"}]}',
)
