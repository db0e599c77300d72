"""A plan in words, the same on the page and in a terminal: a table, and a plain sentence to each number."""

from collections.abc import Iterator

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from projects.directions import isolated
from reports.dashboard.wording import count_text
from reports.dashboard.wording import number as written
from reports.planning.pilot import Told
from reports.planning.plan import Option, Plan

#: Fewer raters than this tell little of how raters differ.
FEW_RATERS = 5
#: With fewer labels than this the large-sample arithmetic of judges is a guess.
FEW_LABELS = 30
CHIEF = {
    "prompts": gettext_lazy("prompts differ"),
    "responses": gettext_lazy("responses to a prompt differ"),
    "raters": gettext_lazy("raters differ in severity"),
    "residual": gettext_lazy("raters differ over single responses"),
}
WHY_NONE = {
    "so few raters alone make it wider": gettext_noop(
        "No number of prompts makes the interval so narrow: raters differ, and so few of them alone make it wider. "
        "Have more raters, ask for a wider interval, or ask of these very raters alone."
    ),
    "more than a million prompts": gettext_noop(
        "More than a million prompts would be needed. Ask for a wider interval; "
        "its width is in the units of the grades."
    ),
}


def percent(share: float) -> str:
    return isolated(f"{written(100 * share, 'count')}%")


def heads(plan: Plan) -> list[str]:
    """Heads of the table of designs."""
    named = [_("Prompts"), _("Responses"), _("Raters"), _("Raters of a response"), _("Answers in all")]
    if plan.wanted.cost is not None:
        named.append(_("Cost"))
    return [*named, _("Expected width"), _("Most of it because")]


def rows(plan: Plan) -> Iterator[list[str]]:
    """Cells of each design, the fewest answers first."""
    for option in plan.options:
        design = option.design
        cells = [
            count_text(design.prompts),
            count_text(option.responses),
            count_text(design.panel),
            raters_of_response(option),
            count_text(option.figure.n),
        ]
        if option.cost is not None:
            cells.append(written(option.cost, "per response"))
        name, share = option.chief
        why = _("%(because)s (%(share)s)") % {"because": CHIEF[name], "share": percent(share)}
        yield [*cells, written(option.width, "grade"), why]


def raters_of_response(option: Option) -> str:
    """ "1", or "1 (2 for 20%)"."""
    each, double = option.design.each, option.design.double
    if not double:
        return count_text(each)
    return _("%(each)s (%(more)s for %(share)s)") % {"each": each, "more": each + 1, "share": percent(double)}


def of_pilot(pilot: Told) -> list[str]:
    """What the answers are that the plan starts from, and how far they can be trusted."""
    numbers = {
        "grades": count_text(pilot.grades),
        "responses": count_text(pilot.responses),
        "prompts": count_text(pilot.prompts),
        "raters": count_text(pilot.raters),
    }
    told = _("The pilot: %(grades)s grades of %(responses)s responses to %(prompts)s prompts. People: %(raters)s.")
    said = [told % numbers]
    if pilot.raters < FEW_RATERS:
        text = ngettext(
            "How raters differ is told by %(n)d rater, so badly; plan with more, or say the spread yourself.",
            "How raters differ is told by %(n)d raters, so badly; plan with more, or say the spread yourself.",
            pilot.raters,
        )
        said.append(text % {"n": pilot.raters})
    return said


def of_spreads(plan: Plan) -> list[tuple[str, str, str]]:
    """Name, standard deviation and meaning of each spread the plan rests on."""
    known = plan.variances
    named = [
        (_("Between prompts"), known.prompts, _("How far apart prompts are; more prompts make this part small.")),
        (
            _("Between responses to a prompt"),
            known.responses,
            _("How far apart responses to the same prompt are; more responses make this part small."),
        ),
        (_("Between raters"), known.raters, _("How far apart raters are in severity; only more raters help.")),
        (_("What is left"), known.residual, _("Taste and slips of a rater with a response; more answers help.")),
    ]
    return [(name, written(float(np.sqrt(variance)), "grade"), meaning) for name, variance, meaning in named]


def of_twice(plan: Plan) -> str:
    """How much to code twice."""
    if plan.twice is None:
        return _("Raters agree wholly here, so there is no agreement to estimate.") if plan.options else ""
    twice = plan.twice
    words = {
        "agreement": isolated(written(twice.agreement, "share")),
        "width": isolated(written(plan.wanted.agreement_width, "share")),
        "coded": count_text(twice.coded),
        "responses": count_text(twice.responses),
        "share": percent(twice.share),
    }
    if twice.coded > twice.responses:
        return (
            _(
                "Agreement is expected at %(agreement)s. An interval of it %(width)s wide takes %(coded)s responses "
                "with two raters, more than the %(responses)s of the first design: have all coded twice and add "
                "responses, or be content with a wider interval."
            )
            % words
        )
    return (
        _(
            "Agreement is expected at %(agreement)s. For an interval of it %(width)s wide have %(coded)s of the "
            "%(responses)s responses of the first design, %(share)s, graded by two people. It varies with which "
            "responses are drawn."
        )
        % words
    )


def of_judge(plan: Plan) -> list[str]:
    """What the judge saves; nothing where none was named."""
    saved = plan.saved
    if saved is None:
        return []
    words = {
        "r": isolated(written(saved.correlation, "share")),
        "alone": count_text(saved.alone),
        "labelled": count_text(saved.labelled),
        "saved": count_text(saved.saved),
    }
    if not saved.saved:
        said = [
            _(
                "The judge, at a correlation of %(r)s with a person, saves nothing: people grade all %(alone)s "
                "responses. It has to follow people more closely, or grade more responses than people do."
            )
        ]
    else:
        said = [
            _(
                "Beside a judge at a correlation of %(r)s people grade %(labelled)s responses once, not %(alone)s, for "
                "an interval of the same width: %(saved)s fewer."
            ),
            _(
                "The judge stands in for responses that people do not grade. How raters differ in severity stays as it "
                "is, so have as many raters."
            ),
        ]
    if saved.saved and saved.labelled < FEW_LABELS:
        said.append(
            _(
                "So few tell little of the judge itself: have people grade at least %(few)s, or the interval is wider "
                "than planned."
            )
        )
        words["few"] = count_text(FEW_LABELS)
    if saved.saved and saved.cost is not None:
        said.append(_("That is %(cost)s less for people; what the judge costs is not in it."))
        words["cost"] = isolated(written(saved.cost, "per response"))
    return [sentence % words for sentence in said]


def why_none(plan: Plan) -> str:
    """Why no design reaches the width, and what to do; "" where some do."""
    return _(WHY_NONE[plan.undefined]) if plan.undefined else ""
