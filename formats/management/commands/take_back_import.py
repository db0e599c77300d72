"""`manage.py take_back_import PROJECT [IMPORT] [--dry-run]`: without an import, the list of them."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from formats.importing.counted import counted
from formats.importing.taking_back import take_back
from projects.command_line import project_named
from projects.models import Import
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Take an import back: all that came with it, where nothing rests on that."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("import", nargs="?", help="id of the import, as the list shows it")
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        if options["import"] is None:
            for each in project.imports.filter(taken_back_at=None)[:100]:
                counts = ", ".join(counted(each.counts))
                self.stdout.write(f"{each.uuid}  {each.imported_at:%Y-%m-%d %H:%M}  {each.name}: {counts}")
            return
        try:
            brought = Import.objects.get(project=project, uuid=options["import"])
            gone = take_back(brought, None, dry_run=options["dry_run"])
        except (Import.DoesNotExist, ValidationError):
            raise CommandError(_("The project has no import of this id.")) from None
        except Invalid as refused:
            raise CommandError("\n".join(str(problem) for problem in refused.problems)) from None
        said = ", ".join(f"{name}: {count}" for name, count in gone.items() if count)
        self.stdout.write((_("Would go: %(what)s.") if options["dry_run"] else _("Gone: %(what)s.")) % {"what": said})
