"""What the annotators were promised against what is stored: nothing lost, nothing twice, nothing altered.

The tables are read by plain SQL: what is checked is the database, not the code that writes to it.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOLDING = ("reserved", "claimed", "submitted")
SPAN = ("id", "anchor", "start", "end", "quote", "paragraph", "type", "criticality", "explanation", "correction")
QUERIES = {
    "items": "SELECT id, slots, open_slots FROM workflow_workitem WHERE stage_id = {stage}",
    "assignments": "SELECT uuid, item_id, rater_id, status, submission, id FROM workflow_assignment"
    " WHERE stage_id = {stage}",
    "drafts": "SELECT a.uuid, d.version, d.body FROM workflow_draft d JOIN workflow_assignment a"
    " ON a.id = d.assignment_id WHERE a.stage_id = {stage}",
    "markings": "SELECT m.id, a.uuid, a.item_id FROM annotation_marking m JOIN workflow_assignment a"
    " ON a.id = m.assignment_id WHERE a.stage_id = {stage}",
    "spans": 'SELECT s.marking_id, s.key, s.anchor, s.start, s."end", s.quote, s.paragraph, s.error_type,'
    " s.criticality, s.explanation, s.correction FROM annotation_span s JOIN annotation_marking m"
    " ON m.id = s.marking_id JOIN workflow_assignment a ON a.id = m.assignment_id WHERE a.stage_id = {stage}",
}
Rows = dict[str, list[tuple]]


def read_postgres(url: str, stage: int) -> Rows:
    import psycopg

    with psycopg.connect(url.replace("postgres://", "postgresql://")) as connection:
        return {name: connection.execute(sql.format(stage=stage)).fetchall() for name, sql in QUERIES.items()}


def read_sqlite(path: Path, stage: int) -> Rows:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return {name: connection.execute(sql.format(stage=stage)).fetchall() for name, sql in QUERIES.items()}


@dataclass
class Findings:
    """What broke a promise, in words; all three empty where every promise was kept. `kept` counts what was checked."""

    lost: list[str] = field(default_factory=list)
    duplicated: list[str] = field(default_factory=list)
    altered: list[str] = field(default_factory=list)
    kept: Counter[str] = field(default_factory=Counter)

    def broken(self) -> dict[str, list[str]]:
        found = {"lost": self.lost, "duplicated": self.duplicated, "altered": self.altered}
        return {name: words[:5] for name, words in found.items() if words}


def check(entries: list[dict[str, Any]], rows: Rows) -> Findings:
    """Hold the ledgers of one project against its rows."""
    findings = Findings()
    by_item: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in entries:
        if entry["event"] == "answered" and 400 <= entry["status"] < 500:
            findings.altered.append(f"a {entry['kind']} that was right was answered {entry['status']}: {entry}")
        if entry.get("path"):
            by_item[key(entry["path"])].append(entry)
    check_claims(entries, rows, findings)
    check_slots(rows, findings)
    markings: dict[str, list[int]] = defaultdict(list)
    for marking, assignment, _item in rows["markings"]:
        markings[hexed(assignment)].append(marking)
    spans: dict[int, set[tuple]] = defaultdict(set)
    for marking, *span in rows["spans"]:
        spans[marking].add(tuple(span))
    drafts = {hexed(assignment): (version, parsed(body)) for assignment, version, body in rows["drafts"]}
    statuses = {hexed(row[0]): (row[3], hexed(row[4])) for row in rows["assignments"]}
    for assignment in {*by_item, *markings, *drafts}:
        mine = by_item.get(assignment, [])
        status, submission = statuses.get(assignment, ("missing", ""))
        check_submission(assignment, mine, status, submission, markings.get(assignment, []), spans, findings)
        if status != "submitted":
            check_draft(assignment, mine, drafts.get(assignment), findings)
        if any(entry["kind"] == "skip" and is_yes(entry) for entry in mine):
            findings.kept["skip"] += 1
            if status != "skipped":
                findings.lost.append(f"{assignment}: skipping it was promised, it is {status}")
    return findings


def check_claims(entries: list[dict[str, Any]], rows: Rows, findings: Findings) -> None:
    there = {hexed(row[0]) for row in rows["assignments"]}
    for entry in entries:
        if entry["event"] != "answered" or entry["kind"] != "claim" or entry["status"] != 302:
            continue
        where = entry["answer"]["location"]
        if "/p/" in where:  # back to the overview: nothing was left
            continue
        findings.kept["claim"] += 1
        if key(where) not in there:
            findings.lost.append(f"a claimed item is nobody's: {where}")


def check_slots(rows: Rows, findings: Findings) -> None:
    """Each item goes to as many people as asked, and its open slots say so."""
    held = Counter(row[1] for row in rows["assignments"] if row[3] in HOLDING)
    answered = Counter(row[2] for row in rows["markings"])
    turns = Counter((row[1], row[2]) for row in rows["assignments"])
    findings.duplicated += [f"item and rater {pair}: {count} turns" for pair, count in turns.items() if count > 1]
    for item, slots, open_slots in rows["items"]:
        if held[item] > slots or answered[item] > slots:
            findings.duplicated.append(f"item {item}: {held[item]} people and {answered[item]} answers for {slots}")
        elif held[item] + open_slots != slots:
            findings.altered.append(f"item {item}: {held[item]} people and {open_slots} open of {slots}")


def check_submission(
    assignment: str,
    entries: list[dict[str, Any]],
    status: str,
    submission: str,
    markings: list[int],
    spans: dict[int, set[tuple]],
    findings: Findings,
) -> None:
    sent = [entry for entry in entries if entry["kind"] == "submit" and "submission" in entry]
    promised = [entry for entry in sent if is_yes(entry)]
    if promised:
        findings.kept["submit"] += 1
        if not markings or status != "submitted":
            findings.lost.append(f"{assignment}: an answer was promised; {len(markings)} stored, it is {status}")
        if len({entry["answer"]["submitted_at"] for entry in promised}) > 1:
            findings.duplicated.append(f"{assignment}: a resend was taken for another answer")
    if len(markings) > 1:
        findings.duplicated.append(f"{assignment}: {len(markings)} answers of one person")
    if markings and status != "submitted":
        findings.altered.append(f"{assignment}: half an answer: its spans are stored, it is {status}")
    wanted = {frozenset(span_rows(entry["body"])) for entry in sent}
    findings.altered += [
        f"{assignment}: what is stored was never sent" for each in markings if frozenset(spans[each]) not in wanted
    ]
    if status == "submitted" and submission not in {key(entry["submission"]) for entry in sent}:
        findings.altered.append(f"{assignment}: submitted under a number that nobody sent")


def check_draft(
    assignment: str, entries: list[dict[str, Any]], stored: tuple[int, dict] | None, findings: Findings
) -> None:
    """The draft is the last one that was promised, or one that was sent after it and perhaps arrived."""
    saves = [entry for entry in entries if entry["kind"] == "save" and "body" in entry]
    yes = [number for number, entry in enumerate(saves) if is_yes(entry)]
    if not yes and stored is None:
        return
    if stored is None:
        findings.lost.append(f"{assignment}: its draft was promised and is gone")
        return
    version, body = stored
    possible = saves[yes[-1] :] if yes else saves
    findings.kept["save"] += bool(yes)
    if not any(span_rows(entry["body"]) == span_rows(body) and entry["version"] + 1 == version for entry in possible):
        earlier = any(span_rows(entry["body"]) == span_rows(body) for entry in saves)
        (findings.lost if earlier else findings.altered).append(f"{assignment}: version {version} is not the last one")


def is_yes(entry: dict[str, Any]) -> bool:
    return entry["event"] == "answered" and 200 <= entry["status"] < 300


def span_rows(body: dict[str, Any]) -> set[tuple]:
    return {tuple(span[name] for name in SPAN) for span in body["spans"]}


def key(path: str) -> str:
    """The assignment's UUID in a path like /tasks/UUID/, or a UUID as it is written, without dashes."""
    return path.strip("/").rpartition("/")[2].replace("-", "")


def hexed(value: object) -> str:
    return value.hex if isinstance(value, uuid.UUID) else str(value or "").replace("-", "")


def parsed(body: object) -> dict[str, Any]:
    return json.loads(body) if isinstance(body, str) else body  # type: ignore[return-value]
