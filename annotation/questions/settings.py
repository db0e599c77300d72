"""How a project rates: the defaults hold where it never said otherwise."""

from annotation.models import RatingSettings
from projects.models import Project


def rating_settings(project: Project) -> RatingSettings:
    """The project's row, or one with the defaults that is not stored. One statement."""
    return RatingSettings.objects.filter(project=project).first() or RatingSettings(project=project)


def gold_rule(project: Project) -> str:
    """The rule by which people's answers become gold (annotation/consensus.py), one of `GoldRule`. One that
    weighs raters is fitted by `annotation.fitted_rules.fitted_rule`."""
    return str(rating_settings(project).gold_rule)
