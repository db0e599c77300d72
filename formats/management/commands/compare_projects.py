"""`manage.py compare_projects A B`: in what two projects, or files of projects, differ."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from formats.project_file.applying import read_project_file
from formats.project_file.command import ProjectFileCommand, content_of
from formats.project_file.comparing import differences
from formats.project_file.describing import described
from projects.command_line import project_named
from projects.models import Project
from projects.problems import Invalid


class Command(ProjectFileCommand):
    help = "Say in what two projects differ, a line for each difference. Each is a short name or a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("first", help="short name of a project, or path of a project file")
        parser.add_argument("second", help="what it is compared with")

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(differences(self.data_of(options["first"]), self.data_of(options["second"])))
        for difference in found:
            self.stdout.write(str(difference))
        if not found:
            self.stdout.write(_("There is no difference."))

    def data_of(self, named: str) -> dict[str, Any]:
        project = Project.objects.filter(slug=named).first()
        if project is None and Path(named).exists():
            try:
                return read_project_file(content_of(named))[0]
            except Invalid as invalid:
                raise self.refused(invalid) from None
        return described(project or project_named(named))
