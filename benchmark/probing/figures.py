"""The figure of a pass of a probe, from what was stored of it, with its power to find a model that knows 30 %."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from agreement import contamination
from agreement.answers.declaration import TOP
from agreement.contamination import paired_power, quiz_power
from agreement.figures import Figure
from benchmark.models import Configuration, Probe, ProbeKind, QuestionSet
from benchmark.probing.asking import CANARY_KEY, CHOICES, CHOSEN, EXACT, PARAPHRASED, SHOWN_DIGITS
from benchmark.question_scores import question_scores

#: The share of the questions that a power is stated for.
SHARE = 0.3


def figure_of(probe: Probe, clean: Iterable[Configuration] = ()) -> Figure:
    """The figure of a probe by all that is stored of it; `clean` are models that cannot have seen the questions, by
    whose figures those of others are measured."""
    if probe.kind == ProbeKind.TWINS:
        return twins_figure(probe.configuration, probe.question_set, clean, probe.seed)
    results = dict(probe.results.order_by("question_key").values_list("question_key", "result"))
    if probe.kind == ProbeKind.CANARY:
        return canary_figure(probe.question_set, results.get(CANARY_KEY, {}))
    if probe.kind == ProbeKind.QUIZ:
        return quiz_figure(results, chance_of(probe, clean))
    clusters = clusters_of(probe.question_set)
    return completion_figure(results, clusters, expected_of(probe, clean), probe.seed)


def quiz_figure(results: Mapping[str, Mapping[str, Any]], chance: float = 0.0) -> Figure:
    """By question what was chosen; see `agreement.contamination.quiz`."""
    given = [result[CHOSEN] for result in results.values() if CHOSEN in result]
    places, chosen = [one["place"] for one in given], [one["chosen"] for one in given]
    figure = contamination.quiz(places, chosen, CHOICES, chance)
    ways: dict[str, int] = {}
    for one in given:
        ways[one["way"]] = ways.get(one["way"], 0) + 1
    power = quiz_power(figure.n, SHARE, CHOICES, chance)
    return figure.with_detail(power=power, ways=ways, unread=chosen.count(-1))


def completion_figure(
    results: Mapping[str, Mapping[str, Any]], clusters: Mapping[str, str], expected: float = 0.0, seed: int = 0
) -> Figure:
    """Of each wording, how far the completion overlaps with its own rest beyond the rest of another question; see
    `agreement.contamination.guided_completion`."""
    both = {key: result for key, result in results.items() if EXACT in result and PARAPHRASED in result}
    exact, control = (
        np.array([result[part]["overlap"] - result[part]["beside"] for result in both.values()])
        for part in (EXACT, PARAPHRASED)
    )
    cluster = labels([clusters.get(key, "") for key in both], list(both))
    figure = contamination.guided_completion(exact, control, cluster, expected, seed)
    return figure.with_detail(power=power_of(figure, exact, control, 1.0))


def twins_figure(
    configuration: Configuration, question_set: QuestionSet, clean: Iterable[Configuration] = (), seed: int = 0
) -> Figure:
    """From stored scores: nobody is asked. See `agreement.contamination.twin_gap`."""
    rows = [configuration, *(row for row in clean if row.pk != configuration.pk)]
    scores = question_scores(question_set, rows)
    at = {key: place for place, key in enumerate(scores.keys)}
    pairs = pairs_of(question_set)
    public = [at[key] for key, _twin in pairs]
    twins = [at[twin] for _key, twin in pairs]
    gaps = scores.values[:, public] - scores.values[:, twins]
    known = gaps[1:][~np.isnan(gaps[1:])]
    expected = max(0.0, float(known.mean())) if len(known) else 0.0
    clusters = clusters_of(question_set)
    cluster = labels([clusters.get(key, "") for key, _twin in pairs], [key for key, _twin in pairs])
    first, second = scores.values[0, public], scores.values[0, twins]
    figure = contamination.twin_gap(first, second, cluster, expected, seed)
    return figure.with_detail(power=power_of(figure, first, second, TOP))


def pairs_of(question_set: QuestionSet) -> list[tuple[str, str]]:
    """Keys of public questions, each with that of its held-back twin, whichever of the two names the other."""
    rows = question_set.questions.exclude(twin_of=None).order_by("position")
    pairs: dict[str, str] = {}
    for key, is_held_back, other, other_is in rows.values_list(
        "key", "is_held_back", "twin_of__key", "twin_of__is_held_back"
    ):
        if is_held_back != other_is:
            public, held_back = (other, key) if is_held_back else (key, other)
            pairs.setdefault(public, held_back)
    return list(pairs.items())


def canary_figure(question_set: QuestionSet, parts: Mapping[str, Any]) -> Figure:
    remainder = str(question_set.canary).replace("-", "")[SHOWN_DIGITS:]
    return contamination.canary([part["read"] for part in parts.values()], remainder)


def labels(clusters: list[str], keys: list[str]) -> ArrayLike | None:
    """Labels of clusters, where a question that shares no passage has one of its own; None where none does."""
    if not any(clusters):
        return None
    return np.array([cluster or f"\0{key}" for cluster, key in zip(clusters, keys, strict=True)])


def clusters_of(question_set: QuestionSet) -> dict[str, str]:
    return dict(question_set.questions.values_list("key", "cluster"))


def power_of(figure: Figure, known: np.ndarray, control: np.ndarray, top: float) -> float | None:
    """As planned from the differences that were seen: what a known question gains at most, and how they spread."""
    both = ~(np.isnan(known) | np.isnan(control))
    if both.sum() < 2:
        return None
    effect, spread = top - float(control[both].mean()), float((known - control)[both].std(ddof=1))
    if spread <= 0 or effect <= 0:
        return None
    return paired_power(int(figure.detail.get("units", both.sum())), SHARE, effect, spread)


# --- What models known to be clean do ---


def ended(configurations: Iterable[Configuration], of: Probe) -> list[dict[str, Any]]:
    """The newest figures of these models in the same probe of the same version."""
    rows = Probe.objects.filter(
        configuration__in=[row.pk for row in configurations if row.pk != of.configuration_id],
        question_set=of.question_set_id,
        kind=of.kind,
        ended_at__isnull=False,
    )
    newest: dict[int, dict[str, Any]] = {}
    for row in rows.order_by("began_at", "pk"):
        if row.figure.get("value") is not None:
            newest[row.configuration_id] = row.figure
    return list(newest.values())


def chance_of(probe: Probe, clean: Iterable[Configuration]) -> float:
    figures = ended(clean, probe)
    n = sum(figure["n"] for figure in figures)
    return sum(figure["detail"]["hits"] for figure in figures) / n if n else 0.0


def expected_of(probe: Probe, clean: Iterable[Configuration]) -> float:
    figures = ended(clean, probe)
    if not figures:
        return 0.0
    return max(0.0, sum(figure["value"] + figure["detail"]["expected"] for figure in figures) / len(figures))
