"""Claiming the next item, by 16 people at once without think time, from queues of a thousand to a million items.

A claim gives back the item its person still holds; so between two claims the last one is marked as submitted right in
the database, by a connection of the client's own. That is not counted. The calls are a browser's (session, CSRF
token) to gunicorn with two workers on PostgreSQL with durable commits; the floor is a bare Django view with one
insert on the same server. Prints; never passes or fails.
"""

from __future__ import annotations

import math
import os
import time
from typing import Any

import psycopg

from speed import workload
from speed.load import HEADING, Client, Load, measure
from speed.results import report
from speed.saving_bench import best, compared
from speed.servers import Installation, installation, measure_floor

LENGTHS = (1_000, 100_000, 1_000_000)
ROUNDS = 2
SECONDS = 5.0
# More raters than most projects ask for: so the shortest queue lasts as long as the measurement.
OVERLAP = 8
TEXT = "الكشري أكلة مصرية شعبية"
FINISH = """
    UPDATE workflow_assignment SET status = 'submitted', submitted_at = now(), lease_expires_at = NULL
    WHERE uuid = %s"""


async def claim(client: Client, number: int, people: list[dict[str, str]], stage: int, database: str) -> None:
    memory = client.memory
    if not memory:
        memory["database"] = await psycopg.AsyncConnection.connect(database, autocommit=True)
        await memory["database"].execute("SET synchronous_commit = off")
    headers = people[number] | {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await client.request("POST", f"/p/{workload.SLUG}/my-work/{stage}/next", headers=headers)
    parts = answer.headers.get("location", "").split("/")
    assert answer.status == 302, answer
    await memory["database"].execute(FINISH, [parts[2]])


def main() -> None:
    with installation() as mizan:
        os.environ.update(mizan.environment)
        import django

        django.setup()
        stage = workload.build(TEXT, OVERLAP)
        measure_all(mizan, stage)


def measure_all(mizan: Installation, stage: int) -> None:
    people: list[dict[str, str]] = []
    claims: dict[int, Load] = {}
    floors = []
    print(HEADING)
    for length in LENGTHS:
        began = time.monotonic()
        workload.lengthen_queue(stage, length)
        print(f"a queue of {length:,} items was made in {time.monotonic() - began:.0f} s", flush=True)
        floors.append(measure_floor(mizan, SECONDS))
        with mizan.web() as address:
            people = people or workload.everybody_signed_in(address)
            work: dict[str, Any] = {"people": people, "stage": stage, "database": mizan.environment["DATABASE_URL"]}
            loads = [measure(address, claim, seconds=SECONDS, **work) for _round in range(ROUNDS)]
        for load in loads:
            print(load.row(f"claim among {length:,}", floors[-1]), flush=True)
        claims[length] = best(loads)
    for length, load in claims.items():
        compared(f"claim the next of {length:,} items, 16 clients", load, best(floors), "250/s; ratio 0.5")
    report("claiming, slope of the time a claim takes, log-log", f"{slope(claims):.3f}", bar="under 0.1")


def slope(claims: dict[int, Load]) -> float:
    """Least-squares slope of log(seconds per claim) over log(length of the queue): 0 is flat, 1 is linear."""
    points = [(math.log(length), -math.log(load.rate)) for length, load in claims.items()]
    x_mean, y_mean = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    spread = sum((x - x_mean) ** 2 for x, _y in points)
    return sum((x - x_mean) * (y - y_mean) for x, y in points) / spread


if __name__ == "__main__":
    main()
