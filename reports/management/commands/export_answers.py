"""`manage.py export_answers PROJECT --to DIR`: what was answered, rejected or kept, as tables.

The same tables as `manage.py frames`, under the name that one looks for beside `export_gold`.
"""

from reports.frames.files import JSONL
from reports.management.commands import frames


class Command(frames.Command):
    help = "Write every answer, also what is not gold, a table of each kind: JSON Lines, CSV or Parquet."
    default_format = JSONL
