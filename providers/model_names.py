"""Who trained a model, read from its name alone. No database.

Gateways and clouds put their own names around a model's: `openrouter/anthropic/claude-sonnet-4:free`,
`us.anthropic.claude-sonnet-4-20250514-v1:0`, `models/gemini-2.5-pro`. What stands behind is found by peeling
those off. Where anything is left that is not known, nothing is known: a guess would let a model judge its kin.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Names of the same laboratory under which imports, gateways and people write it.
SAME_LABORATORY = {
    "open-ai": "openai",
    "google-deepmind": "google",
    "deepmind": "google",
    "google-ai": "google",
    "meta-llama": "meta",
    "meta-ai": "meta",
    "facebook": "meta",
    "mistralai": "mistral",
    "mistral-ai": "mistral",
    "x-ai": "xai",
    "qwen": "alibaba",
    "alibaba-cloud": "alibaba",
    "tongyi": "alibaba",
    "deepseek-ai": "deepseek",
    "cohereforai": "cohere",
    "coherelabs": "cohere",
    "moonshotai": "moonshot",
    "moonshot-ai": "moonshot",
    "z-ai": "zhipu",
    "zai": "zhipu",
    "zai-org": "zhipu",
    "thudm": "zhipu",
    "zhipuai": "zhipu",
    "01-ai": "01ai",
    "minimaxai": "minimax",
    "ibm-granite": "ibm",
    "ai21labs": "ai21",
    "ai21-labs": "ai21",
    "tiiuae": "tii",
    "amazon-web-services": "amazon",
    "aws": "amazon",
    "naver-hyperclovax": "naver",
    "lgai-exaone": "lg",
    "lg-ai-research": "lg",
    "allenai": "ai2",
    "baidu-inc": "baidu",
    "simulated-lab": "simulated",
}

NAMES = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "meta": "Meta",
    "mistral": "Mistral AI",
    "xai": "xAI",
    "alibaba": "Alibaba",
    "deepseek": "DeepSeek",
    "cohere": "Cohere",
    "moonshot": "Moonshot AI",
    "zhipu": "Zhipu AI",
    "01ai": "01.AI",
    "minimax": "MiniMax",
    "ibm": "IBM",
    "ai21": "AI21 Labs",
    "tii": "Technology Innovation Institute",
    "amazon": "Amazon",
    "microsoft": "Microsoft",
    "nvidia": "NVIDIA",
    "naver": "NAVER",
    "lg": "LG AI Research",
    "upstage": "Upstage",
    "ai2": "Allen Institute for AI",
    "perplexity": "Perplexity",
    "inceptionai": "Inception",
    "simulated": "Simulated",
}

# Families by the start of the bare model name. More special ones first: a derived model is its maker's.
FAMILIES = [
    (re.compile(pattern), laboratory)
    for pattern, laboratory in [
        (r"deepseek-", "deepseek"),
        (r"(llama-[\d.v]+-)?nemotron|nvidia-nemotron", "nvidia"),
        (r"gpt-|chatgpt-|o[134](-|$)|davinci|codex-", "openai"),
        (r"claude", "anthropic"),
        (r"gemini|gemma|palm|medgemma", "google"),
        (r"meta-llama|llama|muse[ -]spark", "meta"),
        (r"mistral|mixtral|ministral|magistral|codestral|pixtral|open-mi[sx]tral|devstral", "mistral"),
        (r"grok", "xai"),
        (r"qwen|qwq|qvq|tongyi", "alibaba"),
        (r"command|c4ai|aya-", "cohere"),
        (r"kimi|moonshot", "moonshot"),
        (r"glm-|chatglm", "zhipu"),
        (r"yi-", "01ai"),
        (r"minimax|abab", "minimax"),
        (r"granite", "ibm"),
        (r"jamba", "ai21"),
        (r"falcon", "tii"),
        (r"nova-|titan-", "amazon"),
        (r"phi-|wizardlm", "microsoft"),
        (r"hyperclova|hcx-", "naver"),
        (r"exaone", "lg"),
        (r"solar-", "upstage"),
        (r"olmo|tulu", "ai2"),
        (r"sonar", "perplexity"),
        (r"jais", "inceptionai"),
        (r"simulated-", "simulated"),
    ]
]

# What passes models on without having trained them. Azure is absent on purpose: a deployment's name is its
# owner's invention, so nothing can be read from it; it must be mapped.
GATEWAYS = frozenset(
    {
        "openrouter",
        "litellm",
        "bedrock",
        "converse",
        "invoke",
        "vertex_ai",
        "vertex-ai",
        "vertex",
        "together",
        "together_ai",
        "togethercomputer",
        "fireworks",
        "fireworks_ai",
        "groq",
        "deepinfra",
        "anyscale",
        "replicate",
        "huggingface",
        "hf",
        "hyperbolic",
        "novita",
        "siliconflow",
        "cerebras",
        "sambanova",
        "nebius",
        "nvidia_nim",
        "nim",
        "cloudflare",
        "@cf",
        "workers-ai",
        "models",
        "publishers",
        "accounts",
        "foundation-model",
        "inference-profile",
        "aiml",
        "nscale",
        "lambda",
        "featherless",
        "requesty",
        "portkey",
        "helicone",
        "vercel",
        "unify",
        "poe",
        "github",
        "databricks",
        "watsonx",
        "oci",
        "snowflake",
        "vllm",
        "hosted_vllm",
        "ollama",
        "ollama_chat",
        "lm_studio",
        "xinference",
    }
)
REGION_OF_BEDROCK = re.compile(r"(us-gov|us|eu|apac|ap|jp|au|ca|sa|me|af|global)\.(?=[a-z0-9]+\.)")
# Publishers as Bedrock writes them, before a dot.
BEDROCK_PUBLISHER = re.compile(
    r"(anthropic|amazon|meta|mistral|cohere|ai21|deepseek|openai|qwen|google|nvidia|minimax|moonshot|writer)\.(?=.)"
)
VARIANT = re.compile(r":[a-z][a-z0-9_-]*$")
VERSION = re.compile(r"(-v\d+(:\d+)*|:\d+|@\d{8}|@latest|@default)$")
DATED = re.compile(r"[-@](\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{2,4}|\d{4}|\d{3})$")
LATEST = re.compile(r"[-:]latest$")


def canonical(laboratory: str) -> str:
    """One spelling per laboratory, so that `google-deepmind` cannot judge `google`."""
    slug = laboratory.strip().casefold().replace("_", "-").replace(" ", "-")
    return SAME_LABORATORY.get(slug, slug)


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model's name taken apart: `publisher` is a canonical laboratory or None, `base` the bare name."""

    full: str
    inner: str  # behind the gateways
    publisher: str | None
    base: str
    strangers: tuple[str, ...]  # parts that are neither a gateway nor a known publisher


