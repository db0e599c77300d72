"""The biases of each judge, in sentences, and the rule by which each is named.

Each kind of dashboard makes figures of the biases that its answers can show (agreement/biases.py) and lists their
words; the rule and the table are the same everywhere.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.biases import AS_PEOPLE, CHANCE, LESS, LEVEL, SMALL, Finding, findings
from agreement.figures import Figure, Recipe
from agreement.inference import METHOD, TESTED_PROMPTS_AT_LEAST
from projects.directions import isolated
from projects.enumeration import in_parts
from reports.dashboard.results import Results
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import NARROW_SPACE, bare_reason, number, value_and_interval

#: As a recipe names it.
RULE: dict[str, Any] = {
    "level": LEVEL,
    "correction": "Holm, over all judges and biases of the table",
    "interval": f"{METHOD}, 95 %, for each by itself",
    "prompts at least": TESTED_PROMPTS_AT_LEAST,
}

#: Of answers that do not come or cannot be read: such a share is usual, such a share is much.
USUAL, MUCH = 0.05, 0.1
#: By judge and name of the bias.
Evidence = Mapping[tuple[int, str], Figure]


@dataclass(frozen=True)
class Bias:
    """The words of one bias; lazy translations.

    label   what is looked at, with the unit of its figure.
    more, less  the sentence where the figure is above 0 and below it, with %(size)s and %(interval)s, and what else
                `words` gives; `less` is empty where there is no such bias.
    rule    of what size it has to be, with %(least)s.
    unit    of the figure (reports/dashboard/wording.py); a "percent" is of a figure that is a share.
    words   further values for the sentence.
    """

    label: Any
    more: Any
    less: Any
    rule: Any
    unit: str
    words: Callable[[Figure], Mapping[str, str]] = lambda figure: {}


UNREADABLE = Bias(
    gettext_lazy("share of answers that cannot be read"),
    gettext_lazy("answers unreadably: %(size)s %(interval)s of what it was asked"),
    "",
    gettext_lazy("%(least)s or more cannot be read, where 5 %% are usual"),
    "percent",
)


def percent(share: float) -> str:
    """0.5 as "50 %", for a sentence."""
    return isolated(f"{number(100 * share, 'count')}{NARROW_SPACE}%")


def table(
    table_id: str, results: Results, figures: Evidence, biases: Mapping[str, Bias], recipe: Callable[..., Recipe]
) -> Table:
    """The table of all judges; `recipe` takes the metric's name and settings."""
    judged = findings(figures)
    labels = {judge: results.rater(judge) for judge, _bias in judged}
    order = list(biases)
    keys = sorted(
        judged,
        key=lambda key: (not judged[key].is_named, labels[key[0]].casefold(), order.index(key[1])),
    )
    least = {bias: figure.detail["least"] for (_judge, bias), figure in figures.items()}
    return Table(
        id=table_id,
        headline=NO_HEADLINE,
        title=_("What each judge does"),
        summary=_summary(judged, labels),
        findings=_findings(judged, biases, labels, order),
        dimensions=(_("judge"), _("bias"), _("finding"), _("named if")),
        measures=(_("size"), _("p-value")),
        rows=tuple(_row(results, key[0], judged[key], biases[key[1]]) for key in keys),
        recipe=recipe("judge_habits", **RULE, least=dict(sorted(least.items()))),
        unit="size",
        units={_("p-value"): "p"},
        chart="none",
        marked=_("judge"),
        note=_(
            "A bias is named where it has the size that is asked for and differs from 0 at %(level)s, corrected by "
            "Holm for all judges and biases of this table: among honest judges, one table in twenty names one falsely. "
            "The intervals are of 95 in 100, each by itself. Lenient, long or first is said of what a judge does "
            "beside people, not of what it is worth."
        )
        % {"level": percent(LEVEL)},
    )


def _row(results: Results, judge: int, finding: Finding, bias: Bias) -> Row:
    figure = finding.figure
    p = Figure.without_value(str(figure.undefined), figure.n) if finding.p is None else Figure(finding.p, figure.n)
    least = figure.detail["least"]
    asked = percent(least) if bias.unit == "percent" else number(least, bias.unit)
    words = (str(bias.label), sentence(finding, bias), str(bias.rule) % {"least": asked})
    return results.row(judge, (results.rater(judge), *words), (figure, p))


def sentence(finding: Finding, bias: Bias) -> str:
    """The finding in words: what the judge does, or why nothing is named."""
    figure = finding.figure
    if finding.is_named:
        form = bias.less if finding.state == LESS else bias.more
        shown = _in_words(figure, bias.unit, finding.state == LESS)
        # Whole percents: a tenth of one is beyond what any of these figures can tell.
        size, interval = value_and_interval(shown, "count" if bias.unit == "percent" else bias.unit)
        if bias.unit == "percent":
            size = percent(shown.number / 100)
        return str(form) % {"size": size, "interval": interval, **bias.words(figure)}
    if finding.state == CHANCE:
        return _("nothing named: within chance")
    if finding.state == SMALL:
        return _("nothing named: too small to matter")
    if finding.state == AS_PEOPLE:
        return _("nothing named: people do so as much")
    numbers = {"reason": bare_reason(figure), "n": number(figure.n, "count")}
    return _("cannot be told: %(reason)s (n = %(n)s)") % numbers


def _in_words(figure: Figure, unit: str, is_less: bool) -> Figure:
    """The figure as a sentence has it: above 0, and of a share its percent."""
    times = (100 if unit == "percent" else 1) * (-1 if is_less else 1)
    value = times * figure.number
    if figure.low is None or figure.high is None:
        return Figure(value, figure.n)
    low, high = sorted((times * figure.low, times * figure.high))
    return Figure(value, figure.n, low, high)


def _summary(judged: Mapping[tuple[int, str], Finding], labels: Mapping[int, str]) -> str:
    """Of whom something is named, and of whom nothing is."""
    if not judged:
        return _("No judge has been compared with people yet.")
    named = {judge for (judge, _bias), finding in judged.items() if finding.is_named}
    sides = [[labels[judge] for judge in labels if (judge in named) is is_named] for is_named in (True, False)]
    parts = []
    if sides[0]:
        parts.append(_("Named for what they do: %(judges)s.") % {"judges": in_parts(sides[0])})
    if sides[1]:
        parts.append(_("No bias is named of: %(judges)s.") % {"judges": in_parts(sides[1])})
    return " ".join(parts)


def _findings(
    judged: Mapping[tuple[int, str], Finding],
    biases: Mapping[str, Bias],
    labels: Mapping[int, str],
    order: list[str],
) -> tuple[str, ...]:
    """Of each judge that something is named of, all that is, in a line."""
    lines: dict[int, list[str]] = {}
    for judge, bias in sorted(judged, key=lambda key: (labels[key[0]].casefold(), order.index(key[1]))):
        if judged[judge, bias].is_named:
            lines.setdefault(judge, []).append(sentence(judged[judge, bias], biases[bias]))
    return tuple(
        _("%(judge)s: %(sentences)s.") % {"judge": labels[judge], "sentences": in_parts(sentences)}
        for judge, sentences in lines.items()
    )
