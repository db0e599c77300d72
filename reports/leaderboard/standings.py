"""The board: configurations by score, with rank sets that hold for all of them at once, or why there is no rank."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop

from agreement.baselines import chance_levels, overall_chance
from agreement.figures import NO_ITEMS, Figure
from agreement.power import detectable_difference
from agreement.ranks import Ranks, rank_sets
from benchmark.models import QuestionSet
from projects.models import Project
from reports.dashboard import cache
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.freshness.revisions import digest, revisions
from reports.leaderboard.drifts import DriftedJudge, drifted_judges
from reports.leaderboard.reader import Entry, Loaded, Questions, load
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.scores import ENOUGH, Panel, mean_points, open_uses, panel_of, panel_scores
from reports.leaderboard.speeds import Speed, speeds_of

PART = "leaderboard"
NO_COMMON_JUDGE = gettext_noop("no common judge")
DRIFTED = gettext_noop("a judge has drifted")
NOT_SCORED = gettext_noop("less than 99 % of its questions are scored")
PENDING = gettext_noop("a decision about it is pending")
BASELINE = gettext_noop("a baseline has no rank")
SHOWS_NONE = gettext_noop("these questions can show no difference")
#: What a board waits for on which no model has a score yet.
WAITS = ANSWERS, RULES, JUDGES = "answers", "rules", "judges"
REASONS = (
    gettext_noop("too few units"),
    gettext_noop("no two configurations to compare"),
    gettext_noop("no difference within the scale could be shown"),
    gettext_noop("no question with choices"),
    gettext_noop("too few labels"),
    gettext_noop("no single leader"),
    gettext_noop("one configuration"),
    gettext_noop("no removal changes the leader"),
    gettext_noop("too few for this quantile"),
    gettext_noop("no time passed"),
    gettext_noop("a skill with one question"),
    gettext_noop("a flagged configuration stays out of this column"),
    gettext_noop("the control is not frozen yet"),
    gettext_noop("no judge is named for this column"),
    gettext_noop("not judged by it"),
    gettext_noop("it has not answered the shuffled questions"),
    gettext_noop("its choices could not be read"),
)


@dataclass(frozen=True, eq=False)
class Study:
    """What all of a board is computed from: the answers, the judges, and the score of each question; (Q, n).

    drifted  judges of the board whose anchors show a drift, and whose ranks pause for it.
    """

    loaded: Loaded
    panel: Panel
    scores: Floats
    drifted: tuple[DriftedJudge, ...] = ()

    @property
    def models(self) -> Flags:
        """Which columns are models and no baselines, shape (n,)."""
        return np.array([not entry.is_baseline for entry in self.loaded.entries], dtype=bool)

    @property
    def unflagged(self) -> Flags:
        return np.array([not entry.flags for entry in self.loaded.entries], dtype=bool)

    def why_no_rank(self, rows: Integers) -> list[str]:
        """Of each configuration on these questions, why it cannot have a rank; "" where it can."""
        share = (~np.isnan(self.scores[rows])).mean(axis=0) if len(rows) else np.zeros(len(self.loaded.entries))
        paused = {configuration for judge in self.drifted for configuration in judge.paused}
        reasons = []
        for column, entry in enumerate(self.loaded.entries):
            if entry.is_baseline:
                reasons.append(BASELINE)
            elif entry.is_pending:
                reasons.append(PENDING)
            elif not len(rows):
                reasons.append(NO_ITEMS)
            elif self.loaded.judges and not self.panel.common[column]:
                reasons.append(NO_COMMON_JUDGE)
            elif entry.id in paused:
                reasons.append(DRIFTED)
            else:
                reasons.append("" if share[column] >= ENOUGH - 1e-9 else NOT_SCORED)
        return reasons


def study_of(project: Project) -> Study | None:
    """None where no version is frozen."""
    loaded = load(project)
    if loaded is None:
        return None
    chosen = sorted(loaded.board.judges.values_list("pk", flat=True)) if loaded.board else []
    panel = panel_of(loaded, chosen)
    return Study(loaded, panel, panel_scores(loaded, panel), drifted_judges(loaded, panel))


def kept_study(project: Project, state: str) -> Study | None:
    """The study in this state, as far as boards need it: without what single judges and people gave, which is most of
    its size. Kept once for all filters, so that whoever tries them all has the scores read only once."""

    def made(_missing: list[str]) -> dict[str, Study | None]:
        study = study_of(project)
        if study is None:
            return {"study": None}
        nothing = np.empty((0, len(study.loaded.entries)))
        loaded = replace(study.loaded, board=None, published=nothing, judged={}, rounds={}, people={})
        return {"study": replace(study, loaded=loaded)}

    return cache.remembered({"study": cache.key_of("study", project.pk, state)}, made)["study"]


@dataclass(frozen=True, eq=False)
class Sheet:
    """What pages of single models and questions need: the score of each question, (Q, n), and whose it is."""

    set_slug: str
    version: int
    question_set: str
    canary: str
    skills: dict[str, str]
    questions: Questions
    entries: tuple[Entry, ...]
    scores: Floats
    judges: tuple[str, ...]

    def column(self, slug: str) -> int | None:
        return next((at for at, entry in enumerate(self.entries) if entry.slug == slug), None)

    def leading(self, many: int) -> list[int]:
        """The columns of so many models with the highest means, without baselines; fewer where fewer have a score."""
        means = {
            at: float(np.nanmean(self.scores[:, at]))
            for at, entry in enumerate(self.entries)
            if not entry.is_baseline and not np.isnan(self.scores[:, at]).all()
        }
        return sorted(means, key=lambda at: -means[at])[:many]


def sheet_of(project: Project) -> Sheet | None:
    """Kept until a score changes; None where no version is frozen."""
    state = state_of(project)
    key = cache.key_of("sheet", project.pk, state)

    def made(_missing: list[str]) -> dict[str, Sheet | None]:
        study = kept_study(project, state)
        if study is None:
            return {"sheet": None}
        loaded = study.loaded
        of_set = loaded.question_set
        judges = tuple(loaded.judges[judge].name for judge in study.panel.judges if judge in loaded.judges)
        parts = (dict(loaded.skills), loaded.questions, tuple(loaded.entries), study.scores, judges)
        return {"sheet": Sheet(of_set.slug, of_set.version, str(of_set), str(of_set.canary), *parts)}

    return cache.remembered({"sheet": key}, made)["sheet"]


def state_of(project: Project) -> str:
    """Stands for all that a board is computed from."""
    return digest([project.pk, revisions(project).of(PART, "raters", "names")])


def rows_of(loaded: Loaded, scope: BoardScope) -> Integers:
    """The questions that the scope keeps."""
    questions = loaded.questions
    kept = np.ones(len(questions), dtype=bool)
    for name in ("skill", "source", "format"):
        if value := getattr(scope, name):
            kept &= getattr(questions, name) == value
    return np.flatnonzero(kept)


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores and ranks on some of the questions. figures, sets and reasons have one entry for each configuration.

    ranks   None where nothing could be compared. detectable  the smallest difference shown with power 0.8; undefined
            where the questions can show none, and nobody has a rank then.
    """

    figures: Sequence[Figure]
    sets: Sequence[tuple[int, int] | None]
    reasons: Sequence[str]
    detectable: Figure
    ranks: Ranks | None


