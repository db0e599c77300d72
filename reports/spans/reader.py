"""Everything that was answered in a project, as arrays: a dozen queries whatever the number of answers.

Model instances are never made here: they would cost more than all the arithmetic. Positions are code points;
responses, answers and spans stand in the order of their ids, which for answers is the order they were given in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import orjson
from django.db.models import F, Q
from numpy.typing import NDArray

from agreement.numbering import distinct
from agreement.sentences import in_sentences, sentences_in
from agreement.spans import Spans, marked
from agreement.words import Laid
from annotation.error_scheme import error_scheme, weighted, without_cost
from annotation.models import AnchorKind, Classification, GoldAnswer, GoldError, Marking, Review, Span
from annotation.outcomes import review_rules
from annotation.taxonomy import read_all_as, replaced
from judging.models import Call, CallState
from projects.models import LanguageVariety, Project, Response, Segmentation
from projects.vocabularies import vocabularies
from reports.dashboard.columns import Flags, Floats, Integers, Rows, as_it_comes, codes, columns, latest, positions
from reports.dashboard.reader import Reading, fingerprints_of
from reports.dashboard.sureness import sure_of
from reports.spans.asked_apart import NO_VERDICTS, NONE_COMPARED, ComparedErrors, SentenceVerdicts, asked_apart
from reports.spans.beside_spans import decisions, parts_of_gold, parts_of_spans
from reports.spans.cutting import InSentences, cut_into_words
from reports.spans.first import OF_REVIEWS, with_first_answers
from reports.spans.narrowing import of_criticality
from reports.spans.outcomes import OPEN, PENDING, VERDICTS, outcomes
from reports.spans.scope import SpanScope
from reports.spans.units import units_of

# What a judge's marking says of its quotes (`Marking.metadata`), in the order of `Asked`.
OF_QUOTES = ("unlocatable", "normalised")
#: What a group of figures may rest on, and the revisions that tell of it; a group names those it does.
PARTS = {
    "responses": ("responses", "prompts", "raters"),
    "answers": ("markings", "spans", "laboratories", "first answers to spans"),
    "reviews": ("reviews", *(f"first answers to {kind}" for kind in OF_REVIEWS)),
    "gold": ("gold",),
    "codings": ("codings", "laboratories"),
    "calls": ("calls spans", "laboratories"),
    "asked apart": ("costs", "laboratories"),
}


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, with the review rule, the points and the categories' depths and
    order, for every variety with responses."""
    columns_of = ("id", "depth", "merged_into", "is_split")
    categories = list(project.error_categories.order_by("position", "id").values_list(*columns_of))
    scheme = error_scheme(project)
    names = scheme.source_categories
    named = project.error_categories.filter(Q(slug__in=names) | Q(name__in=names)).order_by("id")
    of_source = (scheme.source_errors, names, list(named.values_list("id", flat=True)) if names else [])
    words = vocabularies(project)
    labels = (words.error_types.facts(), words.criticality.facts())
    shared = {
        "answers": (labels, [(pk, *read) for pk, _depth, *read in categories], *of_source, scheme.weights),
        "reviews": repr(review_rules([project.pk])[project.pk]),
        "gold": categories,
        "codings": [(pk, *read) for pk, _depth, *read in categories],
    }
    return fingerprints_of(project, PARTS, shared)


@dataclass(frozen=True, eq=False)
class Responses(Rows):
    """ids and, per response, its variety, prompt and target model by id, its text and its words; shape (R,)."""

    id: Integers
    variety: Integers
    prompt: Integers
    model: Integers
    texts: Sequence[str]
    words: Laid


@dataclass(frozen=True, eq=False)
class Answers(Rows):
    """The answers that count: of each rater and response the latest complete round; shape (A,).

    id        of the marking; response  index of the response; rater  id of the rater.
    is_evaluation  of a judge that was asked to be evaluated: nobody reviews its spans.
    """

    id: Integers
    response: Integers
    rater: Integers
    by_human: Flags
    is_evaluation: Flags


@dataclass(frozen=True, eq=False)
class Marks(Rows):
    """The spans of those answers; shape (S,).

    places       where they lie, over all responses.
    answer       index of the answer.
    unit         spans of one rater that stand in one group are one annotation: they share this number, 0..U-1.
    outcome      index into outcomes.OUTCOMES.
    criticality  index into the project's words, in their order, and so error_type; -1 where none was given.
    category     id, 0 for none; gold  index of the error of the final set it became, -1 for none.
    penalty      points the rater gave this very error, NaN for none; costs  whether it counts as any other, which
                 errors of the source need not.
    """

    id: Integers
    places: Spans
    answer: Integers
    unit: Integers
    outcome: Integers
    criticality: Integers
    error_type: Integers
    category: Integers
    gold: Integers
    penalty: NDArray[np.float64]
    costs: Flags


