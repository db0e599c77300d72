"""LLM-Rubric (Hashemi et al., ACL 2024, MIT): grades from 1 to 4 on nine questions about conversations.

Real conversations: 223, each graded by one of thirteen people, and by judges, of which one gives an expected grade.
Synthetic ones: 250, most of them graded by three people. The conversations themselves are not in the files.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

FOLDER = "llm_rubric"
LOWEST, HIGHEST = 1, 4
NOT_APPLICABLE = 0
QUESTIONS = {
    "Q0": "Overall, how satisfied would a user be?",
    "Q1": "Does the system sound natural?",
    "Q2": "Do its answers rest on the documents it refers to?",
    "Q3": "Are its references to documents right?",
    "Q4": "Are the documents it refers to of use?",
    "Q5": "Are its references free of repetition?",
    "Q6": "Is it free of repetition?",
    "Q7": "Is it concise?",
    "Q8": "Is it efficient?",
}
LABORATORY = "LLM-Rubric dialogue systems"
GPT35 = {"rater_kind": "judge", "model": "gpt-3.5-turbo-16k", "laboratory": "OpenAI"}
JUDGES = {
    "sample_llm": {"rater": "GPT-3.5, sampled grade", **GPT35},
    "argmax_llm": {"rater": "GPT-3.5, likeliest grade", **GPT35},
    "expected_llm": {"rater": "GPT-3.5, expected grade", **GPT35},
    "random": {"rater": "Random grades", "rater_kind": "judge", "model": "random", "laboratory": "nobody"},
}


def rows(folder: Path, name: str) -> list[dict]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def questions() -> Iterator[dict]:
    for name, asked in QUESTIONS.items():
        yield {
            "id": name.lower(),
            "dimension": "Conversations",
            "name": name,
            "definition": asked,
            "lowest": LOWEST,
            "highest": HIGHEST,
            "levels": [{"grade": grade, "summary": f"{grade} of {HIGHEST}"} for grade in range(LOWEST, HIGHEST + 1)],
        }


def items(folder: Path) -> Iterator[dict]:
    """The real conversations, one response each."""
    for row in rows(folder, "human_judges_real_convs_FIXED_ANON.tsv"):
        yield _item(row["text_id"], f"system {row['dialogue_system']}")


def synthetic_items(folder: Path) -> Iterator[dict]:
    for text in dict.fromkeys(row["text_id"] for row in rows(folder, "human_judges_synth_all_FIXED_ANON.tsv")):
        yield _item(text, "synthetic")


def _item(text: str, system: str) -> dict:
    return {
        "id": text,
        "prompt_id": text,
        "prompt": f"Conversation {text}",
        "variety": "en-US",
        "model": system,
        "laboratory": LABORATORY,
        "response": f"Conversation {text}: its words are not in the published files.",
        "task": "conversation",
    }


def answers(folder: Path) -> Iterator[dict]:
    """People's grades of the real conversations, and judges' on the same questions; what does not apply has none.

    The expected grade is taken from the probabilities themselves: the file of baselines scales those that do not quite
    add up to one.
    """
    for row in rows(folder, "human_judges_real_convs_FIXED_ANON.tsv"):
        yield from _of_person(row)
    graded = set()
    for name in ("real_convs_machine_baselines.tsv", "real_convs_random_baseline.tsv"):
        for row in rows(folder, name):
            graded.add((row["text_id"], row["criterion"]))
            for judge in ("sample_llm", "argmax_llm", "random"):
                if judge in row:
                    yield _of_judge(row, judge, float(row[judge]))
    for row in rows(folder, "gpt-3.5-turbo-16k_real_evaluations_FIXED.tsv"):
        if (row["text_id"], row["criterion"]) in graded:
            grades = range(LOWEST, HIGHEST + 1)
            yield _of_judge(row, "expected_llm", sum(grade * float(row[f"answer{grade}_prob"]) for grade in grades))


def _of_judge(row: dict, judge: str, grade: float) -> dict:
    subject = {"kind": "ratings", "item": row["text_id"], "question": row["criterion"].lower()}
    return {**subject, "grade": grade, **JUDGES[judge]}


def synthetic_answers(folder: Path) -> Iterator[dict]:
    """People's grades of the synthetic conversations. Nine were handed in twice by one person: the first counts."""
    seen = set()
    for row in rows(folder, "human_judges_synth_all_FIXED_ANON.tsv"):
        if (row["text_id"], row["annotator_id"]) not in seen:
            seen.add((row["text_id"], row["annotator_id"]))
            yield from _of_person(row)


def _of_person(row: dict) -> Iterator[dict]:
    for question in QUESTIONS:
        grade = int(float(row[question] or NOT_APPLICABLE))
        if grade != NOT_APPLICABLE:
            yield {
                "kind": "ratings",
                "item": row["text_id"],
                "question": question.lower(),
                "grade": grade,
                "rater": f"annotator {row['annotator_id']}",
                "rater_kind": "human",
            }
