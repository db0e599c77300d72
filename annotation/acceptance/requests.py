"""A sample as pages, programs and commands ask for it, and what they are told of one."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.acceptance import BOUND
from agreement.figures import Figure
from annotation.acceptance.settling import draw
from annotation.acceptance.worth import worth
from annotation.models import Acceptance, ProposalKind
from projects.models import Project, Rater, User
from projects.problems import Invalid, Problem

MAX_SEED = 2**31 - 1
LEAST_BOUND, MOST_BOUND = 0.001, 0.5


class DrawForm(forms.Form):
    """What a lead fills in; `kind` and `proposer` come with the button."""

    kind = forms.ChoiceField(choices=ProposalKind.choices, widget=forms.HiddenInput)
    proposer = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    percent = forms.FloatField(
        label=gettext_lazy("At most wrong, in percent"),
        min_value=LEAST_BOUND * 100,
        max_value=MOST_BOUND * 100,
        initial=BOUND * 100,
        help_text=gettext_lazy("The sample is as large as it takes to say so where no proposal in it is wrong."),
    )
    size = forms.IntegerField(
        label=gettext_lazy("How many, if not that"), min_value=1, max_value=1_000_000, required=False
    )
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=MAX_SEED, initial=1)


class ReasonForm(forms.Form):
    reason = forms.CharField(required=False, max_length=10_000)


def draw_named(
    project: Project,
    by: User | None,
    *,
    kind: str,
    proposer: str = "",
    seed: int = 1,
    size: int | None = None,
    bound: float = BOUND,
) -> Acceptance:
    """Draw of what the judge of this pseudonym proposed, or the overlap rule where there is none. Raises Invalid."""
    rater = Rater.objects.filter(project=project, pseudonym=proposer).first() if proposer else None
    if proposer and rater is None:
        message = _("The project has no judge of this pseudonym: %(name)s.") % {"name": proposer}
        raise Invalid(Problem("unknown", message, "proposer"))
    return draw(project, kind, rater, by, seed=seed, size=size, bound=bound)


def named(project: Project, number: int) -> Acceptance:
    """Raises Invalid where the project has none of this number."""
    found = project.acceptances.select_related("project", "proposer").filter(number=number).first()
    if found is None:
        raise Invalid(Problem("unknown", _("There is no sample of this number."), "number"))
    return found


def as_told(acceptance: Acceptance) -> dict[str, Any]:
    """As programs read it: counts, the error rate of the sample and the number of wrong ones that it implies."""
    found = worth(acceptance)
    return {
        "number": acceptance.number,
        "kind": acceptance.kind,
        "proposer": acceptance.proposer.pseudonym if acceptance.proposer else "",
        "state": acceptance.state,
        "seed": acceptance.seed,
        "drawn": acceptance.drawn,
        "rest": acceptance.rest,
        "decided": found.decided,
        "wrong": found.wrong,
        "waiting": found.waiting,
        "gone": found.gone,
        "unseen": found.unseen,
        "accepted": acceptance.accepted,
        "error_rate": _figure(found.rate),
        "implied_wrong": _figure(found.implied),
        "reason": acceptance.reason,
    }


def _figure(figure: Figure) -> Mapping[str, Any]:
    return {
        "value": figure.value,
        "low": figure.low,
        "high": figure.high,
        "undefined": figure.undefined,
        "interval": figure.detail.get("interval"),
    }
