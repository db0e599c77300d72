"""Tables of detectors against the final set of errors."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure, share
from annotation.models import Depth
from reports.dashboard.findings import highest
from reports.spans.groups import DEPTHS, PEOPLE, Integers
from reports.spans.judging import THRESHOLDS
from reports.spans.results import Results
from reports.spans.tables.habits import habits
from reports.tables import NO_HEADLINE, Row, Table
from reports.wording import said, said_of

GROUP = "judging"
NO_CATEGORIES = "no errors with a category"
CEILING = gettext_lazy(
    "The line is the human ceiling: each person's errors against the same gold, where two people or more marked the "
    "response. It is optimistic in the way the judges' own figures are: errors a rater found and the others kept "
    "are in the gold. Without the errors nobody else found, people's F1 is %(f1)s."
)


def tables(results: Results) -> list[Table]:
    return [
        judge_scores(results),
        habits(results),
        judge_scores_human_detected(results),
        threshold_sweep(results),
        category_recall(results),
        thin_thick(results),
        sentence_scores(results),
        judge_pairs(results),
    ]


def _scores(results: Results, key: str) -> tuple[Row, ...]:
    return tuple(
        Row((results.detector(one), label), figures, {**drill, **results.drill(one)}, results.marks(one))
        for one in _judges(results)
        for label, drill, pool in results.pools(GROUP)
        if (figures := pool[key].get(one))
    )


def _judges(results: Results) -> list[int]:
    return [one for one in results.total(GROUP)["scores"] if one != PEOPLE]


def _ceilings(results: Results, key: str, measures: tuple[str, ...]) -> dict[str, Figure]:
    people = results.total(GROUP)[key].get(PEOPLE)
    if not people or not people[0].n:
        return {}
    return dict(zip(measures, people[: len(measures)], strict=True))


def _note(results: Results) -> str:
    people = results.total(GROUP)["scores"].get(PEOPLE)
    if not people or not people[0].n:
        return _("There is no human ceiling: no response with settled errors was marked by two people.")
    without_own = people[2].detail.get("f1_without_own")
    figure = Figure.without_value("no gold spans") if without_own is None else Figure(without_own, people[2].n)
    return str(CEILING) % {"f1": said(figure)}


def _matching(results: Results) -> dict[str, Any]:
    scope = results.context.scope
    return {"threshold": scope.threshold, "matching": scope.matching, "omissions": "not matched, counted beside"}


def judge_scores(results: Results) -> Table:
    measures = (_("precision"), _("recall"), _("F1"), _("answered"))
    total = results.total(GROUP)
    best = [said_of(results.detector(one), total["scores"][one][2]) for one in _judges(results)]
    ceiling = total["scores"].get(PEOPLE)
    if not best:
        summary = _("No judge has been asked yet.")
    else:
        summary = _("F1 of the judges against the final set of errors. %(scores)s.") % {"scores": ", ".join(best)}
        if ceiling and ceiling[0].n:
            summary += " " + _("People under the same comparison: %(f1)s.") % {"f1": said(ceiling[2])}
    return Table(
        id="judge-scores",
        headline=highest(_scores(results, "scores"), 2),
        title=_("Judges against the gold"),
        summary=summary,
        dimensions=(_("judge"), _("setting")),
        measures=measures,
        rows=_scores(results, "scores"),
        recipe=results.recipe(GROUP, "span_precision_recall_f1", gold=True, drawn=True, **_matching(results)),
        x=_("setting"),
        series=_("judge"),
        ceilings=_ceilings(results, "scores", measures[:3]),
        note=_note(results),
    )


def judge_scores_human_detected(results: Results) -> Table:
    measures = (_("precision"), _("recall"), _("F1"), _("answered"))
    scores = results.total(GROUP)["scores_of_people"]
    found = [said_of(results.detector(one), scores[one][1]) for one in _judges(results)]
    return Table(
        id="judge-scores-human-detected",
        headline=highest(_scores(results, "scores_of_people"), 1),
        title=_("Judges against the errors people found"),
        summary=_("Share of the errors found by people that a judge finds too. %(shares)s.")
        % {"shares": ", ".join(found)}
        if found
        else _("No judge has been asked yet."),
        dimensions=(_("judge"), _("setting")),
        measures=measures,
        rows=_scores(results, "scores_of_people"),
        recipe=results.recipe(
            GROUP, "span_precision_recall_f1", gold=True, drawn=True, subset="found by a person", **_matching(results)
        ),
        x=_("setting"),
        series=_("judge"),
        ceilings=_ceilings(results, "scores_of_people", measures[:3]),
        note=_note(results),
    )


def threshold_sweep(results: Results) -> Table:
    sweeps: Mapping[int, list] = results.total(GROUP)["sweep"]
    rows = [
        Row((results.detector(one), f"{threshold:.2f}"), figures, results.drill(one), results.marks(one))
        for one, steps in sweeps.items()
        for threshold, figures in zip(THRESHOLDS.tolist(), steps, strict=True)
        if steps[0][0].n
    ]
    first, last = (
        ", ".join(said_of(results.detector(one), steps[at][2]) for one, steps in sweeps.items()) for at in (0, 10)
    )
    return Table(
        id="threshold-sweep",
        headline=highest([row for row in rows if row.labels[1] == "0.50"], 2),
        title=_("How the overlap asked for changes the scores"),
        summary=_("F1 where any common word counts: %(any)s. Where half the words must be common: %(half)s.")
        % {"any": first, "half": last}
        if rows
        else _("There is nothing to compare yet."),
        dimensions=(_("detector"), _("threshold")),
        measures=(_("precision"), _("recall"), _("F1")),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP, "span_precision_recall_f1", gold=True, thresholds="0 to 1 by 0.05", matching="some"
        ),
        chart="lines",
        x=_("threshold"),
        series=_("detector"),
        note=_note(results),
    )


def category_recall(results: Results) -> Table:
    recalls = results.total(GROUP)["categories"]
    depth_names = [Depth(depth).label for depth in DEPTHS]
    names = [(category.name, {"category": category.slug}) for category in results.names.categories]
    names += [
        (_("all of depth “%(depth)s”") % {"depth": name}, {"depth": depth})
        for name, depth in zip(depth_names, DEPTHS, strict=True)
    ]
    rows = [
        Row(
            (results.detector(one), label),
            (every, of_people),
            {**results.drill(one), **drill, "missed": "1"},
            results.marks(one),
        )
        for one, both in recalls.items()
        for (label, drill), every, of_people in zip(names, both["all"], both["of_people"], strict=True)
        if every.n
    ]
    thick = len(results.names.categories) + DEPTHS.index("thick")
    shares = [said_of(results.detector(one), both["all"][thick]) for one, both in recalls.items() if one != PEOPLE]
    return Table(
        id="category-recall",
        headline=highest([row for row in rows if row.drill.get("depth") == "thick"]),
        title=_("Errors found, by category"),
        summary=_("Share of the thick errors that each judge finds. %(shares)s.") % {"shares": ", ".join(shares)}
        if rows and shares
        else _("No error of the gold has a category yet."),
        dimensions=(_("detector"), _("category")),
        measures=(_("recall"), _("recall of errors found by people")),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP, "span_recall_by_category", gold=True, drawn=True, category="of the gold error", **_matching(results)
        ),
        chart="heat",
        x=_("category"),
        series=_("detector"),
        note=_note(results),
    )


def thin_thick(results: Results) -> Table:
    rows = []
    judges = _judges(results)
    for label, drill, pool in results.pools(GROUP):
        for one, counts in pool["found"].items():
            name = _("All errors") if one is None else results.detector(one)
            filters = drill if one is None else {**drill, **results.drill(one)}
            marks = results.marks(*judges) if one is None else results.marks(one)
            rows.append(Row((label, name), (_thick(results, counts),), filters, marks))
    every = results.total(GROUP)["found"]
    return Table(
        id="thin-thick",
        title=_("Thick errors, by who found them"),
        summary=_("Share of thick errors among all that were kept: %(all)s; among those people found: %(people)s.")
        % {"all": said(_thick(results, every[None])), "people": said(_thick(results, every[PEOPLE]))}
        if every[None].sum()
        else _("No error has been kept yet."),
        dimensions=(_("setting"), _("found by")),
        measures=(_("share of thick errors"),),
        rows=tuple(rows),
        recipe=results.recipe(GROUP, "thick_share", gold=True, whole="gold errors with a category, omissions included"),
        x=_("setting"),
        series=_("found by"),
    )


def _thick(results: Results, counts: Integers) -> Figure:
    by_depth = dict.fromkeys(DEPTHS, 0)
    for category, count in zip(results.names.categories, counts.tolist(), strict=False):
        by_depth[category.depth] += count
    return share(by_depth["thick"], sum(by_depth.values()), NO_CATEGORIES, **by_depth, uncategorised=int(counts[-1]))


def sentence_scores(results: Results) -> Table:
    measures = (_("accuracy"), _("precision"), _("recall"), _("F1"))
    total = results.total(GROUP)["sentences"]
    found = [said_of(results.detector(one), total[one][0]) for one in _judges(results)]
    return Table(
        id="sentence-scores",
        headline=highest(_scores(results, "sentences")),
        title=_("Judges, sentence by sentence"),
        summary=_("Share of sentences a judge calls rightly erroneous or free of errors. %(shares)s.")
        % {"shares": ", ".join(found)}
        if found
        else _("No judge has been asked yet."),
        dimensions=(_("judge"), _("setting")),
        measures=measures,
        rows=_scores(results, "sentences"),
        recipe=results.recipe(
            GROUP,
            "sentence_scores",
            gold=True,
            drawn=True,
            sentences="by punctuation and line breaks",
            touch="one character",
        ),
        x=_("setting"),
        series=_("judge"),
        ceilings=_ceilings(results, "sentences", measures),
        note=_note(results),
    )


def judge_pairs(results: Results) -> Table:
    pairs: Mapping[tuple[int, int], Figure] = results.total(GROUP)["pairs"]
    rows = []
    for pair, figure in pairs.items():
        p = figure.detail.get("p")
        value = Figure.without_value(figure.undefined or "") if p is None else Figure(p, figure.n)
        names = tuple(results.detector(one) for one in pair)
        rows.append(Row(names, (figure, value), results.drill(pair[0]), results.marks(*pair)))
    apart = [
        row for row in rows if row.figures[0].low is not None and row.figures[0].low * (row.figures[0].high or 0) > 0
    ]
    return Table(
        id="judge-pairs",
        headline=NO_HEADLINE,
        title=_("Judges against each other"),
        summary=_("%(apart)d of %(pairs)d pairs of judges differ in F1 by more than chance would have it.")
        % {"apart": len(apart), "pairs": len(rows)}
        if rows
        else _("There are not two judges to compare yet."),
        dimensions=(_("first judge"), _("second judge")),
        measures=(_("difference in F1"), _("p")),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP, "paired_f1_difference", gold=True, drawn=True, items="responses both answered", **_matching(results)
        ),
        chart="none",
    )
