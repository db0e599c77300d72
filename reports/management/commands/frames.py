"""`manage.py frames PROJECT --to DIR`: everything that was answered, as files for pandas or a spreadsheet."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.audit import record
from projects.command_line import project_named, writing
from projects.models import Project
from projects.terminal import ProgressBar, interrupted_with
from reports.frames.exporting import EXPORTED, name_of
from reports.frames.files import FORMATS, PARQUET, blocks
from reports.frames.frame import Frame
from reports.frames.registry import FRAMES


class Command(BaseCommand):
    help = "Write the project's answers as tidy frames, a file each: spans, reviews, ratings, verdicts, calls ..."
    default_format = PARQUET

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project, as in its address")
        parser.add_argument(
            "--to", type=Path, required=True, metavar="DIR", help="folder of the files; made if missing"
        )
        parser.add_argument(
            "--format", choices=FORMATS, default=self.default_format, help=f"{self.default_format} by default"
        )
        parser.add_argument("--only", default="", metavar="NAMES", help=f"of {','.join(FRAMES)}; all by default")

    def handle(self, *, project: str, to: Path, format: str, only: str, **options: Any) -> None:
        of_project, frames = project_named(project), frames_named(only)
        with writing(to):
            to.mkdir(parents=True, exist_ok=True)
        ready: list[str] = []

        def interrupted() -> str:
            names = ", ".join(ready) or _("none")
            return _("Interrupted. Files that are complete: %(names)s; no other was changed.") % {"names": names}

        with interrupted_with(interrupted), writing(to):
            for frame in frames:
                path = to / name_of(of_project, frame, format)
                rows = self.write(of_project, frame, format, path)
                ready.append(path.name)
                words = ngettext("%(rows)d row written to %(path)s", "%(rows)d rows written to %(path)s", rows)
                self.stdout.write(words % {"rows": rows, "path": path})

    def write(self, project: Project, frame: Frame, file_format: str, path: Path) -> int:
        """Written beside and moved into place: an interrupted command leaves no half a file under the name."""
        rows, total = frame.count(project), frame.total(project)
        record(EXPORTED, actor=None, project=project, subject=frame.name, via="command", format=file_format)
        partial = path.with_name(path.name + ".partial")
        try:
            with partial.open("wb") as file, ProgressBar(sys.stderr) as bar:
                for part in blocks(frame, project, file_format, lambda done: bar.show(done, total, frame.name)):
                    file.write(part)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        return rows


def frames_named(only: str) -> list[Frame]:
    """All frames where `only` is empty. Raises CommandError for a name that no frame has, also for none at all."""
    names = [name.strip() for name in only.split(",") if name.strip()] or [only] * bool(only)
    if unknown := [name for name in names if name not in FRAMES]:
        names_given = {"names": ", ".join(unknown), "known": ", ".join(FRAMES)}
        raise CommandError(_("There is no frame “%(names)s”; there are: %(known)s.") % names_given)
    return [FRAMES[name] for name in dict.fromkeys(names)] or list(FRAMES.values())
