"""Gold files of rubrics: what the export writes is read back, so that exporting again gives the same bytes.

A line is declared in formats/rubric_gold.py. It brings its prompt and response as an item, every version
of the rubric, and all grades given under each. Raters appear by pseudonym and keep it; the order of freeze,
collection and showing stands as the file has it.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.grade import PROMPT_VERSION
from formats.importing.items import Items
from formats.importing.origins import OWN_LABORATORY
from formats.importing.registry import Importer
from formats.item import RESPONSE_FIELDS
from formats.kinds import moment_of
from formats.problems import ProblemLog
from formats.reading import Record
from formats.rubric_gold import FORMAT
from projects.models import Label, Project, Prompt, Response
from projects.vocabularies import vocabularies_of_import
from rubrics.importing.frozen import FrozenRubrics, sha256_of
from rubrics.importing.grading import GradeBook, GradeLine
from rubrics.importing.pseudonyms import GraderBook
from rubrics.models import Criterion, Grade, ImportedOrder, Rubric, RubricSettings, Verdict, WeightBand


class RubricGold(Importer):
    """Stores a line's item, the versions of its rubric, and its grades, each by the importer of its kind."""

    kind = "rubric-gold"
    name = gettext_lazy("Gold: responses with rubrics and grades")
    format = FORMAT
    fills = (*Items.fills, Rubric, Grade, Verdict, Criterion)
    settings = (WeightBand, Label, RubricSettings)
    batch_lines = 200

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.items = Items(project, problems, RESPONSE_FIELDS)
        self.items.renews = False
        self.raters = GraderBook(project, problems)
        self.raters.own = self.items.own
        self.rubrics = FrozenRubrics(project, problems, self.counts)
        types = vocabularies_of_import(project, "rubrics").failure_types
        self.grades = GradeBook(project, problems, self.counts, types)

    # --- Many lines into the project ---

    def store(self, batch: Sequence[Record]) -> None:
        self.items.store([Record(record.line, item_of(record.fields)) for record in batch])
        self.counts |= self.items.counts
        if self.problems.total:
            return  # nothing will be stored, so the rest need not be tried
        self._add_bands(batch)
        keys = [record.fields["id"] for record in batch]
        of_keys = Response.objects.filter(project=self.project, key__in=keys)
        responses = {each.key: each for each in of_keys.select_related("target_model", "prompt__variety")}
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
        self.counts[OWN_LABORATORY] = self.raters.own_answers

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
                    if any(getattr(row, field) != value for field, value in band.items()):
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
    return {field: fields[field] for field in RESPONSE_FIELDS if fields.get(field) not in (None, "")}


def grade_of(grade: dict) -> dict:
    """The grade as a line of grades has it; the prompt version of a judge is kept among its metadata."""
    metadata = dict(grade.get("metadata") or {})
    if grade.get("prompt_version"):
        metadata[PROMPT_VERSION] = grade["prompt_version"]
    return {**grade, "metadata": metadata}
