"""manage.py measure_speed PROJECT [--configuration SLUG ...] [--calls N] [--warm-up N] [--local --hardware TEXT]"""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from agreement.figures import Figure
from judging.speed.measuring import CALLS, WARM_UP, How, Target, chosen, measure, speed_of
from projects.command_line import project_named
from projects.problems import Invalid
from projects.terminal import ProgressBar, interrupted_with


class Command(BaseCommand):
    help = (
        "Measure how fast configurations answer, in a pass of its own: one call at a time over one connection, warmed "
        "up, nothing taken over. Words and characters a second are totals over total seconds."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument(
            "--configuration", metavar="SLUG", nargs="+", default=[], help="default: all with a provider"
        )
        parser.add_argument(
            "--calls", type=int, default=CALLS, metavar="N", help="measured calls of each (%(default)s)"
        )
        parser.add_argument("--warm-up", type=int, default=WARM_UP, metavar="N", help="calls before (%(default)s)")
        parser.add_argument("--local", action="store_true", help="the model runs on hardware of your own")
        parser.add_argument("--hardware", default="", metavar="TEXT", help="what it runs on; needed with --local")
        parser.add_argument("--json", action="store_true", help="figures as JSON, by configuration")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        how = How(options["calls"], options["warm_up"], options["local"], options["hardware"])
        try:
            how.check()
            measured = [self.measured(target, how) for target in chosen(project, options["configuration"])]
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        if options["json"]:
            self.stdout.write(json.dumps(measured, ensure_ascii=False))
            return
        for row in measured:
            self.stdout.write(in_words(row))

    def measured(self, target: Target, how: How) -> dict[str, Any]:
        name = target.configuration.name
        message = _("Interrupted: nothing of this pass is stored; earlier ones stay.")
        with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: message):
            measurement = measure(target, how, lambda done, total: bar.show(done, total, name))
        speed = speed_of(measurement)
        return {
            "configuration": target.configuration.slug,
            "name": name,
            "is_local": measurement.is_local,
            "hardware": measurement.hardware,
            "calls": speed.words_per_second.n,
            "warm_up": measurement.warm_up_calls,
            "batch_size": measurement.batch_size,
            "began_at": measurement.began_at.isoformat(),
            "words": speed.words_per_second.detail["amount"],
            "seconds": speed.words_per_second.detail["seconds"],
            "words_per_second": value_of(speed.words_per_second),
            "characters_per_second": value_of(speed.characters_per_second),
            "first_token_p50": value_of(speed.first_token_p50),
            "first_token_p95": value_of(speed.first_token_p95),
        }


def value_of(figure: Figure) -> dict[str, Any]:
    """None, with the reason, where there is none: a server that does not stream has no first token."""
    return {"value": figure.value, "low": figure.low, "high": figure.high, "undefined": figure.undefined}


def in_words(row: dict[str, Any]) -> str:
    def said(name: str) -> str:
        figure = row[name]
        return str(figure["undefined"]) if figure["value"] is None else f"{figure['value']:.4g}"

    text = _(
        "%(name)s: %(words)s words and %(characters)s characters a second (%(total)d words in %(seconds).4g s, "
        "%(calls)d calls); first token after %(p50)s s in the middle, %(p95)s s at the 95th percentile."
    )
    return text % {
        "name": row["name"],
        "words": said("words_per_second"),
        "characters": said("characters_per_second"),
        "total": row["words"],
        "seconds": row["seconds"],
        "calls": row["calls"],
        "p50": said("first_token_p50"),
        "p95": said("first_token_p95"),
    }
