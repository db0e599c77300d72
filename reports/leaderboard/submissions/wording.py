"""A submission's card and how it is run, as lines for people; what was left empty is left out."""

from typing import Any

from benchmark.models import Access, Submission
from benchmark.submissions.values import CARD_FIELDS, RUN_FIELDS, SAMPLING, How, SubmissionForm

CHOICES = {**dict(Access.choices), **dict(How.choices)}


def card_lines(submission: Submission) -> list[tuple[str, str]]:
    """Labels of the form with what was said, in the form's order."""
    said: dict[str, Any] = {**submission.card, **submission.run, **submission.run.get("sampling", {})}
    names = (*CARD_FIELDS, *RUN_FIELDS, *SAMPLING, "thinking_effort", "token_limit")
    fields = SubmissionForm.base_fields
    return [
        (str(fields[name].label), str(CHOICES.get(said[name], said[name])))
        for name in names
        if name != "needs_key" and said.get(name) not in (None, "", False)
    ]
