"""How a person wants to read texts that are judged."""

from django.conf import settings
from django.db import models
from django.db.models import Q

LEAST, MOST = 50, 200
PARTS = ("size", "leading", "width")


class OwnReading(models.Model):
    """Size, line height and line width in percent of the usual ones (static/src/site/theme.js). They follow the person
    to every device."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="own_reading")
    size = models.PositiveSmallIntegerField(default=100)
    leading = models.PositiveSmallIntegerField(default=100)
    width = models.PositiveSmallIntegerField(default=100)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q((f"{part}__gte", LEAST), (f"{part}__lte", MOST)), name=f"own_reading_{part}"
            )
            for part in PARTS
        ]

    def __str__(self) -> str:
        return f"reading of {self.user_id}"
