"""Rank sets of a published leaderboard; an independent script computed them from the same file (reference folder)."""

import gzip
import json

import pytest

from benchmark.models import Answer, Board, RuleScore, RuleUse, Ruling
from projects.anchors import sha256
from projects.models import Response
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import standings
from tests.benchmark.boards import JUDGED, configuration, frozen_set, judge
from tests.benchmark.sets import open_line
from tests.real_data import published


def read_lines(name: str, opened) -> list[dict]:
    with opened(published(f"alpaca_eval/{name}"), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.django_db
def test_rank_sets_scores_and_errors_are_those_of_the_reference(project):
    questions, outputs = read_lines("questions.jsonl", open), read_lines("outputs.jsonl.gz", gzip.open)
    reference = json.loads(published("reference/alpaca_eval.json").read_text(encoding="utf-8"))
    lines = [
        open_line(line["id"], instruction=f"{line['instruction']} ({line['id']})", output="x", rules=JUDGED,
                  category="Instructions", language="en", variety="en-US")
        for line in questions
    ]  # fmt: skip
    question_set = frozen_set(project, *lines)
    by_key = {question.key: question for question in question_set.questions.select_related("prompt__variety")}
    uses = dict(RuleUse.objects.filter(question__question_set=question_set).values_list("question", "target_sha256"))
    simba = judge(project)
    board = Board.objects.create(project=project, slug="alpaca", title="Alpaca", question_set=question_set)
    board.judges.set([simba])
    for model in reference:
        row = configuration(project, model.replace(".", "-"), made_by=f"Lab of {model}".replace(".", "-"))
        of_model = [line for line in outputs if line["model"] == model and line["preference"] is not None]
        asked = [by_key[line["question"]] for line in of_model]
        texts = [line["output"] or "(empty)" for line in of_model]
        responses = Response.objects.bulk_create(
            Response(project=project, prompt=question.prompt, variety=question.prompt.variety, text=text,
                     target_model=row.target_model, key=f"{row.slug}-{question.key}", text_sha256=sha256(text))
            for question, text in zip(asked, texts, strict=True)
        )  # fmt: skip
        answers = Answer.objects.bulk_create(
            Answer(configuration=row, prompt=response.prompt, response=response) for response in responses
        )
        pairs = list(zip(asked, answers, strict=True))
        Ruling.objects.bulk_create(
            Ruling(answer=answer, target_sha256=question.target_sha256, state="answered") for question, answer in pairs
        )
        RuleScore.objects.bulk_create(
            RuleScore(answer=answer, target_sha256=uses[question.pk], rater=simba, value=10 * line["preference"])
            for (question, answer), line in zip(pairs, of_model, strict=True)
        )
    found = {line.entry.name: line for line in standings(project, BoardScope()).lines}
    for model, numbers in reference.items():
        line = found[model.replace(".", "-")]
        assert list(line.rank) == numbers["rank_set_by_question"], model
        assert line.score.n == numbers["n"]
        assert 10 * line.score.number == pytest.approx(numbers["win_rate"], abs=1e-9)
        assert 10 * line.score.detail["standard_error"] == pytest.approx(numbers["standard_error"], abs=1e-9)
