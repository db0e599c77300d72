"""Cases of answers that are not kept as gold but weighed whenever they are read: ratings, verdicts on criteria.

Nothing marks which of them are new. So the kind says in which state all answers are, and where that has moved, the
responses are gone through once more; what has not changed is not written.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.casebook.finding import Found
from annotation.casebook.indexing import Place, Wanted, write
from annotation.casebook.kinds import CaseKind
from annotation.models import CaseNote, IndexedKind, SettledCase
from projects.among import Among
from projects.held_back import canary_of
from projects.models import Project, Prompt, Response
from workflow.models import Assignment, Status, WorkItem

#: So many people have to have answered, where no expert has.
ENOUGH = 2
#: Of a text so much is shown, and so much of it can be searched.
MOST_SHOWN = 700


class Written(NamedTuple):
    """What a response, or a prompt, is found by beside what was said of it: its variety (id) and language (ISO 639)."""

    variety: int
    language: str


class AnsweredKind(CaseKind):
    #: Whether cases are about prompts, and not about responses or pairs. Then all ids are those of prompts.
    of_prompts = False

    @abstractmethod
    def state(self, project: Project) -> str:
        """Of all answers that cases are made of, at most 64 characters."""

    @abstractmethod
    def answered(self, project: Project) -> Iterable[int]:
        """The ids of the responses that people have answered about, of a pair its first; or those of the prompts."""

    @abstractmethod
    def settled(self, project: Project, written: dict[int, Written]) -> dict[Place, Wanted]:
        """The cases of these responses or prompts, by their ids."""

    def has_news(self, project: Project) -> bool:
        return not IndexedKind.objects.filter(project=project, kind=self.name, state=self.state(project)).exists()

    def waiting(self, project: Project) -> Sequence[int]:
        if not self.has_news(project):
            return []
        about = "prompt_id" if self.of_prompts else "response_id"
        there = SettledCase.objects.filter(project=project, kind=self.name).values_list(about, flat=True)
        return sorted({*self.answered(project), *there})

    def index(self, project: Project, ids: Sequence[int]) -> int:
        model: type[Response] | type[Prompt] = Prompt if self.of_prompts else Response
        subjects = model._default_manager.filter(pk__in=ids, project=project)
        free = subjects.annotate(canary=canary_of("pk" if self.of_prompts else "prompt"))
        rows = free.values_list("pk", "variety_id", "variety__language", "canary")
        # Texts that are held back are in no book.
        wanted = self.settled(project, {row[0]: Written(row[1], row[2]) for row in rows if row[3] is None})
        with transaction.atomic():
            # One job after the other writes the cases of a response or prompt.
            still = set(subjects.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
            of_them = {"prompt__in" if self.of_prompts else "response__in": still}
            there = SettledCase.objects.filter(kind=self.name, **of_them)
            of_still = {at: case for at, case in wanted.items() if (at.prompt_id or at.response_id) in still}
            write(project, there, of_still)
        return len(wanted)

    def finish(self, project: Project, state: str) -> None:
        IndexedKind.objects.update_or_create(project=project, kind=self.name, defaults={"state": state})


def still_open() -> QuerySet[WorkItem]:
    """Items that somebody has still to answer."""
    under_way = Assignment.objects.filter(item=OuterRef("pk"), status__in=(Status.RESERVED, Status.CLAIMED))
    return WorkItem.objects.filter(Q(open_slots__gt=0) | Exists(under_way), stage__locked_at=None)


def awaited(found: Sequence[Found]) -> set[tuple[int, int | None]]:
    """Of which responses and pairs another answer is still waited for: what they come to may change. Prompts are asked
    of `awaited_prompts`."""
    items = still_open()
    responses = {each.response_id for each in found if each.pair_id is None}
    pairs = {each.pair_id: each.response_id for each in found if each.pair_id is not None}
    of_responses = items.filter(response__in=Among(responses)).values_list("response_id", flat=True)
    of_pairs = items.filter(pair__in=Among(pairs)).values_list("pair_id", flat=True)
    return {(pk, None) for pk in of_responses} | {(pairs[pk], pk) for pk in of_pairs if pk is not None}


def awaited_prompts(found: Sequence[Found], kinds: Collection[str]) -> set[int]:
    """Of which prompts another answer of these kinds of work is still waited for."""
    prompts = {each.prompt_id for each in found}
    items = still_open().filter(prompt__in=Among(prompts), stage__kind__in=kinds)
    return set(items.values_list("prompt_id", flat=True))


def notes_of_prompts(kind: str, prompt_ids: Collection[int]) -> dict[tuple[int, str], CaseNote]:
    """What leads say of cases about prompts, by prompt and key."""
    return {(note.prompt_id or 0, note.key): note for note in CaseNote.objects.filter(kind=kind, prompt__in=prompt_ids)}


def notes_of(kind: str, response_ids: Collection[int]) -> dict[tuple[int, int | None, str], CaseNote]:
    """What leads say of cases, by response, pair and key."""
    rows = CaseNote.objects.filter(kind=kind, response__in=response_ids)
    return {(note.response_id or 0, note.pair_id, note.key): note for note in rows}


def beginning(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"
