"""Nour brings in files of other programs, field for field as their code writes them.

lm-evaluation-harness: `EvaluationTracker.save_results_samples`, which makes texts of all replies and an object of all
arguments. HELM: `Runner.run_one`, which leaves out what is None. lighteval: `EvaluationTracker.save`, which makes a
table of `Doc` and `ModelResponse`, and before version 0.10 one of `Detail`, up to 0.7 with a text in every cell.
"""

import io
import json
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from benchmark.importing.answers import BenchmarkAnswers
from benchmark.models import Answer
from formats.importing.running import run_import
from formats.reading import Source
from tests.benchmark.answered import configuration_of, frozen_set
from tests.benchmark.sets import open_line, question_line
from tests.benchmark.test_import_answers_of_other_programs import CAPITAL, TEA, bring, came, lines, problems_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def asked(project):
    return frozen_set(project, open_line("tea"), question_line("capital"))


@pytest.fixture
def nile(project):
    return configuration_of(project, "delta/nile")


# --- lm-evaluation-harness ---


def as_texts(replies: Any) -> Any:
    """`sanitize_list`."""
    return [as_texts(each) for each in replies] if isinstance(replies, list | tuple) else str(replies)


def logged(doc_id: int, doc: dict, arguments: list[tuple], resps: list[list], name: str = "none", **metrics: Any):
    """A line as `save_results_samples` writes it, after `evaluate` made it."""
    return {
        "doc_id": doc_id,
        "doc": doc,
        "target": str(doc.get("target", 0)),
        "arguments": {
            f"gen_args_{number}": {f"arg_{place}": each for place, each in enumerate(request)}
            for number, request in enumerate(arguments)
        },
        "resps": as_texts(resps),
        "filtered_resps": as_texts([each[0] for each in resps]),
        "filter": name,
        "metrics": list(metrics),
        "doc_hash": f"doc {doc_id}",
        "prompt_hash": f"prompt {doc_id}",
        "target_hash": f"target {doc_id}",
        **metrics,
    }


GENERATED = {"until": ["\n\n"], "max_gen_toks": 1280, "do_sample": False, "temperature": 0.0}


def test_metrics_that_are_no_numbers_do_not_keep_a_sample_out(project, nile):
    rows = [
        logged(
            0, {"question": TEA, "weight": float("nan")}, [(TEA, GENERATED)], [["الشاي: NaN دافئ"]], bleu=float("nan")
        ),
        logged(1, {"question": CAPITAL}, [(CAPITAL, GENERATED)], [["أ"]], loss=float("-inf"), acc=[float("nan")]),
    ]
    outcome = bring(project, lines(*rows), configuration="deltanile")
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "الشاي: NaN دافئ", "capital": "أ"}


def test_a_line_that_is_no_json_for_another_reason_is_named_as_ever(project, nile):
    good = lines(logged(0, {"question": TEA}, [(TEA, GENERATED)], [["دافئ"]], bleu=float("nan")))
    outcome = bring(project, good + b'\n{"doc_id": 1, "loss": NaN, "resps": [', configuration="deltanile")
    assert problems_of(outcome) == [(2, "", "not_a_number")]


def test_a_reply_that_never_came_is_an_empty_answer(project, nile):
    # What the harness puts in the place of null, unless an environment variable names something else.
    outcome = bring(project, lines(logged(0, {"question": TEA}, [(TEA, GENERATED)], [[""]])), configuration="deltanile")
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": ""}


def test_the_likelihood_of_a_whole_text_is_no_answer(project, nile):
    row = logged(0, {"text": TEA}, [(TEA,)], [[-123.25]], word_perplexity=[-123.25, 5])
    assert row["resps"] == [["-123.25"]], "a text, as an answer is one"
    assert problems_of(bring(project, lines(row), configuration="deltanile")) == [(1, "text", "not_written")]


def test_the_likelihood_of_the_only_given_answer_is_no_answer(project, nile):
    row = logged(0, {"question": TEA}, [(TEA, " نعم")], [[(-4.5, True)]], acc=1)
    assert problems_of(bring(project, lines(row), configuration="deltanile")) == [(1, "text", "not_written")]


def test_multiple_choice_by_likelihoods_is_refused_by_line(project, nile):
    pairs = [(-2.5, False), (-1.25, True)]
    row = logged(0, {"question": CAPITAL}, [(CAPITAL, f" {letter}") for letter in "أب"], [[each] for each in pairs])
    assert row["resps"][0] == [["-2.5", "False"]]
    outcome = bring(project, lines(row), configuration="deltanile")
    assert problems_of(outcome) == [(1, "text", "not_written")]
    assert "likelihoods" in outcome.problems[0].message


