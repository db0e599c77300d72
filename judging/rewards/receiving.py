"""Rollouts as they come in: each becomes a question that is asked once, or is one that was asked before."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.held_back import held_back_prompts
from judging.models import Reward, Rollout, RolloutState
from judging.rewards.kinds import Basis, kind_for
from projects.among import Among
from projects.anchors import sha256
from projects.models import Prompt
from projects.problems import Invalid, Problem

MOST_ITEMS = 512
MOST_CHARACTERS = 200_000


class Item(NamedTuple):
    """A completion of a prompt, which is named by its id in the project or by its words."""

    completion: str
    prompt_id: str = ""
    prompt: str = ""


def receive(reward: Reward, items: Sequence[Item], again: bool = False) -> list[Rollout]:
    """The rollouts of these items, in their order; equal items are one rollout. `again` has those that failed asked
    once more. An empty completion is worth 0 and asks nobody.

    The statements do not grow with the items. Raises Invalid, by item, for a prompt that the project has not or holds
    back, that nothing scores, or whose words are those of several.
    """
    prompts = prompts_of(reward, items)
    bases = kind_for(reward.judge).bases(reward, prompts)
    if unscored := [number for number, prompt in enumerate(prompts) if prompt.pk not in bases]:
        message = _("Nothing scores this prompt: it has no frozen rubric, or no question type with a scale.")
        raise Invalid([Problem("not_scorable", message, f"items[{number}]") for number in unscored[:100]])
    keyed = [key_of(reward, prompt, bases[prompt.pk], item) for prompt, item in zip(prompts, items, strict=True)]
    with transaction.atomic():
        known = by_key(reward, keyed)
        new: dict[str, Rollout] = {}
        for key, prompt, item in zip(keyed, prompts, items, strict=True):
            if key not in known:
                new.setdefault(key, rollout_of(reward, key, prompt, bases[prompt.pk], item))
        Rollout.objects.bulk_create(new.values(), ignore_conflicts=True)
        if again:
            texts = dict(zip(keyed, (item.completion for item in items), strict=True))
            failed = [row for row in known.values() if row.state == RolloutState.FAILED]
            for row in failed:
                row.state, row.problem, row.ended_at = RolloutState.PLANNED, "", None
                row.completion, row.retries = texts[row.key], row.retries + 1
            Rollout.objects.bulk_update(failed, ["state", "problem", "ended_at", "completion", "retries"])
        rollouts = by_key(reward, keyed)
    return [rollouts[key] for key in keyed]


def prompts_of(reward: Reward, items: Sequence[Item]) -> list[Prompt]:
    """The prompt of each item. Two statements, and one about what is held back. Raises Invalid."""
    rows = Prompt.objects.filter(project=reward.project_id)
    by_id = {each.key: each for each in rows.filter(key__in={item.prompt_id for item in items if item.prompt_id})}
    hashes = {sha256(item.prompt) for item in items if not item.prompt_id}
    by_words: dict[str, list[Prompt]] = defaultdict(list)
    for each in rows.filter(text_sha256__in=hashes):
        by_words[each.text_sha256].append(each)
    found: list[Prompt] = []
    problems: list[Problem] = []
    for number, item in enumerate(items):
        fitting = [by_id[item.prompt_id]] if item.prompt_id in by_id else []
        if not item.prompt_id:
            fitting = by_words[sha256(item.prompt)]
        if len(fitting) == 1:
            found.append(fitting[0])
        elif fitting:
            message = _("Several prompts have these words: give the id of one.")
            problems.append(Problem("ambiguous", message, f"items[{number}].prompt"))
        else:
            problems.append(Problem("unknown_prompt", _("The project has no such prompt."), f"items[{number}]"))
    held_back = held_back_prompts(reward.project).filter(pk__in=Among(each.pk for each in found))
    if held_back.exists():
        message = _("A held-back question of a benchmark rewards no model in training.")
        problems.append(Problem("held_back", message, "items"))
    if problems:
        raise Invalid(problems[:100])
    return found


def key_of(reward: Reward, prompt: Prompt, basis: Basis, item: Item) -> str:
    about = [reward.prompt_version.text_sha256, prompt.pk, prompt.text_sha256, basis.key, item.completion]
    return sha256(json.dumps(about))


def rollout_of(reward: Reward, key: str, prompt: Prompt, basis: Basis, item: Item) -> Rollout:
    row = Rollout(
        reward=reward,
        prompt=prompt,
        rubric_id=basis.rubric,
        question_id=basis.question,
        key=key,
        completion=item.completion,
    )
    if not item.completion.strip():
        row.state, row.value, row.parts = RolloutState.SCORED, 0.0, {"empty": True}
        row.completion, row.ended_at = "", timezone.now()
    return row


def by_key(reward: Reward, keys: Iterable[str]) -> dict[str, Rollout]:
    """One statement: there are at most MOST_ITEMS keys."""
    rows = Rollout.objects.filter(reward=reward, key__in=set(keys)).select_related("prompt")
    return {row.key: row for row in rows}
