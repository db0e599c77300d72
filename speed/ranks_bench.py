"""What the board's ranks say of 1,000 boards drawn by chance: models that are equal, and one that is better.

Boards of 8 and of 30 equal models, with questions alone and in clusters of five: on how many anybody is told apart from
anybody, which is to be 5 %. Then one model that is 1.5 points of 10 better than all others (470 questions, a standard
deviation of 4, half as many boards): how often it is surely better than a given other, ranked first or second, and
ranked first alone; where every model's scores are drawn apart, and where three tenths of their variance are the
questions', as hard ones are hard for everybody. Run from the project's root: `make bench ARGS=ranks`, `--boards N` for
other numbers. Prints; never passes or fails.
"""

import argparse
import os
import subprocess
import sys

from speed.results import report
from speed.servers import ROOT

BOARDS = 1_000
SIZES = (8, 30)
COMMON = (0.0, 0.3)


def main() -> None:
    """In a process of its own: it is set up for no database, and takes one core."""
    program = f"from speed.ranks_bench import measure; measure({sys.argv[1:]!r})"
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, check=True)


def measure(arguments: list[str]) -> None:
    import django

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS)
    boards = parser.parse_args(arguments).boards
    django.setup()
    from tests.leaderboard.simulated import IN_CLUSTER, LEAD, QUESTIONS, ranks_of_the_better, told_apart

    for n in SIZES:
        for per_cluster, name in ((1, "questions"), (IN_CLUSTER, f"clusters of {IN_CLUSTER}")):
            false = told_apart(17, boards, n, per_cluster)
            what = f"{boards:,} boards of {n} equals, {QUESTIONS} questions, {name}"
            report(f"{what}: told apart", f"{false / boards:.1%}", bar="3 to 7 %")
    for n in SIZES:
        for common in COMMON:
            found = list(ranks_of_the_better(19, boards // 2, n, common))
            one = sum(is_better for _ranks, is_better in found) / len(found)
            second = sum(worst <= 2 for (_best, worst), _is_better in found) / len(found)
            first = sum(worst == 1 for (_best, worst), _is_better in found) / len(found)
            what = f"one of {n} is {LEAD} points better, {common:.0%} of variance in common"
            report(f"{what}: than a given other", f"{one:.1%}", bar="at least 95 %")
            report(f"{what}: first or second", f"{second:.1%}")
            report(f"{what}: first alone", f"{first:.1%}", bar="at least 95 %")


if __name__ == "__main__":
    main()
