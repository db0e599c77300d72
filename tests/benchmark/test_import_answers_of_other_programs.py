"""Nour brings in answers as lm-evaluation-harness, HELM and lighteval write them down.

The layouts are those that the programs write: `samples_*.jsonl`, `scenario_state.json`, and the Parquet file of
details. The texts are our own.
"""

import io
import json
from typing import Any

import pyarrow
import pytest
from django.core.management import CommandError, call_command
from pyarrow import parquet

from benchmark.importing.answers import BenchmarkAnswers
from benchmark.models import Answer
from formats.importing.running import Outcome, run_import
from formats.reading import Source
from jobs.importing import begin_import, outcome_of
from tests.benchmark.answered import configuration_of, frozen_set
from tests.benchmark.sets import open_line, question_line
from tests.benchmark.test_import_answers import model_line

pytestmark = pytest.mark.django_db

TEA, CAPITAL = "اكتب جملة عن الشاي. (tea)", "ما هي عاصمة الأردن؟ (capital)\n\nأ. عمّان\nب. إربد"


@pytest.fixture(autouse=True)
def asked(project):
    return frozen_set(project, open_line("tea"), question_line("capital"))


@pytest.fixture
def nile(project):
    return configuration_of(project, "Nile-7B")


def bring(project, content: bytes, name: str = "answers.jsonl", configuration: str = "nile-7b") -> Outcome:
    def configure(importer: Any) -> None:
        importer.configuration = configuration

    return run_import(project, Source(io.BytesIO(content), name), BenchmarkAnswers.kind, configure=configure)


def lines(*rows: dict) -> bytes:
    return b"\n".join(json.dumps(row, ensure_ascii=False).encode() for row in rows)


def came() -> dict[str, str]:
    rows = Answer.objects.select_related("prompt", "response")
    return {row.prompt.key.partition("/")[2]: row.content for row in rows}


def problems_of(outcome: Outcome) -> list[tuple]:
    assert not outcome.is_stored
    assert not Answer.objects.exists()
    return [(problem.line, problem.field, problem.code) for problem in outcome.problems]


# --- lm-evaluation-harness ---


def sample(doc_id: int, doc: dict, reply: Any, sent: str = "", **changes: Any) -> dict:
    return {
        "doc_id": doc_id,
        "doc": doc,
        "target": "ب",
        "arguments": {"gen_args_0": {"arg_0": sent or "Question: " + str(doc), "arg_1": {"until": ["\n"]}}},
        "resps": [[reply]],
        "filtered_resps": [reply],
        "filter": "none",
        "metrics": ["exact_match"],
        "doc_hash": f"hash {doc_id}",
        "exact_match": 1.0,
        **changes,
    }


def test_samples_of_lm_evaluation_harness_find_their_questions_by_text_or_key(project, nile):
    outcome = bring(
        project,
        lines(sample(0, {"question": TEA, "answer": "x"}, "الشاي دافئ"), sample(1, {"id": "capital"}, " أ ")),
    )
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "الشاي دافئ", "capital": " أ "}, "word for word"


def test_the_prompt_that_was_sent_names_the_question_in_old_and_new_layouts_and_as_a_chat(project, nile):
    chat = json.dumps([{"role": "system", "content": "أجب."}, {"role": "user", "content": CAPITAL}])
    old = sample(0, {"row": 17}, "الشاي دافئ") | {"arguments": [[f"  {TEA}\n", {"until": []}]]}
    outcome = bring(project, lines(old, sample(1, {"row": 18}, "أ", sent=chat)))
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "الشاي دافئ", "capital": "أ"}


def test_one_answer_under_several_filters_comes_in_once_and_of_repeats_the_first(project, nile):
    rows = [
        sample(0, {"question": TEA}, "", resps=[["الأول", "الثاني"]], filtered_resps=[text], filter=name)
        for name, text in (("strict-match", "[invalid]"), ("flexible-extract", "7"))
    ]
    outcome = bring(project, lines(*rows))
    assert came() == {"tea": "الأول"}
    assert "1 row without an answer of its own passed over" in outcome.counted


