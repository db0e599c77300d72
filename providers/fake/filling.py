"""How the simulated model fills in a questionnaire: each value by a hash, of the form that the request asks for.

Of a schema of a judge's answer only what stands under "answers" is filled in: an answer among those offered, a list of
one of them, a whole number of the scale, a number, a short text, ranks that are each given once.
"""

from typing import Any

from providers.fake.grading import share

REASONING = "Simulated: told by a hash."


def filled_in(stirred: str, shown: str, schema: dict) -> dict[str, Any]:
    """`stirred` is what the dice are stirred with: the seed and the model. Without a schema nothing is answered."""
    asked = schema.get("properties", {}).get("answers", {}).get("properties", {})
    return {
        "reasoning": REASONING,
        "answers": {key: value_of(form, f"{stirred}\x1f{shown}\x1f{key}") for key, form in asked.items()},
    }


def value_of(form: dict, stirred: str) -> Any:
    at = share(stirred)
    if "enum" in form:
        offered = [value for value in form["enum"] if value is not None]
        return offered[int(at * len(offered))]
    if "properties" in form:
        drawn = sorted(form["properties"], key=lambda name: share(stirred, name))
        return {name: 1 + drawn.index(name) for name in form["properties"]}
    if "items" in form:
        offered = form["items"]["enum"]  # one: no more than may ever be chosen, and no fewer than must be
        return [offered[int(at * len(offered))]]
    return int(at * 10) if "number" in form["type"] else "Simulated: a few words."
