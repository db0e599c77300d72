"""Sets of content notes: found by their slugs, made when a prompt first carries them; and other notes for prompts that
are there."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from projects.audit import record
from projects.chunks import in_chunks
from projects.models import ContentNote, ContentNoteSet, Project, Prompt, User
from projects.models.notes import MOST_SETS
from projects.problems import Invalid, Problem


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


#: Given ids of prompts, a chunk of them, and the set they carry from now on: rooms above hold it too.
Follows = Callable[[Sequence[int], int], None]
_followers: list[Follows] = []


def register(follows: Follows) -> None:
    _followers.append(follows)


def note_anew(project: Project, notes: Mapping[Prompt, str], by: User | None) -> None:
    """Give prompts that are there other notes (slugs as `joined`); on record with those they had. Whoever claims next
    is handed nothing that they do not want by then; what is begun stays, behind its page.

    In a transaction. Raises TooManySets.
    """
    known = sets_of(project)
    slugs_of = {number: slugs for slugs, number in known.items()}
    by_change: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for prompt, slugs in notes.items():
        if slugs != slugs_of[prompt.note_set]:
            by_change[slugs_of[prompt.note_set], slugs][prompt.pk] = prompt.key
            prompt.note_set = known[slugs] = number_of(project, slugs, known)
    for (before, after), keys in by_change.items():
        for chunk in in_chunks(keys):
            Prompt.objects.filter(pk__in=chunk).update(note_set=known[after])
            for follows in _followers:
                follows(chunk, known[after])
            said = {"before": before.split(), "after": after.split(), "prompts": [keys[pk] for pk in chunk]}
            record("prompts.noted", actor=by, project=project, subject=len(chunk), **said)


def change_notes(
    project: Project, prompts: QuerySet[Prompt], *, add: Iterable[str] = (), take: Iterable[str] = (), by: User | None
) -> int:
    """Give these prompts, a chunk of them, further notes (slugs) and take others away; how many carry others by now.

    Raises Invalid for a note that the project does not have or that is both added and taken, and for too many sets.
    """
    added, taken = set(add), set(take)
    known = set(ContentNote.objects.filter(project=project).values_list("slug", flat=True))
    if unknown := sorted((added | taken) - known):
        message = _("The project has no content note “%(slug)s”. Its notes are those of its project file.")
        raise Invalid(Problem("unknown_note", message % {"slug": unknown[0]}, "add" if unknown[0] in added else "take"))
    if not (added or taken) or added & taken:
        raise Invalid(Problem("not_a_choice", _("Choose notes to give or to take away."), "add"))
    try:
        with transaction.atomic():
            slugs_of = {number: slugs for slugs, number in sets_of(project).items()}
            rows = list(prompts.filter(project=project).select_for_update(no_key=True, of=("self",)).order_by("pk"))
            before = {prompt: slugs_of[prompt.note_set] for prompt in rows}
            wanted = {prompt: joined((set(slugs.split()) | added) - taken) for prompt, slugs in before.items()}
            changed = {prompt: slugs for prompt, slugs in wanted.items() if slugs != before[prompt]}
            note_anew(project, changed, by)
    except TooManySets:
        message = _("The prompts of a project carry at most %(most)d different sets of content notes.")
        raise Invalid(Problem("too_many_sets", message % {"most": MOST_SETS}, "add")) from None
    return len(changed)


def labels_of(project: Project, number: int) -> list[str]:
    """What the notes of a set are called in the reader's language."""
    if not number:
        return []
    slugs = ContentNoteSet.objects.get(project=project, number=number).notes
    return [note.label for note in ContentNote.objects.filter(project=project, slug__in=slugs)]
