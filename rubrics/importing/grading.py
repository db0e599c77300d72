"""Grades of a file: checked against the rubric they were given under, and stored many at a time."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from formats.kinds import moment_of
from formats.problems import ProblemLog
from projects.anchors import check_anchor, from_utf16, locate
from projects.models import Project, Rater, Response
from projects.problems import Invalid, Problem
from projects.vocabularies import Words
from rubrics.authoring.settings import judges_grade_alone
from rubrics.models import Criterion, Grade, GradeRole, Rubric, VerdictValue
from rubrics.scoring.rules import broken
from rubrics.scoring.storing import GradeData, NegativeData, VerdictData, store_grades
from workflow.answer_rules import rules_of_imports

# The errors that the first grading named: these two are asked about them, the others name errors of their own.
ASKED_ABOUT_ERRORS = frozenset({GradeRole.REGRADE.value, GradeRole.JUDGE.value})
# The kinds of work whose rules people's grades are held to.
KINDS = {
    "scoring": GradeRole.REFERENCE.value,
    "regrading": GradeRole.REGRADE.value,
    "calibration": GradeRole.CALIBRATION.value,
}
OF_POSITIVE = frozenset({VerdictValue.PASS.value, VerdictValue.FAIL.value})


@dataclass(slots=True)
class GradeLine:
    """A checked grade with the rows it is about. `place` stands before its fields' names in each problem."""

    number: int
    fields: dict
    response: Response
    rubric: Rubric
    rater: Rater
    place: str = ""

    @property
    def role(self) -> str:
        return self.fields["role"]

    @property
    def round(self) -> int:
        return self.fields.get("round") or 1


@dataclass(slots=True)
class _Held:
    """What the project and the earlier lines of the file hold for the responses of one batch."""

    # (response, rater, rubric, round) and (response, rubric) of reference grades: the line, 0 where stored before.
    grades: dict[tuple[int, int, int, int], int] = field(default_factory=dict)
    references: dict[tuple[int, int], int] = field(default_factory=dict)
    written: dict[int, dict[str, Criterion]] = field(default_factory=dict)  # the rubric's own, by rubric and key
    errors: dict[tuple[int, int], dict[str, Criterion]] = field(default_factory=dict)  # by (response, rubric), key
    keys: set[tuple[int, str]] = field(default_factory=set)  # (rubric, key) of every criterion


