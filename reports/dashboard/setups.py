"""How each judge is asked, and which judges differ in one thing alone, so that what an example, a rubric or a list of
categories gains can be said.

Of a judge that was set up here its options say it; of one whose answers were imported their metadata: `setup` in words
("few-shot pairwise", "taxonomy + few-shot") or, by name, `kind`, `shots`, `rubric`, `taxonomy`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.db.models import Max, Min, QuerySet
from django.utils.translation import gettext as _

from judging.kinds import judge_kind
from judging.kinds.options import RUBRIC, SEVERAL_PLACES, SHOTS, TAXONOMY, Flag
from judging.models import Judge, Shots
from projects.enumeration import enumerated
from projects.models import Project, RaterKind
from reports.dashboard import cache
from reports.dashboard.freshness.revisions import revisions

#: Aspects that are no option of a judge: what is asked at once, by which prompt, and what metadata say in words alone.
ASKED, PROMPT, IN_WORDS = "asked", "prompt", "in words"
PAIRWISE, POINTWISE = "pairwise", "pointwise"
# What words of a setup mean, as authors of papers write it.
MEANINGS = (
    (r"pair-?wise|two by two", ASKED, PAIRWISE),
    (r"point-?wise|one by one", ASKED, POINTWISE),
    (r"few[- ]?shot|with examples", SHOTS.name, str(Shots.FEW)),
    (r"zero[- ]?shot|without examples", SHOTS.name, str(Shots.ZERO)),
    (r"(?:without|no|w/o) (?:the )?(?:\w+ )?rubrics?", RUBRIC.name, False),
    (r"(?:with|\+) ?(?:the )?(?:\w+ )?rubrics?", RUBRIC.name, True),
    (r"(?:without|no|w/o) (?:the )?taxonomy", TAXONOMY.name, False),
    (r"taxonomy", TAXONOMY.name, True),
)
#: Of the aspects whose values have an order, the plainer one first.
PLAINER = {
    ASKED: (POINTWISE, PAIRWISE),
    SHOTS.name: (str(Shots.ZERO), str(Shots.FEW)),
    RUBRIC.name: (False, True),
    TAXONOMY.name: (False, True),
}
#: Under which other names metadata may hold an aspect.
ALIASES = {ASKED: ("kind",), SHOTS.name: ("examples",), TAXONOMY.name: ("taxonomy",)}


@dataclass(frozen=True)
class Setup:
    """The model that is asked, and how: a value for each aspect that is known."""

    model: str
    aspects: tuple[tuple[str, Any], ...]

    def value(self, aspect: str) -> Any:
        """None where it is not known."""
        return dict(self.aspects).get(aspect)

    @property
    def place(self) -> tuple[str, ...]:
        """Plainer setups come first."""
        return tuple(str(_rank(aspect, value)) for aspect, value in sorted(self.aspects))


@dataclass(frozen=True)
class Change:
    """Two judges of one model that differ in this aspect alone, the plainer first."""

    before: int
    after: int
    aspect: str


def setups_of(project: Project, kinds: Sequence[str], answers: QuerySet, *parts: str) -> dict[int, Setup]:
    """By id of the rater, how each judge of these kinds is asked; of one that says nothing of it nothing is known.

    answers  rows with `rater` and `metadata`: an imported judge's first and last speak for all, where they agree.
    parts    the revisions that move with such rows.
    """
    judges = project.judges.filter(kind__in=kinds).select_related("prompt").order_by("id")
    setups = {judge.rater_id: Setup(judge.model, tuple(_of_judge(judge))) for judge in judges}
    key = cache.key_of("imported setups", project.pk, *kinds, revisions(project).of("raters", *parts))
    found = cache.remembered({"setups": key}, lambda _missing: {"setups": _imported(project, answers)})["setups"]
    return {**found, **setups}


def _imported(project: Project, answers: QuerySet) -> dict[int, Setup]:
    """Of judges that were not set up here."""
    setups = {}
    imported = answers.filter(rater__project=project, rater__kind=RaterKind.JUDGE, rater__judge=None)
    ends = list(imported.order_by().values("rater", "rater__model").annotate(first=Min("id"), last=Max("id")))
    metadata = answers.in_bulk([pk for one in ends for pk in (one["first"], one["last"])])
    for one in ends:
        said, last = (of_metadata(metadata[one[end]].metadata) for end in ("first", "last"))
        if said and said == last:
            setups[one["rater"]] = Setup(one["rater__model"], tuple(said.items()))
    return setups


def _of_judge(judge: Judge) -> Iterator[tuple[str, Any]]:
    if judge.kind in (PAIRWISE, POINTWISE):
        yield ASKED, judge.kind
    for option in judge_kind(judge.kind).options:
        value = option.of(judge)
        yield option.name, value if isinstance(option, Flag) or value is None else str(value)
    yield PROMPT, judge.asks_by
    yield "reasoning", str(judge.options.get("reasoning", ""))


def of_metadata(metadata: Any) -> dict[str, Any]:
    """What an answer's metadata say of how it was asked for, by aspect; {} for nothing."""
    if not isinstance(metadata, Mapping):
        return {}
    said: dict[str, Any] = {}
    words = metadata.get("setup")
    if isinstance(words, str) and words.strip():
        for pattern, aspect, value in MEANINGS:
            if aspect not in said and re.search(rf"(?<!\w)(?:{pattern})", words.casefold()):
                said[aspect] = value
        if not said:
            said[IN_WORDS] = words.strip()
        elif ASKED in said:
            said.setdefault(SHOTS.name, str(Shots.ZERO))  # who shows examples says so
    for aspect, values in PLAINER.items():
        for name in (aspect, *ALIASES.get(aspect, ())):
            if metadata.get(name) in values:
                said[aspect] = metadata[name]
    return said


