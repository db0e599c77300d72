"""Sets of content notes: found by their slugs, made when a prompt first carries them."""

from collections.abc import Iterable, Mapping

from django.db import transaction
from django.db.models import F

from projects.models import ContentNote, ContentNoteSet, Project
from projects.models.notes import MOST_SETS


class TooManySets(Exception):
    """The project has as many different sets of notes as claims can ask for."""


def joined(slugs: Iterable[str]) -> str:
    """A set of notes as it is stored and compared."""
    return " ".join(sorted(set(slugs)))


def sets_of(project: Project) -> dict[str, int]:
    """The number of each set of the project, by its slugs; that of no note among them."""
    rows = ContentNoteSet.objects.filter(project=project).values_list("slugs", "number")
    return {"": 0, **dict(rows)}


def number_of(project: Project, slugs: str, known: Mapping[str, int]) -> int:
    """The number of a set, which is made where the project has none of these notes yet. Raises TooManySets."""
    if slugs in known:
        return known[slugs]
    with transaction.atomic():
        Project.objects.filter(pk=project.pk).update(note_sets=F("note_sets") + 1)  # one at a time
        stored = ContentNoteSet.objects.filter(project=project, slugs=slugs).first()
        if stored is not None:  # made meanwhile by another import
            Project.objects.filter(pk=project.pk).update(note_sets=F("note_sets") - 1)
            return stored.number
        project.refresh_from_db(fields=["note_sets"])
        if project.note_sets > MOST_SETS:
            raise TooManySets
        return ContentNoteSet.objects.create(project=project, number=project.note_sets, slugs=slugs).number


def labels_of(project: Project, number: int) -> list[str]:
    """What the notes of a set are called in the reader's language."""
    if not number:
        return []
    slugs = ContentNoteSet.objects.get(project=project, number=number).notes
    return [note.label for note in ContentNote.objects.filter(project=project, slug__in=slugs)]
