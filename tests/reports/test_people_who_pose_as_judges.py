"""A person who poses as a judge comes out equal to the others, in every measure of every area: simulated studies.

People differ in severity and in care, and one of them, by chance which, poses as a judge: is no part of gold, of
references or of people. A study stands there as its area's reader would have loaded it, so what is tested is what the
area compares with what. Against the full gold, of which their own answers are a part, people would come out better.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from agreement.spans import marked
from agreement.words import laid, words
from annotation.models import GoldRule, UnparseablePolicy
from reports.dashboard.footing import Footing
from reports.dashboard.scope import BaseContext
from reports.ratings import answers
from reports.ratings import reader as ratings
from reports.ratings.context import Context as RatingContext
from reports.ratings.measures import footing as of_ratings
from reports.ratings.scope import RatingScope
from reports.rubrics import reader as rubrics
from reports.rubrics.measures import footing as of_rubrics
from reports.rubrics.measures.tasks import GIVEN, OWN
from reports.rubrics.scope import RubricScope
from reports.spans import reader as spans
from reports.spans.context import Context as SpanContext
from reports.spans.measures import footing as of_spans
from reports.spans.measures import penalties as of_penalties
from reports.spans.scope import SpanScope

STUDIES = 200
PROMPTS, PEOPLE, JUDGE = 20, 6, 6
RESPONSES = 2 * PROMPTS
VARIETY = 1

Differences = Mapping[str, float]


def people(generator: np.random.Generator) -> tuple[Any, Any]:
    """Severity and error of each, shape (7,): six, and the one who poses."""
    return 0.5 * generator.standard_normal(PEOPLE + 1), 0.6 * np.exp(0.4 * generator.standard_normal(PEOPLE + 1))


def said(generator: np.random.Generator) -> Any:
    """What each says of each response on an open scale, shape (40, 7); two responses of a prompt are alike."""
    severity, error = people(generator)
    shared = np.repeat(generator.standard_normal(PROMPTS), 2)
    quality = 0.6 * shared + 0.8 * generator.standard_normal(RESPONSES)
    return quality[:, None] - severity + error * generator.standard_normal((RESPONSES, PEOPLE + 1))


def everybody() -> tuple[Any, Any]:
    """Response and rater of each answer where all answer all, shape (280,)."""
    return np.repeat(np.arange(RESPONSES), PEOPLE + 1), np.tile(np.arange(PEOPLE + 1), RESPONSES)


def a_study_of_ratings(generator: np.random.Generator) -> ratings.Loaded:
    """Grades from 1 to 5 of every response, and the preference between the two responses of each prompt."""
    grade = (3 + np.clip(np.round(1.2 * said(generator)), -2, 2)).astype(float)
    response, rater = everybody()
    ids, prompt, none = np.arange(RESPONSES), np.repeat(np.arange(PROMPTS), 2), np.zeros(RESPONSES, dtype=np.int64)
    no = np.zeros(len(rater), dtype=bool)
    pair, judge = np.repeat(np.arange(PROMPTS), PEOPLE + 1), np.tile(np.arange(PEOPLE + 1), PROMPTS)
    difference = (grade[0::2] - grade[1::2]).ravel()
    first, no_pair, zero = 2 * np.arange(PROMPTS), np.zeros(len(pair), dtype=bool), np.zeros(PROMPTS, dtype=np.int64)
    return ratings.Loaded(
        varieties=[VARIETY],
        questions=answers.Questions(*(np.array([one]) for one in (1, 0, 1, 1, 5, False))),
        items=answers.Items(none, ids, none + VARIETY, prompt, none + 1, none + 100),
        grades=answers.Grades(response, rater, grade.ravel(), no, rater != JUDGE, no, np.full(len(rater), np.nan)),
        contests=answers.Contests(
            *(zero, np.arange(PROMPTS), zero + VARIETY, np.arange(PROMPTS), first, first + 1, zero + 1, zero + 2),
            *(zero, first, first + 1, zero + 100, zero + 100),
        ),
        verdicts=answers.Verdicts(
            pair, judge, np.sign(difference), difference, no_pair, no_pair, judge != JUDGE, no_pair
        ),
        judges=(JUDGE,),
        asked={},
    )


def ratings_compared(generator: np.random.Generator) -> Differences:
    context = RatingContext(RatingScope(), GoldRule.MAJORITY.value, UnparseablePolicy.EXCLUDED.value)
    parts = of_ratings.statistics(a_study_of_ratings(generator), context)
    return less(of_ratings.figures(list(parts.values()), is_total=True)[JUDGE])


TEXT = " ".join(["word"] * 60)
WORD = len("word ")


def a_study_of_spans(generator: np.random.Generator) -> spans.Loaded:
    """Of up to four errors of three words in each response each rater finds some, not in quite the same place, and
    marks what is none; how many, and what they cost, goes by severity and care. What anybody found became gold."""
    severity, error = people(generator)
    places = 4
    is_error = generator.random((RESPONSES, places)) < 0.6
    finds = generator.random((RESPONSES, places, PEOPLE + 1)) < 0.45 + 0.2 * np.tanh(severity)
    invents = generator.random((RESPONSES, places, PEOPLE + 1)) < 0.15 * np.minimum(error, 2)
    response, place, rater = np.nonzero(np.where(is_error[:, :, None], finds, invents))
    # The error of a response at a place is gold where anybody found it, or where what one invented was kept.
    is_kept = is_error | (generator.random((RESPONSES, places)) < 0.3)
    found = np.zeros((RESPONSES, places), dtype=bool)
    found[response, place] = True
    of_gold = found & is_kept
    number = np.full((RESPONSES, places), -1)
    number[of_gold] = np.arange(of_gold.sum())
    gold_response, gold_place = np.nonzero(of_gold)
    start = np.clip(15 * place + 5 + generator.integers(-2, 3, len(place)), 0, 56) * WORD
    cut = laid([words(TEXT, "whitespace")] * RESPONSES)
    gold_start = (15 * gold_place + 5) * WORD
    answer_response, answer_rater = everybody()
    n, none = len(response), np.zeros(len(response), dtype=np.int64)
    ids, prompt = np.arange(RESPONSES), np.repeat(np.arange(PROMPTS), 2)
    cost = np.clip(np.round(3 + severity[rater] + error[rater] * generator.standard_normal(n)), 0, 6)
    is_set, n_gold = np.ones(RESPONSES, dtype=bool), len(gold_response)
    linked = number[response, place]
    return spans.Loaded(
        varieties=[VARIETY],
        responses=spans.Responses(ids, ids * 0 + VARIETY, prompt, ids * 0 + 1, [TEXT] * RESPONSES, cut),
        answers=spans.Answers(
            np.arange(len(answer_rater)), answer_response, answer_rater, answer_rater != JUDGE, answer_rater < 0
        ),
        marks=spans.Marks(
            id=np.arange(n),
            places=marked(cut, response, start, start + 3 * WORD - 1),
            answer=response * (PEOPLE + 1) + rater,
            unit=np.arange(n),
            outcome=none,
            criticality=none - 1,
            error_type=none - 1,
            category=none,
            gold=linked,
            penalty=cost,
            costs=none == 0,
        ),
        gold=spans.Gold(
            np.arange(n_gold),
            marked(cut, gold_response, gold_start, gold_start + 3 * WORD - 1),
            *(np.zeros(n_gold, dtype=np.int64), np.full(n_gold, -1)),
            *(np.ones(n_gold, dtype=bool), np.zeros(n_gold, dtype=bool), is_set),
        ),
        reviews=spans.Reviews(none[:0], none[:0], none[:0], none[:0]),
        codings=spans.Codings(none[:0], none[:0], none[:0], none[:0], none[:0] == 0),
        judges={JUDGE: spans.Asked(is_set, is_set, ids * 0, ids * 0)},
        panels=frozenset(),
        found=np.unique(np.column_stack((linked, rater))[linked >= 0], axis=0),
    )


def spans_compared(generator: np.random.Generator) -> Differences:
    parts = of_spans.statistics(a_study_of_spans(generator), span_context())
    measures = of_spans.figures(list(parts.values()), is_total=True)["footing"][JUDGE]
    return less(dict(zip(of_spans.SCORES, measures, strict=True)))


def penalties_compared(generator: np.random.Generator) -> Differences:
    parts = of_penalties.statistics(a_study_of_spans(generator), span_context())
    both = of_penalties.figures(list(parts.values()), is_total=True)["footing"][JUDGE]
    return less(dict(zip(("mad", "signed_error"), ((one, None) for one in both), strict=True)))


def span_context() -> SpanContext:
    return SpanContext(SpanScope(), (), (), (), {}, "as others")


def a_study_of_rubrics(generator: np.random.Generator, task: str) -> rubrics.Loaded:
    """Who graded first erred twice as much as those who were given the errors, and as much as those who calibrate. On
    either task half of the people graded."""
    percent = 70 + 10 * said(generator)
    response, rater = everybody()
    is_first, by_human = rater == response % PEOPLE, rater != JUDGE
    is_given = np.where(by_human, (response + rater) % 2 == 0, task == GIVEN) & ~is_first
    score = percent.ravel() + np.where(is_given, 0.0, 12.0 * generator.standard_normal(len(rater)))
    ids, no = np.arange(RESPONSES), np.zeros(0, dtype=np.int64)
    grade = np.arange(len(rater))
    is_set = np.ones(RESPONSES, dtype=bool)
    return rubrics.Loaded(
        varieties=[VARIETY],
        responses=rubrics.Responses(
            ids, ids * 0 + VARIETY, np.repeat(np.arange(PROMPTS), 2), ids * 0 + 1, ids * 0, ids, ids, ids * 0 + 100
        ),
        rubrics=rubrics.Rubrics(no, no, no, no),
        grades=rubrics.Grades(
            grade, response, rater, score, by_human, is_first, np.ones(len(rater), dtype=bool), is_given
        ),
        criteria=rubrics.Criteria(*([no] * 7)),
        verdicts=rubrics.Verdicts(no, no, no == 0),
        reference=np.flatnonzero(is_first),
        maximum=np.full(RESPONSES, 10.0),
        outdated=ids * 0,
        judges={JUDGE: rubrics.Asked(is_set, is_set, ~is_set, ~is_set)},
        variety_of_rater={},
        panels=frozenset(),
        experts=frozenset(),
        failure_types=(),
    )


def rubrics_compared(task: str) -> Callable[[np.random.Generator], Differences]:
    def compared(generator: np.random.Generator) -> Differences:
        loaded = a_study_of_rubrics(generator, task)
        parts = of_rubrics.statistics(loaded, BaseContext(RubricScope()))
        both, _full = of_rubrics.figures(list(parts.values()), is_total=True)["footing"][JUDGE, task]
        return less(dict(zip(("mad", "signed_error"), ((one, None) for one in both), strict=True)))

    return compared


def less(measures: Mapping[str, tuple[Footing, Any]]) -> Differences:
    return {name: both.difference.number for name, (both, _full) in measures.items()}


#: What each area compares, and the least standard error that the studies must be able to see.
AREAS = {
    "ratings": (ratings_compared, {"accuracy", "macro_f1", "quadratic_kappa", "mad", "signed_error", "preference"}),
    "spans": (spans_compared, {"precision", "recall", "f1"}),
    "penalties": (penalties_compared, {"mad", "signed_error"}),
    "rubrics, errors given": (rubrics_compared(GIVEN), {"mad", "signed_error"}),
    "rubrics, own errors": (rubrics_compared(OWN), {"mad", "signed_error"}),
}


@pytest.mark.parametrize("area", AREAS)
def test_a_person_who_poses_as_a_judge_comes_out_equal(area):
    compared, measures = AREAS[area]
    generator = np.random.default_rng(7)
    studies = [compared(generator) for _study in range(STUDIES)]
    assert set(studies[0]) == measures
    for name in measures:
        values = np.array([study[name] for study in studies])
        error = values.std(ddof=1) / np.sqrt(STUDIES)
        assert abs(values.mean()) <= 2 * error, (name, values.mean(), error)
