"""Rules of answers after categories were merged or split: each speaks of what its categories are read as now.

What is stored stays as it was written, so taking a change back changes what is read alone (annotation/taxonomy.py).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from annotation.models import CategoryChange, ChangeKind, ErrorCategory
from projects.models import Project
from workflow.answer_rules import rules_of
from workflow.models import Stage

Rules = list[dict[str, Any]]


def following(project: Project, rules: Rules) -> Rules:
    """The rules with the categories that stand for those they name: of one that was merged the one it is read as, of
    one that was split all its parts. Asks the database nothing where no rule names a category."""
    if not any(rule.get("category") for rule in rules) or not (now := slugs_now(project)):
        return rules
    return [{**rule, "category": followed(rule["category"], now)} if rule.get("category") else rule for rule in rules]


def followed(slugs: Iterable[str], now: Mapping[str, Collection[str]]) -> list[str]:
    """Each once, in the order in which they are named."""
    return list(dict.fromkeys(each for slug in slugs for each in now.get(slug, (slug,))))


def slugs_now(project: Project) -> dict[str, tuple[str, ...]]:
    """By short name of each category that is no longer offered, those that stand for it."""
    rows = ErrorCategory.objects.filter(project=project).values_list("slug", "merged_into__slug", "is_split")
    gone = {slug: merged_into for slug, merged_into, is_split in rows if merged_into or is_split}
    if not gone:
        return {}
    steps = {slug: (into,) for slug, into in gone.items() if into}
    split = {slug for slug, into in gone.items() if not into}
    if split:
        changes = CategoryChange.objects.filter(project=project, kind=ChangeKind.SPLIT, undone_by=None)
        for change in changes.order_by("number"):
            whole = {slug for slug, made in change.after.items() if made["is_split"]}
            steps |= {slug: tuple(sorted(set(change.after) - whole)) for slug in whole & split}
    return {slug: tuple(_ends(slug, steps)) for slug in gone}


def _ends(slug: str, steps: Mapping[str, Collection[str]]) -> list[str]:
    """Where the steps from a category lead; they have no circle."""
    found: list[str] = []
    waiting = [slug]
    while waiting:
        at = waiting.pop(0)
        if at in steps:
            waiting = [*steps[at], *waiting]
        else:
            found.append(at)
    return list(dict.fromkeys(found))


def rules_about(project: Project, slugs: Collection[str]) -> int:
    """How many rules of the project's stages speak of one of these categories now."""
    stages = Stage.objects.filter(project=project).select_related("project")
    named = (rule.get("category") or () for stage in stages for rule in rules_of(stage))
    return sum(not set(slugs).isdisjoint(names) for names in named)
