"""Whoever reads a figure of a judge's answers reads under which prompts they were given, to the hash."""

import pytest

from judging.judges import add_judge
from judging.models import Run
from judging.prompts.own import add_prompt
from judging.prompts.shipped import shipped
from reports.dashboard.names import prompts_named
from reports.rubrics.dashboard import RUBRICS
from reports.spans.dashboard import SPANS
from tests.judging.conftest import fake_provider, fake_provider_process, provider  # noqa: F401
from tests.judging.grading import graded_response, grading_judge, run_through


def named(run: Run) -> str:
    prompt = run.prompt_version
    assert prompt
    return f"{prompt.name} {prompt.version} {prompt.text_sha256[:12]}"


@pytest.fixture
def asked(project, provider, koshari) -> dict[str, Run]:  # noqa: F811
    """Two judges of one model: one asked by the shipped prompt, the other by the project's own in Arabic."""
    own = add_prompt(project, "spans", dict(shipped("spans", "v1", "ar")), language="ar")
    judges = [add_judge(project, provider, "simulated-1"), add_judge(project, provider, "simulated-1", prompt=own)]
    return {judge.rater.name: run_through(judge) for judge in judges}


def test_the_recipe_of_a_figure_of_judges_names_their_prompts(project, asked):
    recipes = {table.id: table.recipe.extras.get("prompts") for table in SPANS.tables(project)}
    assert recipes["judge-scores"] == {judge: [named(run)] for judge, run in asked.items()}
    assert {prompt.split()[1] for [prompt] in recipes["judge-scores"].values()} == {"v1", "own-1"}
    assert recipes["judge-pairs"] == recipes["judge-scores"]


def test_figures_of_people_alone_name_none(project, provider, mona, koshari):  # noqa: F811
    graded_response(project, mona.raters.get())
    run = run_through(grading_judge(project, provider))
    recipes = {table.id: table.recipe.extras.get("prompts") for table in RUBRICS.tables(project)}
    assert recipes["judges-against-people"] == {run.judge.rater.name: [named(run)]}
    assert sum(found is None for found in recipes.values()) > 2


def test_prompts_without_an_answer_are_not_named_and_all_are_found_at_once(
    project,
    provider,  # noqa: F811
    koshari,
    django_assert_num_queries,
):
    refusing = add_judge(project, provider, "simulated-1:refuse")
    run_through(refusing)
    answering = add_judge(project, provider, "simulated-2")
    told = {answering.rater.name: (named(run_through(answering)),)}
    run_through(answering, round=2)
    # The state, the prompts with an answer, and what judge and prompt are called; the second is kept.
    for queries in (4, 3):
        with django_assert_num_queries(queries):
            assert prompts_named(project, "spans") == told
