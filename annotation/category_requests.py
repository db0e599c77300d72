"""A change of categories as programs and commands ask for it: what it would touch, and the change itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import category_changes
from annotation.category_changes import STATED, Part, Touched
from annotation.category_jobs import settle
from annotation.models import CategoryChange, ChangeKind, ErrorCategory
from jobs.models import Job
from projects.models import Project, User
from projects.problems import Invalid, Problem


@dataclass(slots=True)
class Wanted:
    """What is asked for, by short names: `category` is renamed or split, `categories` are merged into `into`, `number`
    is the change that is taken back. Of the words of a rename None stays as it is."""

    kind: str
    category: str = ""
    categories: Sequence[str] = ()
    into: str = ""
    name: str | None = None
    definition: str | None = None
    example: str | None = None
    parts: Sequence[Part] = ()
    number: int | None = None
    reason: str = ""


@dataclass(slots=True)
class Made:
    """What came of it. `touched` is what the change touches, `change` what was made, None in a dry run, and `job` what
    brings the final errors up to date, None where that is done."""

    touched: Touched
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    change: CategoryChange | None = None
    job: Job | None = None


def carry_out(project: Project, wanted: Wanted, by: User | None, *, dry_run: bool = False) -> Made:
    """Make the change, or find out what it would be: a dry run is refused for what the change would be refused for.

    Raises Invalid with every problem; nothing is changed then.
    """
    with transaction.atomic():
        about = _about(project, wanted)
        touched = category_changes.touched(project, about)
        change = _changed(project, wanted, by)
        made = Made(touched, change.before, change.after)
        if dry_run:
            transaction.set_rollback(True)
            return made
    made.change = change
    made.job = settle(change, by)
    return made


def _about(project: Project, wanted: Wanted) -> list[ErrorCategory]:
    """The categories that are no longer offered as they were: of a merge all but the one that stays."""
    if wanted.kind == ChangeKind.UNDO:
        change = _change(project, wanted.number)
        return list(project.error_categories.filter(slug__in=[*change.before, *change.after]))
    if wanted.kind == ChangeKind.MERGE:
        return [one for one in _named(project, wanted.categories, "categories") if one.slug != wanted.into]
    return _named(project, [wanted.category], "category")


def _changed(project: Project, wanted: Wanted, by: User | None) -> CategoryChange:
    if wanted.kind == ChangeKind.UNDO:
        return category_changes.undo(_change(project, wanted.number), by, wanted.reason)
    if wanted.kind == ChangeKind.MERGE:
        [into] = _named(project, [wanted.into], "into")
        return category_changes.merge(_named(project, wanted.categories, "categories"), into, by, wanted.reason)
    [category] = _named(project, [wanted.category], "category")
    if not category.is_offered:
        message = _("The category “%(slug)s” is no longer offered.") % {"slug": category.slug}
        raise Invalid(Problem("conflict", message, "category"))
    if wanted.kind == ChangeKind.SPLIT:
        return category_changes.split(category, wanted.parts, by, wanted.reason)
    said = {name: text for name in STATED if (text := getattr(wanted, name)) is not None}
    return category_changes.rename(category, said, by, wanted.reason)


def _named(project: Project, slugs: Sequence[str], field: str) -> list[ErrorCategory]:
    there = {one.slug: one for one in project.error_categories.all()}
    unknown = sorted({slug for slug in slugs if slug not in there})
    if unknown or not slugs:
        message = _("The project has no such category: %(slugs)s.") % {"slugs": ", ".join(unknown)[:400] or "–"}
        raise Invalid(Problem("unknown", message, field))
    return [there[slug] for slug in dict.fromkeys(slugs)]


def _change(project: Project, number: int | None) -> CategoryChange:
    change = project.category_changes.select_related("project").filter(number=number or 0).first()
    if change is None:
        raise Invalid(Problem("unknown", _("There is no change of this number."), "number"))
    return change


def as_told(made: Made) -> dict[str, Any]:
    """The outcome as programs read it."""
    return {
        "touched": made.touched._asdict(),
        "before": made.before,
        "after": made.after,
        "number": made.change.number if made.change else None,
        "job": str(made.job.uuid) if made.job else None,
    }


def described(change: CategoryChange, free: set[int]) -> dict[str, Any]:
    """A change that was made; `free` are those that can be taken back."""
    return {
        "number": change.number,
        "kind": change.kind,
        "reason": change.reason,
        "made_at": change.created_at,
        "before": change.before,
        "after": change.after,
        "undoes": change.undoes.number if change.undoes else None,
        "can_be_undone": change.pk in free,
    }
