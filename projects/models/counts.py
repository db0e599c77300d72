"""What limits count while the shared cache fails; see projects/throttling.py."""

from django.db import models


class WindowCount(models.Model):
    """How often something was done within a time that ends at `ends_at` (seconds since 1970)."""

    # A keyed hash of what is counted, and of whom.
    place = models.CharField(max_length=64, primary_key=True)
    n = models.PositiveIntegerField()
    ends_at = models.FloatField(db_index=True)

    def __str__(self) -> str:
        return f"{self.n} until {self.ends_at:.0f}"
