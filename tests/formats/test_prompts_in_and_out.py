"""Nour brings prompts in before anybody has answered them, and takes localised ones out before they are rated."""

import io
import json

import pytest
from django.core.management import call_command

from formats.importing.running import run_import
from formats.reading import Source
from projects.localising import localise
from projects.models import LanguageVariety, Prompt, PromptTemplate
from tests.annotation.rated import question_type
from tests.benchmark.sets import question_line, set_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db
KOSHARI = {"prompt_id": "p-1", "prompt": "إزاي أعمل كشري؟", "variety": "ar-EG", "task": "how-to", "domain": "food"}


def imported(project, *records: dict):
    content = "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records).encode()
    return run_import(project, Source(io.BytesIO(content)), "prompts", "jsonl")


def test_prompts_come_in_without_responses(project):
    outcome = imported(project, KOSHARI, {"prompt": "How?", "variety": "en-US"})
    assert outcome.is_stored
    assert outcome.counts["prompts"] == 2
    prompt = project.prompts.get(key="p-1")
    assert (prompt.text, prompt.task, prompt.domain, prompt.variety.tag) == (
        *(KOSHARI["prompt"], "how-to", "food", "ar-EG"),
    )
    assert not project.responses.exists()


def test_the_same_again_changes_nothing_and_another_text_is_refused(project):
    imported(project, KOSHARI)
    again = imported(project, KOSHARI)
    assert again.is_stored
    assert again.counts["prompts"] == 0
    other = imported(project, KOSHARI | {"prompt": "إزاي أعمل فتة؟"}, {"prompt": "x", "variety": "xx-XX"})
    assert [(problem.line, problem.field, problem.code) for problem in other.problems] == [
        *((2, "variety", "unknown_variety"), (1, "prompt", "prompt_differs")),
    ]
    assert Prompt.objects.count() == 1


def test_they_can_be_taken_back(project):
    imported(project, KOSHARI)
    assert project.prompts.get().came_with is not None


def test_what_was_localised_goes_out_before_anybody_has_rated_it(project, other_project, nour, tmp_path):
    template = PromptTemplate.objects.create(
        project=project, key="t-1", text="How do you greet in [place]?", question=question_type(project)
    )
    variety = LanguageVariety.objects.get(tag="ar-EG")
    localise(template, variety, "إزاي تسلم في [place]؟", {"place": "القاهرة"}, None)
    imported(project, KOSHARI)
    answer = signed_in(nour).get("/api/v1/projects/feasts/prompts/")
    lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    assert lines == [
        KOSHARI,
        {
            "prompt_id": "t-1:ar-EG",
            "prompt": "إزاي تسلم في القاهرة؟",
            "variety": "ar-EG",
            "question": template.question.slug,
            "template": "t-1",
        },
    ]
    path = tmp_path / "prompts.jsonl"
    call_command("export_prompts", "feasts", "--to", str(path))
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] == lines
    path.write_text(json.dumps(lines[0]), encoding="utf-8")
    call_command("import_prompts", other_project.slug, str(path))
    assert other_project.prompts.get().text == KOSHARI["prompt"]


def test_a_question_that_is_held_back_stays_in_its_set(project, nour):
    set_of(project, question_line("open"), question_line("hidden", held_back=True, instruction="Held back?"))
    answer = signed_in(nour).get("/api/v1/projects/feasts/prompts/")
    content = b"".join(answer.streaming_content).decode()
    assert content.count("\n") == 1
    assert "Held back?" not in content