def take_apart(model: str) -> ModelName:
    full = model.strip().casefold()
    path = full
    if path.startswith("arn:"):
        path = path.rpartition(":")[2] if "/" not in path else path.split("/", 1)[1]
    path = re.sub(r"^projects/[^/]+/locations/[^/]+/", "", path)
    path = re.sub(r"accounts/fireworks/models/", "", path)
    parts = [part for part in path.split("/") if part]
    while len(parts) > 1 and parts[0] in GATEWAYS:
        parts.pop(0)
    inner = "/".join(parts)
    base = parts[-1] if parts else ""
    base = REGION_OF_BEDROCK.sub("", base, count=1)
    publisher = None
    dotted = BEDROCK_PUBLISHER.match(base)
    if dotted:
        publisher, base = canonical(dotted[1]), base[dotted.end() :]
    strangers = []
    for part in parts[:-1]:
        if part in GATEWAYS:
            continue
        known = canonical(part)
        if known in NAMES and publisher in (None, known):
            publisher = known
        else:
            strangers.append(part)
    return ModelName(full, inner, publisher, VARIANT.sub("", base), tuple(strangers))


def family(base: str) -> str | None:
    return next((laboratory for pattern, laboratory in FAMILIES if pattern.match(base)), None)


def laboratory_of(
    model: str, mappings: Sequence[tuple[str, str]] = (), endpoint_laboratory: str | None = None
) -> str | None:
    """The canonical laboratory behind a model's name, or None where it is not known for certain.

    `mappings` are (start of the name, laboratory) as an administrator set them; the longest that fits decides.
    `endpoint_laboratory` is the one laboratory that stands behind everything an endpoint serves. Two sources
    that name different laboratories give None: one of them is wrong, and nobody here can tell which.
    """
    name = take_apart(model)
    fitting = [
        (len(pattern), laboratory)
        for pattern, laboratory in mappings
        if pattern and (name.full.startswith(pattern.casefold()) or name.inner.startswith(pattern.casefold()))
    ]
    if fitting:
        return canonical(max(fitting)[1])
    laboratories = {canonical(endpoint_laboratory)} if endpoint_laboratory else set()
    if not name.strangers:
        laboratories |= {laboratory for laboratory in (name.publisher, family(name.base)) if laboratory}
    return laboratories.pop() if len(laboratories) == 1 else None


# Models that refuse to be told a temperature, by the start of the bare name. (From gpt-5.1 on, OpenAI's take one
# as long as they are not asked to reason, which is how they are asked here.)
OWN_TEMPERATURE = re.compile(r"o[134](-|$)|gpt-5(?!\.)|gpt-5[.\d]*-pro|claude-opus-4[.-]([7-9]|\d\d)(?!\d)")
OWN_TEMPERATURE_WHEN_REASONING = re.compile(r"gpt-5")


def takes_temperature(model: str, is_asked_to_reason: bool = False) -> bool:
    """False for models that are known to answer a request with a temperature by an error."""
    base = take_apart(model).base
    if is_asked_to_reason and OWN_TEMPERATURE_WHEN_REASONING.match(base):
        return False
    return OWN_TEMPERATURE.match(base) is None


def same_model(asked: str, replied: str) -> bool:
    """True where a reply's `model` is the one that was asked: dates, versions and gateways aside, and the revision that
    a server adds of itself (`transformers serve` answers as NAME@main)."""
    asked_base, replied_base = take_apart(asked).base, take_apart(replied).base
    if "@" not in asked_base:
        replied_base = replied_base.partition("@")[0] or replied_base
    return _undated(asked_base) == _undated(replied_base)


def _undated(base: str) -> str:
    for _pass in range(2):
        for pattern in (VERSION, LATEST, DATED):
            base = pattern.sub("", base)
    return base
