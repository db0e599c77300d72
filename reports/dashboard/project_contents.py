"""What of a project's measured rows every page of results wants to know; read again only when such a row is written."""

from collections.abc import Callable
from typing import TypeVar

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Marking, Rating, Span
from judging.models import ANSWERED, Call, Run
from projects.models import Derivation, Project, RaterKind, Response
from projects.own_laboratories import count_left_out
from reports.dashboard import cache
from reports.dashboard.freshness.revisions import Revisions
from rubrics.models import Grade, Rubric

T = TypeVar("T")
#: Parts of the revision that answers about texts move.
ANSWERS = ("markings", "grades of people", "grades of judges", "ratings of people", "ratings of judges")


def varieties_with_responses(project: Project, state: Revisions) -> list[int]:
    """Ids of the varieties that the project has responses in."""

    def read() -> list[int]:
        rows = Response.objects.filter(project=project).order_by()
        return sorted(rows.values_list("variety", flat=True).distinct())

    return as_of(project, "varieties", state.of("responses"), read)


def varieties_with_rubrics(project: Project, state: Revisions) -> list[int]:
    """Ids of the varieties that the project has responses in to a prompt with a frozen rubric."""

    def read() -> list[int]:
        frozen = Rubric.objects.filter(project=project, frozen_at__isnull=False)
        rows = Response.objects.filter(project=project, prompt__in=frozen.values("prompt")).order_by()
        return sorted(rows.values_list("variety", flat=True).distinct())

    return as_of(project, "varieties with rubrics", state.of("responses", "prompts", "rubrics"), read)


def target_models(project: Project, state: Revisions) -> list[int]:
    """Ids of the target models that wrote responses of the project."""

    def read() -> list[int]:
        rows = Response.objects.filter(project=project).order_by()
        return sorted(rows.values_list("target_model", flat=True).distinct())

    return as_of(project, "target models", state.of("responses"), read)


def answered_prompts(project: Project, state: Revisions) -> list[tuple[int, int]]:
    """Ids of each judge and of each prompt version that calls of it were answered under."""

    def read() -> list[tuple[int, int]]:
        answered = Exists(Call.objects.filter(run=OuterRef("pk"), state__in=ANSWERED))
        runs = Run.objects.filter(answered, project=project).order_by()
        return sorted(runs.values_list("judge", "prompt_version").distinct())

    return as_of(project, "answered prompts", state.of("costs"), read)


def gold_builders(project: Project, state: Revisions) -> list[int]:
    """Ids of the judges one of whose spans became an error of the gold."""

    def read() -> list[int]:
        kept = Exists(Span.objects.filter(rater=OuterRef("pk"), gold_error__isnull=False))
        return sorted(project.raters.filter(kept, kind=RaterKind.JUDGE).values_list("pk", flat=True))

    return as_of(project, "gold builders", state.of("gold", "spans"), read)


def own_answers(project: Project, judged: str, state: Revisions) -> dict[int, int]:
    """By id of each judge that has any, its answers in this table about models of its own laboratory."""

    def read() -> dict[int, int]:
        return count_left_out(project, judged, target_models(project, state))

    moved_by = state.of("responses", "raters", "laboratories", judged)
    return as_of(project, f"own laboratory: {judged}", moved_by, read)


def derived_texts(project: Project, state: Revisions) -> dict[str, int]:
    """By step that makes texts from responses, how many of its texts anybody has marked, graded or rated."""

    def read() -> dict[str, int]:
        made = Derivation.objects.filter(step__project=project, response__isnull=False)
        text = OuterRef("response")
        answers = [Marking.objects.filter(response=text), Grade.objects.filter(response=text)]
        answers += [Rating.objects.filter(**{path: text}) for path in ("response", "pair__first", "pair__second")]
        answered = Q()
        for rows in answers:
            answered |= Q(Exists(rows))
        return dict(made.filter(answered).order_by("step__name").values_list("step__name").annotate(n=Count("pk")))

    return as_of(project, "derived texts", state.of("responses", *ANSWERS), read)


def graders(project: Project, state: Revisions) -> list[int]:
    """Ids of the raters, people and judges, who graded a response."""

    def read() -> list[int]:
        graded = Exists(Grade.objects.filter(rater=OuterRef("pk")))
        return sorted(project.raters.filter(graded).values_list("pk", flat=True))

    return as_of(project, "graders", state.of("grades of people", "grades of judges"), read)


def raters_with_ratings(project: Project, state: Revisions) -> list[int]:
    """Ids of the raters, people and judges, who rated a response or a pair; an answer to a check is none."""

    def read() -> list[int]:
        rated = Exists(Rating.objects.filter(rater=OuterRef("pk"), is_check=False))
        return sorted(project.raters.filter(rated).values_list("pk", flat=True))

    return as_of(project, "raters with ratings", state.of("ratings of people", "ratings of judges"), read)


def as_of(project: Project, what: str, state: object, read: Callable[[], T]) -> T:
    key = cache.key_of(what, project.pk, state)
    return cache.remembered({what: key}, lambda _missing: {what: read()})[what]
