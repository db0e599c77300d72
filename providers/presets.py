"""Providers that many use, as data: where each is reached, and what is known of all its models.

A preset fills in the form of a new provider; every field stays open to change. One more provider is one more entry.
Addresses and fields are those of the providers' own pages on OpenAI compatibility. The limits are those of a small
account: what an account may really do stands on the provider's page of limits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Preset:
    """What the form of a new provider is filled in with. A limit that is None is none."""

    name: str  # short, as tables and the command line have it
    title: str
    base_url: str  # empty where everybody has an address of their own
    key_name: str = ""
    laboratory: str = ""  # the one laboratory behind all models; empty for gateways and self-hosted models
    structured_output: str = "schema"
    concurrency: int = 16
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    timeout_seconds: int = 120
    deadline_seconds: int = 900
    note: str | Promise = ""
    # How its list of models is asked for, where a plain GET of /models with the key as a bearer does not do.
    list_query: str = ""
    list_headers: Mapping[str, str] = field(default_factory=dict)
    list_key_header: str = ""


PRESETS = (
    Preset(
        name="openai",
        title="OpenAI",
        base_url="https://api.openai.com/v1",
        key_name="OPENAI_API_KEY",
        laboratory="openai",
        requests_per_minute=500,
        tokens_per_minute=200_000,
    ),
    Preset(
        name="google",
        title="Google AI Studio",
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        key_name="GEMINI_API_KEY",
        laboratory="google",
        requests_per_minute=150,
        tokens_per_minute=1_000_000,
        note=_("The same address serves Gemini and Gemma models."),
    ),
    Preset(
        name="anthropic",
        title="Anthropic",
        base_url="https://api.anthropic.com/v1",
        key_name="ANTHROPIC_API_KEY",
        laboratory="anthropic",
        structured_output="prompt",
        concurrency=8,
        requests_per_minute=50,
        tokens_per_minute=30_000,
        note=_("This interface passes over a seed, log probabilities and the form of an answer without a word."),
        list_query="limit=1000",
        list_headers={"anthropic-version": "2023-06-01"},
        list_key_header="x-api-key",
    ),
    Preset(
        name="xai",
        title="xAI",
        base_url="https://api.x.ai/v1",
        key_name="XAI_API_KEY",
        laboratory="xai",
        requests_per_minute=480,
    ),
    Preset(
        name="alibaba",
        title="Alibaba Model Studio",
        base_url="https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        key_name="DASHSCOPE_API_KEY",
        # Not one laboratory: DeepSeek's and others' models are served there beside Qwen, whose names tell.
        structured_output="object",
        requests_per_minute=600,
        note=_(
            "The address of Singapore. Keys belong to a region: for Beijing, Virginia or Hong Kong put theirs in its "
            "place."
        ),
    ),
    Preset(
        name="openrouter",
        title="OpenRouter",
        base_url="https://openrouter.ai/api/v1",
        key_name="OPENROUTER_API_KEY",
        note=_("A gateway: the laboratory is read from each model's name. Its list of models tells prices as well."),
    ),
    Preset(
        name="vllm",
        title="vLLM",
        base_url="",
        timeout_seconds=300,
        deadline_seconds=1800,
        note=_(
            "Models that you serve yourself: the address is your server's, such as http://gpu-1:8000/v1, and each "
            "model names its laboratory. A key is needed only where the server was started with one."
        ),
    ),
)


def preset_named(name: str) -> Preset | None:
    return next((preset for preset in PRESETS if preset.name == name), None)


def preset_at(base_url: str) -> Preset | None:
    """The preset of the provider at this address, whatever its row is called; None where it is of none."""
    host = urlsplit(base_url).hostname
    return next((preset for preset in PRESETS if host and urlsplit(preset.base_url).hostname == host), None)
