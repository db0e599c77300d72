"""manage.py fake_provider --port N [--latency-ms 50]"""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from providers.fake import server


class Command(BaseCommand):
    help = "Serve a simulated provider on this machine. What it answers means nothing and says so."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=0, help="0 lets the system choose")
        parser.add_argument("--latency-ms", type=float, default=0, help="how long each answer takes")
        parser.add_argument("--seed", default="0", help="other seeds find other errors in the same text")

        parser.add_argument("--told", default="{}", help="how it grades and what it refuses, as JSON (faults.py)")

    def handle(self, *args: Any, port: int, latency_ms: float, seed: str, told: str, **options: Any) -> None:
        asked = {"--port": str(port), "--latency-ms": str(latency_ms), "--seed": seed, "--told": told}
        server.main([part for pair in asked.items() for part in pair])
