"""How many prompts there are of each kind in each variety, and how long they and their responses are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from agreement.figures import NO_ITEMS, Figure, share
from reports.costs.calls import NO_USAGE
from reports.dashboard.columns import Floats, Integers, each_variety, joined
from reports.dashboard.findings import first_of
from reports.dashboard.results import Results
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import count_text
from reports.texts.measures.lengths import TOKENS, WORDS, length_figures
from reports.texts.reader import CELLS, Loaded

GROUP = "cells"
#: Of a kind with more cells nothing is shown: it names prompts rather than sorting them.
MOST_CELLS = 100
#: Of a prompt of which the project says nothing, beside others of which it does.
NOT_SAID = ""


@dataclass(frozen=True, eq=False)
class Counted:
    """Of one variety: prompts, shape (P,), with their words and, by name of CELLS, what is said of them; of responses,
    shape (R,), prompt, words, tokens of prompt and response."""

    prompt: Integers
    words: Integers
    cells: Mapping[str, NDArray[Any]]
    given: Integers
    answer_words: Integers
    prompt_tokens: Floats
    tokens: Floats


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, Counted]:
    """Per variety."""
    prompts, responses, cells = loaded.prompts, loaded.responses, loaded.cells
    parts = {}
    for variety, of_prompts in each_variety(loaded.varieties, prompts.variety):
        answers = responses.taken(responses.variety == variety)
        parts[variety] = Counted(
            prompts.id[of_prompts],
            prompts.words[of_prompts],
            {name: texts[of_prompts] for name, texts in cells.items()},
            answers.prompt,
            answers.words,
            answers.prompt_tokens,
            answers.tokens,
        )
    return parts


def figures(parts: Sequence[Counted], is_total: bool) -> dict[str, Any]:
    """By (name of CELLS, what it says): prompts, their share, responses, mean words of prompts and responses, mean
    tokens of both. Kinds that the project says nothing of are left out."""
    prompt, words, given = (joined(parts, name) for name in ("prompt", "words", "given"))
    of_answers = [joined(parts, name) for name in ("answer_words", "prompt_tokens", "tokens")]
    counted = {}
    for kind in CELLS:
        said = np.concatenate([part.cells[kind] for part in parts])
        for cell in _cells(said):
            chosen = said == cell
            answers = np.isin(given, prompt[chosen])
            long, asked, replied = (column[answers] for column in of_answers)
            n = int(answers.sum())
            counted[kind, cell] = (
                Figure(float(chosen.sum()), len(prompt)),
                share(int(chosen.sum()), len(prompt), NO_ITEMS),
                Figure(float(n), n),
                length_figures(words[chosen], prompt[chosen])[0],
                length_figures(long, given[answers])[0],
                length_figures(asked, given[answers], NO_USAGE)[0],
                length_figures(replied, given[answers], NO_USAGE)[0],
            )
    return {"cells": counted, "responses": len(prompt)}


def _cells(said: NDArray[Any]) -> Iterator[str]:
    """What is said of any prompt, what is said of none last; nothing where the project says nothing, or too much."""
    known = sorted(set(said.tolist()) - {NOT_SAID})
    if 0 < len(known) <= MOST_CELLS:
        yield from known
        if NOT_SAID in said:
            yield NOT_SAID


# --- Tables ----------------------------------------------------------------------------------------


def kinds() -> dict[str, str]:
    return {
        "domain": _("Domain"),
        "task": _("Task"),
        "dimension": _("Dimension"),
        "question": _("Question type"),
        "scope": _("Scope of the rubric"),
        "skill": _("Skill"),
    }


def tables(results: Results) -> list[Table]:
    names = kinds()
    measures = (
        *(_("prompts"), _("share of prompts"), _("responses")),
        *(_("mean words of a prompt"), _("mean words of a response")),
        *(_("mean tokens of a prompt"), _("mean tokens of a response")),
    )
    rows = tuple(
        Row((names[kind], cell or _("not said"), label), of_cell, drill, results.marks())
        for label, drill, pool in results.pools()
        for (kind, cell), of_cell in pool["cells"].items()
    )
    n = results.total()["responses"]
    cells = sum(1 for _kind, cell in results.total()["cells"] if cell)
    return [
        Table(
            id="prompts-per-cell",
            headline=first_of(rows),
            title=_("Prompts of each kind"),
            summary=_("%(n)s prompts with responses in %(cells)d kinds.") % {"n": count_text(n), "cells": cells}
            if rows
            else _("Nothing is said of what kind the prompts are: give them a domain, a task or a question type."),
            dimensions=(_("by"), _("kind"), _("variety")),
            measures=measures,
            rows=rows,
            recipe=results.recipe(
                "prompts_per_cell",
                gold=False,
                prompts="with responses of the scope",
                left_out=f"what has more than {MOST_CELLS} values",
                words=WORDS,
                tokens=TOKENS,
            ),
            unit="length",
            units={measures[0]: "count", measures[1]: "share", measures[2]: "count"},
            x=_("kind"),
            series=_("variety"),
        )
    ]
