"""The importer of question types: one with its scale and levels a line, and its dimension where that is new."""

from collections.abc import Sequence
from pathlib import Path

from django.core.validators import slug_re
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.importing.fields import (
    Fault,
    Field,
    ProblemLog,
    check_fields,
    name,
    rows,
    short_text,
    text,
    whole,
)
from projects.importing.reading import Record
from projects.importing.registry import Importer
from projects.models import Dimension, Level, Project, QuestionType
from projects.slugs import free_slug

LOWEST, HIGHEST = -100, 100
MAX_DEFINITION = 5_000


def slug(value: object) -> Fault | None:
    if fault := name(60)(value):
        return fault
    if slug_re.fullmatch(str(value)) is None:
        return "not_a_slug", _("Latin letters, digits, hyphens and underscores are expected.")
    return None


FIELDS = {
    "id": Field(slug, required=True),
    "dimension": Field(name(80), required=True),
    "name": Field(name(80), required=True),
    "definition": Field(short_text(MAX_DEFINITION)),
    "lowest": Field(whole(LOWEST, HIGHEST)),
    "highest": Field(whole(LOWEST, HIGHEST)),
    "levels": Field(rows),
}
LEVEL_FIELDS = {
    "grade": Field(whole(LOWEST, HIGHEST), required=True),
    "label": Field(short_text(40)),
    "summary": Field(text(300), required=True),
    "detail": Field(short_text(MAX_DEFINITION)),
}


class Questions(Importer):
    """Stores question types with their levels, and dimensions that the project does not have yet."""

    kind = "questions"
    name = gettext_lazy("Question types: what responses are rated on, with the levels of their scales")
    fills = (QuestionType, Level)
    schema = Path(__file__).parent.parent / "schemas" / "question.schema.json"
    example = (
        '{"id": "warmth", "dimension": "Localized tone", "name": "Warmth", "definition": "…", "lowest": 1, '
        '"highest": 3, "levels": [{"grade": 1, "label": "Cold", "summary": "…", "detail": "…"}]}'
    )

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.dimensions = {dimension.name.casefold(): dimension for dimension in project.dimensions.all()}
        self.slugs = set(project.dimensions.values_list("slug", flat=True))
        self.taken = dict.fromkeys(project.question_types.values_list("slug", flat=True), 0)
        last = project.question_types.aggregate(last=Max("position"))["last"] or 0
        self.position = max([last, *(dimension.position for dimension in self.dimensions.values())])

    def check(self, record: Record) -> bool:
        before = self.problems.total
        fields, line = record.fields, record.line
        if not check_fields(FIELDS, fields, line, self.problems):
            return False
        lowest, highest = fields.get("lowest"), fields.get("highest")
        if (lowest is None) != (highest is None):
            message = _("A scale has a lowest and a highest grade; without a scale both are left out.")
            self.problems.say(line, "half_a_scale", message, "highest" if highest is None else "lowest")
            return False
        if lowest is not None and highest is not None and highest <= lowest:
            message = _("The highest grade lies above the lowest.")
            self.problems.say(line, "not_a_scale", message, "highest")
            return False
        scale = QuestionType(lowest=lowest, highest=highest).scale
        seen = set()
        for index, level in enumerate(fields.get("levels") or []):
            place = f"levels[{index}]."
            if not check_fields(LEVEL_FIELDS, level, line, self.problems, place):
                continue
            if level["grade"] not in scale:
                message = _("The grade lies outside the scale.")
                self.problems.say(line, "off_the_scale", message, f"{place}grade")
            elif level["grade"] in seen:
                self.problems.say(line, "duplicate_id", _("The grade has a level already."), f"{place}grade")
            seen.add(level["grade"])
        return self.problems.total == before

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
