"""Panels that rate: the members' grades of a response, or of the two of a pair in one order, as one.

Majority: the grade most members gave; where several have as many, the one of them that is the median; else a tie.
Mean and weighted: the grade nearest the (weighted) mean, and halfway the one nearer the middle of the scale.
Preferences have no mean: under every rule the one with the most votes, or the most weight, counts, as grades -1, 0, 1.
A grade that is no whole one counts under the majority as the grade nearest to it. The reasoning beside the rating is
that of the member nearest to it, word for word.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from agreement.consensus import nearest_grade
from agreement.figures import NO_ITEMS, Figure
from agreement.kappa import cohen_kappa, confusion
from agreement.panels import mean_on_scale, most_said, pooled
from annotation.consensus import PREFERENCES, SIGNS
from annotation.fitted_rules import fitted_rule
from annotation.models import Rating
from annotation.pairs.storing import RatingData, store_ratings
from judging.ensembles import (
    TIE,
    TOO_FEW,
    Answer,
    Author,
    Member,
    PanelAnswers,
    PanelKind,
    StoredAnswer,
    VotingPanel,
    count_and_last,
    in_batches,
)
from judging.human_gold import graded_pairs, graded_responses, human_ratings
from judging.models import PanelRule
from projects.laboratories import laboratory_slug
from projects.models import Project, QuestionType, Rater, RaterKind, Response, ResponsePair
from projects.own_laboratories import about_own

PAIR, RESPONSE = "pair", "response"
RATING_COLUMNS = ("rater_id", "round", "first_grade", "second_grade", "preference", "is_of_both_orders", "comment")
#: From a rating to the target models that it is about.
MODELS = ("response__target_model", "pair__first__target_model", "pair__second__target_model")
WEIGHED = (
    "pair__prompt_id",
    "response__prompt_id",
    "is_unparseable",
    "is_swapped",
    "question_id",
    "pair_id",
    "response_id",
    "pair__first_id",
    "pair__second_id",
    *RATING_COLUMNS,
)
CONTENT = ("first_grade", "second_grade", "preference", "is_of_both_orders", "comment", "metadata")


class Batch(NamedTuple):
    """Ids of pairs, or of responses that were rated by themselves."""

    of: str
    ids: list[int]


class Key(NamedTuple):
    subject: int
    question: int
    is_swapped: bool


class MemberRating(NamedTuple):
    """A member's readable answer. Of a single response there is `first` alone."""

    rater: int
    round: int
    first: float | None
    second: float | None
    preference: str
    is_of_both_orders: bool
    comment: str

    @property
    def grades(self) -> tuple[float, ...]:
        return tuple(grade for grade in (self.first, self.second) if grade is not None)


class Text(NamedTuple):
    key: str
    prompt: int
    authors: tuple[Author, ...]


@dataclass(frozen=True)
class Decision:
    grades: tuple[int, ...] = ()
    preference: str = ""
    means: tuple[float, ...] = ()


class Inputs(NamedTuple):
    """What the answers of a batch are made of."""

    texts: dict[int, Text]
    questions: Sequence[Mapping[str, Any]]  # as rows: two instances of a model are equal whatever they say
    ratings: dict[Key, dict[int, MemberRating]]


