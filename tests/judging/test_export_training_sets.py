"""Nour exports what people graded as training sets: in both orders, by template, and nothing leaks across the split."""

import hashlib
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import RatingSettings
from judging.training.reward import MAXIMUM, is_well_formed, pair_reward, read_grades, reward
from judging.training.sets import Leak, check_apart, training_set
from projects.models import PromptTemplate, Rater, Response, ResponsePair
from projects.splits import Origin, origins
from tests.annotation.rated import question_type, rate
from tests.judging.rating import a_pair, ask, graded_pair, template


@pytest.fixture
def formality(project):
    return question_type(project)


@pytest.fixture
def study(project, formality, mona):
    """Twelve templates, each asked in two varieties and graded in both; four were assigned, the others are drawn."""
    assigned = ["train", "train", "validation", "test"]
    for number in range(12):
        split = assigned[number] if number < 4 else ""
        one = template(project, f"t{number:02}", formality, split)
        for tag in ("ar-EG", "bn-BD"):
            graded_pair(ask(project, formality, one, tag), mona, formality, 1 + number % 5, 5 - number % 3)
    return project


def export(folder, format: str, *options: str) -> dict[str, list[dict]]:
    call_command("export_training", "feasts", "--format", format, "--output", str(folder), *options)
    return {
        path.name.split(".")[0]: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in folder.glob("*.jsonl")
    }


def responses_of(key: str) -> tuple[Response, Response]:
    pair = ResponsePair.objects.get(key=key)
    return pair.first, pair.second


def test_every_graded_pair_stands_in_both_orders(study, tmp_path, capsys):
    found = export(tmp_path, "grpo")
    assert capsys.readouterr().err.count("100 %") == sum(bool(split) for split in found.values())
    rows = [row for split in found.values() for row in split]
    assert len(rows) == 24 * 2
    by_pair = {}
    for row in rows:
        by_pair.setdefault(row["pair"], {})[row["order"]] = row
    assert len(by_pair) == 24
    for orders in by_pair.values():
        one, other = orders["AB"], orders["BA"]
        assert (one["gold_a"], one["gold_b"]) == (other["gold_b"], other["gold_a"])
        assert one["prompt"][0] == other["prompt"][0]
        assert one["prompt"][1] != other["prompt"][1]
        first, second = (response.text for response in responses_of(one["pair"]))
        told = one["prompt"][1]["content"]
        assert told.index(first) < told.index(second)
        told = other["prompt"][1]["content"]
        assert told.index(second) < told.index(first)


def test_a_template_and_all_its_translations_stand_on_one_side(study, tmp_path, capsys):
    found = export(tmp_path, "sft")
    sides = {split: {row["template"] for row in rows} for split, rows in found.items()}
    assert set(sides) == {"train", "validation", "test"}
    assert not sides["train"] & sides["test"]
    assert not sides["train"] & sides["validation"]
    assert not sides["validation"] & sides["test"]
    for rows in found.values():
        for one in {row["template"] for row in rows}:
            assert {row["variety"] for row in rows if row["template"] == one} == {"ar-EG", "bn-BD"}
    assert {"template t00", "template t01"} <= sides["train"]
    assert "template t02" in sides["validation"]
    assert "template t03" in sides["test"]
    said = capsys.readouterr().out
    for split, ids in sides.items():
        line = next(line for line in said.splitlines() if line.startswith(f"{split}: "))
        assert line.endswith(", ".join(sorted(ids)))
    assert "No template stands in two splits (12 in all)." in said


def test_the_same_words_under_two_templates_stand_on_the_side_that_is_measured_by(
    study, formality, mona, tmp_path, capsys
):
    """Three templates of three splits ask one and the same question: it stays in the test alone, and is counted."""
    keys = {}
    for split in ("train", "validation", "test"):
        one = template(study, f"same-{split}", formality, split)
        rating = graded_pair(ask(study, formality, one, text="The very same question?"), mona, formality, 4, 2)
        keys[split] = rating.pair.key
    found = export(tmp_path, "sft")
    where = {row["pair"]: split for split, rows in found.items() for row in rows}
    assert where[keys["test"]] == "test"
    assert keys["train"] not in where
    assert keys["validation"] not in where
    assert "asks the same words: 2" in capsys.readouterr().out
    assert json.loads((tmp_path / "manifest.json").read_text())["recipe"]["left_out_same_words"] == 2


