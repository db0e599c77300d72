"""Settled ratings for the case book: what a response, or the two of a pair, came to on a question type, and why.

A rating is settled where an expert gave it or ENOUGH people did, and no other answer is waited for. Its gold is made
by the project's rule (annotation/consensus.py) of people's answers alone: no judge has a part in what is shown.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.casebook.answered import ENOUGH, AnsweredKind, Written, awaited, beginning, notes_of
from annotation.casebook.filters import OUTCOME, QUESTION, Filter, label
from annotation.casebook.finding import Found, Reader
from annotation.casebook.indexing import Place, Wanted
from annotation.casebook.kinds import Shown, Side
from annotation.casebook.words import words_of
from annotation.consensus import EXPERT, ConsensusAnswer, RatedAnswer, as_number, consensus_of, latest_rounds
from annotation.fitted_rules import fitted_rule, unweighed_rule
from annotation.models import Rating
from annotation.said import Said
from formats.choices import Preference
from projects.models import Level, Project, QuestionType, RaterKind, Response, ResponsePair
from reports.dashboard.freshness.revisions import digest, revisions
from reports.ratings.gold import for_gold
from workflow.models import feedback_rules

#: Grades are a filter where a list of so many holds them.
MOST_GRADES = 20


class Row(NamedTuple):
    """One person's rating of a response, or of a pair."""

    response: int
    pair: int | None
    question: str
    rater: int
    is_expert: bool
    round: int
    first: float | None
    second: float | None
    preference: str
    comment: str
    variety: int


class Settled(NamedTuple):
    answer: ConsensusAnswer
    rows: list[Row]


class RatingCases(AnsweredKind):
    name = "ratings"

    def state(self, project: Project) -> str:
        told = feedback_rules(project).shows_words
        of_people = revisions(project).of("ratings of people", "experts")
        return digest((of_people, unweighed_rule(project).name, told))

    def answered(self, project: Project) -> Iterable[int]:
        ratings = by_people(project).order_by()
        yield from ratings.filter(pair=None).values_list("response_id", flat=True).distinct()
        yield from ratings.filter(response=None).values_list("pair__first_id", flat=True).distinct()

    def settled(self, project: Project, written: dict[int, Written]) -> dict[Place, Wanted]:
        settled = settled_of(project, list(written))
        texts = dict(Response.objects.filter(pk__in=list(written)).values_list("pk", "text"))
        pairs = {place.pair_id for place in settled if place.pair_id}
        seconds = dict(ResponsePair.objects.filter(pk__in=pairs).values_list("pk", "second__text"))
        shows_words = feedback_rules(project).shows_words
        wanted = {}
        for place, case in settled.items():
            variety, language = written[place.response_id]
            second = seconds.get(place.pair_id or 0, "")
            said = [row.comment for row in case.rows] if shows_words else []
            words = "\n".join([*said, beginning(texts[place.response_id]), beginning(second)])
            labels = (label(QUESTION, place.key), *outcomes_of(case.answer))
            wanted[place] = Wanted(variety, None, tuple(words_of(words, language)), labels)
        return wanted

    def filters(self, reader: Reader) -> Sequence[Filter]:
        questions = list(QuestionType.objects.filter(project=reader.project))
        grades = sorted({grade for each in questions if each.ends for grade in range(each.ends[0], each.ends[1] + 1)})
        outcomes = [(str(grade), str(grade)) for grade in grades] if len(grades) <= MOST_GRADES else []
        return [
            Filter(QUESTION, _("Question"), [(each.slug, str(each.name)) for each in questions]),
            Filter(OUTCOME, _("Outcome"), [*((value, str(words)) for value, words in Preference.choices), *outcomes]),
        ]

    def show(self, reader: Reader, found: Sequence[Found]) -> list[Shown]:
        places = {each: Place(each.response_id, each.key, True, self.name, each.pair_id) for each in found}
        settled = settled_of(reader.project, {each.response_id for each in found})
        waited_for = awaited(found)
        pairs = ResponsePair.objects.in_bulk({each.pair_id for each in found if each.pair_id})
        responses = {each.response_id for each in found} | {pair.second_id for pair in pairs.values()}
        by_id = Response.objects.select_related("variety").in_bulk(responses)
        questions = {each.slug: each for each in QuestionType.objects.filter(project=reader.project)}
        labels = labels_of(reader.project)
        notes = notes_of(self.name, {each.response_id for each in found})
        shows_words = reader.is_lead or feedback_rules(reader.project).shows_words
        shown = []
        for each, place in places.items():
            case = settled.get(place)
            if case is None or (each.response_id, each.pair_id) in waited_for:
                continue
            pair = pairs.get(each.pair_id) if each.pair_id else None
            first = by_id[each.response_id]
            sides = [side("A" if pair else "", first, case.answer.first, each.key, labels)]
            if pair is not None:
                sides.append(side("B", by_id[pair.second_id], case.answer.second, each.key, labels))
            outcome = str(Preference(case.answer.preference).label) if case.answer.preference else ""
            said = said_of(case.rows, labels) if shows_words else []
            title = str(questions[each.key].name)
            one = Shown(each.pk, first, self.name, title=title, outcome=outcome, sides=sides, said=said)
            shown.append(one.note(notes.get((each.response_id, each.pair_id, each.key))))
        return shown