def changes(setups: Mapping[int, Setup], answered: Sequence[int]) -> list[Change]:
    """Every two of these judges that have one model and differ in one of the aspects known of both. Where more is known
    of one than of the other, nothing is told."""
    known = sorted((one for one in answered if one in setups), key=lambda one: (setups[one].place, one))
    found = []
    for one, other in combinations(known, 2):
        first, second = (dict(setups[judge].aspects) for judge in (one, other))
        differing = [aspect for aspect in first.keys() & second.keys() if first[aspect] != second[aspect]]
        # What is known of one alone may differ as well.
        untold = {aspect for aspect in PLAINER if (aspect in first) is not (aspect in second)}
        if setups[one].model != setups[other].model or len(differing) != 1 or untold:
            continue
        [aspect] = differing
        before, after = (one, other) if _rank(aspect, first[aspect]) <= _rank(aspect, second[aspect]) else (other, one)
        found.append(Change(before, after, aspect))
    return sorted(found, key=lambda change: (setups[change.before].model, change.aspect, change.before, change.after))


def _rank(aspect: str, value: Any) -> tuple[int, str]:
    order = PLAINER.get(aspect, ())
    return (order.index(value) if value in order else len(order), str(value))


# --- Words -----------------------------------------------------------------------------------------


def labels() -> dict[tuple[str, Any], str]:
    """How each value of an aspect with fixed values is called."""
    return {
        (ASKED, PAIRWISE): _("two by two"),
        (ASKED, POINTWISE): _("one by one"),
        (SHOTS.name, str(Shots.FEW)): _("with examples"),
        (SHOTS.name, str(Shots.ZERO)): _("without examples"),
        (RUBRIC.name, True): _("with rubric"),
        (RUBRIC.name, False): _("without rubric"),
        (TAXONOMY.name, True): _("with categories"),
        (TAXONOMY.name, False): _("without categories"),
        (SEVERAL_PLACES.name, True): _("errors in several places"),
        (SEVERAL_PLACES.name, False): _("errors in one place"),
    }


def label(setup: Setup, aspect: str) -> str:
    value = setup.value(aspect)
    if value is None:
        return _("not said")
    return labels().get((aspect, value)) or f"{aspect}: {value or _('as usual')}"


def setup_labels(setup: Setup) -> tuple[str, str, str, str]:
    """The model; whether one response is asked about or two; with examples; with a rubric. What metadata say in other
    words stands in the second place."""
    words = setup.value(IN_WORDS)
    asked = words if words is not None else label(setup, ASKED)
    return setup.model, asked, label(setup, SHOTS.name), label(setup, RUBRIC.name)


def change_labels(setups: Mapping[int, Setup], change: Change) -> tuple[str, str, str]:
    """The model, what is changed, and what stays the same."""
    before, after = setups[change.before], setups[change.after]
    same = [label(before, aspect) for aspect in PLAINER if aspect != change.aspect and before.value(aspect) is not None]
    return (
        before.model,
        f"{label(before, change.aspect)} → {label(after, change.aspect)}",
        enumerated(same),
    )