class GradeBook:
    """Stores the grades of one file, batch by batch. Counts them under "grades", own errors under "errors"."""

    def __init__(self, project: Project, problems: ProblemLog, counts: Counter[str], types: Words) -> None:
        self.problems = problems
        self.judges_alone = judges_grade_alone(project)
        self.rules = {role: rules_of_imports(project, kind) for kind, role in KINDS.items()}
        self.types = types  # of failure, as the project knows them
        self.counts = counts
        # (response, rubric) of first gradings that a problem kept from being stored: nobody knows their errors, so
        # what others say of those can be neither right nor wrong.
        self.unstored: set[tuple[int, int]] = set()

    def store(self, lines: Sequence[GradeLine]) -> None:
        """First gradings come first, whatever their order: what they name is what the others are asked about."""
        held = self._held(lines)
        first = [line for line in lines if line.role == GradeRole.REFERENCE]
        others = [line for line in lines if line.role != GradeRole.REFERENCE]
        self._store([line for line in first if self._is_free(line, held)], held)
        if self.problems.total:
            self.unstored |= {(line.response.pk, line.rubric.pk) for line in first}
        elif first:
            held.errors = reference_errors(lines)
        self._store([line for line in others if self._is_free(line, held) and self._has_reference(line, held)], held)

    def _held(self, lines: Sequence[GradeLine]) -> _Held:
        held = _Held()
        responses = {line.response.pk for line in lines}
        rubrics = {line.rubric.pk for line in lines}
        for response, rater, rubric, number, role in Grade.objects.filter(response__in=responses).values_list(
            "response_id", "rater_id", "rubric_id", "round", "role"
        ):
            held.grades[response, rater, rubric, number] = 0
            if role == GradeRole.REFERENCE:
                held.references[response, rubric] = 0
        for criterion in Criterion.objects.filter(rubric__in=rubrics, grade=None).order_by("position"):
            held.written.setdefault(criterion.rubric_id, {})[criterion.key] = criterion
        given = {entry["key"] for line in lines for entry in line.fields.get("negatives") or []}
        taken = Criterion.objects.filter(rubric__in=rubrics, key__in=given)
        held.keys = set(taken.values_list("rubric_id", "key"))
        held.errors = reference_errors(lines)
        return held

    def _is_free(self, line: GradeLine, held: _Held) -> bool:
        """True for the first grade of this rater in this round, and the first reference of the response."""
        before = self.problems.total
        if self.judges_alone and line.role != GradeRole.JUDGE:
            message = _("Judges grade alone in this project: no grade of a person comes in.")
            self._say(line, "judges_alone", message, "role")
        grade = (line.response.pk, line.rater.pk, line.rubric.pk, line.round)
        if grade in held.grades:
            self._say(line, "already_there", self._again(held.grades[grade]), "item")
        held.grades.setdefault(grade, line.number)
        if line.role == GradeRole.REFERENCE:
            response = (line.response.pk, line.rubric.pk)
            if response in held.references:
                message = _("The response has its first grading already; this is a second one.")
                self._say(line, "second_reference", message, "role")
            held.references.setdefault(response, line.number)
        given = line.fields.get("graded_at")
        if given is not None and line.rubric.frozen_at and moment_of(given) < line.rubric.frozen_at:
            message = _("The grade was given before its rubric was frozen: a response is graded by what stood before.")
            self._say(line, "before_freeze", message, "graded_at")
        return self.problems.total == before

    def _again(self, line: int) -> str:
        if line:
            return _("The rater's answer on this item in this round stands on line %(line)d already.") % {"line": line}
        return _("The rater's answer on this item in this round is already in the project.")

    def _has_reference(self, line: GradeLine, held: _Held) -> bool:
        if line.role not in ASKED_ABOUT_ERRORS or self.judges_alone:
            return True
        if (line.response.pk, line.rubric.pk) in self.unstored:
            return False
        stands = held.references.get((line.response.pk, line.rubric.pk))
        if stands is None or stands > line.number:
            message = _("The response has no first grading on an earlier line or in the project: it names the errors.")
            self._say(line, "no_reference", message, "role")
            return False
        return True

    def _store(self, lines: Sequence[GradeLine], held: _Held) -> None:
        data = [made for line in lines if (made := self._grade(line, held)) is not None]
        if self.problems.total:
            return  # nothing will be stored, so the rest is looked through for problems alone
        store_grades(data)
        self.counts["grades"] += len(data)
        self.counts["errors"] += sum(len(grade.negatives) for grade in data)

    def _grade(self, line: GradeLine, held: _Held) -> GradeData | None:
        before = self.problems.total
        asked = dict(held.written.get(line.rubric.pk, {}))
        if line.role in ASKED_ABOUT_ERRORS:
            asked |= held.errors.get((line.response.pk, line.rubric.pk), {})
        verdicts = self._verdicts(line, asked)
        negatives = self._negatives(line, held)
        self._hold_to_rules(line, asked)
        if self.problems.total != before:
            return None
        given = line.fields.get("graded_at")
        return GradeData(
            response=line.response,
            rubric=line.rubric,
            rater=line.rater,
            role=line.role,
            verdicts=verdicts,
            negatives=negatives,
            round=line.round,
            is_complete=line.fields.get("complete") is not False,
            comment=line.fields.get("comment") or "",
            metadata=line.fields.get("metadata") or {},
            created_at=None if given is None else moment_of(given),
        )

    def _verdicts(self, line: GradeLine, asked: dict[str, Criterion]) -> list[VerdictData]:
        """One verdict on each criterion asked about, in the order of the file, and on no other."""
        verdicts = []
        for index, entry in enumerate(line.fields["verdicts"]):
            criterion = asked.get(entry["criterion"])
            if criterion is None:
                message = _("The rubric asks this grader about no criterion “%(key)s”.") % {"key": entry["criterion"]}
                self._say(line, "unknown_criterion", message, f"verdicts[{index}].criterion")
            elif (entry["value"] in OF_POSITIVE) != criterion.is_positive:
                message = (
                    _("A positive criterion is passed or failed: “pass” or “fail”.")
                    if criterion.is_positive
                    else _("The error of a negative criterion is “present” or “absent”.")
                )
                self._say(line, "verdict_misfits", message, f"verdicts[{index}].value")
            else:
                verdicts.append(VerdictData(criterion, entry["value"], entry.get("justification") or ""))
        if line.fields.get("complete") is not False:
            missing = asked.keys() - {entry["criterion"] for entry in line.fields["verdicts"]}
            if missing:
                message = _("There is no verdict on: %(keys)s.") % {"keys": ", ".join(sorted(missing))[:400]}
                self._say(line, "missing_criterion", message, "verdicts")
        return verdicts

    def _hold_to_rules(self, line: GradeLine, asked: dict[str, Criterion]) -> None:
        """The rules of the stage in which such a grade would have been given; what only warns is counted."""
        draft = {
            "verdicts": {entry["criterion"]: entry["value"] for entry in line.fields["verdicts"]},
            "negatives": line.fields.get("negatives") or [],
            "comment": line.fields.get("comment") or "",
        }
        tags = {key: criterion.tags for key, criterion in asked.items()}
        for each in broken(self.rules.get(line.role, ()), draft, tags):
            if each.warns:
                self.counts["warnings"] += 1
            else:
                self._say(line, each.code, str(each.problem.message), each.field)

    def _negatives(self, line: GradeLine, held: _Held) -> list[NegativeData]:
        negatives = []
        for index, entry in enumerate(line.fields.get("negatives") or []):
            place = f"negatives[{index}]"
            if (line.rubric.pk, entry["key"]) in held.keys:
                message = _("The rubric has a criterion with this key already, of this response or another.")
                self._say(line, "duplicate_id", message, f"{place}.key")
            held.keys.add((line.rubric.pk, entry["key"]))
            failure_type = entry.get("failure_type") or ""
            if (failure_type or self.types) and failure_type not in self.types:
                self._say(line, "unknown", self.types.refusal(), f"{place}.failure_type")
            try:
                start, end, quote = anchored(line, entry, failure_type in self.types.missing)
            except Invalid as refused:
                for problem in refused.problems:
                    self._say(line, problem.code, str(problem.message), f"{place}.{problem.field}")
                continue
            negatives.append(
                NegativeData(
                    key=entry["key"],
                    text=entry["text"],
                    weight=entry["weight"],
                    failure_type=failure_type,
                    objectivity=entry["objectivity"],
                    explicitness=entry["explicitness"],
                    start=start,
                    end=end,
                    quote=quote,
                    justification=entry.get("justification") or "",
                )
            )
        return negatives

    def _say(self, line: GradeLine, code: str, message: str, name: str) -> None:
        self.problems.say(line.number, code, message, line.place + name)


