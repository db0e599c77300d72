"""The importer of prompt templates: one a line, before any native speaker has put it into a language."""

from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.importing.fields import Field, ProblemLog, check_fields, name, one_of, text
from projects.importing.reading import Record
from projects.importing.registry import Importer
from projects.localising import MAX_KEY, MAX_TEXT
from projects.models import Project, PromptTemplate, Split

FIELDS = {
    "id": Field(name(MAX_KEY), required=True),
    "question": Field(name(60), required=True),
    "text": Field(text(MAX_TEXT), required=True),
    "split": Field(one_of(Split.values)),
}


class Templates(Importer):
    """Stores templates of question types that the project has."""

    kind = "templates"
    name = gettext_lazy("Prompt templates, with placeholders for local values")
    json_cells = frozenset()
    fills = (PromptTemplate,)
    schema = Path(__file__).parent.parent / "schemas" / "template.schema.json"
    example = (
        '{"id": "t-1", "question": "warmth", "text": "How do you greet an elder in [locale_country]?", '
        '"split": "train"}'
    )

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.questions = {question.slug: question for question in project.question_types.all()}
        self.lines: dict[str, int] = {}

    def check(self, record: Record) -> bool:
        return check_fields(FIELDS, record.fields, record.line, self.problems)

    def store(self, batch: Sequence[Record]) -> None:
        fresh = {record.fields["id"] for record in batch} - self.lines.keys()
        taken = PromptTemplate.objects.filter(project=self.project, key__in=fresh)
        there = set(taken.values_list("key", flat=True))
        made = []
        for record in batch:
            key, question = record.fields["id"], self.questions.get(record.fields["question"])
            if key in self.lines:
                message = _("This id stands on line %(line)d already.") % {"line": self.lines[key]}
                self.problems.say(record.line, "duplicate_id", message, "id")
            elif key in there:
                message = _("A template with this id is already in the project.")
                self.problems.say(record.line, "already_there", message, "id")
            elif question is None:
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
        PromptTemplate.objects.bulk_create(made)
        self.counts["templates"] += len(made)
