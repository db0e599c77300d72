"""What the commands of every room ask of the project named to them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError
from django.db import connection
from django.utils.translation import gettext as _

from projects.models import Project


def project_named(slug: str) -> Project:
    """The project of this short name; CommandError names those there are and the database looked in."""
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        slugs = Project.objects.order_by("slug").values_list("slug", flat=True)[:20]
        known = ", ".join(slugs) or _("none yet")
        raise CommandError(
            _("There is no project “%(slug)s” in %(database)s (see DATA_DIR, DATABASE_URL). Projects there: %(known)s.")
            % {"slug": slug, "database": connection.settings_dict["NAME"], "known": known}
        )
    return project


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raises CommandError for the file or folder that cannot be written, with its path and the system's reason."""
    try:
        yield
    except OSError as error:
        told = {"path": error.filename2 or error.filename or path, "reason": error.strerror or error}
        raise CommandError(_("%(path)s cannot be written: %(reason)s.") % told) from None
