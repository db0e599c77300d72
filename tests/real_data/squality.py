"""SQuALITY (Wang et al., 2022, CC BY 4.0): summaries of stories, 0 to 100 from three of four people each.

300 responses, 100 questions with one of each of three systems. Two grades by one person say which they prefer.
"""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

FOLDER = "squality"
LOWEST, HIGHEST = 0, 100
QUESTIONS = {
    "correctness": "How correct is the summary?",
    "selection": "Does the summary tell what matters?",
    "overall": "How good is the summary as a whole?",
}
SYSTEMS = ("bart", "bart-dpr", "human")


def asked(folder: Path) -> Iterator[tuple[str, dict]]:
    """Each question about a story: its id and the three systems' responses."""
    for line in (folder / "all-responses.jsonl").read_text(encoding="utf-8").splitlines():
        passage = json.loads(line)
        for number, responses in passage["questions"].items():
            yield f"{passage['passage-id']}/{number}", responses


def questions() -> Iterator[dict]:
    for name, definition in QUESTIONS.items():
        yield {
            "id": name,
            "dimension": "Summaries",
            "name": name.capitalize(),
            "definition": definition,
            "lowest": LOWEST,
            "highest": HIGHEST,
            "levels": [],
        }


def items(folder: Path) -> Iterator[dict]:
    """Three responses a question, then the three pairs of them."""
    for question, responses in asked(folder):
        for system in SYSTEMS:
            yield {
                "id": f"{question}/{system}",
                "prompt_id": question,
                "prompt": f"Question {question} about a story: its words are not in the published file.",
                "variety": "en-US",
                "model": system,
                "laboratory": f"SQuALITY {system}",
                "response": responses[system]["response"],
                "task": "summarization",
            }
        for first, second in combinations(SYSTEMS, 2):
            yield {
                "kind": "pair",
                "id": f"{question}/{first}/{second}",
                "first": f"{question}/{first}",
                "second": f"{question}/{second}",
            }


def answers(folder: Path) -> Iterator[dict]:
    """Every grade of every response."""
    for question, responses in asked(folder):
        for system in SYSTEMS:
            for review in responses[system]["reviews"]:
                for name in QUESTIONS:
                    grade = review[f"{name}-rating"]
                    yield {
                        "kind": "ratings",
                        "item": f"{question}/{system}",
                        "question": name,
                        "grade": grade,
                        **_who(review),
                    }


def pair_answers(folder: Path) -> Iterator[dict]:
    """The overall grades once more, two by two: what each person says of each pair."""
    for question, responses in asked(folder):
        of_system = {
            system: {review["worker_id"]: review for review in responses[system]["reviews"]} for system in SYSTEMS
        }
        for first, second in combinations(SYSTEMS, 2):
            for worker in of_system[first].keys() & of_system[second].keys():
                one, other = of_system[first][worker], of_system[second][worker]
                yield {
                    "kind": "ratings",
                    "pair": f"{question}/{first}/{second}",
                    "question": "overall",
                    "first": one["overall-rating"],
                    "second": other["overall-rating"],
                    **_who(one),
                }


def _who(review: dict) -> dict:
    return {"rater": f"reviewer {review['worker_id']}", "rater_kind": "human"}
