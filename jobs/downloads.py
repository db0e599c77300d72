"""The file that a job made, sent part by part."""

import base64

from django.http import Http404, StreamingHttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header

from jobs.files import content_of
from jobs.kinds import job_kind
from jobs.models import Job, JobState, StoredFile
from projects.audit import record
from projects.models import User


def file_of(job: Job) -> StoredFile | None:
    """What a job made and is still there. What a job was given is no file of this kind."""
    file = getattr(job, "file", None) if job_kind(job.kind).makes_file else None
    is_there = file is not None and job.state == JobState.DONE and file.expires_at > timezone.now()
    return file if is_there else None


def download(job: Job, by: User | None) -> StreamingHttpResponse:
    """The file, and in the audit log who took it; `by` is None where only its headers are asked for. Raises Http404
    where there is no file, or no longer."""
    file = file_of(job)
    if file is None:
        raise Http404
    if by is not None:
        record("job.file_taken", actor=by, project=job.project, subject=job.uuid, kind=job.kind, sha256=file.sha256)
    response = StreamingHttpResponse(content_of(file), content_type=file.media_type)
    response["Content-Length"] = file.size
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=file.name)
    response["Repr-Digest"] = f"sha-256=:{base64.b64encode(bytes.fromhex(file.sha256)).decode()}:"
    response["X-Accel-Buffering"] = "no"
    return response
