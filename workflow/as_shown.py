"""Whether a person's page showed the text that is stored: a save carries a hash of the words it showed.

A browser that translates a page, or an extension that rewrites it, puts other words in the place of those that are
judged; marks made on these would be about a text that nobody stored.
"""

import re
from hashlib import sha256

from projects.anchors import paragraphs
from workflow.models import Assignment
from workflow.refusals import Refused
from workflow.task_types import task_type

# Blank characters that pages show otherwise than they are stored, as static/src/task_kit/as-shown.js has them.
SPACE = re.compile("[\t-\r \u0085\u00a0\u2028\u2029]+")
HASH_LENGTH = 64


def shown_hash(text: str) -> str:
    """SHA-256 of the words of a text that is drawn paragraph by paragraph, without what is blank, in hexadecimal."""
    drawn = "".join(text[start:end] for start, end in paragraphs(text)) or text
    return sha256(SPACE.sub("", drawn).encode()).hexdigest()


def check_shown(assignment: Assignment, shown: str) -> None:
    """`shown` is what the page said, empty where it said nothing: programs, and pages from an address to which
    browsers give no cryptography. Raises Refused where it showed another text."""
    response = assignment.item.response
    if not shown or response is None or not task_type(assignment.stage.kind).shows_text:
        return
    if shown != shown_hash(response.text):
        raise Refused("not_as_stored")
