"""Nour lets a judge mark her responses, and every response ends with one marking."""

import pytest
from django.core.management import call_command
from kombu.exceptions import OperationalError

from annotation.models import Marking, Span
from jobs.tasks import run as run_job
from judging.engine import runs
from judging.models import Call, CallState, RunState
from projects.models import Response
from tests.people import signed_in


@pytest.fixture
def responses(project, feasts):
    return Response.objects.filter(project=project)


def test_the_run_ends_with_one_marking_a_response(nour, judge, responses, eager, django_capture_on_commit_callbacks):
    run = runs.create_run(judge, responses, by=nour)
    with django_capture_on_commit_callbacks(execute=True):
        assert runs.start(run, by=nour)

    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert run.ended_at is not None
    # twelve responses of two paragraphs each
    assert Call.objects.filter(run=run).count() == 24
    assert runs.counts(run)[CallState.SCORED] == 24
    assert Marking.objects.filter(rater=judge.rater).count() == 12
    assert Span.objects.filter(rater=judge.rater).exists()
    for span in Span.objects.filter(rater=judge.rater).select_related("response"):
        assert span.response.text[span.start : span.end] == span.quote
        assert span.explanation.startswith("Simulated")
    for marking in Marking.objects.filter(rater=judge.rater):
        assert marking.is_complete
        assert marking.no_errors == (not marking.spans.exists())
    assert judge.rater.is_simulated


def test_here_without_a_worker(judge, responses, capsys):
    call_command("run_judges", "feasts", "--judge", judge.rater.name, "--here")
    assert "Done: 24 scored" in capsys.readouterr().out
    assert Marking.objects.filter(rater=judge.rater).count() == 12


@pytest.mark.django_db(transaction=True)
def test_a_run_begins_while_the_broker_is_away(nour, judge, responses, monkeypatch, caplog):
    def away(*arguments, **options) -> None:
        raise OperationalError("the broker does not answer")

    monkeypatch.setattr(run_job, "apply_async", away)
    answer = signed_in(nour).post(f"/p/feasts/judges/{judge.pk}/run/", {"round": "1"})
    run = judge.runs.get()
    assert answer.url == f"/p/feasts/judges/runs/{run.uuid}/"
    assert run.state == RunState.RUNNING, "the sweep sends its shards again"
    assert "the broker does not answer" in caplog.text