def test_a_leak_is_refused_and_nothing_is_written(study, tmp_path, monkeypatch):
    """Were nothing left out, the proof would still refuse: words of one prompt in two splits."""
    monkeypatch.setattr("judging.training.sets.set_apart", lambda found: None)
    PromptTemplate.objects.filter(split="validation").update(split="train")
    PromptTemplate.objects.filter(split="").update(split="train")
    monkeypatch.setattr("judging.training.sets.origins", same_words)
    with pytest.raises(CommandError, match="1 prompts of train have the same words as prompts of test"):
        export(tmp_path, "sft")
    assert list(tmp_path.iterdir()) == []


def same_words(project, seed) -> dict[int, Origin]:
    return {pk: found._replace(words="one and the same") for pk, found in origins(project, seed).items()}


def test_the_proof_looks_at_the_templates_themselves(study):
    found = training_set(study)
    moved = found.examples["train"][0]
    found.examples["test"].append(moved)
    with pytest.raises(Leak, match=f"{moved.origin.template} stands in train and in test"):
        check_apart(found)


def test_the_target_is_what_the_reward_reads(study, tmp_path):
    """One source of truth: what is written as gold is read as that gold, and nothing is missing but the reasoning."""
    for rows in export(tmp_path, "sft").values():
        for row in rows:
            roles = [message["role"] for message in row["messages"]]
            assert roles == ["system", "user", "assistant"]
            target, gold = row["messages"][2]["content"], (row["gold_a"], row["gold_b"])
            assert read_grades(target) == gold
            assert is_well_formed(target, ("grade_a", "grade_b"))
            assert reward(target, gold, tags=("grade_a", "grade_b")) == MAXIMUM
            assert "without explaining" in row["messages"][0]["content"]
            assert "<think>" not in row["messages"][0]["content"]


def test_prompts_for_grpo_carry_the_columns_that_the_reward_takes(study, tmp_path):
    rows = export(tmp_path, "grpo")["train"]
    columns = {key: [row[key] for row in rows] for key in rows[0] if key != "prompt"}
    completions = [
        [{"role": "assistant", "content": f"<think>x</think><grade_a>{a}</grade_a><grade_b>{b}</grade_b>"}]
        for a, b in zip(columns["gold_a"], columns["gold_b"], strict=True)
    ]
    assert pair_reward(prompts=[row["prompt"] for row in rows], completions=completions, **columns) == [3.0] * len(rows)
    for row in rows:
        assert [message["role"] for message in row["prompt"]] == ["system", "user"]
        for tag in ("<think>", "<grade_a>N</grade_a>", "<grade_b>N</grade_b>"):
            assert tag in row["prompt"][0]["content"]
        assert row["reward_model"]["ground_truth"]["gold_a"] == row["gold_a"]
        user = row["prompt"][1]["content"]
        assert "Native readers" not in user
        assert "Nile-7B" not in user


def test_gold_is_the_experts_else_by_the_rule_of_the_project(project, formality, mona, karim, hana, tmp_path):
    """4 and 5 by annotators and 2 by the expert: 2. By the mean of 4 and 5 alone: 4.5, nearest the middle: 4."""
    RatingSettings.objects.create(project=project, gold_rule="mean")
    plain = a_pair(ask(project, formality, template(project, "t1", formality)))
    settled = a_pair(ask(project, formality, template(project, "t2", formality)))
    for pair in (plain, settled):
        rate(pair, mona, formality, 4, 1)
        rate(pair, karim, formality, 5, 1)
    rate(settled, hana, formality, 2, 3)
    rows = {(row["pair"], row["order"]): row for row in export(tmp_path, "grpo")["train"]}
    told = {key: (row["gold_a"], row["gold_b"], row["by_experts"]) for key, row in rows.items()}
    assert told == {
        (plain.key, "AB"): (4, 1, False),
        (plain.key, "BA"): (1, 4, False),
        (settled.key, "AB"): (2, 3, True),
        (settled.key, "BA"): (3, 2, True),
    }


