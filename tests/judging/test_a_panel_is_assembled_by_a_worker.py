"""Nour assembles a panel of many answers: her page is there at once, a worker does it, and a kill costs nothing."""

import pytest
from django.db import connection

from annotation.models import Marking, Span
from jobs.models import Job, JobState
from jobs.verbs import pause, resume
from jobs.working import work_on
from judging.ensembles import assembling, assembly_jobs, spans
from judging.ensembles.assembling import assemble
from judging.models import Panel
from projects.problems import Invalid
from tests.annotation.marked import mark
from tests.jobs.refused import refused_at_the_claim
from tests.judging.panelling import judges, panel_of
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db

PLACE = "/p/feasts/judges/panels/"
RESPONSES = 5
UNDER_WAY = "The panel is being assembled"


@pytest.fixture(autouse=True)
def one_at_a_time(monkeypatch):
    """A batch is one response."""
    monkeypatch.setattr(spans, "in_batches", lambda ids: ([each] for each in sorted(ids)))


@pytest.fixture
def lead(nour):
    return signed_in(nour)


@pytest.fixture
def panel(project) -> Panel:
    members = judges(project)
    for number in range(RESPONSES):
        response = add_response(project, f"r{number}", "Koshari is eaten at dawn.", "en-US")
        for member in members:
            mark(response, member, "at dawn")
    return panel_of(members, "spans")


