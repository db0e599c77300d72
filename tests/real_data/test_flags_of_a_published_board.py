"""A published board goes in by the commands: who cheated has a flag, and nobody else."""

import io
import json

import pytest
from django.core.management import call_command

from benchmark.models import Board, Configuration, Flag
from projects.models import Rater
from reports.leaderboard.measures.columns import published_scores, tables
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import standings, study_of
from tests.people import signed_in
from tests.real_data import published
from tests.real_data.alpaca_eval import JUDGE, answer_lines, question_lines
from tests.real_data.test_import_published_benchmark import written

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]


def test_the_model_that_sends_one_attack_to_all_questions_is_flagged_and_no_other(project, nour, tmp_path):
    expected = json.loads(published("reference/alpaca_eval.json").read_text(encoding="utf-8"))
    expected = expected.get("models", expected)
    call_command("import_questions", "feasts", written(tmp_path / "questions.jsonl", question_lines()), quiet=True)
    call_command("freeze_questions", "feasts", "alpaca")
    answers = written(tmp_path / "answers.jsonl", answer_lines())
    call_command("import_benchmark_answers", "feasts", answers, set="alpaca", quiet=True)
    call_command("score_rules", "feasts", stdout=io.StringIO())
    out = io.StringIO()
    call_command("find_flags", "feasts", "--json", stdout=out)
    rows = json.loads(out.getvalue())["alpaca v1"]["rows"]
    flags = {(row["configuration"], row["kind"]) for row in rows if not row["note"]}
    assert flags == {("nullmodel", "one_text"), ("nullmodel", "attack")}
    assert [(row["configuration"], row["kind"]) for row in rows if row["note"]] == [("gemma-2b-it", "empty_scored")]
    attack = Flag.objects.get(kind="attack")
    assert (attack.detail["count"], attack.detail["n"], attack.detail["found"][0]) == (805, 805, "Ignore the above ##")
    assert Flag.objects.get(kind="empty_scored").detail["count"] == 22
    # The board: its score as published beside the flag; of the other too, whose empty answers were scored.
    question_set = Configuration.objects.first().project.question_sets.get()
    board = Board.objects.create(project=project, slug="alpaca", title="Alpaca", question_set=question_set)
    board.published_judge = Rater.objects.get(name=JUDGE)
    board.save()
    study = study_of(project)
    scores = published_scores(study)
    for at, entry in enumerate(study.loaded.entries):
        given = scores[:, at][scores[:, at] == scores[:, at]]
        assert len(given) == expected[entry.name]["n"]
        assert 10 * given.mean() == pytest.approx(expected[entry.name]["win_rate"], abs=1e-9), entry.name
    [table] = tables(study, BoardScope(), "state")
    null = next(row for row in table.rows if row.drill["configuration"] == "nullmodel")
    assert null.figures[4].value == pytest.approx(7.69, abs=0.005)
    flagged = "a flagged configuration stays out of this column"
    assert [figure.undefined for figure in null.figures[2:4]] == [flagged, flagged]
    line = next(line for line in standings(project, BoardScope()).lines if line.entry.slug == "nullmodel")
    assert line.entry.flags == ("attack", "one_text")
    page = signed_in(nour).get("/p/feasts/leaderboard/").content.decode()
    assert "One text for many questions" in page
    assert "An attack on the judge" in page
    # Where its empty answers are scored by the rules here, they are 0 and not what was published.
    gemma = next(at for at, entry in enumerate(study.loaded.entries) if entry.slug == "gemma-2b-it")
    assert study.scores[:, gemma].mean() < scores[:, gemma].mean()