class RatingPanels(PanelKind):
    kind = "ratings"
    name = _("Grades and preferences")
    judge_kinds = ("pointwise", "pairwise")
    weighed_by = _("quadratic-weighted kappa of its grades with gold; of preferences, Cohen's kappa")
    model = Rating

    def by_judges(self, project: Project) -> QuerySet[Rating]:
        return Rating.objects.filter(question__project=project, rater__kind=RaterKind.JUDGE, is_check=False)

    def gold_state(self, project: Project) -> list[int]:
        people = Rating.objects.filter(question__project=project, rater__kind=RaterKind.HUMAN, is_check=False)
        return count_and_last(people)

    def batches(self, raters: Collection[int]) -> Iterator[Batch]:
        for of in (PAIR, RESPONSE):
            rated = Rating.objects.filter(rater__in=raters, is_check=False, **{f"{of}__isnull": False}).order_by()
            for ids in in_batches(set(rated.values_list(f"{of}_id", flat=True))):
                yield Batch(of, ids)

    def read(self, voting_panel: VotingPanel, batch: Batch, hold: bool = False) -> Inputs:
        """Three statements."""
        questions = QuestionType.objects.filter(project=voting_panel.panel.project_id).order_by("pk")
        return Inputs(texts_of(batch), list(questions.values()), ratings_by_subject(voting_panel.by_id, batch))

    def decide(self, voting_panel: VotingPanel, batch: Batch, inputs: Inputs) -> PanelAnswers:
        texts, ratings = inputs.texts, inputs.ratings
        questions = {row["id"]: QuestionType(**row) for row in inputs.questions}
        both = of_both_orders(ratings)
        panel_answers = PanelAnswers()
        for key, by_member in ratings.items():
            text, question = texts[key.subject], questions[key.question]
            eligible = voting_panel.eligible(text.authors)
            voting = [(member, by_member[member.rater]) for member in eligible if member.rater in by_member]
            voting = [(member, rating) for member, rating in voting if fits(rating, question, batch.of)]
            if not voting_panel.is_enough(voting):
                panel_answers.leave_undecided(TOO_FEW, text.key)
                continue
            decision = decision_of(voting, question, voting_panel.rule)
            if decision is None:
                panel_answers.leave_undecided(TIE, text.key)
                continue
            details = {"means": list(decision.means)} if decision.means else {}
            metadata = voting_panel.provenance(voting, eligible, text.prompt, **details)
            rating = answer(voting_panel.rater, batch.of, key, question, decision, voting, both, metadata)
            panel_answers.add(key, rating)
        return panel_answers

    def stored(self, rater: Rater, batch: Batch) -> Mapping[Hashable, StoredAnswer]:
        rows = ratings_in([rater.pk], batch).values_list("pk", *key_columns(batch.of), *CONTENT)
        return {Key(*row[1:4]): StoredAnswer(row[0], tuple(row[4:])) for row in rows}

    def store(self, data: Sequence[RatingData], changed: Collection[Hashable]) -> None:
        store_ratings(data)

    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """Grades against people's gold, question type by question type, put together by how many there are.

        A grade in each order of a pair counts by itself. Without any grade it is the kappa of preferences.
        """
        gold, chosen = Gold(project), set(prompts)
        own = about_own(project, raters, *MODELS)
        rated = Rating.objects.filter(rater__in=raters, is_check=False).exclude(own).order_by("round")
        latest: dict[tuple, tuple[bool, tuple[int, int | None], MemberRating]] = {}
        for prompt_of_pair, prompt, is_unparseable, is_swapped, *rest in rated.values_list(*WEIGHED):
            question, pair, response, first, second, *columns = rest
            if (prompt_of_pair or prompt) in chosen:
                rating = MemberRating(*columns)
                key = (rating.rater, question, pair, response, is_swapped)
                latest[key] = (is_unparseable, (response or first, second), rating)
        tables: dict[int, dict[int, list[tuple[int, int]]]] = {rater: defaultdict(list) for rater in raters}
        for (rater, question, pair, *_where), (is_unparseable, sides, rating) in latest.items():
            if not is_unparseable:
                tables[rater][question] += gold.against(question, pair, sides, rating)
        return {rater: gold.kappa(pairs) for rater, pairs in tables.items()}


class Gold:
    """What people settled on, as whole grades and signs of preferences. Three statements."""

    def __init__(self, project: Project) -> None:
        self.questions = project.question_types.in_bulk()
        rule, ratings = fitted_rule(project), human_ratings(project)
        self.grades: dict[tuple[int, int], int] = {}
        self.signs: dict[tuple[int, int], int] = {}
        for pk, question in self.questions.items():
            if question.has_scale:
                graded = graded_responses(question, ratings[pk], rule)
                self.grades |= {(pk, consensus.response): consensus.grade for consensus in graded}
            else:
                preferred = graded_pairs(question, ratings[pk], rule)
                self.signs |= {(pk, consensus.pair): SIGNS[consensus.preference] for consensus in preferred}

    def against(
        self, question: int, pair: int | None, sides: tuple[int, int | None], rating: MemberRating
    ) -> list[tuple[int, int]]:
        """(gold, what was said) as classes from 0, for each grade or the preference that has gold."""
        scale = self.questions[question].scale
        if not scale:
            gold = self.signs.get((question, pair or 0))
            return [] if gold is None or not rating.preference else [(gold + 1, SIGNS[rating.preference] + 1)]
        pairs = []
        for response, grade in zip(sides, (rating.first, rating.second), strict=True):
            best = self.grades.get((question, response or 0))
            if best is not None and grade is not None:
                pairs.append((best - scale[0], int(nearest_grade([grade], scale[0], scale[-1])[0]) - scale[0]))
        return pairs

    def kappa(self, pairs_by_question: Mapping[int, Sequence[tuple[int, int]]]) -> Figure:
        of_grades, of_preferences = [], []
        for pk, pairs in pairs_by_question.items():
            if not pairs:
                continue
            scale = self.questions[pk].scale
            gold, given = zip(*pairs, strict=True)
            table = confusion(gold, given, len(scale) or len(SIGNS))
            if scale:
                is_nominal = self.questions[pk].is_nominal
                of_grades.append(cohen_kappa(table, "unweighted" if is_nominal else "quadratic"))
            else:
                of_preferences.append(cohen_kappa(table))
        undefined = next((kappa.undefined for kappa in [*of_grades, *of_preferences] if kappa.undefined), NO_ITEMS)
        return pooled(of_grades or of_preferences, undefined or NO_ITEMS)


