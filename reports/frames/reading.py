"""What the rows of a frame are read with: responses a range at a time, and what is looked up beside them.

Answers are read by ranges of their responses' ids, so that memory holds one range at any size of a project, and no
model instance is made.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from annotation.error_scheme import Weights, categories_without_cost
from annotation.outcomes import ReviewRule, review_rules
from annotation.taxonomy import read_as, replaced
from benchmark.held_back import canary_of
from projects.anchors import to_utf16
from projects.models import Project, RaterKind, Response
from projects.own_laboratories import own_models
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.panels import Panels
from reports.dashboard.project_contents import gold_builders
from workflow.models import Assignment, FirstAnswer, Remark, Status, feedback_rules

#: The cells of `columns.WORKED`.
Worked = tuple[int | None, int | None, bool | None, str | None]
RESPONSE_FIELDS = ("id", "prompt_id", "key", "uuid", "prompt__key", "variety__tag", "target_model__name", "text_sha256")
#: The place of the target model among the cells of a response, which are RESPONSE_FIELDS from the key on.
MODEL = RESPONSE_FIELDS.index("target_model__name") - RESPONSE_FIELDS.index("key")


V = TypeVar("V")


class Looked(dict[Any, V], Generic[V]):
    """Rows by id, read whole; read again where one is missing, for it may have been stored since."""

    def __init__(self, read: Callable[[], Mapping[Any, V]]) -> None:
        super().__init__(read())
        self.read = read

    def __missing__(self, key: Any) -> V:
        self.update(self.read())
        if key not in self:
            raise KeyError(key)
        return self[key]


class RaterRow(NamedTuple):
    """`cells` are those of `columns.RATER`."""

    is_human: bool
    is_panel: bool
    cells: tuple[str, str, bool, bool, bool, bool]


class Question(NamedTuple):
    slug: str
    dimension: str
    lowest: int | None
    highest: int | None
    is_nominal: bool


@dataclass(slots=True)
class Text:
    """A response; `cells` are those of `columns.RESPONSE`. `text` is empty where the frame needs none."""

    id: int
    prompt: int
    cells: tuple[str | bool, ...]
    text: str
    has_pairs: bool

    @property
    def model(self) -> str:
        """Name of the target model."""
        return str(self.cells[MODEL])

    def offsets(self, start: int | None, end: int | None) -> tuple[int | None, int | None, int | None, int | None]:
        """Both offsets in code points and in UTF-16 code units; code points count as one unit each in most texts."""
        if start is None or end is None or not self.has_pairs:
            return start, end, start, end
        return start, end, to_utf16(self.text, start), to_utf16(self.text, end)


def text_of(row: Sequence[Any], text: str = "", canary: UUID | None = None) -> Text:
    """Of the values of RESPONSE_FIELDS, and the canary of what is held back."""
    pk, prompt, key, uuid, *others = row
    has_pairs = not text.isascii() and len(text.encode("utf-16-le")) != 2 * len(text)
    return Text(pk, prompt, (key, str(uuid), *others, *held_back_cells(canary)), text, has_pairs)


def held_back_cells(canary: UUID | None) -> tuple[bool, str]:
    """The cells of `columns.HELD_BACK`."""
    return canary is not None, str(canary or "")


class Reading:
    """One reading of a project. Raters, categories and questions are few and looked up once."""

    def __init__(self, project: Project):
        self.project = project
        self.laboratories: dict[int, int | None] = {}  # of judges, by id
        self.raters = Looked(self._raters)

    def _raters(self) -> dict[int, RaterRow]:
        names = ("id", "kind", "model", "laboratory_id", "name", "pseudonym", "is_expert", "is_simulated")
        rows = list(self.project.raters.order_by("id").values_list(*names))
        self.panels = Panels.of(self.project, (row[:4] for row in rows))
        builders = frozenset(gold_builders(self.project, revisions(self.project)))
        rows_by_rater = {}
        for pk, kind, _model, laboratory, name, pseudonym, is_expert, is_simulated in rows:
            is_human = kind == RaterKind.HUMAN
            label = pseudonym if is_human else name
            is_panel = pk in self.panels.raters
            cells = (label, str(kind), is_human and is_expert, is_panel, is_simulated, pk in builders)
            rows_by_rater[pk] = RaterRow(is_human, is_panel, cells)
            if is_panel or laboratory is not None:
                self.laboratories[pk] = laboratory
        return rows_by_rater

    def is_shown(self, rater: int, prompt: int, *models: str) -> bool:
        """False of a weighed panel's answers on prompts that weighed its members, and of a judge's about models (by
        name) of its own laboratory."""
        return prompt not in self.panels.held_out.get(rater, ()) and not self.is_own(rater, *models)

    def is_own(self, rater: int, *models: str) -> bool:
        """Whether one of these models is of the laboratory of a judge."""
        return not self.own_models.get(rater, frozenset()).isdisjoint(models)

    @cached_property
    def own_models(self) -> dict[int, frozenset[str]]:
        found = own_models(self.project, self.laboratories)
        return {judge: frozenset(models.values()) for judge, models in found.items()}

    @cached_property
    def categories(self) -> Looked[str]:
        """Slugs; of no category the empty text."""
        return Looked(lambda: {None: "", **dict(self.project.error_categories.values_list("id", "slug"))})

    @cached_property
    def categories_now(self) -> Looked[str]:
        """Slugs of what each category is read as; of one that was split the empty text."""

        def slugs() -> dict[int | None, str]:
            mapping = replaced(self.project)
            return {pk: self.categories[read_as(pk, mapping)] for pk in list(self.categories)}

        return Looked(slugs)

    @cached_property
    def questions(self) -> Looked[Question]:
        rows = self.project.question_types.order_by("id")
        names = ("id", "slug", "dimension__slug", "lowest", "highest", "is_nominal")
        return Looked(lambda: {pk: Question(*others) for pk, *others in rows.all().values_list(*names)})

    @cached_property
    def rule(self) -> ReviewRule:
        return review_rules([self.project.pk])[self.project.pk]

    @cached_property
    def weights(self) -> Weights:
        """What errors cost by their category."""
        return Weights.of(self.project)

    @cached_property
    def without_cost(self) -> set[int]:
        """Ids of the categories whose errors cost nothing."""
        return categories_without_cost(self.project)

    @cached_property
    def guidelines(self) -> list[tuple[datetime, int]]:
        """When each version of the guidelines after the first came, and its number, the earliest first."""
        versions = self.project.guidelines_versions.filter(number__gt=1).order_by("number")
        return list(versions.values_list("published_at", "number"))

    @cached_property
    def unsure(self) -> frozenset[int]:
        """Ids of the turns whose person was unsure of the answer."""
        turns = Assignment.objects.filter(stage__project=self.project, is_unsure=True, status=Status.SUBMITTED)
        return frozenset(turns.values_list("id", flat=True).iterator())

    @cached_property
    def amended(self) -> frozenset[int]:
        """Ids of the turns whose answer was handed in again: of these agreement counts what was first handed in
        (`workflow.models.FirstAnswer`, checks apart). One statement."""
        rows = FirstAnswer.objects.filter(
            assignment__stage__project=self.project,
            assignment__item__is_check=False,
            assignment__status=Status.SUBMITTED,
        )
        return frozenset(rows.values_list("assignment_id", flat=True).iterator())

    def is_first(self, is_counted: bool, assignment: int | None) -> bool:
        """The cell of `columns.IS_FIRST` of an answer that stands, or that a later round replaced."""
        return is_counted and assignment not in self.amended

    @cached_property
    def notes(self) -> dict[int, str]:
        """What people wrote to themselves of the turns of each id, where leads read it."""
        if not feedback_rules(self.project).shares_notes:
            return {}
        shared = Remark.objects.filter(assignment__stage__project=self.project, note_is_shared=True)
        return dict(shared.values_list("assignment_id", "note").iterator())

    def worked(self, assignment: int | None, seconds: int | None, at: datetime) -> Worked:
        """The cells of `columns.WORKED` of what was stored then; all missing of what nobody answered here."""
        if assignment is None:
            return None, None, None, None
        place = bisect_right(self.guidelines, at, key=lambda version: version[0])
        version = self.guidelines[place - 1][1] if place else 1
        return version, seconds, self.is_unsure(assignment), self.notes.get(assignment)

    def is_unsure(self, assignment: int | None) -> bool | None:
        """Whether the person was unsure of the answer; None where nobody gave it here."""
        return assignment in self.unsure if assignment is not None else None

    def responses(self, after: int, size: int, *, with_text: bool) -> list[Text]:
        """The next responses in the order of their ids."""
        rows = Response.objects.filter(project=self.project, id__gt=after).order_by("id")
        if not with_text:
            found = rows.values_list(*RESPONSE_FIELDS, canary_of())[:size]
            return [text_of(row, canary=canary) for *row, canary in found]
        columns = (*RESPONSE_FIELDS, canary_of(), "text")
        return [text_of(row, text, canary) for *row, canary, text in rows.values_list(*columns)[:size]]

    def within(self, path: str, batch: Sequence[Any]) -> dict[str, Any]:
        """The filter of rows about these responses or pairs, which are all the project's in a range of ids."""
        return {f"{path}_id__gte": batch[0].id, f"{path}_id__lte": batch[-1].id, f"{path}__project": self.project}