@dataclass(frozen=True, eq=False)
class Gold(Rows):
    """The final set of errors, shape (G,), and the responses it is known of.

    settled  shape (R,): somebody answered the response, and no person's span waits for a verdict or an expert.
    """

    id: Integers
    places: Spans
    category: Integers
    criticality: Integers
    by_human: Flags
    by_judge: Flags
    settled: Flags


@dataclass(frozen=True, eq=False)
class Reviews(Rows):
    """People's verdicts, of each person and span the latest round: index of the span, rater id, verdict, and the id of
    the turn, 0 where it came from a file; shape (V,)."""

    span: Integers
    rater: Integers
    verdict: Integers
    turn: Integers


@dataclass(frozen=True, eq=False)
class Codings(Rows):
    """Categories given to spans after the fact, in order of id: span and rater by id, response by index; shape (K,). A
    judge's are those that it proposed, whatever people made of them."""

    span: Integers
    rater: Integers
    category: Integers
    response: Integers
    by_human: Flags


@dataclass(frozen=True, eq=False)
class Asked:
    """What a judge was asked: per response whether a call was planned or an answer stands, and whether a complete
    answer stands; quotes of its spans that could not be found in the text, and those that were found in other
    characters. All of shape (R,)."""

    planned: Flags
    scored: Flags
    unlocatable: Integers
    normalised: Integers


@dataclass(frozen=True, eq=False)
class Loaded:
    """All of it; `varieties` as asked for, also those without a response, `judges` by rater id, `panels` the ids of
    those that are several judges as one. `found` says who found what of the gold, in whatever round: index of the
    error and id of the rater, each pair once, shape (F, 2). `rounds` the same by round of judges, where one
    has answered in two; `with_own` the same with answers about models of a judge's own laboratory, where there are any;
    `project` its id; `sure` of each answer as `sureness.sure_of`. `at_first` the same with marks and reviews of answers
    as first handed in, `first_reviews` reviewers' first verdicts on the marks that stand; None where none was amended
    (first.py)."""

    varieties: Sequence[int]
    responses: Responses
    answers: Answers
    marks: Marks
    gold: Gold
    reviews: Reviews
    codings: Codings
    judges: dict[int, Asked]
    panels: frozenset[int]
    found: Integers
    rounds: "Mapping[int, Loaded]" = field(default_factory=dict)
    verdicts: SentenceVerdicts = NO_VERDICTS
    compared: ComparedErrors = NONE_COMPARED
    with_own: "Loaded | None" = None
    project: int = 0
    sure: Floats | None = None
    at_first: "Loaded | None" = None
    first_reviews: Reviews | None = None

    @cached_property
    def in_sentences(self) -> InSentences:
        """Worked out for whoever asks first."""
        sentences = sentences_in(self.responses.texts)
        marks, gold = (in_sentences(side.places, sentences) for side in (self.marks, self.gold))
        return InSentences(sentences.sizes, marks, gold)


def load(
    project: Project, varieties: Sequence[int], scope: SpanScope, *, round: int | None = None, keep_own: bool = False
) -> Loaded:
    """What was answered in these varieties (ids), as far as the scope takes it in; of judges in one round, or the
    latest of each; their answers about models of their own laboratory only with `keep_own`."""
    reading = _Reading(project, varieties, scope, round)
    reading.keeps_own = keep_own
    responses = reading.responses()
    answers, annotators, judges = reading.answers(responses)
    gold = reading.gold(responses)
    marks, reviews, found = reading.marks(responses, answers, annotators, gold.id)
    waiting = answers.by_human[marks.answer] & np.isin(marks.outcome, (OPEN, PENDING))
    gold.settled[marks.places.response[waiting]] = False
    level = None
    if scope.criticality:
        levels = reading.words.criticality.slugs
        level = levels.index(scope.criticality) if scope.criticality in levels else len(levels)
        gold, marks, reviews, found = of_criticality(level, gold, marks, reviews, found)
    codings = reading.codings(responses)
    panels, rounds, own = reading.panels.raters, reading.each_round(load), reading.with_own(load)
    rest = (panels, found, rounds, *asked_apart(reading, responses), own, project.pk, sure_of(project, reading.turn))
    loaded = Loaded(varieties, responses, answers, marks, gold, reviews, codings, judges, *rest)
    # Rounds, and models of one's own laboratory, are about judges alone.
    return loaded if round is not None or keep_own else with_first_answers(reading, loaded, level)


