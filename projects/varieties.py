"""The language varieties that ship with Mizan, kept as data."""

import json
from pathlib import Path

from projects.models import LanguageVariety

SHIPPED = Path(__file__).parent / "data" / "varieties.json"


def add_shipped_varieties(using: str = "default") -> None:
    """Insert those whose tag is not there yet."""
    rows = json.loads(SHIPPED.read_text(encoding="utf-8"))
    LanguageVariety.objects.using(using).bulk_create([LanguageVariety(**row) for row in rows], ignore_conflicts=True)
