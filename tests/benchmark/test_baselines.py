"""Rows that know nothing stand beside the models."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from benchmark.models import Answer, Configuration, Ruling
from benchmark.scoring import score_answers
from projects.models import AuditEvent
from tests.benchmark.answered import frozen_set, score_of
from tests.benchmark.sets import open_line, question_line
from tests.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def own(project):
    options = [{"label": "أ", "text": "نعم"}, {"label": "ب", "text": "لا يمكن معرفة ذلك"}]
    listed = question_line("listed", options=..., instruction="أيهما أصح؟\nأ. نعم\nب. لا يمكن معرفة ذلك", output="ب")
    rules = [{"rule": "words_intersection"}]
    return frozen_set(project, question_line(options=options), listed, open_line(rules=rules))


def test_five_rows_answer_what_they_can(project, own):
    out = StringIO()
    call_command("add_baselines", "feasts", stdout=out)
    assert "Baseline: first option: 2 new answers." in out.getvalue()
    score_answers(own)
    rows = {row.slug: row for row in Configuration.objects.all()}
    assert {row.kind for row in rows.values()} == {"baseline"}
    assert {slug: row.answers.count() for slug, row in rows.items()} == {
        "baseline-empty": 3, "baseline-constant": 3, "baseline-echo": 3,
        "baseline-first-option": 2, "baseline-longest-option": 2,
    }  # fmt: skip
    scores = {
        (answer.configuration.slug, answer.prompt.key.removeprefix("own/")): score_of(answer)
        for answer in Answer.objects.select_related("configuration", "prompt")
    }
    # أ is right of the one question, ب of the other.
    assert [scores["baseline-first-option", key] for key in ("capital", "listed")] == [10, 0]
    assert [scores["baseline-longest-option", key] for key in ("capital", "listed")] == [0, 10]
    assert scores["baseline-echo", "capital"] == 0, "a question with all of its options is no choice"
    empty = Ruling.objects.filter(answer__configuration=rows["baseline-empty"])
    assert [(each.state, each.decided) for each in empty] == [("empty", 0)] * 3
    assert not Ruling.objects.filter(fixed_by="language").exists()


def test_added_again_they_answer_only_what_is_new(project, own, nour):
    client = signed_in(nour)
    page = client.get("/p/feasts/question-sets/").content.decode()
    assert "Add baselines" in page
    answer = client.post("/p/feasts/question-sets/baselines/", follow=True).content.decode()
    assert "13 answers of baselines were added." in answer
    answer = client.post("/p/feasts/question-sets/baselines/", follow=True).content.decode()
    assert "The baselines have answered all questions already." in answer
    assert Answer.objects.count() == 13
    assert [
        event.detail["answers"] for event in AuditEvent.objects.filter(action="baselines.added").order_by("pk")
    ] == [
        13,
        0,
    ]


def test_without_a_frozen_set_there_is_nothing_to_answer(project, nour):
    with pytest.raises(CommandError, match="no frozen question set"):
        call_command("add_baselines", "feasts")
    page = signed_in(nour).post("/p/feasts/question-sets/baselines/", follow=True).content.decode()
    assert "The project has no frozen question set." in page