def ranking(study: Study, rows: Integers, columns: Flags, scores: Floats | None = None) -> Ranking:
    """Rank these configurations by these questions; `scores` other than the board's own where given, (Q, n)."""
    table = (study.scores if scores is None else scores)[rows]
    cluster = study.loaded.questions.cluster[rows]
    figures = [mean_points(column, cluster) for column in table.T]
    reasons = study.why_no_rank(rows)
    eligible = columns & np.array([not reason for reason in reasons], dtype=bool)
    ranks = rank_sets(table, cluster, eligible=eligible) if len(rows) and eligible.any() else None
    if ranks is None:
        return Ranking(figures, [None] * len(figures), reasons, Figure.without_value("no items"), None)
    detectable = detectable_difference(table, ranks, cluster)
    sets: list[tuple[int, int] | None] = list(ranks.sets)
    if detectable.value is None:
        sets = [None] * len(sets)
        reasons = [reason or SHOWS_NONE for reason in reasons]
    return Ranking(figures, sets, reasons, detectable, ranks)


@dataclass(frozen=True)
class Line:
    """A configuration on the board. `rank` None: `no_rank` says why, in fixed words that are translated when shown."""

    entry: Entry
    score: Figure
    rank: tuple[int, int] | None
    no_rank: str
    scored: float
    speed: Speed | None

    @property
    def rank_words(self) -> str:
        """The rank set as "2–4", or "2" where it is one rank."""
        if self.rank is None:
            return ""
        best, worst = self.rank
        return str(best) if best == worst else f"{best}–{worst}"


