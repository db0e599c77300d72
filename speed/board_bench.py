"""A board of 200 configurations on 470 questions, on both databases: 94,000 answers, rulings and scores.

Cold: nothing computed before. Warm: nothing has changed. After one score: one score was changed. The board is what the
lead's page, the open page, the command and the API show; the page is the open one, as a visitor gets it. Prints; never
passes or fails.
"""

import subprocess
import sys
from typing import Any

from speed.dashboard_bench import timed
from speed.results import report
from speed.servers import ROOT, installation

CONFIGURATIONS, QUESTIONS = 200, 470


def main() -> None:
    for name, is_sqlite in (("SQLite, files as cache", True), ("PostgreSQL, Redis as cache", False)):
        with installation(sqlite=is_sqlite) as mizan:
            program = f"from speed.board_bench import measure; measure({name!r})"
            subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=mizan.environment, check=True)


def measure(name: str) -> None:
    """In the installation's own process."""
    import django

    django.setup()
    from django.core.cache import cache
    from django.db import connection, transaction
    from django.test import Client

    from benchmark.models import Board, RuleScore
    from projects.models import Project
    from reports.leaderboard.scope import BoardScope
    from reports.leaderboard.standings import standings
    from tests.benchmark.boards import large_board

    with transaction.atomic():
        project = Project.objects.create(slug="large", name="Large", preset="leaderboard", areas=["leaderboard"])
        large_board(project, CONFIGURATIONS, QUESTIONS)
        Board.objects.create(project=project, slug="large", title="Large", is_open=True)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client(headers={"host": "localhost"})

    def board() -> Any:
        return standings(project, BoardScope())

    def page() -> None:
        answer = client.get("/boards/large/")
        assert answer.status_code == 200, answer.status_code

    def change() -> None:
        one = RuleScore.objects.filter(answer__configuration__project=project).first()
        assert one is not None
        RuleScore.objects.filter(pk=one.pk).update(value=10 - (one.value or 0))

    for what, work in (("board", board), ("open page", page)):
        for state, seconds, bar in (
            ("cold", timed(work, before=cache.clear), "under 3 s"),
            ("warm", timed(work), "under 1 s"),
            ("after one score", timed(work, before=change), "under 3 s"),
        ):
            title = f"{what} of {CONFIGURATIONS} x {QUESTIONS}, {state}, {name}"
            report(title, f"{seconds * 1000:.0f} ms", bar=bar)
