"""The examples of docs/import.md are imported, in the order in which they stand there."""

import io
import re
from pathlib import Path

import pytest

from annotation.models import Classification, ErrorGroup, Rating, Review, Span
from formats.importing.registry import importers
from formats.importing.running import run_import
from formats.mapping.specification import read_mapping
from formats.reading import Source
from projects.models import PromptTemplate, Response, ResponsePair
from rubrics.models import Criterion, Grade, Rubric
from tests.annotation.rated import question_type
from tests.preset_parts import add_taxonomy
from tests.rubrics.rubrics import make_rubrics_project

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "import.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_documentation_are_imported(project):
    add_taxonomy(project)
    make_rubrics_project(project)
    PromptTemplate.objects.create(project=project, key="t-1", text="x", question=question_type(project))
    kinds = ["yaml", "items", "csv", "answers", "answers", "answers", "answers", "prompts", "rubrics", "grades"]
    assert [name for name, _example in EXAMPLES] == kinds
    assert read_mapping(EXAMPLES[0][1])["kind"] == "answers"
    for name, example in EXAMPLES[1:]:
        kind = "items" if name == "csv" else name
        file_format = "csv" if name == "csv" else "jsonl"
        outcome = run_import(project, Source(io.BytesIO(example.encode())), kind, file_format)
        assert outcome.is_stored, (name, [str(problem) for problem in outcome.problems])
    assert (Response.objects.count(), ResponsePair.objects.count()) == (6, 1)
    assert (Rating.objects.count(), Rating.objects.get(is_unparseable=True).is_swapped) == (5, True)
    assert Span.objects.get(key="eg-1-f").quote == "🍚"
    assert (Span.objects.count(), Review.objects.count()) == (6, 4)
    assert (ErrorGroup.objects.count(), Classification.objects.count()) == (1, 1)
    assert (Rubric.objects.count(), Grade.objects.count(), Criterion.objects.count()) == (2, 3, 4)


@pytest.mark.django_db
def test_the_examples_on_the_page_are_imported(project):
    make_rubrics_project(project)
    for kind in ("items", "answers", "rubrics", "grades"):
        example = importers()[kind].format.example.encode()
        outcome = run_import(project, Source(io.BytesIO(example)), kind)
        assert outcome.is_stored, [str(problem) for problem in outcome.problems]


def test_every_schema_the_documentation_links_to_is_there():
    links = re.findall(r"\]\((\.\./[\w/.-]+)\)", TEXT)
    assert len(links) == 11
    assert all((Path(__file__).resolve().parents[2] / "docs" / link).resolve().exists() for link in links)
