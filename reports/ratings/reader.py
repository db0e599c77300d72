"""Everything that was rated in a project, as arrays: a few queries whatever the number of ratings.

What they are rows of stands in answers.py. Answers to checks are not here: they say something of the rater alone. Of a
rater's rounds the latest counts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from django.db.models import F, QuerySet
from django.db.models.functions import Length
from numpy.typing import NDArray

from agreement.weighed_gold import MODELS
from annotation.models import Rating, RatingSettings
from annotation.questions.settings import gold_rule
from projects.models import Project, QuestionType, Response, ResponsePair
from projects.splits import prompts_of
from reports.dashboard.columns import Floats, Integers, as_it_comes, codes, columns, latest, positions
from reports.dashboard.parts import pooled
from reports.dashboard.reader import Reading, fingerprints_of
from reports.dashboard.sureness import sure_of
from reports.ratings.answers import (
    PREFERENCES,
    Answers,
    Contests,
    Grades,
    Items,
    Pairs,
    Questions,
    Texts,
    Verdicts,
    contested,
    graded,
)
from reports.ratings.asked import KINDS, calls_of_judges
from reports.ratings.at_first import TURN, AtFirst
from reports.ratings.confidences import Stated, stated_by_judges
from reports.ratings.scope import Narrowed

#: What a group of figures may rest on, and the revisions that tell of it; a group names those it does. People's answers
#: and judges' are told apart, so that a judge's answer leaves what rests on people alone as it was.
PARTS = {
    "texts": ("responses", "pairs", "prompts", "raters"),
    "people": ("ratings of people", "experts"),
    "speakers": ("speakers",),
    "judges": ("ratings of judges", "laboratories", *(f"calls {kind}" for kind in KINDS)),
    "laboratories": ("laboratories",),
}


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, with questions and their scales, the rule of gold and what an
    unreadable verdict counts as, for every variety with responses."""
    chosen = RatingSettings.objects.filter(project=project).first() or RatingSettings()
    names = ("id", "slug", "dimension_id", "dimension__slug", "lowest", "highest", "is_nominal")
    shared = {
        "texts": list(project.question_types.order_by("id").values_list(*names)),
        "people": str(chosen.gold_rule),
        "judges": str(chosen.unparseable),
    }
    return fingerprints_of(project, PARTS, shared)


@dataclass(frozen=True, eq=False)
class Loaded:
    """All of it; `varieties` as asked for, also those without a rating, `judges` the ids of those with answers or
    calls, `asked` how many calls each judge has in each variety: those that ended without an answer are among them.
    `whole` is all, where this is a side of the split and gold weighs raters by all they said; `variety_of_rater` the id
    of the one variety each person speaks, else 0; `project` its id; `rounds` the same by round of judges, where one has
    answered in two; `with_own` the same with answers about models of a judge's own laboratory, where there are any;
    `sure` of each grade as `sureness.sure_of`; `at_first` the same with each person's first answers in place of those
    that were amended or sent back, where there are any: measures of how far people agree read that, without what judges
    say of how sure they are."""

    varieties: Sequence[int]
    questions: Questions
    items: Items
    grades: Grades
    contests: Contests
    verdicts: Verdicts
    judges: tuple[int, ...]
    asked: dict[tuple[int, int], int]
    whole: "Loaded | None" = None
    variety_of_rater: dict[int, int] = field(default_factory=dict)
    project: int = 0
    stated: Stated | None = None
    rounds: "Mapping[int, Loaded]" = field(default_factory=dict)
    with_own: "Loaded | None" = None
    sure: Floats | None = None
    at_first: "Loaded | None" = None


def load(
    project: Project, varieties: Sequence[int], scope: Narrowed, *, round: int | None = None, keep_own: bool = False
) -> Loaded:
    """What was rated in these varieties (ids), as far as the scope takes it in; of judges in one round, or the latest
    of each; their answers about models of their own laboratory only with `keep_own`."""
    reading = _Reading(project, varieties, scope, round)
    reading.keeps_own = keep_own
    questions = reading.questions()
    texts = reading.texts()
    pairs = reading.pairs(texts)
    stored = {subject: reading.rows(subject, questions) for subject in ("pair", "response")}
    rows = _of_raters(reading, questions, texts, pairs, stored)
    items, grades, turn = graded(questions, texts, pairs, rows)
    contests, verdicts = contested(questions, texts, pairs, rows, items)
    judges = set(grades.rater[~grades.by_human].tolist()) | set(verdicts.rater[~verdicts.by_human].tolist())
    asked = calls_of_judges(reading, questions.id, reading.prompts, reading.own)
    judges |= {judge for judge, _variety in asked}
    spoken = reading.variety_of_rater()
    weighed = scope.split and gold_rule(project) in MODELS
    whole = load(project, varieties, replace(scope, split=""), round=round) if weighed else None
    read = (varieties, questions, items, grades, contests, verdicts, tuple(sorted(judges)), asked)
    stated = stated_by_judges(reading.raters, questions, items, contests)
    more = (reading.each_round(load), reading.with_own(load))
    loaded = Loaded(*read, whole, spoken, project.pk, stated, *more, sure_of(project, turn))
    if round is not None or keep_own:
        return loaded
    return replace(loaded, at_first=_at_first(reading, loaded, texts, pairs, stored))


