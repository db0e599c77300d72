"""Ada tests a model: one answered call says what it takes and gives, what it cost and who answered."""

import json
import time

import pytest
from django.core.cache import caches
from django.core.management import CommandError, call_command

from projects.models import AuditEvent, Laboratory
from providers import trying
from providers.client.once import Answer
from providers.models import ModelMapping, Provider, ServedModel
from providers.probing import MAX_REQUESTS, probe_model
from providers.trying import take_over_found, try_model
from tests import coroutines
from tests.people import signed_in

ALL_SEEN = {
    "gives_schema": True,
    "gives_logprobs": True,
    "takes_seed": True,
    "takes_temperature": True,
}


@pytest.fixture
def served(provider) -> ServedModel:
    """A dollar for a million tokens in, two for a million out."""
    return ServedModel.objects.create(provider=provider, name="simulated-1", input_price=1, output_price=2)


@pytest.fixture
def admin(ada):
    return signed_in(ada)


def text(response) -> str:
    return response.content.decode()


def bodies(fake_provider) -> list[dict]:
    return [asked["body"] for asked in fake_provider.asked()]


def test_a_model_that_takes_all_is_asked_once(served, fake_provider):
    fake_provider.tell(record=True, fingerprint="fp_44", reasoning_tokens=40)
    found = try_model(served)
    assert found["problem"] == ""
    assert found["flags"] == ALL_SEEN | {"reasons": True}
    assert found["requests"] == 1
    [body] = bodies(fake_provider)
    assert {"response_format", "logprobs", "seed", "temperature"} <= body.keys()
    assert (found["model"], found["laboratory"], found["is_accepted"]) == ("simulated-1", "simulated", True)
    # 100 tokens in at 1 and 42 out (2 words, 40 thought) at 2 dollars a million: 184 millionths of a dollar.
    assert (found["prompt_tokens"], found["completion_tokens"], found["reasoning_tokens"]) == (100, 42, 40)
    assert found["cost"] == 184_000
    assert found["fingerprint"] == "fp_44"
    assert found["latency_ms"] >= 0
    served.refresh_from_db()
    assert served.found == found
    assert served.tested_at is not None


@pytest.mark.parametrize(
    ("refused", "flag"),
    [("seed", "takes_seed"), ("logprobs", "gives_logprobs"), ("temperature", "takes_temperature")],
)
def test_what_is_refused_is_left_out_and_costs_nothing(refused, flag, served, fake_provider):
    fake_provider.tell(record=True, refuses_parameters=[refused])
    found = try_model(served)
    assert found["flags"] == ALL_SEEN | {flag: False}
    assert (found["refused"], found["requests"]) == ([refused], 2)
    assert [refused in body for body in bodies(fake_provider)] == [True, False]
    assert fake_provider.counts()["statuses"] == {"400": 1, "200": 1}  # one call was answered, and paid for
    assert found["cost"] == 104_000


def test_everything_refused_leaves_a_plain_question(served, fake_provider):
    everything = ["logprobs", "seed", "temperature", "json_schema", "json_object"]
    fake_provider.tell(refuses_parameters=everything)
    found = try_model(served)
    assert set(found["flags"].values()) == {False}
    assert sorted(found["refused"]) == ["logprobs", "object", "schema", "seed", "temperature"]
    assert found["requests"] == 6 <= MAX_REQUESTS
    assert fake_provider.counts()["statuses"]["200"] == 1


def test_json_mode_is_tried_where_a_schema_is_refused(served, fake_provider):
    fake_provider.tell(refuses_parameters=["json_schema"])
    found = try_model(served)
    assert (found["flags"]["gives_schema"], found["flags"]["gives_object"]) == (False, True)


def test_what_is_passed_over_without_a_word_is_seen_by_the_answer(served, fake_provider):
    """As Anthropic's compatible interface does it: accepted, and ignored."""
    fake_provider.tell(ignores_parameters=["logprobs", "response_format"])
    found = try_model(served)
    assert (found["flags"]["gives_schema"], found["flags"]["gives_logprobs"]) == (False, False)
    assert "gives_object" not in found["flags"]  # nobody asked for it
    assert (found["refused"], found["requests"]) == ([], 1)


def test_a_refusal_that_names_nothing_teaches_nothing(served, fake_provider):
    fake_provider.tell(refuses_parameters=["seed"], refuses_silently=True)
    found = try_model(served)
    assert found["guessed"] == ["logprobs", "seed"]
    assert found["flags"] == {"gives_schema": True, "takes_temperature": True}  # of the two that were left out, nothing