class _Reading(Reading):
    """The queries."""

    def __init__(self, project: Project, varieties: Sequence[int], scope: SpanScope, round: int | None = None):
        super().__init__(project, varieties, scope, round)
        if scope.model:
            self.chosen["target_model__name"] = scope.model
        self.rule = review_rules([project.pk])[project.pk]
        self.humans = self.raters[self.is_human]
        self.words = vocabularies(project)
        self.replaced = replaced(project)

    def responses(self) -> Responses:
        rows = Response.objects.filter(**self.chosen).order_by("id")
        names = ("id", "variety_id", "prompt_id", "target_model_id", "text")
        ids, variety, prompt, model, texts = columns(rows.values_list(*names), "iiiio")
        segmentations = LanguageVariety.objects.filter(id__in=self.varieties).values_list("id", "segmentation")
        rules = {pk: Segmentation(segmentation).rule for pk, segmentation in segmentations}
        cut = cut_into_words(texts.tolist(), [rules[pk] for pk in variety.tolist()])
        return Responses(ids, variety, prompt, model, texts.tolist(), cut)

    def answers(self, responses: Responses) -> tuple[Answers, Integers, dict[int, Asked]]:
        """The answers that count, how many people annotated each response, and what judges were asked."""
        rows = Marking.objects.filter(**self.within("response")).order_by("id")
        names = ("id", "response_id", "rater_id", "round")
        more = [as_it_comes(F(name)) for name in ("is_complete", "metadata", "is_evaluation", "assignment_id")]
        values = columns(rows.values_list(*names, *more), "iiiibobn")
        self.marking_id, self.marking_rater = values[0], values[2]
        at = positions(responses.id, values[1])
        shown = self.panels.shown(values[2], responses.prompt[at]) & self.may_count(values[2], responses.model[at])
        shown &= self.of_the_round(np.isin(values[2], self.humans) | ~shown, values[3])
        ids, response, rater, turn, complete, metadata, is_evaluation, assignment = (column[shown] for column in values)
        response = positions(responses.id, response)
        by_human = np.isin(rater, self.humans)
        people = latest((response[by_human], rater[by_human]), turn[by_human])
        annotators = np.bincount(response[by_human][people], minlength=len(responses))
        whole = np.flatnonzero(complete)
        kept = whole[latest((response[whole], rater[whole]), turn[whole])]
        answers = Answers(ids[kept], response[kept], rater[kept], by_human[kept], is_evaluation[kept])
        self.turn = assignment[kept]  # of each answer that counts, 0 where it came from a file
        quotes = np.zeros((len(ids), len(OF_QUOTES)), dtype=np.int64)
        for row in np.flatnonzero(~by_human).tolist():
            if any(name in (metadata[row] or "") for name in OF_QUOTES):  # few say anything of them
                said = orjson.loads(metadata[row])
                quotes[row] = [int(said.get(name, 0)) for name in OF_QUOTES]
        last = latest((response, rater), turn)
        judges = self.judges(responses, answers, response[last], rater[last], quotes[last])
        return answers, annotators, judges

    def judges(
        self, responses: Responses, answers: Answers, response: Integers, rater: Integers, quotes: Integers
    ) -> dict[int, Asked]:
        """By judge; `quotes` holds the numbers of OF_QUOTES of each last answer."""
        # Judges that propose groups or categories mark nothing: they are detectors of no errors.
        calls = Call.objects.filter(**self.within("response"), run__project=self.project, judge__kind="spans")
        asked = calls.exclude(state=CallState.CANCELLED).order_by().values_list("judge__rater_id", "response_id")
        call_rater, call_response = columns(asked.distinct(), "ii")
        call_response = positions(responses.id, call_response)
        counts = self.may_count(call_rater, responses.model[call_response])
        call_rater, call_response = call_rater[counts], call_response[counts]
        asked_by_judge = {}
        for pk in np.setdiff1d(np.union1d(rater, call_rater), self.humans).tolist():
            planned, scored = np.zeros(len(responses), dtype=bool), np.zeros(len(responses), dtype=bool)
            planned[call_response[call_rater == pk]] = True
            planned[response[rater == pk]] = True
            scored[answers.response[answers.rater == pk]] = True
            counted = np.zeros((len(responses), len(OF_QUOTES)), dtype=np.int64)
            np.add.at(counted, response[rater == pk], quotes[rater == pk])
            asked_by_judge[pk] = Asked(planned, scored, *counted.T)
        return asked_by_judge

    def gold(self, responses: Responses) -> Gold:
        rows = GoldError.objects.filter(**self.within("response")).order_by("id")
        names = ("id", "response_id", "anchor", "start", "end", "category_id", "criticality")
        more = [as_it_comes(F(name)) for name in ("found_by_human", "found_by_judge")]
        values = columns(rows.values_list(*names, *more), "iionnnobb")
        ids, response, anchor, start, end, category, criticality, by_human, by_judge = values
        response = positions(responses.id, response)
        parts = parts_of_gold(ids, self.within("response"))
        places = marked(responses.words, response, start, end, anchor != AnchorKind.WORDS, parts)
        known = GoldAnswer.objects.filter(**self.within("response"))
        response, unsettled, imported = columns(known.values_list("response_id", "pending", "is_imported"), "iib")
        settled = np.zeros(len(responses), dtype=bool)
        # Of an imported gold file its own counts are all that is known; else people's spans decide (see `load`).
        settled[positions(responses.id, response)] = ~(imported & (unsettled > 0))
        levels = codes(criticality, self.words.criticality.slugs)
        return Gold(ids, places, read_all_as(category, self.replaced), levels, by_human, by_judge, settled)

    def marks(
        self, responses: Responses, answers: Answers, annotators: Integers, gold_id: Integers
    ) -> tuple[Marks, Reviews, Integers]:
        rows = Span.objects.filter(**self.within("response")).order_by("id")
        names = ("id", "marking_id", "anchor", "start", "end", "error_type", "criticality")
        more = ("category_id", "group_id", "gold_error_id", "penalty")
        values = columns(rows.values_list(*names, *more), "iionnoonnnf")
        [free] = columns(without_cost(self.project, rows).order_by().values_list("id"), "i")
        of_category = weighted(self.project, rows)
        values[10][positions(values[0], np.array(list(of_category), dtype=np.int64))] = list(of_category.values())
        answer = positions(answers.id, values[1])
        # A judge's answer that counts may be of another round than what it found.
        became = values[9] > 0
        found = self.found(gold_id, values[9][became], values[1][became])
        kept = answer >= 0
        ids, _, anchor, start, end, error_type, criticality, category, group, gold, penalty = (
            column[kept] for column in values
        )
        answer = answer[kept]
        response = answers.response[answer]
        within = self.within("span__response")
        is_missing, parts = anchor != AnchorKind.WORDS, parts_of_spans(ids, within)
        places = marked(responses.words, response, start, end, is_missing, parts)
        reviews = self.reviews(ids)
        others = annotators[response] - answers.by_human[answer] if self.rule.annotators_review else 0
        needed = np.maximum(1, others + np.full(len(ids), self.rule.validators))
        decided = decisions(ids, within)
        marks = Marks(
            ids,
            places,
            answer,
            units_of(ids, answers.rater[answer], group),
            outcomes(self.rule.policy, needed, reviews.span, reviews.verdict, decided),
            codes(criticality, self.words.criticality.slugs),
            codes(error_type, self.words.error_types.slugs),
            read_all_as(category, self.replaced),
            positions(gold_id, gold),
            penalty,
            ~np.isin(ids, free),
        )
        return marks, reviews, found

    def found(self, gold_id: Integers, error: Integers, marking: Integers) -> Integers:
        """Error by index and rater by id, each pair once, of spans that became these errors; whose marking each is."""
        error, at = positions(gold_id, error), positions(self.marking_id, marking)
        known = (error >= 0) & (at >= 0)
        rater = self.marking_rater[at[known]]
        width = int(rater.max(initial=0)) + 1
        return np.column_stack(np.divmod(distinct(error[known] * width + rater), width))

    def reviews(self, span_id: Integers) -> Reviews:
        rows = Review.objects.filter(**self.within("span__response")).order_by("id")
        names = ("span_id", "rater_id", "round", "verdict", "assignment_id")
        span, rater, number, verdict, turn = columns(rows.values_list(*names), "iiion")
        span = positions(span_id, span)
        counted = np.flatnonzero((span >= 0) & np.isin(rater, self.humans))
        counted = counted[latest((span[counted], rater[counted]), number[counted])]
        return Reviews(span[counted], rater[counted], codes(verdict[counted], VERDICTS), turn[counted])

    def codings(self, responses: Responses) -> Codings:
        # What a person chose in sight of a proposal is no coding of their own.
        rows = Classification.objects.filter(**self.within("span__response"), after_proposal=False).order_by("id")
        names = ("span_id", "rater_id", "category_id", "span__response_id")
        span, rater, category, response = columns(rows.values_list(*names), "iiii")
        category = read_all_as(category, self.replaced)
        response = positions(responses.id, response)
        stands = category > 0  # one that was split since is asked again
        stands &= self.may_count(rater, responses.model[response])
        span, rater, category, response = span[stands], rater[stands], category[stands], response[stands]
        return Codings(span, rater, category, response, np.isin(rater, self.humans))
