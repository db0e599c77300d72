"""The fields of rubrics and grades in a file, and what can be said of them without the database."""

from collections.abc import Iterable, Mapping

from django.utils import timezone
from django.utils.translation import gettext as _

from projects.importing.fields import (
    Fault,
    Field,
    ProblemLog,
    check_fields,
    flag,
    mapping,
    moment,
    moment_of,
    name,
    one_of,
    rows,
    short_text,
    text,
    whole,
)
from rubrics.authoring.checking import HEAVIEST, MAX_CRITERIA, MAX_CRITERION, MAX_GOLD_ANSWER, MAX_KEY, MAX_REASON
from rubrics.models import DifficultyOutcome, Explicitness, FailureType, Objectivity, Scope, VerdictValue
from rubrics.scoring.checking import MAX_NEGATIVES, MAX_TEXT

# Of a verdict: what a judge can be told to write at most is far below.
MAX_JUSTIFICATION = 20_000
FAR = 2**31 - 1
# Where the grade of an imported judge keeps the version of the prompt it was asked by, among its metadata.
PROMPT_VERSION = "prompt_version"

CRITERION_FIELDS = {
    "key": Field(name(MAX_KEY), required=True),
    "text": Field(text(MAX_CRITERION), required=True),
    "weight": Field(whole(1, HEAVIEST), required=True),
    "band": Field(name(60)),
    "objectivity": Field(one_of(Objectivity.values), required=True),
    "explicitness": Field(one_of(Explicitness.values), required=True),
}
DIFFICULTY_FIELDS = {
    "model": Field(name(200), required=True),
    "outcome": Field(one_of(DifficultyOutcome.values), required=True),
    "by_hand": Field(flag),
    "asked_at": Field(moment),
}
FINDING_FIELDS = {
    "code": Field(name(60), required=True),
    "criterion": Field(short_text(MAX_KEY)),
    "words": Field(short_text(MAX_GOLD_ANSWER)),
    "reason": Field(short_text(MAX_REASON)),
}
VERDICT_FIELDS = {
    "criterion": Field(name(MAX_KEY), required=True),
    "value": Field(one_of(VerdictValue.values), required=True),
    "justification": Field(short_text(MAX_JUSTIFICATION)),
}
NEGATIVE_FIELDS = {
    "key": Field(name(MAX_KEY), required=True),
    "text": Field(text(MAX_TEXT), required=True),
    "weight": Field(whole(-HEAVIEST, -1), required=True),
    "failure_type": Field(one_of(FailureType.values), required=True),
    "objectivity": Field(one_of(Objectivity.values), required=True),
    "explicitness": Field(one_of(Explicitness.values), required=True),
    "start": Field(whole(0, FAR)),
    "end": Field(whole(0, FAR)),
    "quote": Field(short_text(FAR)),
    "occurrence": Field(whole(1, FAR)),
    "justification": Field(short_text(MAX_JUSTIFICATION)),
}


def difficulty(value: object) -> Fault | None:
    """What came of trying the prompt on a model, or an empty object where nobody did."""
    if type(value) is not dict:
        return "not_object", _("A JSON object in braces is expected.")
    if not value:
        return None
    problems = ProblemLog()
    if check_fields(DIFFICULTY_FIELDS, value, 0, problems):
        return None
    first = problems.shown[0]
    return first.code, f"{first.field}: {first.message}"


def grade_metadata(value: object) -> Fault | None:
    """An object; where it says with which prompt a judge was asked, that is a name, as the gold export has it."""
    if fault := mapping(value):
        return fault
    assert isinstance(value, dict)
    version = value.get(PROMPT_VERSION)
    if version is not None and (fault := name(120)(version)):
        return fault[0], f"{PROMPT_VERSION}: {fault[1]}"
    return None


# What a rubric says of itself, wherever it stands.
RUBRIC_FIELDS = {
    "version": Field(whole(1, 32_767)),
    "scope": Field(one_of(Scope.values), required=True),
    "gold_answer": Field(text(MAX_GOLD_ANSWER), required=True),
    "criteria": Field(rows, required=True),
    "difficulty": Field(difficulty),
    "accepted_findings": Field(rows),
    "frozen_at": Field(moment, required=True),
    "sha256": Field(name(64)),
}


