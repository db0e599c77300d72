"""Nour lets a judge grade pairs in both orders; what it says is said of the pair's first and second, as people's is."""

import pytest

from annotation.models import Rating
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.shards import work_through
from judging.models import Call
from projects.models import Laboratory, Response, TargetModel
from providers.models import ModelMapping, Provider
from tests.annotation.rated import question_type
from tests.judging.rating import a_pair, ask, rating_judge, respond, run_through, set_side_by_side, states, worth


@pytest.fixture
def formality(project):
    return question_type(project)


@pytest.fixture
def judge(project, provider, formality):
    return rating_judge(project, provider)


def planned(judge, **how):
    return plan(judge, Response.objects.filter(project=judge.project), **how)


def test_a_pair_is_judged_in_both_orders(project, judge, formality, fake_provider):
    pair = a_pair(ask(project, formality), 4, 2)
    fake_provider.tell(record=True)
    run = run_through(judge)
    assert states(run) == {"scored": 2}
    ratings = Rating.objects.order_by("is_swapped").values_list("is_swapped", "first_grade", "second_grade")
    assert list(ratings) == [(False, 4, 2), (True, 4, 2)], "grades are the pair's, whichever was shown first"
    assert set(Rating.objects.values_list("pair", "is_of_both_orders", "preference")) == {(pair.pk, True, "")}
    assert all(said.startswith("Simulated") for said in Rating.objects.values_list("comment", flat=True))
    asked = [request["body"]["messages"][1]["content"] for request in fake_provider.asked()]
    first_of = {text.index(pair.first.text) < text.index(pair.second.text) for text in asked}
    assert first_of == {True, False}


def test_a_call_stands_under_the_response_that_it_shows_first(project, judge, formality):
    pair = a_pair(ask(project, formality))
    run_through(judge)
    about = [f"question:{formality.pk}", f"pair:{pair.pk}"]
    found = dict(Call.objects.values_list("response", "about"))
    assert found == {
        pair.first_id: [*about, f"other:{pair.second_id}"],
        pair.second_id: [*about, f"other:{pair.first_id}"],
    }
    assert len(set(Call.objects.values_list("unit", flat=True))) == 1


def test_a_judge_can_be_shown_one_order_drawn_by_lot(project, provider, formality):
    for _number in range(40):
        a_pair(ask(project, formality))
    judge = rating_judge(project, provider, orders="one")
    assert str(judge) == "simulated-1 (pairwise, zero-shot, rubric, one order)"
    assert planned(judge).size == 40
    run_through(judge)
    assert set(Rating.objects.values_list("is_of_both_orders", flat=True)) == {False}
    swapped = Rating.objects.filter(is_swapped=True).count()
    assert 8 <= swapped <= 32, "half of 40, give or take four standard deviations"
    assert planned(judge).size == 0


def test_a_question_without_a_scale_asks_for_a_preference(project, judge, fake_provider):
    choice = question_type(project, "which-is-better", lowest=None, highest=None)
    a_pair(ask(project, choice), 2, 5)
    fake_provider.tell(record=True)
    run_through(judge)
    assert set(Rating.objects.values_list("is_swapped", "preference", "first_grade", "second_grade")) == {
        (False, "second", None, None),
        (True, "second", None, None),
    }
    for request in fake_provider.asked():
        form = request["body"]["response_format"]["json_schema"]["schema"]["properties"]
        assert list(form) == ["ticket", "reasoning", "preference"]
        assert "grade_a" not in request["body"]["messages"][0]["content"]


def test_equally_good_is_a_tie(project, judge):
    choice = question_type(project, "which-is-better", lowest=None, highest=None)
    a_pair(ask(project, choice), 3, 3)
    run_through(judge)
    assert set(Rating.objects.values_list("preference", flat=True)) == {"tie"}


def test_a_pair_of_a_prompt_without_a_question_type_is_asked_on_all(project, judge, formality):
    question_type(project, "which-is-better", lowest=None, highest=None)
    a_pair(ask(project, None))
    assert planned(judge).size == 2 * 2


