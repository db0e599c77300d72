import json
import random
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from benchmark.multi_hop import PARTS, question_line
from benchmark.prompting import prompt_text, too_long
from formats.limits import MAX_TEXT
from projects.command_line import writing

SKILL = "4-Birds Multihop"


class Command(BaseCommand):
    help = "Build shuffled multi-hop contexts of stories (JSON lines) and write question lines for import_questions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="JSON lines: id, story, question, answer, further fields")
        parser.add_argument("--seed", type=int, required=True, help="the same seed and files give the same bytes")
        parser.add_argument("--distractors", metavar="FILE", help="texts to bury the lines among, one a line")
        parser.add_argument("--per-question", type=int, default=5, metavar="N", help="distractors each (default 5)")
        parser.add_argument("--bury", nargs="+", choices=PARTS, default=["story"], help="what is cut (default: story)")
        parser.add_argument("--output", metavar="FILE", help="default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        distractors = self.texts(options["distractors"])
        lines = [
            self.line(source, number, distractors, options)
            for number, source in enumerate(self.texts(options["file"]), start=1)
        ]
        encoded = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        if options["output"]:
            with writing(Path(options["output"])):
                Path(options["output"]).write_bytes(encoded)
        else:
            sys.stdout.buffer.write(encoded)

    def line(self, text: str, number: int, distractors: list[str], options: dict[str, Any]) -> dict[str, Any]:
        """One question; CommandError names the line that is none."""
        try:
            source = {"category": SKILL, "format": "generation", **json.loads(text)}
            drawn = random.Random(f"{options['seed']} {source['id']} distractors")
            chosen = drawn.sample(distractors, min(options["per_question"], len(distractors)))
            made = question_line(source, chosen, seed=options["seed"], buried=options["bury"])
            if too_long(prompt_text(made["instruction"], made["input"])):
                raise ValueError(_("its context is longer than %(limit)d characters") % {"limit": MAX_TEXT})
            return made
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            values = {"line": number, "reason": error}
            raise CommandError(_("Line %(line)d is no story with question and answer: %(reason)s.") % values) from None

    def texts(self, path: str | None) -> list[str]:
        """The lines of a file that say something."""
        if not path:
            return []
        try:
            lines = Path(path).read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(_("%(path)s cannot be read: %(reason)s.") % {"path": path, "reason": error}) from None
        return [line for line in lines if line.strip()]
