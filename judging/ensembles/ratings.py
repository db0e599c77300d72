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

from django.db.models import Count, Max, QuerySet
from django.utils.translation import gettext_lazy as _

from agreement.consensus import nearest_grade
from agreement.figures import NO_ITEMS, Figure
from agreement.kappa import cohen_kappa, confusion
from agreement.panels import mean_on_scale, most_said, pooled
from annotation.models import Preference, Rating
from annotation.pairs.storing import RatingData, store_ratings
from judging.ensembles import TIE, TOO_FEW, Answer, Author, Bench, Made, Member, Standing, in_batches
from judging.human_gold import PREFERRED, SIGNS, graded_pairs, graded_responses, rule_of, said_by_people
from judging.models import PanelRule
from projects.among import Among
from projects.models import Project, QuestionType, Rater, RaterKind, Response, ResponsePair

PAIR, RESPONSE = "pair", "response"
SAID = ("rater_id", "round", "first_grade", "second_grade", "preference", "is_of_both_orders", "comment")
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
    *SAID,
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


class Said(NamedTuple):
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
class Decided:
    grades: tuple[int, ...] = ()
    preference: str = ""
    means: tuple[float, ...] = ()


class Read(NamedTuple):
    """What the answers of a batch are made of."""

    texts: dict[int, Text]
    questions: Sequence[Mapping[str, Any]]  # as rows: two instances of a model are equal whatever they say
    said: dict[Key, dict[int, Said]]


class RatingPanels:
    kind = "ratings"
    name = _("Grades and preferences")
    judge_kinds: tuple[str, ...] = ("pointwise", "pairwise")
    weighed_by = _("quadratic-weighted kappa of its grades with gold; of preferences, Cohen's kappa")

    def answering(self, project: Project) -> set[int]:
        ratings = Rating.objects.filter(question__project=project, rater__kind=RaterKind.JUDGE, is_check=False)
        return set(ratings.order_by().values_list("rater_id", flat=True).distinct())

    def state(self, raters: Collection[int]) -> dict[str, list[int]]:
        rows = Rating.objects.filter(rater__in=raters).order_by().values_list("rater_id")
        return {str(rater): [n, last] for rater, n, last in rows.annotate(n=Count("pk"), last=Max("pk"))}

    def gold_state(self, project: Project) -> list[int]:
        people = Rating.objects.filter(question__project=project, rater__kind=RaterKind.HUMAN, is_check=False)
        found = people.aggregate(n=Count("pk"), last=Max("pk"))
        return [found["n"], found["last"] or 0]

    def batches(self, raters: Collection[int]) -> Iterator[Batch]:
        for of in (PAIR, RESPONSE):
            rated = Rating.objects.filter(rater__in=raters, is_check=False, **{f"{of}__isnull": False}).order_by()
            for ids in in_batches(set(rated.values_list(f"{of}_id", flat=True))):
                yield Batch(of, ids)

    def read(self, bench: Bench, batch: Batch, hold: bool = False) -> Read:
        """Three statements."""
        questions = QuestionType.objects.filter(project=bench.panel.project_id).order_by("pk")
        return Read(texts_of(batch), list(questions.values()), said_in(bench.by_id, batch))

    def made(self, bench: Bench, batch: Batch, read: Read) -> Made:
        texts, said = read.texts, read.said
        questions = {row["id"]: QuestionType(**row) for row in read.questions}
        both = of_both_orders(said)
        made = Made()
        for key, by_member in said.items():
            text, question = texts[key.subject], questions[key.question]
            seated = bench.seated(text.authors)
            voting = [(m, by_member[m.rater]) for m in seated if m.rater in by_member]
            voting = [(member, one) for member, one in voting if fits(one, question, batch.of)]
            if not bench.is_enough(voting):
                made.without(TOO_FEW, text.key)
                continue
            decided = decide(voting, question, bench.rule)
            if decided is None:
                made.without(TIE, text.key)
                continue
            made.counts["answers"] += 1
            own = len(bench.members) - len(seated)
            more = {"means": list(decided.means)} if decided.means else {}
            metadata = bench.provenance([(m, one.round) for m, one in voting], own, text.prompt, **more)
            made.answers[key] = answer(bench.rater, batch.of, key, question, decided, voting, both, metadata)
        return made

    def standing(self, rater: Rater, batch: Batch) -> Mapping[Hashable, Standing]:
        rows = ratings_in([rater.pk], batch).values_list("pk", *key_columns(batch.of), *CONTENT)
        return {Key(*row[1:4]): Standing(row[0], tuple(row[4:])) for row in rows}

    def withdraw(self, ids: Collection[int]) -> set[int]:
        Rating.objects.filter(pk__in=Among(ids)).delete()
        return set()

    def store(self, data: Sequence[RatingData], changed: Collection[Hashable]) -> None:
        store_ratings(data)

    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """Grades against people's gold, question type by question type, put together by how many there are.

        A grade in each order of a pair counts by itself. Without any grade it is the kappa of preferences.
        """
        gold, chosen = Gold(project), set(prompts)
        rated = Rating.objects.filter(rater__in=raters, is_check=False).order_by("round")
        latest: dict[tuple, tuple[bool, tuple[int, int | None], Said]] = {}
        for prompt_of_pair, prompt, is_unparseable, is_swapped, *rest in rated.values_list(*WEIGHED):
            question, pair, response, first, second, *said = rest
            if (prompt_of_pair or prompt) in chosen:
                one = Said(*said)
                key = (one.rater, question, pair, response, is_swapped)
                latest[key] = (is_unparseable, (response or first, second), one)
        tables: dict[int, dict[int, list[tuple[int, int]]]] = {rater: defaultdict(list) for rater in raters}
        for (rater, question, pair, *_where), (is_unparseable, sides, one) in latest.items():
            if not is_unparseable:
                tables[rater][question] += gold.against(question, pair, sides, one)
        return {rater: gold.kappa(found) for rater, found in tables.items()}


