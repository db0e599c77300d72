"""Judges against people: on the judge's axis, on the target's, by domain, and where one misses most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from agreement import judges
from agreement.figures import Figure, share
from reports.dashboard.calibration import calibrated
from reports.dashboard.columns import Flags, Floats, Integers, each_variety, joined
from reports.dashboard.findings import lowest
from reports.dashboard.intervals import Block, error_block, mean_block, with_intervals
from reports.dashboard.results import ascending
from reports.dashboard.rounds import once_per_loading
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import HEADING, Row, Table
from reports.dashboard.wording import known_figures, no_figure_yet
from reports.rubrics.context import ALL, cells
from reports.rubrics.measures import alone
from reports.rubrics.measures.biases import biases, judges_calibrated, of_scores, rank_correlation
from reports.rubrics.measures.spread import boxes_of, misses_of, nobody, score_spread, widest_misses
from reports.rubrics.measures.tasks import GIVEN, OWN, ceiling_note, ceilings, own_errors_of
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results
from reports.rubrics.scope import DOMAINS

GROUP = "judges"

NOT_ASKED = "no responses planned"
CULTURAL, LINGUISTICS = (DOMAINS.index(name) for name in ("cultural", "linguistics"))


@dataclass(frozen=True, eq=False)
class ScoresOfJudges:
    """Of one variety: responses (R,), their lengths in characters; and of each judge by rater id P (NaN without),
    planned, scored, refused and unreadable; (R,) each. `panels` are those of them that are several judges as one,
    `own_errors` those that record errors of their own instead of being asked about those of the first grading.
    """

    uuid: NDArray[Any]
    key: NDArray[Any]
    prompt: Integers
    model: Integers
    domain: Integers
    human: Floats
    scores: dict[int, Floats]
    planned: dict[int, Flags]
    scored: dict[int, Flags]
    length: Integers
    refused: dict[int, Flags]
    unreadable: dict[int, Flags]
    panels: frozenset[int]
    own_errors: frozenset[int] = frozenset()


@once_per_loading
def statistics(loaded: Loaded, context: BaseContext) -> dict[int, ScoresOfJudges]:
    """Per variety."""
    responses, grades, human = loaded.responses, loaded.grades, loaded.human
    own_errors = own_errors_of(loaded)
    scores_by_judge = {}
    for judge in loaded.judges:
        of_judge = grades.rater == judge
        scores_by_judge[judge] = np.full(len(responses), np.nan)
        scores_by_judge[judge][grades.response[of_judge]] = grades.percent[of_judge]
    return {
        variety: ScoresOfJudges(
            responses.uuid[in_variety],
            responses.key[in_variety],
            responses.prompt[in_variety],
            responses.model[in_variety],
            responses.domain[in_variety],
            human[in_variety],
            {judge: scores_by_judge[judge][in_variety] for judge in asked},
            {judge: loaded.judges[judge].planned[in_variety] for judge in asked},
            {judge: loaded.judges[judge].scored[in_variety] for judge in asked},
            responses.length[in_variety],
            {judge: loaded.judges[judge].refused[in_variety] for judge in asked},
            {judge: loaded.judges[judge].unreadable[in_variety] for judge in asked},
            loaded.panels,
            own_errors,
        )
        for variety, in_variety in each_variety(loaded.varieties, loaded.responses.variety)
        # A judge that was asked elsewhere alone has no place here, whether or not it was known when this was made.
        for asked in [[judge for judge, one in loaded.judges.items() if one.planned[in_variety].any()]]
    }


def figures(parts: Sequence[ScoresOfJudges], is_total: bool) -> dict[str, Any]:
    """Of one variety; of several put together (`is_total`) also what is only shown for all of them.

    "judges": MAD, signed error and share answered by (judge, domain); "targets": MAD, signed error and mean human
    score by target; "gaps": MAD in either domain and the gap, by judge; "alone": of `alone.blocks`,
    where no person graded. In total: "boxes" and "misses" by judge,
    "calibrated" as `calibration.Calibrated.rows` by judge, and "evidence" of biases. Targets are put together from
    single judges: what a panel says are its members' words once more.
    """
    known = sorted({judge for part in parts for judge in part.scores})
    if not known:
        nothing: dict[str, Any] = {name: {} for name in ("judges", "targets", "gaps", "boxes", "misses", "alone")}
        return {**nothing, "calibrated": {}, "evidence": {}, "known": [], "single": [], "own errors": []}
    model, domain, human = (joined(parts, name) for name in ("model", "domain", "human"))
    scores = np.column_stack([_column(parts, "scores", judge, np.nan) for judge in known])
    errors = judges.errors_of(scores, human)
    panels = frozenset().union(*(part.panels for part in parts))
    is_single = np.array([judge not in panels for judge in known])
    blocks: dict[tuple, Block] = {}
    for (target, of_domain), chosen in cells(model, domain):
        within = np.where(chosen[:, None], errors, np.nan)
        if target == ALL:
            blocks |= {("judges", judge, of_domain): error_block(within[:, at]) for at, judge in enumerate(known)}
        if of_domain == ALL:
            blocks["targets", target] = _target_block(within[:, is_single])
            blocks["humans", target] = mean_block(human, chosen)
    if np.isnan(human).all():
        blocks |= {("alone", *cell): block for cell, block in alone.blocks(known, scores, model)}
    for at, judge in enumerate(known):
        blocks["gaps", judge] = _gap_block(errors[:, at], domain)
    prompt = joined(parts, "prompt")
    mapped = {
        judge: calibrated(scores[:, at], human, prompt, rank_correlation) for at, judge in enumerate(known) if is_total
    }
    blocks |= {("calibrated", judge): Block(one.figures, one.columns, one.statistics) for judge, one in mapped.items()}
    drawn = dict(zip(blocks, with_intervals(list(blocks.values()), prompt), strict=True))
    results: dict[str, Any] = {"judges": {}, "targets": {}, "gaps": {}, "alone": {}, "known": known}
    results["single"] = [judge for judge in known if judge not in panels]
    results["own errors"] = sorted(frozenset().union(*(part.own_errors for part in parts)) & set(known))
    for (what, *key), of_block in drawn.items():
        if what == "judges":
            judge, of_domain = key
            results["judges"][judge, of_domain] = _with_answered(parts, judge, of_domain, domain, of_block)
        elif what == "targets":
            results["targets"][key[0]] = (*of_block, drawn["humans", key[0]][0])
        elif what == "alone":
            results["alone"][tuple(key)] = of_block[0]
        elif what == "gaps":
            cultural, linguistics = (drawn.get(("judges", key[0], one)) for one in (CULTURAL, LINGUISTICS))
            results["gaps"][key[0]] = (_mad(cultural), _mad(linguistics), of_block[0])
    if is_total:
        results["boxes"] = boxes_of(known, scores, human)
        results["misses"] = misses_of(parts, known, scores, human)
        results["calibrated"] = {judge: one.rows(drawn["calibrated", judge]) for judge, one in mapped.items()}
        results["evidence"] = {}
        for at, judge in enumerate(known):
            asked = {name: _column(parts, name, judge, False) for name in ("scored", "refused", "unreadable")}
            results["evidence"] |= of_scores(judge, errors[:, at], human, joined(parts, "length"), prompt, asked)
    return results


def _column(parts: Sequence[ScoresOfJudges], name: str, judge: int, missing: Any) -> NDArray:
    """A judge's column over all parts; a part from before the judge was asked has nothing of it."""
    return np.concatenate([getattr(part, name).get(judge, np.full(len(part.human), missing)) for part in parts])


