"""Nour exports which of two responses people preferred, as reward models and preference training take it."""

import json

import pytest
from django.core.management import CommandError, call_command

from projects.models import QuestionType, Rater, ResponsePair
from tests.annotation.rated import question_type
from tests.judging.rating import ask, graded_pair, template


@pytest.fixture
def formality(project):
    return question_type(project)


def export(folder, *options: str) -> list[dict]:
    call_command("export_training", "feasts", "--format", "preference", "--output", str(folder), *options)
    return [
        json.loads(line)
        for path in sorted(folder.glob("*.preference.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def text_of(message: list[dict]) -> str:
    [only] = message
    return only["content"]


@pytest.mark.parametrize(("first", "second", "chosen"), [(4, 2, "first"), (1, 5, "second")])
def test_the_better_response_is_chosen_whichever_side_it_was_on(
    project, formality, mona, tmp_path, first, second, chosen
):
    prompt = ask(project, formality, template(project, "greeting", formality, "train"))
    pair = graded_pair(prompt, mona, formality, first, second).pair
    [row] = export(tmp_path)
    best, other = (pair.first, pair.second) if chosen == "first" else (pair.second, pair.first)
    assert row["prompt"] == [{"role": "user", "content": prompt.text}]
    assert row["chosen"] == [{"role": "assistant", "content": best.text}]
    assert row["rejected"] == [{"role": "assistant", "content": other.text}]
    assert (row["chosen_grade"], row["rejected_grade"]) == (max(first, second), min(first, second))
    assert (row["split"], row["variety"], row["question"]) == ("train", "ar-EG", formality.slug)


def test_a_tie_teaches_no_preference_and_is_counted(project, formality, mona, tmp_path, capsys):
    one = template(project, "greeting", formality, "train")
    graded_pair(ask(project, formality, one), mona, formality, 4, 2)
    graded_pair(ask(project, formality, one), mona, formality, 3, 3)
    assert len(export(tmp_path)) == 1
    assert "Left out, as neither side is better: 1" in capsys.readouterr().out
    assert json.loads((tmp_path / "manifest.json").read_text())["recipe"]["left_out_undecided"] == 1


def test_what_was_said_without_grades_is_a_preference_too(project, formality, mona, tmp_path):
    prompt = ask(project, formality, template(project, "greeting", formality, "train"))
    pair = graded_pair(prompt, mona, formality, 3, 3).pair
    choice = QuestionType.objects.create(
        project=project, dimension=formality.dimension, slug="choice", name="Choice", lowest=None, highest=None
    )
    pair.ratings.create(question=choice, rater=Rater.objects.get(user=mona), preference="second")
    [row] = export(tmp_path)
    assert text_of(row["chosen"]) == pair.second.text
    assert (row["chosen_grade"], row["rejected_grade"]) == (None, None)


def test_grades_that_are_names_without_an_order_prefer_nothing(project, formality, mona, tmp_path):
    QuestionType.objects.filter(pk=formality.pk).update(is_nominal=True)
    graded_pair(ask(project, formality, template(project, "greeting", formality, "train")), mona, formality, 4, 2)
    with pytest.raises(CommandError, match="Nothing was written"):
        export(tmp_path)


def test_splits_are_by_template_and_no_rater_or_model_is_named(project, formality, mona, tmp_path):
    for split in ("train", "validation", "test"):
        one = template(project, f"of-{split}", formality, split)
        for tag in ("ar-EG", "bn-BD"):
            graded_pair(ask(project, formality, one, tag), mona, formality, 4, 2)
    rows = export(tmp_path)
    assert {(row["template"], row["split"]) for row in rows} == {
        (f"template of-{split}", split) for split in ("train", "validation", "test")
    }
    said = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("*.jsonl"))
    assert "Mona" not in said
    assert not [pair for pair in ResponsePair.objects.all() if pair.first.target_model.name in said]
