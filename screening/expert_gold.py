"""What experts answered, as gold for sample questions and for checks."""

from collections.abc import Iterable

from django.db.models import F, Q, QuerySet

from annotation.consensus import RatedAnswer, Rule, consensus_of, latest_rounds
from annotation.models import AnchorKind, GoldAnswer, GoldError, Rating
from projects.models import Project, QuestionType, RaterKind
from rubrics.models import Grade, GradeRole, Verdict
from screening.scoring import Grades, Place


def expert_ratings(project: Project) -> QuerySet[Rating]:
    """Ratings of the project's experts that carry a grade or a preference; answers to checks are none."""
    return Rating.objects.filter(
        question__project=project,
        rater__is_expert=True,
        rater__kind=RaterKind.HUMAN,
        is_check=False,
        is_unparseable=False,
    )


def gold_grades(question: QuestionType, ratings: Iterable[Rating], rule: Rule) -> Grades:
    """One answer from those that experts gave to one question type on one subject: their grades, each side by the
    project's `rule` (`annotation.fitted_rules.unweighed_rule`); where they gave preferences alone, the one most gave, a
    tie where two lead. Empty where grades have no order and no one of them leads.

    Raises ValueError where there is no rating.
    """
    answers = [
        RatedAnswer(0, question.slug, rating.first_grade, rating.second_grade, rating.preference, is_expert=True)
        for rating in latest_rounds(ratings, lambda rating: (rating.rater_id, rating.round))
    ]
    if not answers:
        raise ValueError("no expert has rated this")
    gold = next(iter(consensus_of(answers, rule, {question.slug: question.ends}).values()), None)
    if gold is None:
        return Grades()
    return Grades(gold.first, gold.second) if gold.first is not None else Grades(preference=gold.preference)


def gold_places(responses: Iterable[int]) -> dict[int, list[Place]]:
    """Where the settled errors of each response lie, with all their parts, by its id.

    Only responses whose gold is settled stand in it: an empty list says that there are no errors. One whose errors are
    all omissions is left out, as there are no words to find.
    """
    settled = GoldAnswer.objects.filter(response__in=responses, open=0, pending=0)
    kept = dict(settled.values_list("response_id", "kept"))
    places: dict[int, list[Place]] = {response: [] for response in kept}
    errors = GoldError.objects.filter(response__in=kept, anchor=AnchorKind.WORDS).order_by("start", "end")
    for response, start, end, more in errors.values_list("response_id", "start", "end", "provenance__more"):
        assert start is not None
        assert end is not None
        elsewhere = (offset for part in more or () for offset in (part["start"], part["end"]))
        places[response].append([start, end, *elsewhere])
    return {response: of_response for response, of_response in places.items() if of_response or not kept[response]}


def expert_grades() -> QuerySet[Grade]:
    """Complete reference grades by an expert, or by the author of the rubric."""
    return Grade.objects.filter(
        Q(rater__is_expert=True) | Q(rater=F("rubric__author")),
        role=GradeRole.REFERENCE,
        is_complete=True,
        rater__kind=RaterKind.HUMAN,
    )


def gold_verdicts(responses: Iterable[int]) -> dict[int, dict[str, str]]:
    """By the response's id the verdicts on the criteria of its rubric by their keys, in the author's order: those of
    the newest version that is graded so. Errors that the grader found in the response are no criteria of the rubric."""
    grades = expert_grades().filter(response__in=list(responses)).order_by("rubric__version")
    newest = dict(grades.values_list("response_id", "pk"))
    of_grade = {grade: response for response, grade in newest.items()}
    verdicts: dict[int, dict[str, str]] = {response: {} for response in newest}
    rows = Verdict.objects.filter(grade__in=of_grade, criterion__grade=None)
    for grade, key, value in rows.order_by("criterion__position", "criterion_id").values_list(
        "grade_id", "criterion__key", "value"
    ):
        verdicts[of_grade[grade]][key] = value
    return verdicts
