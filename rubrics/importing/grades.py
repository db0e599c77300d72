"""The importer of grades: what one rater said of one response under its rubric, one grade a line."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.importing.fields import (
    Fault,
    Field,
    ProblemLog,
    check_fields,
    moment,
    name,
    one_of,
    rows,
    short_text,
    whole,
)
from projects.importing.raters import RATER_FIELDS, ROUND, RaterBook
from projects.importing.reading import Record
from projects.importing.registry import Importer
from projects.models import Project, Rater, RaterKind, Response
from projects.rehearsing import Weighed
from rubrics.importing.adoption import adopt_grades
from rubrics.importing.communities import Communities
from rubrics.importing.grading import GradeBook, GradeLine
from rubrics.importing.lines import check_answer, grade_metadata, refuse_future
from rubrics.models import Criterion, Grade, GradeRole, Rubric, Verdict
from rubrics.scoring.checking import MAX_TEXT
from workflow.models import Stage

OFFSET_UNITS = ("codepoint", "utf16")


def tags(value: object) -> Fault | None:
    """A list of language varieties, each once."""
    if type(value) is list and value and all(name(35)(tag) is None for tag in value) and len(set(value)) == len(value):
        return None
    return "not_tags", _("A list of language varieties is expected, such as [“ar-IQ”], each once.")


# What a grade says of itself, wherever it stands.
ANSWER_FIELDS = {
    "role": Field(one_of(GradeRole.values), required=True),
    "round": ROUND,
    "verdicts": Field(rows, required=True),
    "negatives": Field(rows),
    "comment": Field(short_text(MAX_TEXT)),
    "graded_at": Field(moment),
    "metadata": Field(grade_metadata),
}
FIELDS = {
    "item": Field(name(200), required=True),
    **RATER_FIELDS,
    "varieties": Field(tags),
    "version": Field(whole(1, 32_767)),
    "offset_unit": Field(one_of(OFFSET_UNITS)),
    **ANSWER_FIELDS,
}


class Grades(Importer):
    """Stores grades of people and judges who worked elsewhere."""

    kind = "grades"
    name = gettext_lazy("Grades: verdicts on the criteria of a rubric")
    fills = (Grade, Verdict, Criterion)
    settings = (Stage,)
    schema = Path(__file__).parent.parent / "schemas" / "grade.schema.json"
    example = (
        '{"item": "eg-1", "rater": "Mona Adel", "rater_kind": "human", "role": "reference", "verdicts": [{"criterion": '
        '"c1", "value": "pass"}], "negatives": [{"key": "n1", "text": "…", "weight": -5, "failure_type": '
        '"hallucination", "objectivity": "objective", "explicitness": "explicit", "quote": "مصرية"}]}'
    )

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.raters = RaterBook(project, problems)
        self.communities = Communities(project, problems)
        self.grades = GradeBook(problems, self.counts)
        self.touched: set[int] = set()

    def check(self, record: Record) -> bool:
        before = self.problems.total
        fields = record.fields
        if not check_fields(FIELDS, fields, record.line, self.problems):
            return False
        check_role(fields, record.line, self.problems)
        check_answer(fields, record.line, self.problems)
        return self.problems.total == before

    def store(self, batch: Sequence[Record]) -> None:
        keys = {record.fields["item"] for record in batch}
        rows = Response.objects.filter(project=self.project, key__in=keys).select_related("target_model")
        responses = {response.key: response for response in rows}
        rubrics = versions_of({response.prompt_id for response in responses.values()})
        lines = []
        for record in batch:
            response = responses.get(record.fields["item"])
            if response is None:
                message = _("The project has no response with this id.")
                self.problems.say(record.line, "unknown_item", message, "item")
                continue
            rubric = self._rubric(record, rubrics.get(response.prompt_id, {}))
            rater = self.raters.rater_of(record.line, record.fields, response)
            if rater is not None:
                self.communities.note(record.line, rater, record.fields.get("varieties"))
            if rubric is not None and rater is not None:
                lines.append(GradeLine(record.line, record.fields, response, rubric, rater))
        self.grades.store(lines)
        self.counts["new raters"] = self.raters.created
        self.touched.update(line.response.pk for line in lines)

    def finish(self) -> None:
        """Turns of people who also work here are done, in the same transaction."""
        adopt_grades(self.project, self.touched)

    def weighed(self) -> Iterable[Weighed]:
        """Beyond the project's settings: who speaks what, and the other grades of the same responses."""
        yield from super().weighed()
        yield Weighed(Rater.varieties.through, "rater__project", [self.project.pk])
        yield Weighed(Grade, "response", self.touched)

    def _rubric(self, record: Record, versions: dict[int, Rubric]) -> Rubric | None:
        """The version that the line names, else the newest; None with the problem said where there is none."""
        wanted = record.fields.get("version") or max(versions, default=1)
        if wanted not in versions:
            message = _("The prompt of this response has no frozen rubric of version %(version)d.")
            self.problems.say(record.line, "no_rubric", message % {"version": wanted}, "version")
        return versions.get(wanted)


def check_role(fields: dict, line: int, problems: ProblemLog, place: str = "") -> None:
    """A judge's grade has the role of a judge and no errors of its own: it is asked about those that stand."""
    is_judge = fields["rater_kind"] == RaterKind.JUDGE
    if is_judge != (fields["role"] == GradeRole.JUDGE):
        message = _("A judge's grades, and no others, have the role “judge”.")
        problems.say(line, "role_misfits", message, f"{place}role")
    elif is_judge and fields.get("negatives"):
        message = _("A judge says whether the errors that stand are present; it adds none of its own.")
        problems.say(line, "not_with_role", message, f"{place}negatives")
    if fields.get("graded_at"):
        refuse_future(line, fields["graded_at"], f"{place}graded_at", problems)


def versions_of(prompts: set[int]) -> dict[int, dict[int, Rubric]]:
    """The frozen rubrics of each prompt by version."""
    found: dict[int, dict[int, Rubric]] = {}
    for rubric in Rubric.objects.filter(prompt__in=prompts, frozen_at__isnull=False):
        found.setdefault(rubric.prompt_id, {})[rubric.version] = rubric
    return found
