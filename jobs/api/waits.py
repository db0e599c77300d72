"""How long a program wants its answer held back for a job: the parameter `wait`, alike wherever there is one."""

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from jobs.api.imports import LONGEST_WAIT_SECONDS

WAIT = OpenApiParameter(
    "wait", OpenApiTypes.INT, description=f"seconds to wait for what takes long, 0 to {LONGEST_WAIT_SECONDS}"
)


def wait_of(request: Request) -> int:
    """Raises ValidationError (400) for what is no number of seconds."""
    wait = request.query_params.get(WAIT.name, "0")
    if not wait.isascii() or not wait.isdigit() or len(wait) > 4:
        message = _("Whole seconds are expected, %(most)d at most.") % {"most": LONGEST_WAIT_SECONDS}
        raise ValidationError({WAIT.name: message})
    return min(int(wait), LONGEST_WAIT_SECONDS)
