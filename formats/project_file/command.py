"""What the commands of the project file have in common."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from formats.importing.command import opened
from formats.importing.counted import problems_said
from formats.project_file.applying import Applied
from formats.project_file.reading import MAX_BYTES
from projects.problems import Invalid


def content_of(path: str) -> bytes:
    """The file's bytes, of which no more are read than a project file may have. CommandError where it cannot be."""
    with opened(path) as source:
        return source.file.read(MAX_BYTES + 1)


class ProjectFileCommand(BaseCommand):
    def refused(self, invalid: Invalid) -> CommandError:
        """Says every problem, and returns what ends the command."""
        for problem in invalid.problems:
            self.stderr.write(str(problem))
        return CommandError(problems_said(len(invalid.problems)))

    def tell(self, applied: Applied) -> None:
        """What changed, line by line, and what was left out."""
        for change in applied.changes:
            self.stdout.write(str(change))
        for note in applied.notes:
            self.stderr.write(note)
        told: dict[str, Any] = {"project": applied.project.slug, "n": len(applied.changes)}
        if applied.is_new:
            done = _("Made: %(project)s.") if not applied.is_dry_run else _("Would be made: %(project)s.")
        elif not applied.changes:
            done = _("%(project)s is as the file says: nothing changed.")
        elif applied.is_dry_run:
            done = ngettext(
                "%(n)d change in %(project)s, not made.", "%(n)d changes in %(project)s, not made.", told["n"]
            )
        else:
            done = ngettext("%(n)d change in %(project)s.", "%(n)d changes in %(project)s.", told["n"])
        self.stdout.write(done % told)
