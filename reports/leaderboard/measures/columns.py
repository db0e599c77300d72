"""The same answers counted otherwise: as published, by skill mean, calibrated on people, controlled for length."""

import numpy as np
from django.db import transaction
from django.utils.translation import gettext as _

from agreement.calibrated_scores import calibrated_score
from agreement.figures import Figure
from agreement.length_control import FEATURES, QUESTIONS_AT_LEAST, LengthControl, controlled, features, fit
from agreement.sensitivity import skill_mean
from benchmark.models import FrozenControl
from projects.models import Response
from projects.problems import Invalid, Problem
from reports.dashboard import cache
from reports.dashboard.columns import Floats
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.leaderboard.measures.tables import name_of, recipe
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.scores import mean_points, on_scale, scores_by
from reports.leaderboard.standings import Study, rows_of

GROUP = "columns"
FLAGGED = "a flagged configuration stays out of this column"
NOT_FROZEN = "the control is not frozen yet"
NO_PUBLISHED_JUDGE = "no judge is named for this column"


def tables(study: Study, scope: BoardScope, state: str) -> list[Table]:
    loaded = study.loaded
    rows = rows_of(loaded, scope)
    cluster, skill = loaded.questions.cluster[rows], loaded.questions.skill[rows].tolist()
    people, published, control = people_scores(study), published_scores(study), control_of(study)
    lines = []
    for at, entry in enumerate(loaded.entries):
        if entry.is_baseline or (scope.size and entry.size != scope.size):
            continue
        scores = study.scores[rows, at]
        flagged = Figure.without_value(FLAGGED)
        calibrated = flagged if entry.flags else calibrated_score(scores, people[rows, at], skill, cluster).mean
        if entry.flags:
            length = flagged
        elif control is None:
            length = Figure.without_value(NOT_FROZEN)
        else:
            length = controlled_mean(study, control, at, rows)
        as_published = (
            Figure.without_value(NO_PUBLISHED_JUDGE) if published is None else mean_points(published[rows, at], cluster)
        )
        by_skill = on_scale(skill_mean(scores, skill, cluster))
        figures = (mean_points(scores, cluster), by_skill, on_scale(calibrated), length, as_published)
        lines.append(Row((name_of(entry),), figures, {"configuration": entry.slug}))
    lines.sort(key=lambda row: (row.figures[0].value is None, -(row.figures[0].value or 0.0)))
    return [columns_table(study, tuple(lines), scope, state, control)]


def columns_table(
    study: Study, rows: tuple[Row, ...], scope: BoardScope, state: str, control: LengthControl | None
) -> Table:
    frozen = {"control": f"fitted on {len(control.references)} configurations"} if control else {}
    return Table(
        id="columns",
        title=_("The same answers counted otherwise"),
        summary=_(
            "By question mean, by skill mean, calibrated on people's scores, controlled for length and format, and as "
            "the paper publishes it, by one judge for all."
        ),
        dimensions=(_("model"),),
        measures=(
            _("question mean"),
            _("skill mean"),
            _("calibrated on people"),
            _("length-controlled"),
            _("as published"),
        ),
        rows=rows,
        recipe=recipe(study, "columns", state, scope.filters, **frozen),
        unit="score",
        headline=NO_HEADLINE,
        note=_(
            "The control for length and format is frozen with the version: a newcomer moves nobody. Flagged "
            "configurations stay out of the calibrated and the controlled column."
        ),
    )


def people_scores(study: Study) -> Floats:
    """The mean of people's scores of each answer, NaN where nobody scored it; (Q, n)."""
    given = list(study.loaded.people.values())
    if not given:
        return np.full(study.scores.shape, np.nan)
    known = sum((~np.isnan(one)).astype(float) for one in given)
    total = sum(np.nan_to_num(one) for one in given)
    return np.divide(total, known, out=np.full(study.scores.shape, np.nan), where=known > 0)


def published_scores(study: Study) -> Floats | None:
    """Scores as the paper has them; None where no judge is named for the column and one is needed."""
    board = study.loaded.board
    judge = board.published_judge_id if board else None
    if judge is None and study.panel.judges:
        return None
    return scores_by(study.loaded, [judge] if judge else [], as_published=True)


# --- Length and format -----------------------------------------------------------------------------------------------


def features_of(study: Study, column: int) -> Floats:
    """Length and format of a configuration's answers, (Q, K); NaN where a fixed rule decides or nothing came. Texts
    never change, so they are read once for each state of its answers."""
    loaded = study.loaded
    answer = np.where(np.isnan(loaded.decided[:, column]), loaded.answer[:, column], 0)
    key = cache.key_of("features", loaded.entries[column].id, answer.tobytes().hex())

    def made(_missing: list[str]) -> dict[str, Floats]:
        table = np.full((len(answer), len(FEATURES)), np.nan)
        place = {int(one): row for row, one in enumerate(answer) if one}
        texts = Response.objects.filter(answer__configuration=loaded.entries[column].id)
        for pk, text in texts.values_list("answer__pk", "text").iterator():
            if pk in place:
                table[place[pk]] = features(text)
        return {"features": table}

    return cache.remembered({"features": key}, made)["features"]


def control_of(study: Study) -> LengthControl | None:
    """The control that is frozen with the version; None before a lead has frozen it."""
    stored = FrozenControl.objects.filter(question_set=study.loaded.question_set).first()
    return None if stored is None else LengthControl.from_json(stored.control)


def references(study: Study) -> list[int]:
    """Columns of the models that the control is fitted on: ranked ones without a flag."""
    reasons = study.why_no_rank(np.arange(len(study.loaded.questions)))
    return [at for at, entry in enumerate(study.loaded.entries) if not reasons[at] and not entry.flags]


def frozen_control(study: Study | None) -> LengthControl:
    """The frozen control; frozen now where none is. Raises Invalid where there is too little to fit it on."""
    control = None if study is None else control_of(study) or freeze_control(study)
    if control is None:
        message = _("It takes two models that can be ranked and thirty questions that both answered.")
        raise Invalid(Problem("too_little", message, "freezes_control"))
    return control


def freeze_control(study: Study) -> LengthControl | None:
    """Fit the control and freeze it with the version, once and for all; None where there is too little to fit it on."""
    chosen = references(study)
    if len(chosen) < 2 or len(study.loaded.questions) < QUESTIONS_AT_LEAST:
        return None
    try:
        control = fit(
            study.scores[:, chosen],
            np.stack([features_of(study, at) for at in chosen], axis=1),
            version=study.loaded.question_set.sha256,
            questions=study.loaded.questions.key.tolist(),
            references=[study.loaded.entries[at].slug for at in chosen],
            cluster=study.loaded.questions.cluster,
        )
    except ValueError:  # fewer than thirty questions that two of them answered
        return None
    with transaction.atomic():
        made, _new = FrozenControl.objects.get_or_create(
            question_set=study.loaded.question_set,
            defaults={"control": control.as_json(), "n_configurations": len(chosen)},
        )
    return LengthControl.from_json(made.control)


def controlled_mean(study: Study, control: LengthControl, column: int, rows: np.ndarray) -> Figure:
    keys = study.loaded.questions.key.tolist()
    scores = controlled(control, keys, study.scores[:, column], features_of(study, column))
    return mean_points(scores[rows], study.loaded.questions.cluster[rows])
