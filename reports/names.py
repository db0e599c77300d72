"""How raters, settings and target models are called in tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from projects.models import LanguageVariety, Project, Rater, RaterKind, TargetModel


@dataclass(frozen=True)
class RaterName:
    """How a rater appears: people by pseudonym, judges by name."""

    label: str
    pseudonym: str
    is_judge: bool
    is_simulated: bool


@dataclass(frozen=True)
class SettingName:
    id: int
    tag: str
    label: str
    segmentation: str


def to_be_marked(rater: Rater) -> bool:
    """True of a simulated judge whose name does not say so itself, as those of generated projects do."""
    return rater.is_simulated and "(simulated)" not in rater.name


def settings_named(varieties: Sequence[int]) -> tuple[SettingName, ...]:
    """Settings of these ids of varieties, by label."""
    found = LanguageVariety.objects.filter(id__in=varieties)
    settings = [SettingName(row.pk, row.tag, row.label, row.segmentation) for row in found]
    return tuple(sorted(settings, key=lambda setting: setting.label.casefold()))


def raters_named(project: Project) -> dict[int, RaterName]:
    """Every rater of the project by id."""
    raters = project.raters.order_by("id").values_list("id", "kind", "name", "pseudonym", "is_simulated")
    return {
        pk: RaterName(name if kind == RaterKind.JUDGE else pseudonym, pseudonym, kind == RaterKind.JUDGE, simulated)
        for pk, kind, name, pseudonym, simulated in raters
    }


def models_named(project: Project) -> dict[int, str]:
    """Every target model with responses in the project, by id."""
    models = TargetModel.objects.filter(responses__project=project).order_by("id").distinct()
    return dict(models.values_list("id", "name"))
