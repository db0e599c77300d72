"""Ada sets up providers from presets, takes over their models, and names the laboratory of those served at home."""

import shlex

import pytest
from django.core.management import CommandError, call_command
from werkzeug import Response as Redirect

from judging.engine.planning import plan
from judging.judges import add_judge
from judging.models import Judge
from projects.models import AuditEvent, Laboratory, Response, TargetModel
from projects.problems import Invalid
from providers.laboratories import guard_of, mapping_line, resolve, unknown_laboratory
from providers.model_lists import read_list
from providers.models import ModelMapping, Provider, ServedModel
from providers.presets import PRESETS
from tests.people import add_response, signed_in


@pytest.fixture
def admin(ada):
    return signed_in(ada)


@pytest.fixture
def at_home(db) -> Provider:
    return Provider.objects.create(name="at-home", base_url="http://127.0.0.1:9/v1")


def text(response) -> str:
    return response.content.decode()


def filled(client, preset: str) -> dict:
    """What the form of a preset holds before anybody types."""
    form = client.get(f"/providers/add/?preset={preset}").context["form"]
    return {field.name: field.value() for field in form if field.value() is not None}


def test_adding_begins_with_choosing_a_preset(admin):
    shown = text(admin.get("/providers/add/"))
    for name in ("OpenAI", "Google AI Studio", "Anthropic", "xAI", "Alibaba", "OpenRouter", "vLLM", "Another address"):
        assert name in shown


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_each_preset_can_be_saved_as_it_is(preset, admin):
    told = filled(admin, preset.name)
    if not preset.base_url:
        assert admin.post(f"/providers/add/?preset={preset.name}", told).status_code == 422  # the address is one's own
        told["base_url"] = "http://gpu-1.example:8000/v1"
    response = admin.post(f"/providers/add/?preset={preset.name}", told)
    saved = Provider.objects.get()
    assert response.url == f"/providers/{saved.pk}/models/"
    assert (saved.name, saved.key_name) == (preset.name, preset.key_name)
    assert saved.requests_per_minute == preset.requests_per_minute
    assert (saved.laboratory.slug if saved.laboratory else "") == preset.laboratory
    assert "No models yet" in text(admin.get(response.url))
    assert AuditEvent.objects.filter(action="provider.saved", subject=preset.name).exists()


def test_every_field_of_a_preset_stays_open_to_change(admin):
    told = filled(admin, "openai") | {
        "name": "our-openai",
        "base_url": "https://eu.api.openai.example/v1/chat/completions/",
        "key_name": "OUR_KEY",
        "chosen_laboratory": "",
        "structured_output": "object",
        "concurrency": 3,
        "requests_per_minute": "",
        "tokens_per_minute": 5000,
        "timeout_seconds": 20,
        "deadline_seconds": 40,
    }
    assert admin.post("/providers/add/?preset=openai", told).status_code == 302
    saved = Provider.objects.get()
    assert saved.base_url == "https://eu.api.openai.example/v1"  # what is asked for there is no part of the address
    assert (saved.key_name, saved.laboratory, saved.structured_output, saved.concurrency) == (
        "OUR_KEY",
        None,
        "object",
        3,
    )
    assert (saved.requests_per_minute, saved.tokens_per_minute) == (None, 5000)
    assert (saved.timeout_seconds, saved.deadline_seconds) == (20, 40)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"base_url": "https://me:sk-1@gateway.example/v1"}, "base_url"),
        ({"base_url": "https://gateway.example/v1?key=sk-1"}, "base_url"),
        ({"key_name": "SECRET_KEY"}, "key_name"),  # the installation's own, sent to whoever is named here
        ({"key_name": "sk-proj-1"}, "key_name"),
        ({"key_name": "hf_" + "aB3" * 11}, "key_name"),  # a key that is written as a name could be
        ({"key_name": "0123456789abcdef" * 2}, "key_name"),
        ({"key_name": "مفتاح"}, "key_name"),  # no environment holds it
        ({"timeout_seconds": 100, "deadline_seconds": 50}, "deadline_seconds"),
        ({"requests_per_minute": 0}, "requests_per_minute"),
    ],
)
def test_what_would_do_harm_is_refused_and_nothing_stored(wrong, field, admin):
    response = admin.post("/providers/add/?preset=openai", filled(admin, "openai") | wrong)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert not Provider.objects.exists()


