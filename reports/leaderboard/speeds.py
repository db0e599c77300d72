"""How fast configurations answer, from the newest pass of each; those by API and local ones are never one ranking."""

from dataclasses import dataclass

import numpy as np

from agreement import speed as speed_figures
from agreement.figures import Figure
from benchmark.models import SpeedMeasurement, SpeedSample
from reports.dashboard.columns import columns


@dataclass(frozen=True)
class Speed:
    """Of one pass: its place and date, words and characters a second, seconds to the first token."""

    is_local: bool
    hardware: str
    batch_size: int
    began: str
    words: Figure
    characters: Figure
    first_p50: Figure
    first_p95: Figure


def speeds_of(project: int, is_local: bool | None = None) -> dict[int, Speed]:
    """By configuration of the project (ids), the speed of its newest pass that has ended: of those by API or of the
    local ones, or of either."""
    ended = SpeedMeasurement.objects.filter(configuration__project_id=project, ended_at__isnull=False)
    if is_local is not None:
        ended = ended.filter(is_local=is_local)
    newest: dict[int, SpeedMeasurement] = {}
    for one in ended.order_by("began_at", "pk"):
        newest[one.configuration_id] = one
    rows = SpeedSample.objects.filter(measurement__configuration__project_id=project).order_by(
        "measurement", "position"
    )
    names = ("measurement_id", "words", "characters", "seconds", "first_token_seconds")
    measurement, words, characters, seconds, first = columns(rows.values_list(*names), "iffff")
    speeds = {}
    for configuration, one in newest.items():
        own = np.flatnonzero(measurement == one.pk)
        if not len(own):
            continue
        figures = speed_figures.speed(words[own], characters[own], seconds[own], first[own])
        speeds[configuration] = Speed(
            one.is_local,
            one.hardware,
            one.batch_size,
            one.began_at.date().isoformat(),
            figures.words_per_second,
            figures.characters_per_second,
            figures.first_token_p50,
            figures.first_token_p95,
        )
    return speeds
