"""A sample to rate: a response, or two side by side, on one question type, against the experts' grades.

Content: {"gold": {"first": 4, "second": 2, "preference": ""}}, an entry of a draft's "ratings" (docs/ratings.md). An
answer has the same keys; `first` and `second` are the pair's, whichever stood first on the screen.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.fitted_rules import unweighed_rule
from projects.models import QuestionType, Response, ResponsePair
from projects.problems import Invalid, Problem
from screening.expert_gold import expert_ratings, gold_grades
from screening.models.quizzes import Asked, QuestionKind, ScoringRules
from screening.quiz.kinds import Line, QuestionForm, QuestionKindBase
from screening.scoring import FIRST, PREFERENCES, SECOND, TIE, Grades, Score, score_grades


class RatingForm(QuestionForm):
    sample = forms.CharField(
        label=gettext_lazy("Pair or response"),
        max_length=200,
        help_text=gettext_lazy("Its id, as in the file it came from."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    question_type = forms.ModelChoiceField(QuestionType.objects.none(), label=gettext_lazy("Rated on"))
    first = forms.FloatField(
        label=gettext_lazy("Experts' grade of the first response"),
        required=False,
        help_text=gettext_lazy("Left empty, the experts' ratings in this project give all of them."),
    )
    second = forms.FloatField(label=gettext_lazy("Experts' grade of the second response"), required=False)
    preference = forms.ChoiceField(
        label=gettext_lazy("Experts' preference, where there is no scale"),
        required=False,
        choices=[
            ("", "–"),
            (FIRST, gettext_lazy("First is better")),
            (SECOND, gettext_lazy("Second is better")),
            (TIE, gettext_lazy("Equally good")),
        ],
    )

    def begin(self, content: Mapping[str, Any]) -> None:
        types = self.fields["question_type"]
        assert isinstance(types, forms.ModelChoiceField)
        types.queryset = self.project.question_types.all()
        sample = self.instance.pair or self.instance.response
        self.initial.update(content.get("gold", {}), question_type=self.instance.question_type_id)
        if sample is not None:
            self.initial["sample"] = sample.key

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        key, question = cleaned.get("sample"), cleaned.get("question_type")
        if not key or question is None:
            return cleaned
        pair = ResponsePair.objects.filter(project=self.project, key=key).first()
        response = None if pair else Response.objects.filter(project=self.project, key=key).first()
        if pair is None and response is None:
            self.add_error("sample", _("The project has no pair and no response of this id."))
            return cleaned
        gold = self.entered(cleaned) or self.of_experts(question, pair, response)
        if gold is None:
            message = _("No expert has rated this yet. Enter the grades here, or let an expert rate it first.")
            self.add_error("first", message)
        elif problem := misfit(gold, question, is_pair=pair is not None):
            self.add_error("first", problem)
        else:
            content = {"first": gold.first, "second": gold.second, "preference": gold.preference}
            self.instance.content = {"gold": content}
        self.instance.pair, self.instance.response, self.instance.question_type = pair, response, question
        return cleaned

    def entered(self, cleaned: dict[str, Any]) -> Grades | None:
        given = Grades(cleaned.get("first"), cleaned.get("second"), cleaned.get("preference") or "")
        return None if given == Grades() else given

    def of_experts(self, question: QuestionType, pair: ResponsePair | None, response: Response | None) -> Grades | None:
        about = {"pair": pair} if pair else {"response": response}
        ratings = list(expert_ratings(self.project).filter(question=question, **about))
        return gold_grades(question, ratings, unweighed_rule(self.project, question)) if ratings else None


def misfit(gold: Grades, question: QuestionType, is_pair: bool) -> str:
    """What does not fit between grades and what is rated; empty where all does."""
    if not question.has_scale:
        if not is_pair or not gold.preference:
            return _("A question without a scale asks which response of a pair is better: enter the preference.")
        return "" if gold.first is None and gold.second is None else _("This question has no scale, so no grades.")
    if gold.first is None or (gold.second is None) is is_pair:
        return _("Enter a grade for each response of a pair, and one for a single response.")
    lowest, highest = question.scale[0], question.scale[-1]
    if not all(lowest <= grade <= highest for grade in (gold.first, gold.second) if grade is not None):
        return _("The scale goes from %(lowest)d to %(highest)d.") % {"lowest": lowest, "highest": highest}
    return ""


class SampleRating(QuestionKindBase):
    kind = QuestionKind.RATING
    template = "screening/quiz/kinds/rating.html"
    form = RatingForm

    def options(self, content: Mapping[str, Any]) -> int:
        gold = content["gold"]
        return 1 if gold["second"] is None and not gold["preference"] else 2

    def shown(self, asked: Asked, order: list[int], answer: Any) -> dict[str, Any]:
        given = answer or {}
        question = asked.question_type
        assert question is not None
        sides = [self._side(asked, side, given) for side in order or range(self.options(asked.content))]
        for letter, side in zip("AB", sides, strict=False):
            side["letter"] = letter if len(sides) > 1 else ""
        levels = {level.grade: level for level in question.levels.all()}
        # Named and ordered as on the screen that the quiz trains for: A, equally good, B.
        labels = [(side["name"], _("%(letter)s is better") % {"letter": side["letter"]}) for side in sides]
        labels.insert(1, (TIE, _("Equally good")))
        return {
            "question_type": question,
            "prompt": sides[0]["response"].prompt,
            "sides": sides,
            "scale": [(grade, levels.get(grade)) for grade in question.scale],
            "preferences": []
            if question.has_scale
            else [(value, label, given.get("preference") == value) for value, label in labels],
        }

    def _side(self, asked: Asked, side: int, given: Mapping[str, Any]) -> dict[str, Any]:
        name = (FIRST, SECOND)[side]
        response = getattr(asked.pair, name) if asked.pair else asked.response
        return {"name": name, "response": response, "grade": given.get(name)}

    def read(self, asked: Asked, posted: QueryDict, name: str) -> Any:
        question = asked.question_type
        assert question is not None
        sides = (FIRST, SECOND)[: self.options(asked.content)]
        answer: dict[str, Any] = {FIRST: None, SECOND: None, "preference": ""}
        if question.has_scale:
            offered = {str(grade): grade for grade in question.scale}
            for side in sides:
                answer[side] = _offered(posted.get(f"{name}-{side}", ""), offered, name)
        else:
            value = _offered(
                posted.get(f"{name}-preference", ""), dict(zip(PREFERENCES, PREFERENCES, strict=True)), name
            )
            answer["preference"] = value or ""
        return answer if answer != {FIRST: None, SECOND: None, "preference": ""} else None

    def is_complete(self, asked: Asked, answer: Any) -> bool:
        question = asked.question_type
        assert question is not None
        if answer is None or not question.has_scale:
            return answer is not None
        return all(answer[side] is not None for side in (FIRST, SECOND)[: self.options(asked.content)])

    def score(self, asked: Asked, answer: Any, scoring: ScoringRules) -> Score:
        given = Grades(**answer) if answer else Grades()
        is_nominal = asked.question_type is not None and asked.question_type.is_nominal
        return score_grades(Grades(**asked.content["gold"]), given, scoring.tolerance, has_order=not is_nominal)

    def right_answer(self, asked: Asked) -> list[Line]:
        return _lines(asked.content["gold"], asked)

    def given_answer(self, asked: Asked, answer: Any) -> list[Line]:
        return _lines(answer, asked) if answer else []


def _offered(value: str, offered: Mapping[str, Any], name: str) -> Any:
    if value and value not in offered:
        raise Invalid(Problem("not_offered", _("This answer was not offered."), name))
    return offered.get(value)


def _lines(grades: Mapping[str, Any], asked: Asked) -> list[Line]:
    if grades["first"] is None and grades["second"] is None:
        labels = {FIRST: _("First is better"), SECOND: _("Second is better"), TIE: _("Equally good")}
        return [Line(labels[grades["preference"]])] if grades["preference"] else []
    if asked.pair is None:
        return [Line(f"{grades['first']:g}")]
    texts = [(_("First response: %(grade)s"), grades["first"]), (_("Second response: %(grade)s"), grades["second"])]
    return [Line(text % {"grade": "–" if grade is None else f"{grade:g}"}) for text, grade in texts]
