"""Imported answers of people who also work here: they take their turn in the stage as if given here."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Subquery

from annotation.models import Marking, Rating
from projects.models import Project, QuestionType
from workflow.imported_answers import ImportedAnswer, assign_imported
from workflow.models import Stage


def assign_imported_markings(stage: Stage, response_ids: Iterable[int] | None = None) -> int:
    """Give each imported marking of a person with an account its done assignment in the stage; return how many.

    Where the stage has responses scored as well, an answer is done once its score is there too, which then belongs to
    the same assignment.
    """
    markings = Marking.objects.filter(
        response__project=stage.project_id, assignment=None, rater__user__isnull=False, rater__kind="human"
    ).order_by("id")
    scores = Rating.objects.filter(question=stage.scored_on_id, assignment=None, is_check=False)
    if stage.scored_on_id is not None:
        of_answer = {name: OuterRef(name) for name in ("response", "rater", "round")}
        markings = markings.filter(Exists(scores.filter(**of_answer)))
    rows = markings.values_list("id", "response_id", "rater_id", "round", "created_at")
    count = assign_imported(stage, Marking, map(ImportedAnswer._make, rows.iterator()), response_ids)
    if count and stage.scored_on_id is not None:
        turns = Marking.objects.filter(
            assignment__stage=stage, response=OuterRef("response"), rater=OuterRef("rater"), round=OuterRef("round")
        )
        scores.filter(Exists(turns)).update(assignment=Subquery(turns.values("assignment")[:1]))
    return count


# The kinds of the stages in which responses, and pairs of them, are rated.
RATING_KINDS = ("pairs", "ratings")
# What a rating can be about, with the way from there to the question type of the prompt.
SUBJECTS = {"response": "response__prompt__question_id", "pair": "pair__prompt__question_id"}


def assign_imported_ratings(project: Project, response_ids: Iterable[int], pair_ids: Iterable[int]) -> int:
    """Give each imported rating of a person with an account its done assignment; return how many assignments.

    An item is done once all question types are answered that it asks: that of its prompt, else all of the project.
    """
    touched = {"response": set(response_ids), "pair": set(pair_ids)}
    assigned = 0
    for stage in Stage.objects.filter(project=project, kind__in=RATING_KINDS) if any(touched.values()) else ():
        for subject, ids in touched.items():
            if ids:
                assigned += assign_imported(stage, Rating, _complete_ratings(project, subject), ids, subject)
    return assigned


def _complete_ratings(project: Project, subject: str) -> list[ImportedAnswer]:
    everything = set(QuestionType.objects.filter(project=project).values_list("id", flat=True))
    ratings = Rating.objects.filter(
        question__project=project,
        assignment=None,
        is_check=False,
        rater__user__isnull=False,
        rater__kind="human",
        **{f"{subject}__isnull": False},
    ).order_by("id")
    asked: dict[tuple[int, int, int], set[int]] = {}
    rows: dict[tuple[int, int, int], list[ImportedAnswer]] = defaultdict(list)
    columns = ("id", f"{subject}_id", "rater_id", "round", "created_at", "question_id", SUBJECTS[subject])
    for *row, question, of_prompt in ratings.values_list(*columns).iterator():
        answer = ImportedAnswer._make(row)
        place = (answer.subject, answer.rater, answer.round)
        asked.setdefault(place, {of_prompt} if of_prompt else set(everything)).discard(question)
        rows[place].append(answer)
    return [answer for place, answers in rows.items() if not asked[place] for answer in answers]
