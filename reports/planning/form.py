"""What a plan is asked for with: the same fields on the page and in the command."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from agreement.figures import Figure
from agreement.planning import Components
from projects.models import Project
from reports.planning.pilot import ASSUMPTIONS, Told, answered, sources, told_by
from reports.planning.plan import Judge, Plan, Wanted, planned, varies

# Beyond any scale, and small enough that squares stay numbers.
MOST = 1_000_000
SPREADS = {
    "spread_prompts": "prompts",
    "spread_responses": "responses",
    "spread_raters": "raters",
    "spread_residual": "residual",
}
#: Without these an assumption is none; responses to a prompt need not vary.
NEEDED = ("spread_prompts", "spread_raters", "spread_residual")


def number(label: Any, help_text: Any, *, required: bool = False, **given: Any) -> forms.FloatField:
    widget = forms.NumberInput({"step": "any", "inputmode": "decimal"})
    return forms.FloatField(
        label=label, help_text=help_text, required=required, widget=widget, **{"max_value": MOST, **given}
    )


def count(label: Any, help_text: Any, **given: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, help_text=help_text, required=False, **{"max_value": MOST, **given})


class PlanForm(forms.Form):
    """Valid, it has its `plan` and, of a plan from answers, the `pilot`."""

    source = forms.ChoiceField(label=_("What varies, and how much, is known from"))
    width = number(
        _("Width of the interval"),
        _("Of the interval (95 percent) of the mean, from end to end, in grades: 0.4 is 0.2 up and 0.2 down."),
        required=True,
    )
    responses = count(
        _("Responses to each prompt"), _("Of the system whose mean is asked for; 1 if empty."), min_value=1
    )
    panel = count(_("Raters there are"), _("Empty: shown for 3, 5 and 10. They share the work evenly."), min_value=2)
    these_raters = forms.BooleanField(
        label=_("The mean is asked of these very raters, and of no others like them"), required=False
    )
    spread_prompts = number(
        _("Spread between prompts"),
        _("Standard deviation of the prompts' means. A spread given here replaces what the answers say."),
        min_value=0,
    )
    spread_responses = number(
        _("Spread between responses to a prompt"), _("Standard deviation; 0 if empty."), min_value=0
    )
    spread_raters = number(_("Spread between raters"), _("Standard deviation of how severe raters are."), min_value=0)
    spread_residual = number(
        _("What is left"),
        _("Standard deviation of a rater's grade of a response beyond all that: taste, and slips."),
        min_value=0,
    )
    cost = number(_("Cost of an answer"), _("Of one person's grade of one response, in any currency."), min_value=0)
    agreement_width = number(
        _("Width of the interval of agreement"),
        _("From end to end, on the scale of alpha; 0.2 if empty."),
        min_value=0.01,
        max_value=2,
    )
    judge_correlation = number(
        _("Correlation of a judge with a person"),
        _("Over responses that both graded, from -1 to 1."),
        min_value=-1,
        max_value=1,
    )
    judge_error = number(
        _("Or the spread of the judge's error"),
        _("Standard deviation of judge less person, in grades. Being lenient costs nothing: it is corrected."),
        min_value=0,
    )
    judged = count(_("Responses the judge grades"), _("Empty: as many as one likes."), min_value=1)

    def __init__(self, project: Project, *args: Any, told: Callable[[], Told] | None = None, **kwargs: Any) -> None:
        """`told` reads what the chosen source tells, for whoever has it at hand; else it is read here."""
        super().__init__(*args, **kwargs)
        self.project = project
        self.told = told
        choices = sources(project)
        self.fields["source"].choices = choices  # type: ignore[attr-defined]
        self.initial.setdefault("source", answered(project))
        self.pilot: Told | None = None
        self.plan: Plan | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("width") is not None and cleaned["width"] <= 0:
            self.add_error("width", _("A width is above 0."))
        if cleaned.get("judge_correlation") is not None and cleaned.get("judge_error") is not None:
            self.add_error("judge_error", _("Give the correlation or the error of the judge, not both."))
        if cleaned.get("judged") is not None and not self.errors and judge_of(cleaned) is None:
            self.add_error("judge_correlation", _("How well does the judge grade? Give its correlation or its error."))
        if not self.errors:
            variances = self.variances(cleaned)
            if variances is not None:
                self.plan = planned(variances, wanted_of(cleaned))
        return cleaned

    def variances(self, cleaned: dict[str, Any]) -> Components | None:
        """What varies; None with the reason at a field where that is unknown."""
        given = {part: cleaned[name] ** 2 for name, part in SPREADS.items() if cleaned[name] is not None}
        known: dict[str, float] = {"responses": 0.0}
        if cleaned["source"] == ASSUMPTIONS:
            for name in NEEDED:
                if cleaned[name] is None:
                    self.add_error(name, _("A plan from assumptions needs this spread; 0 where nothing varies."))
        else:
            self.pilot = self.told() if self.told else told_by(self.project, cleaned["source"])
            found = self.pilot.found
            if isinstance(found, Figure):
                self.add_error("source", WHY_UNTOLD[found.undefined == "no items"])
            else:
                known = vars(found)
        if self.errors:
            return None
        variances = Components(**{**known, **given})
        if not varies(variances, these_raters=cleaned["these_raters"]):
            at = "spread_prompts" if self.pilot is None else "source"
            self.add_error(at, _("Nothing varies: one answer would say it all. Give at least one spread above 0."))
            return None
        return variances


#: By whether there is no answer at all.
WHY_UNTOLD = {
    True: _("People have not answered this yet. Start from assumptions, or have a few responses graded by two people."),
    False: _(
        "No response was graded by two people, so raters cannot be told from responses. Have some graded twice, "
        "or start from assumptions."
    ),
}


def judge_of(cleaned: dict[str, Any]) -> Judge | None:
    correlation, error = cleaned.get("judge_correlation"), cleaned.get("judge_error")
    if correlation is None and error is None:
        return None
    return Judge(correlation, error, cleaned.get("judged"))


def wanted_of(cleaned: dict[str, Any]) -> Wanted:
    return Wanted(
        width=cleaned["width"],
        agreement_width=cleaned["agreement_width"] or 0.2,
        responses=cleaned["responses"] or 1,
        panel=cleaned["panel"],
        these_raters=cleaned["these_raters"],
        cost=cleaned["cost"],
        judge=judge_of(cleaned),
    )