class Gold:
    """What people settled on, as whole grades and signs of preferences. Three statements."""

    def __init__(self, project: Project) -> None:
        self.questions = project.question_types.in_bulk()
        rule, said = rule_of(project), said_by_people(project)
        self.grades: dict[tuple[int, int], int] = {}
        self.signs: dict[tuple[int, int], int] = {}
        for pk, question in self.questions.items():
            if question.has_scale:
                found = graded_responses(question, said[pk], rule)
                self.grades |= {(pk, each.response): each.grade for each in found}
            else:
                preferred = graded_pairs(question, said[pk], rule)
                self.signs |= {(pk, each.pair): SIGNS[Preference(each.preference)] for each in preferred}

    def against(
        self, question: int, pair: int | None, sides: tuple[int, int | None], said: Said
    ) -> list[tuple[int, int]]:
        """(gold, what was said) as classes from 0, for each grade or the preference that has gold."""
        scale = self.questions[question].scale
        if not scale:
            gold = self.signs.get((question, pair or 0))
            return [] if gold is None or not said.preference else [(gold + 1, SIGNS[Preference(said.preference)] + 1)]
        met = []
        for response, grade in zip(sides, (said.first, said.second), strict=True):
            best = self.grades.get((question, response or 0))
            if best is not None and grade is not None:
                met.append((best - scale[0], int(nearest_grade([grade], scale[0], scale[-1])[0]) - scale[0]))
        return met

    def kappa(self, found: Mapping[int, Sequence[tuple[int, int]]]) -> Figure:
        of_grades, of_preferences = [], []
        for pk, met in found.items():
            if not met:
                continue
            scale = self.questions[pk].scale
            gold, said = zip(*met, strict=True)
            table = confusion(gold, said, len(scale) or len(SIGNS))
            if scale:
                of_grades.append(cohen_kappa(table, "quadratic"))
            else:
                of_preferences.append(cohen_kappa(table))
        undefined = next((each.undefined for each in [*of_grades, *of_preferences] if each.undefined), NO_ITEMS)
        return pooled(of_grades or of_preferences, undefined or NO_ITEMS)


def key_columns(of: str) -> tuple[str, str, str]:
    return (f"{of}_id", "question_id", "is_swapped")


