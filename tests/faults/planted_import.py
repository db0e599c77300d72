"""`manage.py` with a defect planted in it: an import reads and checks its file within the transaction that stores it,
and nobody else can write meanwhile."""

import os
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.core.management import execute_from_command_line  # noqa: E402

from formats.importing import running  # noqa: E402

planted: Any = running
planted.can_rehearse = lambda: False

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
