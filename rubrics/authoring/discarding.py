"""Why an author gives a rubric up for good. What was written stays readable, as discarded."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from workflow.skipping import OTHER


class DiscardReason(models.TextChoices):
    TOO_EASY = "too_easy", _("Models answer the prompt too well")
    NO_SURE_ANSWER = "no_sure_answer", _("There is no answer one can be sure of")
    WRITTEN_ALREADY = "written_already", _("There is a rubric about this already")
    UPSETTING = "upsetting", _("I would rather not work on this text")
    OTHER = OTHER, _("Another reason")
