"""Nour pastes the responses of a model that has no API, under the controls under which programs collect."""

import pytest
from django.urls import reverse

from formats.limits import MAX_TEXT
from judging.collecting.by_hand import CONTROLS, paste
from judging.collecting.endpoints import add_by_hand
from judging.models import CollectionCall, TargetEndpoint
from projects.anchors import sha256
from projects.models import AuditEvent, Laboratory, Response, TargetModel
from projects.problems import Invalid
from tests.judging.collecting import add_frozen, proverbs
from tests.people import signed_in

__all__ = ["proverbs"]

ALL = list(CONTROLS)
TEXT = "  \u202bالمثل ده معناه\u202c…\n\n\tسطر تاني  \n"


@pytest.fixture
def lead(nour):
    return signed_in(nour)


@pytest.fixture
def spark(project, proverbs, nour) -> TargetEndpoint:
    """A model without an API, of a laboratory that its name does not tell."""
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    return add_by_hand(project, "River Spark", laboratory=laboratory, by=nour)


def address(endpoint, prompt) -> str:
    return reverse("target-paste", args=["feasts", endpoint.pk, prompt.pk])


def text(response) -> str:
    return response.content.decode()


def test_nour_adds_a_model_without_an_api(lead, proverbs):
    form = {"source": "hand", "name": "River Spark"}
    refused = lead.post("/p/feasts/targets/add/", form)
    assert refused.status_code == 422
    assert "Nobody knows which laboratory" in text(refused)
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    shown = text(lead.post("/p/feasts/targets/add/", {**form, "laboratory": laboratory.pk}, follow=True))
    assert TargetEndpoint.objects.get().is_by_hand
    assert "Prompts without a response of this model" in shown
    assert shown.count("Paste<span") == 4
    assert "unwritten" not in shown


def test_the_laboratory_is_told_by_the_name_where_it_can_be(project, proverbs):
    other = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    with pytest.raises(Invalid, match="another laboratory"):
        add_by_hand(project, "gemini-3.1-pro", laboratory=other)
    assert add_by_hand(project, "gemini-3.1-pro").target_model.laboratory.slug == "google"


def test_a_pasted_response_is_stored_to_the_last_character(lead, spark, proverbs, nour):
    """A browser sends each line's end as two characters, whatever was pasted; that and nothing else is undone."""
    sent = {"text": TEXT.replace("\n", "\r\n"), "controls": ALL}
    answer = lead.post(address(spark, proverbs[0]), sent)
    assert answer.url == address(spark, proverbs[1])  # straight to the next prompt
    response = Response.objects.get()
    assert response.text == TEXT
    assert response.text_sha256 == sha256(TEXT)
    assert (response.prompt, response.target_model.name, response.key) == (
        proverbs[0],
        "River Spark",
        "proverb-1-river-spark",
    )


def test_who_confirmed_what_and_when_is_kept(lead, spark, proverbs, nour):
    lead.post(address(spark, proverbs[0]), {"text": TEXT, "controls": ALL})
    call = CollectionCall.objects.get()
    assert (call.pasted_by, call.controls, call.state) == (nour, ALL, "collected")
    assert call.ended_at is not None
    told = call.response.metadata["collected"]
    assert (told["by_hand"], told["controls"]) == (True, ALL)
    assert told["rubric"]["frozen_at"] < told["at"]
    assert "nour" not in str(told).casefold()  # exports name nobody
    event = AuditEvent.objects.get(action="response.pasted")
    assert (event.actor_id, event.detail["confirmed"], event.subject) == (nour.pk, ALL, call.response.key)


@pytest.mark.parametrize("missing", ALL)
def test_every_control_must_be_confirmed(missing, lead, spark, proverbs):
    given = [control for control in ALL if control != missing]
    answer = lead.post(address(spark, proverbs[0]), {"text": TEXT, "controls": given})
    assert answer.status_code == 422
    assert "cannot be compared" in text(answer)
    assert "المثل ده معناه" in text(answer)  # what was pasted is still there
    assert not Response.objects.exists()


