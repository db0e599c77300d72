"""Rubric grading: a judge gives a verdict, with its reason, on every criterion that the reference grader graded by."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from judging.kinds import (
    AnswersByResponse,
    JudgeKind,
    Material,
    Pass,
    ShownCriterion,
    Unit,
    UnitAnswer,
    Units,
    Way,
    WrongAnswer,
    number_of,
)
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import check_field, check_keys, check_ticket, closed
from judging.kinds.options import TARGET
from judging.kinds.rubric.criteria import NEWEST, Asked, asked_of, shown_criteria
from judging.models import ANSWERED, Call, CallState, Judge, Target
from judging.prompts import PromptText, chat, fill, templates_of
from projects.among import Among
from projects.models import Response
from rubrics.models import Grade, GradeRole, Rubric, Verdict, VerdictValue
from rubrics.scoring.storing import GradeData, VerdictData, store_grades

VERSION = "v1"
# What may be said of a criterion with a weight above 0, and of one with a weight below it. Nothing is the default.
POSITIVE = {"PASS": VerdictValue.PASS.value, "FAIL": VerdictValue.FAIL.value}
NEGATIVE = {"ERROR_PRESENT": VerdictValue.PRESENT.value, "NO_ERROR": VerdictValue.ABSENT.value}
VERDICT: dict[str, dict[str, Any]] = {
    "criterion": {"type": "string"},
    # The reason stands before the verdict, so that the verdict follows from it.
    "justification": {"type": "string"},
    "verdict": {"type": "string", "enum": [*POSITIVE, *NEGATIVE]},
}
SCHEMA = closed({"ticket": {"type": "string"}, "verdicts": {"type": "array", "items": closed(VERDICT)}})


class GradedCriterion(NamedTuple):
    pk: int
    weight: int


WAYS = (
    Way(_("Which model wrote the response stays hidden"), {}),
    Way(_("The model is named"), {"target": "shown"}),
)


class RubricGrading(JudgeKind):
    kind = "rubric"
    is_usual = True
    options = (TARGET, EXPLAINED)
    ways = WAYS
    name = _("Grades by rubric")
    idle = _(
        "No response waits for this judge. It is asked about a response once its rubric is frozen and a person has "
        "graded it, and only where another laboratory wrote it."
    )
    not_ready = _("responses without a frozen rubric, or not graded by a person yet")
    gone = "criterion_gone"

    def prompt_text(self, judge: Judge) -> PromptText:
        is_named = TARGET.of(judge) == Target.SHOWN
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in ("system", "question", "criterion")}
        parts["program"] = templates["program"] if is_named else ""
        parts |= templates.phrases("positive", "negative") | templates.explained | templates.published
        return PromptText(f"{self.kind}/{'named' if is_named else 'masked'}", templates.version, parts, SCHEMA)

    def answered(self, judge: Judge, round: int) -> set[int]:
        """Those graded under the newest version of their rubric: a later version is asked about anew."""
        grades = Grade.objects.filter(NEWEST, rater=judge.rater_id, round=round)
        return set(grades.values_list("response_id", flat=True))

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One per response that a person has graded; its number stands for the set of criteria."""
        asked = asked_of(texts)
        units = {pk: [Unit(number_of(criteria.criteria), criteria.criteria)] for pk, criteria in asked.items()}
        return Units(units, not_ready=len(texts) - len(units))

    def subjects(self, ids: Collection[int]) -> Mapping[int, ShownCriterion]:
        return shown_criteria(ids)

    def material(self, bare: Material, subjects: Sequence[ShownCriterion], target: str, prompt: PromptText) -> Material:
        return replace(bare, criteria=tuple(subjects), target=target if prompt.parts["program"] else "")

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        parts = prompt.parts
        if prompt.answer_form:
            listed = "\n".join(f"{number}. {criterion.text}" for number, criterion in enumerate(material.criteria, 1))
            texts = {"prompt": material.prompt, "response": material.response, "language": material.language}
            return prompt.word_for_word({**texts, "criteria": listed, "count": str(len(material.criteria))})
        criteria = [
            fill(
                parts["criterion"],
                {
                    "number": str(number),
                    "sort": prompt.phrase("positive" if criterion.weight > 0 else "negative"),
                    "weight": str(criterion.weight),
                    "text": criterion.text,
                    "nonce": nonce,
                },
            )
            for number, criterion in enumerate(material.criteria, start=1)
        ]
        shown = {
            "nonce": nonce,
            "prompt": material.prompt,
            "response": material.response,
            "program": fill(parts["program"], {"nonce": nonce, "target": material.target}),
            "count": str(len(criteria)),
            "criteria": "\n".join(criteria),
        }
        return chat(fill(parts["system"], prompt.languages(material.language)), fill(parts["question"], shown))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        """A verdict on every criterion that was asked about, in their order; one wrong entry makes all of it wrong."""
        check_keys(value, prompt.schema["properties"])
        check_ticket(value, nonce)
        if not isinstance(value["verdicts"], list):
            raise WrongAnswer("wrong_type", "verdicts")
        criteria = {f"c{number}": criterion for number, criterion in enumerate(material.criteria, start=1)}
        verdicts_by_name: dict[str, dict[str, Any]] = {}
        for verdict in value["verdicts"]:
            check_verdict(verdict, criteria)
            if verdict["criterion"] in verdicts_by_name:
                raise WrongAnswer("criterion_twice", verdict["criterion"])
            verdicts_by_name[verdict["criterion"]] = verdict
        if verdicts_by_name.keys() != criteria.keys():
            raise WrongAnswer("criterion_left_out", ", ".join(sorted(criteria.keys() - verdicts_by_name.keys()))[:200])
        return {"verdicts": [verdict_of(criterion, verdicts_by_name[name]) for name, criterion in criteria.items()]}

    def read_plain(self, answer: Any, prompt: PromptText, material: Material, unit: int) -> dict[str, Any]:
        """Of each criterion in its order 1 where it holds of the response (a negative one: where the error is there), 0
        where it does not. Without a justification."""
        if len(answer) != len(material.criteria):
            raise WrongAnswer("criterion_left_out", f"{len(answer)} of {len(material.criteria)}")
        if not set(answer) <= {0, 1}:
            raise WrongAnswer("unknown_value", "verdict")
        verdicts = []
        for criterion, holds in zip(material.criteria, answer, strict=True):
            tokens = list(POSITIVE if criterion.weight > 0 else NEGATIVE)
            verdicts.append(verdict_of(criterion, {"verdict": tokens[0 if holds else 1], "justification": ""}))
        return {"verdicts": verdicts}

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        """One grade per response, of the answer about the criteria as they are now; the grade it has stays.

        An answer about other criteria than those grades nothing, and its call fails as `criteria_changed`.
        """
        asked = asked_of(answered, hold=True)
        graded = Grade.objects.filter(rater=judge.rater_id, round=round, response__in=Among(answered))
        have = set(graded.values_list("response_id", "rubric_id"))
        chosen: dict[int, dict[str, Any]] = {}
        stale: list[tuple[int, UnitAnswer]] = []
        for response, answers in answered.items():
            now = asked.get(response)
            for answer in answers:
                if answer.state not in ANSWERED or answer.parsed is None:
                    continue
                if now is None or answer.unit != number_of(now.criteria):
                    stale.append((response, answer))
                elif (response, now.rubric) not in have:
                    chosen[response] = answer.parsed
        store_grades([grade_of(judge, round, pk, asked[pk], parsed, metadata) for pk, parsed in chosen.items()])
        set_aside(judge, round, stale)
        return len(chosen)

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        """Answers about criteria that have changed since: a grade stays with the version it was given under."""
        asked = asked_of(answered)
        now = {(response, number_of(criteria.criteria)) for response, criteria in asked.items()}
        return {(response, answer.unit) for response, answers in answered.items() for answer in answers} - now

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        rubrics = {response: criteria.rubric for response, criteria in asked_of(answered, hold=True).items()}
        of_judge = Grade.objects.filter(rater=judge.rater_id, round=round, role=GradeRole.JUDGE)
        of_prompt = of_judge.filter(response__in=Among(answered), metadata__prompt=prompt)
        given = of_prompt.values_list("pk", "response_id", "rubric_id")
        Grade.objects.filter(
            pk__in=Among(pk for pk, response, rubric in given if rubrics.get(response) == rubric)
        ).delete()


