"""Groups of raters, such as the vendors that people come from."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models import Project, Rater


class RaterGroup(models.Model):
    """A group of a project's people, with a quality report of its own. People are not told of it."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="rater_groups")
    name = models.CharField(_("name"), max_length=80)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="rater_group_named_once"),
            models.CheckConstraint(condition=~Q(name=""), name="rater_group_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class GroupMember(models.Model):
    """A person's one group; the database refuses that of another project, and judges (triggers)."""

    rater = models.OneToOneField(Rater, models.CASCADE, related_name="group_member")
    group = models.ForeignKey(RaterGroup, models.CASCADE, related_name="members")

    def __str__(self) -> str:
        return f"{self.rater_id} of {self.group_id}"
