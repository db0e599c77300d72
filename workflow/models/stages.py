"""The stages of a project: one kind of work each, with who does how much of it and until when."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from projects.models import Project, QuestionType
from projects.models.shipped import Named


class Policy(models.TextChoices):
    UNANIMOUS = "unanimous", _("All must keep it")
    MAJORITY = "majority", _("More must keep than reject it")
    ANY = "any", _("One who keeps it suffices")


class Layout(models.TextChoices):
    """Where a screen shows the prompt of the response that is worked on."""

    ABOVE = "above", _("Above the response")
    BESIDE = "beside", _("Beside the response")


class Stage(Named, models.Model):
    """One kind of work in a project. `kind` names a task type registered in workflow/task_types.py."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="stages")
    kind = models.CharField(max_length=20)
    name = models.CharField(_("name"), max_length=80)
    position = models.PositiveSmallIntegerField(default=1)
    overlap = models.PositiveSmallIntegerField(_("raters per item"), default=2)
    lease_minutes = models.PositiveSmallIntegerField(_("minutes an item is held for one person"), default=120)
    policy = models.CharField(_("policy"), max_length=10, choices=Policy.choices, default=Policy.UNANIMOUS)
    # A reviewer who reads the words first may know whose they are: the first verdict is on the mark alone.
    verdict_first = models.BooleanField(
        _("first verdict before the explanation is shown"), default=False, db_default=False
    )
    is_open = models.BooleanField(_("open for work"), default=True)
    # Answers of a locked stage can no longer be amended by those who gave them.
    locked_at = models.DateTimeField(null=True, blank=True)
    seed = models.PositiveIntegerField(default=0)
    # Checks of eligibility (workflow/eligibility.py) are asked before its items are handed out. A room that sets up
    # the first of them for a stage says so here, so that no other stage's claims cost anything.
    is_screened = models.BooleanField(default=False, db_default=False)
    # Of kinds that take a score (workflow.task_types.TaskType.takes_score): the question type on whose scale the whole
    # response is scored in the same answer.
    scored_on = models.ForeignKey(
        QuestionType, models.PROTECT, null=True, blank=True, related_name="scored_stages", verbose_name=_("score")
    )
    layout = models.CharField(
        _("prompt"), max_length=10, choices=Layout.choices, default=Layout.ABOVE, db_default=Layout.ABOVE
    )
    # Of kinds whose screen is made of parts (workflow.task_types.TaskType.takes_layout): what it shows and asks, as
    # formats/layout.py has it.
    show = models.JSONField(default=list, db_default=[], blank=True)
    ask = models.JSONField(default=list, db_default=[], blank=True)
    # One more person is asked about an item whose answer somebody was unsure of, once, up to so many in all.
    most_when_unsure = models.PositiveSmallIntegerField(
        _("one rater more where somebody is unsure, up to"), null=True, blank=True
    )
    # Until when its work is to be done, and in whose zone the lead said so. Nothing ends then unless the lead wants it:
    # `closes_when_due` is taken back by what it asks for (workflow/due_dates.py), so that a stage can be opened again.
    due_at = models.DateTimeField(null=True, blank=True)
    due_zone = models.CharField(max_length=64, blank=True, default="", db_default="")
    closes_when_due = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["project", "position"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="stage_name_unique"),
            models.CheckConstraint(condition=Q(overlap__gte=1), name="stage_overlap_positive"),
            models.CheckConstraint(condition=Q(lease_minutes__gte=1), name="stage_lease_positive"),
            models.CheckConstraint(condition=Q(policy__in=Policy.values), name="stage_policy_known"),
            models.CheckConstraint(condition=Q(layout__in=Layout.values), name="stage_layout_known"),
            models.CheckConstraint(
                condition=Q(most_when_unsure=None) | Q(most_when_unsure__gt=F("overlap")),
                name="stage_unsure_above_overlap",
            ),
            models.CheckConstraint(
                condition=Q(due_at=None, due_zone="") | (Q(due_at__isnull=False) & ~Q(due_zone="")),
                name="stage_due_in_a_zone",
            ),
            models.CheckConstraint(
                condition=Q(closes_when_due=False) | Q(due_at__isnull=False), name="stage_closes_at_a_date"
            ),
        ]
        indexes = [models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="stage_due")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_over(self) -> bool:
        return self.due_at is not None and self.due_at <= timezone.now()

    @property
    def takes_work(self) -> bool:
        """Open and not locked; a stage that closes when it is due takes nothing from that moment on, whenever the clock
        comes round to close it."""
        return self.is_open and self.locked_at is None and not (self.closes_when_due and self.is_over)
