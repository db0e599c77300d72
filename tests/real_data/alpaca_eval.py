"""AlpacaEval (tatsu-lab): outputs of ten models, and how surely a judge prefers each to a baseline's."""

import gzip
import json
from collections.abc import Iterator

from tests.real_data import published

JUDGE = "weighted_alpaca_eval_gpt4_turbo"


def question_lines() -> Iterator[dict]:
    """The baseline's output stands as the reference; every question is judged against it."""
    yield {"kind": "set", "id": "alpaca", "name": "AlpacaEval"}
    for line in published("alpaca_eval/questions.jsonl").read_text(encoding="utf-8").splitlines():
        stated = json.loads(line)
        yield {
            "id": stated["id"],
            "instruction": stated["instruction"],
            "output": stated["baseline"],
            "variety": "en-US",
            "category": "Following instructions",
            "format": "generation",
            "source": stated["source"],
            "rules": [{"rule": "judge_generation"}],
        }


def answer_lines() -> Iterator[dict]:
    """Scores are ten times the preference. Who made the judge is who published its verdicts."""
    yield {"kind": "judge", "name": JUDGE, "model": "gpt-4-1106-preview", "laboratory": "Tatsu Lab"}
    described: set[str] = set()
    with gzip.open(published("alpaca_eval/outputs.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for stated in map(json.loads, lines):
            slug = stated["model"].replace(".", "-").lower()
            if slug not in described:
                described.add(slug)
                card = {"id": slug, "name": stated["model"], "access": "api"}
                yield {
                    "kind": "configuration", "id": slug, "name": stated["model"],
                    "laboratory": f"Makers of {slug}", "card": card,
                }  # fmt: skip
            value = 10 * stated["preference"]
            yield {
                "configuration": slug, "id": stated["question"], "text": stated["output"],
                "scores": [{"rule": "judge_generation", "judge": JUDGE, "value": value}],
            }  # fmt: skip
