"""Everything that was rated in a project, as arrays: a few queries whatever the number of ratings.

Positions are indices into `Questions`, `Items` and `Contests`. An item is a response as rated on one question type;
a contest is two responses side by side on one question type. Answers to checks are not here: they say something of
the rater alone. Of a rater's rounds the latest counts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from django.db.models import F, QuerySet
from django.db.models.functions import Length
from numpy.typing import NDArray

from agreement.weighed_gold import MODELS
from annotation.models import Preference, Rating, RatingSettings
from annotation.questions.settings import gold_rule
from projects.models import Project, QuestionType, Response, ResponsePair
from projects.splits import prompts_of
from reports.dashboard.columns import Flags, Floats, Integers, Rows, as_it_comes, codes, columns, latest, positions
from reports.dashboard.parts import pooled
from reports.dashboard.reader import Reading, fingerprints_of
from reports.dashboard.sureness import sure_of
from reports.ratings.asked import KINDS, calls_of_judges
from reports.ratings.confidences import Stated, stated_by_judges
from reports.ratings.scope import Narrowed
from reports.ratings.sides import one_by_one, without_grades

#: What a stated preference says of the first response; in the order of PREFERENCES.
PREFERENCES = (Preference.SECOND.value, Preference.TIE.value, Preference.FIRST.value)
SAYS = np.array([-1.0, 0.0, 1.0, np.nan])
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
class Questions(Rows):
    """The question types of the scope, in the order of their ids; shape (Q,). `number`: its place among all of the
    project; grades 0 where there is no scale; `nominal` where its grades are names without an order."""

    id: Integers
    number: Integers
    dimension: Integers
    lowest: Integers
    highest: Integers
    nominal: Flags


@dataclass(frozen=True, eq=False)
class Items(Rows):
    """Responses that somebody rated on a scale, once per question type; shape (I,). All ids but `question` and
    `length`, in characters."""

    question: Integers
    response: Integers
    variety: Integers
    prompt: Integers
    model: Integers
    length: Integers


@dataclass(frozen=True, eq=False)
class Grades(Rows):
    """Grades of items, shape (G,), NaN where a judge's verdict could not be read.

    item       index; rater  id; is_swapped  True where the second response of the pair was shown first; shown_first  1
    where the item's response was, 0 where the other was, NaN where it was alone.
    A person grades an item once: who met a response in several pairs counts with the latest grade. A judge's grades
    are all there, one per order and pair.
    """

    item: Integers
    rater: Integers
    grade: Floats
    is_swapped: Flags
    by_human: Flags
    by_expert: Flags
    shown_first: Floats


@dataclass(frozen=True, eq=False)
class Contests(Rows):
    """Pairs on a question type, shape (C,). `first`, `second` are items, -1 where the question has no scale.

    question  index; longer  1 where the first response has more characters, -1 where the second has, 0 where they
    have as many; first_length, second_length  in characters; all others ids.
    """

    question: Integers
    pair: Integers
    variety: Integers
    prompt: Integers
    first: Integers
    second: Integers
    first_model: Integers
    second_model: Integers
    longer: Integers
    first_response: Integers
    second_response: Integers
    first_length: Integers
    second_length: Integers


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What raters say of contests, shape (V,): `says` 1 where the first response wins, 0 a tie, -1 where it loses,
    NaN where a judge's verdict could not be read. `difference` is first less second grade, NaN without grades.

    contest  index; rater  id; is_swapped  as of `Grades`; is_ordered  False of grades that were given one by one.
    """

    contest: Integers
    rater: Integers
    says: Floats
    difference: Floats
    is_swapped: Flags
    is_ordered: Flags
    by_human: Flags
    by_expert: Flags


