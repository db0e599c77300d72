"""Two versions of a set beside each other: each configuration over the questions both have, and over all."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement import inference
from agreement.answers.question import QuestionScore, benchmark_score
from agreement.figures import Figure
from benchmark.models import Configuration, ConfigurationKind, Question, QuestionSet
from benchmark.question_scores import QuestionScores, question_scores
from projects.models import Rater

FIGURES = ("before", "after", "before_common", "after_common", "difference")


@dataclass(frozen=True, slots=True)
class Compared:
    """A configuration in two versions. All figures have the number of questions they rest on as n.

    before, after                its score in full, over the questions that have one.
    before_common, after_common  the same over the questions that both versions have and score.
    difference                   after less before over those, with an interval over questions.
    """

    configuration: Configuration
    before: Figure
    after: Figure
    before_common: Figure
    after_common: Figure
    difference: Figure


@dataclass(frozen=True, slots=True)
class Comparison:
    """`common` questions are in both versions by their keys, of which `changed` score answers otherwise; `added` and
    `dropped` are in one alone."""

    before: QuestionSet
    after: QuestionSet
    common: int
    changed: Sequence[str]
    added: Sequence[str]
    dropped: Sequence[str]
    rows: Sequence[Compared]


def compare(before: QuestionSet, after: QuestionSet, judges: Collection[Rater] | None = None) -> Comparison:
    """Compare two frozen versions for all models of the project, by name."""
    models = before.project.configurations.filter(kind=ConfigurationKind.MODEL).order_by("name", "pk")
    old, new = (question_scores(version, models, judges) for version in (before, after))
    places = {key: place for place, key in enumerate(new.keys)}
    common = [key for key in old.keys if key in places]
    of_old = [place for place, key in enumerate(old.keys) if key in places]
    of_new = [places[key] for key in common]
    targets = [targets_of(version) for version in (before, after)]
    return Comparison(
        before,
        after,
        len(common),
        [key for key in common if targets[0][key] != targets[1][key]],
        [key for key in new.keys if key not in set(common)],
        [key for key in old.keys if key not in places],
        [compared(row, number, old, new, of_old, of_new) for number, row in enumerate(old.configurations)],
    )


def targets_of(question_set: QuestionSet) -> dict[str, str]:
    """What the scores of each question depend on, by key."""
    rows = Question.objects.filter(question_set=question_set)
    return dict(rows.order_by().values_list("key", "target_sha256"))


def compared(
    configuration: Configuration,
    number: int,
    old: QuestionScores,
    new: QuestionScores,
    of_old: Sequence[int],
    of_new: Sequence[int],
) -> Compared:
    first, second = old.values[number][list(of_old)], new.values[number][list(of_new)]
    both = ~np.isnan(first) & ~np.isnan(second)
    return Compared(
        configuration,
        in_full(old.values[number]),
        in_full(new.values[number]),
        in_full(first[both]),
        in_full(second[both]),
        inference.mean(second[both] - first[both]),
    )


def in_full(values: np.ndarray) -> Figure:
    """The score over the questions that have one, and how many have none."""
    scores = [
        QuestionScore(None, unscored="no score") if np.isnan(value) else QuestionScore(float(value)) for value in values
    ]
    return benchmark_score(scores)


def as_json(found: Comparison) -> dict[str, Any]:
    """For programs; `common` is a number of questions, `changed`, `added` and `dropped` their ids."""
    return {
        "before": found.before.version,
        "after": found.after.version,
        "common": found.common,
        "changed": list(found.changed),
        "added": list(found.added),
        "dropped": list(found.dropped),
        "configurations": [
            {
                "id": row.configuration.slug,
                "name": row.configuration.name,
                **{name: figure_json(getattr(row, name)) for name in FIGURES},
            }
            for row in found.rows
        ],
    }


def figure_json(figure: Figure) -> dict[str, Any]:
    return {
        "value": figure.value,
        "n": figure.n,
        "low": figure.low,
        "high": figure.high,
        "undefined": figure.undefined,
    }
