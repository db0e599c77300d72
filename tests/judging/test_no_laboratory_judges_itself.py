"""A judge never judges output of its own laboratory, whatever the gateway calls the model."""

import pytest
from django.core.management import CommandError, call_command

from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.models import Call
from projects.models import Laboratory, Response, TargetModel
from projects.problems import Invalid
from providers.laboratories import guard_of
from providers.model_names import laboratory_of, same_model
from providers.models import ModelMapping, Provider
from tests.people import add_response

ALIASES = [
    ("gpt-4o-2024-08-06", "openai"),
    ("openai/gpt-oss-120b", "openai"),
    ("groq/openai/gpt-oss-20b", "openai"),
    ("o3", "openai"),
    ("o4-mini-2025-04-16", "openai"),
    ("chatgpt-4o-latest", "openai"),
    ("claude-3-5-sonnet-latest", "anthropic"),
    ("openrouter/anthropic/claude-sonnet-4", "anthropic"),
    ("openrouter/anthropic/claude-sonnet-4:free", "anthropic"),
    ("anthropic/claude-3.7-sonnet:thinking", "anthropic"),
    ("anthropic.claude-3-haiku-20240307-v1:0", "anthropic"),
    ("us.anthropic.claude-sonnet-4-20250514-v1:0", "anthropic"),
    ("bedrock/converse/eu.anthropic.claude-3-5-sonnet-20241022-v2:0", "anthropic"),
    ("arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0", "anthropic"),
    ("vertex_ai/claude-3-5-sonnet@20240620", "anthropic"),
    ("projects/p/locations/us-central1/publishers/anthropic/models/claude-opus-4", "anthropic"),
    ("models/gemini-2.5-pro", "google"),
    ("google/gemini-2.5-flash-preview-05-20", "google"),
    ("gemma-3-27b-it", "google"),
    ("accounts/fireworks/models/llama-v3p1-405b-instruct", "meta"),
    ("meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo", "meta"),
    ("us.meta.llama3-3-70b-instruct-v1:0", "meta"),
    ("@cf/meta/llama-3.1-8b-instruct", "meta"),
    ("deepseek/deepseek-r1-distill-llama-70b:free", "deepseek"),
    ("deepseek-ai/DeepSeek-V3", "deepseek"),
    ("nvidia/llama-3.1-nemotron-70b-instruct", "nvidia"),
    ("x-ai/grok-4", "xai"),
    ("mistral-large-latest", "mistral"),
    ("mistralai/Mixtral-8x7B-Instruct-v0.1", "mistral"),
    ("together_ai/Qwen/Qwen2.5-72B-Instruct-Turbo", "alibaba"),
    ("qwen/qwq-32b:free", "alibaba"),
    ("hf/CohereForAI/c4ai-command-r-plus", "cohere"),
    ("moonshotai/kimi-k2", "moonshot"),
    ("z-ai/glm-4.5", "zhipu"),
    ("arn:aws:bedrock:us-east-1:123:inference-profile/us.amazon.nova-pro-v1:0", "amazon"),
    ("openrouter/openai/o4-mini-high", "openai"),
    ("litellm/gpt-5-mini", "openai"),
    ("gpt-3.5-turbo-0125", "openai"),
    ("apac.anthropic.claude-3-haiku-20240307-v1:0", "anthropic"),
    ("global.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic"),
    ("claude-sonnet-4@20250514", "anthropic"),
    ("publishers/google/models/gemini-2.0-flash-001", "google"),
    ("openrouter/google/gemma-3-27b-it:free", "google"),
    ("groq/llama-3.3-70b-versatile", "meta"),
    ("groq/meta-llama/llama-4-scout-17b-16e-instruct", "meta"),
    ("together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo-Free", "meta"),
    ("deepinfra/meta-llama/Meta-Llama-3.1-8B-Instruct", "meta"),
    ("mistral.mistral-large-2407-v1:0", "mistral"),
    ("openrouter/mistralai/mistral-small-3.2-24b-instruct:free", "mistral"),
    ("us.deepseek.r1-v1:0", "deepseek"),
    ("deepseek-chat", "deepseek"),
    ("fireworks_ai/accounts/fireworks/models/deepseek-v3", "deepseek"),
    ("openrouter/x-ai/grok-4-fast:free", "xai"),
    ("xai/grok-3-mini", "xai"),
    ("Qwen/Qwen3-235B-A22B-Instruct-2507", "alibaba"),
    ("cohere.command-r-plus-v1:0", "cohere"),
    ("cohere/command-a-03-2025", "cohere"),
    ("us.amazon.nova-lite-v1:0", "amazon"),
    ("microsoft/phi-4", "microsoft"),
    ("nvidia/nemotron-4-340b-instruct", "nvidia"),
    ("ai21.jamba-1-5-large-v1:0", "ai21"),
    ("perplexity/sonar-pro", "perplexity"),
    ("upstage/solar-pro2", "upstage"),
    ("LGAI-EXAONE/EXAONE-4.0-32B", "lg"),
    ("allenai/OLMo-2-0325-32B-Instruct", "ai2"),
    ("ibm-granite/granite-3.3-8b-instruct", "ibm"),
    ("naver-hyperclovax/HyperCLOVAX-SEED-Text-Instruct-1.5B", "naver"),
    ("tiiuae/falcon-180B-chat", "tii"),
    ("inceptionai/jais-13b-chat", "inceptionai"),
    ("minimax/minimax-m1", "minimax"),
    ("01-ai/yi-large", "01ai"),
    ("simulated-1:refuse", "simulated"),
]
UNKNOWN = [
    "openrouter/auto",  # a router: any laboratory may answer
    "azure/gpt-4o",  # a deployment's name is its owner's invention
    "azure/our-judge",
    "somebody/claude-clone",
    "anthropic/gpt-4o",  # two laboratories in one name
    "arn:aws:bedrock:us-east-1:123:application-inference-profile/abcd1234",
    "cl\u200daude-3",  # a joiner nobody sees
    "ft:gpt-4o-mini-2024-07-18:acme::abc123",  # trained on by its owner, on anything
    "switchpoint/router",
    "g\u0440t-4o",  # a Cyrillic letter
    "our-own-model",
    "",
]


