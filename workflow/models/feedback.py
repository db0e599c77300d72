"""What a project tells people about their own answers, once others have judged them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.models import Project


class FeedbackRules(models.Model):
    """What comes back to the people of a project. Without a row the defaults hold.

    Whatever is shown names nobody and does not tell whether a person or a judge said it.
    """

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="feedback_rules")
    shows_outcomes = models.BooleanField(
        _("people see what became of their own marks"),
        default=True,
        help_text=_("Once a mark is settled, and they have reviewed the others of the same response."),
    )
    shows_words = models.BooleanField(
        _("with what reviewers wrote"), default=False, help_text=_("Their comments and corrections, without names.")
    )
    explains_checks = models.BooleanField(
        _("checks are explained once they are over"),
        default=False,
        help_text=_("When a check is retired, or its stage is closed or locked: nobody can be given it any more."),
    )

    class Meta:
        verbose_name_plural = "feedback rules"

    def __str__(self) -> str:
        return f"feedback in {self.project_id}"


def feedback_rules(project: Project) -> FeedbackRules:
    """The project's row, or one with the defaults that is not stored."""
    return FeedbackRules.objects.filter(project=project).first() or FeedbackRules(project=project)
