"""Taking an import back: all of its prompts, responses and pairs, or none of them where anything rests on one."""

from collections.abc import Callable

from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from formats.importing.renewing import relations_of
from projects import audit
from projects.models import Import, Prompt, Response, ResponsePair, User
from projects.problems import Invalid, Problem

#: In the order in which they go: what rests on others first.
MODELS: tuple[type[Model], ...] = (ResponsePair, Response, Prompt)
#: So many rows go in half a second.
AT_ONCE = 20_000


def rows_of(brought: Import, model: type[Model]) -> QuerySet:
    return model._default_manager.filter(came_with=brought)


def what_rests_on(brought: Import) -> list[Problem]:
    """Why it cannot be taken back: what of the project's rests on its rows, and did not come with it."""
    problems = []
    for model in MODELS:
        ids = rows_of(brought, model).values("pk")
        for field in relations_of(model):
            resting = field.model._default_manager.filter(**{f"{field.name}__in": ids})
            if field.model in MODELS:
                resting = resting.exclude(came_with=brought)
            count = resting.count()
            if count:
                names = {"count": count, "what": field.model._meta.verbose_name_plural}
                message = _("%(count)d %(what)s rest on it.") % names
                problems.append(Problem("rested_on", message, str(model._meta.verbose_name)))
        later = Response.objects.filter(earlier__came_with=brought).exclude(came_with=brought)
        if model is Response and later.exists():
            problems.append(Problem("rested_on", _("Later versions of its responses are in the project.")))
    return problems


def is_large(brought: Import) -> bool:
    """Whether taking it back can take longer than a person waits."""
    most = AT_ONCE
    for model in MODELS:
        most -= len(rows_of(brought, model).order_by()[: most + 1].values_list("pk"))
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
            problems = what_rests_on(held)
            counts = {str(model._meta.verbose_name_plural): rows_of(held, model).count() for model in MODELS}
            if not any(counts.values()):
                message = _("None of its rows can be taken back: it brought no prompts, responses or pairs.")
                problems.append(Problem("nothing_to_take_back", message))
            if problems:
                raise Invalid(problems)
            if not dry_run:
                Response.objects.filter(came_with=held).update(earlier=None)
                for model in MODELS:
                    rows = rows_of(held, model)
                    rows._raw_delete(rows.db)  # nothing rests on them: there is nothing to look for
                now = timezone.now()
                Import.objects.filter(pk=held.pk).update(taken_back_at=now, taken_back_by=by)
                audit.record("data.taken_back", actor=by, project=held.project, subject=held, **counts)
            if before_commit is not None:
                before_commit(counts)
            return counts
    except IntegrityError:
        message = _("Somebody began to work on it just now. Nothing was taken back.")
        raise Invalid(Problem("rested_on", message)) from None
