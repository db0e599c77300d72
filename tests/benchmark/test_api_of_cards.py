"""Nour's program describes models and configurations by the API."""

import pytest

from benchmark.models import Configuration, ModelCard
from projects.models import AuditEvent
from tests.benchmark.answered import answered, frozen_set
from tests.benchmark.sets import question_line
from tests.people import signed_in

pytestmark = pytest.mark.django_db

API = "/api/v1/projects/feasts/"
CARD = {"name": "Nile 7B", "laboratory": "Delta Lab", "access": "open", "parameters_total": 35.01}
JSON = {"content_type": "application/json"}


@pytest.fixture
def program(nour):
    return signed_in(nour)


def test_a_card_is_made_read_and_changed(program, project):
    made = program.post(f"{API}model-cards/", CARD, **JSON)
    assert made.status_code == 201
    expected = {
        "id": "nile-7b", **CARD, "parameters_active": None, "size_class": "large", "licence": "",
        "context_tokens": None, "link": "", "declared_overlap": "", "thinking_tags": [],
    }  # fmt: skip
    assert made.json() == expected
    assert program.get(f"{API}model-cards/nile-7b/").json() == expected
    assert program.get(f"{API}model-cards/").json()["results"] == [expected]
    changed = program.patch(f"{API}model-cards/nile-7b/", {"parameters_total": 35, "licence": "MIT"}, **JSON)
    assert changed.json() == {**expected, "parameters_total": 35.0, "size_class": "medium", "licence": "MIT"}
    assert ModelCard.objects.get().licence == "MIT"


@pytest.mark.parametrize(
    ("billions", "size"),
    [(3.49, "nano"), (3.5, "small"), (10, "medium"), (35, "medium"), (35.01, "large"), (None, "undisclosed")],
)
def test_each_size_has_its_class(program, project, billions, size):
    assert (
        program.post(f"{API}model-cards/", {**CARD, "parameters_total": billions}, **JSON).json()["size_class"] == size
    )


def test_all_that_is_wrong_is_named_by_field(program, project):
    wrong = {**CARD, "parameters_total": "7", "parameters_active": 0, "link": "javascript:x", "colour": 1}
    answer = program.post(f"{API}model-cards/", wrong, **JSON)
    assert answer.status_code == 422
    assert {(problem["field"], problem["code"]) for problem in answer.json()["problems"]} == {
        ("parameters_total", "not_a_number"),
        ("parameters_active", "out_of_range"),
        ("link", "not_an_address"),
        ("colour", "unknown_field"),
    }
    assert program.post(f"{API}model-cards/", [CARD], **JSON).status_code == 400
    for odd in ({"name": ["a"]}, {"name": 7}, {"laboratory": {}}, {"access": []}, {"thinking_tags": 7}, {"licence": 7}):
        assert program.post(f"{API}model-cards/", {**CARD, **odd}, **JSON).status_code == 422, odd
    assert ModelCard.objects.count() == 0


def test_a_configuration_is_made_changed_and_decided_on(program, project):
    program.post(f"{API}model-cards/", CARD, **JSON)
    run = {"card": "nile-7b", "name": "Nile, greedy", "sampling": {"temperature": 0}, "token_limit": 64}
    made = program.post(f"{API}configurations/", run, **JSON)
    assert made.status_code == 201
    expected = {
        "id": "nile-greedy", **run, "target_model": "Nile, greedy", "provider": "", "revision": "", "precision": "",
        "template_sha256": "", "system_prompt": "", "thinking_effort": "", "standing": "ranked",
        "other_laboratory": "",
    }  # fmt: skip
    assert made.json() == expected
    assert program.get(f"{API}configurations/").json()["results"] == [expected]
    changed = program.patch(f"{API}configurations/nile-greedy/", {"revision": "abc"}, **JSON)
    assert changed.json() == {**expected, "revision": "abc"}
    frozen_set(project, question_line())
    answered(Configuration.objects.get(), "capital", "أ")
    refused = program.patch(f"{API}configurations/nile-greedy/", {"revision": "abd", "name": "N"}, **JSON)
    assert refused.status_code == 422
    assert [problem["code"] for problem in refused.json()["problems"]] == ["has_answers"]
    decided = f"{API}configurations/nile-greedy/decide/"
    assert program.post(decided, {"standing": "withdrawn"}, **JSON).status_code == 422
    answer = program.post(decided, {"standing": "withdrawn", "reason": "Its makers asked."}, **JSON)
    assert answer.json() == {**expected, "revision": "abc", "standing": "withdrawn"}
    assert AuditEvent.objects.get(action="configuration.decided").detail["reason"] == "Its makers asked."


def test_a_configuration_needs_a_card_of_the_project(program, project):
    for card in ("unknown", None, 7, ["x"]):
        assert program.post(f"{API}configurations/", {"card": card, "name": "N"}, **JSON).status_code == 400
    assert Configuration.objects.count() == 0


def test_others_find_nothing(mona, project):
    for address in ("model-cards/", "configurations/"):
        assert signed_in(mona).get(f"{API}{address}").status_code == 404


def test_of_two_programs_that_change_at_once_the_later_is_told(program, project):
    program.post(f"{API}model-cards/", CARD, **JSON)
    program.post(f"{API}configurations/", {"card": "nile-7b", "name": "Nile"}, **JSON)
    for address, first, second in (
        ("model-cards/nile-7b/", {"licence": "MIT"}, {"link": "https://example.org/nile"}),
        ("configurations/nile/", {"revision": "abc"}, {"precision": "bf16"}),
    ):
        seen = {"If-Match": program.get(f"{API}{address}")["ETag"]}
        changed = program.patch(f"{API}{address}", first, headers=seen, **JSON)
        assert changed.status_code == 200
        told = program.patch(f"{API}{address}", second, headers=seen, **JSON)
        assert (told.status_code, told.json()["problems"][0]["code"]) == (422, "changed_meanwhile")
        again = program.patch(f"{API}{address}", second, headers={"If-Match": changed["ETag"]}, **JSON)
        assert again.json() == changed.json() | second
