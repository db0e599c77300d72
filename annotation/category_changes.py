"""Changing categories of errors that answers rest on: renamed, merged, split, and each of these taken back.

No answer is rewritten. A change is a row with what stood before and after; who derives gold or counts reads answers
through `annotation.taxonomy`. Gold of the responses that a change touches is derived anew by whoever makes it
(`touched_responses`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.error_scheme import error_scheme
from annotation.models import CategoryChange, ChangeKind, Classification, ErrorCategory, GoldError, Review, Span
from annotation.rules_of_categories import rules_about
from annotation.taxonomy import read_as, replaced, version
from projects.models import Project, Response, User
from projects.problems import Invalid, Problem
from projects.slugs import free_slug

STATED = ("name", "definition", "example")
MOST_PARTS = 20


class Part(NamedTuple):
    """One of the categories that another one is split into."""

    name: str
    definition: str = ""
    example: str = ""


class Touched(NamedTuple):
    """What a change of some categories touches: marks and reviews that name them, codings, errors of the gold, how many
    of them have points of their own for their errors, and rules of answers that speak of them."""

    spans: int
    reviews: int
    codings: int
    gold: int
    weights: int
    rules: int


def with_replaced(project: Project, categories: Iterable[ErrorCategory]) -> set[int]:
    """Ids of these and of all that are read as one of them, or as the one that they are read as."""
    ids, mapping = {category.pk for category in categories}, replaced(project)
    now = {read_as(pk, mapping) for pk in ids} - {None}
    return ids | {before for before, stands in mapping.items() if stands in ids | now}


def touched(project: Project, categories: Sequence[ErrorCategory]) -> Touched:
    """Six counts, for a preview."""
    ids = with_replaced(project, categories)
    slugs = {category.slug for category in categories}
    return Touched(
        Span.objects.filter(category__in=ids).count(),
        Review.objects.filter(category__in=ids).count(),
        Classification.objects.filter(category__in=ids).count(),
        GoldError.objects.filter(category__in=ids).count(),
        sum(weight["category"] in slugs for weight in error_scheme(project).weights),
        rules_about(project, slugs),
    )


def touched_responses(change: CategoryChange) -> QuerySet[Response]:
    """Those with an answer or an error of the gold in a category that the change is about."""
    categories = ErrorCategory.objects.filter(project=change.project, slug__in=[*change.before, *change.after])
    ids = with_replaced(change.project, categories)
    of = Q(pk__in=Span.objects.filter(category__in=ids).values("response"))
    of |= Q(pk__in=Classification.objects.filter(category__in=ids).values("span__response"))
    of |= Q(pk__in=Review.objects.filter(category__in=ids).values("span__response"))
    of |= Q(pk__in=GoldError.objects.filter(category__in=ids, is_imported=False).values("response"))
    return Response.objects.filter(of, project=change.project)


# --- The changes --------------------------------------------------------------------------------------


@transaction.atomic
def rename(category: ErrorCategory, stated: Mapping[str, str], by: User | None, reason: str = "") -> CategoryChange:
    """Other words for the same category: any of STATED. Raises Invalid for an empty name and where nothing differs."""
    category = _locked(category.project)[category.slug]
    given = {name: text.strip() for name, text in stated.items() if name in STATED}
    if not given.get("name", category.name):
        raise Invalid(Problem("required", _("A category needs a name."), "name"))
    if all(getattr(category, name) == text for name, text in given.items()):
        raise Invalid(Problem("unchanged", _("Nothing differs from what stands."), "name"))
    before = _state(category)
    for name, text in given.items():
        setattr(category, name, text)
    category.save(update_fields=[*given])
    return _record(category.project, ChangeKind.RENAME, {category.slug: before}, [category], by, reason)


@transaction.atomic
def merge(
    categories: Sequence[ErrorCategory], into: ErrorCategory, by: User | None, reason: str = ""
) -> CategoryChange:
    """Read all of these as `into`. Raises Invalid where none is left to merge or one is no longer offered."""
    there = _locked(into.project)
    target = _offered(there, into.slug)
    merged = [_offered(there, one.slug) for one in categories if one.pk != into.pk]
    if not merged:
        raise Invalid(Problem("required", _("Choose at least one other category to merge."), "categories"))
    before = {one.slug: _state(one) for one in merged}
    for one in merged:
        one.merged_into = target
    ErrorCategory.objects.bulk_update(merged, ["merged_into"])
    return _record(into.project, ChangeKind.MERGE, before, [*merged, target], by, reason)


@transaction.atomic
def split(category: ErrorCategory, parts: Sequence[Part], by: User | None, reason: str = "") -> CategoryChange:
    """Offer these in place of the category; whatever was of it is of none until somebody has chosen among all.

    A part named as a category that was merged into this one brings that one back. Raises Invalid for fewer than two
    parts, a name that stands twice, and one that another category has.
    """
    there = _locked(category.project)
    category = _offered(there, category.slug)
    names = [part.name.strip() for part in parts]
    if not 2 <= len(names) <= MOST_PARTS:
        message = _("Name from 2 to %(most)d categories, one on a line.") % {"most": MOST_PARTS}
        raise Invalid(Problem("required", message, "parts"))
    before: dict[str, dict[str, Any] | None] = {category.slug: _state(category)}
    made = []
    by_name = {one.name.casefold(): one for one in there.values()}
    category.is_split = True
    category.save(update_fields=["is_split"])
    taken = set(there)
    for part, name in zip(parts, names, strict=True):
        known = by_name.get(name.casefold())
        if not name or len(name) > 80 or (known is not None and known.merged_into_id != category.pk):
            message = _("“%(name)s” is empty, too long, or the name of another category.") % {"name": name[:80]}
            raise Invalid(Problem("duplicate_id", message, "parts"))
        before_it, one = (None, _new(category, part, name, taken)) if known is None else (_state(known), known)
        before[one.slug] = before_it
        by_name[name.casefold()] = one
        taken.add(one.slug)
        one.merged_into = None
        one.save()
        made.append(one)
    return _record(category.project, ChangeKind.SPLIT, before, [category, *made], by, reason)


def _new(category: ErrorCategory, part: Part, name: str, taken: set[str]) -> ErrorCategory:
    return ErrorCategory(
        project=category.project,
        slug=free_slug(name, taken, "category"),
        name=name,
        definition=part.definition,
        example=part.example,
        error_type=category.error_type,
        depth=category.depth,
        position=category.position,
    )


def can_undo(project: Project) -> set[int]:
    """Ids of the changes that can be taken back: those whose categories no later change that stands is about."""
    later: set[str] = set()
    free = set()
    changes = CategoryChange.objects.filter(project=project, undone_by=None).exclude(kind=ChangeKind.UNDO)
    for change in changes.order_by("-number"):
        about = {*change.before, *change.after}
        if not about & later:
            free.add(change.pk)
        later |= about
    return free


@transaction.atomic
def undo(change: CategoryChange, by: User | None, reason: str = "") -> CategoryChange:
    """What stood before stands again. What was chosen since in a category that a split made counts as the one that was
    split. Raises Invalid where the change was taken back before, or a later one rests on it."""
    there = _locked(change.project)
    if change.pk not in can_undo(change.project):
        message = _("It was taken back before, or a later change rests on it. Take that one back first.")
        raise Invalid(Problem("conflict", message))
    now = {slug: _state(there[slug]) for slug in change.before}
    # Not the first of `before`: a database may keep the keys of JSON in another order.
    whole = next((there[slug] for slug, made in change.after.items() if made["is_split"]), None)
    for slug, stood in change.before.items():
        one = there[slug]
        if stood is None:
            one.merged_into = whole
        else:
            for name in STATED:
                setattr(one, name, stood[name])
            one.merged_into, one.is_split = there.get(stood["merged_into"]), stood["is_split"]
        one.save()
    categories = [there[slug] for slug in change.before]
    return _record(change.project, ChangeKind.UNDO, now, categories, by, reason, undoes=change)


# --- How they are stored ------------------------------------------------------------------------------


def _locked(project: Project) -> dict[str, ErrorCategory]:
    """The project's categories by slug. Two changes at once follow one another."""
    Project.objects.select_for_update().get(pk=project.pk)
    return {one.slug: one for one in ErrorCategory.objects.filter(project=project).select_related("merged_into")}


def _offered(there: Mapping[str, ErrorCategory], slug: str) -> ErrorCategory:
    category = there.get(slug)
    if category is None or not category.is_offered:
        message = _("The category “%(slug)s” is no longer offered. Load the page again.") % {"slug": slug}
        raise Invalid(Problem("conflict", message, "categories"))
    return category


def _state(category: ErrorCategory) -> dict[str, Any]:
    merged_into = category.merged_into.slug if category.merged_into else ""
    stated = {name: getattr(category, name) for name in STATED}
    return {**stated, "merged_into": merged_into, "is_split": category.is_split}


def _record(
    project: Project,
    kind: ChangeKind,
    before: Mapping[str, Any],
    categories: Sequence[ErrorCategory],
    by: User | None,
    reason: str,
    undoes: CategoryChange | None = None,
) -> CategoryChange:
    return CategoryChange.objects.create(
        project=project,
        number=version(project) + 1,
        kind=kind,
        before=before,
        after={one.slug: _state(one) for one in categories},
        reason=reason.strip()[:300],
        undoes=undoes,
        made_by=by,
    )
