"""Why a person may leave an item for good."""

from django.db import models
from django.utils.translation import gettext_lazy as _

# Among the reasons of any kind of work, the one that says nothing by itself.
OTHER = "other"
# Marks an assignment that a lead took away, beside the reasons a person gives for skipping.
REASSIGNED = "reassigned"
# Marks one that its person left unread at the veil before it: it does not come to them again, and nobody is told.
UNREAD = "unread"


class SkipReason(models.TextChoices):
    NOT_MY_LANGUAGE = "not_my_language", _("It is not in my language")
    UNREADABLE = "unreadable", _("The text is broken or cannot be read")
    DO_NOT_KNOW = "do_not_know", _("I do not know enough about this")
    UPSETTING = "upsetting", _("I would rather not work on this text")
    OTHER = "other", _("Another reason")