def refuse_future(line: int, value: str, field: str, problems: ProblemLog) -> None:
    if moment_of(value) > timezone.now():
        problems.say(line, "in_future", _("This lies in the future."), field)


def refuse_repeated(entries: Iterable[dict], field: str, line: int, place: str, problems: ProblemLog) -> None:
    """Say which entries of a list have the `field` of an earlier one."""
    seen: set[object] = set()
    for index, entry in enumerate(entries):
        if entry.get(field) in seen:
            message = _("“%(key)s” stands twice in the line.") % {"key": str(entry[field])[:MAX_KEY]}
            problems.say(line, "duplicate_id", message, f"{place}[{index}].{field}")
        seen.add(entry.get(field))


def check_entries(
    fields: Mapping[str, Field], entries: Iterable[dict], line: int, place: str, problems: ProblemLog
) -> bool:
    before = problems.total
    for index, entry in enumerate(entries):
        check_fields(fields, entry, line, problems, f"{place}[{index}].")
    return problems.total == before


def check_rubric(fields: dict, line: int, problems: ProblemLog, place: str = "") -> bool:
    """True where a rubric whose RUBRIC_FIELDS are good can be one: criteria, findings, difficulty, time."""
    before = problems.total
    criteria = fields["criteria"]
    if not criteria:
        problems.say(line, "nothing", _("A rubric has at least one positive criterion."), f"{place}criteria")
    elif len(criteria) > MAX_CRITERIA:
        message = _("A rubric can carry %(limit)d criteria at most; these are %(count)d.")
        numbers = {"limit": MAX_CRITERIA, "count": len(criteria)}
        problems.say(line, "too_many", message % numbers, f"{place}criteria")
    elif check_entries(CRITERION_FIELDS, criteria, line, f"{place}criteria", problems):
        refuse_repeated(criteria, "key", line, f"{place}criteria", problems)
    check_entries(FINDING_FIELDS, fields.get("accepted_findings") or [], line, f"{place}accepted_findings", problems)
    if (fields.get("difficulty") or {}).get("outcome") == DifficultyOutcome.PERFECT:
        message = _("A prompt that was answered perfectly is revised or discarded; its rubric is not frozen.")
        problems.say(line, "answered_perfectly", message, f"{place}difficulty")
    refuse_future(line, fields["frozen_at"], f"{place}frozen_at", problems)
    _check_what_came_before(fields, line, problems, place)
    return problems.total == before


def _check_what_came_before(fields: dict, line: int, problems: ProblemLog, place: str) -> None:
    """The difficulty check came before the freeze, and what was accepted was found in criteria that were frozen."""
    asked_at = (fields.get("difficulty") or {}).get("asked_at")
    if asked_at and moment_of(asked_at) > moment_of(fields["frozen_at"]):
        message = _("The prompt was tried on a model after its rubric was frozen: the check comes before.")
        problems.say(line, "after_freeze", message, f"{place}difficulty.asked_at")
    keys = {criterion.get("key") for criterion in fields["criteria"] if isinstance(criterion.get("key"), str)}
    for index, finding in enumerate(fields.get("accepted_findings") or []):
        key = finding.get("criterion")
        if isinstance(key, str) and key and key not in keys:
            message = _("The rubric has no criterion “%(key)s”.") % {"key": key[:MAX_KEY]}
            problems.say(line, "unknown_criterion", message, f"{place}accepted_findings[{index}].criterion")


def check_answer(fields: dict, line: int, problems: ProblemLog, place: str = "") -> bool:
    """True where the verdicts and negative criteria of a grade are well-formed and none stands twice."""
    before = problems.total
    verdicts, negatives = fields["verdicts"], fields.get("negatives") or []
    if check_entries(VERDICT_FIELDS, verdicts, line, f"{place}verdicts", problems):
        refuse_repeated(verdicts, "criterion", line, f"{place}verdicts", problems)
    if len(negatives) > MAX_NEGATIVES:
        message = _("A grade can add %(limit)d errors at most; these are %(count)d.")
        numbers = {"limit": MAX_NEGATIVES, "count": len(negatives)}
        problems.say(line, "too_many", message % numbers, f"{place}negatives")
    elif check_entries(NEGATIVE_FIELDS, negatives, line, f"{place}negatives", problems):
        refuse_repeated(negatives, "key", line, f"{place}negatives", problems)
    return problems.total == before
