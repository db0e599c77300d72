"""Training sets from pairs that people graded, split by template.

For judges they are conversations, in both orders; for reward models and DPO the better response beside the other.

A target is written as judging/training/reward.py reads it. All translations of a template stand on one side of the
split. Where templates of two sides ask the very same words, those prompts are left out of the side that is trained on,
and counted.
`check_apart` raises where either does not hold.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from annotation.fitted_rules import fitted_rule
from benchmark.held_back import canary_of, held_back_prompts
from judging.human_gold import GradedPair, graded_pairs, human_ratings
from judging.kinds.questions import aspect, question_types
from judging.prompts import Templates, fill
from judging.prompts.shipped import shipped
from judging.training.reward import GRADES, REASONING, written
from projects.conversations import messages_of
from projects.models import Project, QuestionType, ResponsePair, Split
from projects.splits import SEED, Origin, origins

NAME, VERSION = "training", "v1"
PROMPTS = Path(__file__).parent / "prompts" / VERSION
SFT, GRPO, PREFERENCE = "sft", "grpo", "preference"
FORMATS = (SFT, GRPO, PREFERENCE)
# Aspect and scale stand in the words of the shipped English prompt.
IN_ENGLISH = Templates("v1", shipped("pairwise", "v1"))
CHUNK = 500
SIDES = ("first", "second")


@cache
def prompt_part(part: str) -> str:
    """A part of the prompt that trained judges are asked by. Read once: a set asks for three of each of its rows."""
    return (PROMPTS / f"{part}.txt").read_text(encoding="utf-8")


class Leak(ValueError):
    """A template, or a prompt with the same words, stands on two sides of the split."""


class Sided(Protocol):
    """What stands on a side of the split: `origin` is that of its prompt, `subject` the id of what was answered."""

    @property
    def origin(self) -> Origin: ...

    @property
    def subject(self) -> int: ...


E = TypeVar("E", bound=Sided)


class Example(NamedTuple):
    """A graded pair of one question type, with where its prompt comes from."""

    question: QuestionType
    graded: GradedPair
    origin: Origin

    @property
    def subject(self) -> int:
        return self.graded.pair


@dataclass
class SplitSet(Generic[E]):
    """Examples by split. `same_words` stand on another side as well, under another template; `left_out` ones are about
    held-back questions, whose prompts, with the canaries of their sets, are in `held_back` where they were asked for.
    """

    project: Project
    seed: int
    examples: dict[str, list[E]] = field(default_factory=lambda: defaultdict(list))
    same_words: int = 0
    left_out: int = 0
    held_back: dict[int, str] = field(default_factory=dict)

    def templates(self, split: str) -> list[str]:
        """Ids of the templates on this side, in order; of prompts without one, the hash of their words."""
        return sorted({example.origin.template for example in self.examples[split]})

    def words(self, split: str) -> set[str]:
        """The words of the prompts on this side, as hashes."""
        return {example.origin.words for example in self.examples[split]}

    def subjects(self, split: str) -> int:
        return len({example.subject for example in self.examples[split]})


@dataclass
class TrainingSet(SplitSet[Example]):
    """Graded pairs to train on.

    `without_grades` pairs were rated by preference alone, and teach no grades; `undecided` ones have no better side,
    and teach no preference.
    """

    rule: str = ""
    without_grades: int = 0
    undecided: int = 0


def training_set(
    project: Project, seed: int = SEED, *, with_held_back: bool = False, for_preferences: bool = False
) -> TrainingSet:
    """All pairs that people graded, by split, without those of held-back questions unless they are asked for.

    `for_preferences` takes those with a better side, also where it was said without grades; else those with grades.
    The statements do not grow with the pairs. Raises Leak.
    """
    rule = fitted_rule(project)
    result = TrainingSet(project, seed, rule=rule.name)
    of_prompt, ratings = origins(project, seed), human_ratings(project)
    prompts = dict(ResponsePair.objects.filter(project=project).values_list("pk", "prompt_id"))
    canaries = canaries_of(project)
    left_out: set[int] = set()
    for question in question_types(project):
        for graded in graded_pairs(question, ratings.get(question.pk, ()), rule):
            if prompts[graded.pair] in canaries and not with_held_back:
                left_out.add(graded.pair)
                continue
            if for_preferences and not better(question, graded):
                result.undecided += 1
                continue
            if graded.grades is None and not for_preferences:
                result.without_grades += 1
                continue
            example = Example(question, graded, of_prompt[prompts[graded.pair]])
            result.examples[example.origin.split].append(example)
    result.left_out, result.held_back = len(left_out), canaries if with_held_back else {}
    set_apart(result)
    check_apart(result)
    return result


def canaries_of(project: Project) -> dict[int, str]:
    """By held-back prompt the canary of its question set. One statement."""
    marks = held_back_prompts(project).annotate(canary=canary_of("pk")).values_list("pk", "canary")
    return {pk: str(canary) for pk, canary in marks}


def better(question: QuestionType, graded: GradedPair) -> str:
    """The side that the gold prefers, first or second; empty where it is a tie or grades have no order."""
    if graded.grades is None:
        return graded.preference if graded.preference in SIDES else ""
    first, second = graded.grades
    if question.is_nominal or first == second:
        return ""
    return SIDES[first < second]


def set_apart(training: SplitSet[E]) -> None:
    """Leave out of training and validation what stands word for word on a side that is measured by."""
    measured: set[str] = set()
    for split in (Split.TEST, Split.VALIDATION, Split.TRAIN):
        apart = [example for example in training.examples[split] if example.origin.words not in measured]
        training.same_words += len(training.examples[split]) - len(apart)
        training.examples[split] = apart
        measured |= training.words(split)


def check_apart(training: SplitSet[E]) -> None:
    """Raises Leak unless no template and no prompt's words stand in two splits."""
    for number, split in enumerate(Split.values):
        for other in Split.values[number + 1 :]:
            if both := set(training.templates(split)) & set(training.templates(other)):
                raise Leak(f"{', '.join(sorted(both)[:5])} stands in {split} and in {other}")
            if same := training.words(split) & training.words(other):
                raise Leak(f"{len(same)} prompts of {split} have the same words as prompts of {other}")


