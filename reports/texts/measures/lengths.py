"""How long prompts and responses are, in words and in tokens, by variety and target model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import inference
from agreement.figures import NO_ITEMS, TOO_FEW, Figure
from agreement.statistics import rate_of_sums
from reports.costs.calls import NO_USAGE
from reports.dashboard.columns import Floats, Integers, each_variety
from reports.dashboard.findings import first_of
from reports.dashboard.parts import pooled
from reports.dashboard.results import Results
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import known_figures, no_figure_yet
from reports.texts.reader import Loaded

GROUP = "lengths"
#: In place of a model's id: all of them; and the prompts that they were given.
ALL, PROMPTS = 0, -1
WORDS = "as the variety's words are told apart: by spaces, or by Unicode's boundaries where a script has none"
TOKENS = "as the provider counted them, of what was asked from here"


@dataclass(frozen=True, eq=False)
class Texts:
    """Of one variety: words of each prompt, shape (P,); of responses, shape (R,), prompt, model, words, tokens of the
    prompt and of the response."""

    prompt: Integers
    prompt_words: Integers
    given: Integers
    model: Integers
    words: Integers
    prompt_tokens: Floats
    tokens: Floats


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, Texts]:
    """Per variety."""
    prompts, responses = loaded.prompts, loaded.responses
    parts = {}
    for variety, of_prompts in each_variety(loaded.varieties, prompts.variety):
        asked, answers = prompts.taken(of_prompts), responses.taken(responses.variety == variety)
        parts[variety] = Texts(
            asked.id,
            asked.words,
            answers.prompt,
            answers.model,
            answers.words,
            answers.prompt_tokens,
            answers.tokens,
        )
    return parts


def figures(parts: Sequence[Texts], is_total: bool) -> dict[str, Any]:
    """By model, ALL or PROMPTS: texts, mean and standard deviation of words and of tokens."""
    pool = pooled(parts)
    lengths = {
        PROMPTS: (
            Figure(float(len(pool.prompt)), len(pool.prompt)),
            *length_figures(pool.prompt_words, pool.prompt),
            *length_figures(pool.prompt_tokens, pool.given, NO_USAGE),
        )
    }
    models = np.unique(pool.model).tolist()
    for one in [*models, *([ALL] if len(models) > 1 else [])]:
        chosen = (pool.model == one) | (one == ALL)
        n = int(chosen.sum())
        lengths[one] = (
            Figure(float(n), n),
            *length_figures(pool.words[chosen], pool.given[chosen]),
            *length_figures(pool.tokens[chosen], pool.given[chosen], NO_USAGE),
        )
    return {"lengths": lengths, "responses": len(pool.words)}


def length_figures(values: Any, prompt: Integers, nothing: str = NO_ITEMS) -> tuple[Figure, Figure]:
    """Mean with its interval over prompts, and standard deviation, of the values that are there; undefined for
    `nothing` where there is none."""
    lengths = np.asarray(values, dtype=np.float64)
    known = ~np.isnan(lengths)
    n = int(known.sum())
    if not n:
        missing = Figure.without_value(nothing, len(lengths))
        return missing, missing
    mean = inference.mean(lengths[known], statistic=rate_of_sums, cluster=prompt[known])
    spread = Figure(float(lengths[known].std(ddof=1)), n) if n > 1 else Figure.without_value(TOO_FEW, n)
    return mean, spread


# --- Tables ----------------------------------------------------------------------------------------


def measures(counted: str) -> dict[str, Any]:
    names = (counted, _("mean words"), _("sd of words"), _("mean tokens"), _("sd of tokens"))
    return {"measures": names, "unit": "length", "units": {counted: "count"}}


def tables(results: Results) -> list[Table]:
    names = {PROMPTS: _("Prompts"), ALL: _("All target models")} | dict(results.names.models)
    rows = tuple(
        Row((names[one], label), of_one, {**drill, **({"model": names[one]} if one > 0 else {})}, results.marks())
        for label, drill, pool in results.pools()
        for one, of_one in pool["lengths"].items()
        if of_one[0].value
    )
    said = known_figures(((names[one], of_one[1]) for one, of_one in results.total()["lengths"].items()), "length")
    return [
        Table(
            id="text-lengths",
            headline=first_of(rows, 1),
            title=_("Lengths of prompts and responses"),
            summary=_("Mean words. %(words)s.") % {"words": said} if said else no_figure_yet(),
            dimensions=(_("text"), _("variety")),
            rows=rows,
            recipe=results.recipe("text_lengths", gold=False, words=WORDS, tokens=TOKENS),
            x=_("text"),
            series=_("variety"),
            note=_(
                "Tokens are those that a target model's provider counted when it was asked from here: of a prompt all "
                "that was sent. Models count differently, so tokens compare texts of one model."
            ),
            **measures(_("texts")),
        )
    ]
