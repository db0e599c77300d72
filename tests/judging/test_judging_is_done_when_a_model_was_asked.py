"""On a project's front page "Let models judge" is ticked once a model has answered, and not by answers in a file."""

import pytest

from judging.judges import add_judge
from projects.steps import BEGUN, DONE, OPEN, steps_of
from tests.annotation.marked import mark
from tests.judging.grading import run_through

pytestmark = pytest.mark.django_db


def step(project) -> tuple[str, str]:
    [reached] = [one for one in steps_of(project) if one.step.url_name == "judges"]
    return reached.state, reached.text


def test_answers_in_a_file_are_named_and_are_no_run(project, koshari, simba):
    assert step(project)[0] == OPEN
    mark(koshari, simba, "على السحور")
    assert step(project) == (OPEN, "Answers of 1 judge came in a file. No model has been asked from here.")


def test_a_judge_that_was_set_up_has_begun_and_one_that_answered_has_done_it(project, koshari, provider):
    judge = add_judge(project, provider, "simulated-1")
    assert step(project) == (BEGUN, "A judge is set up and has not answered yet.")
    run_through(judge)
    assert step(project) == (DONE, "1 judge has answered.")
