"""A published board goes in by the commands: its scores, how sure they are, and what they are by source."""

import json
import math
import statistics
from collections import defaultdict
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmark.models import Answer, Configuration, RuleScore, RuleUse, Ruling
from tests.real_data import published
from tests.real_data.alpaca_eval import answer_lines, question_lines

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]


def written(path: Path, lines) -> str:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_alpaca_eval_comes_in_as_it_was_published(project, tmp_path):
    expected = json.loads(published("reference/alpaca_eval.json").read_text(encoding="utf-8"))
    expected = expected.get("models", expected)
    call_command("import_questions", "feasts", written(tmp_path / "questions.jsonl", question_lines()), quiet=True)
    call_command("freeze_questions", "feasts", "alpaca")
    answers = written(tmp_path / "answers.jsonl", answer_lines())
    call_command("import_benchmark_answers", "feasts", answers, set="alpaca", quiet=True)
    call_command("score_rules", "feasts")
    source_of = dict(RuleUse.objects.values_list("target_sha256", "question__source__name"))
    assert len(source_of) == 805
    values: dict[str, list[tuple[str, float]]] = defaultdict(list)
    rows = RuleScore.objects.filter(rater__isnull=False).values_list(
        "answer__configuration__name", "target_sha256", "value"
    )
    for model, target, value in rows:
        values[model].append((source_of[target], value))
    assert set(values) == {name for name, stated in expected.items() if "win_rate" in stated}
    for model, given in values.items():
        stated, scores = expected[model], [value for _source, value in given]
        assert len(scores) == stated["n"]
        assert 10 * statistics.fmean(scores) == pytest.approx(stated["win_rate"], abs=1e-9)
        error = 10 * statistics.stdev(scores) / math.sqrt(len(scores))
        assert error == pytest.approx(stated["standard_error"], abs=1e-9)
        for source, of_source in stated["by_source"].items():
            there = [value for name, value in given if name == source]
            assert (len(there), 10 * statistics.fmean(there)) == (
                of_source["n"],
                pytest.approx(of_source["win_rate"], abs=1e-9),
            )
    assert (Configuration.objects.count(), Answer.objects.count()) == (10, 8046)
    # What was empty and was scored all the same is there to be noted.
    empty = Ruling.objects.filter(state="empty").values_list("answer__configuration__name", flat=True)
    assert list(empty) == ["gemma-2b-it"] * 22
    assert RuleScore.objects.filter(answer__rulings__state="empty", value__isnull=False).count() == 22
