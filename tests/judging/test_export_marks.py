"""Nour exports what was kept and what was rejected of her marks, for a judge of her own and for a reward model."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.gold import derive
from annotation.models import ErrorCategory, GoldAnswer, GoldError, Review
from benchmark.models import Question
from judging.training.reward import compute_score, mark_reward
from tests.annotation.marked import mark, review
from tests.annotation.rated import question_type
from tests.benchmark.sets import open_line, set_line, stored
from tests.judging.rating import template
from tests.people import add_response

GUID = "7b1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a22"
NIGHTLY, POPULAR, RICE = "على السحور", "مصرية شعبية", "الرز"


def in_training(response) -> None:
    """Its prompt is of a template that was assigned to training."""
    project = response.project
    question = project.question_types.first() or question_type(project)
    made = template(project, f"of-{response.key}", question, "train")
    response.prompt.template = made
    response.prompt.save(update_fields=["template"])


@pytest.fixture
def settled(project, koshari, mona, karim, simba):
    """One mark was kept, two were rejected; a second response was found to be flawless but for a rejected mark."""
    in_training(koshari)
    nightly, popular = mark(koshari, mona, NIGHTLY, POPULAR, explanation="Nobody eats it then.")
    [rice] = mark(koshari, simba, RICE)
    mark(koshari, karim)
    flawless = add_response(project, "flawless", "Eid begins with a prayer.", "ar-EG")
    in_training(flawless)
    [wrong] = mark(flawless, mona, "prayer")
    mark(flawless, karim)
    for span, verdict in ((nightly, "keep"), (popular, "reject"), (rice, "reject"), (wrong, "reject")):
        review(span, karim, verdict)
    review(rice, mona, "reject")
    derive([koshari.pk, flawless.pk])
    return koshari


def export(folder, format: str, *options: str) -> list[dict]:
    command = ["export_training", "feasts", "--of", "spans", "--format", format, "--output", str(folder)]
    call_command(*command, *options)
    content = (folder / f"train.{format}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in content.splitlines()]


def errors_of(message: dict) -> list[dict]:
    assert message["role"] == "assistant"
    return json.loads(message["content"])["errors"]


def test_a_judge_learns_the_gold_of_a_response_and_that_there_may_be_none(settled, tmp_path):
    rows = {row["response"]: row["messages"] for row in export(tmp_path, "sft")}
    assert set(rows) == {"koshari", "flawless"}
    system, user, answer = rows["koshari"]
    assert [message["role"] for message in (system, user)] == ["system", "user"]
    assert settled.text in user["content"]
    assert settled.prompt.text in user["content"]
    [error] = errors_of(answer)
    assert (error["quote"], error["explanation"]) == (NIGHTLY, "Nobody eats it then.")
    assert errors_of(rows["flawless"][2]) == []


def test_each_rejected_mark_stands_beside_a_kept_one_or_beside_none(settled, tmp_path):
    rows = export(tmp_path, "preference")
    found = [
        (row["response"], *([error["quote"] for error in errors_of(row[side][0])] for side in ("chosen", "rejected")))
        for row in rows
    ]
    assert sorted(found) == sorted(
        [
            ("koshari", [NIGHTLY], [POPULAR]),
            ("koshari", [NIGHTLY], [RICE]),
            ("flawless", [], ["prayer"]),
        ]
    )
    assert [message["role"] for message in rows[0]["prompt"]] == ["system", "user"]
    assert len({row["id"] for row in rows}) == 3


def test_for_rollouts_the_gold_stands_beside_the_question_and_its_answer_earns_the_most(settled, tmp_path):
    """What a judge learns by imitation is what the reward calls right, in the columns of either trainer."""
    rows = {row["response"]: row for row in export(tmp_path, "grpo")}
    imitated = {row["response"]: row["messages"][-1]["content"] for row in export(tmp_path, "sft")}
    row = rows["koshari"]
    system, user = row["prompt"]
    assert "between <think> and </think>" in system["content"]
    assert settled.text in user["content"]
    assert row["response_text"] == settled.text
    at = settled.text.index(NIGHTLY)
    assert json.loads(row["gold"]) == {
        "errors": [{"places": [[at, at + len(NIGHTLY)]], "category": "", "criticality": "high"}]
    }
    assert row["data_source"] == "mizan/feasts/marks"
    truth = row["reward_model"]["ground_truth"]
    assert truth == {name: row[name] for name in ("response_text", "gold")}
    nothing = '{"errors":[]}'
    # One mark by the gold's own words, and of the response without errors none; then the wrong way round.
    for response, answer, earned in (
        ("koshari", imitated["koshari"], 1),
        ("flawless", imitated["flawless"], 1),
        ("koshari", nothing, 0),
        ("flawless", '{"errors":[{"quote":"prayer"}]}', 0),
    ):
        truth = rows[response]["reward_model"]["ground_truth"]
        said = f"<think>I looked.</think>\n{answer}"
        assert compute_score(rows[response]["data_source"], said, truth) == earned
        columns = {name: [rows[response][name]] for name in ("response_text", "gold")}
        assert mark_reward([rows[response]["prompt"]], [said], **columns) == [earned]
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["recipe"]["reward_sha256"] is None, "of what was written last, to imitate"


def test_words_that_stand_twice_are_told_apart_and_an_error_in_several_places_has_them_all(settled, mona, tmp_path):
    """The gold marks the second comma and, as one error, two places; its category is the one it was merged into."""
    category, merged = (
        ErrorCategory.objects.create(project=settled.project, slug=slug, name=slug) for slug in ("customs", "habits")
    )
    ErrorCategory.objects.filter(pk=merged.pk).update(merged_into=category)
    text = "Rice, beans, rice."
    twice = add_response(settled.project, "twice", text, "ar-EG")
    in_training(twice)
    GoldAnswer.objects.create(response=twice)
    second = GoldError.objects.create(
        response=twice, key="1", anchor="words", start=11, end=12, quote=",", category=merged, is_imported=True
    )
    parts = {"more": [{"start": 13, "end": 17, "quote": "rice"}]}
    GoldError.objects.create(
        response=twice, key="2", anchor="words", start=0, end=4, quote="Rice", provenance=parts, is_imported=True
    )
    GoldError.objects.create(response=twice, key="3", anchor="response", explanation="No lentils.", is_imported=True)
    [row] = [row for row in export(tmp_path, "grpo") if row["response"] == "twice"]
    assert '"category" (customs)' in row["prompt"][0]["content"]
    assert json.loads(row["gold"])["errors"] == [
        {"places": [[0, 4], [13, 17]], "category": "", "criticality": ""},
        {"places": [[second.start, second.end]], "category": "customs", "criticality": ""},
    ]
    [imitated] = [row["messages"][-1] for row in export(tmp_path, "sft") if row["response"] == "twice"]
    by_quote = {error.get("quote", ""): error for error in errors_of(imitated)}
    omission, rice, comma = (by_quote[quote] for quote in ("", "Rice", ","))
    assert (omission["anchor"], omission["explanation"]) == ("response", "No lentils.")
    assert rice["more"] == [{"quote": "rice"}]
    assert (comma["quote"], comma["occurrence"], comma["category"]) == (",", 2, "customs")
    said = f"<think>x</think>{imitated['content']}"
    assert mark_reward([], [said], response_text=[row["response_text"]], gold=[row["gold"]]) == [1]


def test_what_is_not_settled_teaches_nothing_and_is_counted(settled, tmp_path, capsys):
    Review.objects.filter(span__quote=POPULAR).delete()
    derive([settled.pk])
    assert {row["response"] for row in export(tmp_path, "sft")} == {"flawless"}
    assert "marks await verdicts: 1 response\n" in capsys.readouterr().out


def test_held_back_questions_stay_out_unless_they_are_asked_for(settled, project, tmp_path):
    stored(project, set_line(id="all", name="All", canary=GUID), open_line("q", held_back=True))
    Question.objects.filter(key="q").update(prompt=settled.prompt)
    assert {row["response"] for row in export(tmp_path / "without", "sft")} == {"flawless"}
    whole = {row["response"]: row for row in export(tmp_path / "with", "sft", "--with-held-back")}
    assert (whole["koshari"]["held_back"], whole["koshari"]["canary"]) == (True, GUID)
    assert "held_back" not in whole["flawless"]


def test_no_rater_and_no_model_is_named_and_the_same_project_gives_the_same_bytes(settled, tmp_path):
    for folder in ("one", "two"):
        export(tmp_path / folder, "grpo")
        export(tmp_path / folder, "preference")
    one, two = (
        b"".join((tmp_path / folder / f"train.{format}.jsonl").read_bytes() for format in ("grpo", "preference"))
        for folder in ("one", "two")
    )
    assert one == two
    for name in ("Mona", "Karim", "Simba", settled.target_model.name):
        assert name.encode() not in one
    manifest = json.loads((tmp_path / "one" / "manifest.json").read_text())
    assert [file["responses"] for file in manifest["files"]] == [2, 0, 0]


def test_a_project_without_settled_marks_is_told_so(project, koshari, mona, tmp_path):
    mark(koshari, mona, NIGHTLY)
    derive([koshari.pk])
    with pytest.raises(CommandError, match="Marks of 1 response await verdicts"):
        export(tmp_path, "sft")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("format", "count"), [("preference", 9), ("grpo", 8)])
def test_more_responses_take_no_more_statements(
    settled, project, mona, karim, tmp_path, django_assert_num_queries, format, count
):
    with CaptureQueriesContext(connection) as before:
        export(tmp_path, format)
    for number in range(6):
        response = add_response(project, f"r{number}", "Eid begins with a prayer.", "ar-EG")
        in_training(response)
        [wrong] = mark(response, mona, "prayer")
        mark(response, karim)
        review(wrong, karim, "reject")
        derive([response.pk])
    with django_assert_num_queries(len(before)):
        assert len(export(tmp_path, format)) == count
