"""What the front page says of planning the work: begun while a stage can take more, done when none can."""

import pytest
from django.utils import timezone

from benchmark.scoring_task.sampling import plan_sample
from projects.models import Project
from projects.steps import BEGUN, DONE, OPEN
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.benchmark.answered import answered, configuration_of, frozen_set
from tests.benchmark.sets import open_line
from tests.people import add_response
from workflow.models import Stage
from workflow.planning import plan_items
from workflow.steps import planning

pytestmark = pytest.mark.django_db


def test_a_response_that_came_later_is_to_be_planned(project, koshari):
    stage = Stage.objects.create(project=project, kind="spans", name="Marking")
    assert planning(project)[0] == OPEN
    plan_items(stage)
    assert planning(project)[0] == DONE
    add_response(project, "later", "Another text.", "ar-EG")
    state, said = planning(project)
    assert (state, said.split()[0]) == (BEGUN, "1")
    plan_items(stage)
    assert planning(project)[0] == DONE


def test_answers_of_a_benchmark_that_no_stage_can_take_are_not_waited_for(project):
    frozen_set(project, *(open_line(f"tea-{n}", rules=[{"rule": "judge_generation"}]) for n in range(3)))
    row = configuration_of(project)
    for n in range(3):
        answered(row, f"tea-{n}", "الشاي مشروب ساخن.")
    stage = Stage.objects.create(project=project, kind="answer_scoring", name="Points")
    assert plan_sample(stage, per_skill=1) == 1
    assert project.responses.filter(work_items=None).count() == 2
    assert planning(project)[0] == DONE


def test_both_responses_of_a_pair_are_to_be_planned_with_it(project):
    feasts: Project = make_ratings_project(project)
    formality = question_type(feasts)
    stage = Stage.objects.create(project=feasts, kind="pairs", name="Rating")
    pair_of(feasts, "first", question=formality)
    assert plan_items(stage) == 1
    assert planning(feasts)[0] == DONE
    pair_of(feasts, "second", question=formality)
    assert planning(feasts)[1].split()[0] == "2"


def test_a_stage_that_is_locked_takes_nothing(project, koshari):
    stage = Stage.objects.create(project=project, kind="spans", name="Marking")
    plan_items(stage)
    add_response(project, "later", "Another text.", "ar-EG")
    Stage.objects.filter(pk=stage.pk).update(locked_at=timezone.now())
    assert planning(project)[0] == DONE


def test_it_costs_as_many_statements_for_many_stages_and_responses(project, koshari, django_assert_num_queries):
    stages = [Stage.objects.create(project=project, kind="spans", name=f"Marking {n}") for n in range(4)]
    plan_items(stages[0])
    for n in range(10):
        add_response(project, f"later-{n}", "Another text.", "ar-EG")
    with django_assert_num_queries(3):
        assert planning(project)[1].split()[0] == "10"
