"""A set that is checked: its stage, the turns of people at it, and what they hand in. All questions are our own."""

import hashlib

from benchmark.models import Answer, Configuration, ModelCard, Question, QuestionSet
from benchmark.question_check.checking import blank
from projects.anchors import sha256
from projects.models import Laboratory, Project, Response, TargetModel, User
from tests.benchmark.sets import open_line, question_line, set_of
from tests.people import signed_in
from tests.workflow.working import post_json, put_draft, submit
from workflow.claims import claim_another, claim_next
from workflow.models import Assignment, Stage
from workflow.planning import plan_items

REFERENCE = "الشاي مشروب دافئ يحبه الناس."


def draft_set(project: Project, *lines: dict, **changes) -> QuestionSet:
    """A draft in Egyptian Arabic: the capital and the tea, or these."""
    Project.objects.filter(pk=project.pk).update(areas=["leaderboard"])
    asked = lines or (question_line(), open_line())
    return set_of(project, *({"variety": "ar-EG", **line} for line in asked), **changes)


def check_stage(project: Project, overlap: int = 2) -> Stage:
    number = Stage.objects.filter(project=project, kind="question_check").count() + 1
    stage = Stage.objects.create(project=project, kind="question_check", name=f"Checks {number}", overlap=overlap)
    plan_items(stage)
    return stage


def turn_of(user: User, stage: Stage, key: str) -> Assignment:
    """The person's turn at the question of this key; those before it in the queue are taken and left begun."""
    rater = user.raters.get()
    while turn := claim_another(rater, stage):
        if Question.objects.filter(prompt=turn.item.prompt_id, key=key).exists():
            return turn
    return Assignment.objects.get(
        stage=stage, rater=rater, item__prompt__benchmark_questions__key=key, item__stage=stage
    )


def own_turn(user: User, stage: Stage) -> Assignment:
    turn = claim_next(user.raters.get(), stage)
    assert turn is not None
    return turn


def answered(user: User, turn: Assignment, text: str = "أظن أنها عمّان") -> dict:
    answer = post_json(signed_in(user), turn, "own-answer", text=text)
    assert answer.status_code == 200, answer.content
    return answer.json()


def said(decision: str = "keep", **changes) -> dict:
    return {**blank(), "decision": decision, "is_aligned": True, "fault": "", **changes}


def checked(user: User, stage: Stage, key: str, decision: str = "keep", **changes) -> Assignment:
    """The person has checked the question of this key."""
    turn = turn_of(user, stage, key)
    answered(user, turn)
    answer = submit(signed_in(user), turn, 0, said(decision, **changes))
    assert answer.status_code == 200, answer.content
    return turn


def configuration(project: Project, name: str) -> Configuration:
    laboratory, _ = Laboratory.objects.get_or_create(slug="delta-lab", defaults={"name": "Delta Lab"})
    target, _ = TargetModel.objects.get_or_create(name=name, defaults={"laboratory": laboratory})
    slug = name.lower().replace(" ", "-")
    of_card = {"laboratory": laboratory, "slug": slug, "access": "api"}
    card, _ = ModelCard.objects.get_or_create(project=project, name=name, defaults=of_card)
    row, _ = Configuration.objects.get_or_create(
        project=project, target_model=target, defaults={"slug": slug, "name": name, "card": card}
    )
    return row


def answer_of(who: Configuration, question: Question, text: str) -> Answer:
    """What a configuration answered, as a response of its model."""
    key = hashlib.sha256(f"{who.pk} {question.prompt_id}".encode()).hexdigest()[:20]
    response = Response.objects.create(
        project_id=who.project_id,
        prompt=question.prompt,
        target_model=who.target_model,
        variety=question.prompt.variety,
        key=key,
        text=text,
        text_sha256=sha256(text),
    )
    return Answer.objects.create(configuration=who, prompt=question.prompt, response=response)


__all__ = ["post_json", "put_draft", "submit"]
