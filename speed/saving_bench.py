"""Saving a draft, and submitting an item with its spans, by 16 people at once without think time.

The calls are a browser's (session, CSRF token, If-Match) to gunicorn with two workers on PostgreSQL with durable
commits. A save holds three marked spans on a text of 400 words, of which one changed. A submission stores them, has
the response's gold derived and its reviews planned, and claims the next item, all before it answers. The floor is
a bare Django view with one insert on the same server. Prints; never passes or fails.
"""

from __future__ import annotations

import os
import uuid
from typing import Any

import orjson

from speed import workload
from speed.load import HEADING, Client, Load, measure
from speed.results import report
from speed.servers import Installation, installation, measure_floor

ITEMS = 20_000
ROUNDS = 2
SECONDS = 8.0


def spans(note: str) -> list[dict]:
    """Three marks on the bench's text, as the screen sends them."""
    marked = []
    for number, word in enumerate(workload.WORDS[:3]):
        start = workload.TEXT.index(word)
        marked.append(
            {
                "id": str(uuid.uuid4()),
                "anchor": "words",
                "start": start,
                "end": start + len(word),
                "quote": word,
                "paragraph": None,
                "type": "cultural",
                "criticality": "high",
                "category": "",
                "explanation": f"الكشري أكلة قاهرية مش من أكلات السحور {number} {note}",
                "correction": "",
            }
        )
    return marked


async def claim(client: Client, headers: dict[str, str], stage: int) -> str:
    """The path of the item this person works on next."""
    form = headers | {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await client.request("POST", f"/p/{workload.SLUG}/my-work/{stage}/next", headers=form, counted=False)
    assert answer.status == 302, answer
    return answer.headers["location"]


async def save(client: Client, number: int, people: list[dict[str, str]], stage: int) -> None:
    """One autosave on top of the last."""
    memory = client.memory
    if not memory:
        path = await claim(client, people[number], stage)
        stored = await client.request("GET", path + "saved", headers=people[number], counted=False)
        memory |= {"path": path, "version": orjson.loads(stored.body)["version"], "spans": spans("")}
    memory["spans"][0]["explanation"] = f"A reason that is still being written, {memory['version']}"
    body = {"no_errors": False, "spans": memory["spans"]}
    payload = orjson.dumps({"body": body, "client": "tab-1"})
    headers = people[number] | {"If-Match": f'"{memory["version"]}"'}
    answer = await client.request("PUT", memory["path"] + "draft", payload, headers)
    assert answer.status == 200, answer
    memory["version"] = orjson.loads(answer.body)["version"]


async def submit(client: Client, number: int, people: list[dict[str, str]], stage: int) -> None:
    """One item submitted; the answer names the next."""
    memory = client.memory
    if not memory:
        memory["path"] = await claim(client, people[number], stage)
        stored = await client.request("GET", memory["path"] + "saved", headers=people[number], counted=False)
        memory["version"] = orjson.loads(stored.body)["version"]
    payload = {
        "submission": str(uuid.uuid4()),
        "version": memory.pop("version", 0),
        "body": {"no_errors": False, "spans": spans("")},
    }
    answer = await client.request("POST", memory["path"] + "submit", orjson.dumps(payload), people[number])
    assert answer.status == 200, answer
    memory["path"] = orjson.loads(answer.body)["next"]


def best(loads: list[Load]) -> Load:
    return max(loads, key=lambda load: load.rate)


def compared(work: str, load: Load, floor: Load, bar: str) -> None:
    figure = f"{load.rate:.0f}/s, p95 {load.quantile(0.95) * 1000:.0f} ms"
    bare = f"{floor.rate:.0f}/s, p95 {floor.quantile(0.95) * 1000:.0f} ms"
    report(work, figure, floor=bare, ratio=load.rate / floor.rate, bar=bar)


def main() -> None:
    with installation() as mizan:
        os.environ.update(mizan.environment)
        import django

        django.setup()
        stage = workload.build()
        workload.lengthen_queue(stage, ITEMS)
        measure_all(mizan, stage)


def measure_all(mizan: Installation, stage: int) -> None:
    floors, saves, submissions = [], [], []
    people: list[dict[str, str]] = []
    print(HEADING)
    for _round in range(ROUNDS):
        floors.append(measure_floor(mizan, SECONDS))
        print(floors[-1].row("floor: bare view, one insert"), flush=True)
        with mizan.web() as address:
            people = people or workload.everybody_signed_in(address)
            work: dict[str, Any] = {"people": people, "stage": stage}
            saves.append(measure(address, save, seconds=SECONDS, **work))
            print(saves[-1].row("save a draft", floors[-1]), flush=True)
            submissions.append(measure(address, submit, seconds=SECONDS, **work))
            print(submissions[-1].row("submit, and claim the next", floors[-1]), flush=True)
    floor = best(floors)
    compared("save a draft, 16 clients", best(saves), floor, "350/s, p95 under 60 ms; ratio 0.6")
    compared("submit 3 spans and claim the next, 16 clients", best(submissions), floor, "350/s, p95 under 60 ms")


if __name__ == "__main__":
    main()
