"""Nour exports frozen rubrics: what their authors wrote and people graded highest, and criteria as a reward."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmark.models import Question
from judging.training.rubrics import criteria_of
from projects.models import Rater
from tests.annotation.rated import question_type
from tests.benchmark.sets import open_line, set_line, stored
from tests.judging.grading import (
    KOSHARI,
    LENTILS,
    PHARAOHS,
    RICE,
    RUBRIC,
    VINEGAR,
    ask,
    freeze,
    reference,
    respond,
    target,
)
from tests.judging.rating import template

GUID = "7b1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a33"
BETTER, WORSE = "Lentils, rice and pasta.", "It is a kind of fish."


def asked(project, key: str, split: str = "train"):
    """A prompt of a template that was assigned to this split."""
    prompt = ask(project, key)
    question = project.question_types.first() or question_type(project)
    prompt.template = template(project, f"of-{key}", question, split)
    prompt.save(update_fields=["template"])
    return prompt


@pytest.fixture
def salma_rater(project, salma) -> Rater:
    return Rater.objects.get(user=salma)


@pytest.fixture
def koshari(project, salma_rater):
    """Graded 18/24, 18/24 - 5/24 and 0: of the first version of the rubric nothing is read any more."""
    prompt = asked(project, "koshari")
    freeze(prompt, salma_rater, {VINEGAR: 1}, hidden="first")
    rubric = freeze(prompt, salma_rater)
    for name, text, passed, errors in (
        ("A", KOSHARI, (LENTILS, RICE), {PHARAOHS: -5}),
        ("B", BETTER, (LENTILS, RICE), {}),
        ("C", WORSE, (), {}),
    ):
        reference(respond(prompt, text, target(name)), rubric, salma_rater, passed, errors)
    return rubric


def export(folder, format: str, *options: str, split: str = "train") -> list[dict]:
    call_command("export_training", "feasts", "--of", "rubrics", "--format", format, "--output", str(folder), *options)
    content = (folder / f"{split}.{format}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in content.splitlines()]


def test_a_model_learns_what_the_author_wrote(koshari, tmp_path):
    [row] = export(tmp_path, "sft")
    assert row["messages"] == [
        {"role": "user", "content": "Question koshari?"},
        {"role": "assistant", "content": "key: a dish of lentils, rice and pasta."},
    ]
    assert (row["answer"], row["percent"], row["rubric_version"]) == ("written", None, 2)


def test_or_the_response_that_people_graded_highest(koshari, project, salma_rater, tmp_path, capsys):
    freeze(asked(project, "alone"), salma_rater)
    [row] = export(tmp_path, "sft", "--answers", "best")
    assert row["messages"][1]["content"] == BETTER
    assert row["percent"] == 75
    assert "Left out, as no response was graded: 1 prompt\n" in capsys.readouterr().out


def test_a_rollout_is_rewarded_by_criteria_and_their_weights(koshari, tmp_path):
    [row] = export(tmp_path, "grpo")
    assert row["prompt"] == [{"role": "user", "content": "Question koshari?"}]
    assert {each["text"]: each["weight"] for each in row["criteria"]} == RUBRIC
    assert (row["maximum"], row["prompt_id"], row["rubric_sha256"]) == (24, "koshari", koshari.sha256)
    assert row["reward_model"]["style"] == "rubric"
    assert row["reward_model"]["ground_truth"] == {name: row[name] for name in ("criteria", "maximum", "gold_answer")}
    # Errors that a grader found are those of one response, and no part of the specification.
    assert PHARAOHS not in json.dumps(row)


def test_the_best_response_stands_beside_each_that_was_graded_lower(koshari, project, salma_rater, tmp_path, capsys):
    even = asked(project, "even")
    rubric = freeze(even, salma_rater, hidden="even")
    for name in "AB":
        reference(respond(even, f"Rice {name}.", target(name)), rubric, salma_rater, (RICE,), {})
    rows = export(tmp_path, "preference")
    found = [(row["chosen"][0]["content"], row["rejected"][0]["content"], row["rejected_percent"]) for row in rows]
    assert found == [(BETTER, KOSHARI, pytest.approx(100 * 13 / 24)), (BETTER, WORSE, 0)]
    assert "no response is better than another: 1 prompt\n" in capsys.readouterr().out


def test_held_back_questions_stay_out_unless_they_are_asked_for(koshari, project, tmp_path):
    stored(project, set_line(id="all", name="All", canary=GUID), open_line("q", held_back=True))
    Question.objects.filter(key="q").update(prompt=koshari.prompt)
    with pytest.raises(CommandError, match="Held-back questions keep 1 prompt out"):
        export(tmp_path, "grpo")
    [row] = export(tmp_path, "grpo", "--with-held-back")
    assert (row["held_back"], row["canary"]) == (True, GUID)


def test_a_template_stands_on_one_side_with_all_that_was_made_of_it(koshari, project, salma_rater, tmp_path):
    freeze(asked(project, "tested", "test"), salma_rater)
    assert [row["prompt_id"] for row in export(tmp_path, "grpo")] == ["koshari"]
    assert [row["prompt_id"] for row in export(tmp_path, "grpo", split="test")] == ["tested"]
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert [file["prompts"] for file in manifest["files"]] == [1, 0, 1]


def test_nobody_is_named_and_the_same_project_gives_the_same_bytes(koshari, tmp_path):
    for format in ("sft", "grpo", "preference"):
        one, two = (
            (export(tmp_path / folder, format), (tmp_path / folder / f"train.{format}.jsonl").read_bytes())[1]
            for folder in ("one", "two")
        )
        assert one == two
        assert b"Salma" not in one


def test_a_project_without_a_frozen_rubric_is_told_so(project, tmp_path):
    with pytest.raises(CommandError, match="has a frozen rubric to learn from"):
        export(tmp_path, "grpo")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", ["sft", "grpo", "preference"])
def test_more_prompts_take_no_more_statements(format, koshari, project, salma_rater, tmp_path):
    with CaptureQueriesContext(connection) as before:
        export(tmp_path, format)
    for number in range(5):
        prompt = asked(project, f"more-{number}")
        rubric = freeze(prompt, salma_rater, hidden=f"more-{number}")
        for name, passed in (("A", (RICE,)), ("B", ())):
            reference(respond(prompt, f"{number} {name}", target(name)), rubric, salma_rater, passed, {})
    with CaptureQueriesContext(connection) as after:
        assert len(export(tmp_path, format)) > 5
    assert len(after) == len(before)


def test_criteria_stand_in_the_order_in_which_they_were_frozen(koshari):
    assert [each["text"] for each in criteria_of([koshari.pk])[koshari.pk]] == list(RUBRIC)
