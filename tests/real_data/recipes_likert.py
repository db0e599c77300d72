"""Generated recipes (Stein et al., DMR 2024, CC BY 4.0): 88 people, 52 recipes, six grades from 1 to 6 each.

Two recipes were graded by everybody, fifty by fifteen to twenty people. The texts are not in the file.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

FOLDER = "recipes_likert"
LOWEST, HIGHEST = 1, 6
DIMENSIONS = {
    "grammar": "Is the text grammatical?",
    "fluency": "Does the text read fluently?",
    "verbosity": "Is the text as long as it needs to be?",
    "structure": "Are the steps in a sensible order?",
    "success": "Would the dish succeed?",
    "overall": "How good is the recipe as a whole?",
}


def rows(folder: Path) -> list[dict]:
    """The file is separated by tabs in spite of its name."""
    with (folder / "cleaned_data_anonymized.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def item_id(row: dict) -> str:
    return f"{row['recipeid']}|{row['condition']}"


def questions() -> Iterator[dict]:
    for name, asked in DIMENSIONS.items():
        yield {
            "id": name,
            "dimension": "Recipes",
            "name": name.capitalize(),
            "definition": asked,
            "lowest": LOWEST,
            "highest": HIGHEST,
            "levels": [{"grade": grade, "summary": f"{grade} of {HIGHEST}"} for grade in range(LOWEST, HIGHEST + 1)],
        }


def items(folder: Path) -> Iterator[dict]:
    seen = set()
    for row in rows(folder):
        if item_id(row) not in seen:
            seen.add(item_id(row))
            yield {
                "id": item_id(row),
                "prompt_id": row["recipeid"],
                "prompt": f"Write down the recipe of {row['dish']}.",
                "variety": "en-US",
                "model": row["condition"],
                "laboratory": f"recipes {row['condition']}",
                "response": f"{row['dish']}, {row['condition']}: the text was not published with its ratings.",
                "task": "recipe",
            }


def answers(folder: Path) -> Iterator[dict]:
    for row in rows(folder):
        for question in DIMENSIONS:
            yield {
                "kind": "ratings",
                "item": item_id(row),
                "question": question,
                "grade": int(row[question]),
                "rater": row["participant"],
                "rater_kind": "human",
            }
