"""How long what judges reply is, by judge and variety."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import Figure
from reports.costs.calls import NO_USAGE
from reports.dashboard.columns import each_variety
from reports.dashboard.findings import highest
from reports.dashboard.parts import pooled
from reports.dashboard.results import Results
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Table
from reports.texts.measures.lengths import WORDS, length_figures, measures
from reports.texts.reader import Loaded, Replies

GROUP = "outputs"


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, Replies]:
    """Per variety."""
    replies = loaded.replies
    return {variety: replies.taken(chosen) for variety, chosen in each_variety(loaded.varieties, replies.variety)}


def figures(parts: Sequence[Replies], is_total: bool) -> dict[str, Any]:
    """By judge: replies, mean and standard deviation of their words and of their tokens."""
    pool = pooled(parts)
    outputs = {}
    for judge in np.unique(pool.judge).tolist():
        own = pool.taken(pool.judge == judge)
        outputs[judge] = (
            Figure(float(len(own)), len(own)),
            *length_figures(own.words, own.prompt),
            *length_figures(own.tokens, own.prompt, NO_USAGE),
        )
    return {"outputs": outputs, "responses": len(pool), "judges": len(outputs)}


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    rows = tuple(results.pool_rows(lambda pool: pool["outputs"], raters_first=True))
    said = results.figure_texts({one: of_one[1] for one, of_one in results.total()["outputs"].items()}, "length")
    return [
        Table(
            id="judge-output-lengths",
            headline=highest(rows, 1),
            title=_("Lengths of what judges reply"),
            summary=_("Mean words of a reply. %(words)s.") % {"words": said}
            if said
            else _("No judge was asked here yet: of imported answers the replies are not known."),
            dimensions=(_("judge"), _("variety")),
            rows=rows,
            recipe=results.recipe(
                "output_lengths",
                gold=False,
                replies="every reply that came, readable or not",
                words=WORDS,
                tokens="as the provider counted them, thinking included where it counts it",
            ),
            **measures(_("replies")),
        )
    ]