def test_a_chat_with_examples_and_the_beginning_of_the_answer_is_known_by_its_last_question(project, nile):
    chat = [
        {"role": "system", "content": "أجب."},
        {"role": "user", "content": "سؤال آخر"},
        {"role": "assistant", "content": "جواب"},
        {"role": "user", "content": TEA},
        {"role": "assistant", "content": "الجواب:"},
    ]
    # The chat is the only field of a tuple of its own.
    sent = [json.dumps(chat, ensure_ascii=False)]
    with_parts = [{"role": "user", "content": [{"type": "text", "text": CAPITAL}]}]
    rows = (
        logged(0, {"row": 1}, [(sent, GENERATED)], [["الشاي دافئ"]]),
        logged(1, {"row": 2}, [([json.dumps(with_parts)], GENERATED, {"visual": []})], [["أ"]]),
    )
    outcome = bring(project, lines(*rows), configuration="deltanile")
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "الشاي دافئ", "capital": "أ"}


def test_options_in_another_order_would_make_b_another_answer(project, nile):
    turned = {"id": "capital", "question": "؟", "choices": {"text": ["إربد", "عمّان"], "label": ["A", "B"]}}
    outcome = bring(project, lines(logged(0, turned, [("؟", GENERATED)], [["B"]])), configuration="deltanile")
    assert problems_of(outcome) == [(1, "id", "other_order")]
    for choices in (["عمّان", "إربد"], ["عمّان", "إربد", "الزرقاء"], [0, 1]):
        Answer.objects.all().delete()
        row = logged(0, {"id": "capital", "choices": choices}, [("؟", GENERATED)], [["A"]])
        outcome = bring(project, lines(row), configuration="deltanile")
        assert outcome.is_stored, (choices, outcome.problems)


# --- HELM ---


def without_nones(value: Any) -> Any:
    """`asdict_without_nones`, which leaves what stands in plain dictionaries."""
    return {name: each for name, each in value.items() if each is not None}


def request_state(text: str, completion: dict | None, *, result: dict | None = None, **changes: Any) -> dict:
    """A `RequestState` with all the fields that its classes have."""
    generated = {"text": "", "logprob": 0.0, "tokens": [], "finish_reason": {"reason": "stop"}} | (completion or {})
    request = {
        "model_deployment": "delta/nile-server",
        "model": "delta/nile",
        "embedding": False,
        "prompt": f"Passage: {text}\nAnswer:",
        "temperature": 0.0,
        "num_completions": 1,
        "top_k_per_token": 1,
        "max_tokens": 100,
        "stop_sequences": ["\n"],
        "echo_prompt": False,
        "top_p": 1,
        "presence_penalty": 0,
        "frequency_penalty": 0,
    }
    answered = {"success": True, "embedding": [], "completions": [generated], "cached": False, "request_time": 0.25}
    state = {
        "instance": {
            "input": {"text": text},
            "references": [{"output": {"text": "x"}, "tags": ["correct"]}],
            "split": "test",
            "id": "id1",
        },
        "train_trial_index": 0,
        "request": request | changes.pop("request", {}),
        "result": answered | (result or {}),
        "num_train_instances": 0,
        "prompt_truncated": False,
        "num_conditioning_tokens": 0,
    }
    return without_nones(state | changes)


def state_file(*states: dict) -> bytes:
    content = {"adapter_spec": {"method": "generation", "model": "delta/nile"}, "request_states": list(states)}
    return json.dumps(content, indent=2).encode()


def bring_states(project, *states: dict):
    return bring(project, state_file(*states), name="scenario_state.json", configuration="")


def test_reasoning_beside_an_empty_answer_is_kept_apart(project, nile):
    state = request_state(TEA, {"text": "", "thinking": {"text": "الجواب دافئ"}, "finish_reason": {"reason": "length"}})
    outcome = bring_states(project, state)
    assert outcome.is_stored, outcome.problems
    answer = Answer.objects.get()
    assert (answer.content, answer.reasoning, answer.is_cut) == ("", "الجواب دافئ", True)


def test_a_chat_scenario_has_its_question_in_messages(project, nile):
    chat = [{"role": "system", "content": "أجب."}, {"role": "user", "content": TEA}]
    state = request_state("", {"text": "دافئ"}, request={"prompt": "", "messages": chat})
    outcome = bring_states(project, state)
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "دافئ"}


