"""Readers report faults of frozen questions; the lead decides; the next version has what was accepted."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.editing import drop, problems_of_wording, repair, texts_of
from benchmark.freezing import freeze
from benchmark.models import Answer, Decision, Erratum, ErratumState, Fault, Question, QuestionSet
from benchmark.retiring import next_version
from benchmark.scoring_jobs import begin_scoring
from benchmark.wording import FIELDS, worded
from formats.limits import MAX_COMMENT
from jobs.models import Job
from projects import audit
from projects.among import Among
from projects.models import User
from projects.problems import Invalid, Problem
from projects.stored_text import read_text

#: Said in place of a decision about the question: the fault is none.
REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Applied:
    """The version that has the errata, how many of them changed it, and how many were in it already."""

    question_set: QuestionSet
    changed: int
    already: int


def report(question: Question, actor: User, *, fault: str, words: object, answer: Answer | None = None) -> Erratum:
    """Store what a reader says is wrong with a question of a frozen version.

    `answer` is the one they were reading. Said again in the same words while nobody has decided, it is the report that
    is there. Raises Invalid for a draft, an unknown fault or without words.
    """
    problems: list[Problem] = []
    if not question.question_set.is_frozen:
        message = _("This version is a draft: its questions can be changed as they are.")
        problems.append(Problem("not_frozen", message))
    if fault not in Fault.values:
        problems.append(Problem("unknown_choice", _("There is no such choice."), "fault"))
    said = read_text(words, MAX_COMMENT, "words", problems).strip()
    if not said and not any(problem.field == "words" for problem in problems):
        problems.append(Problem("required", _("Say what is wrong."), "words"))
    if answer is not None and answer.prompt_id != question.prompt_id:
        problems.append(Problem("other_question", _("That answer is to another question."), "answer"))
    if problems:
        raise Invalid(problems)
    project = question.question_set.project
    with transaction.atomic():
        # Of the same words sent twice at once, the second waits here and finds the first.
        QuestionSet.objects.select_for_update(no_key=True).get(pk=question.question_set_id)
        told = {"question": question, "answer": answer, "fault": fault, "words": said, "reported_by": actor}
        if (before := Erratum.objects.filter(**told, state=ErratumState.OPEN).first()) is not None:
            return before
        erratum = Erratum.objects.create(project=project, **told)
        audit.record("erratum.reported", actor=actor, project=project, subject=subject_of(erratum), fault=fault)
    return erratum


def subject_of(erratum: Erratum) -> str:
    return f"{erratum.question.question_set}: {erratum.question.key}"


@transaction.atomic
def reject(erratum: Erratum, actor: User, reason: str) -> Erratum:
    """Raises Invalid without a reason, or where somebody has decided already."""
    stored = undecided(erratum)
    if not reason.strip():
        raise Invalid(Problem("required", _("Say why: whoever reported it reads the reason."), "reason"))
    stored.state, stored.reason = ErratumState.REJECTED, reason.strip()
    return decided(stored, actor)


@transaction.atomic
def accept(
    erratum: Erratum, actor: User, *, decision: str, wording: Mapping[str, str] | None = None, reason: str = ""
) -> Erratum:
    """Accept with a corrected wording (`repair`) or `drop`; the next version has it.

    wording  the parts "instruction", "input" and "reference" that are to be otherwise; empty or as it is: stays.

    Raises Invalid where somebody has decided already, where a repair words nothing otherwise, or where the question's
    rules cannot score it as it is worded then.
    """
    stored = undecided(erratum)
    if decision not in (Decision.REPAIR, Decision.DROP):
        raise Invalid(Problem("unknown_choice", _("There is no such choice."), "decision"))
    if decision == Decision.REPAIR:
        before = texts_of(stored.question)
        given = {part: text for part, text in (wording or {}).items() if text.strip()}
        after = {part: worded(given.get(part, before[part]), before[part]) for part in FIELDS}
        asked = copy.copy(stored.question)
        for part, field in FIELDS.items():
            setattr(asked, field, after[part])
        if problems := problems_of_wording(asked, before, after):
            raise Invalid(problems)
        for part in FIELDS:
            setattr(stored, f"corrected_{part}", after[part] if after[part] != before[part] else "")
    stored.state, stored.decision, stored.reason = ErratumState.ACCEPTED, decision, reason.strip()
    return decided(stored, actor)


def undecided(erratum: Erratum) -> Erratum:
    """The row, locked. Raises Invalid where somebody has decided meanwhile."""
    stored = Erratum.objects.select_for_update(of=("self",)).select_related("question__question_set__project")
    row = stored.get(pk=erratum.pk)
    if row.state != ErratumState.OPEN:
        raise Invalid(Problem("decided_already", _("Somebody has decided about this already.")))
    return row


def decided(erratum: Erratum, actor: User) -> Erratum:
    erratum.decided_by, erratum.decided_at = actor, timezone.now()
    erratum.save()
    audit.record(
        f"erratum.{erratum.state}",
        actor=actor,
        project=erratum.question.question_set.project,
        subject=subject_of(erratum),
        decision=erratum.decision,
        reason=erratum.reason,
        before=texts_of(erratum.question),
        after={part: getattr(erratum, f"corrected_{part}") for part in FIELDS},
    )
    return erratum


def to_apply(question_set: QuestionSet) -> QuerySet[Erratum]:
    """Accepted errata of this version and those before it that no later version has, in the order of decision."""
    rows = Erratum.objects.filter(
        state=ErratumState.ACCEPTED,
        mended_in=None,
        question__question_set__project=question_set.project_id,
        question__question_set__slug=question_set.slug,
        question__question_set__version__lte=question_set.version,
    )
    return rows.select_related("question").order_by("decided_at", "pk")


@transaction.atomic
def apply_errata(question_set: QuestionSet, actor: User | None, *, is_frozen_at_once: bool = False) -> Applied:
    """Put the accepted errata into the next version of a frozen set, or into a draft; all of them or nothing.

    `is_frozen_at_once` freezes it, so that `rescore` can score the stored answers. Raises Invalid where nothing is to
    be applied, a later version has followed, a corrected wording cannot be scored, or the version cannot be frozen.
    """
    errata = list(to_apply(question_set))
    if not errata:
        raise Invalid(Problem("no_errata", _("No accepted erratum waits for a new version.")))
    version = next_version(question_set, actor).version if question_set.is_frozen else question_set
    changed = already = 0
    questions = {question.key: question for question in version.questions.filter(key__in=keys_of(errata))}
    for erratum in errata:
        question = questions.get(erratum.question.key)
        if question is not None and apply_one(erratum, question, actor):
            changed += 1
        else:
            already += 1
        if erratum.decision == Decision.DROP:
            questions.pop(erratum.question.key, None)
    Erratum.objects.filter(pk__in=Among(erratum.pk for erratum in errata)).update(mended_in=version)
    detail: dict[str, Any] = {"changed": changed, "already": already, "keys": sorted(keys_of(errata))}
    audit.record("errata.applied", actor=actor, project=version.project, subject=version, **detail)
    if is_frozen_at_once:
        version = freeze(version, actor)
    return Applied(version, changed, already)


def keys_of(errata: list[Erratum]) -> set[str]:
    return {erratum.question.key for erratum in errata}


def apply_one(erratum: Erratum, question: Question, actor: User | None) -> bool:
    """Whether the question is another now; False where it was corrected in the same way before."""
    if erratum.decision == Decision.DROP:
        drop(question, actor)
        return True
    try:
        repair(
            question,
            instruction=erratum.corrected_instruction or None,
            input_text=erratum.corrected_input or None,
            reference=erratum.corrected_reference or None,
            actor=actor,
        )
    except Invalid as refused:
        if [problem.code for problem in refused.problems] != ["unchanged"]:
            raise
        return False
    return True


def rescore(question_set: QuestionSet, by: User | None) -> Job:
    """Begin to score the stored answers under a frozen version; no model and no judge is asked."""
    return begin_scoring(question_set, by, is_waited_for=True)
