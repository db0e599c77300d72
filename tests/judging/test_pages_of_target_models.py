"""Nour sets target models up, sees what would be asked, starts it and watches; others find nothing there."""

import pytest
from django.urls import reverse

from judging.collecting.endpoints import add_by_hand, add_endpoint
from judging.engine import shards
from judging.models import DifficultyModel, Run, TargetEndpoint
from judging.steps import responses
from projects.models import AuditEvent, Laboratory, Project, Response
from projects.steps import BEGUN, DONE, OPEN
from providers.models import Provider
from tests.judging.collecting import add_frozen, collect, proverbs, started, work_off
from tests.people import signed_in

__all__ = ["proverbs"]


@pytest.fixture
def lead(nour):
    return signed_in(nour)


def text(response) -> str:
    return response.content.decode()


def test_without_target_models_the_page_says_what_to_do(lead, proverbs):
    shown = text(lead.get("/p/feasts/targets/"))
    assert "No target models yet" in shown
    assert "Add a target model" in shown


@pytest.mark.parametrize(
    ("area", "part"),
    [("spans", "stages"), ("ratings", "stages"), ("rubrics", "rubrics"), ("leaderboard", "model-cards")],
)
def test_projects_of_every_kind_have_the_entry(area, part, lead, project):
    Project.objects.update(areas=[area])
    assert "/p/feasts/targets/" in text(lead.get(reverse(part, args=["feasts"])))


def test_nour_adds_a_model_and_collects(lead, provider, proverbs, eager, django_capture_on_commit_callbacks):
    form = {"source": "provider", "provider": provider.pk, "model": "simulated-1", "temperature": "0.5"}
    shown = text(lead.post("/p/feasts/targets/add/", form, follow=True))
    endpoint = TargetEndpoint.objects.get()
    assert endpoint.parameters == {"temperature": 0.5}
    assert "Ask 4 prompts" in shown
    assert "no frozen rubric yet" in shown
    with django_capture_on_commit_callbacks(execute=True):
        answer = lead.post(f"/p/feasts/targets/{endpoint.pk}/collect/")
    shown = text(lead.get(answer.url))
    assert "4 of 4 prompts" in shown
    assert "every 1500ms" not in shown  # it is over: the page asks no more
    assert "1 prompt without a frozen rubric left out" in shown
    shown = text(lead.get(f"{answer.url}answers/"))
    assert shown.count("Simulated answer") == 4
    assert "words a second" in shown
    assert "Nothing is left to ask" in text(lead.get(f"/p/feasts/targets/{endpoint.pk}/"))
    again = lead.post(f"/p/feasts/targets/{endpoint.pk}/collect/")
    assert again.status_code == 422
    assert "There is nothing to ask" in text(again)
    assert AuditEvent.objects.filter(action__startswith="run.").count() == 2


def test_what_is_missing_from_the_form_is_named(lead, provider, proverbs):
    for form in ({"source": "provider"}, {"source": "hand"}, {"source": "elsewhere"}):
        assert lead.post("/p/feasts/targets/add/", form).status_code == 422
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    shown = lead.post("/p/feasts/targets/add/", {"source": "provider", "provider": gateway.pk, "model": "our-own"})
    assert shown.status_code == 422
    assert "map_model our-own LABORATORY" in text(shown)


def test_the_laboratory_is_said_while_typing(lead, proverbs):
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    url = "/p/feasts/targets/laboratory/"
    typed = {"source": "provider", "provider": gateway.pk, "model": "google/gemini-3.1-pro-preview"}
    assert "Laboratory: Google" in text(lead.get(url, typed))
    assert "map_model our-own" in text(lead.get(url, {**typed, "model": "our-own"}))
    assert "Choose it below" in text(lead.get(url, {"source": "hand", "name": "River Spark"}))
    assert "Laboratory: Anthropic" in text(lead.get(url, {"source": "hand", "name": "claude-opus-5"}))
    assert "stands here once it is named" in text(lead.get(url, {"provider": "x"}))


def test_a_running_collection_is_watched_cancelled_and_resumed(lead, project, provider, proverbs):
    collection = started(add_endpoint(project, provider, "simulated-1"))
    url = f"/p/feasts/targets/collections/{collection.uuid}/"
    assert "every 1500ms" in text(lead.get(url))
    fragment = text(lead.get(url, headers={"HX-Request": "true"}))
    assert fragment.startswith("<section")
    assert shards.claim_shard(collection.shards.get().pk)
    assert "Somebody paused this" in text(lead.post(f"{url}pause/", follow=True))
    assert "was not going" in text(lead.post(f"{url}pause/", follow=True))
    assert "every 1500ms" not in text(lead.get(url))
    assert "Running" in text(lead.post(f"{url}resume/", follow=True))
    assert "can be resumed" in text(lead.post(f"{url}resume/", follow=True))
    assert "The collection is cancelled" in text(lead.post(f"{url}cancel/", follow=True))
    assert "over already" in text(lead.post(f"{url}cancel/", follow=True))
    assert "Running" in text(lead.post(f"{url}resume/", follow=True))