@dataclass(frozen=True, eq=False)
class Loaded:
    """All of it; `varieties` as asked for, also those without a rating, `judges` the ids of those with answers or
    calls, `asked` how many calls each judge has in each variety: those that ended without an answer are among them.
    `whole` is all, where this is a side of the split and gold weighs raters by all they said; `variety_of_rater` the id
    of the one variety each person speaks, else 0; `project` its id; `rounds` the same by round of judges, where one has
    answered in two; `with_own` the same with answers about models of a judge's own laboratory, where there are any;
    `sure` of each grade as `sureness.sure_of`."""

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
    rows = _of_raters(reading, questions, texts, pairs)
    items, grades, turn = _graded(questions, texts, pairs, rows)
    contests, verdicts = _contested(questions, texts, pairs, rows, items)
    judges = set(grades.rater[~grades.by_human].tolist()) | set(verdicts.rater[~verdicts.by_human].tolist())
    asked = calls_of_judges(reading, questions.id, reading.prompts, reading.own)
    judges |= {judge for judge, _variety in asked}
    spoken = reading.variety_of_rater()
    weighed = scope.split and gold_rule(project) in MODELS
    whole = load(project, varieties, replace(scope, split=""), round=round) if weighed else None
    read = (varieties, questions, items, grades, contests, verdicts, tuple(sorted(judges)), asked)
    stated = stated_by_judges(reading.raters, questions, items, contests)
    more = (reading.each_round(load), reading.with_own(load))
    return Loaded(*read, whole, spoken, project.pk, stated, *more, sure_of(project, turn))


@dataclass(frozen=True, eq=False)
class _Texts(Rows):
    id: Integers
    variety: Integers
    prompt: Integers
    model: Integers
    length: Integers


@dataclass(frozen=True, eq=False)
class _Pairs(Rows):
    """Pairs whose responses are among the texts; `first`, `second` are positions there."""

    id: Integers
    variety: Integers
    first: Integers
    second: Integers


@dataclass(frozen=True, eq=False)
class _Rows(Rows):
    """Answers as stored, the latest of each. `of_pair`, `of_text`  position, else -1; `turn`  of assignment, else 0."""

    id: Integers
    question: Integers
    of_pair: Integers
    of_text: Integers
    rater: Integers
    first: Floats
    second: Floats
    says: Integers
    is_swapped: Flags
    by_human: Flags
    by_expert: Flags
    turn: Integers


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

    def texts(self) -> _Texts:
        rows = Response.objects.filter(**self.chosen).order_by("id")
        names = ("id", "variety_id", "prompt_id", "target_model_id")
        texts = _Texts(*columns(rows.values_list(*names, as_it_comes(Length("text"))), "iiiii"))
        if self.prompts is None:
            return texts
        of_prompts = np.isin(texts.prompt, np.fromiter(self.prompts, dtype=np.int64, count=len(self.prompts)))
        return texts.taken(of_prompts)

    def pairs(self, texts: _Texts) -> _Pairs:
        rows = ResponsePair.objects.filter(**self.chosen).order_by("id")
        pk, variety, *sides = columns(rows.values_list("id", "variety_id", "first_id", "second_id"), "iiii")
        first, second = (positions(texts.id, side) for side in sides)
        kept = (first >= 0) & (second >= 0)
        return _Pairs(pk[kept], variety[kept], first[kept], second[kept])

    def rows(self, subject: str, questions: Questions) -> list[NDArray]:
        """Of pairs or of responses; narrowed in the database only where few varieties are asked for."""
        rows: QuerySet = Rating.objects.filter(question__in=questions.id.tolist(), is_check=False)
        rows = rows.exclude(**{subject: None})
        if len(self.varieties) == 1:
            rows = rows.filter(**{f"{subject}__variety": self.varieties[0]})
        names = ("id", "question_id", f"{subject}_id", "rater_id", "round", "first_grade", "second_grade", "preference")
        plain = (as_it_comes(F("is_swapped")), as_it_comes(F("assignment_id")))
        return columns(rows.order_by().values_list(*names, *plain), "iiiiiffobn")


def _of_raters(reading: _Reading, questions: Questions, texts: _Texts, pairs: _Pairs) -> _Rows:
    """Pairs and single responses together, the latest round of each rater."""
    rows = reading.rows("pair", questions)
    models = (texts.model[pairs.first], texts.model[pairs.second])
    of_pairs = _as_rows(reading, questions, rows, pairs, texts.prompt[pairs.first], models)
    rows = reading.rows("response", questions)
    of_texts = _as_rows(reading, questions, rows, texts, texts.prompt, (texts.model,))
    return pooled([of_pairs, of_texts])


