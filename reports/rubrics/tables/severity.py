"""Tables of severity: people, and the communities they speak for."""

from django.utils.translation import gettext as _

from agreement.figures import Figure
from reports.rubrics.results import Results
from reports.rubrics.severity import CATEGORIES
from reports.tables import Row, Table
from reports.wording import said

GROUP = "severity"


def tables(results: Results) -> list[Table]:
    return [raters(results), communities(results), community_pairs(results)]


def model_recipe(results: Results, metric: str, **more: str) -> dict:
    return {
        "recipe": results.recipe(
            GROUP,
            metric,
            human=False,
            drawn=False,
            model="logit P(grade >= k) = ability(response) - severity(rater) - threshold(k)",
            grades=f"people's scores in {CATEGORIES} categories cut at their quantiles",
            cuts=results.total(GROUP)["cuts"],
            fit="penalised marginal maximum likelihood; abilities normal with a mean per variety",
            zero="mean of the raters of a linked group",
            **more,
        )
    }


def raters(results: Results) -> Table:
    found = results.total(GROUP)["raters"]
    rows = [
        Row(
            (results.rater(one), results.community(home), str(group + 1)),
            (figure,),
            {"rater": results.names.raters[one].pseudonym},
            results.marks(),
        )
        for one, (home, group, figure) in found.items()
    ]
    rows.sort(key=lambda row: (row.figures[0].value is None, row.labels[2], row.figures[0].value or 0.0))
    linked = [row for row in rows if row.figures[0].value is not None]
    return Table(
        id="rater-severity",
        title=_("Severity of people"),
        summary=_("Of %(people)d people who graded, %(linked)d share responses with others and can be compared.")
        % {"people": len(rows), "linked": len(linked)}
        if rows
        else _("Nobody has graded a response yet."),
        dimensions=(_("rater"), _("community"), _("linked group")),
        measures=(_("severity"),),
        rows=tuple(rows),
        unit="logits",
        chart="bars" if linked else "none",
        x=_("rater"),
        note=_(
            "In logits: above 0 a person gives lower grades than the others of their linked group to the same "
            "responses. Raters of different linked groups cannot be compared."
        ),
        **model_recipe(results, "rater_severity"),
    )


def communities(results: Results) -> Table:
    found = results.total(GROUP)["communities"]
    rows = [
        Row((results.community(variety),), (figure,), results.by_setting(variety), results.marks())
        for variety, figure in found.items()
    ]
    return Table(
        id="community-severity",
        title=_("Severity of communities"),
        summary=communities_in_words(results),
        dimensions=(_("community"),),
        measures=(_("severity"),),
        rows=tuple(rows),
        unit="logits",
        chart="bars" if any(row.figures[0].value is not None for row in rows) else "none",
        x=_("community"),
        note=_("The mean of a community's raters; n counts them. Above 0 they grade lower than the others do."),
        **model_recipe(results, "community_severity", community="the variety a person speaks"),
    )


def communities_in_words(results: Results) -> str:
    """Which communities are linked and how far apart they are; in plain words where they are not."""
    pairs = results.total(GROUP)["pairs"]
    if not pairs:
        return _("There are not two communities of graders to compare yet.")
    return " ".join(pair_in_words(results, pair, gap) for pair, (gap, *_others) in pairs.items())


def pair_in_words(results: Results, pair: tuple[int, int], gap: Figure) -> str:
    first, second = (results.community(one) for one in pair)
    if gap.value is None:
        return _(
            "%(first)s and %(second)s: these communities share no graded response: a gap between them may be leniency."
        ) % {"first": first, "second": second}
    low, high = gap.bounds
    if low <= 0 <= high:
        return _("%(first)s and %(second)s graders do not clearly differ in severity: %(gap)s logits.") % {
            "first": first,
            "second": second,
            "gap": said(gap, "logits"),
        }
    if gap.value < 0:
        first, second, gap = second, first, Figure(-gap.value, gap.n, -high, -low)
    return _("%(first)s graders are more severe than %(second)s graders by %(gap)s logits.") % {
        "first": first,
        "second": second,
        "gap": said(gap, "logits"),
    }


def community_pairs(results: Results) -> Table:
    rows = [
        Row(tuple(results.community(one) for one in pair), figures, {}, results.marks())
        for pair, figures in results.total(GROUP)["pairs"].items()
    ]
    return Table(
        id="community-pairs",
        title=_("Communities on the same responses"),
        summary=communities_in_words(results),
        dimensions=(_("first community"), _("second community")),
        measures=(_("difference in severity"), _("difference in scores"), _("difference in responses")),
        rows=tuple(rows),
        unit="logits",
        units={_("difference in scores"): "pp"},
        chart="none",
        note=_(
            "First less second. Scores are compared on the responses that both graded, n of them; severity uses all "
            "responses that link their raters. The difference in responses, in logits, is what is left between the "
            "responses of the two communities when every grader is as severe as any other."
        ),
        **model_recipe(results, "community_severity_gap", interval_of_scores="percentile bootstrap over prompts"),
    )
