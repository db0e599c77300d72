"""Whether a person's page showed the words that are stored: a save carries a hash of the words it showed.

A browser that translates a page, or an extension that rewrites it, puts other words in the place of those that are
judged; marks made on these, or grades of these, would be about a text that nobody stored.
"""

import re
from collections.abc import Sequence
from hashlib import sha256

from workflow.models import Assignment
from workflow.refusals import Refused
from workflow.task_types import task_type

# Blank characters that pages show otherwise than they are stored, as static/src/task_kit/as-shown.js has them.
SPACE = re.compile("[\t-\r \u0085\u00a0\u2028\u2029]+")
HASH_LENGTH = 64


def shown_hash(places: Sequence[str]) -> str:
    """SHA-256 of the words of a page's places, one line each, without what is blank in them, in hexadecimal."""
    return sha256("\n".join(SPACE.sub("", words) for words in places).encode()).hexdigest()


def check_shown(assignment: Assignment, shown: str) -> None:
    """`shown` is what the page said, empty where it said nothing: programs, and pages from an address to which
    browsers give no cryptography. Raises Refused where it showed other words."""
    if not shown:
        return
    places = task_type(assignment.stage.kind).judged_words(assignment)
    if places and shown != shown_hash(places):
        raise Refused("not_as_stored")
