"""Which templates judges are trained on and which they are tested on: drawn by a seed, and then left alone.

A template's split is that of every prompt made from it, so it is drawn over templates. `draw` is pure.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from projects.audit import record
from projects.models import Project, PromptTemplate, Response, Split, User

# Percent of each split, in the order in which ties are settled: about those of the published study (MENLO, section 3).
SHARES = {Split.TRAIN.value: 70, Split.VALIDATION.value: 5, Split.TEST.value: 25}


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
