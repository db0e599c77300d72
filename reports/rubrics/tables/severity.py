"""Tables of severity: people, and the communities they speak for."""

from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure, Recipe
from reports.by_setting import TOTAL
from reports.rubrics.results import Results
from reports.rubrics.severity import CATEGORIES, Severity
from reports.tables import NO_HEADLINE, Row, Table
from reports.wording import said

GROUP = "severity"


def tables(results: Results) -> list[Table]:
    return [raters(results), communities(results), community_pairs(results)]


def found_in(results: Results) -> Severity:
    return results.figures[GROUP][TOTAL]


def recipe(results: Results, metric: str, **more: Any) -> Recipe:
    return results.recipe(
        GROUP,
        metric,
        human=False,
        drawn=False,
        model="logit P(grade >= k) = ability - severity(rater) - threshold(k)",
        verdicts="ability of a response at a positive criterion; passed or failed",
        scores=f"ability of a response; people's scores in {CATEGORIES} categories cut at their quantiles",
        cuts=list(found_in(results).cuts),
        fit="penalised marginal maximum likelihood; abilities normal with a mean per variety",
        zero="mean of the raters of a linked group",
        **more,
    )


def severities() -> tuple[str, str]:
    return _("severity in verdicts"), _("severity in scores")


def has_any(rows: list[Row]) -> bool:
    return any(figure.value is not None for row in rows for figure in row.figures)


def raters(results: Results) -> Table:
    rows = [
        Row(
            (results.rater(one), results.community(home), str(group + 1)),
            figures,
            {"rater": results.names.raters[one].pseudonym},
            results.marks(),
        )
        for one, (home, group, *both) in found_in(results).raters.items()
        for figures in [tuple(both)]
    ]
    rows.sort(key=lambda row: (row.figures[0].value is None, row.labels[2], row.figures[0].value or 0.0))
    linked = [row for row in rows if row.figures[1].value is not None]
    return Table(
        id="rater-severity",
        headline=NO_HEADLINE,
        title=_("Severity of people"),
        summary=_("Of %(people)d people who graded, %(linked)d share responses with others and can be compared.")
        % {"people": len(rows), "linked": len(linked)}
        if rows
        else _("Nobody has graded a response yet."),
        dimensions=(_("rater"), _("community"), _("linked group")),
        measures=severities(),
        rows=tuple(rows),
        recipe=recipe(results, "rater_severity"),
        unit="logits",
        chart="bars" if has_any(rows) else "none",
        x=_("rater"),
        note=_(
            "In logits: above 0 a person is stricter than the others of their linked group on the same responses; in "
            "verdicts on positive criteria, and in scores, where the errors that they record weigh too. Raters of "
            "different linked groups cannot be compared."
        ),
    )


def communities(results: Results) -> Table:
    rows = [
        Row((results.community(variety),), figures, results.by_setting(variety), results.marks())
        for variety, figures in found_in(results).communities.items()
    ]
    return Table(
        id="community-severity",
        headline=NO_HEADLINE,
        title=_("Severity of communities"),
        summary=communities_in_words(results),
        dimensions=(_("community"),),
        measures=severities(),
        rows=tuple(rows),
        recipe=recipe(results, "community_severity", community="the variety a person speaks"),
        unit="logits",
        chart="bars" if has_any(rows) else "none",
        x=_("community"),
        note=_("The mean of a community's raters; n counts them. Above 0 they grade lower than the others do."),
    )


def communities_in_words(results: Results) -> str:
    """Which communities are linked and how far apart they are; in plain words where they are not."""
    pairs = found_in(results).pairs
    if not pairs:
        return _("There are not two communities of graders to compare yet.")
    return " ".join(pair_in_words(results, pair, in_scores) for pair, (_verdicts, in_scores, *_rest) in pairs.items())


def pair_in_words(results: Results, pair: tuple[int, int], gap: Figure) -> str:
    first, second = (results.community(one) for one in pair)
    if gap.value is None:
        return _(
            "%(first)s and %(second)s: these communities share no graded response: a gap between them may be leniency."
        ) % {"first": first, "second": second}
    low, high = gap.bounds
    if low <= 0 <= high:
        return _("%(first)s and %(second)s graders do not clearly differ in severity: %(gap)s logits in scores.") % {
            "first": first,
            "second": second,
            "gap": said(gap, "logits"),
        }
    if gap.value < 0:
        first, second, gap = second, first, Figure(-gap.value, gap.n, -high, -low)
    return _("%(first)s graders are more severe than %(second)s graders by %(gap)s logits in scores.") % {
        "first": first,
        "second": second,
        "gap": said(gap, "logits"),
    }


def community_pairs(results: Results) -> Table:
    rows = [
        Row(tuple(results.community(one) for one in pair), figures, {}, results.marks())
        for pair, figures in found_in(results).pairs.items()
    ]
    return Table(
        id="community-pairs",
        headline=NO_HEADLINE,
        title=_("Communities on the same responses"),
        summary=communities_in_words(results),
        dimensions=(_("first community"), _("second community")),
        measures=(*severities(), _("difference in scores"), _("difference in responses")),
        rows=tuple(rows),
        recipe=recipe(results, "community_severity_gap", interval_of_scores="percentile bootstrap over prompts"),
        unit="logits",
        units={_("difference in scores"): "pp"},
        chart="none",
        note=_(
            "First less second. Scores are compared on the responses that both graded, n of them; severity uses all "
            "responses that link their raters. The difference in responses, in logits of scores, is what is left "
            "between the responses of the two communities when every grader is as severe as any other."
        ),
    )
