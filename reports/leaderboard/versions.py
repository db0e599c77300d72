"""Two frozen versions of a question set beside each other, for every model: kept until a score changes, and of many
answers computed by a worker, while the page waits and asks again."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from benchmark.access import fetch_version
from benchmark.comparing import Comparison, compare
from benchmark.models import Answer, QuestionSet
from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import OVER, Job, JobState, Queue
from jobs.working import Held
from projects.access import fetch_project
from projects.models import Project, User
from projects.problems import Invalid, Problem
from projects.requests import SignedInRequest
from reports.dashboard import cache
from reports.leaderboard.standings import state_of

VERSIONS = "question_versions"
#: So many answers are compared in about half a second (measured: 94,000 answers in 3 to 4 s on a busy machine).
FEW_ANSWERS = 10_000
LISTED = timedelta(days=1)


def key_of(before: QuestionSet, after: QuestionSet) -> str:
    return cache.key_of("versions", before.pk, after.pk, state_of(before.project))


def kept_comparison(before: QuestionSet, after: QuestionSet) -> Comparison:
    """As the scores are now."""
    key = key_of(before, after)
    return cache.remembered({"versions": key}, lambda _missing: {"versions": compare(before, after)})["versions"]


class VersionsCompared(JobKind):
    """Compares two versions and keeps what came of it."""

    name = VERSIONS
    label = gettext_lazy("Two versions compared")
    queue = Queue.FIGURES
    most_attempts = 3
    can_pause = False
    permission = "dashboard.read"

    def run(self, held: Held) -> Any:
        before, after = versions_of(held.job)
        kept_comparison(before, after)
        return {"state": state_of(before.project)}

    def describe(self, job: Job) -> str:
        return str(job.options["name"])

    def url(self, job: Job) -> str:
        try:
            before, after = versions_of(job)
        except Invalid:
            return ""
        return reverse("question-versions", args=[before.project.slug, before.slug, before.version, after.version])

    def sweep(self) -> int:
        """What was compared yesterday is of no interest in a list of jobs."""
        old = Job.objects.filter(kind=VERSIONS, state__in=OVER, heartbeat_at__lt=timezone.now() - LISTED)
        Job.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:500])).delete()
        return 0


def versions_of(job: Job) -> list[QuestionSet]:
    rows = {row.pk: row for row in QuestionSet.objects.filter(pk__in=job.options["versions"]).select_related("project")}
    if len(rows) < len(job.options["versions"]):
        raise Invalid(Problem("no_question_set", _("The question set is no longer there.")))
    return [rows[pk] for pk in job.options["versions"]]


def begin(before: QuestionSet, after: QuestionSet, by: User) -> Job:
    """The job under way; else a new one."""
    options = {"versions": [before.pk, after.pk], "name": f"{before} – {after}"}
    return add_job(VERSIONS, before.project, by, options=options, key=key_of(before, after)[-60:])


def failed_before(before: QuestionSet, after: QuestionSet) -> Job | None:
    """The job that failed on the same scores."""
    rows = Job.objects.filter(kind=VERSIONS, key=key_of(before, after)[-60:], state=JobState.FAILED)
    return rows.order_by("-pk").first()


def fetch_versions(project: Project, question_set: str, version: int, later: int) -> tuple[QuestionSet, QuestionSet]:
    """Two frozen versions of a set; Http404 also where one is a draft, which has no scores."""
    before, after = (fetch_version(project, question_set, number) for number in (version, later))
    if not (before.is_frozen and after.is_frozen):
        raise Http404
    return before, after


def compared_now(before: QuestionSet, after: QuestionSet) -> Comparison | None:
    """The comparison where it is kept, or takes no longer than a request may; else None."""
    n_answers = Answer.objects.filter(configuration__project=before.project).count()
    if n_answers <= FEW_ANSWERS or cache.are_kept([key_of(before, after)]):
        return kept_comparison(before, after)
    return None


@require_safe
@login_required
def question_versions(request: SignedInRequest, slug: str, question_set: str, version: int, later: int) -> HttpResponse:
    """The scores in both, over the questions they have in common and over all; a draft has none (404)."""
    project = fetch_project(request.user, slug, "dashboard.read")
    before, after = fetch_versions(project, question_set, version, later)
    context: dict[str, Any] = {"project": project, "question_set": before, "later": after}
    if (compared := compared_now(before, after)) is not None:
        context["compared"] = compared
    else:
        failed = None if "again" in request.GET else failed_before(before, after)
        context["job"] = failed or begin(before, after, request.user)
    return render(request, "reports/leaderboard/versions.html", context)