def test_nour_takes_a_refusal_as_the_response(lead, project, provider, proverbs):
    endpoint = add_endpoint(project, provider, "simulated-1:refuse")
    collection = collect(endpoint)
    url = f"/p/feasts/targets/collections/{collection.uuid}/"
    shown = text(lead.get(f"{url}answers/?state=refused"))
    assert shown.count("Take it as the response") == 4
    assert "Refused: 4" in text(lead.get("/p/feasts/targets/"))
    call = collection.collection_calls.first()
    assert "word for word as it came" in text(lead.post(f"{url}answers/{call.pk}/", follow=True))
    assert Response.objects.get().text.startswith("I'm sorry")
    assert "no answer here" in text(lead.post(f"{url}answers/{call.pk}/", follow=True))
    assert "No prompts in this state" in text(lead.get(f"{url}answers/?state=empty"))


def test_what_failed_can_be_asked_again(lead, project, provider, proverbs, fake_provider):
    fake_provider.tell(faults=["badrequest"] * 4)
    collection = collect(add_endpoint(project, provider, "simulated-1"))
    url = f"/p/feasts/targets/collections/{collection.uuid}/"
    assert "Ask 4 prompts again that got no answer" in text(lead.get(url))
    assert "HTTP 400" in text(lead.get(f"{url}answers/"))
    assert "Running" in text(lead.post(f"{url}retry/", follow=True))
    work_off(collection)
    assert "Nothing is asked again" in text(lead.post(f"{url}retry/", follow=True))


def test_an_untouched_model_can_be_taken_away(lead, project, provider, proverbs):
    untouched = add_endpoint(project, provider, "simulated-2")
    asked = add_endpoint(project, provider, "simulated-1")
    collect(asked)
    assert "Take this target model away" in text(lead.get(f"/p/feasts/targets/{untouched.pk}/"))
    assert "is taken away" in text(lead.post(f"/p/feasts/targets/{untouched.pk}/remove/", follow=True))
    assert "so it stays" in text(lead.post(f"/p/feasts/targets/{asked.pk}/remove/", follow=True))


def test_nour_names_the_model_of_the_difficulty_check(lead, project, provider, proverbs, nour):
    url = "/p/feasts/targets/difficulty/"
    assert lead.post(url, {"provider": provider.pk, "model": ""}).status_code == 422
    assert "simulated-2" in text(lead.post(url, {"provider": provider.pk, "model": "simulated-2"}, follow=True))
    assert "simulated-1" in text(lead.post(url, {"provider": provider.pk, "model": "simulated-1"}, follow=True))
    assert DifficultyModel.objects.get().model == "simulated-1"
    assert "No model is named" in text(lead.post(url, {"provider": "", "model": ""}, follow=True))
    assert not DifficultyModel.objects.exists()
    assert AuditEvent.objects.filter(action="difficulty_model.named", actor=nour).count() == 3


def test_the_step_says_how_far_the_responses_are(project, provider, proverbs):
    assert responses(project)[0] == OPEN
    endpoint = add_endpoint(project, provider, "simulated-1")
    state, sentence = responses(project)
    assert (state, sentence) == (BEGUN, "4 responses are missing for prompts whose rubrics are frozen.")
    collect(endpoint)
    assert responses(project)[0] == DONE


def test_the_pages_cost_the_same_number_of_queries_for_many(
    lead, project, provider, proverbs, django_assert_max_num_queries
):
    for n in range(15):
        add_frozen(project, f"more-{n}", f"السؤال رقم {n}")
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    by_hand = add_by_hand(project, "River Spark", laboratory=laboratory)
    for number in range(6):
        endpoint = add_endpoint(project, provider, f"simulated-{number}")
        collection = collect(endpoint)
    # session, person, project, roles and the page's own questions
    with django_assert_max_num_queries(11):
        lead.get("/p/feasts/targets/")
    # with its configuration, whether the project has question sets, and its system prompts
    with django_assert_max_num_queries(14):
        lead.get(f"/p/feasts/targets/{endpoint.pk}/")
    with django_assert_max_num_queries(16):
        lead.get(f"/p/feasts/targets/{by_hand.pk}/")
    with django_assert_max_num_queries(9):
        lead.get(f"/p/feasts/targets/collections/{collection.uuid}/")
    with django_assert_max_num_queries(8):
        lead.get(f"/p/feasts/targets/collections/{collection.uuid}/answers/")


def test_nothing_on_the_pages_needs_more_than_the_strict_policy(lead, project, provider, proverbs):
    endpoint = add_endpoint(project, provider, "simulated-1")
    collection = collect(endpoint)
    places = ["", "add/", "difficulty/", f"{endpoint.pk}/", f"collections/{collection.uuid}/"]
    for place in places:
        shown = text(lead.get(f"/p/feasts/targets/{place}"))
        assert " style=" not in shown
        assert "onclick" not in shown


def test_others_find_nothing(omar, mona, project, provider, proverbs):
    endpoint = add_endpoint(project, provider, "simulated-1")
    for person in (omar, mona):
        client = signed_in(person)
        assert client.get("/p/feasts/targets/").status_code == 404
        assert client.post(f"/p/feasts/targets/{endpoint.pk}/collect/").status_code == 404
    assert not Run.objects.exists()
