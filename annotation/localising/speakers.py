"""The varieties into which a project's templates are put: those of the people who annotate or write in it."""

from django.db.models import QuerySet

from projects.models import LanguageVariety, Rater, RaterKind, Role


def spoken_varieties(project: int) -> QuerySet[LanguageVariety]:
    """By the project's id. Validators alone do not count: they judge what others wrote."""
    speakers = Rater.objects.filter(
        project=project,
        kind=RaterKind.HUMAN,
        user__memberships__project=project,
        user__memberships__role__in=(Role.ANNOTATOR, Role.AUTHOR),
    )
    return LanguageVariety.objects.filter(raters__in=speakers).distinct()
