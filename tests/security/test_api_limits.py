"""Programs that ask too often wait; guessing at tokens slows down, a good one beside it does not; work never waits."""

import pytest
from django.test import Client

from projects.models import ApiToken
from tests.people import signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next

pytestmark = pytest.mark.django_db
PROJECTS = "/api/v1/projects/"
OFFICE = "192.0.2.20"


def ask(token: str = "", address: str = OFFICE, path: str = PROJECTS):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Client().get(path, headers=headers, REMOTE_ADDR=address)


@pytest.fixture
def tokens(nour) -> list[str]:
    return [ApiToken.issue(nour, name)[1] for name in ("nightly", "laptop")]


def test_a_token_that_asks_too_often_waits_and_another_does_not(tokens, settings):
    settings.API_REQUESTS_PER_MINUTE = 3
    assert [ask(tokens[0]).status_code for _request in range(3)] == [200] * 3
    refused = ask(tokens[0])
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert ask(tokens[1]).status_code == 200


def test_a_session_has_a_limit_of_its_own(nour, tokens, settings):
    settings.API_REQUESTS_PER_MINUTE = 3
    browser = signed_in(nour)
    assert [browser.get(PROJECTS).status_code for _request in range(4)] == [200, 200, 200, 429]
    assert ask(tokens[0]).status_code == 200


def test_guessing_at_tokens_becomes_slow_and_a_good_token_beside_it_does_not(tokens, settings):
    settings.API_BAD_TOKENS_PER_MINUTE = 5
    assert [ask(f"mizan_{guess}").status_code for guess in range(5)] == [401] * 5
    refused = ask("mizan_x")
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert ask(tokens[0]).status_code == 200
    assert ask("mizan_x", address="198.51.100.9").status_code == 401


def test_an_address_has_a_limit_whoever_asks(tokens, settings):
    settings.API_REQUESTS_PER_MINUTE_AND_ADDRESS = 4
    assert [ask(token).status_code for token in (*tokens, "", "")] == [200, 200, 401, 401]
    refused = ask(tokens[0], path="/api/v1/schema/")
    assert refused.status_code == 429
    assert refused.json()["error"]["code"] == "throttled"
    assert ask(tokens[0], address="198.51.100.9").status_code == 200


def test_limits_hold_while_the_cache_is_away(tokens, settings, monkeypatch):
    from projects import throttling
    from tests.projects.test_count_in_windows import Broken

    monkeypatch.setattr(throttling, "_cache_rests_until", 0.0)
    monkeypatch.setattr(throttling, "caches", {throttling.CACHE: Broken({})})
    settings.API_REQUESTS_PER_MINUTE = 3
    assert [ask(tokens[0]).status_code for _request in range(4)] == [200, 200, 200, 429]


def test_people_behind_one_address_save_as_often_as_they_like(project, koshari, mona, settings):
    """Forty saves in a row from one address, with every limit set to almost nothing: none of them counts work."""
    settings.API_REQUESTS_PER_MINUTE = settings.API_REQUESTS_PER_MINUTE_AND_ADDRESS = 1
    settings.FORM_LIMITS = {route: dict.fromkeys(limits, 1) for route, limits in settings.FORM_LIMITS.items()}
    marking_stage(project)
    assignment = claim_next(mona.raters.get(), project.stages.get())
    browser = signed_in(mona)
    for version in range(40):
        saved = browser.put(
            f"/tasks/{assignment.uuid}/draft",
            {"body": {"no_errors": True, "spans": []}},
            content_type="application/json",
            headers={"If-Match": f'"{version}"'},
            REMOTE_ADDR=OFFICE,
        )
        assert saved.status_code == 200, (version, saved.content)
