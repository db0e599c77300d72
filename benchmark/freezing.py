"""Freeze a question set: from then on nothing of it changes, and its hash says what it was."""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.models import Question, QuestionSet, Skill
from benchmark.reading import questions_of, sha256_of_set
from benchmark.scoring_rules import ReadRule, faults_of, read_rule
from benchmark.targets import store_targets
from projects import audit
from projects.models import User
from projects.problems import Invalid, Problem

SHOWN = 100


@transaction.atomic
def freeze(question_set: QuestionSet, actor: User | None = None, frozen_at: datetime | None = None) -> QuestionSet:
    """Freeze the set, all of it or nothing. Raises Invalid with what stands in the way, each question by its key.

    The row is locked first: whoever adds questions locks it as well, so none comes in between check and freeze.
    """
    locked = QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    if locked.is_frozen:
        raise Invalid(Problem("frozen_already", _("This version is frozen already.")))
    problems = []
    for problem in problems_of(locked):
        problems.append(problem)
        if len(problems) == SHOWN:
            break
    if problems:
        raise Invalid(problems)
    store_targets(locked)
    locked.sha256, locked.frozen_at = sha256_of_set(locked), frozen_at or timezone.now()
    locked.save(update_fields=["sha256", "frozen_at"])
    audit.record("question_set.frozen", actor=actor, project=locked.project, subject=str(locked), sha256=locked.sha256)
    return locked


def problems_of(question_set: QuestionSet) -> Iterator[Problem]:
    """All that keeps the set from being frozen; the field names the skill or the question."""
    is_empty = True
    for question in questions_of(question_set):
        is_empty = False
        yield from problems_of_question(question)
    if is_empty:
        yield Problem("no_questions", _("The set has no questions."))
    empty: list[Skill] = list(question_set.skills.annotate(n=Count("questions")).filter(n=0))
    for skill in empty:
        yield Problem("empty_skill", _("The skill has no question."), skill.name)


def problems_of_question(question: Question) -> Iterator[Problem]:
    uses = list(question.rule_uses.all())
    if not uses:
        yield Problem("no_rule", _("No rule scores its answers."), question.key)
    readable: list[ReadRule] = []
    for use in uses:
        read = read_rule(use.rule, use.rule_version, use.parameters)
        if isinstance(read, ReadRule):
            readable.append(read)
        else:
            yield Problem(read[0], read[1], question.key)
    for _index, (code, message, _field) in faults_of(question, readable):
        yield Problem(code, message, question.key)
    twin = question.twin_of
    if twin is not None and question.is_held_back == twin.is_held_back:
        message = _("Of two twins one is held back and the other is not; “%(key)s” is its twin.")
        yield Problem("twins_alike", message % {"key": twin.key}, question.key)
