"""Judges against people: on the judge's axis, on the target's, by domain, and where one misses most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement import judges
from agreement.deviation import deviation
from agreement.figures import Figure, share
from agreement.quartiles import box
from reports.dashboard.calibration import calibrated
from reports.dashboard.draws import Block, with_detail, with_intervals
from reports.rubrics.groups import ALL, PEOPLE, Context, Flags, Floats, Integers, cells, joined, mean_block, of_setting
from reports.rubrics.habits import of_scores, rank_correlation
from reports.rubrics.loading import Loaded
from reports.rubrics.scope import DOMAINS

NOT_ASKED = "no responses planned"
CULTURAL, LINGUISTICS = (DOMAINS.index(name) for name in ("cultural", "linguistics"))
#: How many of its widest misses a judge is shown with.
MISSES = 10


@dataclass(frozen=True, eq=False)
class Statistics:
    """Of one setting: responses (R,), their lengths in characters; and of each judge by rater id P (NaN without),
    planned, scored, refused and unreadable; (R,) each. `panels` are those of them that are several judges as one.
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


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """Per variety."""
    responses, grades, human = loaded.responses, loaded.grades, loaded.human
    every = {}
    for judge in loaded.judges:
        mine = grades.rater == judge
        every[judge] = np.full(len(responses), np.nan)
        every[judge][grades.response[mine]] = grades.percent[mine]
    return {
        variety: Statistics(
            responses.uuid[here],
            responses.key[here],
            responses.prompt[here],
            responses.model[here],
            responses.domain[here],
            human[here],
            {judge: every[judge][here] for judge in asked},
            {judge: loaded.judges[judge].planned[here] for judge in asked},
            {judge: loaded.judges[judge].scored[here] for judge in asked},
            responses.length[here],
            {judge: loaded.judges[judge].refused[here] for judge in asked},
            {judge: loaded.judges[judge].unreadable[here] for judge in asked},
            loaded.panels,
        )
        for variety, here in of_setting(loaded)
        # A judge that was asked elsewhere alone has no place here, whether or not it was known when this was made.
        for asked in [[judge for judge, one in loaded.judges.items() if one.planned[here].any()]]
    }


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[str, Any]:
    """Of one setting; of several put together (`is_total`) also what is only shown for all of them.

    "judges": MAD, signed error and share answered by (judge, domain); "targets": MAD, signed error and mean human
    score by target; "gaps": MAD in either domain and the gap, by judge. In total: "boxes" and "misses" by judge,
    "calibrated" as `calibrated.Calibrated.rows` by judge, and "evidence" of habits. Targets are put together from
    single judges: what a panel says are its members' words once more.
    """
    known = sorted({judge for part in parts for judge in part.scores})
    if not known:
        nothing: dict[str, Any] = {name: {} for name in ("judges", "targets", "gaps", "boxes", "misses")}
        return {**nothing, "calibrated": {}, "evidence": {}, "known": [], "single": []}
    model, domain, human = (joined(parts, name) for name in ("model", "domain", "human"))
    scores = np.column_stack([_column(parts, "scores", judge, np.nan) for judge in known])
    errors = judges.errors_of(scores, human)
    panels = frozenset().union(*(part.panels for part in parts))
    is_single = np.array([judge not in panels for judge in known])
    blocks: dict[tuple, Block] = {}
    for (target, of_domain), chosen in cells(model, domain):
        within = np.where(chosen[:, None], errors, np.nan)
        if target == ALL:
            blocks |= {("judges", judge, of_domain): _block(within[:, at]) for at, judge in enumerate(known)}
        if of_domain == ALL:
            blocks["targets", target] = _target_block(within[:, is_single])
            blocks["humans", target] = mean_block(human, chosen)
    for at, judge in enumerate(known):
        blocks["gaps", judge] = _gap_block(errors[:, at], domain)
    prompt = joined(parts, "prompt")
    mapped = {
        judge: calibrated(scores[:, at], human, prompt, rank_correlation) for at, judge in enumerate(known) if is_total
    }
    blocks |= {("calibrated", judge): Block(one.figures, one.columns, one.statistics) for judge, one in mapped.items()}
    drawn = dict(zip(blocks, with_intervals(list(blocks.values()), prompt), strict=True))
    found: dict[str, Any] = {"judges": {}, "targets": {}, "gaps": {}, "known": known}
    found["single"] = [judge for judge in known if judge not in panels]
    for (what, *key), of_block in drawn.items():
        if what == "judges":
            judge, of_domain = key
            found["judges"][judge, of_domain] = _with_answered(parts, judge, of_domain, domain, of_block)
        elif what == "targets":
            found["targets"][key[0]] = (*of_block, drawn["humans", key[0]][0])
        elif what == "gaps":
            cultural, linguistics = (drawn.get(("judges", key[0], one)) for one in (CULTURAL, LINGUISTICS))
            found["gaps"][key[0]] = (_mad(cultural), _mad(linguistics), of_block[0])
    if is_total:
        found["boxes"] = _boxes(known, scores, human)
        found["misses"] = _misses(parts, known, scores, human)
        found["calibrated"] = {judge: one.rows(drawn["calibrated", judge]) for judge, one in mapped.items()}
        found["evidence"] = {}
        for at, judge in enumerate(known):
            asked = {name: _column(parts, name, judge, False) for name in ("scored", "refused", "unreadable")}
            found["evidence"] |= of_scores(judge, errors[:, at], human, joined(parts, "length"), prompt, asked)
    return found


