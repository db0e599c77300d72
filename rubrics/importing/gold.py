"""Gold files of rubrics: what the export writes is read back, so that exporting again gives the same bytes.

The schema is rubrics/schemas/rubric-gold.schema.json. A line brings its prompt and response as an item, every version
of the rubric, and all grades given under each. Raters appear by pseudonym and keep it; the order of freeze,
collection and showing stands as the file has it.
"""

from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.anchors import sha256, to_utf16
from projects.importing.fields import (
    Fault,
    Field,
    ProblemLog,
    check_fields,
    flag,
    moment,
    moment_of,
    name,
    one_of,
    rows,
    short_text,
    whole,
)
from projects.importing.items import FIELDS as ITEM_FIELDS
from projects.importing.items import Items
from projects.importing.raters import RATER_FIELDS
from projects.importing.reading import Record
from projects.importing.registry import Importer
from projects.models import Project, Prompt, Response
from rubrics.importing.frozen import FrozenRubrics, sha256_of
from rubrics.importing.grades import ANSWER_FIELDS, check_role, tags
from rubrics.importing.grading import GradeBook, GradeLine
from rubrics.importing.lines import (
    FAR,
    NEGATIVE_FIELDS,
    PROMPT_VERSION,
    RUBRIC_FIELDS,
    check_answer,
    check_rubric,
    refuse_future,
)
from rubrics.importing.pseudonyms import GraderBook
from rubrics.models import Criterion, Grade, ImportedOrder, Rubric, Verdict, WeightBand

FORMAT = "mizan.rubric-gold/1"


def name_or_nothing(value: object) -> Fault | None:
    """Task and domain, which the export writes as "" where there is none."""
    return None if value == "" else name(80)(value)


def number(value: object) -> Fault | None:
    return None if type(value) in (int, float) else ("not_a_number", _("A number is expected."))


def tags_or_none(value: object) -> Fault | None:
    return None if value == [] else tags(value)


LINE_FIELDS = {
    **ITEM_FIELDS,
    "format": Field(one_of((FORMAT,)), required=True),
    "prompt_id": Field(name(200), required=True),
    "prompt_sha256": Field(short_text(FAR)),
    "response_sha256": Field(short_text(FAR)),
    "task": Field(name_or_nothing),
    "domain": Field(name_or_nothing),
    "collected_at": Field(moment, required=True),
    "first_shown_at": Field(moment),
    "rubrics": Field(rows, required=True),
}
VERSION_FIELDS = {
    **RUBRIC_FIELDS,
    "version": Field(whole(1, 32_767), required=True),
    "author": Field(name(32), required=True),
    "reviewed_by": Field(name(32)),
    "metadata": ITEM_FIELDS["metadata"],
    "bands": Field(rows),
    "grades": Field(rows, required=True),
}
BAND_FIELDS = {
    "slug": Field(name(60), required=True),
    "name": Field(name(80), required=True),
    "lowest": Field(whole(1, 32_767), required=True),
    "highest": Field(whole(1, 32_767), required=True),
}
GRADE_FIELDS = {
    **ANSWER_FIELDS,
    **RATER_FIELDS,
    "rater": Field(name(32), required=True),
    "name": Field(name(120)),
    "prompt_version": Field(name(120)),
    "varieties": Field(tags_or_none),
    "complete": Field(flag),
    "raw": Field(whole(-FAR, FAR)),
    "maximum": Field(whole(1, FAR)),
    "percent": Field(number),
}
UTF16_FIELDS = {"start_utf16": Field(whole(0, FAR)), "end_utf16": Field(whole(0, FAR))}
ERROR_FIELDS = {**NEGATIVE_FIELDS, **UTF16_FIELDS}


