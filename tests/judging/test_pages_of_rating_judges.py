"""Nour sets judges that rate up on their page: examples, rubric and order; and reads what they said."""

import re

import pytest

from annotation.models import Rating
from judging.engine import runs, shards
from judging.models import Judge
from judging.templatetags.judging import settings_in_words
from judging.views.judges import likely_kind
from tests.annotation.rated import make_ratings_project, question_type
from tests.judging.rating import a_pair, ask, rating_judge, respond, run_through, set_side_by_side, template, worth
from tests.people import signed_in


@pytest.fixture
def lead(nour, project):
    make_ratings_project(project)
    return signed_in(nour)


@pytest.fixture
def formality(project):
    return question_type(project)


def text(response) -> str:
    return response.content.decode()


def add(lead, provider, **chosen):
    form = {"provider": provider.pk, "model": "simulated-1", **chosen}
    return lead.post("/p/feasts/judges/add/", form, follow=True)


OF_SPANS = {"granularity": "paragraph", "with_taxonomy": False}


@pytest.mark.parametrize(
    ("chosen", "options", "name", "said"),
    [
        (
            {"kind": "pairwise"},
            {"shots": "zero", "rubric": True, "orders": "both"},
            "pairwise, zero-shot, rubric",
            ["No examples", "with the rubric", "Each pair in both orders"],
        ),
        (
            {"kind": "pairwise", "shots": "few", "without_rubric": "on", "orders": "one"},
            {"shots": "few", "rubric": False, "orders": "one"},
            "pairwise, few-shot, one order",
            ["Three graded examples", "without the rubric", "Each pair once, in an order drawn by lot"],
        ),
        (
            {"kind": "pointwise", "shots": "few"},
            {"shots": "few", "rubric": True},
            "pointwise, few-shot, rubric",
            ["Three graded examples", "with the rubric"],
        ),
        (
            {"kind": "pointwise", "without_rubric": "on", "orders": "one"},
            {"shots": "zero", "rubric": False},
            "pointwise, zero-shot",
            ["No examples", "without the rubric"],
        ),
        ({"kind": "spans", "without_rubric": "on"}, OF_SPANS, "paragraph", ["Paragraph by paragraph"]),
        ({"kind": "rubric", "shots": "few"}, {"target": "masked"}, "rubric", []),
        (
            {"kind": "spans", "shots": "few", "examples_seed": "7"},
            {**OF_SPANS, "shots": "few", "examples_seed": 7},
            "paragraph + few-shot, examples seed 7",
            ["Paragraph by paragraph", "Three graded examples", "seed of the examples: 7"],
        ),
    ],
)
def test_nour_chooses_how_a_judge_rates(chosen, options, name, said, lead, provider, formality):
    shown = text(add(lead, provider, **chosen))
    judge = Judge.objects.get()
    assert judge.options == options
    assert judge.rater.name == f"simulated-1 ({name})"
    assert settings_in_words(judge) == said
    for setting in said:
        assert setting in shown


def test_in_a_project_of_ratings_pairs_are_what_a_judge_is_likely_asked_for(lead, project, provider):
    project.refresh_from_db()
    assert likely_kind(project) == "pairwise"
    page = text(lead.get("/p/feasts/judges/add/"))
    assert re.search(r'<input[^>]*value="pairwise"[^>]*checked', page)
    for label in ("Three graded examples", "Without the rubric", "Each pair in both orders"):
        assert label in page


def test_the_plan_says_what_is_left_out_and_for_want_of_what(lead, project, provider, formality):
    prompt = ask(project, formality, template(project, "t1", formality))
    set_side_by_side(respond(prompt, worth(4)), respond(prompt, worth(2), "Simba", "simulated"))
    zero = text(add(lead, provider, kind="pairwise"))
    assert "orders of pairs whose other response is of the judge&#x27;s own laboratory" in zero
    a_pair(ask(project, formality, template(project, "t2", formality)))
    few = text(add(lead, provider, kind="pairwise", shots="few"))
    assert "no graded example from the low end of “Formality” in the training split" in few
    assert "No pair waits for this judge" in few


def test_without_question_types_the_page_says_so(lead, provider, koshari):
    assert "has no question type" in text(add(lead, provider, kind="pointwise"))


def test_what_was_said_is_read_beside_what_was_read_from_it(lead, project, provider, formality):
    choice = question_type(project, "which-is-better", lowest=None, highest=None)
    a_pair(ask(project, formality), 4, 2)
    a_pair(ask(project, choice), 4, 2)
    run = run_through(rating_judge(project, provider))
    page = text(lead.get(f"/p/feasts/judges/runs/{run.uuid}/calls/"))
    assert "Shown first: 4" in page
    assert "Shown second: 2" in page
    assert "Shown first is better" in page
    assert "Simulated: graded by a hash" in page
    alone = run_through(rating_judge(project, provider, kind="pointwise"))
    assert "Grade 4" in text(lead.get(f"/p/feasts/judges/runs/{alone.uuid}/calls/"))


def test_a_run_is_started_from_the_page_and_ends_in_ratings(lead, project, provider, formality):
    pair = a_pair(ask(project, formality))
    assert "Ask 2 questions" in text(add(lead, provider, kind="pairwise"))
    judge = Judge.objects.get()
    run = runs.create_run(judge, project.responses.all())
    for shard in runs.start_here(run):
        shards.work_through(shard)
    assert Rating.objects.filter(pair=pair, rater=judge.rater).count() == 2
    listed = text(lead.get("/p/feasts/judges/"))
    assert "Grades responses two by two" in listed
    assert "Each pair in both orders" in listed
    assert "2 / 2" in listed
