"""The part of the project file about content notes: what may be hard to read, and what it is called."""

from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.kinds import Fault, Kind, name
from formats.project_file.part import LIST, Findings, Part, Slug
from formats.records import Entries
from projects.models import ContentNote, ContentNoteSet, Project
from projects.models.notes import MOST_NOTES

MOST_LANGUAGES = 40
MOST_CHARACTERS = 80


def _names(value: object) -> Fault | None:
    names = list(value.values()) if isinstance(value, dict) else [None]
    if len(names) <= MOST_LANGUAGES and all(
        type(each) is str and each.strip() and len(each) <= MOST_CHARACTERS for each in names
    ):
        return None
    return "not_names", _("Names are expected, each behind the code of its language.")


NAMES = Kind(
    _names,
    {
        "type": "object",
        "additionalProperties": {"type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS},
        "maxProperties": MOST_LANGUAGES,
    },
)


class ContentNoteRecord(TypedDict):
    slug: Annotated[Slug, "What prompts hold; it never changes"]
    name: Annotated[str, name(MOST_CHARACTERS)]
    names: NotRequired[Annotated[dict[str, Any] | None, NAMES, "In other languages, by their code"]]


class ContentNotesPart(Part):
    """A note that prompts carry stays; its names can change at any time."""

    key = "content_notes"
    record = Annotated[list[ContentNoteRecord], LIST, Entries(most=MOST_NOTES, unique="slug")]
    position = 12

    def read(self, project: Project) -> list[dict[str, Any]]:
        rows = ContentNote.objects.filter(project=project)
        return [{"slug": n.slug, "name": n.name, **({"names": n.names} if n.names else {})} for n in rows]

    def write(self, project: Project, value: list[dict[str, Any]], findings: Findings) -> None:
        kept = {entry["slug"] for entry in value}
        carried = {slug for each in ContentNoteSet.objects.filter(project=project) for slug in each.notes}
        for slug in sorted(carried - kept):
            message = _("Prompts of the project carry the note “%(slug)s”, so it stays.") % {"slug": slug}
            findings.refuse(self.key, "in_use", message)
        if findings.total:
            return
        ContentNote.objects.filter(project=project).exclude(slug__in=kept).delete()
        ContentNote.objects.bulk_create(
            (
                ContentNote(
                    project=project,
                    slug=entry["slug"],
                    name=entry["name"],
                    names=entry.get("names") or {},
                    position=position,
                )
                for position, entry in enumerate(value, start=1)
            ),
            update_conflicts=True,
            unique_fields=["project", "slug"],
            update_fields=["name", "names", "position"],
        )


PARTS = (ContentNotesPart(),)