def check_verdict(verdict: object, criteria: Mapping[str, ShownCriterion]) -> None:
    """Raises WrongAnswer unless it is a token of its criterion's sort, with a reason, on a criterion that was asked."""
    check_keys(verdict, VERDICT, "verdicts")
    assert isinstance(verdict, dict)
    for name, asked in VERDICT.items():
        check_field(name, verdict[name], asked)
    criterion = criteria.get(verdict["criterion"])
    if criterion is None:
        raise WrongAnswer("unknown_criterion", verdict["criterion"][:80])
    if verdict["verdict"] not in (POSITIVE if criterion.weight > 0 else NEGATIVE):
        raise WrongAnswer("verdict_of_other_sort", verdict["criterion"])
    if not verdict["justification"].strip():
        raise WrongAnswer("justification_missing", verdict["criterion"])


def verdict_of(criterion: ShownCriterion, verdict: Mapping[str, Any]) -> dict[str, Any]:
    """A verdict as `Call.parsed` holds it, with the criterion's words."""
    return {
        "criterion": criterion.id,
        "text": criterion.text,
        "weight": criterion.weight,
        "value": (POSITIVE if criterion.weight > 0 else NEGATIVE)[verdict["verdict"]],
        "justification": verdict["justification"].strip(),
    }


def grade_of(
    judge: Judge, round: int, response: int, asked: Asked, parsed: Mapping[str, Any], metadata: dict
) -> GradeData:
    return GradeData(
        response=Response(pk=response),
        rubric=Rubric(pk=asked.rubric),
        rater=judge.rater,
        role=GradeRole.JUDGE,
        round=round,
        verdicts=[
            VerdictData(
                GradedCriterion(verdict["criterion"], verdict["weight"]), verdict["value"], verdict["justification"]
            )
            for verdict in parsed["verdicts"]
        ],
        metadata=metadata,
    )


def set_aside(judge: Judge, round: int, stale: Sequence[tuple[int, UnitAnswer]]) -> None:
    """Answers about criteria that changed while they were asked about fail; those that are a grade already stand."""
    for response, answer in stale:
        assert answer.parsed is not None
        ids = [verdict["criterion"] for verdict in answer.parsed["verdicts"]]
        given = Verdict.objects.filter(grade__rater=judge.rater_id, grade__round=round, grade__response=response)
        if given.filter(criterion__in=ids).count() < len(ids):
            calls = Call.objects.filter(judge=judge, round=round, response=response, unit=answer.unit)
            calls.filter(state__in=ANSWERED).update(state=CallState.FAILED, problem="criteria_changed", parsed=None)
