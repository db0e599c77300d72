"""What can be imported. An importer is one small module that registers itself in its app's `ready()`."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.db.models import Model

from formats.fitting import fit
from formats.format import Format
from formats.importing.origins import Origin
from formats.importing.rows_of_imports import RowsOf, RowsOfItems
from formats.problems import ProblemLog
from formats.reading import Record, Source
from projects.models import (
    Dimension,
    Laboratory,
    LanguageVariety,
    Level,
    ModelLaboratory,
    Project,
    PromptTemplate,
    QuestionType,
    Rater,
    TargetModel,
)
from projects.rehearsing import Weighed


@dataclass(frozen=True)
class Beginning:
    """What the page of import says in a project that begins with these data and has none yet."""

    title: Any  # lazy translation
    text: Any  # lazy translation
    has_begun: Callable[[Project], bool]


class Importer(ABC):
    """Takes the records of one file into one project, batch by batch, inside the caller's transaction.

    What is wrong goes to `problems`; the caller stores nothing where there is any, so an importer goes on after
    a problem only to find more of them.
    """

    kind: str
    name: Any  # lazy translation
    # What a line is: its check, its schema, an example.
    format: Format
    batch_lines = 1000
    # The tables that grow with the file.
    fills: tuple[type[Model], ...]
    # Beyond those of `weighed`: settings of the project that a file is checked against.
    settings: tuple[type[Model], ...] = ()
    # Where projects of its area begin with these data; "" is that of all whose area says nothing else.
    beginning: Beginning | None = None
    # What may be said beside the file, each name with its label.
    beside: ClassVar[Mapping[str, Any]] = {}
    # The one area that declares it, by whose declaration it is set; empty: every project's, or of several areas.
    area = ""
    # The file is a table: its cells are taken as the fields want them.
    has_cells = False
    # What a mapping says is made where the project has it not: "categories".
    creates: frozenset[str] = frozenset()
    # The entry of the file that its rows name, where they can be taken back.
    origin: Origin | None = None
    # Those rows, as they are taken back.
    rows: RowsOf = RowsOfItems()
    do_not_call_in_templates = True

    def __init__(self, project: Project, problems: ProblemLog):
        self.project = project
        self.problems = problems
        self.counts: Counter[str] = Counter()

    @classmethod
    def as_lines(cls, source: Source, file_format: str) -> str:
        """The format that the source is to be read in. A kind that also takes files of other programs has the source
        give lines instead. Raises Invalid."""
        return file_format

    def heed(self, said: Mapping[str, str]) -> None:
        """Take what was said beside the file, by the names in `beside`, before the first line. Raises Invalid."""

    def check(self, record: Record) -> bool:
        """True where the record by itself is well-formed. Asks no database."""
        if self.has_cells:
            fit(record.fields, self.format)
        return self.format.check(record.fields, record.line, self.problems)

    def our_name(self, column: str) -> str | None:
        """The field that a column of a table fills; None where it is left out."""
        return column

    @abstractmethod
    def store(self, batch: Sequence[Record]) -> None:
        """Write the rows of checked records, in a number of queries that does not grow with the batch."""

    def finish(self) -> None:
        """Called once after the last batch, where there was no problem."""

    def areas(self) -> Iterable[str]:
        """The areas whose data were stored: the project shows them from then on, or nobody would see what came."""
        return [self.area]

    def weighed(self) -> Iterable[Weighed]:
        """The rows that the file was checked against and that no constraint of the database watches over.

        Where they change before the file is stored, it is checked again.
        """
        of_project = [self.project.pk]
        yield from map(Weighed, (LanguageVariety, Laboratory, TargetModel))
        settings: tuple[type[Model], ...] = (
            *(Rater, Dimension, QuestionType, PromptTemplate, ModelLaboratory),
            *self.settings,
        )
        for model in settings:
            yield Weighed(model, "project", of_project)
        yield Weighed(Level, "question__project", of_project)


_registry: dict[str, type[Importer]] = {}


def register(importer: type[Importer]) -> None:
    if importer.kind in _registry:
        raise ValueError(f"importer {importer.kind!r} is registered twice")
    _registry[importer.kind] = importer


def said_beside(kind: str, *sources: Mapping[str, Any]) -> dict[str, str]:
    """What a request says beside a file of this kind: texts that are not empty, the first source that has one. A NUL,
    which no database keeps, is a replacement character, so that it is refused for what it is said of."""
    found: dict[str, str] = {}
    for source in sources:
        for name in _registry[kind].beside:
            said = source.get(name)
            if isinstance(said, str) and said.strip():
                found.setdefault(name, said.strip().replace("\0", "\ufffd"))
    return found


def importer(kind: str) -> type[Importer]:
    return _registry[kind]


def importers() -> dict[str, type[Importer]]:
    return dict(_registry)


def first_importer(project: Project) -> type[Importer]:
    """Of the data that the project begins with: those of its preset's area, else what every project may have."""
    beginnings = {each.area: each for each in _registry.values() if each.beginning is not None}
    first = next(iter(project.areas), "")
    return beginnings.get(project.preset) or beginnings.get(first) or beginnings[""]


def importer_of_format(line_format: object) -> type[Importer] | None:
    """The importer that a first line with this "format" asks for."""
    return next(
        (each for each in _registry.values() if each.format.is_named and each.format.version == line_format), None
    )