@dataclass(frozen=True)
class Standings:
    """A board under a scope. Lines stand by score, highest first; those without a score last.

    judges      names of the common ones. n_questions  that the scope keeps, of `n_all`.
    detectable  the smallest difference that these questions show with power 0.8. chance  what blind answers get.
    drifted     judges for which ranks pause.
    waits_for   where no model has a score: what there has to be first, one of WAITS; "" otherwise.
    """

    question_set: str
    version: int
    sha256: str
    canary: str
    n_questions: int
    n_all: int
    judges: tuple[str, ...]
    is_outside: bool
    lines: tuple[Line, ...]
    baselines: tuple[Line, ...]
    chance: Figure
    detectable: Figure
    state: str
    filters: dict[str, str] = field(default_factory=dict)
    drifted: tuple[DriftedJudge, ...] = ()
    waits_for: str = ""

    def line_of(self, slug: str) -> Line:
        """The line of a configuration or baseline that is on the board."""
        return next(line for line in (*self.lines, *self.baselines) if line.entry.slug == slug)

    @property
    def unit(self) -> dict[str, Any]:
        """The unit that intervals go by, how many there are, and the effective number, of the first line that has."""
        return next((dict(line.score.detail) for line in self.lines if line.score.value is not None), {})


def key_of(project: Project, scope: BoardScope) -> tuple[str, str]:
    """The state, and the key that the board in it is kept under."""
    state = state_of(project)
    return state, cache.key_of("standings", project.pk, scope, state)


def standings(project: Project, scope: BoardScope) -> Standings | None:
    """The board as it is now: kept until a score changes; None where no version is frozen."""
    state, key = key_of(project, scope)

    def made(_missing: list[str]) -> dict[str, Standings | None]:
        study = kept_study(project, state)
        return {"board": None if study is None else standings_of(study, scope, state)}

    return cache.remembered({"board": key}, made)["board"]


def standings_of(study: Study, scope: BoardScope, state: str) -> Standings:
    loaded = study.loaded
    question_set: QuestionSet = loaded.question_set
    rows = rows_of(loaded, scope)
    columns = study.models
    if scope.size:
        columns &= np.array([entry.size == scope.size for entry in loaded.entries], dtype=bool)
    ranked = ranking(study, rows, columns)
    speeds = speeds_of(question_set.project_id)
    share = (~np.isnan(study.scores[rows])).mean(axis=0) if len(rows) else np.zeros(len(loaded.entries))
    lines = [
        Line(entry, figure, one, reason, float(part), speeds.get(entry.id))
        for entry, figure, one, reason, part in zip(
            loaded.entries, ranked.figures, ranked.sets, ranked.reasons, share, strict=True
        )
    ]
    lines.sort(key=lambda line: (line.score.value is None, -(line.score.value or 0.0), line.entry.name))
    shown = {entry.id for entry, kept in zip(loaded.entries, columns, strict=True) if kept}
    options = [int(count) or None for count in loaded.questions.options[rows]]
    return Standings(
        question_set=question_set.name,
        version=question_set.version,
        sha256=question_set.sha256,
        canary=str(question_set.canary),
        n_questions=len(rows),
        n_all=len(loaded.questions),
        judges=tuple(loaded.judges[judge].name for judge in study.panel.judges if judge in loaded.judges),
        is_outside=study.panel.is_outside,
        lines=tuple(line for line in lines if line.entry.id in shown),
        baselines=tuple(line for line in lines if line.entry.is_baseline),
        chance=overall_chance(chance_levels(loaded.questions.skill[rows].tolist(), options)),
        detectable=ranked.detectable,
        state=state,
        filters=scope.filters,
        drifted=study.drifted,
        waits_for="" if np.isfinite(study.scores[np.ix_(rows, columns)]).any() else waits_for(loaded, rows, columns),
    )


def waits_for(loaded: Loaded, rows: Integers, columns: Flags) -> str:
    """What these models need before any of them has a score on these questions, one of WAITS."""
    here = np.ix_(rows, columns)
    if not loaded.answered[here].any():
        return ANSWERS
    if not loaded.ruled[here].any():
        return RULES
    left = open_uses(loaded)[np.ix_(np.isin(loaded.use, rows), columns)]
    return JUDGES if left.any() else RULES
