"""Keys of providers, by name: from the environment, else from the file SECRETS_FILE (NAME=value lines).

A key is read where a client is made and goes nowhere else: no row, no log line, no message holds it.
"""

import os
import re
from pathlib import Path

from django.conf import settings

LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$")


class KeyMissing(Exception):
    """No key of this name is set. The message names the name, and says where to put the key."""


def read_key(name: str) -> str:
    """The key, or an empty string for an endpoint that needs none. Raises KeyMissing where it is not set."""
    if not name:
        return ""
    key = os.environ.get(name) or secrets_file().get(name, "")
    if not key:
        raise KeyMissing(name)
    return key


def is_set(name: str) -> bool:
    try:
        return bool(read_key(name)) or not name
    except KeyMissing:
        return False


def secrets_file() -> dict[str, str]:
    if not settings.SECRETS_FILE:
        return {}
    try:
        lines = Path(settings.SECRETS_FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    matches = (LINE.match(line) for line in lines if not line.lstrip().startswith("#"))
    return {match[1]: match[2].strip("\"'") for match in matches if match}
