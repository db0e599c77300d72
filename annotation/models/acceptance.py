"""Proposals that are accepted unseen, after people decided on a sample of them drawn by lot."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.refinement import Refinement
from annotation.models.spans import Classification, ErrorGroup, GroupProposal
from projects.models import Project, Rater, Response


class ProposalKind(models.TextChoices):
    CATEGORIES = "categories", _("Categories")
    GROUPS = "groups", _("Groups")
    REFINEMENTS = "refinements", _("Refinements")


class Acceptance(models.Model):
    """A sample of what one judge (or the overlap rule, as nobody) proposed, and what became of the rest.

    `drawn` and `rest` are how many proposals were drawn and how many were not, as they waited then. `decided` and
    `wrong` are what people made of the sample by the time that it was settled; `accepted` is how many of the rest were
    accepted unseen, 0 again once that was taken back.
    """

    class State(models.TextChoices):
        DRAWN = "drawn", _("Sample under way")
        ACCEPTED = "accepted", _("Accepted unseen")
        REFUSED = "refused", _("To be decided one by one")
        TAKEN_BACK = "taken_back", _("Taken back")

    project = models.ForeignKey(Project, models.CASCADE, related_name="acceptances")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=ProposalKind.choices)
    proposer = models.ForeignKey(Rater, models.PROTECT, null=True, blank=True, related_name="+")
    seed = models.PositiveIntegerField()
    drawn = models.PositiveIntegerField()
    rest = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAWN)
    decided = models.PositiveIntegerField(null=True, blank=True)
    wrong = models.PositiveIntegerField(null=True, blank=True)
    accepted = models.PositiveIntegerField(default=0)
    reason = models.TextField(blank=True)
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="acceptance_numbered"),
            models.UniqueConstraint(
                fields=["project", "kind", "proposer"], condition=Q(state="drawn"), name="acceptance_one_sample"
            ),
            models.UniqueConstraint(
                fields=["project", "kind"], condition=Q(state="drawn", proposer=None), name="acceptance_one_of_rule"
            ),
            models.CheckConstraint(condition=Q(kind__in=ProposalKind.values), name="acceptance_kind_known"),
            models.CheckConstraint(
                condition=Q(state="drawn", decided=None, wrong=None, settled_at=None)
                | (~Q(state="drawn") & Q(settled_at__isnull=False, decided__gte=F("wrong"), drawn__gte=F("decided"))),
                name="acceptance_settled_on_a_count",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id}: {self.number}"


class AcceptanceMembers(models.QuerySet["AcceptanceMember"]):
    def in_open_samples(self) -> Self:
        """What people are to decide on before its rest may be accepted."""
        return self.filter(is_drawn=True, acceptance__state=Acceptance.State.DRAWN)


class AcceptanceMember(models.Model):
    """A proposal that waited when a sample was drawn: one of the sample (`is_drawn`), or of the rest.

    `is_accepted` holds while what was accepted unseen stands as it was: nobody has decided on it since. `made_group` is
    the group that a proposed one became then.
    """

    acceptance = models.ForeignKey(Acceptance, models.CASCADE, related_name="members")
    response = models.ForeignKey(Response, models.CASCADE, related_name="+")
    classification = models.ForeignKey(
        Classification, models.CASCADE, null=True, blank=True, related_name="acceptance_members"
    )
    group_proposal = models.ForeignKey(
        GroupProposal, models.CASCADE, null=True, blank=True, related_name="acceptance_members"
    )
    refinement = models.ForeignKey(Refinement, models.CASCADE, null=True, blank=True, related_name="acceptance_members")
    made_group = models.ForeignKey(ErrorGroup, models.SET_NULL, null=True, blank=True, related_name="accepted_as")
    is_drawn = models.BooleanField()
    is_accepted = models.BooleanField(default=False)

    objects = AcceptanceMembers.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["acceptance", "classification"], name="acceptance_category_once"),
            models.UniqueConstraint(fields=["acceptance", "group_proposal"], name="acceptance_group_once"),
            models.UniqueConstraint(fields=["acceptance", "refinement"], name="acceptance_refinement_once"),
            models.CheckConstraint(
                condition=Q(classification__isnull=False, group_proposal=None, refinement=None)
                | Q(classification=None, group_proposal__isnull=False, refinement=None)
                | Q(classification=None, group_proposal=None, refinement__isnull=False),
                name="acceptance_of_one_proposal",
            ),
            models.CheckConstraint(condition=~Q(is_drawn=True, is_accepted=True), name="acceptance_unseen_alone"),
        ]
        indexes = [models.Index(fields=["response"], condition=Q(is_accepted=True), name="accepted_of_response")]

    def __str__(self) -> str:
        return f"{self.acceptance_id}: {self.classification_id or self.group_proposal_id or self.refinement_id}"
