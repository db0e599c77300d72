"""Nour has a model correct the grammar of the responses before people mark them; each keeps what it was made from."""

import json

import pytest

from judging.engine.choice import Choice
from judging.engine.planning import plan
from judging.engine.run_sets import create_set
from judging.judges import add_judge
from judging.kinds import WrongAnswer
from judging.kinds.editing.kind import Editing
from judging.models import Call
from projects.derived import taken
from projects.models import Derivation, Response
from projects.problems import Invalid
from providers.fake.answers import edited
from tests.judging.every_kind import FORMS, TICKET, answered_run, read_as
from tests.judging.proposing import run_through
from tests.judging.test_cut_responses import write
from tests.people import signed_in

pytestmark = pytest.mark.django_db
WRONG = "الكشري الكشري أكلة مصرية.\nنعمله من الرز"
RIGHT = "الكشري أكلة مصرية.\nنعمله من الرز."


@pytest.fixture
def judge(project, provider):
    return add_judge(project, provider, "simulated-1", kind="editing", name="Corrector")


def test_the_corrected_text_keeps_source_model_prompt_and_difference(project, judge):
    source = write(project, "koshari", WRONG)
    right = write(project, "right", RIGHT)
    run = run_through(judge)
    assert set(run.calls.values_list("state", flat=True)) == {"scored"}
    made = Derivation.objects.get(source=source)
    assert made.response.text == RIGHT
    assert (made.original, made.rater, made.step.name) == (source, judge.rater, "editing-v1")
    assert made.prompt == f"editing v1 {run.prompt_version.text_sha256[:12]}"
    told = made.response.metadata["derived"]
    assert (told["from"], told["model"], told["run"], told["simulated"]) == (
        *("koshari", "simulated-1", str(run.uuid), True),
    )
    changed = [(source.text[a:b], made.response.text[c:d]) for a, b, c, d in made.edits]
    assert "".join(before for before, _after in changed).split() == ["الكشري", "الرز"]
    assert [after.strip() for _before, after in changed if after.strip()] == ["الرز."]
    assert Derivation.objects.get(source=right).response is None
    assert {each.key for each in taken(project.responses.all())} == {"koshari~editing-v1", "right"}
    page = signed_in_page(project, made)
    assert '<ins><span class="visually-hidden">Added: </span>الرز.</ins>' in page


def signed_in_page(project, made) -> str:
    lead = project.memberships.get(role="lead").user
    return signed_in(lead).get(f"/p/{project.slug}/derived/texts/{made.response.uuid}/").content.decode()


@pytest.fixture(autouse=True)
def _lead(nour):
    """Somebody leads."""


def test_nothing_is_asked_about_twice_and_what_was_made_is_not_edited_again(project, judge):
    write(project, "koshari", WRONG)
    run_through(judge)
    assert plan(judge, taken(Response.objects.filter(project=project))).size == 0
    assert plan(judge, taken(Response.objects.filter(project=project)), round=2).size == 0
    with pytest.raises(Invalid):
        run_through(judge)
    write(project, "later", WRONG)
    assert plan(judge, taken(Response.objects.filter(project=project))).size == 1


def test_where_the_guard_keeps_one_model_away_another_takes_the_same_step_further(project, provider, judge):
    own, other = write(project, "own", WRONG), write(project, "other", WRONG)
    laboratory = judge.rater.laboratory
    own.target_model.laboratory = laboratory
    own.target_model.save()
    planned = plan(judge, Response.objects.filter(pk__in=[own.pk, other.pk]))
    assert (planned.size, planned.excluded_count) == (0, 2)


def test_a_step_has_one_text_of_a_response_whoever_was_first(project, provider, judge):
    write(project, "koshari", WRONG)
    second = add_judge(project, provider, "simulated-2", kind="editing", name="Second")
    run_through(judge)
    with pytest.raises(Invalid):
        run_through(second)
    assert Derivation.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"text": ""}, "empty"),
        ({"text": " \n"}, "empty"),
        ({"text": None}, "wrong_type"),
        ({"text": ["a"]}, "wrong_type"),
        ({"text": f"<<<answer {TICKET}>>> the text"}, "marks_in_text"),
        ({"ticket": "0" * 16}, "wrong_ticket"),
        ({"why": "because"}, "wrong_keys"),
    ],
)
def test_a_reply_that_is_no_text_is_malformed(changes, problem):
    outcome = read_as(FORMS["editing"], json.dumps(FORMS["editing"].answer(**changes)))
    assert (outcome.state, outcome.problem.split(":")[0]) == ("malformed", problem)


def test_the_space_around_a_text_is_not_the_models_to_change():
    form = FORMS["editing"]
    bare = form.material.__class__("?", " \n a text\n", "English")
    read = Editing().read({"ticket": TICKET, "text": "A text "}, form.prompt, bare, 0, TICKET)
    assert read == {"text": " \n A text\n"}
    with pytest.raises(WrongAnswer):
        Editing().read({"ticket": TICKET, "text": 5}, form.prompt, bare, 0, TICKET)


def test_emoji_markup_and_long_texts_come_through(project, judge):
    text = ("👩‍👩‍👧‍👦 <b>مرحبا</b> & é\u0301 " * 1500) + "end"
    source = write(project, "odd", text)
    answered_run(judge, lambda good: good)
    made = Derivation.objects.get(source=source)
    assert made.response.text == f"{text} And so on."


def test_a_refusal_leaves_the_response_as_it_is(project, judge):
    write(project, "koshari", WRONG)
    answered_run(judge, lambda _good: "I'm sorry, but I can't help with that request.")
    assert Call.objects.get().state == "refused"
    assert not Derivation.objects.exists()


def test_replies_are_read_again_unless_somebody_marked_the_text(project, judge, mona):
    source = write(project, "koshari", WRONG)
    run = run_through(judge)
    kind = Editing()
    made = Derivation.objects.get()
    answered = {source.pk: []}
    assert kind.held(judge, 1, made.prompt, answered) == set()
    made.response.markings.create(rater=mona.raters.get(project=project), round=1, no_errors=True, is_complete=True)
    assert kind.held(judge, 1, made.prompt, answered) == {(source.pk, 0)}
    made.response.markings.all().delete()
    kind.take_back(judge, 1, made.prompt, answered)
    assert not Derivation.objects.exists()
    assert list(Response.objects.all()) == [source]
    assert run.calls.count() == 1


def test_it_runs_within_a_budget_as_every_judge(project, provider, judge):
    write(project, "koshari", WRONG)
    with pytest.raises(Invalid):  # money without a price
        create_set(project, [judge], Choice(), money_limit=10**9)


def test_the_simulated_model_takes_out_what_stands_twice():
    assert edited("the the cat sat") == "the cat sat."
    assert edited("a line\nline two!") == "a line\nline two!"
    assert edited(WRONG) == RIGHT