def _target_block(errors: Floats) -> Block:
    """Over every (response, single judge) pair: the columns of a response add up those of all judges that graded it."""
    return error_block(errors, judges.error_columns(errors).sum(axis=1))


def _gap_block(errors: Floats, domain: Integers) -> Block:
    columns = judges.domain_columns(errors, domain == LINGUISTICS, domain == CULTURAL)
    return Block([judges.domain_gap_figure(columns)], columns, [judges.domain_gap])


def _mad(errors: Sequence[Figure] | None) -> Figure:
    return Figure.without_value("no items") if errors is None else errors[0]


def _with_answered(
    parts: Sequence[ScoresOfJudges], judge: int, of_domain: int, domain: Integers, errors: Sequence[Figure]
) -> tuple[Figure, ...]:
    """MAD and signed error, each with how many responses were planned and scored, and the share scored."""
    chosen = (domain == of_domain) | (of_domain == ALL)
    planned = int((_column(parts, "planned", judge, False) & chosen).sum())
    scored = int((_column(parts, "scored", judge, False) & chosen).sum())
    numbers = {"planned": planned, "scored": scored}
    return (*(figure.with_detail(**numbers) for figure in errors), share(scored, planned, NOT_ASKED, **numbers))


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    recording = bool(results.total()["own errors"])
    return [
        *((alone.scores_of_judges(results),) if any(pool["alone"] for _label, _drill, pool in results.pools()) else ()),
        judges_compared(results, GIVEN),
        *((judges_compared(results, OWN),) if recording else ()),
        biases(results),
        judges_calibrated(results),
        judges_split(results, GIVEN),
        *((judges_split(results, OWN),) if recording else ()),
        score_spread(results),
        domain_gap(results),
        targets(results),
        widest_misses(results),
    ]


def units() -> dict[str, Any]:
    return {"unit": "pp", "units": {_("answered"): "share"}}