def test_what_a_filter_held_back_is_a_refusal_and_what_came_to_nothing_is_empty(project, nile):
    for_good = {"is_retriable": False, "is_fatal": False}
    blocked = {"success": False, "error": "Content blocked by OpenAI filter", "error_flags": for_good}
    outcome = bring_states(
        project,
        request_state(TEA, {}, result=blocked),
        request_state(CAPITAL, {}, result=blocked | {"error": "Prompt is too long"}),
    )
    assert outcome.is_stored, outcome.problems
    assert dict(Answer.objects.values_list("prompt__key", "is_refusal")) == {
        key: key.endswith("tea") for key in Answer.objects.values_list("prompt__key", flat=True)
    }
    assert came() == {"tea": "", "capital": ""}
    assert Answer.objects.count() == 2


def test_a_call_that_may_be_tried_again_is_no_answer(project, nile):
    flags = {"is_retriable": True, "is_fatal": False}
    again = {"success": False, "error": "the server was busy", "error_flags": flags}
    outcome = bring_states(project, request_state(TEA, {}, result=again), request_state(CAPITAL, {"text": "أ"}))
    assert outcome.is_stored, outcome.problems
    assert came() == {"capital": "أ"}


def test_a_prompt_said_again_for_its_likelihood_is_no_answer(project, nile):
    state = request_state(TEA, {"text": TEA}, request={"echo_prompt": True, "max_tokens": 0})
    assert problems_of(bring_states(project, state)) == [(1, "text", "not_written")]


def test_likelihoods_that_are_no_numbers_do_not_keep_a_file_out(project, nile):
    token = {"text": "دافئ", "logprob": float("-inf")}
    outcome = bring_states(project, request_state(TEA, {"text": "دافئ", "logprob": float("nan"), "tokens": [token]}))
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "دافئ"}


def test_letters_of_helm_name_the_options_in_its_order(project, nile):
    question = CAPITAL.partition("\n")[0]
    outcome = bring_states(project, request_state(question, {"text": " B"}, output_mapping={"A": "إربد", "B": "عمّان"}))
    assert problems_of(outcome) == [(1, "id", "other_order")]
    outcome = bring_states(project, request_state(question, {"text": " B"}, output_mapping={"A": "عمّان", "B": "إربد"}))
    assert outcome.is_stored, outcome.problems


# --- lighteval ---


def doc(query: str, **changes: Any) -> dict:
    """A `Doc` as a dictionary."""
    return {
        "query": query,
        "choices": [],
        "gold_index": 0,
        "instruction": None,
        "images": None,
        "specific": None,
        "unconditioned_query": None,
        "original_query": None,
        "id": "0",
        "task_name": "arabic:tea|0",
        "fewshot_samples": [],
        "sampling_methods": ["GENERATIVE"],
        "fewshot_sorting_class": None,
        "generation_size": 256,
        "stop_sequences": ["\n"],
        "use_logits": False,
        "num_samples": 1,
        "generation_grammar": None,
        **changes,
    }


def response(*texts: str | None, **changes: Any) -> dict:
    """A `ModelResponse` as a dictionary."""
    return {
        "input": None,
        "input_tokens": [1, 2, 3],
        "text": list(texts),
        "output_tokens": [[4, 5]],
        "text_post_processed": None,
        "reasonings": [],
        "logprobs": [],
        "argmax_logits_eq_gold": [],
        "logits": None,
        "unconditioned_logprobs": None,
        "truncated_tokens_count": 0,
        "padded_tokens_count": 0,
        **changes,
    }


def table(*rows: dict) -> bytes:
    """Columns in the order of their names."""
    file = io.BytesIO()
    made = pyarrow.Table.from_pylist(list(rows))
    parquet.write_table(made.select(sorted(made.column_names)), file)
    return file.getvalue()


def bring_table(project, *rows: dict):
    return bring(project, table(*rows), name="details_arabic:tea|0_2026-05-05.parquet", configuration="deltanile")


def detail(asked: dict, replied: dict) -> dict:
    return {"doc": asked, "model_response": replied, "metric": {"em": float("nan")}}


def test_details_with_reasoning_and_the_chat_that_was_sent(project, nile):
    chat = [{"role": "system", "content": "أجب."}, {"role": "user", "content": CAPITAL}]
    outcome = bring_table(
        project,
        detail(
            doc(f"Question: {TEA}\nAnswer:", original_query=TEA), response("الشاي دافئ", "ثانية", reasonings=["أفكّر"])
        ),
        detail(doc("Q"), response(None, input=chat, reasonings=[None])),
    )
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "الشاي دافئ", "capital": ""}
    assert set(Answer.objects.values_list("reasoning", flat=True)) == {"أفكّر", ""}