def test_what_judges_said_and_what_checked_a_rater_is_no_gold(project, formality, mona, simba, tmp_path):
    prompt = ask(project, formality, template(project, "t1", formality))
    graded_pair(prompt, simba, formality, 4, 2)
    graded_pair(prompt, mona, formality, 4, 2, is_check=True)
    with pytest.raises(CommandError, match="Nobody has graded a pair"):
        export(tmp_path, "sft")


def test_pairs_rated_by_preference_alone_are_left_out_and_counted(study, mona, tmp_path, capsys):
    choice = question_type(study, "which-is-better", lowest=None, highest=None)
    pair = a_pair(ask(study, choice, template(study, "choice", choice)))
    rater = Rater.objects.get(user=mona)
    pair.ratings.create(question=choice, rater=rater, preference="first")
    found = export(tmp_path, "sft")
    assert pair.key not in {row["pair"] for rows in found.values() for row in rows}
    assert "Left out, rated by preference alone: 1" in capsys.readouterr().out


def test_the_manifest_names_hashes_and_recipe_and_the_same_export_is_the_same_file(study, tmp_path):
    export(tmp_path / "one", "grpo")
    export(tmp_path / "two", "grpo")
    manifest = json.loads((tmp_path / "one" / "manifest.json").read_text())
    assert [file["name"] for file in manifest["files"]] == [
        "train.grpo.jsonl",
        "validation.grpo.jsonl",
        "test.grpo.jsonl",
    ]
    for file in manifest["files"]:
        content = (tmp_path / "one" / file["name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
        assert content.count(b"\n") == file["rows"] == 2 * file["pairs"]
        assert content == (tmp_path / "two" / file["name"]).read_bytes()
    assert manifest["recipe"]["gold"] == "experts, else majority; a mean as the nearest grade"
    assert (manifest["recipe"]["seed"], manifest["recipe"]["orders"]) == (0, "both")
    named = [each for templates in manifest["templates"].values() for each in templates]
    assert sorted(named) == [f"template t{number:02}" for number in range(12)]
    assert (tmp_path / "one" / "manifest.json").read_bytes() == (tmp_path / "two" / "manifest.json").read_bytes()


def test_another_seed_draws_other_splits_but_moves_no_assigned_template(study, tmp_path):
    splits = []
    for seed in range(6):
        rows = export(tmp_path / str(seed), "sft", "--seed", str(seed))
        splits.append({row["template"]: row["split"] for found in rows.values() for row in found})
    assert len({tuple(sorted(found.items())) for found in splits}) > 1
    for found in splits:
        assigned = [found[f"template t{number:02}"] for number in range(4)]
        assert assigned == ["train", "train", "validation", "test"]


def test_one_split_is_written_alone_and_proved_against_the_others(study, tmp_path, capsys):
    found = export(tmp_path, "sft", "--split", "test")
    assert list(found) == ["test"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["manifest.json", "test.sft.jsonl"]
    assert "No template stands in two splits (12 in all)." in capsys.readouterr().out


def test_the_rubric_can_be_left_out(study, tmp_path):
    told = export(tmp_path / "told", "grpo")["train"][0]["prompt"][0]["content"]
    bare = export(tmp_path / "bare", "grpo", "--without-rubric")["train"][0]["prompt"][0]["content"]
    assert "What earns a 5." in told
    assert "What earns a 5." not in bare
    assert "Excellent" in bare


def test_no_rater_and_no_comment_is_in_the_files(study, mona, tmp_path):
    from annotation.models import Rating

    Rating.objects.update(comment="secret comment")
    export(tmp_path, "grpo")
    told = "".join(path.read_text(encoding="utf-8") for path in tmp_path.iterdir())
    rater = Rater.objects.get(user=mona)
    for secret in ("secret", rater.name, rater.pseudonym, str(rater.uuid), mona.email):
        assert secret not in told


def test_many_pairs_cost_the_same_number_of_statements(study, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        found = training_set(study)
    assert sum(found.subjects(split) for split in ("train", "validation", "test")) == 24
    assert PromptTemplate.objects.count() == 12
