"""The lead decides about checked questions: one by one, or at once where all checkers keep."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery

from benchmark.editing import drop, keep, repair, said_of, texts_of
from benchmark.models import Decision, Question, QuestionCheck, QuestionRevision, QuestionSet
from projects import audit
from projects.models import User

AT_ONCE = 500
#: So many checkers make an agreement.
BOTH = 2


def with_checks(question_set: QuestionSet) -> QuerySet[Any]:
    """Questions that were checked, with `last_round` and `is_decided`: whether the lead has decided since."""
    latest = QuestionCheck.objects.filter(question=OuterRef("pk")).order_by("-round").values("round")[:1]
    decided = QuestionRevision.objects.filter(
        question_set=OuterRef("question_set"), key=OuterRef("key"), round__gte=OuterRef("last_round")
    )
    rows = question_set.questions.annotate(last_round=Subquery(latest)).exclude(last_round=None)
    return rows.annotate(is_decided=Exists(decided))


def of_last_round() -> QuerySet[QuestionCheck]:
    """The checks of the latest round of a question of `with_checks`, as a subquery."""
    return QuestionCheck.objects.filter(question=OuterRef("pk"), round=OuterRef("last_round"))


def kept_by_all(question_set: QuestionSet) -> QuerySet[Any]:
    """Undecided questions that two checkers or more of the latest round keep, and none words otherwise or drops."""
    checks = of_last_round()
    number = checks.order_by().values("question").annotate(n=Count("pk")).values("n")
    rows = with_checks(question_set).filter(is_decided=False).annotate(n_checks=Subquery(number))
    return rows.filter(~Exists(checks.exclude(decision=Decision.KEEP, is_aligned=True)), n_checks__gte=BOTH)


def wording_of(check: QuestionCheck) -> dict[str, Any]:
    """What a checker words otherwise, by the fields of a question; None where a part stays."""
    return {
        "instruction": check.repaired_instruction or None,
        "input_text": check.repaired_input or None,
        "reference": check.repaired_reference or None,
    }


def take_over(check: QuestionCheck, actor: User | None) -> None:
    """Do with the question what this checker decided. Raises Invalid as `repair` and `drop` do."""
    if check.decision == Decision.REPAIR:
        repair(check.question, **wording_of(check), actor=actor)
    elif check.decision == Decision.DROP:
        drop(check.question, actor)
    else:
        keep(check.question, actor)


@transaction.atomic
def keep_agreed(question_set: QuestionSet, actor: User | None) -> int:
    """Keep all that all checkers keep; return how many."""
    locked = QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    if locked.is_frozen:
        return 0
    keys: list[str] = []
    ids = list(kept_by_all(locked).order_by("pk").values_list("pk", flat=True))
    for begin in range(0, len(ids), AT_ONCE):
        rows = Question.objects.filter(pk__in=ids[begin : begin + AT_ONCE]).prefetch_related("checks__rater")
        QuestionRevision.objects.bulk_create(_kept(row, actor) for row in rows)
        keys += [row.key for row in rows]
    if keys:
        audit.record("questions.kept", actor=actor, project=locked.project, subject=str(locked), keys=keys)
    return len(keys)


def _kept(question: Question, actor: User | None) -> QuestionRevision:
    checks: Sequence[Mapping[str, Any]] = said_of(question)
    texts = texts_of(question)
    return QuestionRevision(
        question_set_id=question.question_set_id,
        key=question.key,
        round=max(check["round"] for check in checks),
        decision=Decision.KEEP,
        before=texts,
        after=texts,
        checks=checks,
        decided_by=actor,
    )
