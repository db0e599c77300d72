"""What people answer to the parts of a task whose layout its stage names."""

from django.db import models
from django.db.models import Q

from projects.models import Prompt, Rater, Response, ResponsePair
from workflow.models import Assignment, Stage


def one_of(*names: str) -> Q:
    """Exactly one of these is there."""
    condition = Q()
    for chosen in names:
        condition |= Q(**{f"{name}__isnull": name != chosen for name in names})
    return condition


class QuestionnaireAnswer(models.Model):
    """One rater's answers to what a stage asks (`Stage.ask`) about a response, a pair or a prompt.

    `answers` holds a value by the key of each part that was answered: of one of several the words of the answer, of
    any of several their list in the order offered, of a grade or a number the number, of free text the text, of a
    ranking the rank of each response by its UUID, from 1, the best.

    The database refuses rows across projects (triggers of migration 0022).
    """

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="questionnaire_answers")
    response = models.ForeignKey(Response, models.CASCADE, null=True, blank=True, related_name="questionnaire_answers")
    pair = models.ForeignKey(ResponsePair, models.CASCADE, null=True, blank=True, related_name="questionnaire_answers")
    prompt = models.ForeignKey(Prompt, models.CASCADE, null=True, blank=True, related_name="questionnaire_answers")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="questionnaire_answers")
    round = models.PositiveSmallIntegerField(default=1)
    answers = models.JSONField(default=dict)
    # An answer to a check (workflow.WorkItem.is_check): it says something of the rater, and counts for them alone.
    is_check = models.BooleanField(default=False)
    assignment = models.ForeignKey(
        Assignment, models.PROTECT, null=True, blank=True, related_name="questionnaire_answers"
    )
    # Of a judge's answers the run and the prompt that they came of.
    metadata = models.JSONField(default=dict, db_default={}, blank=True)
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=one_of("response", "pair", "prompt"), name="questionnaire_answer_one_subject"
            ),
            *(
                models.UniqueConstraint(
                    fields=["stage", subject, "rater", "round"], name=f"questionnaire_answer_of_{subject}_once"
                )
                for subject in ("response", "pair", "prompt")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rater_id} on {self.response_id or self.pair_id or self.prompt_id}"
