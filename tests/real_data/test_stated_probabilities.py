"""GPT-3.5 gives a probability of each grade (LLM-Rubric): the product's figures are those of a few plain loops."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from tests.real_data import llm_rubric, published
from tests.real_data.test_import_published_ratings import bring

pytestmark = [pytest.mark.django_db, pytest.mark.real_data]

QUESTION = "Q0"


def likeliest(folder: Path):
    """People's grades, and those that GPT-3.5 finds most probable with the probabilities: they add up to one."""
    for line in llm_rubric.answers(folder):
        if line["rater_kind"] == "human" and line["question"] == QUESTION.lower():
            yield line
    for row in llm_rubric.rows(folder, "gpt-3.5-turbo-16k_real_evaluations_FIXED.tsv"):
        if row["criterion"] == QUESTION:
            chances = np.array([float(row[f"answer{grade}_prob"]) for grade in range(1, 5)])
            chances /= chances.sum()
            about = {"kind": "ratings", "item": row["text_id"], "question": QUESTION.lower()}
            grade, judge = int(chances.argmax()) + 1, llm_rubric.JUDGES["argmax_llm"]
            yield {**about, "grade": grade, "probabilities": chances.tolist(), **judge}


def test_the_calibration_of_gpt_35(project, tmp_path):
    bring(llm_rubric, project, tmp_path, answers=(likeliest,))
    [row] = by_id(RATINGS.tables(project), "stated-probabilities").rows
    error, by_chance, brier, surely, area, at_random, _best = (figure.number for figure in row.figures)
    folder = published(llm_rubric.FOLDER)
    said = {line["item"]: line for line in likeliest(folder) if "probabilities" in line}
    people = {line["item"]: line["grade"] for line in likeliest(folder) if "probabilities" not in line}
    sure = [max(line["probabilities"]) for item, line in said.items() if item in people]
    right = [line["grade"] == people[item] for item, line in said.items() if item in people]
    n = len(sure)
    assert row.figures[0].n == n > 200
    # Ten bins of as many answers as equal confidences allow: of each its place in the middle of its equals.
    counts, before, bins = Counter(sure), 0, {}
    for value in sorted(counts):
        bins[value] = min(int((before + counts[value] / 2) / n * 10), 9)
        before += counts[value]
    off, scatter = 0.0, 0.0
    for one in set(bins.values()):
        inside = [(confidence, hit) for confidence, hit in zip(sure, right, strict=True) if bins[confidence] == one]
        off += abs(sum(confidence - hit for confidence, hit in inside))
        scatter += sum(confidence * (1 - confidence) for confidence, _hit in inside) ** 0.5
    assert error == pytest.approx(off / n, abs=1e-9)
    assert by_chance == pytest.approx((2 / np.pi) ** 0.5 * scatter / n, abs=1e-9)
    assert brier == pytest.approx(np.mean([(c - hit) ** 2 for c, hit in zip(sure, right, strict=True)]), abs=1e-9)
    hits, misses = ([c for c, hit in zip(sure, right, strict=True) if hit is side] for side in (True, False))
    wins = sum((hit > miss) + (hit == miss) / 2 for hit in hits for miss in misses)
    assert surely == pytest.approx(wins / len(hits) / len(misses), abs=1e-9)
    assert at_random == pytest.approx(1 - np.mean(right), abs=1e-9)
    ranked = sorted(zip(sure, right, strict=True), key=lambda pair: -pair[0])
    if len(counts) == n:
        wrong = np.cumsum([not hit for _confidence, hit in ranked])
        assert area == pytest.approx(np.mean(wrong / np.arange(1, n + 1)), abs=1e-9)
