"""Question types and templates of a gold file: found in the project as the file has them, or made."""

from collections import Counter
from collections.abc import Mapping, Sequence

from django.db.models import Max
from django.utils.translation import gettext as _

from formats import rating_gold
from formats.importing.questions import Questions
from formats.importing.templates import Templates
from formats.problems import ProblemLog
from formats.reading import Record
from projects.models import Dimension, Project, PromptTemplate, QuestionType


def question_line(question: QuestionType) -> rating_gold.Question:
    """A question type with its dimension and its levels."""
    dimension = question.dimension
    line: rating_gold.Question = {
        "format": rating_gold.VERSION,
        "kind": "question",
        "id": question.slug,
        "dimension": {"id": dimension.slug, "name": dimension.name, "definition": dimension.definition},
        "name": question.name,
        "definition": question.definition,
        "lowest": question.lowest,
        "highest": question.highest,
        "levels": [
            {"grade": level.grade, "label": level.label, "summary": level.summary, "detail": level.detail}
            for level in question.levels.all()
        ],
    }
    if question.is_nominal:
        line["nominal"] = True
    return line


def template_line(template: PromptTemplate) -> rating_gold.Template:
    return {
        "format": rating_gold.VERSION,
        "kind": "template",
        "id": template.key,
        "question": template.question.slug if template.question else None,
        "text": template.text,
        "split": template.split,
    }


class QuestionBook:
    """Question types and templates of one project, `by_slug` in their order; adds those that a file brings."""

    def __init__(self, project: Project, problems: ProblemLog, counts: Counter[str]) -> None:
        self.project = project
        self.problems = problems
        self.counts = counts
        self.questions = Questions(project, problems)
        self.templates = Templates(project, problems)
        # What came with this file stands in it once.
        self.lines: dict[str, int] = {}
        self.last_template = PromptTemplate.objects.filter(project=project).aggregate(last=Max("id"))["last"] or 0
        self.load()

    def load(self) -> None:
        questions = self.project.question_types.select_related("dimension").prefetch_related("levels")
        self.by_slug = {question.slug: question for question in questions}
        self.templates.questions = self.by_slug

    def scales(self) -> dict[str, tuple[int, int] | None]:
        """Lowest and highest grade of each question type that has a scale."""
        return {key: question.ends for key, question in self.by_slug.items()}

    # --- Question types ---

    def store_questions(self, batch: Sequence[Record]) -> None:
        new = [record for record in batch if self._is_new_question(record) and self._dimension_fits(record)]
        if new:
            self.questions.store([as_question_line(record) for record in new])
            self.counts["question types"] += len(new)
            self.load()

    def _is_new_question(self, record: Record) -> bool:
        key = record.fields["id"]
        if key in self.lines:
            message = _("This id stands on line %(line)d already.") % {"line": self.lines[key]}
            self.problems.say(record.line, "duplicate_id", message, "id")
            return False
        self.lines[key] = record.line
        known = self.by_slug.get(key)
        if known is None:
            return True
        differing = differences(question_line(known), record.fields)
        for field in differing:
            message = _("The project knows the question type “%(slug)s” with another value.") % {"slug": key}
            self.problems.say(record.line, "question_differs", message, field)
        return False

    def _dimension_fits(self, record: Record) -> bool:
        """True where the project has the dimension as the line has it, or has it from now on."""
        said = record.fields["dimension"]
        wanted = (said["id"], said["name"], said.get("definition") or "")
        known = self.questions.dimensions.get(said["name"].casefold())
        if known is None and said["id"] not in self.questions.slugs:
            self.questions.position += 1
            known = Dimension.objects.create(
                project=self.project,
                slug=wanted[0],
                name=wanted[1],
                definition=wanted[2],
                position=self.questions.position,
            )
            self.questions.dimensions[known.name.casefold()] = known
            self.questions.slugs.add(known.slug)
            self.counts["dimensions"] += 1
        if known is None or (known.slug, known.name, known.definition) != wanted:
            message = _("The project knows a dimension of this name or id with another value.")
            self.problems.say(record.line, "dimension_differs", message, "dimension")
            return False
        return True

    # --- Templates ---

    def store_templates(self, batch: Sequence[Record]) -> None:
        keys = [record.fields["id"] for record in batch]
        templates = PromptTemplate.objects.filter(project=self.project, key__in=keys, id__lte=self.last_template)
        known = {template.key: template for template in templates.select_related("question")}
        new = []
        for record in batch:
            before = known.get(record.fields["id"])
            if before is None:
                new.append(Record(record.line, without_head(record.fields)))
            elif differences(template_line(before), record.fields):
                message = _("The project knows the template “%(id)s” with another value.") % {"id": before.key}
                self.problems.say(record.line, "template_differs", message, "id")
        if new:
            made = self.templates.counts["templates"]
            self.templates.store(new)
            self.counts["templates"] += self.templates.counts["templates"] - made


def as_question_line(record: Record) -> Record:
    """The line as a file of question types has it, which names the dimension."""
    fields = without_head(record.fields)
    return Record(record.line, {**fields, "dimension": fields["dimension"]["name"]})


def without_head(fields: dict) -> dict:
    return {field: value for field, value in fields.items() if field not in ("format", "kind")}


def differences(entry: Mapping[str, object], fields: dict) -> list[str]:
    """Fields in which a line says another thing than the project; what it leaves out is empty."""
    return [field for field, value in entry.items() if (fields.get(field) or None) != (value or None)]
