"""What is wrong with something a person or a file handed in, said so that it can be mended.

Every room that validates input collects problems and raises them together: a person sees all that is missing
at once, and a file is refused with every faulty line named.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm

from projects.enumeration import in_parts


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong. `code` is stable and for programs, `message` is translated and for people."""

    code: str
    message: str
    field: str = ""
    line: int | None = None
    span: str | None = None

    def as_json(self) -> dict:
        return asdict(self)

    def __str__(self) -> str:
        place = []
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.field:
            place.append(self.field)
        return f"{', '.join(place)}: {self.message}" if place else str(self.message)


class Invalid(Exception):
    """Input was refused and nothing of it was stored."""

    def __init__(self, problems: Iterable[Problem] | Problem):
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__(in_parts(self.problems[:5]))


def problems_of_form(form: BaseForm) -> list[Problem]:
    """What a form found wrong, for programs; what concerns no field alone has none."""
    return [
        Problem(error.code or "invalid", message, "" if field == NON_FIELD_ERRORS else field)
        for field, errors in form.errors.as_data().items()
        for error in errors
        for message in error.messages
    ]