def test_ada_takes_models_over_from_the_providers_list(admin, provider, fake_provider):
    Provider.objects.update(laboratory=None)
    listed = [
        {
            "id": "anthropic/claude-sonnet-4",
            "pricing": {"prompt": "0.000003", "completion": "0.000015"},
            "supported_parameters": ["temperature", "structured_outputs", "reasoning"],
        },
        {"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "our-own"},
        {"id": "x" * 300},
        {"name": "no id"},
        "nothing",
    ]
    fake_provider.tell(models=listed)
    page = admin.post(f"/providers/{provider.pk}/models/fetch/", follow=True)
    shown = text(page)
    assert "lists 3 models" in shown
    assert shown.count(">not known<") == 2
    assert "$3 / $15" in shown
    assert not ServedModel.objects.exists()
    assert "our-own" not in text(admin.get(f"/providers/{provider.pk}/models/listed/", {"q": "CLAUDE"}))

    chosen = {"model": ["anthropic/claude-sonnet-4", "never listed"]}
    assert "1 model was added" in text(admin.post(f"/providers/{provider.pk}/models/listed/", chosen, follow=True))
    row = ServedModel.objects.get()
    assert (row.input_price, row.output_price) == (3, 15)
    assert (row.gives_schema, row.takes_temperature, row.reasons) == (True, True, True)
    assert (row.gives_object, row.gives_logprobs, row.takes_seed) == (False, False, False)
    again = admin.post(f"/providers/{provider.pk}/models/listed/", chosen, follow=True)
    assert "0 models were added" in text(again)
    assert AuditEvent.objects.get(action="provider.models_listed").subject == provider.name


def test_a_list_that_tells_nothing_makes_nothing_of_it():
    assert read_list({"data": "none"}) == read_list(None) == read_list([]) == []
    priced = read_list({"data": [{"id": "a", "pricing": {"prompt": "NaN", "completion": "1"}}]})
    assert priced[0].input_price is None
    half = read_list({"data": [{"id": "a", "pricing": {"prompt": "0.000001"}}]})
    assert (half[0].input_price, half[0].output_price) == (None, None)


def test_a_list_that_is_no_longer_kept_is_fetched_again(admin, provider):
    assert "Fetch it once more" in text(admin.get(f"/providers/{provider.pk}/models/listed/", follow=True))


def test_a_provider_that_is_away_is_said_to_be(admin, at_home):
    shown = text(admin.post(f"/providers/{at_home.pk}/models/fetch/", follow=True))
    assert "The provider could not be reached" in shown
    assert "Models can be added by name as well" in shown


def test_the_key_goes_to_the_configured_host_and_follows_no_redirect(admin, httpserver, monkeypatch):
    monkeypatch.setenv("GATEWAY_KEY", "sk-canary-list")
    gateway = Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"), key_name="GATEWAY_KEY")
    elsewhere = httpserver.url_for("/elsewhere")
    httpserver.expect_request("/v1/models").respond_with_response(Redirect(status=302, headers={"Location": elsewhere}))
    shown = text(admin.post(f"/providers/{gateway.pk}/models/fetch/", follow=True))
    assert "points to another address" in shown
    assert [request.path for request, _answer in httpserver.log] == ["/v1/models"]
    assert httpserver.log[0][0].headers["Authorization"] == "Bearer sk-canary-list"


def test_a_list_that_repeats_the_key_shows_it_nowhere(admin, httpserver, monkeypatch):
    monkeypatch.setenv("GATEWAY_KEY", "sk-canary-list")
    gateway = Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"), key_name="GATEWAY_KEY")
    body = {"error": {"message": "Incorrect API key provided: sk-canary-list"}}
    httpserver.expect_request("/v1/models").respond_with_json(body, status=401)
    shown = text(admin.post(f"/providers/{gateway.pk}/models/fetch/", follow=True))
    assert "Incorrect API key provided: [key]. Models can be added" in shown
    assert "sk-canary-list" not in shown


def test_a_missing_key_is_named_and_nothing_asked(admin, provider, fake_provider):
    Provider.objects.update(key_name="SOME_KEY_NOBODY_SET")
    shown = text(admin.post(f"/providers/{provider.pk}/models/fetch/", follow=True))
    assert "No key named SOME_KEY_NOBODY_SET" in shown


def test_a_self_hosted_model_names_its_laboratory(admin, at_home, project):
    """A server at home calls its model what clients expect; the row says who trained it."""
    form = {"name": "gpt-3.5-turbo", "chosen_laboratory": "meta", "input_price": "", "output_price": ""}
    assert admin.post(f"/providers/{at_home.pk}/models/add/", form).status_code == 302
    assert resolve("gpt-3.5-turbo", at_home) == "meta"
    guard = guard_of("gpt-3.5-turbo", at_home)
    assert guard.accepts_reply("gpt-3.5-turbo")
    assert not guard.accepts_reply("gpt-4o")
    assert resolve("gpt-4o", at_home) == "openai"  # another model of the same provider
    elsewhere = Provider.objects.create(name="elsewhere", base_url="http://127.0.0.1:9/v1")
    assert resolve("gpt-3.5-turbo", elsewhere) == "openai"  # the same name at another provider

    own = add_response(project, "own", "Written by its kin.", "en-US", model="Kin-1")
    meta = Laboratory.objects.get(slug="meta")
    TargetModel.objects.filter(name="Kin-1").update(laboratory=meta)
    judge = add_judge(project, at_home, "gpt-3.5-turbo")
    assert judge.rater.laboratory == meta
    planned = plan(judge, Response.objects.filter(project=project))
    assert planned.excluded == {"Kin-1": 1}
    assert own.pk not in {response for response, _unit in planned.calls}


def test_a_laboratory_that_is_not_in_the_list_is_written_in(admin, at_home):
    form = {"name": "dar-13b", "other_laboratory": "Delta Lab"}
    assert admin.post(f"/providers/{at_home.pk}/models/add/", form).status_code == 302
    assert resolve("dar-13b", at_home) == "delta-lab"
    arabic = admin.post(f"/providers/{at_home.pk}/models/add/", {"name": "b", "other_laboratory": "مختبر"})
    assert arabic.status_code == 422
    known = {"name": "c", "other_laboratory": "Meta Llama"}  # another spelling of one that is known
    admin.post(f"/providers/{at_home.pk}/models/add/", known)
    assert resolve("c", at_home) == "meta"


def test_what_the_row_says_decides_over_a_mapping(at_home):
    call_command("map_model", "our-", "openai")
    assert resolve("our-model", at_home) == "openai"
    ServedModel.objects.create(
        provider=at_home, name="our-model", laboratory=Laboratory.objects.create(slug="xai", name="xAI")
    )
    assert resolve("our-model", at_home) == "xai"
    assert resolve("our-other", at_home) == "openai"


@pytest.mark.parametrize(
    "model",
    ["our-judge", "our judge; rm -rf /", "it's ours", "--our-judge", "$(ours)", "o" * 150, "“ours”", "cl\u200daude-3"],
)
def test_the_line_that_maps_a_model_can_be_run_as_it_stands(model, at_home):
    with pytest.raises(Invalid) as refused:
        resolve(model, at_home)
    assert mapping_line(model) in str(refused.value)
    assert mapping_line(model) in unknown_laboratory(model)
    program, *arguments = shlex.split(mapping_line(model).replace("LABORATORY", "openai"))
    assert program == "manage.py"
    call_command(*arguments)
    assert resolve(model, at_home) == "openai"


def test_a_pattern_that_no_row_can_hold_is_refused(db):
    with pytest.raises(CommandError, match="at most 120 characters"):
        call_command("map_model", "o" * 121, "openai")
    assert not ModelMapping.objects.exists()


def test_half_a_price_and_a_name_twice_are_refused(admin, at_home):
    url = f"/providers/{at_home.pk}/models/add/"
    assert "input_price" not in admin.post(url, {"name": "a", "input_price": "1"}).context["form"].errors
    assert admin.post(url, {"name": "a", "input_price": "1"}).context["form"].errors["output_price"]
    assert admin.post(url, {"name": "a", "input_price": "-1", "output_price": "1"}).status_code == 422
    assert admin.post(url, {"name": "a", "input_price": "1.5", "output_price": "6"}).status_code == 302
    assert admin.post(url, {"name": "a"}).status_code == 422
    row = ServedModel.objects.get()
    changed = {"name": "a", "gives_schema": "true", "takes_seed": "false", "reasons": "unknown"}
    assert admin.post(f"/providers/models/{row.pk}/", changed).status_code == 302
    row.refresh_from_db()
    assert (row.gives_schema, row.takes_seed, row.reasons, row.input_price) == (True, False, None, None)
    assert AuditEvent.objects.filter(action="model.saved").count() == 2


def test_a_model_taken_from_the_list_leaves_its_judges(admin, project, provider):
    row = ServedModel.objects.create(provider=provider, name="simulated-1")
    add_judge(project, provider, "simulated-1")
    assert "1 judge uses this model and stays" in text(admin.get(f"/providers/models/{row.pk}/"))
    admin.post(f"/providers/models/{row.pk}/remove/")
    assert not ServedModel.objects.exists()
    assert Judge.objects.exists()


def test_the_pages_cost_the_same_number_of_queries_for_many(
    admin, provider, fake_provider, django_assert_max_num_queries
):
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    for number in range(40):
        ServedModel.objects.create(provider=provider, name=f"m-{number:03}", laboratory=laboratory)
        Provider.objects.create(name=f"p-{number}", base_url="http://127.0.0.1:9/v1")
    fake_provider.tell(models=[{"id": f"m-{number:03}"} for number in range(200)])
    admin.post(f"/providers/{provider.pk}/models/fetch/")
    # session, person, and the page's own questions
    with django_assert_max_num_queries(6):
        admin.get("/providers/")
    with django_assert_max_num_queries(6):
        assert "m-039" in text(admin.get(f"/providers/{provider.pk}/models/"))
    with django_assert_max_num_queries(5):
        assert "m-199" in text(admin.get(f"/providers/{provider.pk}/models/listed/"))
    assert "m-039" in text(admin.get(f"/providers/{provider.pk}/models/", {"q": "039"}))
    assert "No model's name contains this" in text(admin.get(f"/providers/{provider.pk}/models/", {"q": "zzz"}))


def test_nobody_else_finds_the_pages(nour, provider):
    row = ServedModel.objects.create(provider=provider, name="simulated-1")
    client = signed_in(nour)
    for url in (f"/providers/{provider.pk}/models/", f"/providers/models/{row.pk}/", "/providers/add/"):
        assert client.get(url).status_code == 404
    assert client.post(f"/providers/models/{row.pk}/test/").status_code == 404
