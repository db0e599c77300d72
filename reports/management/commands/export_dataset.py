"""`manage.py export_dataset PROJECT --to DIR`: gold and raw answers as a folder that `load_dataset(DIR)` reads."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from projects.audit import record
from projects.command_line import project_named, writing
from projects.problems import Invalid
from projects.terminal import ProgressBar, interrupted_with
from reports.dataset.exporting import EXPORTED
from reports.dataset.folder import write_folder


class Command(BaseCommand):
    help = "Write gold and every answer as a data set: README.md with its YAML head, Parquet files by table and split."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project, as in its address")
        parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="folder to make; it must not exist")
        parser.add_argument(
            "--with-held-back",
            action="store_true",
            help="also rows about held-back questions of a benchmark, each marked; left out by default",
        )

    def handle(self, *, project: str, to: Path, with_held_back: bool, **options: Any) -> None:
        named = project_named(project)
        if to.exists() and (not to.is_dir() or any(to.iterdir())):
            raise CommandError(_("%(path)s is there already and not empty. Nothing was written.") % {"path": to})
        with writing(to):
            to.parent.mkdir(parents=True, exist_ok=True)
            # Beside it, and moved into place when whole: an interrupted command leaves no half a folder.
            partial = Path(tempfile.mkdtemp(prefix=f".{to.name}-", dir=to.parent))
        try:
            with (
                writing(to),
                ProgressBar(sys.stderr) as bar,
                interrupted_with(lambda: _("Interrupted. Nothing was written.")),
            ):
                written = write_folder(
                    named,
                    partial,
                    with_held_back=with_held_back,
                    on_table=lambda done, total: bar.show(done, total, "dataset"),
                )
                partial.chmod(0o755)
                partial.replace(to)
        except Invalid as refused:
            raise CommandError("\n".join(problem.message for problem in refused.problems)) from None
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        record(EXPORTED, actor=None, project=named, subject=named.slug, via="command", with_held_back=with_held_back)
        for each in written.configurations:
            rows = ", ".join(f"{split} {n}" for split, n in each.rows.items())
            self.stdout.write(f"{each.name}: {rows}")
        if written.left_out:
            self.stdout.write(f"Left out, as they are about held-back questions: {written.left_out} rows")