def test_its_own_laboratory_wrote_either_response(project, judge, formality):
    """Shown first it is excluded as any response is; shown second the order is left out and counted."""
    prompt = ask(project, formality)
    set_side_by_side(respond(prompt, worth(4), "Simba", "simulated"), respond(prompt, worth(2)))
    other = ask(project, formality)
    set_side_by_side(respond(other, worth(4)), respond(other, worth(2), "Simba", "simulated"))
    foreign = a_pair(ask(project, formality))
    found = planned(judge)
    assert (found.excluded, found.withheld) == ({"Simba": 2}, 2)
    assert {response for response, _unit in found.calls} == {foreign.first_id, foreign.second_id}


def test_the_guard_is_asked_again_about_the_other_response_before_each_call(project, fake_provider, formality):
    """Between plan and call the model of one response turned out to be the judge's kin: neither order is judged."""
    gateway = Provider.objects.create(name="gateway", base_url=fake_provider.url, concurrency=4)
    a_pair(ask(project, formality))
    run = runs.create_run(rating_judge(project, gateway, "gpt-5.4"), Response.objects.filter(project=project))
    openai = Laboratory.objects.get(slug="openai")
    TargetModel.objects.filter(name="Delta-9B").update(laboratory=openai)
    ModelMapping.objects.create(pattern="another", laboratory=openai)
    for shard in runs.start_here(run):
        work_through(shard)
    assert list(Call.objects.values_list("state", "problem")) == [("failed", "own_laboratory")] * 2
    assert fake_provider.counts()["served"] == 0
    assert not Rating.objects.exists()


def test_a_response_in_no_pair_is_not_ready(project, judge, formality):
    respond(ask(project, formality), worth(4))
    found = planned(judge)
    assert (found.size, found.not_ready) == (0, 1)


def test_a_response_can_stand_in_several_pairs(project, judge, formality):
    prompt = ask(project, formality)
    one, two, three = (respond(prompt, worth(grade)) for grade in (1, 3, 5))
    for first, second in ((one, two), (two, three), (one, three)):
        set_side_by_side(first, second)
    run_through(judge)
    assert Rating.objects.count() == Call.objects.count() == 6
    graded = set(Rating.objects.values_list("pair__first", "first_grade", "pair__second", "second_grade"))
    assert graded == {(one.pk, 1, two.pk, 3), (two.pk, 3, three.pk, 5), (one.pk, 1, three.pk, 5)}


def test_one_order_that_failed_leaves_the_other(project, judge, formality, fake_provider):
    a_pair(ask(project, formality))
    fake_provider.tell(faults=["badrequest"])
    run = run_through(judge)
    assert states(run) == {"failed": 1, "scored": 1}
    kept = Rating.objects.get()
    assert runs.retry_failed(run)
    for shard in run.shards.values_list("pk", flat=True):
        work_through(shard)
    assert set(Rating.objects.values_list("is_swapped", flat=True)) == {True, False}
    assert Rating.objects.filter(pk=kept.pk).exists()


@pytest.mark.parametrize(("fault", "unparseable"), [("malformed", 2), ("astray", 2), ("refuse", 0), ("truncate", 0)])
def test_an_unreadable_verdict_is_stored_in_each_order_and_a_refusal_in_none(
    fault, unparseable, project, provider, formality
):
    a_pair(ask(project, formality))
    run_through(rating_judge(project, provider, f"simulated-1:{fault}"))
    assert Rating.objects.filter(is_unparseable=True).count() == Rating.objects.count() == unparseable


def test_a_judge_that_always_prefers_the_first_disagrees_with_itself_on_every_pair(project, provider, formality):
    """100 % positional disagreement: in either order the response that stood first wins."""
    for _number in range(10):
        a_pair(ask(project, formality))
    run_through(rating_judge(project, provider, "simulated-1:first"))
    wins = {}
    for pair, is_swapped, first, second in Rating.objects.values_list(
        "pair", "is_swapped", "first_grade", "second_grade"
    ):
        wins.setdefault(pair, {})[is_swapped] = (first > second) - (first < second)
    assert len(wins) == 10
    assert all(found == {False: 1, True: -1} for found in wins.values())
    agreeing = sum(found[False] == found[True] for found in wins.values())
    assert agreeing / len(wins) == 0.0


def test_planning_costs_the_same_number_of_statements_for_many(
    project, judge, formality, django_assert_max_num_queries
):
    for _number in range(20):
        a_pair(ask(project, formality))
    with django_assert_max_num_queries(14):
        assert planned(judge).size == 40
