"""Scores and rank sets: of all questions, and by skill, kind of source, format and size class."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from agreement.baselines import chance_levels
from agreement.figures import Figure
from formats.choices import QuestionFormat
from projects.enumeration import enumerated, in_parts
from reports.dashboard.columns import Flags, Integers
from reports.dashboard.tables import NO_HEADLINE, Headline, Row, Table
from reports.dashboard.wording import count_text, labelled_figure, number
from reports.leaderboard.measures.tables import RANKS, name_of, rank_figures, recipe, size_name
from reports.leaderboard.scope import SIZES, SOURCES, BoardScope
from reports.leaderboard.standings import Ranking, Study, ranking, rows_of

GROUP = "scores"


@dataclass(frozen=True, eq=False)
class Part:
    """Questions, or models, that are ranked on their own, with the filter that leads to them."""

    label: str
    drill: dict[str, str]
    rows: Integers
    columns: Flags
    chance: Figure | None = None


def tables(study: Study, scope: BoardScope, state: str) -> list[Table]:
    rows = rows_of(study.loaded, scope)
    columns = study.models & in_class(study, scope.size)
    whole = Part(_("All questions"), {}, rows, columns)
    made = [overall(study, whole, scope, state)]
    skills = parts_by(study, "skill", list(study.loaded.skills.items()), whole)
    if len(skills) > 1:
        ranked = [(part, ranking(study, part.rows, part.columns)) for part in skills]
        made += [
            power_table(study, ranked, scope, state),
            part_table(study, "skills", _("skill"), ranked, scope, state),
        ]
    for name, label, choices in (
        ("source", _("source"), SOURCES),
        ("format", _("format"), QuestionFormat.choices),
    ):
        parts = parts_by(study, name, choices, whole)
        if len(parts) > 1:
            ranked = [(part, ranking(study, part.rows, part.columns)) for part in parts]
            made.append(part_table(study, f"{name}s", label, ranked, scope, state))
    sizes = [Part(str(label), {"size": size}, rows, columns & in_class(study, size)) for size, label in SIZES]
    sizes = [part for part in sizes if part.columns.any()]
    if len(sizes) > 1:
        ranked = [(part, ranking(study, part.rows, part.columns)) for part in sizes]
        made.append(part_table(study, "sizes", _("size class"), ranked, scope, state))
    return made


def in_class(study: Study, size: str) -> Flags:
    return np.array([size in ("", entry.size) for entry in study.loaded.entries], dtype=bool)


def parts_by(study: Study, name: str, choices: Sequence[tuple[str, object]], whole: Part) -> list[Part]:
    """The questions of each value of this column, among those of the whole."""
    questions = study.loaded.questions
    values = getattr(questions, name)[whole.rows]
    options = [int(count) or None for count in questions.options[whole.rows]]
    chance = chance_levels(values.tolist(), options)
    return [
        Part(str(label), {name: value}, whole.rows[values == value], whole.columns, chance[value])
        for value, label in choices
        if (values == value).any()
    ]


def by_score(study: Study, part: Part, ranked: Ranking) -> list[int]:
    """Columns of the part that have a score, highest first."""
    scored = [at for at in np.flatnonzero(part.columns).tolist() if ranked.figures[at].value is not None]
    return sorted(scored, key=lambda at: (-ranked.figures[at].number, study.loaded.entries[at].name))


def overall(study: Study, part: Part, scope: BoardScope, state: str) -> Table:
    ranked = ranking(study, part.rows, part.columns)
    entries = study.loaded.entries
    rows = tuple(
        Row(
            (name_of(entries[at]), size_name(entries[at].size)),
            (ranked.figures[at], *rank_figures(ranked.sets[at], ranked.reasons[at], ranked.figures[at].n)),
            {"configuration": entries[at].slug},
        )
        for at in by_score(study, part, ranked)
    )
    return Table(
        id="scores",
        title=_("Scores and ranks"),
        summary=summary(rows, ranked),
        dimensions=(_("model"), _("size class")),
        measures=(_("score"), _("rank at best"), _("rank at worst")),
        rows=rows,
        recipe=recipe(study, "mean_question_score", state, scope.filters, **RANKS),
        unit="score",
        units={_("rank at best"): "count", _("rank at worst"): "count"},
        x=_("model"),
        headline=Headline(rows[0].labels) if rows else NO_HEADLINE,
        note=_(
            "A rank from 2 to 4 says: one model is surely better, and surely worse are all but four. All ranks hold "
            "together with 95 %. Two models may share ranks with a third and still be surely apart."
        ),
    )


def summary(rows: Sequence[Row], ranked: Ranking) -> str:
    if not rows:
        return _("No model has a score yet.")
    best = rows[0].figures[0]
    level = [row.labels[0] for row in rows if row.figures[0].value == best.value]
    first = labelled_figure(enumerated(level), best, "score")
    leads = _("Highest score: %(first)s.") % {"first": first}
    if ranked.detectable.value is None:
        return f"{leads} {_('These questions can show no difference, so nobody has a rank.')}"
    least = _("The smallest difference that these questions show with power 0.8 is %(points)s points of 10.")
    return f"{leads} {least % {'points': number(ranked.detectable.number, 'score')}}"


def power_table(study: Study, ranked: Sequence[tuple[Part, Ranking]], scope: BoardScope, state: str) -> Table:
    """What each skill can show at all."""
    rows = []
    for part, of_part in ranked:
        best = by_score(study, part, of_part)
        none = Figure.without_value("no items")
        figures = (of_part.detectable, of_part.figures[best[0]] if best else none, part.chance or none)
        rows.append(Row((part.label,), figures, part.drill))
    mute = [part.label for part, of_part in ranked if of_part.detectable.value is None]
    said = _("%(n)s of %(all)s skills can show no difference between these models: they have scores and no ranks.")
    return Table(
        id="power",
        title=_("What each skill can show"),
        summary=said % {"n": count_text(len(mute)), "all": count_text(len(ranked))}
        if mute
        else _("Every skill can show a difference between these models."),
        dimensions=(_("skill"),),
        measures=(_("smallest difference shown"), _("highest score"), _("chance level")),
        rows=tuple(rows),
        recipe=recipe(study, "detectable_difference", state, scope.filters, power=0.8, **RANKS),
        unit="score",
        headline=NO_HEADLINE,
        note=_("Points of 10, shown with power 0.8 while all pairs of models are compared at once."),
    )


def leading(study: Study, ranking: Ranking, order: Sequence[int]) -> list[str]:
    """Names of those with the highest score, in the order of the table: all of them, where several have it."""
    best = ranking.figures[order[0]].value
    return [study.loaded.entries[at].name for at in order if ranking.figures[at].value == best]


def part_table(
    study: Study,
    table_id: str,
    dimension: str,
    ranked: Sequence[tuple[Part, Ranking]],
    scope: BoardScope,
    state: str,
) -> Table:
    entries = study.loaded.entries
    rows, tops = [], []
    for part, of_part in ranked:
        order = by_score(study, part, of_part)
        for at in order:
            figures = rank_figures(of_part.sets[at], of_part.reasons[at], of_part.figures[at].n)
            drill = {**part.drill, "configuration": entries[at].slug}
            rows.append(Row((part.label, name_of(entries[at])), (of_part.figures[at], *figures), drill))
        tops += [f"{part.label}: {enumerated(leading(study, of_part, order))}"] if order else []
    titles = {
        "skills": _("Scores and ranks by skill"),
        "sources": _("Scores and ranks by kind of source"),
        "formats": _("Scores and ranks by format"),
        "sizes": _("Scores and ranks within each size class"),
    }
    return Table(
        id=table_id,
        title=titles[table_id],
        summary=_("Highest score in each: %(tops)s.") % {"tops": in_parts(tops)} if tops else "",
        dimensions=(dimension, _("model")),
        measures=(_("score"), _("rank at best"), _("rank at worst")),
        rows=tuple(rows),
        recipe=recipe(study, "mean_question_score", state, scope.filters, by=table_id, **RANKS),
        unit="score",
        units={_("rank at best"): "count", _("rank at worst"): "count"},
        chart="none" if len(rows) > 120 else "bars",
        headline=NO_HEADLINE,
    )