def test_another_answer_to_the_same_question_is_refused(project, nile):
    rows = [sample(n, {"question": TEA}, f"جواب {n}") for n in range(2)]
    assert problems_of(bring(project, lines(*rows))) == [(2, "id", "duplicate_id")]


@pytest.mark.parametrize("pair", [[-2.0, False], ["-2.0", "False"]])
def test_likelihoods_are_no_answer(project, nile, pair):
    row = sample(0, {"question": TEA}, "", resps=[[pair], [pair]])
    row["arguments"] = {f"gen_args_{n}": {"arg_0": TEA, "arg_1": f" {n}"} for n in range(2)}
    assert problems_of(bring(project, lines(row))) == [(1, "text", "not_written")]


def test_rows_that_fit_no_question_are_named_by_line_and_nothing_is_stored(project, nile):
    good, bad = sample(0, {"question": TEA}, "دافئ"), sample(1, {"question": "ما لون السماء؟", "id": "sky"}, "أزرق")
    outcome = bring(project, lines(good, bad))
    assert problems_of(outcome) == [(2, "id", "unknown_question")]
    assert "fits no question of the set “own" in outcome.problems[0].message


def test_whose_answers_they_are_says_a_line_before_them_or_the_command(project, tmp_path):
    rows = [sample(0, {"question": TEA}, "دافئ")]
    assert problems_of(bring(project, lines(*rows), configuration="")) == [(1, "configuration", "missing")]
    outcome = bring(project, lines(model_line(), *rows), configuration="")
    assert outcome.is_stored, outcome.problems
    assert Answer.objects.get().configuration.slug == "nile-7b"


def test_a_text_that_two_questions_share_names_neither(project, nile, asked):
    frozen_set(
        project,
        open_line("one", instruction="لخّص النص.", input="الشاي دافئ."),
        open_line("two", instruction="لخّص النص.", input="القهوة مرّة."),
        id="second",
        name="Second",
        canary="6f1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a12",
    )

    def configure(importer: Any) -> None:
        importer.configuration, importer.set_slug = "nile-7b", "second"

    def to_second(doc: dict) -> Outcome:
        return run_import(
            project, Source(io.BytesIO(lines(sample(0, doc, "نعم")))), BenchmarkAnswers.kind, configure=configure
        )

    assert problems_of(to_second({"instruction": "لخّص النص."})) == [(1, "id", "unknown_question")]
    assert to_second({"instruction": "لخّص النص.", "id": "two"}).is_stored
    assert came() == {"two": "نعم"}


# --- HELM ---


def state(text: str, reply: str, **changes: Any) -> dict:
    completion = {"text": reply, "logprob": -1.5, "tokens": [{"text": reply, "logprob": -1.5}]}
    return {
        "instance": {"input": {"text": text}, "references": [], "split": "test", "id": "id9"},
        "request_mode": None,
        "train_trial_index": 0,
        "request": {"model": "delta/nile", "prompt": f"Passage: {text}\nAnswer:", "max_tokens": 5},
        "result": {"success": True, "cached": False, "completions": [completion | changes.pop("completion", {})]},
        **changes,
    }


def scenario_state(*states: dict) -> bytes:
    """As HELM writes it: one JSON text over many lines."""
    content = {"adapter_spec": {"method": "generation", "model": "delta/nile"}, "request_states": list(states)}
    return json.dumps(content, indent=2, ensure_ascii=False).encode()


def test_a_scenario_state_of_helm_comes_in_and_finds_its_model_by_name(project):
    row = configuration_of(project, "delta/nile")
    cut = {"finish_reason": {"reason": "length"}}
    outcome = bring(
        project,
        scenario_state(state(TEA, "الشاي دافئ"), state(CAPITAL, "الجواب", completion=cut)),
        name="scenario_state.json",
        configuration="",
    )
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "الشاي دافئ", "capital": "الجواب"}
    assert Answer.objects.get(is_cut=True).prompt.key.endswith("capital")
    assert set(Answer.objects.values_list("configuration", flat=True)) == {row.pk}


