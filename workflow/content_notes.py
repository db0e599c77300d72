"""Who reads which texts: what a person does not want to read is theirs alone, and claims leave it out.

The queue of a stage is cut by language variety and by set of notes, so that a claim reads the front of each part that
its person takes, and never passes by what they do not. A lead learns how many people take a note in cells of five, and
how many items nobody takes; never who.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.db.models import Count

from projects.chunks import in_chunks
from projects.models import ContentNote, ContentNoteSet, Membership, Project, Rater, RaterKind
from workflow.models import OwnLimits, Stage, WorkItem

CELL = 5
NO_NOTE = 0


def unwanted_of(rater: Rater) -> set[str]:
    """The slugs of what they do not want to read."""
    rows = OwnLimits.objects.filter(rater=rater).values_list("unwanted_notes", flat=True)
    return set(next(iter(rows), []))


def sets_for(rater: Rater, project: Project) -> list[int]:
    """The numbers of the sets of notes that the rater reads; in a project without any, no query."""
    if not project.note_sets:
        return [NO_NOTE]
    unwanted = unwanted_of(rater)
    sets = ContentNoteSet.objects.filter(project=project)
    return [NO_NOTE, *(each.number for each in sets if not unwanted & set(each.notes))]


def follow(prompts: Sequence[int], number: int) -> None:
    """Items about these prompts carry this set of notes from now on, and stand in that part of their stage's queue."""
    about = WorkItem.objects.filter(prompt__in=prompts).values_list("pk", flat=True)
    responses = WorkItem.objects.filter(response__prompt__in=prompts).values_list("pk", flat=True)
    pairs = WorkItem.objects.filter(pair__prompt__in=prompts).values_list("pk", flat=True)
    for chunk in in_chunks([*about, *responses, *pairs]):
        WorkItem.objects.filter(pk__in=chunk).exclude(note_set=number).update(note_set=number)


# --- For the lead ---------------------------------------------------------------------------------------


class Readers:
    """Who of a project's people takes what; five queries, whatever it holds."""

    def __init__(self, project: Project) -> None:
        self.project = project
        members = Membership.objects.filter(project=project).values("user")
        people = Rater.objects.filter(project=project, kind=RaterKind.HUMAN, user__in=members)
        limits = OwnLimits.objects.filter(rater__project=project).values_list("rater", "unwanted_notes")
        self.unwanted = {rater: set(notes) for rater, notes in limits}
        self.varieties: dict[int, set[int]] = defaultdict(set)
        for rater, variety in people.values_list("pk", "varieties"):
            self.varieties[rater].add(variety)
        self.sets = {each.number: set(each.notes) for each in ContentNoteSet.objects.filter(project=project)}

    def cells(self) -> list[tuple[str, int, int]]:
        """Of each note its name, and between which numbers lies that of the people who take texts with it."""
        found = []
        for note in ContentNote.objects.filter(project=self.project):
            count = sum(note.slug not in self.unwanted.get(rater, ()) for rater in self.varieties)
            lowest = count // CELL * CELL
            found.append((note.label, lowest, lowest + CELL - 1))
        return found

    def taken_by_nobody(self, stages: Iterable[Stage]) -> dict[int, int]:
        """Of each stage the number of open items with notes that nobody who works in their variety takes."""
        rows = WorkItem.objects.filter(stage__in=[stage.pk for stage in stages], open_slots__gt=0, is_check=False)
        groups = rows.filter(note_set__gt=NO_NOTE).order_by().values_list("stage", "variety", "note_set")
        found: dict[int, int] = defaultdict(int)
        for stage, variety, number, count in groups.annotate(count=Count("pk")):
            if not self._is_taken(variety, self.sets.get(number, set())):
                found[stage] += count
        return found

    def _is_taken(self, variety: int, notes: set[str]) -> bool:
        return any(
            variety in spoken and not notes & self.unwanted.get(rater, set())
            for rater, spoken in self.varieties.items()
        )


def choices_of(project: Project) -> Sequence[tuple[str, str]]:
    return [(note.slug, note.label) for note in ContentNote.objects.filter(project=project)]
