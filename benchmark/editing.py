"""Change the questions of a draft: another wording, or out. Frozen versions are refused, here and by the database."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.models import Decision, Question, QuestionRevision, QuestionSet
from benchmark.prompting import prompt_text, too_long
from benchmark.scoring_rules import ReadRule, faults_of, read_rule
from benchmark.wording import FIELDS, changed_meanwhile, worded
from projects import anchors, audit
from projects.models import Prompt, User
from projects.problems import Invalid, Problem

#: Of a problem that names a field of a file.
FIELD_OF = {"output": "reference", "input": "input"}


def texts_of(question: Question) -> dict[str, str]:
    """Instruction, input and reference as they stand."""
    return {part: getattr(question, field) for part, field in FIELDS.items()}


def fingerprint(question: Question) -> str:
    """What a page shows of its wording, as a hash: a change that was made on another page is seen by it."""
    return anchors.sha256("\0".join(texts_of(question).values()))


@transaction.atomic
def repair(
    question: Question,
    *,
    instruction: str | None = None,
    input_text: str | None = None,
    reference: str | None = None,
    actor: User | None,
    seen: str = "",
) -> Question:
    """Give a question of a draft another wording; what is None stays, and so does what is the same but for the ends of
    its lines. `seen` is the `fingerprint` of what a page showed.

    Its rules must be able to score it as it is then. Another instruction or input makes another prompt, so that
    answers to the old one are not taken for answers to the new. Raises Invalid where the set is frozen, the question
    was dropped or worded by somebody else meanwhile, nothing is another, or a rule cannot score the question; nothing
    is stored then.
    """
    asked = locked(question, seen)
    before = texts_of(asked)
    for field, text in (("instruction", instruction), ("input_text", input_text), ("reference", reference)):
        if text is not None:
            setattr(asked, field, worded(text, getattr(asked, field)))
    after = texts_of(asked)
    if problems := problems_of_wording(asked, before, after):
        raise Invalid(problems)
    text = prompt_text(asked.instruction, asked.input_text, asked.options)
    if text != asked.prompt.text:
        asked.prompt = prompt_of(asked, text)
    asked.save(update_fields=["instruction", "input_text", "reference", "prompt"])
    write_down(asked, Decision.REPAIR, before, after, actor)
    return asked


@transaction.atomic
def drop(question: Question, actor: User | None, seen: str = "") -> None:
    """Take a question out of a draft, with a skill or source that nothing else belongs to; a twin stays alone.

    Raises Invalid where the set is frozen, or the question was dropped or is not worded as `seen` any more.
    """
    asked = locked(question, seen)
    question_set = asked.question_set
    write_down(asked, Decision.DROP, texts_of(asked), {}, actor)
    question_set.questions.filter(twin_of=asked).update(twin_of=None)
    asked.delete()
    for part in (asked.skill, asked.source):
        if part is not None and not part.questions.exists():
            part.delete()


def keep(question: Question, actor: User | None, seen: str = "") -> None:
    """Write down that a question stays as it is, once for a round of checks. Raises Invalid as `drop` does."""
    with transaction.atomic():
        asked = locked(question, seen)
        last = asked.question_set.revisions.filter(key=asked.key).last()
        if last is not None and (last.decision, last.round) == (Decision.KEEP, round_of(said_of(asked))):
            return
        write_down(asked, Decision.KEEP, texts_of(asked), texts_of(asked), actor)


def locked(question: Question, seen: str = "") -> Question:
    """The question as it is stored now, in a set that nobody freezes meanwhile. Raises Invalid, also where its
    `fingerprint` is another than `seen`."""
    question_set = QuestionSet.objects.select_for_update().get(pk=question.question_set_id)
    if question_set.is_frozen:
        message = _("The question set is frozen: what should be otherwise becomes a new version.")
        raise Invalid(Problem("frozen_set", message))
    rows = Question.objects.select_related("prompt__variety", "skill", "source").filter(pk=question.pk)
    asked = rows.first()
    if asked is None:
        raise Invalid(Problem("dropped", _("The question was dropped meanwhile.")))
    asked.question_set = question_set
    if seen and seen != fingerprint(asked):
        raise Invalid(changed_meanwhile())
    return asked


def problems_of_wording(asked: Question, before: Mapping[str, str], after: Mapping[str, str]) -> list[Problem]:
    """What keeps the question from being worded so."""
    if before == after:
        return [Problem("unchanged", _("Nothing of the question is worded otherwise."))]
    if not after["instruction"]:
        return [Problem("required", _("A question needs an instruction."), "instruction")]
    is_asked_otherwise = any(before[part] != after[part] for part in ("instruction", "input"))
    if is_asked_otherwise and (message := too_long(prompt_text(after["instruction"], after["input"], asked.options))):
        return [Problem("too_long", message, "instruction")]
    uses = [read_rule(use.rule, use.rule_version, use.parameters) for use in asked.rule_uses.all()]
    readable = [use for use in uses if isinstance(use, ReadRule)]
    found = faults_of(asked, readable)
    return [Problem(code, message, FIELD_OF.get(field, "")) for _index, (code, message, field) in found]


def prompt_of(asked: Question, text: str) -> Prompt:
    """The set's prompt with this text: the one there is, else a new one under the next free name.

    Names are SET/ID, as import gives them, then SET/ID/vN of the version N that words it otherwise, then SET/ID/vN.2
    and so on where one version words it otherwise again.
    """
    question_set, variety = asked.question_set, asked.prompt.variety
    base = f"{question_set.slug}/{asked.key}"
    digest = anchors.sha256(text)
    known = {row.key: row for row in Prompt.objects.filter(project=question_set.project_id, key__startswith=base)}
    number = 1
    for key in (base, of_version := f"{base}/v{question_set.version}"):
        if key not in known or (known[key].text_sha256, known[key].variety_id) == (digest, variety.pk):
            break
    else:
        while key in known and (known[key].text_sha256, known[key].variety_id) != (digest, variety.pk):
            number += 1
            key = f"{of_version}.{number}"
    if key in known:
        return known[key]
    return Prompt.objects.create(
        project_id=question_set.project_id, key=key, text=text, text_sha256=digest, variety=variety
    )


def write_down(
    asked: Question, decision: Decision, before: Mapping[str, str], after: Mapping[str, str], actor: User | None
) -> None:
    """The revision and its audit entry, with what the question said before and says now."""
    question_set = asked.question_set
    checks = said_of(asked)
    QuestionRevision.objects.create(
        question_set=question_set,
        key=asked.key,
        round=round_of(checks),
        decision=decision,
        before=dict(before),
        after=dict(after),
        checks=checks,
        decided_by=actor,
    )
    audit.record(
        f"question.{AUDITED[decision]}",
        actor=actor,
        project=question_set.project,
        subject=f"{question_set}: {asked.key}",
        before=dict(before),
        after=dict(after),
    )


def round_of(checks: Sequence[Mapping[str, Any]]) -> int:
    """The latest round of checks; 0 where nobody has checked."""
    return max((check["round"] for check in checks), default=0)


AUDITED = {Decision.KEEP: "kept", Decision.REPAIR: "repaired", Decision.DROP: "dropped"}


def said_of(asked: Question) -> Sequence[Mapping[str, Any]]:
    """What the checkers of every round say, under their pseudonyms: it outlives a question that is dropped."""
    known = "checks" in getattr(asked, "_prefetched_objects_cache", {})
    checks = asked.checks.all() if known else asked.checks.select_related("rater")
    return [
        {
            "rater": check.rater.pseudonym,
            "round": check.round,
            "decision": check.decision,
            "fault": check.fault,
            "is_aligned": check.is_aligned,
            "note": check.note,
            "checked_at": check.created_at.isoformat(),
        }
        for check in sorted(checks, key=lambda check: (check.round, check.pk))
    ]
