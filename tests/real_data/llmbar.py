"""LLMBar, the natural part (Zeng et al., ICLR 2024, MIT): 100 pairs with a gold preference, and judges in both orders.

A judge that compares says which of the two is better, once in each order. A judge that grades gave each response a
grade by itself; where both are equal the source takes the second of those shown, so that its winner depends on the
order. Both are kept: the winners under the judge's name, and what the grades say under a name of its own.
"""

import json
from collections.abc import Iterator
from pathlib import Path

FOLDER = "llmbar"
LOWEST, HIGHEST = 0, 10
LABORATORIES = {"ChatGPT": "OpenAI", "GPT-4": "OpenAI", "LLaMA2": "Meta"}
PREFERENCES = {"1": "first", "2": "second"}
ORDERS = {"swap = False": False, "swap = True": True}


def evaluators(folder: Path) -> Iterator[tuple[str, list[dict]]]:
    """Name of each evaluator whose verdicts are there, such as "GPT-4/Rating", and its verdicts, pair by pair."""
    for path in sorted((folder / "Natural" / "evaluators").glob("*/*/result.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        yield f"{path.parent.parent.name}/{path.parent.name}", [row["results"][0] for row in found]


def pairs(folder: Path) -> list[dict]:
    return json.loads((folder / "Natural" / "dataset.json").read_text(encoding="utf-8"))


def questions() -> Iterator[dict]:
    common = {"dimension": "Instruction following", "levels": []}
    yield {
        **common,
        "id": "better",
        "name": "Better response",
        "definition": "Which of the two responses follows the instruction better?",
        "lowest": None,
        "highest": None,
    }
    yield {
        **common,
        "id": "quality",
        "name": "Quality",
        "definition": "How well does the response follow the instruction?",
        "lowest": LOWEST,
        "highest": HIGHEST,
    }


def items(folder: Path) -> Iterator[dict]:
    for number, row in enumerate(pairs(folder)):
        for place in (1, 2):
            yield {
                "id": f"{number}-{place}",
                "prompt_id": str(number),
                "prompt": row["input"],
                "variety": "en-US",
                "model": f"output {place}",
                "laboratory": "LLMBar sources",
                "response": row[f"output_{place}"],
                "task": "instruction",
            }
        yield {"kind": "pair", "id": str(number), "first": f"{number}-1", "second": f"{number}-2"}


def answers(folder: Path) -> Iterator[dict]:
    """The gold preference as an expert's, then each judge's."""
    for number, row in enumerate(pairs(folder)):
        who = {"rater": "LLMBar authors", "rater_kind": "human", "expert": True}
        yield {**_about(number, "better"), **who, "preference": PREFERENCES[str(row["label"])]}
    for name, verdicts in evaluators(folder):
        model = name.split("/")[0]
        who = {"rater": name, "rater_kind": "judge", "model": model, "laboratory": LABORATORIES[model]}
        for number, verdict in enumerate(verdicts):
            for order, swapped in ORDERS.items():
                said = {"preference": PREFERENCES[verdict[order]["winner"]]}
                yield {**_about(number, "better"), **who, **said, "both_orders": True, "swapped": swapped}
            if "score_1" in verdict:
                yield from _grades(number, who, verdict)


def from_grades(name: str) -> str:
    """Under what name the preference stands that a grading judge's two grades say."""
    return f"{name}, from grades"


def _grades(number: int, who: dict, verdict: dict) -> Iterator[dict]:
    first, second = (int(verdict[f"score_{place}"][0]) for place in (1, 2))
    yield {**_about(number, "quality"), **who, "first": first, "second": second}
    preference = "tie" if first == second else "first" if first > second else "second"
    yield {**_about(number, "better"), **who, "rater": from_grades(who["rater"]), "preference": preference}


def _about(number: int, question: str) -> dict:
    return {"kind": "ratings", "pair": str(number), "question": question}
