"""What a project tells people about their own answers, once others have judged them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.models import Project


class CaseBook(models.TextChoices):
    """When people may look up settled cases of others."""

    CLOSED = "closed", _("Never")
    BETWEEN_ITEMS = "between_items", _("After their first answer, while no item is open before them")
    AFTER_FIRST = "after_first", _("After their first answer, at any time")


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
    case_book = models.CharField(
        _("when people may search settled cases of others"),
        max_length=13,
        choices=CaseBook.choices,
        default=CaseBook.CLOSED,
        db_default=CaseBook.CLOSED,
        help_text=_("Never of an item that they have still to answer. Whoever reads cases answers less independently."),
    )
    shares_notes = models.BooleanField(
        _("leads read people's notes to themselves"),
        default=False,
        db_default=False,
        help_text=_("Those written from then on: each person reads beside the note who else does."),
    )

    class Meta:
        verbose_name_plural = "feedback rules"
        constraints = [
            models.CheckConstraint(condition=models.Q(case_book__in=CaseBook.values), name="feedback_case_book_known")
        ]

    def __str__(self) -> str:
        return f"feedback in {self.project_id}"


def feedback_rules(project: Project | int) -> FeedbackRules:
    """The project's row, or one with the defaults that is not stored; asked by the project or its id."""
    key = project if isinstance(project, int) else project.pk
    return FeedbackRules.objects.filter(project=key).first() or FeedbackRules(project_id=key)
