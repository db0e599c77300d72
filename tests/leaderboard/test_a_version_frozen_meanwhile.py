"""Layla's model is asked the questions of one version to its end, whatever the lead freezes meanwhile."""

from uuid import uuid4

import pytest

from benchmark.answering import receive
from benchmark.freezing import freeze
from benchmark.judged import ranked_version
from benchmark.models import Answer, Submission
from benchmark.submissions.submitting import submit
from judging.collecting.planning import plan
from judging.collecting.submitted import accept, follow_up
from judging.engine import runs
from judging.models import Run, RunState, TargetEndpoint
from projects.models import Prompt
from tests.benchmark.boards import frozen_set, open_questions
from tests.judging.collecting import work_off
from tests.judging.conftest import every_provider_is_up, fake_provider, fake_provider_process
from tests.leaderboard.submitting import feasts, layla, opened, pond, questions

__all__ = ["every_provider_is_up", "fake_provider", "fake_provider_process", "feasts", "layla", "opened", "questions"]
pytestmark = pytest.mark.django_db
OLD, NEW = {"q0", "q1", "q2", "q3"}, {"q1", "q2", "q3", "q4", "q5"}


@pytest.fixture
def waiting(opened, layla, fake_provider, settings, monkeypatch) -> Submission:
    settings.SUBMITTED_PRIVATE_HOSTS = ["127.0.0.1"]
    monkeypatch.setattr(runs, "send", lambda jobs: None)
    return submit(opened, layla, pond(address=fake_provider.url, model="simulated-1"))


def freeze_another(project):
    """Two questions come and one goes: the board ranks this version from now on."""
    later = frozen_set(project, *open_questions(6)[1:], id="later", name="Later set", canary=str(uuid4()))
    assert ranked_version(project, project.board) == later
    return later


def answered(row: Submission) -> set[str]:
    keys = Answer.objects.filter(configuration=row.configuration).values_list("prompt__key", flat=True)
    return {key.rpartition("/")[2] for key in keys}


def state_of(row: Submission) -> str:
    row.refresh_from_db()
    return row.state


def test_a_version_frozen_while_it_runs_does_not_make_it_fail(waiting, nour, feasts, questions):
    accept(waiting, nour)
    assert (state_of(waiting), waiting.question_set) == ("running", questions)
    freeze_another(feasts)
    follow_up()
    assert state_of(waiting) == "running"
    run = work_off(Run.objects.get(endpoint__target_model=waiting.configuration.target_model))
    assert run.state == RunState.DONE
    assert answered(waiting) == OLD
    assert (state_of(waiting), waiting.reason) == ("done", "")
    # asked again, it is asked what the board ranks by now
    endpoint = TargetEndpoint.objects.get(target_model=waiting.configuration.target_model)
    asked = Prompt.objects.filter(pk__in=plan(endpoint).prompts).values_list("key", flat=True)
    assert {key.rpartition("/")[2] for key in asked} == NEW


def test_accepted_later_it_is_asked_what_the_board_ranks_by_then(waiting, nour, feasts):
    later = freeze_another(feasts)
    accept(waiting, nour)
    assert (state_of(waiting), waiting.question_set) == ("running", later)
    work_off(Run.objects.get(endpoint__target_model=waiting.configuration.target_model))
    assert (answered(waiting), state_of(waiting)) == (NEW, "done")


def test_a_question_that_a_newer_version_leaves_out_is_asked_on_a_board_that_names_the_older(
    waiting, nour, opened, questions
):
    opened.question_set = questions
    opened.save()
    draft = questions.new_version()
    draft.questions.get(key="q0").delete()
    freeze(draft)
    accept(waiting, nour)
    work_off(Run.objects.get(endpoint__target_model=waiting.configuration.target_model))
    assert (answered(waiting), state_of(waiting)) == (OLD, "done")


@pytest.mark.parametrize("keys", [OLD, NEW])
def test_answers_brought_in_to_either_version_are_enough(opened, layla, nour, feasts, questions, keys):
    row = submit(opened, layla, pond(how="weights", access="open", address="", model=""))
    accept(row, nour)
    assert state_of(row) == "accepted"
    freeze_another(feasts)
    for prompt in Prompt.objects.filter(project=feasts):
        if prompt.key.rpartition("/")[2] in keys:
            receive(row.configuration, prompt, f"An answer to {prompt.key}")
    follow_up()
    assert state_of(row) == "done"