def reference_errors(lines: Iterable[GradeLine]) -> dict[tuple[int, int], dict[str, Criterion]]:
    """The negative criteria that the first grading of each response named, by (response, rubric) and key."""
    responses = {line.response.pk for line in lines}
    errors: dict[tuple[int, int], dict[str, Criterion]] = {}
    named = Criterion.objects.filter(response__in=responses, grade__role=GradeRole.REFERENCE)
    for criterion in named.order_by("position", "id"):
        assert criterion.response_id is not None
        errors.setdefault((criterion.response_id, criterion.rubric_id), {})[criterion.key] = criterion
    return errors


def anchored(line: GradeLine, entry: dict, is_missing: bool) -> tuple[int | None, int | None, str]:
    """Code-point offsets and quote of the words an error points at; (None, None, "") where it points at none.

    Raises Invalid naming the field: something missing with words, a quote that is absent or stands several times,
    offsets outside the text or inside a written character.
    """
    start, end, quote = entry.get("start"), entry.get("end"), entry.get("quote") or None
    if start is None and end is None and quote is None:
        if entry.get("occurrence") is not None:
            raise Invalid(Problem("not_alone", _("An occurrence is one of a quote."), "occurrence"))
        return None, None, ""
    if is_missing:
        message = _("What is missing has no words to point at.")
        raise Invalid(Problem("not_with_type", message, "quote" if quote else "start"))
    text = line.response.text
    if start is None and end is None:
        start, end = locate(text, quote or "", entry.get("occurrence"))
    elif line.fields.get("offset_unit") == "utf16":
        start, end = in_code_points(text, start, "start"), in_code_points(text, end, "end")
    return start, end, check_anchor(text, start, end, quote)


def in_code_points(text: str, offset: int | None, name: str) -> int | None:
    if offset is None:
        return None
    try:
        return from_utf16(text, offset)
    except Invalid as refused:
        problem = refused.problems[0]
        raise Invalid(Problem(problem.code, problem.message, name)) from None
