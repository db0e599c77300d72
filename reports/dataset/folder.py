"""Writes the folder: of each table a Parquet file for each side of the split, and README.md."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from projects.models import Project, Split
from projects.problems import Invalid, Problem
from projects.splits import SEED, origins
from reports.dataset.card import Configuration, card, path_of
from reports.dataset.tables import Part, Table, tables_of
from reports.frames.files import with_terms

if TYPE_CHECKING:  # a start does not load it
    from pyarrow.parquet import ParquetWriter

README = "README.md"
SPLITS: list[str] = list(Split.values)


@dataclass
class Written:
    """What stands in the folder. `left_out` rows are about held-back questions."""

    configurations: list[Configuration] = field(default_factory=list)
    left_out: int = 0

    @property
    def rows(self) -> int:
        return sum(sum(each.rows.values()) for each in self.configurations)


def write_folder(
    project: Project,
    folder: Path,
    *,
    with_held_back: bool = False,
    on_table: Callable[[int, int], object] = lambda done, total: None,
) -> Written:
    """Raises Invalid where the project has nothing that was answered; OSError where the folder cannot be written."""
    splits = splits_by_key(project)
    written, tables = Written(), tables_of(project)
    for done, table in enumerate(tables):
        on_table(done, len(tables))
        files = Files(project, table, folder)
        try:
            for part in table.parts(project):
                written.left_out += files.add(part, splits, with_held_back)
        finally:
            files.close()
        if files.rows:
            rows = {split: files.rows[split] for split in SPLITS if files.rows[split]}
            written.configurations.append(Configuration(table.name, table.about, rows))
    if not written.configurations:
        raise Invalid(Problem("nothing", _("There is nothing to write yet: import responses first.")))
    (folder / README).write_text(card(project, written.configurations, written.left_out, with_held_back), "utf-8")
    return written


def splits_by_key(project: Project) -> dict[str, str]:
    """The side of each prompt, by its key. Two statements."""
    of_prompt = origins(project, SEED)
    return {key: of_prompt[pk].split for pk, key in project.prompts.values_list("pk", "key") if pk in of_prompt}


class Files:
    """The files of one table: one is begun with the first row of its split."""

    def __init__(self, project: Project, table: Table, folder: Path) -> None:
        self.table, self.folder = table, folder
        self.schema = with_terms(table.schema, project)
        self.writers: dict[str, ParquetWriter] = {}
        self.rows: Counter[str] = Counter()

    def add(self, part: Part, splits: dict[str, str], with_held_back: bool) -> int:
        """The rows to their sides; returns how many were left out as held back."""
        places: dict[str, list[int]] = {}
        left_out = 0
        for place, (prompt, is_held_back) in enumerate(zip(part.prompts, part.held_back, strict=True)):
            if is_held_back and not with_held_back:
                left_out += 1
            elif prompt in splits:  # else it was imported since the sides were read
                places.setdefault(splits[prompt], []).append(place)
        for split, of_split in places.items():
            rows = part.rows.take(of_split).replace_schema_metadata(self.schema.metadata)
            self.writer(split).write_table(rows)
            self.rows[split] += len(of_split)
        return left_out

    def writer(self, split: str) -> "ParquetWriter":
        from pyarrow.parquet import ParquetWriter

        if split not in self.writers:
            path = self.folder / path_of(self.table.name, split)
            path.parent.mkdir(parents=True, exist_ok=True)
            self.writers[split] = ParquetWriter(path, self.schema, compression="zstd")
        return self.writers[split]

    def close(self) -> None:
        for writer in self.writers.values():
            writer.close()
