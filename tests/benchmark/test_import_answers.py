"""Nour brings in what models answered elsewhere, and what judges said of it there; and takes it out again."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmark.answering import response_of
from benchmark.card_listing import other_laboratory
from benchmark.exporting import exported
from benchmark.exporting_answers import exported_answers
from benchmark.models import (
    Access,
    Answer,
    Configuration,
    ConfigurationKind,
    Exposure,
    ModelCard,
    RuleScore,
    Ruling,
    Standing,
)
from benchmark.scoring import score_answers
from benchmark.scoring_jobs import SCORING
from formats.benchmark_answer import FORMAT, BenchmarkAnswer, Card, ConfigurationLine
from formats.importing.running import Outcome, run_import
from formats.reading import Source
from formats.records import compiled
from jobs.models import Job
from projects.laboratories import laboratory_of
from projects.models import AuditEvent, Laboratory, Rater, Response, TargetModel
from tests.benchmark.answered import answered, configuration_of, frozen_set
from tests.benchmark.sets import CANARY, open_line, question_line, set_of

pytestmark = pytest.mark.django_db

TABLES = (Answer, Configuration, ModelCard, Rater, Response, RuleScore, TargetModel)


def model_line(key: str = "nile-7b", **changes: Any) -> dict:
    card = {"id": "nile", "name": "Nile", "access": "open", "parameters_total": 7.0}
    full = {"kind": "configuration", "id": key, "name": key.title(), "laboratory": "Delta Lab", "card": card}
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}


def judge_line(**changes: Any) -> dict:
    return {"kind": "judge", "name": "Simba", "model": "simba-1", "laboratory": "Simba Lab", **changes}


def answer_line(key: str = "tea", **changes: Any) -> dict:
    full = {"configuration": "nile-7b", "id": key, "text": "الشاي مشروب دافئ"}
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}


def score(value: float = 8.0, **changes: Any) -> dict:
    return {"rule": "judge_generation", "judge": "Simba", "value": value, **changes}


def bring(project, *lines: dict, **options: Any) -> Outcome:
    content = b"\n".join(json.dumps(line, ensure_ascii=False).encode() for line in lines)
    return run_import(project, Source(io.BytesIO(content)), "benchmark-answers", **options)


def stored(project, *lines: dict, **options: Any) -> dict[str, int]:
    outcome = bring(project, *lines, **options)
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    return outcome.counts


def refused(project, *lines: dict) -> list[tuple]:
    """(line, field, code) of every problem; nothing was stored."""
    before = [table.objects.count() for table in TABLES]
    outcome = bring(project, *lines)
    assert not outcome.is_stored
    assert before == [table.objects.count() for table in TABLES]
    return [(problem.line, problem.field, problem.code) for problem in outcome.problems]


@pytest.fixture
def own(project):
    rules = [{"rule": "judge_generation"}, {"rule": "rouge_l"}]
    hidden = open_line("hidden", held_back=True, twin_of="tea", rules=rules)
    return frozen_set(project, open_line(rules=rules), question_line(), hidden)


def test_answers_come_in_with_what_gave_them_and_with_scores(project, own):
    run = {"revision": "abc", "sampling": {"temperature": 0}, "token_limit": 512, "system_prompt": "أجب بإيجاز."}
    counts = stored(
        project,
        model_line(**run),
        judge_line(),
        answer_line(scores=[score(8.5, reason="قريب")]),
        answer_line("capital", text="الجواب", finish_reason="length", reasoning="أ أم ب؟"),
        answer_line("hidden", text=..., finish_reason="content_filter"),
    )
    assert {name: counts[name] for name in ("answers", "responses", "configurations", "model cards", "scores")} == {
        "answers": 3, "responses": 1, "configurations": 1, "model cards": 1, "scores": 1,
    }  # fmt: skip
    row = Configuration.objects.get()
    assert (row.target_model.name, row.card.parameters_total, row.sampling) == ("Nile-7B", 7.0, {"temperature": 0})
    assert {field: getattr(row, field) for field in run} == run
    rows = Answer.objects.select_related("prompt", "response")
    by_key = {each.prompt.key.removeprefix("own/"): each for each in rows}
    assert (by_key["tea"].content, by_key["tea"].response.target_model) == ("الشاي مشروب دافئ", row.target_model)
    assert (by_key["capital"].is_cut, by_key["capital"].reasoning) == (True, "أ أم ب؟")
    assert (by_key["hidden"].is_refusal, by_key["hidden"].content) == (True, "")
    given = RuleScore.objects.get()
    judge = Rater.objects.get(kind="judge")
    assert (given.value, given.detail, given.rater) == (8.5, {"reason": "قريب"}, judge)
    assert given.target_sha256 == own.questions.get(key="tea").rule_uses.get(rule="judge_generation").target_sha256
    assert (judge.model, judge.laboratory.slug) == ("simba-1", "simba-lab")


def test_they_are_scored_by_themselves(project, own, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        stored(project, model_line(), answer_line())
    assert Job.objects.get(kind=SCORING).options["question_set"] == own.pk


def test_out_and_in_again_it_is_the_same_file(project, other_project, own):
    tags = [{"opens": "[T]", "closes": "[/T]"}]
    card = {**model_line()["card"], "declared_overlap": "nothing", "thinking_tags": tags, "parameters_active": 1.5}
    stored(
        project,
        model_line(card=card, sampling={"top_p": 0.9, "a": {"z": 1, "b": None}}, standing="pending"),
        model_line("empty", type="baseline", card=..., laboratory="Nobody"),
        judge_line(simulated=True),
        answer_line(scores=[score(8.5, reason="قريب"), score(7, round=2)]),
        answer_line("capital", text="لا", refusal=True, reasoning="ممم"),
        answer_line("hidden"),
        answer_line("tea", configuration="empty", text=""),
    )
    score_answers(own)
    whole = b"".join(exported_answers(own, with_held_back=True))
    assert b'"capital","text":"\xd9\x84\xd8\xa7","reasoning"' in whole
    there = brought_set(own, other_project)
    outcome = run_import(other_project, Source(io.BytesIO(whole)), "benchmark-answers")
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    assert b"".join(exported_answers(there, with_held_back=True)) == whole
    # Brought in again where it is already, nothing is new.
    again = run_import(other_project, Source(io.BytesIO(whole)), "benchmark-answers")
    assert (again.is_stored, again.counts["answers"], again.counts["scores"]) == (True, 0, 0)


def brought_set(own, project):
    content = b"".join(exported(own, with_held_back=True))
    assert run_import(project, Source(io.BytesIO(content)), "benchmark-questions").is_stored
    return project.question_sets.get()


def test_answers_to_held_back_questions_leave_only_when_asked_for(project, own, tmp_path):
    stored(
        project,
        model_line(),
        judge_line(),
        answer_line(text="ظاهر"),
        answer_line("hidden", text="مخفي", scores=[score()]),
    )
    file = tmp_path / "answers.jsonl"
    call_command("export_benchmark_answers", "feasts", "own", output=str(file))
    assert ("ظاهر" in file.read_text(), "مخفي" in file.read_text(), "Simba" in file.read_text()) == (True, False, False)
    written = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["canary"] for line in written if "text" in line] == [CANARY]
    assert {line.get("canary", CANARY) for line in written} == {CANARY}
    call_command("export_benchmark_answers", "feasts", "own", output=str(file), with_held_back=True)
    assert "مخفي" in file.read_text()
    said = AuditEvent.objects.filter(action="answers.exported").order_by("pk")
    assert [event.detail["held_back"] for event in said] == [False, True]


def test_every_problem_is_said_with_its_line_and_field(project, own):
    stored(project, model_line(), judge_line(), answer_line(scores=[score(8)]))
    card = model_line()["card"]
    assert refused(
        project,
        model_line(card={**card, "parameters_total": 8.0}),
        model_line("other", name="Nile-7B", card=card),
        model_line("empty", type="baseline"),
        model_line("bare", card=...),
        model_line("large", card={**card, "id": "large", "name": "Large", "parameters_active": 9.0}),
        answer_line("capital", configuration="nobody"),
        answer_line("capital", configuration=...),
        answer_line("missing"),
        answer_line("capital", set="others"),
        answer_line("capital", canary="6f1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a99"),
        answer_line("tea", text="شيء آخر"),
        answer_line("capital", scores=[score(), score(rule="judge_choice", judge="Nobody")]),
        answer_line("hidden", scores=[score(rule="rouge_l"), score(11)]),
    ) == [
        (13, "scores[1].value", "not_a_number"),
        (1, "card.parameters_total", "differs"),
        (2, "model", "model_taken"),
        (2, "name", "name_taken"),
        (3, "card", "not_alone"),
        (4, "card", "missing"),
        (5, "card.parameters_active", "out_of_range"),
        (9, "set", "unknown_set"),
        (10, "canary", "other_canary"),
        (8, "id", "unknown_question"),
        (6, "configuration", "unknown_configuration"),
        (7, "configuration", "missing"),
        (12, "id", "duplicate_id"),
        (11, "text", "already_there_differs"),
    ]
    assert refused(
        project,
        answer_line("capital", scores=[score(), score(rule="judge_choice", judge="Nobody")]),
        answer_line("hidden", scores=[score(rule="rouge_l"), score(), score()]),
    ) == [
        (1, "scores[0].rule", "unknown_rule"),
        (1, "scores[1].judge", "unknown_judge"),
        (2, "scores[0].rule", "computed_rule"),
        (2, "scores[2]", "duplicate_id"),
    ]
    assert refused(project, answer_line(scores=[score(9)])) == [(1, "scores", "score_differs")]


def test_scores_of_an_answer_that_is_there_come_by_themselves(project, own):
    answer = answered(configuration_of(project, "nile-7b"), "tea", "الشاي")
    stored(project, judge_line(), answer_line(text=..., scores=[score(6)]))
    assert RuleScore.objects.get(answer=answer).value == 6


def test_a_judge_that_scores_its_own_laboratory_is_counted(project, own):
    lines = (model_line(), judge_line(laboratory="Delta Lab"), answer_line(scores=[score()]))
    assert stored(project, *lines)["own laboratory"] == 1


def test_a_draft_has_no_answers(project):
    set_of(project, question_line())
    assert refused(project, model_line(), answer_line("capital", set="own")) == [(2, "set", "unknown_set")]


def test_a_response_that_was_collected_before_becomes_the_answer(project, own):
    row = configuration_of(project, "nile-7b")
    prompt = own.questions.get(key="tea").prompt
    before = response_of(row, prompt, "الشاي مشروب دافئ")
    stored(project, answer_line())
    assert Answer.objects.get().response == before


def test_a_table_with_other_columns_comes_in_by_the_command(project, own, tmp_path, capsys):
    configuration_of(project, "nile-7b")
    columns = tmp_path / "columns.json"
    columns.write_text('{"question": "id", "generation": "text", "seconds": null}')
    table = tmp_path / "answers.csv"
    table.write_text("question,generation,seconds\ntea,الشاي,1.5\ncapital,أ,0.5\n", encoding="utf-8")
    named = {"configuration": "nile-7b", "set": "own", "columns": str(columns), "quiet": True}
    call_command("import_benchmark_answers", "feasts", str(table), **named)
    assert {answer.content for answer in Answer.objects.all()} == {"الشاي", "أ"}
    columns.write_text('{"question": "instruction"}')
    with pytest.raises(CommandError, match="question: One of these is expected: kind, configuration, set, id, text"):
        call_command("import_benchmark_answers", "feasts", str(table), **named)


def test_statements_do_not_grow_with_the_file(project):
    frozen_set(project, *(open_line(f"q{n}", rules=[{"rule": "judge_generation"}]) for n in range(120)))
    counts = []
    for size, first in ((10, 0), (100, 20)):
        lines = [model_line(), judge_line()]
        lines += [answer_line(f"q{n}", scores=[score()]) for n in range(first, first + size)]
        with CaptureQueriesContext(connection) as asked:
            stored(project, *lines)
        counts.append(len(asked))
    assert counts[1] <= counts[0] + 4, counts


def test_the_words_of_the_file_are_those_of_the_tables():
    fields = {**compiled(ConfigurationLine).fields, "access": compiled(Card).fields["access"]}
    for field, choices in (("type", ConfigurationKind), ("standing", Standing), ("access", Access)):
        assert [value for value in fields[field].kind.keywords["enum"] if value] == choices.values
    assert list(compiled(BenchmarkAnswer).fields) == [
        "kind", "configuration", "set", "id", "text", "reasoning", "finish_reason", "refusal", "scores", "held_back",
        "canary",
    ]  # fmt: skip
    assert FORMAT.schema["$id"] == "mizan.benchmark-answer/1"


def test_rules_are_scored_by_the_command(project, own, capsys):
    model = configuration_of(project, "nile-7b")
    answered(model, "tea", "الشاي مشروب دافئ يحبه الناس")
    answered(model, "capital", "", is_cut=True)
    call_command("score_rules", "feasts", json=True)
    counts = json.loads(capsys.readouterr().out)["own v1"]
    assert (counts["answers"], counts["rulings"], counts["scores"], counts["states"]["truncated"]) == (2, 2, 1, 1)
    assert Ruling.objects.count() == 2
    call_command("score_rules", "feasts", question_set="own", set_version=1)
    assert "own v1: 2 answers, 0 of them new" in capsys.readouterr().out
    own.new_version()
    with pytest.raises(CommandError, match="own v2 is a draft"):
        call_command("score_rules", "feasts", question_set="own", set_version=2)
    call_command("score_rules", "feasts", question_set="own")


def test_a_job_waits_only_for_what_is_not_scored_yet(project, own, django_capture_on_commit_callbacks):
    def jobs_after(*lines: dict, is_scored: bool = False) -> int:
        Job.objects.all().delete()
        with django_capture_on_commit_callbacks(execute=True):
            stored(project, *lines)
            if is_scored:
                score_answers(own)
        return Job.objects.filter(kind=SCORING).count()

    assert jobs_after(model_line(), answer_line(), is_scored=True) == 0, "as a demonstration does"
    assert jobs_after(answer_line("capital")) == 1
    score_answers(own)
    assert jobs_after(answer_line("capital")) == 0, "the same again"
    assert jobs_after(judge_line(), answer_line(scores=[score()])) == 1, "notes hang on scores"


def test_without_a_frozen_set_nothing_is_scored(other_project):
    with pytest.raises(CommandError, match="no frozen question set"):
        call_command("score_rules", "weddings")
    with pytest.raises(CommandError, match="which version of --question-set"):
        call_command("score_rules", "weddings", set_version=3)


def test_models_and_judges_of_a_file_have_seen_the_questions(project, django_capture_on_commit_callbacks):
    frozen_set(project, question_line(), open_line(), open_line("unasked"))
    lines = [model_line(provider="own machine"), judge_line(), answer_line(scores=[score()]), answer_line("capital")]
    for _time in range(2):  # the same file again shows nobody anything
        with django_capture_on_commit_callbacks(execute=True):
            stored(project, *lines)
        seen = Exposure.objects.values_list("prompt__key", "laboratory__name", "endpoint", "kind", "times")
        assert set(seen) == {
            ("own/tea", "Delta Lab", "Nile-7B@own machine", "answering", 1),
            ("own/capital", "Delta Lab", "Nile-7B@own machine", "answering", 1),
            ("own/tea", "Simba Lab", "simba-1", "judging", 1),
        }


def test_a_new_project_takes_a_files_word_for_whose_a_model_is(project, own):
    """The installation knows Nile-7B as Omega's; the file says Delta Lab. It is Delta's here, and so are its judges."""
    omega = Laboratory.objects.create(name="Omega", slug="omega")
    target = TargetModel.objects.create(name="Nile-7B", laboratory=omega)
    lines = (model_line(model="Nile-7B"), judge_line(laboratory="Delta Lab"), answer_line(scores=[score()]))
    assert bring(project, *lines, dry_run=True).counts["own laboratory"] == 1
    stored(project, model_line(model="Nile-7B"), judge_line(laboratory="Omega"), answer_line(scores=[score()]))
    target.refresh_from_db()
    assert target.laboratory == omega
    assert laboratory_of(project, target).name == "Delta Lab"
    assert other_laboratory(project.configurations.get(slug="nile-7b")) == ""
    [line] = [line for line in exported_answers(own) if b'"configuration"' in line and b'"nile-7b"' in line][:1]
    assert b'"laboratory":"Delta Lab"' in line


def test_once_the_project_has_answers_a_file_says_the_same(project, own):
    stored(project, model_line(model="Nile-7B"), answer_line())
    assert refused(project, model_line("other", model="Nile-7B", laboratory="Omega"))[0] == (
        1,
        "laboratory",
        "other_laboratory",
    )
