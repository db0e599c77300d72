"""WMT 2023 side-by-side MQM, English to German (Google, Apache 2.0): 360 translations, three raters each.

A row is one error: marked words of the translation, marked words of the source (what the translation leaves out,
or a fault of the source itself), or the statement that there is none.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from agreement import mqm

FILE = "mqm_sxs2023_ende/sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv"
CRITICALITY = {"Major": "high", "Minor": "low"}
TAG = re.compile("</?v>")


def rows(path: Path) -> list[dict]:
    """The rows of the file but its attention checks, which are no work."""
    header, *lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    names = header.split("\t")
    found = [dict(zip(names, line.split("\t"), strict=True)) for line in lines]
    return [row for row in found if row["severity"] != "HOTW-test"]


def item_id(row: dict) -> str:
    return f"{row['system']}/{row['doc']}/{row['docSegId']}/{row['globalSegId']}"


def items(path: Path) -> Iterator[dict]:
    seen = set()
    for row in rows(path):
        if item_id(row) in seen:
            continue
        seen.add(item_id(row))
        yield {
            "id": item_id(row),
            "prompt_id": f"{row['doc']}/{row['docSegId']}/{row['globalSegId']}",
            "prompt": TAG.sub("", row["source"]),
            "prompt_variety": "en-US",
            "variety": "de-DE",
            "model": row["system"],
            "laboratory": f"WMT 2023 {row['system']}",
            "response": TAG.sub("", row["target"]),
            "task": "translation",
        }


def answers(path: Path) -> Iterator[dict]:
    """One line for each rater of each item, its spans in the order of the file: sums of penalties depend on it."""
    by_answer: dict[tuple[str, str], list[dict]] = {}
    for row in rows(path):
        by_answer.setdefault((item_id(row), row["rater"]), []).append(row)
    for (item, rater), marked in by_answer.items():
        spans = [
            _span(f"{rater}-{number}", row)
            for number, row in enumerate(marked, start=1)
            if row["severity"] != "No-error"
        ]
        line = {"kind": "spans", "item": item, "rater": rater, "rater_kind": "human", "spans": spans}
        yield line if spans else {**line, "no_errors": True}


def _span(key: str, row: dict) -> dict:
    metadata = {"category": row["category"], "severity": row["severity"], "row": key}
    span = {
        "id": key,
        "criticality": CRITICALITY[row["severity"]],
        "penalty": mqm.weight(row["category"], row["severity"]),
        "metadata": metadata,
    }
    start = row["target"].find("<v>")
    if start >= 0:
        end = row["target"].find("</v>") - len("<v>")
        return {**span, "start": start, "end": end, "quote": TAG.sub("", row["target"])[start:end]}
    # Marked in the source: nothing of the translation to point at.
    quote = row["source"][row["source"].find("<v>") + len("<v>") : row["source"].find("</v>")]
    metadata["source_quote"] = quote
    return {**span, "anchor": "response"}
