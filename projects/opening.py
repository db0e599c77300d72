"""Which areas a project shows: its preset's, and those of whatever work or data came to it since."""

from collections.abc import Iterable

from django.db import transaction

from projects.models import Project
from projects.vocabularies import give_words


def open_areas(project: Project, names: Iterable[str]) -> None:
    """The project shows the pages, the menu and the dashboards of these areas from now on; "" is that of every project.

    What somebody else opened meanwhile stays open. A project that has no word of a kind yet gets those that projects of
    the area begin with.
    """
    wanted = [name for name in names if name]
    if set(wanted) <= set(project.areas):
        return
    with transaction.atomic():
        shown = Project.objects.select_for_update(no_key=True).values_list("areas", flat=True).get(pk=project.pk)
        project.areas = [*shown, *(name for name in dict.fromkeys(wanted) if name not in shown)]
        project.save(update_fields=["areas"])
        for name in wanted:
            give_words(project, name)