def _column(parts: Sequence[Statistics], name: str, judge: int, missing: Any) -> NDArray:
    """A judge's column over all parts; a part from before the judge was asked has nothing of it."""
    return np.concatenate([getattr(part, name).get(judge, np.full(len(part.human), missing)) for part in parts])


def _block(errors: Floats) -> Block:
    known = errors[~np.isnan(errors)]
    found = deviation(known, np.zeros(len(known)))
    return Block([found.mad, found.signed_error], judges.error_columns(errors), [judges.mad, judges.signed_error])


def _target_block(errors: Floats) -> Block:
    """Over every (response, single judge) pair: the columns of a response add up those of all judges that graded it."""
    known = errors[~np.isnan(errors)]
    found = deviation(known, np.zeros(len(known)))
    columns = judges.error_columns(errors).sum(axis=1)
    return Block([found.mad, found.signed_error], columns, [judges.mad, judges.signed_error])


def _gap_block(errors: Floats, domain: Integers) -> Block:
    columns = judges.domain_columns(errors, domain == LINGUISTICS, domain == CULTURAL)
    return Block([judges.domain_gap_figure(columns)], columns, [judges.domain_gap])


def _mad(found: Sequence[Figure] | None) -> Figure:
    return Figure.without_value("no items") if found is None else found[0]


def _with_answered(
    parts: Sequence[Statistics], judge: int, of_domain: int, domain: Integers, found: Sequence[Figure]
) -> tuple[Figure, ...]:
    """MAD and signed error, each with how many responses were planned and scored, and the share scored."""
    chosen = (domain == of_domain) | (of_domain == ALL)
    planned = int((_column(parts, "planned", judge, False) & chosen).sum())
    scored = int((_column(parts, "scored", judge, False) & chosen).sum())
    numbers = {"planned": planned, "scored": scored}
    return (*(with_detail(figure, **numbers) for figure in found), share(scored, planned, NOT_ASKED, **numbers))


def _boxes(known: Sequence[int], scores: Floats, human: Floats) -> dict[int, tuple[Figure, ...]]:
    """The six figures of people's scores and of each judge's, on the responses a person graded."""
    columns = {PEOPLE: human} | {judge: scores[:, at] for at, judge in enumerate(known)}
    found: dict[int, tuple[Figure, ...]] = {}
    for one, values in columns.items():
        drawn = box(values[~np.isnan(values) & ~np.isnan(human)])
        six = (drawn.low, drawn.lower_quartile, drawn.median, drawn.upper_quartile, drawn.high, drawn.mean)
        outliers = [round(value, 2) for value in drawn.outliers]
        found[one] = (*six[:4], with_detail(six[4], outliers=outliers), six[5])
    return found


def _misses(
    parts: Sequence[Statistics], known: Sequence[int], scores: Floats, human: Floats
) -> Mapping[int, list[tuple[str, str, float, float]]]:
    """Of each judge the responses it is furthest off on: uuid, key, its score and the person's, furthest first."""
    uuid, key = joined(parts, "uuid"), joined(parts, "key")
    found = {}
    for at, judge in enumerate(known):
        distance = np.abs(scores[:, at] - human)
        graded = np.flatnonzero(~np.isnan(distance))
        furthest = graded[np.lexsort((key[graded].astype(str), -distance[graded]))][:MISSES]
        found[judge] = [
            (str(uuid[row]), str(key[row]), float(scores[row, at]), float(human[row]))
            for row in furthest
            if distance[row] > 0
        ]
    return found
