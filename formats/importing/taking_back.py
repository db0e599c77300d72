"""Taking an import back: all of its rows, or none of them where anything rests on one."""

from collections.abc import Callable, Iterable

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from formats.importing.registry import importers
from formats.importing.rows_of_imports import RowsOf, RowsOfItems
from projects import audit
from projects.models import Import, User
from projects.problems import Invalid, Problem

#: So many rows go in half a second.
AT_ONCE = 20_000


def rows_of(brought: Import) -> RowsOf:
    """How what came with a file of its kind is taken back."""
    known = importers().get(brought.kind)
    return known.rows if known else RowsOfItems()


def with_rows(imports: Iterable[Import]) -> set[int]:
    """The ids of those of which anything is there to be taken back, in a statement for each kind of rows."""
    found: set[int] = set()
    by_kind: dict[RowsOf, list[int]] = {}
    for each in imports:
        by_kind.setdefault(rows_of(each), []).append(each.pk)
    for rows, ids in by_kind.items():
        for of_model in rows.models:
            there = of_model.model._default_manager.filter(**{f"{of_model.path}__in": ids})
            found |= set(there.order_by().values_list(of_model.path, flat=True).distinct())
    return found


def is_large(brought: Import) -> bool:
    """Whether taking it back can take longer than a person waits."""
    most = AT_ONCE
    for each in rows_of(brought).models:
        most -= len(each.of(brought).order_by()[: most + 1].values_list("pk"))
        if most < 0:
            return True
    return False


def take_back(
    brought: Import,
    by: User | None,
    *,
    dry_run: bool = False,
    before_commit: Callable[[dict[str, int]], object] | None = None,
) -> dict[str, int]:
    """How many of what went. Raises Invalid where something rests on it, or nothing of it can be taken back.

    `before_commit` is called with that as the last statement of the transaction in which they go.
    """
    try:
        with transaction.atomic():
            held = Import.objects.select_for_update().get(pk=brought.pk)
            if held.taken_back_at is not None:
                raise Invalid(Problem("taken_back", _("It was taken back already.")))
            rows = rows_of(held)
            problems = rows.what_rests_on(held)
            counts = {str(each.model._meta.verbose_name_plural): each.of(held).count() for each in rows.models}
            if not any(counts.values()):
                message = _("Nothing that came with it is there to be taken back.")
                problems.append(Problem("nothing_to_take_back", message))
            if problems:
                raise Invalid(problems)
            if not dry_run:
                counts |= _go(held, rows)
                now = timezone.now()
                Import.objects.filter(pk=held.pk).update(taken_back_at=now, taken_back_by=by)
                audit.record("data.taken_back", actor=by, project=held.project, subject=held, **counts)
            if before_commit is not None:
                before_commit(counts)
            return counts
    except IntegrityError:
        message = _("Somebody began to work on it just now. Nothing was taken back.")
        raise Invalid(Problem("rested_on", message)) from None


def _go(held: Import, rows: RowsOf) -> dict[str, int]:
    afterwards = rows.before(held)
    for each in rows.models:
        going = each.of(held)
        going._raw_delete(going.db)  # nothing rests on them: there is nothing to look for
    return afterwards()