def text(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def answers(panel: Panel) -> int:
    return Marking.objects.filter(rater=panel.rater).count()


def test_the_page_is_there_at_once_and_two_who_ask_share_a_job(lead, panel):
    for _once in range(2):
        page = text(lead.post(f"{PLACE}{panel.pk}/assemble/", follow=True))
        assert UNDER_WAY in page
        assert "none has been seen" in page
    assert answers(panel) == 0
    job = Job.objects.get()
    part = text(lead.get(f"{PLACE}{panel.pk}/", headers={"HX-Request": "true"}))
    assert UNDER_WAY in part
    assert "<html" not in part

    assert work_on(job.pk)

    assert answers(panel) == RESPONSES
    assert lead.get(f"{PLACE}{panel.pk}/", headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    page = text(lead.get(f"{PLACE}{panel.pk}/"))
    assert f"Answers written: {RESPONSES}. Taken back: 0." in page
    assert UNDER_WAY not in page
    job.refresh_from_db()
    assert (job.done, job.total) == (RESPONSES, RESPONSES)


def test_one_batch_is_assembled_while_the_page_loads(lead, panel, monkeypatch):
    monkeypatch.setattr(spans, "in_batches", lambda ids: iter([sorted(ids)]))
    assert f"Answers written: {RESPONSES}." in text(lead.post(f"{PLACE}{panel.pk}/assemble/", follow=True))


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_the_database_refuses_now_is_left_to_a_worker(lead, panel, monkeypatch):
    monkeypatch.setattr(spans, "in_batches", lambda ids: iter([sorted(ids)]))
    with refused_at_the_claim(monkeypatch) as sent:
        assert UNDER_WAY in text(lead.post(f"{PLACE}{panel.pk}/assemble/", follow=True))
    job = Job.objects.get()
    assert (job.state, sent) == (JobState.QUEUED, [job.pk])


def after_batches(monkeypatch, number: int, act) -> None:
    """`act` is called before the batch of this number is written, once."""
    decide = spans.SpanPanels.decide
    seen = []

    def counted(kind, voting_panel, batch, read):
        seen.append(batch)
        if len(seen) == number:
            act()
        return decide(kind, voting_panel, batch, read)

    monkeypatch.setattr(spans.SpanPanels, "decide", counted)


def test_after_a_kill_it_begins_anew_and_ends_right(lead, panel, monkeypatch):
    def kill():
        raise SystemExit

    lead.post(f"{PLACE}{panel.pk}/assemble/")
    after_batches(monkeypatch, 3, kill)
    job = Job.objects.get()
    with pytest.raises(SystemExit):
        work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    assert answers(panel) == 2
    before = list(Marking.objects.filter(rater=panel.rater).values_list("pk", flat=True))

    assert work_on(job.pk)

    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert job.result["written"] == RESPONSES - 2, "what stood already was left alone"
    assert set(before) <= set(Marking.objects.filter(rater=panel.rater).values_list("pk", flat=True))
    assert Span.objects.filter(rater=panel.rater).count() == RESPONSES
    panel.refresh_from_db()
    assert assemble(panel).counts["written"] == 0


@pytest.mark.parametrize("gets_on", [True, False])
def test_it_is_given_up_only_where_it_does_not_get_on(lead, panel, monkeypatch, gets_on):
    """Five workers die over it: each after one batch more, or all over the same one."""
    decide, deaths = spans.SpanPanels.decide, []

    def killed_over_a_batch(kind, voting_panel, batch, read):
        found = decide(kind, voting_panel, batch, read)
        is_last_of_this_worker = gets_on and answers(panel) == len(deaths) + 1 and batch[0] not in standing()
        if (is_last_of_this_worker or not gets_on) and len(deaths) < 5:
            deaths.append(batch)
            raise SystemExit
        return found

    def standing() -> set[int]:
        return set(Marking.objects.filter(rater=panel.rater).values_list("response_id", flat=True))

    for number in range(RESPONSES, 7):  # enough for five deaths
        response = add_response(panel.project, f"r{number}", "Koshari is eaten at dawn.", "en-US")
        for member in panel.memberships.all():
            mark(response, member.rater, "at dawn")
    lead.post(f"{PLACE}{panel.pk}/assemble/")
    monkeypatch.setattr(spans.SpanPanels, "decide", killed_over_a_batch)
    job = Job.objects.get()
    for _worker in range(5):
        with pytest.raises(SystemExit):
            work_on(job.pk)
    job.refresh_from_db()
    assert job.state == (JobState.QUEUED if gets_on else JobState.FAILED)
    assert answers(panel) == (5 if gets_on else 0)
    assert work_on(job.pk) == gets_on
    assert answers(panel) == (7 if gets_on else 0)


def test_it_is_paused_between_batches_and_goes_on(lead, panel, nour, monkeypatch):
    lead.post(f"{PLACE}{panel.pk}/assemble/")
    job = Job.objects.get()
    after_batches(monkeypatch, 2, lambda: pause(Job.objects.get(), nour))
    assert work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.PAUSED
    assert answers(panel) == 2, "the batch under way is written, and no other"
    assert "paused by Nour" in text(lead.get(f"{PLACE}{panel.pk}/"))
    assert resume(job, nour)
    assert work_on(job.pk)
    assert answers(panel) == RESPONSES


def test_members_that_cannot_be_weighed_are_said_to_be_so_by_the_worker(lead, panel):
    Panel.objects.update(rule="weighted")
    lead.post(f"{PLACE}{panel.pk}/assemble/")
    assert work_on(Job.objects.get().pk)
    page = text(lead.get(f"{PLACE}{panel.pk}/"))
    assert "None of the members can be weighed" in page
    assert "as it was" in page
    assert Job.objects.get().state == JobState.FAILED


def test_a_panel_that_is_gone_is_no_defect(lead, panel, project):
    job = assembly_jobs.begin_assembly(panel, None)
    Panel.objects.all().delete()
    assert work_on(job.pk)
    job.refresh_from_db()
    assert job.problem == "The panel is no longer there."
    assert "Assembling a panel" in text(lead.get("/p/feasts/jobs/"))


# --- While others work ---


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", ["decide", "agreement"])
def test_nothing_is_weighed_or_made_while_a_lock_is_held(panel, monkeypatch, step):
    """On SQLite it is the lock that everybody waits for who saves."""
    real, locked = getattr(spans.SpanPanels, step), []

    def noted(*args):
        locked.append(connection.in_atomic_block)
        return real(*args)

    monkeypatch.setattr(spans.SpanPanels, step, noted)
    if step == "agreement":
        Panel.objects.update(rule="weighted")
        with pytest.raises(Invalid):  # there is no gold
            assemble(panel)
        assert locked == [False]
    else:
        assert assemble(panel).counts["answers"] == RESPONSES
        assert locked == [False] * RESPONSES


def test_a_member_that_answers_while_a_batch_is_made_is_heard(lead, panel, monkeypatch):
    """What was made without it is not written."""
    first = Marking.objects.order_by("response").first()
    others = Marking.objects.filter(response=first.response).exclude(rater=first.rater)

    def mark_elsewhere():
        for each in others:
            rater = each.rater
            each.delete()
            mark(first.response, rater, "Koshari")

    after_making(monkeypatch, mark_elsewhere)
    done = assemble(panel)
    assert done.counts == {"answers": RESPONSES, "written": RESPONSES}
    assert Span.objects.get(rater=panel.rater, response=first.response).quote == "Koshari"


def test_a_member_that_answers_while_others_are_weighed_is_not_left_out(panel, project):
    """The panel is not out of date as soon as it is assembled."""
    response = add_response(project, "late", "Koshari is eaten at dawn.", "en-US")
    real, late = assembling.held_out, [member.rater for member in panel.memberships.all()]

    def one_more_answer(read):
        if late:
            mark(response, late.pop(), "at dawn")
        return real(read)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(assembling, "held_out", one_more_answer)
        late[:] = late[:1]
        assemble(panel)
    panel.refresh_from_db()
    assert assembling.state_of(panel) == panel.options["state"]


def after_making(monkeypatch, act) -> None:
    """`act` is called when the first batch is made and not yet written, once."""
    made, acts = spans.SpanPanels.decide, [act]

    def then_acted(*args):
        found = made(*args)
        while acts:
            acts.pop()()
        return found

    monkeypatch.setattr(spans.SpanPanels, "decide", then_acted)