def key_columns(of: str) -> tuple[str, str, str]:
    return (f"{of}_id", "question_id", "is_swapped")


def ratings_in(raters: Collection[int], batch: Batch) -> QuerySet[Rating]:
    return Rating.objects.filter(rater__in=raters, is_check=False, **{f"{batch.of}__in": batch.ids}).order_by("round")


def ratings_by_subject(members: Mapping[int, Member], batch: Batch) -> dict[Key, dict[int, MemberRating]]:
    """What each member said in its latest round, by what it is of. One statement.

    Where no verdict could be read in that round, the member has said nothing, whatever it said before.
    """
    ratings: dict[Key, dict[int, MemberRating]] = defaultdict(dict)
    rows = ratings_in(members, batch).values_list("is_unparseable", *key_columns(batch.of), *RATING_COLUMNS)
    for is_unparseable, subject, question, is_swapped, *columns in rows:
        rating = MemberRating(*columns)
        by_member = ratings[Key(subject, question, is_swapped)]
        by_member.pop(rating.rater, None)
        if not is_unparseable:
            by_member[rating.rater] = rating
    return ratings


def texts_of(batch: Batch) -> dict[int, Text]:
    sides = ("first__", "second__") if batch.of == PAIR else ("",)
    models = [f"{side}target_model" for side in sides]
    authors = [column for name in models for column in (f"{name}__name", laboratory_slug(name))]
    model = ResponsePair if batch.of == PAIR else Response
    rows = model._default_manager.filter(pk__in=batch.ids).values_list("pk", "key", "prompt_id", *authors)
    return {row[0]: Text(row[1], row[2], tuple(zip(row[3::2], row[4::2], strict=True))) for row in rows}


def of_both_orders(ratings: Mapping[Key, Mapping[int, MemberRating]]) -> set[tuple[int, int]]:
    """Pairs, with their question type, of which the panel may answer in both orders."""
    marked = {
        (key.subject, key.question) for key, by_member in ratings.items() for rating in by_member.values()
        if rating.is_of_both_orders
    }  # fmt: skip
    swapped, plain = (
        {(key.subject, key.question) for key in ratings if key.is_swapped is is_swapped} for is_swapped in (True, False)
    )
    return marked | (swapped & plain)


def fits(rating: MemberRating, question: QuestionType, of: str) -> bool:
    """Whether it answers in the way of the question type: with grades where there is a scale."""
    if not question.has_scale:
        return bool(rating.preference)
    return len(rating.grades) == (2 if of == PAIR else 1)


def decision_of(voting: Sequence[tuple[Member, MemberRating]], question: QuestionType, rule: str) -> Decision | None:
    """What the votes come to by the rule; None for a tie."""
    weights = [member.weight for member, _rating in voting]
    if not question.has_scale:
        sign = most_said([SIGNS[rating.preference] for _member, rating in voting], weights)
        return None if sign is None else Decision(preference=PREFERENCES[sign])
    lowest, highest = question.scale[0], question.scale[-1]
    sides = list(zip(*(rating.grades for _member, rating in voting), strict=True))
    if rule == PanelRule.MAJORITY or question.is_nominal:
        most = [most_said(nearest_grade(side, lowest, highest).tolist(), weights) for side in sides]
        return None if None in most else Decision(tuple(grade for grade in most if grade is not None))
    grades, means = zip(*(mean_on_scale(side, weights, lowest, highest) for side in sides), strict=True)
    return Decision(grades, means=means)


def answer(
    rater: Rater,
    of: str,
    key: Key,
    question: QuestionType,
    decision: Decision,
    voting: Sequence[tuple[Member, MemberRating]],
    both: Collection[tuple[int, int]],
    metadata: dict[str, Any],
) -> Answer:
    first, second = (*(float(grade) for grade in decision.grades), None, None)[:2]

    def distance(rating: MemberRating) -> float:
        if decision.preference:
            return abs(SIGNS[rating.preference] - SIGNS[decision.preference])
        return sum(abs(grade - decided) for grade, decided in zip(rating.grades, decision.grades, strict=True))

    comment = min((rating for _member, rating in voting), key=distance).comment
    is_of_both = (key.subject, key.question) in both
    subject = ResponsePair(pk=key.subject) if of == PAIR else Response(pk=key.subject)
    data = RatingData(
        question,
        subject,
        rater,
        first,
        second,
        decision.preference,
        comment,
        is_swapped=key.is_swapped,
        is_of_both_orders=is_of_both,
        metadata=metadata,
    )
    return Answer((first, second, decision.preference, is_of_both, comment, metadata), data)
