"""A report about many questions takes longer than a request may: a worker writes it, and it is the same file."""

import pytest
from django.urls import reverse

from jobs.models import Job, JobState
from jobs.verbs import cancel
from jobs.working import work_on
from projects.models import AuditEvent
from reports.leaderboard import report
from reports.leaderboard.standings import sheet_of
from tests.leaderboard.conftest import SECRET
from tests.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def long(board, monkeypatch):
    """Forty questions, where more than ten are many."""
    monkeypatch.setattr(report, "FEW_QUESTIONS", 10)
    monkeypatch.setattr(report, "AT_ONCE", 8)
    return board


@pytest.fixture
def address(feasts):
    return reverse("board-report", args=["feasts", "tigris"])


def test_a_worker_writes_it_and_nour_takes_it_for_a_week(lead, mona, feasts, long, address):
    browser, model = signed_in(lead), reverse("board-configuration", args=["feasts", "tigris"])
    assert browser.get(address).headers["Location"] == model, "looking begins nothing"
    assert not Job.objects.exists()
    assert f'<form method="post" action="{address}"' in browser.get(model).content.decode()
    answer = browser.post(address)
    browser.post(address)
    [job] = Job.objects.filter(kind=report.REPORT)
    assert answer.headers["Location"] == reverse("job", args=["feasts", job.uuid])
    work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.total) == (JobState.DONE, 40)
    file = reverse("job-file", args=["feasts", job.uuid])
    taken = browser.get(file)
    text = b"".join(taken.streaming_content).decode()
    assert text == report.report_of(feasts, sheet_of(feasts), "tigris")
    assert text.count("<article>") == 40
    assert str(long.canary) in text
    assert SECRET not in text
    assert signed_in(mona).get(file).status_code == 404
    assert AuditEvent.objects.get(action="board.report_taken").detail["via"] == "file"


def test_it_can_be_cancelled_while_it_is_written(lead, long, address, monkeypatch):
    signed_in(lead).post(address)
    job = Job.objects.get(kind=report.REPORT)
    outputs, read = report.outputs, []

    def cancelled_at_the_second(sheet, column, rows, **options):
        read.append(rows)
        if len(read) == 2:
            cancel(Job.objects.get(pk=job.pk), lead)
        return outputs(sheet, column, rows, **options)

    monkeypatch.setattr(report, "outputs", cancelled_at_the_second)
    work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, len(read)) == (JobState.CANCELLED, 2)


def test_a_model_that_has_left_the_board_has_none(lead, feasts, long, address):
    signed_in(lead).post(address)
    feasts.configurations.filter(slug="tigris").update(standing="withdrawn")
    job = Job.objects.get(kind=report.REPORT)
    work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "not on the board" in job.problem


def test_few_questions_are_written_at_once(lead, board, address):
    answer = signed_in(lead).get(address)
    assert "attachment" in answer["Content-Disposition"]
    assert not Job.objects.exists()
