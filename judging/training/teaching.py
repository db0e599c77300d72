"""What can be taught from what people did: graded pairs, settled marks, frozen rubrics. One class for each of them, and
what the export asks of it."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from judging.training import marks, reward, rubrics, sets
from judging.training.sets import GRPO, PREFERENCE, SFT, SplitSet
from projects.models import Project
from projects.splits import SHARES

S = TypeVar("S", bound=SplitSet[Any])


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; not every option says something of every kind of answers."""

    format: str
    seed: int
    with_held_back: bool = False
    with_rubric: bool = True
    answers: str = rubrics.WRITTEN


class Teaching(ABC, Generic[S]):
    """One kind of answers that people gave, as something to train on."""

    name: ClassVar[str]
    formats: ClassVar[tuple[str, ...]]
    #: What is counted, in the plural.
    unit: ClassVar[str]

    @abstractmethod
    def gather(self, project: Project, wanted: Wanted) -> S:
        """Raises sets.Leak."""

    @abstractmethod
    def rows(self, training: S, split: str, wanted: Wanted) -> Iterator[dict[str, Any]]: ...

    def row_count(self, training: S, split: str, wanted: Wanted) -> int:
        """How many rows there will be; of marks at least so many."""
        return len(training.examples[split])

    @abstractmethod
    def notes(self, training: S) -> list[str]:
        """What was left out, in sentences."""

    @abstractmethod
    def nothing(self, training: S, project: str, splits: Sequence[str]) -> str:
        """Why there is nothing to write."""

    @abstractmethod
    def recipe(self, training: S, wanted: Wanted) -> dict[str, Any]:
        """What decides what stands in the files, beside what is common to all."""

    def counted(self, n: int) -> str:
        return f"{n} {self.unit.removesuffix('s') if n == 1 else self.unit}"

    def whole_recipe(self, training: S, wanted: Wanted) -> dict[str, Any]:
        """All that decides what stands in the files, besides the project itself."""
        return {
            "format": wanted.format,
            "licence": training.project.licence,
            "citation": training.project.citation,
            "split_by": "template",
            "seed": training.seed,
            "shares": {split: share / sum(SHARES.values()) for split, share in SHARES.items()},
            "left_out_same_words": training.same_words,
            "left_out_held_back": training.left_out,
            "canaries_of_held_back": sorted(set(training.held_back.values())),
            **self.recipe(training, wanted),
        }


class OfRatings(Teaching[sets.TrainingSet]):
    name, formats, unit = "ratings", sets.FORMATS, "pairs"

    def gather(self, project: Project, wanted: Wanted) -> sets.TrainingSet:
        return sets.training_set(
            project,
            wanted.seed,
            with_held_back=wanted.with_held_back,
            for_preferences=wanted.format == PREFERENCE,
        )

    def rows(self, training: sets.TrainingSet, split: str, wanted: Wanted) -> Iterator[dict[str, Any]]:
        return sets.rows(training, split, wanted.format, wanted.with_rubric)

    def row_count(self, training: sets.TrainingSet, split: str, wanted: Wanted) -> int:
        """For a judge each example is a row in each of the two orders."""
        return len(training.examples[split]) * (1 if wanted.format == PREFERENCE else 2)

    def notes(self, training: sets.TrainingSet) -> list[str]:
        said = []
        if training.undecided:
            said.append(f"Left out, as neither side is better: {training.undecided}")
        if training.without_grades:
            said.append(f"Left out, rated by preference alone: {training.without_grades}")
        return said

    def nothing(self, training: sets.TrainingSet, project: str, splits: Sequence[str]) -> str:
        sides, n = " or ".join(splits), training.left_out
        if not n:
            return f"Nobody has graded a pair of {project} in {sides}. Nothing was written."
        left_out = f"{n} graded pair{'' if n == 1 else 's'} {'answers' if n == 1 else 'answer'} held-back questions"
        return (
            f"There is nothing to train on in {sides}: {left_out} and stay out unless --with-held-back is given. "
            "Nothing was written."
        )

    def recipe(self, training: sets.TrainingSet, wanted: Wanted) -> dict[str, Any]:
        gold = {"gold": f"experts, else {training.rule}; a mean as the nearest grade"}
        if wanted.format == PREFERENCE:
            return {**gold, "left_out_undecided": training.undecided}
        return {
            **gold,
            "orders": "both",
            "with_rubric": wanted.with_rubric,
            "prompt": f"{sets.NAME} {sets.VERSION}",
            "prompt_sha256": digest_of(sets.PROMPTS),
            "reward_sha256": reward_digest(),
            "left_out_without_grades": training.without_grades,
        }


