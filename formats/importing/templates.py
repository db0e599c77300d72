"""The importer of prompt templates: one a line, before any native speaker has put it into a language."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.importing.registry import Importer
from formats.importing.rows_of_imports import CameWith, RowsOf
from formats.problems import ProblemLog
from formats.reading import Record
from formats.template import FORMAT
from projects.models import Project, PromptTemplate


class Templates(Importer):
    """Stores templates of question types that the project has."""

    kind = "templates"
    name = gettext_lazy("Prompt templates, with placeholders for local values")
    fills = (PromptTemplate,)
    format = FORMAT
    rows = RowsOf(CameWith(PromptTemplate))

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.questions = {question.slug: question for question in project.question_types.all()}
        self.lines: dict[str, int] = {}

    def store(self, batch: Sequence[Record]) -> None:
        fresh = {record.fields["id"] for record in batch} - self.lines.keys()
        taken = PromptTemplate.objects.filter(project=self.project, key__in=fresh)
        there = set(taken.values_list("key", flat=True))
        made: list[PromptTemplate] = []
        for record in batch:
            key, slug = record.fields["id"], record.fields.get("question")
            question = None if slug is None else self.questions.get(slug)
            if key in self.lines:
                message = _("This id stands on line %(line)d already.") % {"line": self.lines[key]}
                self.problems.say(record.line, "duplicate_id", message, "id")
            elif key in there:
                message = _("A template with this id is already in the project.")
                self.problems.say(record.line, "already_there", message, "id")
            elif question is None and slug is not None:
                message = _("The project has no question type with this id. Import or add question types first.")
                self.problems.say(record.line, "unknown_question", message, "question")
            else:
                self.lines[key] = record.line
                made.append(
                    PromptTemplate(
                        project=self.project,
                        key=key,
                        question=question,
                        text=record.fields["text"],
                        split=record.fields.get("split") or "",
                    )
                )
        if made and self.origin is not None:
            for template in made:
                template.came_with_id = self.origin.pk
        PromptTemplate.objects.bulk_create(made)
        self.counts["templates"] += len(made)
