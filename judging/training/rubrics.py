"""Training sets from frozen rubrics: for a model that answers, not for one that judges.

Supervised (sft) a prompt with the answer that its author wrote, or with the response that people graded highest; for
rollouts (grpo) the prompt alone, with its criteria and their weights beside it as the specification of the reward
(a judge scores by them over HTTP: judging/rewards); for reward models and DPO (preference) the best
graded response beside each that was graded lower.

A response's grade is its reference grade under the newest version of the rubric. A rubric counts in its newest version.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef

from judging.training.sets import PREFERENCE, SFT, SplitSet, canaries_of, check_apart, set_apart
from projects.among import Among
from projects.conversations import messages_of
from projects.models import Project, Response
from projects.splits import SEED, Origin, origins
from rubrics.models import Criterion, Grade, GradeRole, Rubric

WRITTEN, BEST = "written", "best"
#: What is the answer of a prompt: what its author wrote, or the response that was graded highest.
ANSWERS = (WRITTEN, BEST)
CHUNK = 200

LATER = Rubric.objects.filter(prompt=OuterRef("prompt"), version__gt=OuterRef("version"), frozen_at__isnull=False)


class Graded(NamedTuple):
    """A response's id, its key and what it was graded: percent of the points that there were."""

    response: int
    key: str
    percent: float


class Specified(NamedTuple):
    """A prompt with its newest frozen rubric, and its graded responses, the best first."""

    subject: int
    rubric: int
    version: int
    sha256: str
    origin: Origin
    graded: tuple[Graded, ...] = ()


@dataclass
class RubricSet(SplitSet[Specified]):
    """Prompts to train on. `ungraded` ones have no graded response, `even` ones none that is better than another."""

    ungraded: int = 0
    even: int = 0
    answers: str = WRITTEN


def rubric_set(
    project: Project,
    seed: int = SEED,
    *,
    with_held_back: bool = False,
    for_preferences: bool = False,
    answers: str = WRITTEN,
) -> RubricSet:
    """All prompts with a frozen rubric, by split, without held-back questions unless they are asked for.

    `for_preferences` takes those where one response was graded higher than another; `answers` "best" those with a
    graded response. Four statements, however many prompts there are. Raises sets.Leak.
    """
    result = RubricSet(project, seed, answers=answers)
    of_prompt, canaries = origins(project, seed), canaries_of(project)
    graded = graded_responses(project) if for_preferences or answers == BEST else {}
    rubrics = Rubric.objects.filter(~Exists(LATER), project=project, frozen_at__isnull=False).order_by("prompt_id")
    for rubric, prompt, version, sha256 in rubrics.values_list("pk", "prompt_id", "version", "sha256"):
        if prompt in canaries and not with_held_back:
            result.left_out += 1
            continue
        best_first = tuple(sorted(graded.get(rubric, ()), key=lambda each: (-each.percent, each.key)))
        if (for_preferences or answers == BEST) and not best_first:
            result.ungraded += 1
        elif for_preferences and best_first[0].percent == best_first[-1].percent:
            result.even += 1
        else:
            of = of_prompt[prompt]
            result.examples[of.split].append(Specified(prompt, rubric, version, sha256, of, best_first))
    result.held_back = canaries if with_held_back else {}
    set_apart(result)
    check_apart(result)
    return result


def graded_responses(project: Project) -> dict[int, list[Graded]]:
    """By id of rubric, the responses with a complete reference grade under it. One statement."""
    found: dict[int, list[Graded]] = defaultdict(list)
    grades = Grade.objects.filter(response__project=project, role=GradeRole.REFERENCE, is_complete=True)
    for rubric, response, key, raw, most in grades.values_list(
        "rubric_id", "response_id", "response__key", "raw", "maximum"
    ):
        assert raw is not None, "a complete grade has a score"
        assert most is not None, "a complete grade has a score"
        found[rubric].append(Graded(response, key, 100 * raw / most))
    return found


