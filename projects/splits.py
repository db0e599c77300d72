"""Which templates judges are trained on and which they are tested on: drawn by a seed, and then left alone.

The rule, for judges, training sets and figures alike (`origin`): a prompt stands on the side of its template, with all
translations of it. A template that was assigned to a split stands there. Any other is drawn by a hash of the seed and
its own key, so that it stays where it is when others come. A prompt without a template is a template of its own;
prompts that ask the same words are one.

`assign` gives a lead's templates their splits, as near to the shares as whole templates allow; `draw` is pure.
"""

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from projects.audit import record
from projects.models import Project, PromptTemplate, Response, Split, User

# Percent of each split, in the order in which ties are settled: about those of the published study (MENLO, section 3).
SHARES = {Split.TRAIN.value: 70, Split.VALIDATION.value: 5, Split.TEST.value: 25}
SEED = 0


# --- Which side a prompt stands on -----------------------------------------------------------------------


class Origin(NamedTuple):
    """Where a prompt comes from: its template's id (or the hash of its own words), the split of that, and that hash."""

    template: str
    split: str
    words: str


def drawn(template: str, seed: int = SEED, shares: Mapping[str, float] = SHARES) -> str:
    """The split of a template that none was assigned: the same one whenever it is asked with this seed."""
    digest = hashlib.sha256(f"{seed}\x1f{template}".encode()).digest()
    point = sum(shares.values()) * int.from_bytes(digest[:8], "big") / 2**64
    for split, share in shares.items():
        if point < share:
            return str(split)
        point -= share
    return str(list(shares)[-1])


def origin(template: str | None, assigned: str | None, text_sha256: str, seed: int = SEED) -> Origin:
    name = f"template {template}" if template is not None else f"prompt {text_sha256}"
    return Origin(name, assigned or drawn(name, seed), text_sha256)


def origins(project: Project, seed: int = SEED) -> dict[int, Origin]:
    """By id of prompt, for all prompts of a project. One statement."""
    rows = project.prompts.values_list("pk", "template__key", "template__split", "text_sha256")
    return {pk: origin(key, split, text, seed) for pk, key, split, text in rows}


def prompts_of(project: Project, split: str) -> set[int]:
    """Ids of the project's prompts that stand on this side. One statement."""
    return {pk for pk, of_prompt in origins(project).items() if of_prompt.split == split}


# --- Giving templates their side -------------------------------------------------------------------------


def draw(
    strata: Mapping[str, Hashable],
    shares: Mapping[str, float],
    seed: int,
    there: Mapping[str, tuple[Hashable, str]] | None = None,
) -> dict[str, str]:
    """A split for each key of `strata` (its stratum by key), as near to the shares as whole templates allow.

    Keys are shuffled within their stratum by the seed; one after the other, each gets the split that is furthest
    behind its share, among all drawn so far and among those of the stratum together. `there` holds what has its
    split already (stratum and split by key): it is counted, and stays. The same keys, shares and seed give the same
    splits, in whatever order they come. Raises ValueError where the shares are negative or add up to nothing.
    """
    total = sum(shares.values())
    if total <= 0 or min(shares.values()) < 0:
        raise ValueError("the shares are not negative and add up to more than nothing")
    wanted = {split: share / total for split, share in shares.items()}
    overall: Counter[str] = Counter()
    within: defaultdict[Hashable, Counter[str]] = defaultdict(Counter)
    for stratum, split in (there or {}).values():
        overall[split] += 1
        within[stratum][split] += 1
    by_stratum: defaultdict[Hashable, list[str]] = defaultdict(list)
    for key in sorted(strata):
        by_stratum[strata[key]].append(key)
    drawn = {}
    shuffle = random.Random(seed)
    for stratum in sorted(by_stratum, key=str):
        keys = by_stratum[stratum]
        shuffle.shuffle(keys)
        for key in keys:
            split = _furthest_behind(wanted, overall, within[stratum])
            overall[split] += 1
            within[stratum][split] += 1
            drawn[key] = split
    return drawn


def _furthest_behind(wanted: Mapping[str, float], *counts: Counter[str]) -> str:
    def behind(split: str) -> float:
        return sum(wanted[split] * (count.total() + 1) - count[split] for count in counts)

    return max((split for split in wanted if wanted[split] > 0), key=behind)


def used(templates: QuerySet[PromptTemplate]) -> QuerySet[PromptTemplate]:
    """Those with a prompt that was answered: judges may have been trained or tested on it, so the split stays."""
    return templates.filter(Exists(Response.objects.filter(prompt__template=OuterRef("pk"))))


def is_used(template: PromptTemplate) -> bool:
    return used(PromptTemplate.objects.filter(pk=template.pk)).exists()


def assign(
    project: Project, shares: Mapping[str, float], seed: int, actor: User | None, *, anew: bool = False
) -> dict[str, str]:
    """Draw splits for the project's templates and store them; return what was drawn, by the template's key.

    Templates that have a split keep it. With `anew`, those that nothing was answered to yet are drawn again.
    Stratified by question type. The seed, the shares and every key drawn are written to the audit log.
    """
    with transaction.atomic():
        templates = {
            template.key: template
            for template in PromptTemplate.objects.select_for_update(no_key=True).filter(project=project).order_by("pk")
        }
        fixed = {key for key, template in templates.items() if template.split}
        if anew:
            fixed &= set(used(PromptTemplate.objects.filter(project=project)).values_list("key", flat=True))
        drawn = draw(
            {key: template.question_id for key, template in templates.items() if key not in fixed},
            shares,
            seed,
            {key: (templates[key].question_id, templates[key].split) for key in fixed},
        )
        for key, split in drawn.items():
            templates[key].split = split
        PromptTemplate.objects.bulk_update([templates[key] for key in drawn], ["split"], batch_size=500)
        if drawn:
            record(
                "templates.split",
                actor=actor,
                project=project,
                seed=seed,
                shares=dict(shares),
                anew=anew,
                drawn={split: sorted(key for key in drawn if drawn[key] == split) for split in shares},
            )
    return drawn