def _at_first(
    reading: "_Reading", loaded: Loaded, texts: Texts, pairs: Pairs, stored: Mapping[str, list[NDArray]]
) -> Loaded | None:
    """None where nothing that counts was amended."""
    first, questions = AtFirst(reading.project), loaded.questions
    if not first.bodies:
        return None
    in_place = {subject: first.in_place(subject, values, questions.id) for subject, values in stored.items()}
    rows = _of_raters(reading, questions, texts, pairs, in_place)
    counted = np.concatenate([values[TURN] for values in stored.values()])
    if not np.isin(first.turns, np.concatenate((rows.turn, counted))).any():
        return None
    items, grades, turn = graded(questions, texts, pairs, rows)
    contests, verdicts = contested(questions, texts, pairs, rows, items)
    whole = loaded.whole and (loaded.whole.at_first or loaded.whole)
    made = {"items": items, "grades": grades, "contests": contests, "verdicts": verdicts, "whole": whole}
    sure = sure_of(reading.project, turn)
    return replace(loaded, **made, sure=sure, stated=None, rounds={}, with_own=None)


class _Reading(Reading):
    """The queries. Ratings are joined to texts by question."""

    def __init__(self, project: Project, varieties: Sequence[int], scope: Narrowed, round: int | None = None):
        super().__init__(project, varieties, scope, round)
        self.narrowed = scope
        self.own = Counter[tuple[int, int]]()  # by judge and variety, answers that `may_count` left out
        # Those of the side of the split that is asked for; None for all.
        self.prompts = prompts_of(project, scope.split) if scope.split else None

    def questions(self) -> Questions:
        rows = QuestionType.objects.filter(project=self.project).order_by("id")
        names = ("id", "dimension_id", "lowest", "highest", "is_nominal")
        rows = rows.values_list(*names, "slug", "dimension__slug")
        pk, dimension, lowest, highest, nominal, slug, of_dimension = columns(rows, "iinnboo")
        kept = np.ones(len(pk), dtype=bool)
        for chosen, slugs in ((self.narrowed.question, slug), (self.narrowed.dimension, of_dimension)):
            if chosen:
                kept &= slugs == chosen
        return Questions(pk, np.arange(len(pk)), dimension, lowest, highest, nominal).taken(kept)

    def texts(self) -> Texts:
        rows = Response.objects.filter(**self.chosen).order_by("id")
        names = ("id", "variety_id", "prompt_id", "target_model_id")
        texts = Texts(*columns(rows.values_list(*names, as_it_comes(Length("text"))), "iiiii"))
        if self.prompts is None:
            return texts
        of_prompts = np.isin(texts.prompt, np.fromiter(self.prompts, dtype=np.int64, count=len(self.prompts)))
        return texts.taken(of_prompts)

    def pairs(self, texts: Texts) -> Pairs:
        rows = ResponsePair.objects.filter(**self.chosen).order_by("id")
        pk, variety, *sides = columns(rows.values_list("id", "variety_id", "first_id", "second_id"), "iiii")
        first, second = (positions(texts.id, side) for side in sides)
        kept = (first >= 0) & (second >= 0)
        return Pairs(pk[kept], variety[kept], first[kept], second[kept])

    def rows(self, subject: str, questions: Questions) -> list[NDArray]:
        """Of pairs or of responses; narrowed in the database only where few varieties are asked for."""
        rows: QuerySet = Rating.objects.filter(question__in=questions.id.tolist(), is_check=False)
        rows = rows.exclude(**{subject: None})
        if len(self.varieties) == 1:
            rows = rows.filter(**{f"{subject}__variety": self.varieties[0]})
        names = ("id", "question_id", f"{subject}_id", "rater_id", "round", "first_grade", "second_grade", "preference")
        plain = (as_it_comes(F("is_swapped")), as_it_comes(F("assignment_id")))
        return columns(rows.order_by().values_list(*names, *plain), "iiiiiffobn")


def _of_raters(
    reading: _Reading, questions: Questions, texts: Texts, pairs: Pairs, stored: Mapping[str, list[NDArray]]
) -> Answers:
    """Pairs and single responses together, the latest round of each rater; `stored` as `_Reading.rows` by subject."""
    models = (texts.model[pairs.first], texts.model[pairs.second])
    of_pairs = _as_rows(reading, questions, stored["pair"], pairs, texts.prompt[pairs.first], models)
    of_texts = _as_rows(reading, questions, stored["response"], texts, texts.prompt, (texts.model,))
    return pooled([of_pairs, of_texts])


def _as_rows(
    reading: _Reading,
    questions: Questions,
    values: list[NDArray],
    about: Texts | Pairs,
    prompts: Integers,
    models: Sequence[Integers],
) -> Answers:
    """Answers `about` pairs or responses; the prompt of each of these, and its two target models or its one."""
    is_pair = len(models) == 2
    pk, question, subject, rater, turn, first, second, preference, swapped, assignment = values
    subject, at = positions(about.id, subject), positions(reading.raters, rater)
    kept = np.flatnonzero((subject >= 0) & (at >= 0))
    kept = kept[reading.panels.shown(rater[kept], prompts[subject[kept]])]
    counts = reading.may_count(rater[kept], *(model[subject[kept]] for model in models))
    own, kept = kept[~counts], kept[counts]
    reading.own.update(zip(rater[own].tolist(), about.variety[subject[own]].tolist(), strict=True))
    kept = kept[reading.of_the_round(reading.is_human[at[kept]], turn[kept])]
    if len(kept) and turn[kept].max() > 1:
        kept = kept[latest((question[kept], subject[kept], rater[kept], swapped[kept]), turn[kept])]
    kept = kept[np.argsort(pk[kept])]
    none = np.full(len(kept), -1, dtype=np.int64)
    return Answers(
        pk[kept],
        positions(questions.id, question[kept]),
        subject[kept] if is_pair else none,
        none if is_pair else subject[kept],
        rater[kept],
        first[kept],
        second[kept],
        codes(preference[kept], PREFERENCES),
        swapped[kept],
        reading.is_human[at[kept]],
        reading.is_expert[at[kept]],
        assignment[kept],
    )
