"""Two frozen versions of a question set beside each other, for every model: kept until a score changes, and of many
answers computed by a worker, while the page waits and asks again."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from benchmark.access import fetch_set
from benchmark.comparing import Comparison, compare
from benchmark.models import Answer, QuestionSet
from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import OVER, Job, JobState, Queue
from jobs.working import Held
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


def begin(request: SignedInRequest, before: QuestionSet, after: QuestionSet) -> Job:
    """The job under way, or the one that failed on the same scores; else a new one."""
    key = key_of(before, after)[-60:]
    failed = Job.objects.filter(kind=VERSIONS, key=key, state=JobState.FAILED).order_by("-pk").first()
    if failed is not None and "again" not in request.GET:
        return failed
    options = {"versions": [before.pk, after.pk], "name": f"{before} – {after}"}
    return add_job(VERSIONS, before.project, request.user, options=options, key=key)


@require_safe
@login_required
def question_versions(request: SignedInRequest, slug: str, question_set: str, version: int, later: int) -> HttpResponse:
    """The scores in both, over the questions they have in common and over all; a draft has none (404)."""
    before = fetch_set(request.user, slug, question_set, version, "dashboard.read")
    after = get_object_or_404(before.project.question_sets, slug=question_set, version=later)
    if not (before.is_frozen and after.is_frozen):
        raise Http404
    after.project = before.project
    context: dict[str, Any] = {"project": before.project, "question_set": before, "later": after}
    n_answers = Answer.objects.filter(configuration__project=before.project).count()
    if n_answers <= FEW_ANSWERS or cache.are_kept([key_of(before, after)]):
        context["compared"] = kept_comparison(before, after)
    else:
        context["job"] = begin(request, before, after)
    return render(request, "reports/leaderboard/versions.html", context)