@pytest.mark.parametrize(("model", "laboratory"), ALIASES)
def test_an_alias_tells_its_laboratory(model, laboratory):
    assert laboratory_of(model) == laboratory


@pytest.mark.parametrize("model", UNKNOWN)
def test_what_is_not_certain_is_unknown(model):
    assert laboratory_of(model) is None


@pytest.mark.parametrize(("model", "laboratory"), ALIASES)
def test_no_alias_judges_its_own_laboratory(model, laboratory, project, db):
    """The guard's removal (a `forbids` that says no) makes each of these fail."""
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    written_otherwise = {"google": "google-deepmind", "alibaba": "qwen", "meta": "meta-llama"}
    row = Laboratory.objects.create(slug=written_otherwise.get(laboratory, laboratory), name="Own")
    own = add_response(project, "own", "Written by its kin.", "en-US", model="Kin-1")
    TargetModel.objects.filter(name="Kin-1").update(laboratory=row)
    foreign = add_response(project, "foreign", "Written by others.", "en-US", model="Nile-7B")
    judge = add_judge(project, gateway, model)

    planned = plan(judge, Response.objects.filter(project=project))

    assert planned.excluded == {"Kin-1": 1}
    assert {response for response, _unit in planned.calls} == {foreign.pk}
    assert own.pk not in {response for response, _unit in planned.calls}


def test_a_wrong_laboratory_in_an_import_does_not_open_the_guard(project, db):
    """The response says its model is of delta-lab; the model's name says otherwise."""
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    add_response(project, "kin", "Text.", "en-US", model="openrouter/openai/gpt-4o-mini")
    judge = add_judge(project, gateway, "gpt-4o")
    assert plan(judge, Response.objects.filter(project=project)).excluded_count == 1


def test_an_unknown_laboratory_is_refused_until_it_is_mapped(project, db):
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(Invalid, match=r"manage.py map_model azure/our-judge LABORATORY") as refused:
        add_judge(project, gateway, "azure/our-judge")
    assert refused.value.problems[0].code == "laboratory_unknown"
    assert "/providers/" in str(refused.value)

    call_command("map_model", "azure/our-judge", "openai")
    judge = add_judge(project, gateway, "azure/our-judge")
    assert judge.rater.laboratory.slug == "openai"


def test_an_empty_mapping_is_refused(db):
    with pytest.raises(CommandError):
        call_command("map_model", " ", "openai")
    assert not ModelMapping.objects.exists()


def test_an_endpoint_that_contradicts_the_name_is_refused(db):
    openai = Laboratory.objects.create(slug="openai", name="OpenAI")
    provider = Provider.objects.create(name="p", base_url="http://127.0.0.1:9/v1", laboratory=openai)
    with pytest.raises(Invalid):
        guard_of("claude-3-opus", provider)
    assert guard_of("our-deployment", provider).laboratory == "openai"


def test_the_guard_is_asked_again_before_each_call(judge, fake_provider, project, boishakh):
    """Between plan and call the model of the response turned out to be the judge's kin."""
    run = runs.create_run(judge, Response.objects.filter(project=project))
    TargetModel.objects.update(laboratory=judge.rater.laboratory)
    for shard in runs.start_here(run):
        work_through(shard)
    assert set(Call.objects.values_list("state", "problem")) == {("failed", "own_laboratory")}
    assert fake_provider.counts()["served"] == 0


@pytest.mark.parametrize(
    ("asked", "replied", "is_accepted"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet-20241022", True),
        ("openrouter/google/gemini-2.5-pro:free", "google/gemini-2.5-pro", True),
        ("gemini-flash-latest", "gemini-2.5-flash", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4o", "claude-3-opus", False),
        ("gemini-flash-latest", "gpt-4o", False),
        ("gpt-4o", "", False),
    ],
)
def test_the_reply_must_come_from_the_model_that_was_asked(asked, replied, is_accepted, db):
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    assert guard_of(asked, gateway).accepts_reply(replied) is is_accepted


def test_dates_and_versions_make_no_other_model():
    assert same_model("gpt-4-0613", "gpt-4")
    assert not same_model("gpt-4o", "gpt-4")
    # `transformers serve` adds the revision that it loaded; one that was asked for stays another than another.
    assert same_model("/models/tiny", "/models/tiny@main")
    assert not same_model("/models/tiny", "/models/other@main")
    assert not same_model("/models/tiny@a1", "/models/tiny@b2")
