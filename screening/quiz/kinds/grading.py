"""A sample to grade by its rubric: a verdict on each criterion, against the author's or an expert's.

Content: {"criteria": [{"key", "text", "is_positive", "gold"}, ...]}, as the frozen rubric has them. An answer is
{"<key>": "pass"|"fail"|"present"|"absent"}.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.models import Response
from projects.problems import Invalid, Problem
from rubrics.models import Criterion, Rubric, VerdictValue
from screening.expert_gold import gold_verdicts
from screening.models.quizzes import Asked, QuestionKind, ScoringRules
from screening.quiz.kinds import Line, QuestionForm, QuestionKindBase
from screening.quiz.kinds.choice import lines
from screening.scoring import Score, score_verdicts

OF_POSITIVE = (VerdictValue.PASS.value, VerdictValue.FAIL.value)
OF_NEGATIVE = (VerdictValue.PRESENT.value, VerdictValue.ABSENT.value)


class GradingForm(QuestionForm):
    sample = forms.CharField(
        label=gettext_lazy("Response"),
        max_length=200,
        help_text=gettext_lazy("Its id, as in the file it came from."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    verdicts = forms.CharField(
        label=gettext_lazy("Verdicts of the author"),
        required=False,
        help_text=gettext_lazy(
            "A criterion a line, such as “c1: pass”. Left empty, the grade of the author or of an expert in this "
            "project gives them."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )

    def begin(self, content: Mapping[str, Any]) -> None:
        if self.instance.response is not None:
            self.initial["sample"] = self.instance.response.key
            said = (f"{each['key']}: {each['gold']}" for each in content.get("criteria", []))
            self.initial["verdicts"] = "\n".join(said)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        key = cleaned.get("sample")
        if not key:
            return cleaned
        response = Response.objects.filter(project=self.project, key=key).first()
        if response is None:
            self.add_error("sample", _("The project has no response of this id."))
            return cleaned
        self.instance.response = response
        criteria = criteria_of(response)
        if not criteria:
            self.add_error("sample", _("The prompt of this response has no frozen rubric."))
            return cleaned
        given = lines(cleaned.get("verdicts"))
        gold = self.entered(given, criteria) if given else gold_verdicts([response.pk]).get(response.pk, {})
        if self.errors:
            return cleaned
        if missing := [each.key for each in criteria if each.key not in gold]:
            message = _("No verdict is known on %(keys)s. Enter one for each criterion.")
            self.add_error("verdicts", message % {"keys": ", ".join(missing)})
            return cleaned
        self.instance.content = {
            "criteria": [
                {"key": each.key, "text": each.text, "is_positive": each.is_positive, "gold": gold[each.key]}
                for each in criteria
            ]
        }
        return cleaned

    def entered(self, given: list[str], criteria: list[Criterion]) -> dict[str, str]:
        """The verdicts of these lines; what is none is an error of the form."""
        by_key = {each.key: each for each in criteria}
        gold: dict[str, str] = {}
        for line in given:
            key, _colon, verdict = (part.strip() for part in line.rpartition(":"))
            if key not in by_key or verdict not in offered(by_key[key].is_positive):
                self.add_error("verdicts", _("“%(line)s” is no verdict on a criterion.") % {"line": line})
            else:
                gold[key] = verdict
        return gold


def criteria_of(response: Response) -> list[Criterion]:
    """Those of the newest frozen rubric, in its author's order; none without one."""
    frozen = Rubric.objects.filter(prompt=response.prompt_id, frozen_at__isnull=False).order_by("-version").first()
    return list(frozen.criteria.filter(grade=None).order_by("position", "pk")) if frozen else []


def offered(is_positive: bool) -> tuple[str, str]:
    return OF_POSITIVE if is_positive else OF_NEGATIVE


class SampleGrading(QuestionKindBase):
    kind = QuestionKind.GRADING
    template = "screening/quiz/kinds/grading.html"
    form = GradingForm

    def shown(self, asked: Asked, order: list[int], answer: Any) -> dict[str, Any]:
        given = answer or {}
        return {
            "response": asked.response,
            "criteria": [
                {
                    "number": number,
                    "text": each["text"],
                    "options": [
                        (value, VerdictValue(value).label, given.get(each["key"]) == value)
                        for value in offered(each["is_positive"])
                    ],
                }
                for number, each in enumerate(asked.content["criteria"], start=1)
            ],
        }

    def read(self, asked: Asked, posted: QueryDict, name: str) -> Any:
        answer = {}
        for number, each in enumerate(asked.content["criteria"], start=1):
            value = posted.get(f"{name}-{number}", "")
            if value and value not in offered(each["is_positive"]):
                raise Invalid(Problem("not_offered", _("This answer was not offered."), name))
            if value:
                answer[each["key"]] = value
        return answer or None

    def is_complete(self, asked: Asked, answer: Any) -> bool:
        return answer is not None and len(answer) == len(asked.content["criteria"])

    def score(self, asked: Asked, answer: Any, scoring: ScoringRules) -> Score:
        gold = {each["key"]: each["gold"] for each in asked.content["criteria"]}
        return score_verdicts(gold, answer or {}, scoring.verdict_share / 100)

    def right_answer(self, asked: Asked) -> list[Line]:
        return _lines(asked, {each["key"]: each["gold"] for each in asked.content["criteria"]})

    def given_answer(self, asked: Asked, answer: Any) -> list[Line]:
        return _lines(asked, answer or {})


def _lines(asked: Asked, verdicts: Mapping[str, str]) -> list[Line]:
    return [
        Line(f"{VerdictValue(verdicts[each['key']]).label}: {each['text']}")
        for each in asked.content["criteria"]
        if each["key"] in verdicts
    ]
