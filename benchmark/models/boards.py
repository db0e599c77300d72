"""What is ranked, by whose judgement, and who may read it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from benchmark.models.sets import QuestionSet
from projects.models import Project, Rater

#: Points of 10.
DRIFT_LIMIT = 0.5


class Board(models.Model):
    """The board of a project. `question_set` None: the newest frozen version; `judges` none: every judge from a
    laboratory that is not on the board.

    `published_judge` scores the column "as published", one judge for all. Where `is_open`, everybody reads the board
    at `/boards/SLUG/` without an account.
    """

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="board")
    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    question_set = models.ForeignKey(QuestionSet, models.PROTECT, null=True, blank=True, related_name="boards")
    judges = models.ManyToManyField(Rater, blank=True, related_name="boards")
    published_judge = models.ForeignKey(Rater, models.SET_NULL, null=True, blank=True, related_name="+")
    is_open = models.BooleanField(default=False)
    takes_submissions = models.BooleanField(default=False)
    # Billionths of a dollar, and tokens, that one month's submissions may cost; None: no limit.
    submission_money = models.BigIntegerField(null=True, blank=True)
    submission_tokens = models.BigIntegerField(null=True, blank=True)
    # A question retires once so many laboratories' endpoints and judges have seen it; None: never.
    max_exposures = models.PositiveIntegerField(null=True, blank=True)
    # Points of 10 by which a judge's mean of the anchor answers may move before new ranks pause.
    drift_limit = models.FloatField(default=DRIFT_LIMIT)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(slug="") & ~Q(title=""), name="board_named"),
            models.CheckConstraint(
                condition=Q(drift_limit__gt=0, drift_limit__lte=10), name="board_drift_limit_in_range"
            ),
            models.CheckConstraint(
                condition=Q(submission_money=None) | Q(submission_money__gte=0), name="board_money_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(submission_tokens=None) | Q(submission_tokens__gte=0), name="board_tokens_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class FrozenControl(models.Model):
    """The regression on length and format of a version (agreement/length_control.py), as it was when it was frozen: a
    newcomer moves nobody."""

    question_set = models.OneToOneField(QuestionSet, models.CASCADE, primary_key=True, related_name="control")
    control = models.JSONField()
    n_configurations = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.question_set_id)


class AcceptedDrift(models.Model):
    """A lead takes a judge as its anchors showed it in this pass (the `round` of their scores) and says why: what it
    scored until then counts, and later passes are compared with this one."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="accepted_drifts")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="accepted_drifts")
    anchor_pass = models.PositiveSmallIntegerField()
    reason = models.TextField()
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    accepted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rater", "anchor_pass"], name="drift_accepted_once"),
            models.CheckConstraint(condition=~Q(reason="") & Q(anchor_pass__gte=1), name="accepted_drift_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.rater_id} as in pass {self.anchor_pass}"