def test_the_number_of_a_row_is_no_key_of_a_question(project, nile):
    second = frozen_set(
        project,
        open_line("1", instruction="ما لون السماء؟"),
        id="sky",
        name="Sky",
        canary="6f1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a12",
    )
    content = table(detail(doc("ما لون الماء؟", id="1"), response("شفاف")))

    def configure(importer: Any) -> None:
        importer.configuration, importer.set_slug = "deltanile", second.slug

    outcome = run_import(project, Source(io.BytesIO(content), "d.parquet"), BenchmarkAnswers.kind, configure=configure)
    assert problems_of(outcome) == [(1, "id", "unknown_question")]


def test_details_of_likelihoods_are_refused_by_line(project, nile):
    replied = response(logprobs=[-0.5, -1.25], argmax_logits_eq_gold=[True, False])
    outcome = bring_table(project, detail(doc(CAPITAL, choices=["أ", "ب"]), replied))
    assert problems_of(outcome) == [(1, "text", "not_written")]


def test_choices_in_another_order_are_refused(project, nile):
    turned = doc(CAPITAL, choices=["إربد", "عمّان"], gold_index=[1])
    assert problems_of(bring_table(project, detail(turned, response("B")))) == [(1, "id", "other_order")]


def old_detail(**changes: Any) -> dict:
    """A `Detail` of versions before 0.10."""
    return {
        "example": "?",
        "instruction": "",
        "full_prompt": "?",
        "num_effective_few_shots": 0,
        "num_asked_few_shots": 0,
        "predictions": [],
        "input_tokens": [[1]],
        "cont_tokens": [[2]],
        "truncated": [0],
        "padded": [0],
        "gold": [],
        "pred_logits": [],
        "choices": [],
        "gold_index": [],
        "metrics": {"em": 0.0},
        "specifics": None,
        **changes,
    }


def in_texts(row: dict) -> dict:
    """Up to 0.7 each cell is the text of its value."""
    return {name: str(value) for name, value in row.items()}


@pytest.mark.parametrize("written", [dict, in_texts])
def test_older_details_and_the_chats_in_them(project, nile, written):
    chat = [{"role": "user", "content": CAPITAL}]
    rows = [
        old_detail(example=TEA, predictions=["['دافئ']"]),
        old_detail(full_prompt=str(chat), predictions=["أ"]),
    ]
    outcome = bring_table(project, *(written(row) for row in rows))
    assert outcome.is_stored, outcome.problems
    assert came() == {"tea": "['دافئ']", "capital": "أ"}


@pytest.mark.parametrize("predictions", ["[(-2.5, False), (-inf, True)]", "[tensor([-2.5, nan])]", "[-2.5, -1.0]"])
def test_likelihoods_written_as_text_are_no_answer(project, nile, predictions):
    row = in_texts(old_detail(example=TEA)) | {"predictions": predictions}
    assert problems_of(bring_table(project, row)) == [(1, "text", "not_written")]


# --- Files that hold no answers ---

OTHER_FILES = {
    "per_instance_stats.json": (
        [{"instance_id": "id1", "train_trial_index": 0, "stats": [{"name": {"name": "exact_match"}, "count": 1}]}],
        "scenario_state.json",
    ),
    "stats.json": ([{"name": {"name": "exact_match", "split": "test"}, "count": 1}], "scenario_state.json"),
    "run_spec.json": (
        {"name": "tea", "scenario_spec": {"class_name": "x"}, "adapter_spec": {"method": "generation"}},
        "scenario_state.json",
    ),
    "display_predictions.json": (
        [{"instance_id": "id1", "train_trial_index": 0, "predicted_text": "دافئ"}],
        "scenario_state.json",
    ),
    "instances.json": ([{"input": {"text": "x"}, "references": [], "split": "test"}], "scenario_state.json"),
    "results_2026-01-01.json": ({"results": {"tea": {"alias": "tea"}}, "n-shot": {"tea": 0}}, "samples_*.jsonl"),
    "results_of_lighteval.json": ({"config_general": {"lighteval_sha": "?"}, "results": {}}, "details_*.parquet"),
}


@pytest.mark.parametrize("name", OTHER_FILES)
def test_a_file_of_the_same_run_without_answers_names_the_one_that_has_them(project, nile, name):
    content, right = OTHER_FILES[name]
    for layout in (None, 2):
        outcome = bring(project, json.dumps(content, indent=layout).encode(), name=name)
        assert problems_of(outcome) == [(None, "", "no_answers")]
        assert f"Choose {right}" in outcome.problems[0].message
