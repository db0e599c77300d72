"""BooookScore (Chang et al., 2024, MIT licence): what people and GPT-4 found wrong in summaries of books.

1,437 annotations, each of one span or of two that belong together, found by people ("human") or by GPT-4
("model"), and each validated by people: Agree, Partially agree, Don't agree.
"""

import json
from collections.abc import Iterator
from pathlib import Path

FILE = "booookscore/annotations-gpt4-4096-inc.json"
TARGET = "GPT-4, incremental, 4096 tokens"
# GPT-4 wrote the summaries and GPT-4 annotated them: a judge on its own laboratory's output, which the guard
# refuses. Taken in as history, the summaries are therefore entered as those of the pipeline that made them.
TARGET_LABORATORY = "BooookScore pipeline"
DETECTORS = {
    "human": {"rater": "BooookScore annotators", "rater_kind": "human"},
    "model": {"rater": "GPT-4 annotator", "rater_kind": "judge", "model": "gpt-4", "laboratory": "OpenAI"},
}
VALIDATORS = {
    "human": {"rater": "human validation of people's annotations", "rater_kind": "human"},
    "model": {"rater": "human validation of GPT-4's annotations", "rater_kind": "human"},
}
VERDICTS = {"Agree": "keep", "Partially agree": "correct", "Don't agree": "reject"}


def books(path: Path) -> dict[str, dict]:
    return json.loads(path.read_text(encoding="utf-8"))


def items(path: Path) -> Iterator[dict]:
    """One item a book: its summary."""
    for book, content in books(path).items():
        yield {
            "id": book,
            "prompt": f"Summarize the book {book.removesuffix('.epub')}.",
            "variety": "en-US",
            "model": TARGET,
            "laboratory": TARGET_LABORATORY,
            "response": content["summary"],
            "task": "summarization",
        }


def answers(path: Path) -> Iterator[dict]:
    """Spans of each detector, then their reviews and the groups of two spans, book by book."""
    for book, content in books(path).items():
        for detector in DETECTORS:
            found = [
                (number, annotation)
                for number, annotation in enumerate(content["annotations"])
                if annotation["source"] == detector
            ]
            if found:
                yield from _lines(book, detector, found)


def _lines(book: str, detector: str, found: list[tuple[int, dict]]) -> Iterator[dict]:
    spans = {number: _spans(number, annotation) for number, annotation in found}
    yield {
        "kind": "spans",
        "item": book,
        **DETECTORS[detector],
        "spans": [span for of_annotation in spans.values() for span in of_annotation],
    }
    yield {
        "kind": "reviews",
        "item": book,
        **VALIDATORS[detector],
        "reviews": [_review(span, annotation) for number, annotation in found for span in spans[number]],
    }
    groups = [[span["id"] for span in of_annotation] for of_annotation in spans.values() if len(of_annotation) == 2]
    if groups:
        yield {"kind": "groups", "item": book, "groups": groups}


def _spans(number: int, annotation: dict) -> list[dict]:
    """One span or two. A quote that occurs several times is taken at its first place; the source says no more."""
    marked = annotation["anno"]
    labels = marked.get("labels") or marked.get("shared_labels") or []
    quotes = [marked["span"]] if "span" in marked else [marked["span_a"], marked["span_b"]]
    return [
        {
            "id": f"{number}-{part}",
            "quote": quote,
            "occurrence": 1,
            "explanation": marked.get("questions") or marked.get("shared_questions") or "",
            "metadata": {"annotation": number, "part": part, "labels": labels},
        }
        for part, quote in zip("ab", quotes, strict=False)
    ]


def _review(span: dict, annotation: dict) -> dict:
    notes = [annotation["agreement"], *(annotation["reasons"] or []), *(annotation["explanation"] or [])]
    verdict = VERDICTS[annotation["agreement"]]
    comment = "; ".join(note for note in notes if note)
    return {"span": span["id"], "verdict": verdict, "comment": comment}
