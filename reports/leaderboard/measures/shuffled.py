"""How far scores, choices and places hang on the order of options: the same questions with their options shuffled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Q
from django.utils.translation import gettext as _

from agreement.answers.options import options_in
from agreement.figures import Figure
from agreement.paired import paired_shift
from agreement.ranks import mean_score
from agreement.sensitivity import places
from benchmark.models import Question, QuestionSet, RuleScore, RuleUse, ShuffledSet
from benchmark.scoring import CHOICE
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.small_charts import isolated
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import count_text
from reports.leaderboard.measures.tables import name_of, recipe
from reports.leaderboard.reader import load
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.scores import ENOUGH, mean_points, panel_scores
from reports.leaderboard.standings import Study

NOT_ANSWERED = "it has not answered the shuffled questions"
NOT_READ = "its choices could not be read"


@dataclass(frozen=True, eq=False)
class Twins:
    """Questions of the board with the same in another order, R of each, as places in the two tables of scores.

    before, after   scores by the same judges, (R, n). cluster  of each, (R,).
    chosen, now     the option that an answer settles on, by its text, as a number; -1 where none could be read; (R, n).
    blind           the chance that a blind choice takes the same option twice, (R,).
    """

    before: Floats
    after: Floats
    cluster: np.ndarray
    chosen: Integers
    now: Integers
    blind: Floats


def tables(study: Study, scope: BoardScope, state: str, rows: Integers, columns: Sequence[int]) -> list[Table]:
    """One table for each set of shuffled options of this version, or of one in which the questions are the same."""
    question_set = study.loaded.question_set
    made = ShuffledSet.objects.filter(original__project=question_set.project_id, original__slug=question_set.slug)
    found = []
    for row in made.select_related("question_set", "original").order_by("pk"):
        twins = twins_of(study, row, rows)
        if twins is not None:
            found.append(table(study, scope, state, row, twins, columns))
    return found


def twins_of(study: Study, row: ShuffledSet, rows: Integers) -> Twins | None:
    """None where no question that is looked at has its options shuffled."""
    other = load(study.loaded.question_set.project, row.question_set)
    if other is None:
        return None
    questions = study.loaded.questions
    same = same_questions(row.original, study.loaded.question_set)
    place = {key: at for at, key in enumerate(other.questions.key.tolist()) if key in same}
    pairs = [
        (at, place[key]) for at, key in zip(rows.tolist(), questions.key[rows].tolist(), strict=True) if key in place
    ]
    if not pairs:
        return None
    at, to = (np.array(each, dtype=np.int64) for each in zip(*pairs, strict=True))
    texts: dict[str, int] = {}
    chosen, _sizes = choices(study.loaded.question_set, questions.id[at], study.loaded.answer[at], texts)
    now, sizes = choices(row.question_set, other.questions.id[to], other.answer[to], texts)
    after = panel_scores(other, study.panel)
    return Twins(study.scores[at], after[to], questions.cluster[at], chosen, now, 1 / sizes)


def same_questions(original: QuestionSet, ranked: QuestionSet) -> set[str]:
    """Keys of questions that are the same in the version that was shuffled and the one that is ranked."""
    pairs = ("key", "target_sha256")
    of_ranked = set(ranked.questions.order_by().values_list(*pairs))
    if original == ranked:
        return {key for key, _target in of_ranked}
    return {key for key, target in original.questions.order_by().values_list(*pairs) if (key, target) in of_ranked}


def choices(
    question_set: QuestionSet, ids: Integers, answers: Integers, texts: dict[str, int]
) -> tuple[Integers, Floats]:
    """The option of each answer, by its text, and how many options each question has."""
    uses = RuleUse.objects.filter(question__question_set=question_set, rule=CHOICE)
    options: dict[int, dict[str, int]] = {}
    asked = Question.objects.filter(question_set=question_set, rule_uses__rule=CHOICE)
    for pk, text in asked.values_list("pk", "prompt__text"):
        read = options_in(text)
        named = read.options if read else ()
        options[pk] = {option.label: texts.setdefault(option.text, len(texts)) for option in named}
    settled: dict[int, str] = {}
    scores = RuleScore.objects.filter(
        Q(rater=None, is_as_published=False), target_sha256__in=uses.values("target_sha256")
    )
    scores = scores.filter(answer__configuration__project=question_set.project_id)
    for answer, detail in scores.values_list("answer_id", "detail").iterator():
        labels = detail.get("chosen", ())
        if len(labels) == 1:
            settled[answer] = labels[0]
    table = np.full(answers.shape, -1, dtype=np.int64)
    for at, pk in enumerate(ids.tolist()):
        of_question = options.get(pk, {})
        for column, answer in enumerate(answers[at].tolist()):
            if answer in settled:
                table[at, column] = of_question.get(settled[answer], -1)
    return table, np.array([max(1, len(options.get(pk, ()))) for pk in ids.tolist()], dtype=float)


def table(study: Study, scope: BoardScope, state: str, row: ShuffledSet, twins: Twins, columns: Sequence[int]) -> Table:
    answered = [at for at in columns if (~np.isnan(twins.after[:, at])).mean() >= ENOUGH - 1e-9]
    first, second = (places(np.nanmean(each[:, answered], axis=0)) for each in (twins.before, twins.after))
    place_of = {at: (first[n], second[n]) for n, at in enumerate(answered)}
    lines = [line(study, twins, at, place_of.get(at), len(twins.before)) for at in columns]
    order = sorted(range(len(lines)), key=lambda n: (-(lines[n].figures[0].value or 0.0), n))
    drops = [one.figures[2] for one in lines if one.figures[2].value is not None]
    surely = sum(1 for drop in drops if drop.high is not None and drop.high < 0)
    most = max((abs((a or 0) - (b or 0)) for a, b in place_of.values()), default=0)
    said = _(
        "%(n)s questions of %(set)s with their options in another order: %(surely)s of %(all)s models surely lose "
        "by it, and no model moves by more than %(most)s places."
    )
    counts = {"n": len(twins.before), "surely": surely, "all": len(drops), "most": most}
    words = {name: count_text(value) for name, value in counts.items()}
    return Table(
        id="shuffled" if row.seed == 1 else f"shuffled-{row.seed}",
        title=_("Options in another order (seed %(seed)d)") % {"seed": row.seed},
        summary=said % {**words, "set": isolated(str(row.original))}
        if drops
        else _("No model has answered the shuffled questions yet: collect their answers, then score them."),
        dimensions=(_("model"),),
        measures=(
            _("score in the usual order"),
            _("score in the other order"),
            _("difference"),
            _("choices that changed"),
            _("changed by a blind choice"),
            _("place in the usual order"),
            _("place in the other order"),
        ),
        rows=tuple(lines[n] for n in order),
        recipe=recipe(
            study,
            "shuffled_options",
            state,
            scope.filters,
            shuffled=str(row.question_set),
            shuffle_seed=row.seed,
            interval="paired sign flips over units, 95 %",
        ),
        unit="score",
        units={
            _("choices that changed"): "share",
            _("changed by a blind choice"): "share",
            _("place in the usual order"): "count",
            _("place in the other order"): "count",
        },
        chart="none",
        headline=NO_HEADLINE,
        note=_(
            "A choice has changed where an answer settles on an option with another text than before; answers of which "
            "no one option can be read in both are left out. Places are among the models that answered both."
        ),
    )


def line(study: Study, twins: Twins, at: int, place: tuple[int | None, int | None] | None, n: int) -> Row:
    entry = study.loaded.entries[at]
    before = mean_points(twins.before[:, at], twins.cluster)
    drill = {"configuration": entry.slug}
    if place is None:
        return Row((name_of(entry),), (before, *[Figure.without_value(NOT_ANSWERED)] * 6), drill)
    both = (twins.chosen[:, at] >= 0) & (twins.now[:, at] >= 0)
    changed = np.where(both, twins.chosen[:, at] != twins.now[:, at], np.nan)
    blind = np.where(both, 1 - twins.blind, np.nan)
    share = mean_score(changed, twins.cluster).within(0.0, 1.0) if both.any() else Figure.without_value(NOT_READ)
    expected = Figure(float(np.nanmean(blind)), int(both.sum())) if both.any() else Figure.without_value(NOT_READ)
    figures = (
        before,
        mean_points(twins.after[:, at], twins.cluster),
        paired_shift(twins.before[:, at], twins.after[:, at], twins.cluster),
        share,
        expected,
        *(Figure(float(one), n) if one else Figure.without_value(NOT_ANSWERED) for one in place),
    )
    return Row((name_of(entry),), figures, drill)
