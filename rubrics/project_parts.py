"""The part of the project file about rubrics: how they are written, and what weights mean."""

from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.kinds import FLAG, name, whole
from formats.limits import MAX_WEIGHT
from formats.problems import ProblemLog
from formats.project_file.part import LIST, RECORD, Findings, Part, Slug
from formats.project_file.rows import Rows, Settings
from formats.records import Entries, Rule, ruled
from projects.models import Project
from rubrics.authoring.settings import graded_by_people, settings_of
from rubrics.models import RubricSettings, WeightBand

MAX_BANDS = 50


class BandRecord(TypedDict):
    """A range of weights with a meaning."""

    slug: Slug
    name: Annotated[str, name(80)]
    lowest: Annotated[int, whole(1, MAX_WEIGHT)]
    highest: Annotated[int, whole(1, MAX_WEIGHT)]


def check_range(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    if record["highest"] < record["lowest"]:
        problems.say(line, "not_a_range", _("The highest weight lies below the lowest."), f"{prefix}highest")


ruled(BandRecord, Rule(check_range))


class RubricsRecord(TypedDict):
    """How rubrics are written."""

    needs_difficulty_check: NotRequired[Annotated[bool | None, FLAG, "A prompt is tried on a model before the freeze"]]
    needs_review: NotRequired[Annotated[bool | None, FLAG, "A second author reviews before the freeze"]]
    judges_alone: NotRequired[Annotated[bool | None, FLAG, "Judges grade alone, and no person does"]]
    bands: NotRequired[Annotated[list[BandRecord] | None, LIST, Entries(most=MAX_BANDS, unique="slug")]]


SETTINGS = Settings(RubricSettings, {name: name for name in ("needs_difficulty_check", "needs_review", "judges_alone")})
BANDS = Rows(WeightBand, {name: name for name in ("slug", "name", "lowest", "highest")}, {})


class RubricsPart(Part):
    """Frozen rubrics keep their weights whatever the bands are: all of it may change at any time."""

    key = "rubrics"
    record = Annotated[RubricsRecord, RECORD]
    position = 70

    def read(self, project: Project) -> dict[str, Any]:
        said = SETTINGS.entry(settings_of(project))
        bands = [BANDS.entry(band) for band in project.weight_bands.order_by("position", "pk")]
        return {**said, "bands": bands} if bands else said

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        row = settings_of(project)
        changed = SETTINGS.set_on(row, value)
        if "judges_alone" in changed and row.judges_alone and (problem := graded_by_people(project)):
            findings.refuse("rubrics.judges_alone", "graded_by_people", problem)
            return
        if changed:
            row.save()
        bands, place = value.get("bands") or [], "rubrics.bands"
        _rows, left_out = BANDS.write(project, project.weight_bands.all(), bands, place, findings)
        BANDS.remove(left_out, place, findings)


PARTS = (RubricsPart(),)
