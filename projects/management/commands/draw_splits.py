from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from projects.command_line import project_named
from projects.splits import SHARES, assign


class Command(BaseCommand):
    help = (
        "Draw for each prompt template of a project whether judges are trained, validated or tested on it, by a seed "
        "and within each question type. Templates that have a split keep it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--seed", type=int, default=1, help="default: 1")
        shares = "/".join(str(share) for share in SHARES.values())
        parser.add_argument("--shares", default=shares, help=f"train/validation/test in percent; default: {shares}")
        parser.add_argument(
            "--anew", action="store_true", help="draw those again, too, that nothing was answered to yet"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        drawn = assign(project, shares_of(options["shares"]), options["seed"], None, anew=options["anew"])
        counts = Counter(drawn.values())
        said = ", ".join(f"{split} {counts[split]}" for split in SHARES)
        self.stdout.write(f"Drawn: {len(drawn)} ({said}). {project.prompt_templates.count() - len(drawn)} kept theirs.")


def shares_of(value: str) -> dict[str, int]:
    parts = value.split("/")
    if len(parts) != len(SHARES) or not all(part.isdecimal() for part in parts) or sum(map(int, parts)) != 100:
        raise CommandError("--shares takes three whole numbers that add up to 100, such as 70/5/25.")
    return dict(zip(SHARES, map(int, parts), strict=True))