def ratings_in(raters: Collection[int], batch: Batch) -> QuerySet[Rating]:
    return Rating.objects.filter(rater__in=raters, is_check=False, **{f"{batch.of}__in": batch.ids}).order_by("round")


def said_in(members: Mapping[int, Member], batch: Batch) -> dict[Key, dict[int, Said]]:
    """What each member said in its latest round, by what it is of. One statement.

    Where no verdict could be read in that round, the member has said nothing, whatever it said before.
    """
    found: dict[Key, dict[int, Said]] = defaultdict(dict)
    rows = ratings_in(members, batch).values_list("is_unparseable", *key_columns(batch.of), *SAID)
    for is_unparseable, subject, question, is_swapped, *said in rows:
        one = Said(*said)
        by_member = found[Key(subject, question, is_swapped)]
        by_member.pop(one.rater, None)
        if not is_unparseable:
            by_member[one.rater] = one
    return found


def texts_of(batch: Batch) -> dict[int, Text]:
    sides = ("first__", "second__") if batch.of == PAIR else ("",)
    authors = [f"{side}target_model__{name}" for side in sides for name in ("name", "laboratory__slug")]
    model = ResponsePair if batch.of == PAIR else Response
    rows = model._default_manager.filter(pk__in=batch.ids).values_list("pk", "key", "prompt_id", *authors)
    return {row[0]: Text(row[1], row[2], tuple(zip(row[3::2], row[4::2], strict=True))) for row in rows}


def of_both_orders(said: Mapping[Key, Mapping[int, Said]]) -> set[tuple[int, int]]:
    """Pairs, with their question type, of which the panel may answer in both orders."""
    marked = {
        (key.subject, key.question) for key, by_member in said.items() for one in by_member.values()
        if one.is_of_both_orders
    }  # fmt: skip
    swapped, plain = (
        {(key.subject, key.question) for key in said if key.is_swapped is is_swapped} for is_swapped in (True, False)
    )
    return marked | (swapped & plain)


def fits(said: Said, question: QuestionType, of: str) -> bool:
    """Whether it answers in the way of the question type: with grades where there is a scale."""
    if not question.has_scale:
        return bool(said.preference)
    return len(said.grades) == (2 if of == PAIR else 1)


def decide(voting: Sequence[tuple[Member, Said]], question: QuestionType, rule: str) -> Decided | None:
    """What the votes come to by the rule; None for a tie."""
    weights = [member.weight for member, _said in voting]
    if not question.has_scale:
        sign = most_said([SIGNS[Preference(said.preference)] for _member, said in voting], weights)
        return None if sign is None else Decided(preference=PREFERRED[sign])
    lowest, highest = question.scale[0], question.scale[-1]
    sides = list(zip(*(said.grades for _member, said in voting), strict=True))
    if rule == PanelRule.MAJORITY:
        grades = [most_said(nearest_grade(side, lowest, highest).tolist(), weights) for side in sides]
        return None if None in grades else Decided(tuple(grade for grade in grades if grade is not None))
    near, means = zip(*(mean_on_scale(side, weights, lowest, highest) for side in sides), strict=True)
    return Decided(near, means=means)


def answer(
    rater: Rater,
    of: str,
    key: Key,
    question: QuestionType,
    decided: Decided,
    voting: Sequence[tuple[Member, Said]],
    both: Collection[tuple[int, int]],
    metadata: dict[str, Any],
) -> Answer:
    first, second = (*(float(grade) for grade in decided.grades), None, None)[:2]

    def distance(said: Said) -> float:
        if decided.preference:
            return abs(SIGNS[Preference(said.preference)] - SIGNS[Preference(decided.preference)])
        return sum(abs(one - other) for one, other in zip(said.grades, decided.grades, strict=True))

    comment = min((said for _member, said in voting), key=distance).comment
    is_of_both = (key.subject, key.question) in both
    subject = ResponsePair(pk=key.subject) if of == PAIR else Response(pk=key.subject)
    data = RatingData(
        question,
        subject,
        rater,
        first,
        second,
        decided.preference,
        comment,
        is_swapped=key.is_swapped,
        is_of_both_orders=is_of_both,
        metadata=metadata,
    )
    return Answer((first, second, decided.preference, is_of_both, comment, metadata), data)