def test_perturbed_copies_later_trials_and_calls_that_failed_are_passed_over(project, nile):
    copy = state(TEA, "نسخة")
    copy["instance"]["perturbation"] = {"name": "typos"}
    failed = state(CAPITAL, "", result={"success": False, "error": "timeout", "completions": [{"text": ""}]})
    rows = (state(TEA, "دافئ"), copy, state(TEA, "ثانية", train_trial_index=1), failed)
    outcome = bring(project, scenario_state(*rows))
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "دافئ"}
    assert outcome.counts["rows passed over"] == 3


def test_instances_without_answers_and_broken_files_of_helm_say_what_to_do(project, nile):
    instances = json.dumps([{"input": {"text": TEA}, "references": []}], indent=2).encode()
    outcome = bring(project, instances, name="instances.json")
    assert not outcome.is_stored
    assert "Choose scenario_state.json" in str(outcome.problems[0])
    assert problems_of(bring(project, scenario_state(state(TEA, "دافئ"))[:-9])) == [(None, "", "not_json")]
    chosen = state(TEA, "أ", reference_index=0)
    assert problems_of(bring(project, scenario_state(chosen))) == [(1, "text", "not_written")]


# --- lighteval ---


def details(rows: list[dict]) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    return file.getvalue()


def test_details_of_lighteval_come_in(project, nile):
    rows = [
        {
            "doc": {"query": f"أجب.\n{TEA}", "instruction": "أجب.\n", "choices": ["x"], "id": "0", "task_name": "t"},
            "metric": {"em": 0.0},
            "model_response": {"text": ["الشاي دافئ"], "input_tokens": [1, 2], "output_tokens": [[3]]},
        },
        {
            "doc": {"query": CAPITAL, "instruction": None, "choices": ["أ"], "id": "1", "task_name": "t"},
            "metric": {"em": 1.0},
            "model_response": {"text": ["أ"], "input_tokens": [1], "output_tokens": [[3]]},
        },
    ]
    outcome = bring(project, details(rows), name="details_t_2026-01-01.parquet")
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "الشاي دافئ", "capital": "أ"}


def test_details_of_older_versions_come_in_by_the_command(project, nile, tmp_path):
    file = tmp_path / "details_t.parquet"
    rows = [
        {"example": TEA, "full_prompt": f"Few shots.\n{TEA}", "predictions": "['دافئ']", "truncated": 0},
        {"example": "?", "full_prompt": CAPITAL, "predictions": "['أ']", "truncated": 0},
    ]
    file.write_bytes(details(rows))
    bring_in = "import_benchmark_answers", project.slug, str(file), "--configuration", "nile-7b"
    call_command(*bring_in, stdout=io.StringIO())
    assert came() == {"tea": "دافئ", "capital": "أ"}
    file.write_bytes(details([rows[0] | {"example": "من؟", "full_prompt": "من؟"}]))
    said = io.StringIO()
    with pytest.raises(CommandError, match="1 problem"):
        call_command(*bring_in, stderr=said)
    assert "line 1, id: The row fits no question" in said.getvalue()


# --- On the page ---


def test_a_file_of_helm_is_imported_on_the_page_as_well(project, nour):
    configuration_of(project, "delta/nile")
    job = begin_import(
        project, [scenario_state(state(TEA, "دافئ"))], "scenario_state.json", BenchmarkAnswers.kind, "jsonl", by=nour
    )
    outcome = outcome_of(job)
    assert outcome is not None
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "دافئ"}


def test_lines_of_our_own_are_read_as_ever(project, nile):
    outcome = bring(project, lines({"id": "tea", "text": "دافئ"}))
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "دافئ"}
