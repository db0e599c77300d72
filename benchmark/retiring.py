"""Held-back questions that too many have seen: who has, which retire, and the version that leaves them out.

A question is retired once as many laboratories have been sent it, to answer or to judge, as the lead has set
(`Board.max_exposures`). A frozen version stays as it is and goes on counting it: scores that have been published do not
move. The next version that is begun leaves it out.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Max, Min, Q, QuerySet, Sum

from benchmark.editing import texts_of
from benchmark.models import Board, Decision, Exposure, ExposureKind, Question, QuestionRevision, QuestionSet
from projects import audit
from projects.among import Among
from projects.models import Project, User

#: Laboratories that have seen a question's prompt; an endpoint of which nobody knows the laboratory counts as one.
LABORATORIES = Count("prompt__exposures__laboratory", distinct=True) + Count(
    "prompt__exposures__endpoint",
    distinct=True,
    filter=Q(prompt__exposures__isnull=False, prompt__exposures__laboratory=None),
)


class Begun(NamedTuple):
    """The next version, and the keys of the questions that it leaves out because they have retired."""

    version: QuestionSet
    retired: Sequence[str]


def limit_of(project: Project) -> int | None:
    """How many laboratories may see a held-back question before it retires; None: it never does."""
    return Board.objects.filter(project=project).values_list("max_exposures", flat=True).first()


def with_laboratories(questions: QuerySet[Question]) -> QuerySet[Any]:
    """Each with `laboratories`, how many have seen it."""
    return questions.annotate(laboratories=LABORATORIES)


def is_retired(question: Any, limit: int | None) -> bool:
    """Of a question from `with_laboratories`. A public question never retires: everybody may have seen it."""
    return limit is not None and question.is_held_back and question.laboratories >= limit


def retired(question_set: QuestionSet) -> QuerySet[Any]:
    """The held-back questions of a version that too many have seen, in their order."""
    limit = limit_of(question_set.project)
    rows = with_laboratories(question_set.questions.filter(is_held_back=True))
    return rows.none() if limit is None else rows.filter(laboratories__gte=limit).order_by("position", "pk")


def seen_by(question_set: QuestionSet) -> list[dict[str, Any]]:
    """Who has seen held-back questions of a version: a row for each laboratory, endpoint and kind, with how many
    questions and calls, and when first and last. One statement."""
    held_back = question_set.questions.filter(is_held_back=True)
    exposures = Exposure.objects.filter(prompt__in=held_back.values("prompt"))
    rows = exposures.values("laboratory__name", "endpoint", "kind").annotate(
        questions=Count("prompt", distinct=True), calls=Sum("times"), first=Min("first_at"), last=Max("last_at")
    )
    ordered = rows.order_by("laboratory__name", "endpoint", "kind")
    return [{**row, "kind_label": ExposureKind(row["kind"]).label} for row in ordered]


@transaction.atomic
def next_version(question_set: QuestionSet, actor: User | None) -> Begun:
    """Begin the version after a frozen one, without the questions that have retired. Raises Invalid as
    `QuestionSet.new_version` does."""
    going = list(retired(question_set))
    version = question_set.new_version()
    audit.record("question_set.version_begun", actor=actor, project=version.project, subject=version)
    if not going:
        return Begun(version, ())
    keys = [question.key for question in going]
    leave_out(version, going, actor)
    seen = {question.key: question.laboratories for question in going}
    limit = limit_of(version.project)
    audit.record(
        "questions.retired", actor=actor, project=version.project, subject=version, laboratories=seen, limit=limit
    )
    return Begun(version, keys)


def leave_out(version: QuestionSet, going: Sequence[Question], actor: User | None) -> None:
    """Take them out of a draft, with skills and sources of theirs alone; their twins stay, alone."""
    prompts = Among(question.prompt_id for question in going)
    rows = version.questions.filter(prompt__in=prompts)
    QuestionRevision.objects.bulk_create(
        QuestionRevision(
            question_set=version,
            key=question.key,
            decision=Decision.DROP,
            before=texts_of(question),
            decided_by=actor,
        )
        for question in going
    )
    version.questions.filter(twin_of__in=rows.values("pk")).update(twin_of=None)
    rows.delete()
    # One that had no question before, either, is not theirs to take along.
    before = question_set_before(version)
    of_nothing = {"questions": None}
    skills, sources = before.skills.filter(**of_nothing), before.sources.filter(**of_nothing)
    version.skills.filter(**of_nothing).exclude(slug__in=skills.values("slug")).delete()
    version.sources.filter(**of_nothing).exclude(slug__in=sources.values("slug")).delete()


def question_set_before(version: QuestionSet) -> QuestionSet:
    assert version.supersedes is not None, "a version that follows another"
    return version.supersedes
