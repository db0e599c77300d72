"""How long a program wants its answer held back for a job: the parameter `wait`, alike wherever there is one."""

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from jobs.long_polling import wait_for
from jobs.models import Job

MAX_WAIT_SECONDS = 30

WAIT = OpenApiParameter(
    "wait", OpenApiTypes.INT, description=f"seconds to wait for what takes long, 0 to {MAX_WAIT_SECONDS}"
)


def wait_of(request: Request) -> int:
    """Raises ValidationError (400) for what is no number of seconds."""
    wait = request.query_params.get(WAIT.name, "0")
    if not wait.isascii() or not wait.isdigit() or len(wait) > 4:
        message = _("Whole seconds are expected, %(most)d at most.") % {"most": MAX_WAIT_SECONDS}
        raise ValidationError({WAIT.name: message})
    return min(int(wait), MAX_WAIT_SECONDS)


def awaited(job: Job, seconds: int) -> Job:
    """The job when it is over, or after so many seconds; at once where too many wait already."""

    def is_over() -> bool:
        job.refresh_from_db()
        return job.is_over

    if not job.is_over:
        wait_for(is_over, seconds)
    return job
