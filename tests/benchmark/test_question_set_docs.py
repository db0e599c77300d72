"""What docs/question-sets.md shows is imported and frozen, and names every field; the shipped rule map is whole."""

import io
import re
from pathlib import Path

import pytest

from agreement.answers.rules import rules
from benchmark.freezing import freeze
from benchmark.models import Question
from benchmark.rule_map import read_rule_map, shipped
from formats.benchmark_answer import FORMAT as ANSWERS
from formats.benchmark_question import FORMAT
from formats.importing.running import run_import
from formats.reading import Source
from formats.records import compiled, fields_of

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "question-sets.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^```([\w-]+)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL))


@pytest.mark.django_db
def test_the_example_of_the_documentation_is_imported_and_can_be_frozen(project):
    outcome = run_import(project, Source(io.BytesIO(EXAMPLES["benchmark-questions"].encode())), "benchmark-questions")
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    assert Question.objects.count() == 4
    assert freeze(project.question_sets.get()).is_frozen


@pytest.mark.django_db
def test_the_example_on_the_page_is_imported(project):
    outcome = run_import(project, Source(io.BytesIO(FORMAT.example.encode())), "benchmark-questions")
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]


@pytest.mark.parametrize("declared", [FORMAT, ANSWERS])
def test_every_field_is_in_the_documentation(declared):
    inner = [field.inner for type_ in declared.types.values() for field in type_.fields.values() if field.inner]
    records = (*declared.records.values(), *(each.declared for each in inner))
    fields = {field for record in records for field in fields_of(record)}
    assert compiled(declared.records[declared.default]).nested
    assert [field for field in sorted(fields) if f"`{field}`" not in TEXT] == []


def test_the_rule_map_of_the_documentation_is_one():
    assert read_rule_map(EXAMPLES["json"]).rules_of("Anything", "mcq")[0].rule == "judge_choice"


def test_the_shipped_rule_map_names_rules_there_are_and_the_first_entry_that_fits_counts():
    entries = shipped().entries
    assert {use.rule for entry in entries for use in entry.rules} <= set(rules())
    named = lambda *where: [use.rule for use in shipped().rules_of(*where)]  # noqa: E731
    assert named("MMLU", "mcq") == ["judge_choice"]
    assert named("dialect detection", "mcq") == ["dialect_matching"], "capitals count for nothing"
    assert named("Diacritization", "generation") == ["diacritization"]
    assert named("RAG QA", "generation") == ["judge_generation", "rouge_l"]
    assert named("Structuring", "generation") == []
    assert named("Something new", "short-answer") == ["judge_generation"]


@pytest.mark.django_db
def test_the_answers_of_the_documentation_are_imported(project):
    brought = run_import(project, Source(io.BytesIO(EXAMPLES["benchmark-questions"].encode())), "benchmark-questions")
    assert brought.is_stored
    freeze(project.question_sets.get())
    outcome = run_import(project, Source(io.BytesIO(EXAMPLES["benchmark-answers"].encode())), "benchmark-answers")
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    assert (outcome.counts["answers"], outcome.counts["responses"], outcome.counts["scores"]) == (3, 2, 1)