@pytest.mark.parametrize("nothing", ["", "   \r\n\t"])
def test_an_empty_response_is_none(nothing, lead, spark, proverbs):
    answer = lead.post(address(spark, proverbs[0]), {"text": nothing, "controls": ALL})
    assert answer.status_code == 422
    assert not Response.objects.exists()


def test_a_character_that_cannot_be_stored_is_refused_not_dropped(lead, spark, proverbs, nour):
    assert lead.post(address(spark, proverbs[0]), {"text": "a\0b", "controls": ALL}).status_code == 422
    with pytest.raises(Invalid, match="cannot be stored"):
        paste(spark, proverbs[0], "a\0b", ALL, nour)
    assert not Response.objects.exists()


def test_before_the_freeze_nothing_is_pasted(lead, spark, project):
    unwritten = project.prompts.get(key="unwritten")
    shown = text(lead.get(address(spark, unwritten)))
    assert "not frozen yet" in shown
    assert "<textarea" not in shown
    assert "مثل لسه" not in shown
    answer = lead.post(address(spark, unwritten), {"text": TEXT, "controls": ALL})
    assert answer.status_code == 422
    assert not Response.objects.exists()


def test_what_is_pasted_is_no_longer_than_a_response_in_a_file(lead, spark, proverbs):
    """It leaves with the project, and comes in again."""
    sent = {"text": "ا" * (MAX_TEXT + 1), "controls": ALL}
    assert lead.post(address(spark, proverbs[0]), sent).status_code == 422
    assert not Response.objects.exists()
    sent["text"] = sent["text"][1:]
    assert lead.post(address(spark, proverbs[0]), sent).status_code == 302


def test_the_first_response_stands(lead, spark, proverbs, nour):
    assert lead.post(address(spark, proverbs[0]), {"text": "first", "controls": ALL}).status_code == 302
    again = lead.post(address(spark, proverbs[0]), {"text": "second", "controls": ALL})
    assert again.status_code == 422
    assert "The first one stands" in text(again)
    assert Response.objects.get().text == "first"
    assert "The first one stands" in text(lead.get(address(spark, proverbs[0])))


def test_of_two_who_paste_at_once_one_is_told(spark, proverbs, nour, monkeypatch):
    """The second one's look came before the first one's commit: the database holds the key."""
    paste(spark, proverbs[0], "first", ALL, nour)
    monkeypatch.setattr("judging.collecting.by_hand.has_response", lambda *ids: False)
    with pytest.raises(Invalid, match="first one stands"):
        paste(spark, proverbs[0], "second", ALL, nour)
    assert Response.objects.get().text == "first"
    assert AuditEvent.objects.filter(action="response.pasted").count() == 1


def test_a_response_that_came_in_a_file_counts(lead, spark, project, proverbs):
    prompt = proverbs[0]
    Response.objects.create(
        project=project,
        prompt=prompt,
        target_model=TargetModel.objects.get(name="River Spark"),
        variety=prompt.variety,
        key="from-a-file",
        text="From a file.",
        text_sha256=sha256("From a file."),
    )
    assert text(lead.get(f"/p/feasts/targets/{spark.pk}/")).count("Paste<span") == 3
    assert lead.post(address(spark, prompt), {"text": TEXT, "controls": ALL}).status_code == 422


def test_the_last_prompt_leads_back_to_the_list(lead, spark, proverbs):
    for prompt in proverbs:
        answer = lead.post(address(spark, prompt), {"text": TEXT, "controls": ALL})
    assert answer.url == f"/p/feasts/targets/{spark.pk}/"
    shown = text(lead.get(answer.url))
    assert "Nothing is left to ask." in shown
    assert "Pasted last" in shown
    assert "Take this target model away" not in shown


def test_a_model_with_a_provider_is_not_pasted_for(lead, project, provider, proverbs):
    from judging.collecting.endpoints import add_endpoint

    asked = add_endpoint(project, provider, "simulated-1")
    assert lead.post(address(asked, proverbs[0]), {"text": TEXT, "controls": ALL}).status_code == 422
    assert not Response.objects.exists()


def test_another_projects_prompt_does_not_exist_here(lead, spark, other_project):
    elsewhere = add_frozen(other_project, "elsewhere", "مثل تاني")
    assert lead.get(address(spark, elsewhere)).status_code == 404