def test_a_limit_under_another_name(served, fake_provider):
    fake_provider.tell(record=True, refuses_parameters=["max_tokens"])
    found = try_model(served)
    assert "max_completion_tokens" in bodies(fake_provider)[1]
    assert found["token_limit"] == "max_completion_tokens"
    assert take_over_found(served)
    served.refresh_from_db()
    assert served.token_limit == "max_completion_tokens"


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (
            {"error": {"message": "Unsupported value: 'temperature' does not support 0.0", "param": "temperature"}},
            "temp",
        ),
        ({"error": {"message": 'Invalid JSON payload received. Unknown name "seed": Cannot find field.'}}, "seed"),
        ([{"error": {"message": "Logprobs is not enabled for this model", "status": "INVALID_ARGUMENT"}}], "logprobs"),
        ({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, "seed"),
        ({"error": {"message": "This response_format type is unavailable now", "param": None}}, "schema"),
        ({"object": "error", "message": "structured output is not supported"}, "schema"),
        ({"error": {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."}}, "limit"),
        ({"error": {"message": "You are not allowed to request logprobs with max_tokens 2000"}}, "logprobs"),
    ],
)
def test_refusals_as_providers_word_them(body, named):
    """The second request leaves out just what the first one's refusal names."""
    asked: list[dict] = []

    async def send(request: dict) -> Answer:
        asked.append(request)
        return Answer(400, body, json.dumps(body).encode()) if len(asked) == 1 else Answer(500)

    found = coroutines.run(probe_model("m", "max_tokens", send))
    assert [name[: len(named)] for name in found.refused] == [named]
    assert len(asked) == 2
    gone = {"temp": "temperature", "schema": "response_format", "limit": "max_tokens"}.get(named, named)
    assert asked[0][gone] != asked[1].get(gone)
    assert len(set(asked[0]) ^ set(asked[1])) <= 2


def test_a_provider_that_refuses_whatever_comes_is_asked_a_bounded_number_of_times():
    for body in ({"error": {"message": "no"}}, {"error": {"message": "seed temperature logprobs response_format"}}):
        asked: list[dict] = []

        async def send(request: dict, asked=asked, body=body) -> Answer:
            asked.append(request)
            return Answer(400, body, json.dumps(body).encode())

        found = coroutines.run(probe_model("m", "max_tokens", send))
        assert len(asked) <= MAX_REQUESTS
        assert found.problem.startswith("http_400")


def test_a_refusal_that_repeats_the_request_names_nothing():
    asked: list[dict] = []

    async def send(request: dict) -> Answer:
        asked.append(request)
        body = {"error": {"message": "bad request", "request": request}}
        return Answer(400, body, json.dumps(body).encode()) if len(asked) == 1 else Answer(500)

    found = coroutines.run(probe_model("m", "max_tokens", send))
    assert (found.refused, found.guessed) == ([], ["logprobs"])


@pytest.mark.parametrize(
    ("fault", "problem"),
    [("ratelimit", "http_429"), ("error", "http_500"), ("errorbody", "error_body"), ("badrequest", "http_400")],
)
def test_a_provider_in_trouble_is_said_to_be_and_is_not_pressed(fault, problem, served, fake_provider, admin):
    ServedModel.objects.update(name=f"simulated-1:{fault}")
    shown = text(admin.post(f"/providers/models/{served.pk}/test/", headers={"HX-Request": "true"}))
    served.refresh_from_db()
    assert served.found["problem"].startswith(problem)
    assert served.found["flags"] == {}
    assert "notice--error" in shown
    assert "Take over" not in shown
    if fault != "badrequest":  # a refusal for unknown reasons may be about a parameter
        assert fake_provider.counts()["served"] == 1


def test_another_model_than_the_one_that_was_asked_is_named(served, fake_provider, admin):
    ServedModel.objects.update(name="simulated-1:othermodel")
    shown = text(admin.post(f"/providers/models/{served.pk}/test/", follow=True))
    served.refresh_from_db()
    assert (served.found["model"], served.found["laboratory"]) == ("gpt-4o-mini", None)  # the provider says simulated
    assert served.found["is_accepted"] is False
    assert "This is not the model that was asked" in shown


def test_a_model_of_an_unknown_laboratory_can_be_tried_and_tells_who_it_is(fake_provider, provider):
    Provider.objects.update(laboratory=None)
    served = ServedModel.objects.create(provider=Provider.objects.get(), name="our-judge:othermodel")
    found = try_model(served)
    assert (found["model"], found["laboratory"], found["is_accepted"]) == ("gpt-4o-mini", "openai", None)


def test_ada_sees_what_was_found_and_takes_it_over(served, fake_provider, admin):
    fake_provider.tell(refuses_parameters=["seed"])
    url = f"/providers/models/{served.pk}/"
    assert "Not tested yet" in text(admin.get(url))
    fragment = text(admin.post(f"{url}test/", headers={"HX-Request": "true"}))
    assert "<html" not in fragment
    assert "$0.000104" in fragment
    assert "100 / 2" in fragment
    assert "Refused by the provider: seed" in " ".join(fragment.split())
    assert "Take over what was found" in fragment
    served.refresh_from_db()
    assert served.takes_seed is None  # nothing is taken over unasked
    admin.post(f"{url}take-over/")
    served.refresh_from_db()
    assert (served.takes_seed, served.gives_schema, served.gives_object) == (False, True, None)
    assert "Take over what was found" not in text(admin.get(url))
    assert "Nothing was changed" in text(admin.post(f"{url}take-over/", follow=True))
    actions = list(AuditEvent.objects.order_by("pk").values_list("action", "actor__name"))
    assert actions == [("model.tested", "Ada Admin"), ("model.found_taken_over", "Ada Admin")]


def test_a_missing_key_is_named_and_the_last_test_stays(served, fake_provider, admin):
    try_model(served)
    Provider.objects.update(key_name="SOME_KEY_NOBODY_SET")
    before = ServedModel.objects.get().tested_at
    shown = text(admin.post(f"/providers/models/{served.pk}/test/", headers={"HX-Request": "true"}))
    assert "No key named SOME_KEY_NOBODY_SET" in shown
    assert ServedModel.objects.get().tested_at == before
    assert fake_provider.counts()["served"] == 1


def test_a_test_lasts_no_longer_than_one_attempt_may(served, fake_provider):
    """Also where each request alone comes back in time: two refusals of 0.7 seconds are more than the one second."""
    Provider.objects.update(timeout_seconds=1)
    fake_provider.tell(latency_ms=0, refuses_parameters=["seed", "logprobs"])
    fake_provider.tell(latency_ms=700)
    served.refresh_from_db()
    started = time.monotonic()
    found = try_model(ServedModel.objects.get())
    assert found["problem"] == "timeout"
    assert time.monotonic() - started < 30
    assert fake_provider.counts()["served"] <= 2, "a third request begins after more than the second"


def test_a_person_tests_so_often_and_no_more(served, fake_provider, admin, monkeypatch):
    monkeypatch.setattr(trying, "MAX_TRIES", 2)
    for _try in range(2):
        admin.post(f"/providers/models/{served.pk}/test/")
    shown = text(admin.post(f"/providers/models/{served.pk}/test/", headers={"HX-Request": "true"}))
    assert "try again in" in shown
    assert fake_provider.counts()["served"] == 2


def test_that_holds_while_the_cache_says_yes_to_everything_and_keeps_nothing(served, fake_provider, admin, monkeypatch):
    """As it does while Redis is away."""
    monkeypatch.setattr(type(caches["default"]), "add", lambda *_arguments, **_options: True)
    monkeypatch.setattr(trying, "MAX_TRIES", 2)
    for _try in range(4):
        admin.post(f"/providers/models/{served.pk}/test/")
    assert fake_provider.counts()["served"] == 2


def test_the_key_is_in_nothing_that_is_kept(httpserver, monkeypatch, db):
    monkeypatch.setenv("GATEWAY_KEY", "sk-canary-try")
    gateway = Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"), key_name="GATEWAY_KEY")
    said = {"choices": [{"message": {"content": "your key is sk-canary-try"}}], "model": "sk-canary-try"}
    httpserver.expect_request("/v1/chat/completions").respond_with_json(said)
    served = ServedModel.objects.create(provider=gateway, name="gpt-4o")
    found = try_model(served)
    assert found["answer"] == "your key is [key]"
    assert "sk-canary-try" not in json.dumps(found)
    assert not any("sk-canary-try" in str(event.detail) for event in AuditEvent.objects.all())


def test_what_no_database_can_hold_is_kept_without_it(httpserver, db):
    gateway = Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"))
    served = ServedModel.objects.create(provider=gateway, name="gpt-4o")
    said = {"choices": [{"message": {"content": "a\0b"}}], "model": "gpt-4o\0", "system_fingerprint": "fp\0"}
    httpserver.expect_oneshot_request("/v1/chat/completions").respond_with_json(said)
    assert "\0" not in "".join(str(value) for value in try_model(served).values())
    httpserver.expect_request("/v1/chat/completions").respond_with_json({"error": {"message": "no\0"}}, status=500)
    assert try_model(served)["problem"] == "http_500: no\ufffd"


def test_the_command_line_says_the_same(provider, fake_provider, capsys):
    call_command("try_model", "simulated-2@simulated", "--take-over")
    said = capsys.readouterr().out
    assert "Answered by: simulated-2\n" in said
    assert "Laboratory:  simulated\n" in said
    assert "no price is known" in said
    assert "takes a seed: yes" in said
    assert ServedModel.objects.get(name="simulated-2").takes_seed is True
    with pytest.raises(CommandError, match="providers: simulated"):
        call_command("try_model", "gpt-4o@nowhere")
    Provider.objects.update(is_simulated=False, base_url="http://127.0.0.1:9/v1")
    with pytest.raises(CommandError, match="did not answer"):
        call_command("try_model", "simulated-2@simulated")


def test_nothing_is_mapped_by_a_test(served, fake_provider):
    try_model(served)
    assert not ModelMapping.objects.exists()
    assert list(Laboratory.objects.values_list("slug", flat=True)) == ["simulated"]
