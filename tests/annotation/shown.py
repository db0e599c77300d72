"""Ratings, questions and a survey in every state, for whoever walks through all pages."""

from django.utils import timezone

from projects.models import Project, Rater
from tests.annotation.rated import pair_of, question_type, rate
from tests.annotation.rating import rating_stage, turn_of
from tests.people import add_response
from workflow.models import Assignment, ItemQuestion, Stage, Survey

PAIR_KIND = "pairs"


def ratings_to_show(project: Project, rater: Rater) -> dict[str, object]:
    """A rated pair, a rated response, and a pair that the rater has before them."""
    question = question_type(project, "warmth", dimension="warmth")
    pair = pair_of(project, "warm", question=question)
    rate(pair, rater, question, 4, 2, comment="الأول أدفى")
    alone = add_response(project, "warm-alone", "أهلا وسهلا.", "ar-EG")
    rate(alone, rater, question, 5)
    pair_of(project, "next", question=question)
    assert rater.user is not None
    turn_of(rater.user, rating_stage(project, PAIR_KIND))
    return {"pair": pair.pk, "rated-response.response": alone.uuid}


def rated_now(project: Project) -> Assignment:
    return Assignment.objects.get(stage__project=project, stage__kind=PAIR_KIND)


def questions_to_show(project: Project, turn: Assignment, stage: Stage) -> dict[str, object]:
    """A question that waits, one that was answered for everybody, and a survey that is due."""
    asked = ItemQuestion.objects.create(project=project, assignment=turn, rater=turn.rater, text="هل دي غلطة؟")
    ItemQuestion.objects.create(
        project=project,
        assignment=turn,
        rater=turn.rater,
        text="والوصف؟",
        answer="Only where the dish is named.",
        answered_at=timezone.now(),
        is_published=True,
    )
    kinds = {"scale": [], "choice": ["Cairo", "Delta"], "text": []}
    questions = [{"key": kind, "text": f"A {kind}?", "kind": kind, "choices": one} for kind, one in kinds.items()]
    Survey.objects.create(stage=stage, batch_size=1, questions=questions)
    return {"question-answer.pk": asked.pk, "my-question.pk": asked.pk}
