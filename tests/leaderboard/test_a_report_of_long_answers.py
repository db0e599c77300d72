"""Nour saves the report of a model that writes much: one file of at most 10 MB, with every answer word for word."""

import html

import pytest

from benchmark.models import Answer
from reports.leaderboard.report import report_of
from reports.leaderboard.standings import sheet_of
from tests.leaderboard.long_answers import LONGEST, QUESTIONS, long_board

MOST_BYTES = 10_000_000


@pytest.mark.django_db
def test_the_report_of_470_long_answers_has_at_most_10_megabytes_and_leaves_nothing_out(project):
    row = long_board(project)
    sheet = sheet_of(project)
    assert sheet is not None
    report = report_of(project, sheet, row.slug)
    texts = [answer.content for answer in Answer.objects.filter(configuration=row).select_related("response")]
    assert len(texts) == report.count("<article>") == QUESTIONS
    assert max(map(len, texts)) in range(LONGEST - 5, LONGEST + 1)
    read = html.unescape(report.replace("<br>", "\n"))
    assert all(text in read for text in texts)
    size = len(report.encode())
    assert sum(len(text.encode()) for text in texts) < size <= MOST_BYTES
