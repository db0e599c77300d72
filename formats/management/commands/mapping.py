"""`manage.py mapping PROJECT list|show|save|delete|guess`: the mappings that a project keeps."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from formats.importing.command import delimiter_said, opened
from formats.importing.registry import importers
from formats.mapping.preview import preview
from formats.mapping.saved import mapping_named, save_mapping, take_away_mapping
from formats.mapping.specification import read_mapping, written
from formats.readers.choosing import Reading, format_of
from projects.command_line import project_named
from projects.models import ImportMapping
from projects.problems import Invalid


class Command(BaseCommand):
    help = "List, show, save and delete the mappings of a project, or propose one from the first rows of a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list", help="names and kinds")
        verbs.add_parser("show", help="as YAML").add_argument("name")
        verbs.add_parser("delete", help="take one away").add_argument("name")
        save = verbs.add_parser("save", help="keep the mapping of a YAML or JSON file under its name")
        save.add_argument("file")
        save.add_argument("--name", default="", help="default: the name in the file")
        guess = verbs.add_parser("guess", help="print a mapping to begin with, from the first rows of a file")
        guess.add_argument("file")
        guess.add_argument("--kind", choices=sorted(importers()), default="items")
        guess.add_argument("--format", default="", help="default: what the file's name says")
        guess.add_argument("--delimiter", default="")
        guess.add_argument("--sheet", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        try:
            getattr(self, options["verb"])(project, options)
        except Invalid as refused:
            raise CommandError("\n".join(str(each) for each in refused.problems)) from None

    def list(self, project: Any, options: dict[str, Any]) -> None:
        for mapping in project.import_mappings.all():
            self.stdout.write(f"{mapping.name} ({mapping.kind})")

    def show(self, project: Any, options: dict[str, Any]) -> None:
        found = self.found(project, options["name"])
        self.stdout.write(written(mapping_named(project, found.name, found.kind)), ending="")

    def delete(self, project: Any, options: dict[str, Any]) -> None:
        take_away_mapping(self.found(project, options["name"]), None)

    def save(self, project: Any, options: dict[str, Any]) -> None:
        kept = save_mapping(project, read_mapping(mapping_file(options["file"])), options["name"])
        self.stdout.write(_("Saved: %(name)s.") % {"name": kept.name})

    def guess(self, project: Any, options: dict[str, Any]) -> None:
        reading = Reading(delimiter_said(options["delimiter"]), options["sheet"])
        with opened(options["file"]) as source:
            file_format = options["format"] or format_of(options["file"])
            found = preview(source, options["kind"], file_format, reading, None)
        if found.problems:
            raise Invalid(found.problems)
        columns = ", ".join(found.columns)
        self.stdout.write(f"# {columns}\n{written({'kind': options['kind'], 'fields': found.fields})}", ending="")

    def found(self, project: Any, name: str) -> ImportMapping:
        found = ImportMapping.objects.filter(project=project, name=name).first()
        if found is None:
            raise CommandError(_("The project has no mapping “%(name)s”.") % {"name": name})
        return found


def mapping_file(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        message = _("%(path)s cannot be read: %(reason)s.")
        raise CommandError(message % {"path": path, "reason": error.strerror}) from None
