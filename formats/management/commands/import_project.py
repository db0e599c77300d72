"""`manage.py import_project FILE [--slug S] [--dry-run]`: make a project of a file, or make one what the file says."""

from argparse import ArgumentParser
from typing import Any

from formats.project_file.applying import apply_file, create_from_file
from formats.project_file.command import ProjectFileCommand, content_of
from projects.models import Project
from projects.problems import Invalid


class Command(ProjectFileCommand):
    help = "Make a new project of a project file, or with --slug make an existing one what the file says."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="path of the file, or - for standard input")
        parser.add_argument("--slug", default="", help="short name of the project; left out, a new one is made")
        parser.add_argument("--dry-run", action="store_true", help="say what would change, and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        content, slug, dry_run = content_of(options["file"]), options["slug"], options["dry_run"]
        project = Project.objects.filter(slug=slug).first() if slug else None
        try:
            if project is None:
                applied = create_from_file(content, slug, dry_run=dry_run)
            else:
                applied = apply_file(project, content, dry_run=dry_run)
        except Invalid as invalid:
            raise self.refused(invalid) from None
        self.tell(applied)
