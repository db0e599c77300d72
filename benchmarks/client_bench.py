"""How much load the load's own client can make: the other benches must stay far below it."""

from benchmarks.load import HEADING, measure_client


def main() -> None:
    print(HEADING)
    print(measure_client().row("client against a constant answer"))