class RubricGold(Importer):
    """Stores a line's item, the versions of its rubric, and its grades, each by the importer of its kind."""

    kind = "rubric-gold"
    name = gettext_lazy("Gold: responses with rubrics and grades")
    line_format = FORMAT
    schema = Path(__file__).parent.parent / "schemas" / "rubric-gold.schema.json"
    fills = (*Items.fills, Rubric, Grade, Verdict, Criterion)
    settings = (WeightBand,)
    batch_lines = 200

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.items = Items(project, problems, ITEM_FIELDS)
        self.raters = GraderBook(project, problems)
        self.rubrics = FrozenRubrics(project, problems, self.counts)
        self.grades = GradeBook(problems, self.counts)

    # --- One line by itself ---

    def check(self, record: Record) -> bool:
        before = self.problems.total
        if not check_fields(LINE_FIELDS, record.fields, record.line, self.problems):
            return False
        for field in ("prompt", "response"):
            given = record.fields.get(f"{field}_sha256")
            if given is not None and given != sha256(record.fields[field]):
                message = _("The text is not the one this hash was made of.")
                self.problems.say(record.line, "hash_differs", message, f"{field}_sha256")
        if not record.fields["rubrics"]:
            self.problems.say(record.line, "nothing", _("The response has no rubric."), "rubrics")
        for index, version in enumerate(record.fields["rubrics"]):
            self._check_version(record, version, f"rubrics[{index}].")
        if self.problems.total == before:
            self._check_order(record)
        return self.problems.total == before

    def _check_version(self, record: Record, version: dict, place: str) -> None:
        if not check_fields(VERSION_FIELDS, version, record.line, self.problems, place):
            return
        check_rubric(version, record.line, self.problems, place)
        for index, band in enumerate(version.get("bands") or []):
            at = f"{place}bands[{index}]."
            if check_fields(BAND_FIELDS, band, record.line, self.problems, at) and band["lowest"] > band["highest"]:
                message = _("A band's highest weight is not below its lowest.")
                self.problems.say(record.line, "reversed", message, f"{at}highest")
        for index, grade in enumerate(version["grades"]):
            self._check_grade(record, version, grade, f"{place}grades[{index}].")

    def _check_grade(self, record: Record, version: dict, grade: dict, place: str) -> None:
        if not check_fields(GRADE_FIELDS, grade, record.line, self.problems, place):
            return
        check_role(grade, record.line, self.problems, place)
        before = self.problems.total
        for index, error in enumerate(grade.get("negatives") or []):
            at = f"{place}negatives[{index}]."
            if not check_fields(ERROR_FIELDS, error, record.line, self.problems, at):
                continue
            for field in ("start", "end"):
                units, offset = error.pop(f"{field}_utf16", None), error.get(field)
                if units is not None and (offset is None or units != to_utf16(record.fields["response"], offset)):
                    message = _("The offset in UTF-16 units is another place than the one in code points.")
                    self.problems.say(record.line, "offsets_differ", message, f"{at}{field}_utf16")
        if self.problems.total != before or not check_answer(grade, record.line, self.problems, place):
            return
        self._check_score(record, version, grade, place)

    def _check_score(self, record: Record, version: dict, grade: dict, place: str) -> None:
        """What is complete has a score of which the maximum and the percentage are those of its criteria."""
        raw, maximum = grade.get("raw"), grade.get("maximum")
        has_score = raw is not None and maximum is not None
        if has_score != (grade.get("complete") is not False):
            message = _("A complete grade has a score, one that is not complete has none.")
            self.problems.say(record.line, "score_differs", message, f"{place}raw")
        elif raw is not None and maximum is not None:
            expected = sum(each["weight"] for each in version["criteria"] if type(each.get("weight")) is int)
            if maximum != expected:
                message = _("The positive criteria weigh %(points)d together.") % {"points": expected}
                self.problems.say(record.line, "score_differs", message, f"{place}maximum")
            elif grade.get("percent") not in (None, 100 * raw / maximum):
                message = _("The percentage is not that of these points.")
                self.problems.say(record.line, "score_differs", message, f"{place}percent")

    def _check_order(self, record: Record) -> None:
        fields = record.fields
        for field in ("collected_at", "first_shown_at"):
            if fields.get(field):
                refuse_future(record.line, fields[field], field, self.problems)
        shown = fields.get("first_shown_at")
        if shown and moment_of(shown) < min(moment_of(version["frozen_at"]) for version in fields["rubrics"]):
            message = _("The response was shown before a rubric of its prompt was frozen.")
            self.problems.say(record.line, "shown_before_freeze", message, "first_shown_at")

    # --- Many lines into the project ---

    def store(self, batch: Sequence[Record]) -> None:
        self.items.store([Record(record.line, item_of(record.fields)) for record in batch])
        self.counts |= self.items.counts
        if self.problems.total:
            return  # nothing will be stored, so the rest need not be tried
        self._add_bands(batch)
        keys = [record.fields["id"] for record in batch]
        found = Response.objects.filter(project=self.project, key__in=keys)
        responses = {each.key: each for each in found.select_related("target_model", "prompt__variety")}
        self.rubrics.load(response.prompt for response in responses.values())
        lines = [line for record in batch for line in self._lines(record, responses[record.fields["id"]])]
        if not self.problems.total:
            self.rubrics.store()
            self.grades.store(lines)
            self._check_scores(lines)
        ImportedOrder.objects.bulk_create(
            ImportedOrder(
                response=responses[record.fields["id"]],
                collected_at=moment_of(record.fields["collected_at"]),
                first_shown_at=moment_of(shown) if (shown := record.fields.get("first_shown_at")) else None,
            )
            for record in batch
        )
        self.counts["new raters"] = self.raters.created

    def _add_bands(self, batch: Sequence[Record]) -> None:
        """Bands the project has not are added to it; one of another range is another band."""
        known = self.rubrics.bands
        for record in batch:
            for index, version in enumerate(record.fields["rubrics"]):
                for number_in_line, band in enumerate(version.get("bands") or []):
                    row = known.get(band["slug"])
                    if row is None:
                        position = len(known) + 1
                        row = WeightBand.objects.create(project=self.project, position=position, **band)
                        known[row.slug] = row
                    if any(getattr(row, field) != band[field] for field in BAND_FIELDS):
                        message = _("The project knows this weight band with another name or range.")
                        place = f"rubrics[{index}].bands[{number_in_line}]"
                        self.problems.say(record.line, "band_differs", message, place)

    def _lines(self, record: Record, response: Response) -> list[GradeLine]:
        """The grades of one line, under the version each was given under; the oldest version comes first."""
        lines = []
        versions = sorted(enumerate(record.fields["rubrics"]), key=lambda pair: pair[1]["version"])
        for index, version in versions:
            place = f"rubrics[{index}]."
            rubric = self._rubric(record, version, response.prompt, place)
            if rubric is None:
                continue
            for number_in_line, grade in enumerate(version["grades"]):
                at = f"{place}grades[{number_in_line}]."
                rater = self.raters.rater_of(record.line, grade, response, at)
                if rater is not None:
                    lines.append(GradeLine(record.line, grade_of(grade), response, rubric, rater, at))
        return lines

    def _rubric(self, record: Record, version: dict, prompt: Prompt, place: str) -> Rubric | None:
        """The version as an earlier line brought it, where it is the same; else a new one."""
        known = self.rubrics.known.get(prompt.pk, {}).get(version["version"])
        if known is None:
            author = self.raters.person(version["author"], record.line, f"{place}author")
            reviewer = version.get("reviewed_by")
            reviewed_by = self.raters.person(reviewer, record.line, f"{place}reviewed_by") if reviewer else None
            if author is None:
                return None
            return self.rubrics.add(record.line, version, prompt, author, reviewed_by, place)
        if self.rubrics.hashes[prompt.pk, known.version] != sha256_of(version, prompt):
            message = _("The prompt “%(id)s” has another rubric as its version %(version)d.")
            values = {"id": prompt.key, "version": known.version}
            self.problems.say(record.line, "rubric_differs", message % values, f"{place}sha256")
            return None
        return known

    def _check_scores(self, lines: Sequence[GradeLine]) -> None:
        """The points that the verdicts add up to are those of the file."""
        responses = {line.response.pk for line in lines}
        rows = Grade.objects.filter(response__in=responses).values_list(
            "response_id", "rubric_id", "rater_id", "round", "raw"
        )
        raw_of = {tuple(row[:4]): row[4] for row in rows}
        for line in lines:
            raw = raw_of.get((line.response.pk, line.rubric.pk, line.rater.pk, line.round))
            if raw is not None and raw != line.fields["raw"]:
                message = _("The verdicts add up to %(points)d points.") % {"points": raw}
                self.problems.say(line.number, "score_differs", message, f"{line.place}raw")


def item_of(fields: dict) -> dict:
    """The fields of the line that make an item; an empty task or domain is none."""
    return {field: fields[field] for field in ITEM_FIELDS if fields.get(field) not in (None, "")}


def grade_of(grade: dict) -> dict:
    """The grade as a line of grades has it; the prompt version of a judge is kept among its metadata."""
    metadata = dict(grade.get("metadata") or {})
    if grade.get("prompt_version"):
        metadata[PROMPT_VERSION] = grade["prompt_version"]
    return {**grade, "metadata": metadata}
