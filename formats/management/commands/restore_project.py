"""`manage.py restore_project FILE [--slug S] [--lead ADDRESS]`: a new project of an archive."""

import hashlib
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from formats.archive.restoring import restore
from formats.project_file.command import ProjectFileCommand
from projects.models import User
from projects.problems import Invalid
from projects.terminal import ProgressBar, in_megabytes


class Command(ProjectFileCommand):
    help = "Make a new project of an archive that archive_project wrote, here or elsewhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="path of the archive")
        parser.add_argument("--slug", default="", help="short name of the new project; left out, the one it had")
        parser.add_argument("--lead", default="", metavar="ADDRESS", help="email address of who is to lead it")

    def handle(self, *args: Any, **options: Any) -> None:
        lead = User.objects.filter(email=options["lead"].lower()).first() if options["lead"] else None
        if options["lead"] and lead is None:
            raise CommandError(_("Nobody here has the address %(address)s.") % {"address": options["lead"]})
        try:
            with options["file"].open("rb") as file, ProgressBar(sys.stderr, in_megabytes) as bar:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
                file.seek(0)
                restored = restore(
                    file, options["slug"], lead, sha256=sha256, on_bytes=lambda done, total: bar.show(done, total)
                )
        except OSError as error:
            told = {"path": options["file"], "reason": error.strerror or error}
            raise CommandError(_("%(path)s cannot be read: %(reason)s.") % told) from None
        except Invalid as invalid:
            raise self.refused(invalid) from None
        told = {"project": restored.slug, "rows": restored.rows}
        self.stdout.write(_("Made: %(project)s, %(rows)d rows.") % told)