def _as_rows(
    reading: _Reading,
    questions: Questions,
    values: list[NDArray],
    about: _Texts | _Pairs,
    prompts: Integers,
    models: Sequence[Integers],
) -> _Rows:
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
    return _Rows(
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


def _graded(questions: Questions, texts: _Texts, pairs: _Pairs, rows: _Rows) -> tuple[Items, Grades, Integers]:
    """Items in the order of response and question, their grades, and of each grade the assignment."""
    with_scale = questions.highest > questions.lowest
    of_pair = rows.taken((rows.of_pair >= 0) & with_scale[rows.question])
    single = rows.taken((rows.of_text >= 0) & with_scale[rows.question])
    sides = (
        (of_pair, pairs.first[of_pair.of_pair], of_pair.first, np.where(of_pair.is_swapped, 0.0, 1.0)),
        (of_pair, pairs.second[of_pair.of_pair], of_pair.second, np.where(of_pair.is_swapped, 1.0, 0.0)),
        (single, single.of_text, single.first, np.full(len(single), np.nan)),
    )
    text = np.concatenate([side for _rows, side, _grade, _shown in sides])
    grade, shown = (np.concatenate([one[place] for one in sides]) for place in (2, 3))
    names = ("id", "question", "rater", "says", "is_swapped", "by_human", "by_expert", "turn")
    pk, question, rater, says, swapped, by_human, by_expert, turn = (
        np.concatenate([getattr(one, name) for one, *_columns in sides]) for name in names
    )
    # Whoever stated a preference instead of grades has graded nothing.
    kept = ~np.isnan(grade) | (says < 0)
    key, item = np.unique(text * len(questions) + question, return_inverse=True)
    place, of_question = np.divmod(key, max(1, len(questions)))
    chosen = np.flatnonzero(kept)
    people = chosen[by_human[chosen]]
    people = people[latest((item[people], rater[people]), pk[people])]
    chosen = np.sort(np.concatenate((people, chosen[~by_human[chosen]])))
    of_text = (getattr(texts, name)[place] for name in ("id", "variety", "prompt", "model", "length"))
    items = Items(of_question, *of_text)
    grades = Grades(item, rater, grade, swapped, by_human, by_expert, shown).taken(chosen)
    return items, grades, turn[chosen]


def _contested(questions: Questions, texts: _Texts, pairs: _Pairs, rows: _Rows, items: Items) -> tuple:
    """Pairs as they were answered side by side, and those whose two responses a rater graded one by one."""
    n = max(1, len(questions))
    # Of grades without an order no preference follows.
    nominal = questions.nominal[rows.question]
    together = rows.taken((rows.of_pair >= 0) & ~(nominal & ~np.isnan(rows.first) & (rows.says < 0)))
    together = together.taken(np.arange(len(together)), **without_grades(together, questions))
    alone, pair, difference = one_by_one(rows.taken((rows.of_text >= 0) & ~nominal), pairs, n)
    key = np.concatenate((together.of_pair * n + together.question, pair * n + alone.question))
    keys, contest = np.unique(key, return_inverse=True)
    pair, question = np.divmod(keys, n)
    key_of_item = positions(texts.id, items.response) * n + items.question
    first, second = pairs.first[pair], pairs.second[pair]
    contests = Contests(
        question,
        pairs.id[pair],
        pairs.variety[pair],
        texts.prompt[first],
        positions(key_of_item, first * n + question),
        positions(key_of_item, second * n + question),
        texts.model[first],
        texts.model[second],
        np.sign(texts.length[first] - texts.length[second]),
        texts.id[first],
        texts.id[second],
        texts.length[first],
        texts.length[second],
    )
    graded = ~np.isnan(together.first)
    inferred = np.sign(together.first - together.second)
    raters = ("rater", "by_human", "by_expert")
    rater, by_human, by_expert = (np.concatenate((getattr(together, one), getattr(alone, one))) for one in raters)
    verdicts = Verdicts(
        contest,
        rater,
        np.concatenate((np.where(graded, inferred, SAYS[together.says]), np.sign(difference))),
        np.concatenate((together.first - together.second, difference)),
        np.concatenate((together.is_swapped, np.zeros(len(difference), dtype=bool))),
        np.concatenate((np.ones(len(inferred), dtype=bool), np.zeros(len(difference), dtype=bool))),
        by_human,
        by_expert,
    )
    return contests, verdicts
