"""The keys that a person has given to acts of the task screens."""

from django.conf import settings
from django.db import models


class OwnKeys(models.Model):
    """By screen, and within it by act, the key where it is not the one that the act has for everybody
    (workflow/own_keys.py). They follow the person to every device."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="own_keys")
    keys = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "own keys"

    def __str__(self) -> str:
        return f"keys of {self.user_id}"