def rows(training: RubricSet, split: str, format: str) -> Iterator[dict[str, Any]]:
    """In the order of the prompts' ids. Texts are read some hundreds of prompts at a time."""
    examples = sorted(training.examples[split], key=lambda each: each.subject)
    for start in range(0, len(examples), CHUNK):
        chunk = examples[start : start + CHUNK]
        rubrics = Rubric.objects.select_related("prompt__variety").in_bulk([each.rubric for each in chunk])
        is_of_responses = format == PREFERENCE or (format == SFT and training.answers == BEST)
        wanted = [one.response for each in chunk for one in each.graded] if is_of_responses else []
        texts = dict(Response.objects.filter(pk__in=Among(wanted)).values_list("pk", "text"))
        criteria = {} if is_of_responses or format == SFT else criteria_of([each.rubric for each in chunk])
        for each in chunk:
            rubric = rubrics[each.rubric]
            if format == PREFERENCE:
                made = list(preference_rows(each, rubric, texts))
            elif format == SFT:
                made = [sft_row(each, rubric, texts)]
            else:
                made = [grpo_row(rubric, criteria[each.rubric], training.project)]
            for number, row in enumerate(made):
                row |= place(each, rubric, number)
                if canary := training.held_back.get(each.subject):
                    row |= {"held_back": True, "canary": canary}
                yield row


def row_count(training: RubricSet, split: str, format: str) -> int:
    examples = training.examples[split]
    if format != PREFERENCE:
        return len(examples)
    return sum(each.percent < of.graded[0].percent for of in examples for each in of.graded)


def asked(rubric: Rubric) -> list[dict[str, str]]:
    return messages_of(rubric.prompt.text, rubric.prompt.messages)


def answered(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


def sft_row(each: Specified, rubric: Rubric, texts: dict[int, str]) -> dict[str, Any]:
    if not texts:
        return {"messages": [*asked(rubric), answered(rubric.gold_answer)], "answer": WRITTEN, "percent": None}
    best = each.graded[0]
    return {"messages": [*asked(rubric), answered(texts[best.response])], "answer": BEST, "percent": best.percent}


def grpo_row(rubric: Rubric, criteria: Sequence[dict[str, Any]], project: Project) -> dict[str, Any]:
    """The specification stands in columns, which TRL hands to the reward, and where verl looks for the ground truth."""
    specification = {
        "criteria": list(criteria),
        "maximum": sum(criterion["weight"] for criterion in criteria if criterion["weight"] > 0),
        "gold_answer": rubric.gold_answer,
    }
    reward = {"style": "rubric", "ground_truth": specification}
    return {"prompt": asked(rubric), **specification, "data_source": f"mizan/{project.slug}", "reward_model": reward}


def preference_rows(each: Specified, rubric: Rubric, texts: dict[int, str]) -> Iterator[dict[str, Any]]:
    best = each.graded[0]
    for worse in each.graded[1:]:
        if worse.percent < best.percent:
            yield {
                "prompt": asked(rubric),
                "chosen": [answered(texts[best.response])],
                "rejected": [answered(texts[worse.response])],
                "chosen_percent": best.percent,
                "rejected_percent": worse.percent,
            }


def criteria_of(rubrics: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """By rubric its criteria as they were frozen, in their order. One statement."""
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    of_rubrics = Criterion.objects.filter(rubric__in=Among(rubrics), grade=None).order_by("position", "pk")
    names = ("key", "text", "weight", "objectivity", "explicitness", "tags")
    for rubric, *values in of_rubrics.values_list("rubric_id", *names):
        found[rubric].append(dict(zip(names, values, strict=True)))
    return found


def place(each: Specified, rubric: Rubric, number: int) -> dict[str, Any]:
    """What a row says of where it comes from."""
    return {
        "id": f"{rubric.prompt.key}/{number + 1}",
        "prompt_id": rubric.prompt.key,
        "variety": rubric.prompt.variety.tag,
        "scope": rubric.scope,
        "rubric_version": each.version,
        "rubric_sha256": each.sha256,
        "template": each.origin.template,
        "split": each.origin.split,
    }
