"""PandaLM's test set (Wang et al., 2024, Apache 2.0): 999 pairs of responses, compared by three people and two judges.

They say which response is better and give no grades, so the question type has no scale.
"""

import json
from collections.abc import Iterator
from pathlib import Path

FOLDER = "pandalm"
LABORATORIES = {
    "bloom-7b": "BigScience",
    "cerebras-gpt-6.7B": "Cerebras",
    "llama-7b": "Meta",
    "opt-7b": "Meta",
    "pythia-6.9b": "EleutherAI",
}
PEOPLE = ("annotator1", "annotator2", "annotator3")
GPT35 = {"rater": "GPT-3.5", "rater_kind": "judge", "model": "gpt-3.5-turbo", "laboratory": "OpenAI"}
PANDALM = {"rater": "PandaLM-7B", "rater_kind": "judge", "model": "pandalm-7b", "laboratory": "WeOpenML"}
# What the files call a verdict; anything else could not be read by their authors.
VERDICTS = {0: "tie", 1: "first", 2: "second", "Tie": "tie", "1": "first", "2": "second"}
NOTHING_SAID = "(no text)"


def read(folder: Path, name: str) -> list[dict]:
    return json.loads((folder / name).read_text(encoding="utf-8"))


def questions() -> Iterator[dict]:
    yield {
        "id": "better",
        "dimension": "Instruction following",
        "name": "Better response",
        "definition": "Which of the two responses follows the instruction better?",
        "lowest": None,
        "highest": None,
        "levels": [],
    }


def items(folder: Path) -> Iterator[dict]:
    """Two responses and their pair, pair by pair. A response that is empty says so: a text is not empty."""
    for row in read(folder, "testset-v1.json"):
        models = row["cmp_key"].split("_")
        for place, model in enumerate(models, start=1):
            yield {
                "id": f"{row['idx']}-{place}",
                "prompt_id": str(row["idx"]),
                "prompt": "\n\n".join(part for part in (row["instruction"], row["input"]) if part),
                "variety": "en-US",
                "model": model,
                "laboratory": LABORATORIES[model],
                # Six responses are a bare true in the file's JSON.
                "response": str(row[f"response{place}"]).strip() or NOTHING_SAID,
                "task": row["motivation_app"],
                "question": "better",
            }
        yield {"kind": "pair", "id": str(row["idx"]), "first": f"{row['idx']}-1", "second": f"{row['idx']}-2"}


def answers(folder: Path) -> Iterator[dict]:
    for row in read(folder, "testset-v1.json"):
        for name in PEOPLE:
            yield _line(row["idx"], {"rater": name, "rater_kind": "human"}, row[name])
    for row in read(folder, "gpt-3.5-turbo-testset-v1.json"):
        yield _line(row["idx"], GPT35, row["gpt_result"])
    for row in read(folder, "pandalm-7b-testset-v1.json"):
        yield _line(row["idx"], PANDALM, row["pandalm_result"])


def _line(pair: int, rater: dict, verdict: int | str) -> dict:
    said = {"preference": VERDICTS[verdict]} if verdict in VERDICTS else {"unparseable": True}
    return {"kind": "ratings", "pair": str(pair), **rater, **said}
