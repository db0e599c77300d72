"""manage.py export_training PROJECT --format sft|grpo|preference [--of ratings|spans|rubrics] [--output DIR]

Writes one JSONL file for each split, or for the one that is named, and beside them manifest.json with their hashes
and how they came about. The ids of the templates on each side are printed, and are proved to be different ones.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.training import rubrics
from judging.training.sets import FORMATS, Leak, SplitSet
from judging.training.teaching import TEACHINGS, OfRatings, Teaching, Wanted
from projects.audit import record
from projects.command_line import project_named, writing
from projects.models import Split
from projects.splits import SEED
from projects.terminal import ProgressBar, interrupted_with

MANIFEST = "manifest.json"


class Command(BaseCommand):
    help = "Write what people graded, marked or wrote as training sets, split by template."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project, as in its address")
        parser.add_argument(
            "--format",
            choices=FORMATS,
            required=True,
            help="conversations, prompts with their gold, or the better response beside the other",
        )
        parser.add_argument(
            "--of",
            choices=TEACHINGS,
            default=OfRatings.name,
            help="pairs that people graded, by default; errors that were marked; frozen rubrics",
        )
        parser.add_argument("--split", choices=Split.values, help="this one alone; all of them where it is left out")
        parser.add_argument("-o", "--output", type=Path, default=Path(), help="folder to write to; this one by default")
        parser.add_argument(
            "--seed", type=int, default=SEED, help="draws the split of templates that none was assigned"
        )
        parser.add_argument(
            "--without-rubric", action="store_true", help="the labels of the grades alone in the prompt"
        )
        parser.add_argument(
            "--answers",
            choices=rubrics.ANSWERS,
            default=rubrics.WRITTEN,
            help="of rubrics (sft): what the author wrote, by default, or the response that people graded highest",
        )
        parser.add_argument(
            "--with-held-back",
            action="store_true",
            help="also what answers held-back questions of a benchmark, each row marked; left out by default",
        )

    def handle(self, *, project: str, format: str, of: str, split: str | None, output: Path, **options: Any) -> None:
        teaching = TEACHINGS[of]
        if format not in teaching.formats:
            raise CommandError(f"Of {of} there are {' and '.join(teaching.formats)}. Nothing was written.")
        wanted = Wanted(
            format,
            options["seed"],
            with_held_back=options["with_held_back"],
            with_rubric=not options["without_rubric"],
            answers=options["answers"],
        )
        try:
            training = teaching.gather(project_named(project), wanted)
        except Leak as leak:
            raise CommandError(f"The splits are not apart: {leak}. Nothing was written.") from None
        splits = [split] if split else list(Split.values)
        if not any(training.examples[split] for split in splits):
            raise CommandError(teaching.nothing(training, project, splits))
        self.prove(teaching, training)
        with writing(output):
            output.mkdir(parents=True, exist_ok=True)
            files = [self.write(teaching, training, split, wanted, output) for split in splits]
        manifest = {
            "project": project,
            "recipe": teaching.whole_recipe(training, wanted),
            "files": files,
            "templates": {split: training.templates(split) for split in Split.values},
        }
        with writing(output):
            put(output / MANIFEST, [orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n"])
        details = {"format": format, "seed": training.seed, "rows": sum(file["rows"] for file in files)}
        record("training.exported", actor=None, project=training.project, subject=project, **details)
        self.stdout.write(f"Manifest: {output / MANIFEST}")

    def prove(self, teaching: Teaching[Any], training: SplitSet[Any]) -> None:
        """Print the template ids of each split, and check that none is in two."""
        seen: set[str] = set()
        for split in Split.values:
            ids = training.templates(split)
            assert not seen & set(ids)
            seen |= set(ids)
            told = teaching.counted(training.subjects(split))
            self.stdout.write(f"{split}: {len(ids)} templates, {told}: {', '.join(ids) or 'none'}")
        self.stdout.write(f"No template stands in two splits ({len(seen)} in all).")
        if training.same_words:
            self.stdout.write(f"Left out, as a side that is measured by asks the same words: {training.same_words}")
        if training.left_out:
            self.stdout.write(f"Left out, as they answer held-back questions: {teaching.counted(training.left_out)}")
        if training.held_back:
            self.stdout.write("What answers held-back questions is in it, marked: train nothing on it.")
        for note in teaching.notes(training):
            self.stdout.write(note)

    def write(
        self, teaching: Teaching[Any], training: SplitSet[Any], split: str, wanted: Wanted, folder: Path
    ) -> dict[str, Any]:
        path = folder / f"{split}.{wanted.format}.jsonl"
        lines = (orjson.dumps(row) + b"\n" for row in teaching.rows(training, split, wanted))
        nothing = f"Interrupted: {path} is what it was before."
        with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: nothing):
            count, digest = put(path, shown(lines, bar, teaching.row_count(training, split, wanted)))
        self.stdout.write(f"{path}: {count} rows")
        return {
            "name": path.name,
            "split": split,
            "rows": count,
            teaching.unit: training.subjects(split),
            "sha256": digest,
        }


def shown(lines: Iterable[bytes], bar: ProgressBar, total: int) -> Iterator[bytes]:
    for done, line in enumerate(lines, start=1):
        yield line
        bar.show(done, total)


def put(path: Path, lines: Any) -> tuple[int, str]:
    """Write lines and return their number and hash. Moved into place when whole: nothing is left half written."""
    partial, count, digest = path.with_name(path.name + ".partial"), 0, hashlib.sha256()
    with partial.open("wb") as file:
        for line in lines:
            file.write(line)
            digest.update(line)
            count += 1
    partial.replace(path)
    return count, digest.hexdigest()