def rows(training: TrainingSet, split: str, format: str, with_rubric: bool = True) -> Iterator[dict[str, Any]]:
    """In the order of their ids, each pair in both orders: as a conversation (sft), or as the prompt of one with the
    gold beside it (grpo). For preferences each pair once. Texts are read some hundreds of pairs at a time.
    """
    aspects: dict[int, str] = {}
    examples = sorted(training.examples[split], key=lambda example: (example.graded.pair, example.question.pk))
    for start in range(0, len(examples), CHUNK):
        chunk = examples[start : start + CHUNK]
        pair_ids = {example.graded.pair for example in chunk}
        pairs = ResponsePair.objects.select_related("first", "second", "prompt", "variety").in_bulk(pair_ids)
        for example in chunk:
            question = example.question
            pair = pairs[example.graded.pair]
            if format == PREFERENCE:
                of_pair = [preference_row(example, pair)]
            else:
                if question.pk not in aspects:
                    aspects[question.pk] = aspect(question, with_rubric, IN_ENGLISH)
                words = aspects[question.pk]
                of_pair = [row(example, pair, swapped, format, words, training.project) for swapped in (False, True)]
            for made in of_pair:
                if canary := training.held_back.get(pair.prompt_id):
                    made |= {"held_back": True, "canary": canary}
                yield made


def preference_row(example: Example, pair: ResponsePair) -> dict[str, Any]:
    """As TRL's DPOTrainer and RewardTrainer take it: `prompt`, `chosen` and `rejected`, conversational. Grades are null
    where people said which is better without grading."""
    is_second = better(example.question, example.graded) == SIDES[1]
    chosen, rejected = (pair.second, pair.first) if is_second else (pair.first, pair.second)
    grades = example.graded.grades or (None, None)
    chosen_grade, rejected_grade = grades[::-1] if is_second else grades
    return {
        "prompt": messages_of(pair.prompt.text, pair.prompt.messages),
        "chosen": [{"role": "assistant", "content": chosen.text}],
        "rejected": [{"role": "assistant", "content": rejected.text}],
        "chosen_grade": chosen_grade,
        "rejected_grade": rejected_grade,
        "id": f"{pair.key}/{example.question.slug}",
        **place(example, pair),
    }


def place(example: Example, pair: ResponsePair) -> dict[str, Any]:
    """What a row says of where it comes from."""
    return {
        "pair": pair.key,
        "question": example.question.slug,
        "dimension": example.question.dimension.slug,
        "variety": pair.variety.tag,
        "template": example.origin.template,
        "split": example.origin.split,
        "by_experts": example.graded.by_experts,
    }


def row(
    example: Example, pair: ResponsePair, is_swapped: bool, format: str, aspect: str, project: Project
) -> dict[str, Any]:
    assert example.graded.grades is not None
    gold_a, gold_b = example.graded.grades[:: -1 if is_swapped else 1]
    first, second = (pair.second, pair.first) if is_swapped else (pair.first, pair.second)
    order = "BA" if is_swapped else "AB"
    texts = (pair.prompt.text, first.text, second.text)
    shown = dict(zip(("prompt", "first", "second"), texts, strict=True))
    messages = [
        {"role": "system", "content": system(format, aspect, pair.variety.name)},
        {"role": "user", "content": fill(prompt_part("question"), {**shown, "mark": mark_of(texts)})},
    ]
    gold = {
        "gold_a": gold_a,
        "gold_b": gold_b,
        "lowest": example.question.lowest,
        "highest": example.question.highest,
    }
    where = {
        "id": f"{pair.key}/{example.question.slug}/{order}",
        "order": order,
        **place(example, pair),
    }
    if format == SFT:
        messages.append({"role": "assistant", "content": written(gold_a, gold_b)})
        return {"messages": messages, **gold, **where}
    # verl reads the gold where it is called ground truth; TRL hands the reward the columns themselves.
    rule = {"style": "rule", "ground_truth": gold}
    return {"prompt": messages, **gold, **where, "data_source": f"mizan/{project.slug}", "reward_model": rule}


def system(format: str, aspect: str, language: str) -> str:
    fixed = {
        "language": language,
        "aspect": aspect,
        "task": prompt_part(f"task_{format}").rstrip("\n"),
        "form": form(format),
    }
    return fill(prompt_part("system"), fixed).rstrip("\n")


def form(format: str) -> str:
    """What an answer looks like, in the tags that the reward reads."""
    lines = ["Answer in these tags, each once and in this order, with a whole number N of the scale:"]
    if format == GRPO:
        lines.append(f"<{REASONING}>what you found in A, what in B, and how they compare</{REASONING}>")
    return "\n".join([*lines, *(f"<{tag}>N</{tag}>" for tag in GRADES)])


def mark_of(texts: Sequence[str]) -> str:
    """The number in the marks around the texts: the same for the same texts, and in none of them."""
    salt = 0
    while True:
        mark = hashlib.sha256("\x1f".join((str(salt), *texts)).encode()).hexdigest()[:16]
        if not any(mark in text for text in texts):
            return mark
        salt += 1
