"""Five published studies of ratings come in through the product's commands, complete and unaltered, and the numbers
made from what the database then holds are the published ones, to 1e-9."""

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from django.core.management import call_command

from annotation.models import Rating
from formats.importing.running import run_import
from formats.reading import Source
from projects.models import Project, Rater, Response, ResponsePair
from reports.ratings.gold import lines
from tests.real_data import llm_rubric, llmbar, pandalm, published, recipes_likert, squality
from tests.real_data import test_ratings_arithmetic as arithmetic
from tests.real_data.rating_lines import Rated
from tests.real_data.stored_ratings import comparable, lines_of

pytestmark = [pytest.mark.django_db, pytest.mark.real_data]

Lines = Callable[[Path], Iterator[dict]]


def write(path: Path, made: Iterator[dict]) -> str:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in made), encoding="utf-8")
    return str(path)


def add_questions(study: ModuleType, project: Project, folder: Path) -> None:
    path = write(folder / "questions.jsonl", study.questions())
    call_command("import_templates", project.slug, path, kind="questions", quiet=True)


def bring(
    study: ModuleType, project: Project, folder: Path, items: Lines | None = None, answers: tuple[Lines, ...] = ()
) -> Rated:
    """Through the commands, as a lead would; returns what the database holds then."""
    source = published(study.FOLDER)
    given = [line for part in answers or (study.answers,) for line in part(source)]
    asked = list((items or study.items)(source))
    add_questions(study, project, folder)
    for kind, made in (("items", iter(asked)), ("answers", iter(given))):
        call_command(f"import_{kind}", project.slug, write(folder / f"{kind}.jsonl", made), quiet=True)
    stored = list(lines_of(project))
    questions = {line["id"]: line.get("question") for line in asked}
    questions |= {line["id"]: questions[line["first"]] for line in asked if line.get("kind") == "pair"}
    assert Counter(comparable(line, questions) for line in stored) == Counter(
        comparable(line, questions) for line in given
    )
    return Rated(stored)


def test_pandalm(project, tmp_path):
    numbers = arithmetic.reference_numbers("pandalm")
    compared = bring(pandalm, project, tmp_path)
    assert (ResponsePair.objects.count(), Response.objects.count()) == (numbers["items"], 2 * numbers["items"])
    assert Rating.objects.filter(is_unparseable=True).count() == numbers["gpt35_unparseable"] == 25
    people = compared.of(rater_kind="human")
    majority = arithmetic.gold(people.subject, people.preference, scale=(-1, 1))
    arithmetic.test_three_people_pair_by_pair(people, numbers)
    arithmetic.test_three_people_together(people, majority, numbers)
    for judge, policy, part in (
        (pandalm.GPT35, "tie", "gpt35_unparseable_as_tie"),
        (pandalm.GPT35, "excluded", "gpt35_unparseable_dropped"),
        (pandalm.PANDALM, "excluded", "pandalm7b"),
    ):
        arithmetic.test_judges_against_the_majority(compared, people, majority, numbers, judge, policy, part)
    arithmetic.test_unread_verdicts_as_wrong_ones(compared, people, majority, numbers)


def test_the_majority_of_pandalm_is_the_gold_that_is_exported(project, tmp_path):
    bring(pandalm, project, tmp_path)
    exported = (json.loads(line) for line in lines(project))
    found = Counter(line["gold"][0]["preference"] for line in exported if line["kind"] == "pair")
    assert found == {"tie": 105, "first": 422, "second": 472}


def test_recipes(project, tmp_path):
    recipes = bring(recipes_likert, project, tmp_path)
    numbers = arithmetic.reference_numbers("recipes_likert")
    assert Response.objects.count() == numbers["items"]
    assert Rater.objects.filter(project=project).count() == numbers["raters"]
    arithmetic.test_recipes_alpha_of_sparse_raters(recipes)


def test_llm_rubric(project, tmp_path):
    conversations = bring(llm_rubric, project, tmp_path)
    numbers = arithmetic.reference_numbers("llm_rubric")
    assert Response.objects.count() == numbers["items"]
    for judge in llm_rubric.JUDGES:
        arithmetic.test_llm_rubric_overall_satisfaction(conversations, numbers, judge)
    for question in llm_rubric.QUESTIONS:
        arithmetic.test_llm_rubric_question_by_question(conversations, numbers, question)


def test_llm_rubric_of_synthetic_conversations(project, tmp_path, monkeypatch):
    made = bring(llm_rubric, project, tmp_path, llm_rubric.synthetic_items, (llm_rubric.synthetic_answers,))
    monkeypatch.setattr(llm_rubric, "synthetic_answers", lambda folder: iter(made.lines))
    arithmetic.test_llm_rubric_synthetic_conversations(arithmetic.reference_numbers("llm_rubric"))


def test_squality(project, tmp_path, monkeypatch):
    made = bring(squality, project, tmp_path, answers=(squality.answers, squality.pair_answers))
    numbers = arithmetic.reference_numbers("squality_human_eval")
    assert Response.objects.count() == numbers["responses"]
    monkeypatch.setattr(squality, "answers", lambda folder: (line for line in made.lines if "item" in line))
    monkeypatch.setattr(squality, "pair_answers", lambda folder: (line for line in made.lines if "pair" in line))
    arithmetic.test_squality_grades()
    arithmetic.test_squality_preferences_that_grades_imply()


def test_a_study_of_a_hundred_grades_comes_out_as_gold_and_back(project, other_project, tmp_path):
    bring(squality, project, tmp_path, answers=(squality.answers, squality.pair_answers))
    file = b"".join(lines(project))
    outcome = run_import(other_project, Source(io.BytesIO(file)), "items")
    assert outcome.problems == []
    assert b"".join(lines(other_project)) == file


def test_llmbar(project, tmp_path):
    both_orders = bring(llmbar, project, tmp_path)
    assert Rater.objects.get(project=project, kind="human").is_expert
    for name in ("ChatGPT/Rating", "GPT-4/Rating", "GPT-4/Vanilla", "LLaMA2/Vanilla"):
        arithmetic.test_llmbar_judges_in_both_orders(both_orders, name)
    for name in ("ChatGPT/Rating", "GPT-4/Rating"):
        arithmetic.test_llmbar_preferences_of_grading_judges(both_orders, name)
