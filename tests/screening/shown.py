"""Screening in every state, for whoever walks through all pages: a quiz, an attempt, an interview, a check, a pause."""

import uuid

from projects.models import Project, Rater
from screening.models import CheckSettings, GroupMember, Interview, Pause, QuizQuestion, RaterGroup
from screening.quiz.taking import begin, submit
from tests.annotation.rated import pair_of, question_type
from tests.people import EGYPTIAN, add_response
from tests.screening.quizzes import SUHOOR, add_check, choice, five_statements, right_answers
from workflow.models import Stage


def screening_to_show(project: Project, rater: Rater, stage: Stage) -> dict[str, object]:
    """Arguments of the addresses of screening; the rater has failed once, tries again, and is paused."""
    Project.objects.filter(pk=project.pk).update(areas=[*{*project.areas, "ratings"}])
    quiz = five_statements(stage, retraining="Read **rule 3**.", introduction="Five minutes.")
    choice(quiz, "What is in it?", ["Rice", "Lentils"], ["Fish"])
    koshari, start = add_response(project, "koshari-sample", EGYPTIAN, "ar-EG"), EGYPTIAN.index(SUHOOR)
    gold: dict[str, object] = {"gold": [[start, start + len(SUHOOR)]]}
    QuizQuestion.objects.create(quiz=quiz, kind="spans", text="Mark.", response=koshari, content=gold)
    pair = pair_of(project, "shown", question=question_type(project, "shown", dimension="shown"))
    gold = {"gold": {"first": 4, "second": 2, "preference": ""}}
    fields = {"pair": pair, "question_type": pair.prompt.question, "content": gold}
    last = QuizQuestion.objects.create(quiz=quiz, kind="rating", text="Rate.", **fields)
    failed = begin(rater, quiz)
    submit(failed, uuid.uuid4(), right_answers(failed, wrong=5))
    CheckSettings.objects.create(stage=stage, retraining="Read on.")
    add_check(stage, koshari, SUHOOR)
    Pause.objects.create(stage=stage, rater=rater, right=1, n=8, mark=70)
    GroupMember.objects.create(group=RaterGroup.objects.create(project=project, name="Vendor"), rater=rater)
    return {
        "interview": Interview.objects.create(stage=stage, step=20).pk,
        "quiz_id": quiz.pk,
        "attempt": begin(rater, quiz).uuid,
        "quiz-question-add.kind": "rating",
        "quiz-question.question": last.pk,
    }