class OfSpans(Teaching[marks.MarkSet]):
    name, formats, unit = "spans", marks.FORMATS, "responses"

    def gather(self, project: Project, wanted: Wanted) -> marks.MarkSet:
        return marks.mark_set(
            project,
            wanted.seed,
            with_held_back=wanted.with_held_back,
            for_preferences=wanted.format == PREFERENCE,
        )

    def rows(self, training: marks.MarkSet, split: str, wanted: Wanted) -> Iterator[dict[str, Any]]:
        return marks.rows(training, split, wanted.format)

    def notes(self, training: marks.MarkSet) -> list[str]:
        if not training.unsettled:
            return []
        return [f"Left out, as marks await verdicts: {self.counted(training.unsettled)}"]

    def nothing(self, training: marks.MarkSet, project: str, splits: Sequence[str]) -> str:
        said = [f"No response of {project} in {' or '.join(splits)} has settled marks to learn from."]
        said += [f"Marks of {self.counted(training.unsettled)} await verdicts."] * bool(training.unsettled)
        said += [f"Held-back questions keep {self.counted(training.left_out)} out."] * bool(training.left_out)
        return " ".join([*said, "Nothing was written."])

    def recipe(self, training: marks.MarkSet, wanted: Wanted) -> dict[str, Any]:
        return {
            "gold": "marks that were kept and rejected, of responses whose every mark is settled",
            "prompt": f"{marks.NAME} {marks.VERSION}",
            "prompt_sha256": digest_of(marks.PROMPTS),
            "reward_sha256": reward_digest() if wanted.format == GRPO else None,
            "left_out_unsettled": training.unsettled,
        }


class OfRubrics(Teaching[rubrics.RubricSet]):
    name, formats, unit = "rubrics", (SFT, GRPO, PREFERENCE), "prompts"

    def gather(self, project: Project, wanted: Wanted) -> rubrics.RubricSet:
        return rubrics.rubric_set(
            project,
            wanted.seed,
            with_held_back=wanted.with_held_back,
            for_preferences=wanted.format == PREFERENCE,
            answers=wanted.answers if wanted.format == SFT else rubrics.WRITTEN,
        )

    def rows(self, training: rubrics.RubricSet, split: str, wanted: Wanted) -> Iterator[dict[str, Any]]:
        return rubrics.rows(training, split, wanted.format)

    def row_count(self, training: rubrics.RubricSet, split: str, wanted: Wanted) -> int:
        return rubrics.row_count(training, split, wanted.format)

    def notes(self, training: rubrics.RubricSet) -> list[str]:
        said = []
        if training.ungraded:
            said.append(f"Left out, as no response was graded: {self.counted(training.ungraded)}")
        if training.even:
            said.append(f"Left out, as no response is better than another: {self.counted(training.even)}")
        return said

    def nothing(self, training: rubrics.RubricSet, project: str, splits: Sequence[str]) -> str:
        said = [f"No prompt of {project} in {' or '.join(splits)} has a frozen rubric to learn from."]
        said += [f"{note}." for note in self.notes(training)]
        said += [f"Held-back questions keep {self.counted(training.left_out)} out."] * bool(training.left_out)
        return " ".join([*said, "Nothing was written."])

    def recipe(self, training: rubrics.RubricSet, wanted: Wanted) -> dict[str, Any]:
        of_responses = wanted.format == PREFERENCE or training.answers == rubrics.BEST
        return {
            "gold": "reference grades of people" if of_responses else "frozen rubrics in their newest version",
            "answers": training.answers if wanted.format == SFT else None,
            "left_out_ungraded": training.ungraded,
            "left_out_even": training.even,
        }


TEACHINGS: dict[str, Teaching[Any]] = {each.name: each for each in (OfRatings(), OfSpans(), OfRubrics())}


def reward_digest() -> str:
    return hashlib.sha256(Path(reward.__file__).read_bytes()).hexdigest()


def digest_of(prompts: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(prompts.glob("*.txt")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
