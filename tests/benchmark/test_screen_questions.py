"""Nour asks two models first and looks at what neither solves; nothing is deleted."""

import json

import pytest
from django.core.management import CommandError, call_command

from benchmark import set_jobs
from benchmark.freezing import freeze
from benchmark.models import Question, RuleScore
from benchmark.screening import screen
from benchmark.targets import use_target
from jobs.models import Job
from jobs.working import work_on
from projects.models import AuditEvent
from tests.benchmark.checks import answer_of, configuration
from tests.benchmark.sets import open_line, question_line, set_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db
REFERENCE = "الشاي مشروب دافئ يحبه الناس."
WRONG = "لا أعرف شيئًا عن ذلك."


@pytest.fixture
def models(project):
    return [configuration(project, "Nile-7B"), configuration(project, "Delta-9B")]


@pytest.fixture
def own(project, models):
    """Both know the capital; one knows the tea; neither the coffee; the milk one has not answered, the other not
    known; the water, which a judge scores, nobody has judged."""
    keys = ("tea", "coffee", "milk")
    lines = [open_line(key, rules=[{"rule": "rouge_l"}]) for key in keys]
    own = set_of(project, question_line(), *lines, open_line("water", rules=[{"rule": "judge_generation"}]))
    said = {
        "capital": ("الإجابة هي أ", "أ"),
        "tea": (WRONG, REFERENCE),
        "coffee": (WRONG, WRONG),
        "milk": (WRONG, None),
        "water": (REFERENCE, WRONG),
    }
    for key, texts in said.items():
        for who, text in zip(models, texts, strict=True):
            if text is not None:
                answer_of(who, own.questions.get(key=key), text)
    return own


def keys(rows) -> list[str]:
    return [each.question.key for each in rows]


def test_what_neither_solves_is_listed_and_what_nobody_can_tell_apart(own, models):
    found = screen(own, models)
    assert (keys(found.unsolved), keys(found.unscored), found.solved) == (["coffee"], ["milk", "water"], 2)
    [coffee] = found.unsolved
    assert set(coffee.scores) == {"nile-7b", "delta-9b"}
    assert all(value < 5 for value in coffee.scores.values())
    milk, water = found.unscored
    assert milk.reasons == {"delta-9b": "no answer"}
    assert "no judge has scored it" in water.reasons["nile-7b"]
    assert Question.objects.count() == 5


def test_what_judges_have_said_counts_in_a_draft_and_frozen(own, models, simba):
    water = own.questions.get(key="water")
    use = water.rule_uses.get()
    for answer in water.prompt.answers.all():
        RuleScore.objects.create(answer=answer, target_sha256=use_target(water, use), rater=simba, value=1.0)
    assert keys(screen(own, models).unsolved) == ["coffee", "water"]
    assert keys(screen(freeze(own), models).unsolved) == ["coffee", "water"]
    assert keys(screen(own, models, threshold=1.0).unsolved) == ["coffee"]


def test_an_answer_in_another_language_solves_nothing(own, models):
    own.questions.filter(key="tea").update(expected_language="en")
    assert "tea" in keys(screen(own, models).unsolved)


def test_the_sample_is_drawn_by_its_seed(project, models):
    own = set_of(project, *(open_line(f"q{number}", rules=[{"rule": "rouge_l"}]) for number in range(12)))
    for question in own.questions.all():
        answer_of(models[0], question, WRONG)
    drawn = [keys(screen(own, models[:1], sample=4, seed=seed).sample) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert [len(each) for each in drawn] == [4, 4, 4]


def test_the_command_lists_them(own, capsys):
    call_command("screen_questions", "feasts", models="nile-7b,delta-9b", sample=1)
    told = capsys.readouterr().out
    assert "Solved by none: 1; by at least one: 2; not to be told: 2." in told
    assert "coffee\tnile-7b" in told
    call_command("screen_questions", "feasts", models="nile-7b, delta-9b", question_set="own", json=True)
    told = json.loads(capsys.readouterr().out)
    assert ([row["id"] for row in told["unsolved"]], told["sample"]) == (["coffee"], ["coffee"])
    assert [row["id"] for row in told["unscored"]] == ["milk", "water"]


def test_what_the_command_does_not_know_it_says(own, project):
    with pytest.raises(CommandError, match="There is no configuration gpt"):
        call_command("screen_questions", "feasts", models="nile-7b,gpt")
    with pytest.raises(CommandError, match="above 0"):
        call_command("screen_questions", "feasts", models="nile-7b", threshold=11)
    set_of(project, open_line("another"), id="second", canary=...)
    with pytest.raises(CommandError, match="own, second"):
        call_command("screen_questions", "feasts", models="nile-7b")


# --- On the page and by programs ---

PAGE = "/p/feasts/question-sets/own/1/unsolved/"
API = "/api/v1/projects/feasts/question-sets/own/1/"


def test_the_page_lists_them_and_changes_nothing(own, nour):
    client = signed_in(nour)
    assert PAGE in client.get("/p/feasts/question-sets/own/1/").content.decode()
    html = client.get(PAGE).content.decode()
    assert "Nile-7B" in html
    assert "Solved by none:" not in html, "nothing was asked for yet"
    html = client.get(PAGE, {"models": ["nile-7b", "delta-9b"], "sample": "1"}).content.decode()
    assert "Solved by none: 1; by at least one: 2; not to be told: 2." in html
    coffee = own.questions.get(key="coffee")
    assert f"/p/feasts/question-sets/own/1/questions/{coffee.pk}/" in html
    assert Question.objects.count() == 5
    html = client.get(PAGE, {"models": ["nobody"], "threshold": "11"}).content.decode()
    assert "nobody is not one of the available choices" in html
    assert "Solved by none:" not in html


def test_without_models_the_page_says_what_to_do(project, nour):
    set_of(project, open_line("tea"))
    assert "No model has answered yet" in signed_in(nour).get(PAGE).content.decode()


def test_programs_read_them(own, nour):
    client = signed_in(nour)
    told = client.get(API + "unsolved/", {"models": ["nile-7b", "delta-9b"]}).json()
    assert ([row["id"] for row in told["unsolved"]], told["sample"], told["threshold"]) == (["coffee"], ["coffee"], 5.0)
    refused = client.get(API + "unsolved/", {"threshold": "0"})
    assert refused.status_code == 422
    assert {problem["field"] for problem in refused.json()["problems"]} == {"models", "threshold"}


def test_of_a_large_set_page_and_programs_name_the_command(own, nour, monkeypatch):
    monkeypatch.setattr(set_jobs, "FEW_QUESTIONS", 3)
    client = signed_in(nour)
    assert "The command screen_questions" in client.get(PAGE, {"models": ["nile-7b"]}).content.decode()
    assert client.get(API + "unsolved/", {"models": ["nile-7b"]}).status_code == 422


def test_programs_freeze_and_take_out(own, nour):
    client = signed_in(nour)
    answer = client.post(API + "freeze/")
    assert answer.status_code == 202
    assert work_on(Job.objects.get(kind=set_jobs.FREEZING).pk)
    own.refresh_from_db()
    assert own.is_frozen
    again = client.post(API + "freeze/")
    assert (again.status_code, again.json()["problems"][0]["code"]) == (422, "frozen_already")
    exported = client.post(API + "export/", {"held_back": True}, content_type="application/json")
    assert (exported.status_code, exported.json()["state"]) == (202, "done")
    assert AuditEvent.objects.get(action="question_set.exported").detail["held_back"] is True
