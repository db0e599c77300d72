"""In which language judges and people explain: what gives a judge away before a word of it is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import inference
from agreement.answers.languages import code_of, identify
from agreement.figures import Figure
from agreement.statistics import share_of_sums
from annotation.models import Span
from projects.among import Among
from projects.chunks import in_chunks
from projects.models import LanguageVariety
from reports.dashboard.columns import Flags, Integers
from reports.dashboard.names import PEOPLE
from reports.dashboard.parts import pooled
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

#: Explanations looked at, of each judge and of people together, in a variety.
MOST_EACH = 60
ENGLISH = "en"
OF_RESPONSE, IN_ENGLISH, OTHER, UNTOLD = range(4)


@dataclass(frozen=True, eq=False)
class Explained:
    """Drawn explanations, shape (E,): of which prompt, of which judge (0 of people), and in which language."""

    prompt: Integers
    rater: Integers
    language: Integers


def explained(loaded: Loaded, is_put: Flags, seed: int) -> dict[int, Explained]:
    """By variety. `is_put` says of each mark whether it is put to reviewers, shape (S,)."""
    marks, answers, responses = loaded.marks, loaded.answers, loaded.responses
    rater = np.where(answers.by_human[marks.answer], PEOPLE, answers.rater[marks.answer])
    variety = responses.variety[marks.places.response]
    tags = dict(LanguageVariety.objects.filter(pk__in=Among(loaded.varieties)).values_list("pk", "tag"))
    chosen_in: dict[int, Integers] = {}
    for one in loaded.varieties:
        here = np.flatnonzero(is_put & (variety == one))
        order = np.random.default_rng(seed).permutation(here)
        drawn = [order[rater[order] == each][:MOST_EACH] for each in np.unique(rater[here])]
        chosen_in[one] = np.sort(np.concatenate(drawn)) if drawn else here
    texts = _texts([pk for chosen in chosen_in.values() for pk in marks.id[chosen].tolist()])
    parts = {}
    for one, chosen in chosen_in.items():
        said = [texts[pk] for pk in marks.id[chosen].tolist()]
        has_words = np.array([bool(text) for text in said], dtype=bool)
        language = [language_of(text, tags[one], tags.values()) for text in said if text]
        chosen = chosen[has_words]
        prompt = responses.prompt[marks.places.response[chosen]]
        parts[one] = Explained(prompt, rater[chosen], np.array(language, dtype=np.int64))
    return parts


def _texts(ids: Sequence[int]) -> dict[int, str]:
    texts: dict[int, str] = {}
    for chunk in in_chunks(ids):
        texts |= {pk: text.strip() for pk, text in Span.objects.filter(pk__in=chunk).values_list("pk", "explanation")}
    return texts


def language_of(text: str, expected: str, tags: Any) -> int:
    """Which of the four it is: the language of the response, English, another, or none that can be told.

    expected  the response's tag; tags  those of the varieties looked at. What no language of these and English is
    written in is another.
    """
    found = identify(text, [expected, ENGLISH, *tags])
    if not found.has_verdict:
        return UNTOLD
    if code_of(expected) in found.languages:
        return OF_RESPONSE
    return IN_ENGLISH if ENGLISH in found.languages else OTHER


def figures(parts: Sequence[Explained]) -> dict[int, tuple[Figure, ...]]:
    """By judge, and of people under PEOPLE: shares in the response's language, in English and in another, of those
    that can be told, and the share that can; none where no judge explains anything."""
    pool = pooled(parts)
    raters = np.unique(pool.rater).tolist()
    if not any(rater != PEOPLE for rater in raters):
        return {}
    return {rater: _shares(pool.language[pool.rater == rater], pool.prompt[pool.rater == rater]) for rater in raters}


def _shares(language: Integers, prompt: Integers) -> tuple[Figure, ...]:
    is_told = language != UNTOLD
    of_each = (
        inference.mean(np.where(is_told, language == one, np.nan), statistic=share_of_sums, cluster=prompt)
        for one in (OF_RESPONSE, IN_ENGLISH, OTHER)
    )
    return (*of_each, inference.mean(is_told.astype(float), statistic=share_of_sums, cluster=prompt))


def tables(results: Results, found: dict[int, tuple[Figure, ...]], seed: int) -> list[Table]:
    if not found:
        return []
    judges = {rater: figures for rater, figures in found.items() if rater != PEOPLE}
    rows = results.rater_rows(judges)
    if PEOPLE in found:
        rows.append(Row((_("people"),), found[PEOPLE], {}, results.marks()))
    known = {rater: figures[0] for rater, figures in judges.items() if figures[0].value is not None}
    least = min(known, key=lambda rater: known[rater].number, default=None)
    summary = _("%(judge)s explains in the language of the response %(share)s of the time, least of all judges.")
    return [
        Table(
            id="languages-of-explanations",
            title=_("In which language do judges explain?"),
            summary=no_figure_yet()
            if least is None
            else summary % {"judge": results.rater(least), "share": figure_text(known[least])},
            dimensions=(_("rater"),),
            measures=(_("the response's language"), _("English"), _("another"), _("can be told")),
            rows=tuple(rows),
            recipe=results.recipe(
                "share_of_explanations",
                drawn=True,
                explanations_at_most=MOST_EACH,
                seed=seed,
                languages="by script, then by words (py3langid) among those of the varieties and English",
            ),
            chart="none",
        )
    ]
