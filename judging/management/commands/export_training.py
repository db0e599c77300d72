"""manage.py export_training PROJECT --format sft|grpo|preference [--of ratings|spans] [--split SPLIT] [--output DIR]

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

from judging.training import marks, reward
from judging.training.sets import (
    FORMATS,
    NAME,
    PREFERENCE,
    PROMPTS,
    VERSION,
    Leak,
    TrainingSet,
    rows,
    training_set,
)
from projects.audit import record
from projects.command_line import project_named, writing
from projects.models import Split
from projects.splits import SEED, SHARES
from projects.terminal import ProgressBar, interrupted_with

MANIFEST = "manifest.json"
RATINGS, SPANS = "ratings", "spans"
Exported = TrainingSet | marks.MarkSet


class Command(BaseCommand):
    help = "Write what people graded or marked as training sets for judges and reward models, split by template."

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
            choices=(RATINGS, SPANS),
            default=RATINGS,
            help="pairs that people graded, by default, or errors that were marked (sft, preference)",
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
            "--with-held-back",
            action="store_true",
            help="also pairs that answer held-back questions of a benchmark, each row marked; left out by default",
        )

    def handle(self, *, project: str, format: str, of: str, split: str | None, output: Path, **options: Any) -> None:
        if of == SPANS and format not in marks.FORMATS:
            raise CommandError(f"Of marks there are {' and '.join(marks.FORMATS)}. Nothing was written.")
        gather = marks.mark_set if of == SPANS else training_set
        named = project_named(project)
        wanted = {"with_held_back": options["with_held_back"], "for_preferences": format == PREFERENCE}
        try:
            training = gather(named, options["seed"], **wanted)
        except Leak as leak:
            raise CommandError(f"The splits are not apart: {leak}. Nothing was written.") from None
        splits = [split] if split else list(Split.values)
        if not any(training.examples[split] for split in splits):
            raise CommandError(nothing_to_write(training, project, splits))
        self.prove(training)
        with writing(output):
            output.mkdir(parents=True, exist_ok=True)
            files = [self.write(training, split, format, output, not options["without_rubric"]) for split in splits]
        manifest = {
            "project": project,
            "recipe": recipe(training, format, not options["without_rubric"]),
            "files": files,
            "templates": {split: training.templates(split) for split in Split.values},
        }
        with writing(output):
            put(output / MANIFEST, [orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n"])
        details = {"format": format, "seed": training.seed, "rows": sum(file["rows"] for file in files)}
        record("training.exported", actor=None, project=training.project, subject=project, **details)
        self.stdout.write(f"Manifest: {output / MANIFEST}")

    def prove(self, training: Exported) -> None:
        """Print the template ids of each split, and check that none is in two."""
        seen: set[str] = set()
        for split in Split.values:
            ids = training.templates(split)
            assert not seen & set(ids)
            seen |= set(ids)
            told = counted(training, training.subjects(split))
            self.stdout.write(f"{split}: {len(ids)} templates, {told}: {', '.join(ids) or 'none'}")
        self.stdout.write(f"No template stands in two splits ({len(seen)} in all).")
        if training.same_words:
            self.stdout.write(f"Left out, as a side that is measured by asks the same words: {training.same_words}")
        if training.left_out:
            self.stdout.write(f"Left out, as they answer held-back questions: {counted(training, training.left_out)}")
        if training.held_back:
            self.stdout.write("What answers held-back questions is in it, marked: train nothing on it.")
        if isinstance(training, marks.MarkSet):
            if training.unsettled:
                self.stdout.write(f"Left out, as marks await verdicts: {counted(training, training.unsettled)}")
            return
        if training.undecided:
            self.stdout.write(f"Left out, as neither side is better: {training.undecided}")
        if training.without_grades:
            self.stdout.write(f"Left out, rated by preference alone: {training.without_grades}")

    def write(self, training: Exported, split: str, format: str, folder: Path, with_rubric: bool) -> dict[str, Any]:
        path = folder / f"{split}.{format}.jsonl"
        if isinstance(training, marks.MarkSet):
            made, orders = marks.rows(training, split, format), 1
        else:
            made, orders = rows(training, split, format, with_rubric), 1 if format == PREFERENCE else 2
        lines = (orjson.dumps(row) + b"\n" for row in made)
        nothing = f"Interrupted: {path} is what it was before."
        with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: nothing):
            # For a judge each example is a row in each of the two orders.
            count, digest = put(path, shown(lines, bar, orders * len(training.examples[split])))
        self.stdout.write(f"{path}: {count} rows")
        return {
            "name": path.name,
            "split": split,
            "rows": count,
            unit(training): training.subjects(split),
            "sha256": digest,
        }


def nothing_to_write(training: Exported, project: str, splits: list[str]) -> str:
    sides = " or ".join(splits)
    if isinstance(training, marks.MarkSet):
        said = [f"No response of {project} in {sides} has settled marks to learn from."]
        said += [f"Marks of {counted(training, training.unsettled)} await verdicts."] * bool(training.unsettled)
        said += [f"Held-back questions keep {counted(training, training.left_out)} out."] * bool(training.left_out)
        return " ".join([*said, "Nothing was written."])
    if not training.left_out:
        return f"Nobody has graded a pair of {project} in {sides}. Nothing was written."
    verb = "answers" if training.left_out == 1 else "answer"
    left_out = f"{pairs_in_words(training.left_out, 'graded ')} {verb} held-back questions and stay out"
    return f"There is nothing to train on in {sides}: {left_out} unless --with-held-back is given. Nothing was written."


def pairs_in_words(n: int, kind: str = "") -> str:
    return f"{n} {kind}pair{'' if n == 1 else 's'}"


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


def unit(training: Exported) -> str:
    return "responses" if isinstance(training, marks.MarkSet) else "pairs"


def counted(training: Exported, n: int) -> str:
    word = unit(training)
    return f"{n} {word.removesuffix('s') if n == 1 else word}"


def recipe(training: Exported, format: str, with_rubric: bool) -> dict[str, Any]:
    """All that decides what stands in the files, besides the project itself."""
    if isinstance(training, marks.MarkSet):
        return {
            **common_recipe(training, format),
            "gold": "marks that were kept and rejected, of responses whose every mark is settled",
            "prompt": f"{marks.NAME} {marks.VERSION}",
            "prompt_sha256": digest_of(marks.PROMPTS),
            "left_out_unsettled": training.unsettled,
        }
    if format == PREFERENCE:
        return {
            **common_recipe(training, format),
            "gold": gold_of(training),
            "left_out_undecided": training.undecided,
        }
    return {
        **common_recipe(training, format),
        "gold": gold_of(training),
        "orders": "both",
        "with_rubric": with_rubric,
        "prompt": f"{NAME} {VERSION}",
        "prompt_sha256": digest_of(PROMPTS),
        "reward_sha256": hashlib.sha256(Path(reward.__file__).read_bytes()).hexdigest(),
        "left_out_without_grades": training.without_grades,
    }


def gold_of(training: TrainingSet) -> str:
    return f"experts, else {training.rule}; a mean as the nearest grade"


def digest_of(prompts: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(prompts.glob("*.txt")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def common_recipe(training: Exported, format: str) -> dict[str, Any]:
    return {
        "format": format,
        "licence": training.project.licence,
        "citation": training.project.citation,
        "split_by": "template",
        "seed": training.seed,
        "shares": {split: share / sum(SHARES.values()) for split, share in SHARES.items()},
        "left_out_same_words": training.same_words,
        "left_out_held_back": training.left_out,
        "canaries_of_held_back": sorted(set(training.held_back.values())),
    }
