"""What a model takes and gives: as its row at the provider says, else as its provider and its name do."""

from dataclasses import dataclass

from providers.model_names import takes_temperature
from providers.models import Provider, ServedModel, StructuredOutput, TokenLimit

# The flags of a ServedModel, in the order in which they are shown. Each is True, False, or None: not known.
FLAGS = ("gives_schema", "gives_object", "gives_logprobs", "takes_seed", "takes_temperature", "reasons")


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What may be sent to a model. What is not known of a seed and of reasoning is sent where somebody asked for it."""

    structured: str  # a StructuredOutput
    takes_temperature: bool
    takes_seed: bool
    takes_effort: bool
    token_limit: str = ""  # a TokenLimit; empty where it is the laboratory's usual one


def capabilities_of(provider: Provider, model: str, effort: str = "") -> Capabilities:
    """Of a model at a provider, asked with this reasoning effort. One query; works for models without a row."""
    row = ServedModel.objects.filter(provider=provider, name=model).first()
    by_name = takes_temperature(model, is_asked_to_reason=bool(effort))
    if row is None:
        return Capabilities(provider.structured_output, by_name, takes_seed=True, takes_effort=True)
    # A test asks without a reasoning effort. With one, some models take no temperature that take it otherwise.
    only_name_knows = row.takes_temperature is None or (bool(effort) and takes_temperature(model) and not by_name)
    return Capabilities(
        structured=form_of_answer(provider, row),
        takes_temperature=by_name if only_name_knows else bool(row.takes_temperature),
        takes_seed=row.takes_seed is not False,
        takes_effort=row.reasons is not False,
        token_limit=row.token_limit,
    )


def form_of_answer(provider: Provider, row: ServedModel) -> str:
    """How the form of an answer is asked for: by the strictest way that model, else provider, is known to have."""
    by_provider = provider.structured_output
    gives_schema = by_provider == StructuredOutput.SCHEMA if row.gives_schema is None else row.gives_schema
    gives_object = by_provider != StructuredOutput.PROMPT if row.gives_object is None else row.gives_object
    if gives_schema:
        return str(StructuredOutput.SCHEMA)
    return str(StructuredOutput.OBJECT if gives_object else StructuredOutput.PROMPT)


def usual_token_limit(laboratory: str) -> str:
    """OpenAI's own models refuse the older name; everybody else understands it."""
    return str(TokenLimit.MAX_COMPLETION_TOKENS if laboratory == "openai" else TokenLimit.MAX_TOKENS)
