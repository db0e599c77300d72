"""People under watch: how each does on the latest checks of a stage, and who is paused. Four queries for a project."""

from collections import defaultdict
from dataclasses import dataclass

from agreement.figures import Figure
from projects.models import Project, Rater
from screening.checks.accuracy import rolling_accuracy
from screening.models import CheckResult, CheckSettings, Pause
from workflow.models import Stage


@dataclass(frozen=True, slots=True)
class Watched:
    """One rater in one stage; `answered` counts all checks ever, `accuracy` rests on those of the window."""

    stage: Stage
    rater: Rater
    accuracy: Figure
    answered: int
    mark: int
    pause: Pause | None
    earlier_pauses: int

    @property
    def is_below(self) -> bool:
        return self.accuracy.value is not None and self.accuracy.value * 100 < self.mark


def watched(project: Project) -> list[Watched]:
    """Everybody who answered a check or is paused: the paused first, then from the lowest accuracy up."""
    settings = {
        each.stage_id: each for each in CheckSettings.objects.filter(stage__project=project).select_related("stage")
    }
    pauses: dict[tuple[int, int], list[Pause]] = defaultdict(list)
    for pause in Pause.objects.filter(stage__in=settings).order_by("pk"):
        pauses[pause.stage_id, pause.rater_id].append(pause)
    results: dict[tuple[int, int], list[tuple[int, bool]]] = defaultdict(list)
    rows = CheckResult.objects.filter(stage__in=settings).order_by("pk")
    for stage, rater, pk, is_right in rows.values_list("stage_id", "rater_id", "pk", "is_right"):
        results[stage, rater].append((pk, is_right))
    for place, had in pauses.items():
        if any(pause.lifted_at is None for pause in had):
            results.setdefault(place, [])  # nobody who is paused is missing
    raters = Rater.objects.in_bulk({rater for _stage, rater in results})
    watched_raters = []
    for (stage, rater), answers in results.items():
        had = pauses[stage, rater]
        after = max((pause.last_result_id or 0 for pause in had if pause.lifted_at), default=0)
        counted = [is_right for pk, is_right in answers if pk > after]
        rule = settings[stage]
        watched_raters.append(
            Watched(
                rule.stage,
                raters[rater],
                rolling_accuracy(counted, rule.window),
                len(answers),
                rule.mark,
                next((pause for pause in had if pause.lifted_at is None), None),
                sum(pause.lifted_at is not None for pause in had),
            )
        )
    return sorted(watched_raters, key=_urgency)


def _urgency(one: Watched) -> tuple:
    value = one.accuracy.value
    return one.pause is None, value is None, value if value is not None else 0.0, one.rater.pseudonym
