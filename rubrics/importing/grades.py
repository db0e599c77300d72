"""The importer of grades: what one rater said of one response under its rubric, one grade a line."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.grade import FORMAT
from formats.importing.origins import OWN_LABORATORY
from formats.importing.raters import RaterBook
from formats.importing.registry import Importer
from formats.problems import ProblemLog
from formats.reading import Record
from projects.models import Label, Project, Rater, Response
from projects.rehearsing import Weighed
from projects.vocabularies import vocabularies_of_import
from rubrics.importing.grading import GradeBook, GradeLine
from rubrics.importing.imported_answers import assign_imported_grades
from rubrics.importing.rater_varieties import RaterVarieties
from rubrics.models import Criterion, Grade, Rubric, RubricSettings, Verdict
from workflow.models import Stage, StageRules


class Grades(Importer):
    """Stores grades of people and judges who worked elsewhere."""

    kind = "grades"
    name = gettext_lazy("Grades: verdicts on the criteria of a rubric")
    fills = (Grade, Verdict, Criterion)
    settings = (Stage, Label, RubricSettings)
    format = FORMAT

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.raters = RaterBook(project, problems)
        self.rater_varieties = RaterVarieties(project, problems)
        types = vocabularies_of_import(project, "rubrics").failure_types
        self.grades = GradeBook(project, problems, self.counts, types)
        self.touched: set[int] = set()

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
                self.rater_varieties.note(record.line, rater, record.fields.get("varieties"))
            if rubric is not None and rater is not None:
                lines.append(GradeLine(record.line, record.fields, response, rubric, rater))
        self.grades.store(lines)
        self.counts["new raters"] = self.raters.created
        self.counts[OWN_LABORATORY] = self.raters.own_answers
        self.touched.update(line.response.pk for line in lines)

    def finish(self) -> None:
        """Turns of people who also work here are done, in the same transaction."""
        assign_imported_grades(self.project, self.touched)

    def weighed(self) -> Iterable[Weighed]:
        """Beyond the project's settings: who speaks what, and the other grades of the same responses."""
        yield from super().weighed()
        yield Weighed(StageRules, "stage__project", [self.project.pk])
        yield Weighed(Rater.varieties.through, "rater__project", [self.project.pk])
        yield Weighed(Grade, "response", self.touched)

    def _rubric(self, record: Record, versions: dict[int, Rubric]) -> Rubric | None:
        """The version that the line names, else the newest; None with the problem said where there is none."""
        wanted = record.fields.get("version") or max(versions, default=1)
        if wanted not in versions:
            message = _("The prompt of this response has no frozen rubric of version %(version)d.")
            self.problems.say(record.line, "no_rubric", message % {"version": wanted}, "version")
        return versions.get(wanted)


def versions_of(prompts: set[int]) -> dict[int, dict[int, Rubric]]:
    """The frozen rubrics of each prompt by version."""
    by_prompt: dict[int, dict[int, Rubric]] = {}
    for rubric in Rubric.objects.filter(prompt__in=prompts, frozen_at__isnull=False):
        by_prompt.setdefault(rubric.prompt_id, {})[rubric.version] = rubric
    return by_prompt