def outcomes_of(answer: ConsensusAnswer) -> list[str]:
    """Of a pair the preference, of a response its grade; a mean between two grades is filed under none."""
    if answer.preference:
        return [label(OUTCOME, answer.preference)]
    number = None if answer.first is None else as_number(answer.first)
    return [label(OUTCOME, number)] if isinstance(number, int) else []


def by_people(project: Project) -> QuerySet[Rating]:
    people = Rating.objects.filter(question__project=project, rater__kind=RaterKind.HUMAN, is_unparseable=False)
    return for_gold(people)


def settled_of(project: Project, response_ids: Collection[int]) -> dict[Place, Settled]:
    """What these responses, and the pairs that they are the first of, came to; a handful of statements."""
    ratings = by_people(project).filter(Q(response__in=response_ids) | Q(pair__first__in=response_ids))
    columns = ("rater_id", "rater__is_expert", "round", "first_grade", "second_grade", "preference", "comment")
    of_response = ratings.filter(pair=None).values_list(
        "response_id", "pair_id", "question__slug", *columns, "response__variety_id"
    )
    of_pair = ratings.filter(response=None).values_list(
        "pair__first_id", "pair_id", "question__slug", *columns, "pair__variety_id"
    )
    scales = {question.slug: question.ends for question in QuestionType.objects.filter(project=project)}
    rule = fitted_rule(project)
    settled: dict[Place, Settled] = {}
    for of_subject in (of_response, of_pair):
        rows = [Row(*row) for row in of_subject.order_by("pk")]
        rows = latest_rounds(rows, lambda row: ((row.pair or row.response, row.question, row.rater), row.round))
        by_place: dict[Place, list[Row]] = defaultdict(list)
        for row in rows:
            by_place[Place(row.response, row.question, True, RatingCases.name, row.pair)].append(row)
        subjects = {(row.pair or row.response, row.question): place for place, of in by_place.items() for row in of}
        answers = (
            RatedAnswer(
                *(row.pair or row.response, row.question, row.first, row.second, row.preference),
                *(row.is_expert, row.rater, row.variety),
            )
            for row in rows
        )
        for subject, answer in consensus_of(answers, rule, scales).items():
            if answer.rule == EXPERT or answer.n >= ENOUGH:
                place = subjects[subject]
                of_gold = [row for row in by_place[place] if row.is_expert or answer.rule != EXPERT]
                settled[place] = Settled(answer, of_gold)
    return settled


Labels = dict[tuple[str, int], str]


def labels_of(project: Project) -> Labels:
    """What the grades of each question type (slug) are called."""
    levels = Level.objects.filter(question__project=project).exclude(label="")
    return {(level.question.slug, level.grade): str(level.label) for level in levels.select_related("question")}


def called(grade: float | None, question: str, labels: Labels) -> str:
    if grade is None:
        return ""
    number = as_number(grade)
    word = labels.get((question, number), "") if isinstance(number, int) else ""
    return f"{number} · {word}" if word else f"{number:.4g}"


def side(title: str, response: Response, grade: float | None, question: str, labels: Labels) -> Side:
    return Side(title, response, beginning(response.text), called(grade, question, labels))


def said_of(rows: Iterable[Row], labels: Labels) -> list[Said]:
    """What people said, in the order of their words, which tells nothing of them."""
    said = []
    for row in rows:
        if comment := row.comment.strip():
            grades = [called(grade, row.question, labels) for grade in (row.first, row.second) if grade is not None]
            verdict = " / ".join(grades) or str(Preference(row.preference).label)
            said.append(Said(verdict, comment, []))
    return sorted(said, key=lambda each: (each.comment, each.verdict))
