"""A board for programs: JSON, CSV and Parquet. None of them holds a text of a question or an answer."""

import io
from typing import Any

from agreement.figures import Figure
from projects.models import Project
from projects.spreadsheets import as_csv, inert
from reports.leaderboard.standings import Line, Standings

FORMAT = "mizan.board/1"
COLUMNS = (
    *("id", "name", "kind", "laboratory", "size_class", "parameters", "access", "score", "low", "high", "n", "scored"),
    *("rank_best", "rank_worst", "no_rank", "words_per_second", "speed_is_local", "flags", "notes", "declared_overlap"),
    *("question_set", "version", "sha256", "canary"),
)


def as_json(project: Project, board: Standings | None) -> dict[str, Any]:
    """Plain JSON types; reasons and names of classes are English words that programs can rely on."""
    if board is None:
        return {"format": FORMAT, "project": project.slug, "question_set": None, "configurations": [], "baselines": []}
    return {
        "format": FORMAT,
        "project": project.slug,
        "question_set": {
            "name": board.question_set,
            "version": board.version,
            "sha256": board.sha256,
            "canary": board.canary,
        },
        "filters": board.filters,
        "questions": board.n_questions,
        "judges": list(board.judges),
        "judges_are_outside": board.is_outside,
        "drifted_judges": [
            {"name": judge.name, "shift": judge.shift.as_json(), "limit": judge.limit, "paused": len(judge.paused)}
            for judge in board.drifted
        ],
        "smallest_difference": board.detectable.as_json(),
        "chance": board.chance.as_json(),
        "configurations": [line_json(line) for line in board.lines],
        "baselines": [line_json(line) for line in board.baselines],
    }


def line_json(line: Line) -> dict[str, Any]:
    entry, speed = line.entry, line.speed
    return {
        "id": entry.slug,
        "name": entry.name,
        "kind": "baseline" if entry.is_baseline else "model",
        "laboratory": entry.laboratory_name,
        "size_class": entry.size,
        "parameters": entry.parameters,
        "access": entry.access,
        "score": line.score.as_json(),
        "rank": list(line.rank) if line.rank else None,
        "no_rank": line.no_rank,
        "n": line.score.n,
        "scored": line.scored,
        "words_per_second": speed.words.as_json() if speed else None,
        "speed_is_local": speed.is_local if speed else None,
        "flags": list(entry.flags),
        "notes": list(entry.notes),
        "declared_overlap": entry.overlap,
    }


def rows_of(board: Standings) -> list[dict[str, Any]]:
    """One flat row for each configuration and baseline, in the order of COLUMNS."""
    rows = []
    for line in (*board.lines, *board.baselines):
        said = line_json(line)
        best, worst = line.rank or (None, None)
        score: Figure = line.score
        said |= {
            "score": score.value,
            "low": score.low,
            "high": score.high,
            "rank_best": best,
            "rank_worst": worst,
            "words_per_second": line.speed.words.value if line.speed else None,
            "flags": " ".join(line.entry.flags),
            "notes": " ".join(line.entry.notes),
            "question_set": board.question_set,
            "version": board.version,
            "sha256": board.sha256,
            "canary": board.canary,
        }
        rows.append({name: said[name] for name in COLUMNS})
    return rows


def csv_of(board: Standings) -> str:
    lines = [[cell(row[name]) for name in COLUMNS] for row in rows_of(board)]
    return as_csv([COLUMNS, *lines])


def cell(value: Any) -> str:
    if value is None:
        return ""
    return inert(value) if isinstance(value, str) else repr(value)


def parquet_of(board: Standings) -> bytes:
    import pyarrow as arrow
    from pyarrow import parquet

    floats = {"parameters", "score", "low", "high", "scored", "words_per_second"}
    integers, flags = {"n", "rank_best", "rank_worst", "version"}, {"speed_is_local"}
    kinds = {name: arrow.float64() for name in floats}
    kinds |= {name: arrow.int64() for name in integers} | {name: arrow.bool_() for name in flags}
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in COLUMNS])
    target = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows_of(board), schema=schema), target)
    return target.getvalue()
