"""Grades and preferences: what people and judges say of a response, or of two side by side."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from formats.choices import GoldRule, Preference
from projects.models import Project, QuestionType, Rater, Response, ResponsePair
from workflow.models import Assignment


class UnparseablePolicy(models.TextChoices):
    """What an unreadable verdict of a judge counts as."""

    EXCLUDED = "excluded", _("Left out, and counted beside")
    WRONG = "wrong", _("Wrong")
    TIE = "tie", _("A tie")


class RatingSettings(models.Model):
    """How a project rates. Without a row the defaults hold."""

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="rating_settings")
    asks_preference = models.BooleanField(_("raters may also say which response they prefer"), default=True)
    asks_comment = models.BooleanField(_("raters may leave a comment"), default=True)
    gold_rule = models.CharField(_("gold rule"), max_length=20, choices=GoldRule.choices, default=GoldRule.MAJORITY)
    unparseable = models.CharField(
        _("unreadable verdicts"), max_length=10, choices=UnparseablePolicy.choices, default=UnparseablePolicy.EXCLUDED
    )

    class Meta:
        verbose_name_plural = "rating settings"
        constraints = [
            models.CheckConstraint(condition=Q(gold_rule__in=GoldRule.values), name="rating_gold_rule_known"),
            models.CheckConstraint(condition=Q(unparseable__in=UnparseablePolicy.values), name="rating_policy_known"),
        ]

    def __str__(self) -> str:
        return f"ratings of {self.project_id}"


NO_GRADES = Q(first_grade=None, second_grade=None)
OF_RESPONSE = Q(
    pair=None, response__isnull=False, second_grade=None, preference="", is_swapped=False, is_of_both_orders=False
) & Q(Q(first_grade__isnull=False, is_unparseable=False) | Q(first_grade=None, is_unparseable=True))
OF_PAIR = Q(pair__isnull=False, response=None) & (
    Q(first_grade__isnull=False, second_grade__isnull=False, is_unparseable=False)
    | NO_GRADES & ~Q(preference="") & Q(is_unparseable=False)
    | NO_GRADES & Q(preference="", is_unparseable=True)
)


class Rating(models.Model):
    """One rater's answer to one question type, on one response or on the two of a pair.

    `first_grade`, `second_grade` and `preference` speak of the pair's `first` and `second`, whichever was shown
    first; `is_swapped` says that the second was. People see one order; a judge that is asked in both gives two
    rows of one round (`is_of_both_orders`). A judge's grade may be a fraction where it is an expectation.

    The database refuses grades off the question's scale and rows across projects (triggers of migration 0006).
    """

    question = models.ForeignKey(QuestionType, models.PROTECT, related_name="ratings")
    pair = models.ForeignKey(ResponsePair, models.CASCADE, null=True, blank=True, related_name="ratings")
    response = models.ForeignKey(Response, models.CASCADE, null=True, blank=True, related_name="ratings")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="ratings")
    round = models.PositiveSmallIntegerField(default=1)
    is_swapped = models.BooleanField(default=False)
    is_of_both_orders = models.BooleanField(default=False)
    first_grade = models.FloatField(null=True, blank=True)
    second_grade = models.FloatField(null=True, blank=True)
    # What the rater said outright; what the grades say is inferred where it is needed.
    preference = models.CharField(max_length=6, choices=Preference.choices, blank=True)
    # A judge answered, and no verdict could be read from it: it has no grade and no preference.
    is_unparseable = models.BooleanField(default=False)
    # A person's comment, or a judge's reasoning.
    comment = models.TextField(blank=True)
    # An answer to a check (workflow.WorkItem.is_check): it says something of the rater, and counts for them alone.
    is_check = models.BooleanField(default=False)
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, blank=True, related_name="ratings")
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # Of a judge that says how sure it is: of a response the chance of every grade of the scale, ascending; of a pair of
    # a win of the first, a tie, and a win of the second. Checked by annotation/pairs/checking.py.
    probabilities = models.JSONField(null=True, blank=True)
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=OF_RESPONSE | OF_PAIR, name="rating_of_one_or_two"),
            models.CheckConstraint(
                condition=Q(preference__in=["", *Preference.values]), name="rating_preference_known"
            ),
            models.UniqueConstraint(fields=["response", "question", "rater", "round"], name="rating_of_response_once"),
            models.UniqueConstraint(
                fields=["pair", "question", "rater", "round"],
                condition=Q(is_of_both_orders=False),
                name="rating_of_pair_once",
            ),
            models.UniqueConstraint(
                fields=["pair", "question", "rater", "round", "is_swapped"], name="rating_of_order_once"
            ),
        ]
        indexes = [
            models.Index(fields=["question", "pair"], name="rating_of_pairs"),
            models.Index(fields=["rater", "question"], name="rating_of_rater"),
        ]

    def __str__(self) -> str:
        return f"{self.rater_id} on {self.pair_id or self.response_id}"
