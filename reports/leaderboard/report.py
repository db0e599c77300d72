"""One configuration as a file that stands alone: read and searched without a server, without any held-back text.

The script and the styles stand in the file; they are of the file and of no page that is served. A worker writes one
about many questions.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.set_jobs import FEW_QUESTIONS, KEPT, WRITTEN_WITHIN
from jobs.enqueuing import add_job
from jobs.files import store_file
from jobs.kinds import JobKind
from jobs.models import Job, StoredFile
from jobs.working import Held
from projects.audit import record
from projects.models import Project, User
from projects.problems import Invalid, Problem
from reports.leaderboard.configuration import Output, by_skill, outputs
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import Sheet, sheet_of, standings

AT_ONCE = 400
REPORT = "board_report"
TAKEN = "board.report_taken"
HTML = "text/html; charset=utf-8"


def report_of(project: Project, sheet: Sheet, slug: str, on_read: Callable[[int], None] | None = None) -> str:
    """The whole file; `on_read` is told of how many questions the answers are read. Raises ValueError for a
    configuration that is not on the board."""
    column = sheet.column(slug)
    board = standings(project, BoardScope())
    if column is None or board is None:
        raise ValueError(f"{slug!r} is not on the board")
    skills, n_others = by_skill(sheet, column)
    context = {
        "project": project,
        "sheet": sheet,
        "line": next(line for line in (*board.lines, *board.baselines) if line.entry.slug == slug),
        "n_ranked": sum(1 for line in board.lines if line.rank),
        "skills": skills,
        "n_others": n_others,
        "outputs": Shown(sheet, column, on_read),
    }
    return render_to_string("reports/leaderboard/report.html", context)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a configuration answered, read a few hundred at a time as a template goes through it: a template makes a
    list of what has no length, and all of it would be in memory."""

    sheet: Sheet
    column: int
    on_read: Callable[[int], None] | None

    def __len__(self) -> int:
        return len(self.sheet.questions)

    def __iter__(self) -> Iterator[Output]:
        for first in range(0, len(self), AT_ONCE):
            if self.on_read is not None:
                self.on_read(first)
            rows = range(first, min(first + AT_ONCE, len(self)))
            yield from outputs(self.sheet, self.column, rows, sees_held_back=False)


def is_long(sheet: Sheet) -> bool:
    """Whether writing a report takes longer than a request may."""
    return len(sheet.questions) > FEW_QUESTIONS


def name_of(project: Project, slug: str) -> str:
    return f"{project.slug}-{slug}.html"


class BoardReport(JobKind):
    """Writes a long report to a file. One that broke off is swept; the next attempt writes another."""

    name = REPORT
    label = gettext_lazy("Report of a model")
    can_pause = False
    makes_file = True
    permission = "answers.read"

    def run(self, held: Held) -> Any:
        job = held.job
        assert job.project is not None  # `begin` names one
        slug, sheet = str(job.options["configuration"]), sheet_of(job.project)
        if sheet is None or sheet.column(slug) is None:
            raise Invalid(Problem("not_on_the_board", _("The model is not on the board any more.")))
        total = len(sheet.questions)

        def on_read(done: int) -> None:
            held.check()
            held.progress(done, total)

        text = report_of(job.project, sheet, slug, on_read)
        file = store_file(name_of(job.project, slug), [text.encode()], WRITTEN_WITHIN, HTML)
        result = {"size": file.size, "sha256": file.sha256}
        with transaction.atomic():
            StoredFile.objects.filter(job=job).delete()
            StoredFile.objects.filter(pk=file.pk).update(job=job, expires_at=timezone.now() + KEPT)
            about = {"via": "file", "job": str(job.uuid), **result}
            record(TAKEN, actor=job.asked_by, project=job.project, subject=slug, **about)
            held.finish(result)
        return result

    def describe(self, job: Job) -> str:
        return str(job.options["name"])

    def url(self, job: Job) -> str:
        assert job.project is not None
        return reverse("board-configuration", args=[job.project.slug, job.options["configuration"]])


def taken(project: Project, sheet: Sheet, slug: str, by: User) -> HttpResponse:
    """A short report as a download, written down. Raises ValueError as `report_of` does."""
    response = HttpResponse(report_of(project, sheet, slug), content_type=HTML)
    response["Content-Disposition"] = f'attachment; filename="{name_of(project, slug)}"'
    record(TAKEN, actor=by, project=project, subject=slug)
    return response


def begin(project: Project, sheet: Sheet, slug: str, by: User | None) -> Job:
    """The job that writes a long report; the one that is under way where there is one."""
    column = sheet.column(slug)
    assert column is not None  # whoever asks has looked
    options = {"configuration": slug, "name": sheet.entries[column].name}
    return add_job(REPORT, project, by, options=options, key=f"{project.pk} {slug}")
