"""The importer of question types: one with its scale and levels a line, and its dimension where that is new."""

from collections.abc import Sequence

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.importing.registry import Importer
from formats.problems import ProblemLog
from formats.question import FORMAT
from formats.reading import Record
from projects.models import Dimension, Level, Project, QuestionType
from projects.slugs import free_slug


class Questions(Importer):
    """Stores question types with their levels, and dimensions that the project does not have yet."""

    kind = "questions"
    name = gettext_lazy("Question types: what responses are rated on, with the levels of their scales")
    fills = (QuestionType, Level)
    format = FORMAT

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.dimensions = {dimension.name.casefold(): dimension for dimension in project.dimensions.all()}
        self.slugs = set(project.dimensions.values_list("slug", flat=True))
        self.taken = dict.fromkeys(project.question_types.values_list("slug", flat=True), 0)
        last = project.question_types.aggregate(last=Max("position"))["last"] or 0
        self.position = max([last, *(dimension.position for dimension in self.dimensions.values())])

    def store(self, batch: Sequence[Record]) -> None:
        made: list[tuple[QuestionType, list[dict]]] = []
        for record in batch:
            fields = record.fields
            if fields["id"] in self.taken:
                self.problems.say(record.line, *self._already_there(fields["id"]), "id")
                continue
            self.taken[fields["id"]] = record.line
            self.position += 1
            question = QuestionType(
                project=self.project,
                dimension=self._dimension(fields["dimension"]),
                slug=fields["id"],
                name=fields["name"],
                definition=fields.get("definition") or "",
                lowest=fields.get("lowest"),
                highest=fields.get("highest"),
                is_nominal=bool(fields.get("nominal")),
                position=self.position,
            )
            made.append((question, fields.get("levels") or []))
        QuestionType.objects.bulk_create(question for question, _levels in made)
        Level.objects.bulk_create(
            Level(
                question=question,
                grade=level["grade"],
                label=level.get("label") or "",
                summary=level["summary"],
                detail=level.get("detail") or "",
            )
            for question, levels in made
            for level in levels
        )
        self.counts["question types"] += len(made)

    def _already_there(self, key: str) -> tuple[str, str]:
        if line := self.taken[key]:
            return "duplicate_id", _("This id stands on line %(line)d already.") % {"line": line}
        return "already_there", _("A question type with this id is already in the project. Change it on its page.")

    def _dimension(self, called: str) -> Dimension:
        """By its name, whatever its capitals; made behind the others where the project has none of that name."""
        known = called.casefold()
        if known not in self.dimensions:
            self.position += 1
            own_slug = free_slug(called, self.slugs, "dimension")
            self.slugs.add(own_slug)
            self.dimensions[known] = Dimension.objects.create(
                project=self.project, slug=own_slug, name=called, position=self.position
            )
            self.counts["dimensions"] += 1
        return self.dimensions[known]
