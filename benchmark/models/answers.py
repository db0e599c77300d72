"""What configurations answered, and what each answer is worth: by fixed rules, by rules, by judges and by people.

A score belongs to what it depends on and not to a version of a set: `target_sha256` is that of a question or of a use
of a rule (benchmark/targets.py). Versions in which a question is the same share its scores, and a version in which it
changed asks for new ones.
"""

from django.db import models
from django.db.models import Q

from agreement.answers.states import State
from benchmark.models.configurations import Configuration
from projects.models import Prompt, Rater, Response


class Answer(models.Model):
    """What a configuration answered to a prompt, once; also that nothing came, or that it was cut off or refused.

    `response` holds the text where there is one to be scored; `text` what came otherwise. `reasoning` was sent apart.
    """

    configuration = models.ForeignKey(Configuration, models.CASCADE, related_name="answers")
    prompt = models.ForeignKey(Prompt, models.PROTECT, related_name="answers")
    response = models.OneToOneField(Response, models.PROTECT, null=True, blank=True, related_name="answer")
    text = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)
    is_cut = models.BooleanField(default=False)
    is_refusal = models.BooleanField(default=False)
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["configuration", "prompt"], name="answer_once"),
            models.CheckConstraint(condition=Q(response=None) | Q(text=""), name="answer_text_once"),
        ]
        indexes = [models.Index(fields=["prompt", "configuration"], name="answer_by_prompt")]

    def __str__(self) -> str:
        return f"{self.configuration_id} on {self.prompt_id}"

    @property
    def content(self) -> str:
        """What came, word for word."""
        return self.text if self.response is None else self.response.text


class Ruling(models.Model):
    """What the fixed rules say of an answer to a question (agreement/answers/fixed.py).

    `decided` is the question's score where a fixed rule gives it, and `fixed_by` that rule; otherwise its rules go on
    and give at most `limit`.
    """

    answer = models.ForeignKey(Answer, models.CASCADE, related_name="rulings")
    target_sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=[(state.value, state.value) for state in State])
    decided = models.FloatField(null=True, blank=True)
    fixed_by = models.CharField(max_length=40, blank=True)
    limit = models.FloatField(default=10.0)
    limited_by = models.CharField(max_length=40, blank=True)
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["target_sha256", "answer"], name="ruling_once"),
            models.CheckConstraint(condition=Q(state__in=[state.value for state in State]), name="ruling_state_known"),
            models.CheckConstraint(
                condition=Q(decided=None, fixed_by="") | (Q(decided__gte=0, decided__lte=10) & ~Q(fixed_by="")),
                name="ruling_decided_by_a_rule",
            ),
            models.CheckConstraint(condition=Q(limit__gte=0, limit__lte=10), name="ruling_limit_in_range"),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id}: {self.state}"


class RuleScore(models.Model):
    """The score of an answer by a use of a rule, or by a person for the question as a whole; or why there is none.

    `rater` is None where the rule computed it. `is_as_published` marks what the paper's own reading gives where it is
    another (the last three lines of a choice), for the column of that name alone.
    """

    answer = models.ForeignKey(Answer, models.CASCADE, related_name="scores")
    target_sha256 = models.CharField(max_length=64)
    rater = models.ForeignKey(
        Rater, models.PROTECT, null=True, blank=True, related_name="rule_scores", db_index=False
    )  # `score_by_rater` is its index
    round = models.PositiveSmallIntegerField(default=1)
    is_as_published = models.BooleanField(default=False)
    value = models.FloatField(null=True, blank=True)
    problem = models.CharField(max_length=200, blank=True)
    # What explains it: a rule's own detail, a judge's words (`reason`), a person's note.
    detail = models.JSONField(default=dict, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["target_sha256", "answer", "rater", "round"],
                condition=Q(rater__isnull=False),
                name="score_once_by_rater",
            ),
            models.UniqueConstraint(
                fields=["target_sha256", "answer", "is_as_published"],
                condition=Q(rater=None),
                name="score_once_by_rule",
            ),
            models.CheckConstraint(
                condition=Q(value=None) & ~Q(problem="") | Q(value__gte=0, value__lte=10, problem=""),
                name="score_or_problem",
            ),
            models.CheckConstraint(
                condition=Q(rater__isnull=False, is_as_published=False) | Q(rater=None, round=1),
                name="score_of_a_rule_has_no_round",
            ),
            models.CheckConstraint(condition=Q(round__gte=1), name="score_round_positive"),
        ]
        # Not of what rules computed: SQLite would go through all of that, of every question, to find that of ten.
        indexes = [
            models.Index(fields=["rater", "round"], name="score_by_rater", condition=Q(rater__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id}: {self.value}"
