"""Nour lets a judge grade responses one by one: each by the question type of its prompt, reasoning apart from grade."""

import pytest

from annotation.models import Rating
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.shards import work_through
from judging.models import Call
from projects.models import Response
from projects.problems import Invalid
from tests.annotation.rated import question_type
from tests.judging.rating import a_pair, ask, rating_judge, respond, run_through, states, worth


@pytest.fixture
def formality(project):
    return question_type(project)


@pytest.fixture
def judge(project, provider, formality):
    return rating_judge(project, provider, kind="pointwise")


def planned(judge, **how):
    return plan(judge, Response.objects.filter(project=judge.project), **how)


def test_a_grade_with_its_reasoning_becomes_a_rating(project, judge, formality):
    response = respond(ask(project, formality), worth(4))
    run = run_through(judge)
    assert states(run) == {"scored": 1}
    rating = Rating.objects.get()
    assert (rating.response, rating.question, rating.rater, rating.first_grade) == (response, formality, judge.rater, 4)
    assert rating.comment.startswith("Simulated")
    assert rating.metadata["run"] == str(run.uuid)
    assert rating.metadata["prompt"].startswith("pointwise/zero+rubric v1 ")
    assert Call.objects.get().about == [f"question:{formality.pk}"]


def test_a_prompt_without_a_question_type_is_rated_on_all_that_have_a_scale(project, judge, formality):
    fluency = question_type(project, "fluency", dimension="fluency")
    question_type(project, "which-is-better", lowest=None, highest=None)
    respond(ask(project, None), worth(3))
    assert planned(judge).size == 2
    run_through(judge)
    assert set(Rating.objects.values_list("question", "first_grade")) == {(formality.pk, 3), (fluency.pk, 3)}


def test_where_only_a_preference_is_asked_for_one_response_alone_is_not_ready(project, judge):
    choice = question_type(project, "which-is-better", lowest=None, highest=None)
    respond(ask(project, choice), worth(3))
    found = planned(judge)
    assert (found.size, found.not_ready) == (0, 1)
    assert list(found.reasons) == ["questions that ask for a preference alone"]
    with pytest.raises(Invalid, match="No response waits"):
        run_through(judge)


def test_a_project_without_question_types_says_so(project, provider, koshari):
    judge = rating_judge(project, provider, kind="pointwise")
    with pytest.raises(Invalid, match="no question type"):
        planned(judge)


def test_nothing_is_asked_twice_but_in_another_round(project, judge, formality):
    a_pair(ask(project, formality))
    run_through(judge)
    found = planned(judge)
    assert (found.size, found.already_called) == (0, 2)
    assert planned(judge, round=2).size == 2
    run_through(judge, round=2)
    assert Rating.objects.filter(rater=judge.rater).count() == 4


def test_a_rubric_that_changed_asks_only_about_what_was_not_answered(project, judge, formality):
    """The text is pinned by the run; what was graded by it stays, and is not asked about again in this round."""
    respond(ask(project, formality), worth(4))
    run_through(judge)
    formality.levels.filter(grade=5).update(summary="Another line.")
    later = respond(ask(project, formality), worth(2))
    assert [response for response, _unit in planned(judge).calls] == [later.pk]


@pytest.mark.parametrize(
    ("fault", "state", "stored"),
    [
        ("refuse", "refused", 0),
        ("filter", "refused", 0),
        ("truncate", "truncated", 0),
        ("cut", "truncated", 0),
        ("errorbody", "failed", 0),
        ("othermodel", "failed", 0),
        ("badrequest", "failed", 0),
        ("malformed", "malformed", 1),
        ("astray", "malformed", 1),
        ("prose", "malformed", 1),
        ("echo", "malformed", 1),
        ("null", "malformed", 1),
        ("empty", "malformed", 1),
        ("toolcall", "malformed", 1),
    ],
)
def test_an_unreadable_verdict_is_one_and_no_answer_is_none(fault, state, stored, project, provider, formality):
    respond(ask(project, formality), worth(4))
    run = run_through(rating_judge(project, provider, f"simulated-1:{fault}", "pointwise"))
    assert states(run) == {state: 1}
    found = list(Rating.objects.values_list("is_unparseable", "first_grade", "comment"))
    assert found == [(True, None, "")] * stored


def test_what_could_not_be_read_is_asked_again_and_graded_then(project, judge, formality, fake_provider):
    respond(ask(project, formality), worth(4))
    fake_provider.tell(faults=["malformed"])
    run = run_through(judge)
    assert Rating.objects.get().is_unparseable
    assert runs.retry_failed(run)
    assert not Rating.objects.exists()
    for shard in run.shards.values_list("pk", flat=True):
        work_through(shard)
    assert Rating.objects.get().first_grade == 4


def test_a_question_type_that_is_gone_is_not_asked_about(project, judge, formality, fake_provider):
    respond(ask(project, None), worth(4))
    fluency = question_type(project, "fluency")
    run = runs.create_run(judge, Response.objects.filter(project=project))
    fluency.levels.all().delete()
    fluency.delete()
    for shard in runs.start_here(run):
        work_through(shard)
    assert set(Call.objects.values_list("state", "problem")) == {("scored", ""), ("failed", "rated_gone")}
    assert fake_provider.counts()["served"] == 1


def test_output_of_its_own_laboratory_is_never_asked_about(project, judge, formality):
    prompt = ask(project, formality)
    respond(prompt, worth(4), "Simba", "simulated")
    foreign = respond(prompt, worth(2))
    found = planned(judge)
    assert found.excluded == {"Simba": 1}
    assert [response for response, _unit in found.calls] == [foreign.pk]


def test_the_rubric_stands_in_the_prompt_of_who_is_to_have_it(project, provider, formality, fake_provider):
    """Without it the labels of the grades stand there, and no word of what earns one."""
    formality.definition = "Whether the tone fits."
    formality.save()
    respond(ask(project, formality), worth(4))
    fake_provider.tell(record=True)
    run_through(rating_judge(project, provider, kind="pointwise", rubric=True))
    run_through(rating_judge(project, provider, kind="pointwise", rubric=False))
    told, bare = (request["body"]["messages"][0]["content"] for request in fake_provider.asked())
    for label in ("Major failure", "Minor failure", "Pass", "Good", "Excellent"):
        assert label in told
        assert label in bare
    for grade in range(1, 6):
        assert f"What earns a {grade}." in told
        assert f"All that earns a {grade}, at length." in told
    assert "Whether the tone fits." in told
    assert "earns a" not in bare
    assert "Whether the tone fits." not in bare
    assert "Formality" in bare


def test_what_is_answered_is_asked_for_by_the_scale_of_the_question(project, judge, formality, fake_provider):
    ten = question_type(project, "ten", lowest=0, highest=10)
    respond(ask(project, ten), worth(9))
    fake_provider.tell(record=True)
    run_through(judge)
    [asked] = fake_provider.asked()
    form = asked["body"]["response_format"]["json_schema"]["schema"]["properties"]
    assert list(form) == ["ticket", "reasoning", "grade"], "the reasoning stands before the grade"
    assert form["grade"] == {"type": "integer", "enum": list(range(11))}
    assert Rating.objects.get().first_grade == 9


def test_planning_costs_the_same_number_of_statements_for_many(
    project, judge, formality, django_assert_max_num_queries
):
    for _number in range(30):
        respond(ask(project, formality), worth(3))
    with django_assert_max_num_queries(14):
        assert planned(judge).size == 30