def judges_of(results: Results, task: str) -> list[int]:
    """Those that were asked so, in the order of their ids."""
    total = results.total()
    return [judge for judge in total["known"] if (judge in total["own errors"]) == (task == OWN)]


def judges_compared(results: Results, task: str) -> Table:
    """Judges of one task beside people of the same."""
    figures_by_judge = results.total()["judges"]
    asked = judges_of(results, task)
    rows = ascending(
        results.rater_rows(
            {one: by for (one, domain), by in figures_by_judge.items() if domain == ALL and one in asked}
        )
    )
    of_judges = known_figures(((row.labels[0], row.figures[0]) for row in rows), "pp")
    return Table(
        id="judges-against-people" if task == GIVEN else "judges-own-errors-against-people",
        headline=lowest(rows),
        title=_("Judges against people")
        if task == GIVEN
        else _("Judges that record errors of their own, against people"),
        summary=_("Mean distance of a judge's score from the person's, in percentage points. %(judges)s.")
        % {"judges": of_judges}
        if of_judges
        else no_figure_yet()
        if rows
        else nobody(),
        dimensions=(_("judge"),),
        measures=(_("MAD"), _("signed error"), _("answered")),
        rows=rows,
        recipe=results.recipe("judge_axis_mad_and_signed_error", declined="left out of the means, counted", task=task),
        ceilings=ceilings(results, task),
        note=_("A signed error above 0 is lenient, below 0 conservative.") + " " + ceiling_note(results, task),
        **units(),
    )


def judges_split(results: Results, task: str) -> Table:
    rows = []
    asked = judges_of(results, task)
    for label, drill, pool in results.pools():
        for (judge, domain), figures in pool["judges"].items():
            if judge not in asked:
                continue
            of_domain, by_domain = results.domain(domain)
            rows.append(results.row(judge, (results.rater(judge), label, of_domain), figures, **drill, **by_domain))
    return Table(
        id="judges-by-setting" if task == GIVEN else "judges-own-errors-by-setting",
        headline=lowest(rows),
        title=_("Judges by community and domain")
        if task == GIVEN
        else _("Judges that record errors of their own, by community and domain"),
        summary=_("The same figures for every community and domain.") if rows else nobody(),
        dimensions=(_("judge"), _("community"), _("domain")),
        measures=(_("MAD"), _("signed error"), _("answered")),
        rows=tuple(rows),
        recipe=results.recipe("judge_axis_mad_and_signed_error", split="community and domain of the rubric", task=task),
        ceilings=ceilings(results, task),
        note=ceiling_note(results, task),
        **units(),
    )


def domain_gap(results: Results) -> Table:
    rows = [
        results.row(one, (results.rater(one), label), figures, **drill)
        for label, drill, pool in results.pools()
        for one, figures in pool["gaps"].items()
    ]
    of_gaps = results.figure_texts({one: figures[2] for one, figures in results.total()["gaps"].items()}, "pp")
    return Table(
        id="domain-gap",
        headline=lowest(rows, 2),
        title=_("Cultural and linguistic rubrics"),
        summary=_("MAD on linguistic less MAD on cultural rubrics; below 0 culture is harder to grade. %(gaps)s.")
        % {"gaps": of_gaps}
        if of_gaps
        else no_figure_yet()
        if rows
        else nobody(),
        dimensions=(_("judge"), _("community")),
        measures=(_("MAD on cultural"), _("MAD on linguistics"), _("domain gap")),
        rows=tuple(rows),
        marked=_("judge"),
        recipe=results.recipe("domain_gap", formula="MAD(linguistics) - MAD(cultural)"),
        unit="pp",
        x=_("judge"),
    )


def targets(results: Results) -> Table:
    rows = []
    for label, drill, pool in results.pools():
        for model, figures in pool["targets"].items():
            target, by_target = results.target(model)
            marks = results.marks(*results.total()["single"])
            rows.append(Row((target, label), figures, {**drill, **by_target}, marks))
    figures_by_model = results.total()["targets"]
    of_targets = known_figures(
        ((results.target(model)[0], figures[0]) for model, figures in figures_by_model.items() if model != ALL), "pp"
    )
    return Table(
        id="targets",
        title=_("Whose responses are hard to grade"),
        summary=_("Mean distance over all responses of a target and all judges that graded them. %(targets)s.")
        % {"targets": of_targets}
        if of_targets
        else no_figure_yet()
        if rows
        else nobody(),
        dimensions=(_("target model"), _("community")),
        measures=(_("MAD"), _("signed error"), _("mean score by people")),
        rows=tuple(rows),
        marked=HEADING,
        recipe=results.recipe("target_axis_mad", pairs="every response and every judge that graded it"),
        unit="pp",
        units={_("mean score by people"): "percent"},
        x=_("target model"),
        series=_("community"),
        note=_("n counts pairs of a response and a judge; of the mean score, responses."),
    )
