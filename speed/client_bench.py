"""How much load the load's own client can make: the other benches must stay far below it."""

from speed.load import measure_client
from speed.results import report


def main() -> None:
    load = measure_client()
    report("the load's own client against a constant answer", f"{load.rate:.0f}/s", bar="far above what it measures")
