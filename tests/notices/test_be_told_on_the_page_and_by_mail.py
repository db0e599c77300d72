"""Mona is told of work, of an answer and of a pause, on the page and by mail, and says what she wants to be told."""

import uuid
from datetime import timedelta
from smtplib import SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import IntegrityError, transaction
from django.utils import timezone

from jobs.models import Job, JobState
from jobs.working import work_on
from notices import mailing
from notices.kinds import Kind
from notices.mailing import post, take
from notices.models import Mail, Notice, NoticeSwitch
from notices.telling import put_away, tell
from projects.models import Membership, User
from tests.people import add_response, signed_in
from tests.workflow.working import add_responses, marking_stage
from workflow.models import Stage
from workflow.telling_people import tell_of_work

pytestmark = pytest.mark.django_db


class Refusing(EmailBackend):
    """A mail server that hangs up."""

    def send_messages(self, messages):
        raise SMTPServerDisconnected("Connection unexpectedly closed")


def told(person, project, kind=Kind.ANSWER, key="1", **more) -> None:
    tell([person.pk], kind, project, key, "/p/feasts/my-work/", **more)


def deliver() -> None:
    """The clock, and a worker that takes up what is due."""
    post()
    Job.objects.filter(kind="notices", state=JobState.QUEUED).update(due_at=timezone.now())
    for job in Job.objects.filter(kind="notices", state=JobState.QUEUED):
        work_on(job.pk)


def unread(person) -> int:
    return User.objects.get(pk=person.pk).unread_notices


def test_before_anything_happened_the_page_says_what_stands_there(mona):
    page = signed_in(mona).get("/notices/").content.decode()
    assert "No notices" in page
    assert "answers to your questions" in page


def test_an_answer_is_told_in_the_bar_and_in_the_list_until_she_goes_there(project, mona, nour):
    client = signed_in(mona)
    client.post("/p/feasts/my-work/questions/", {"key": uuid.uuid4(), "text": "When do we start?"})
    question = mona.raters.get().item_questions.get()
    assert "Somebody asked a question" in signed_in(nour).get("/notices/").content.decode()
    signed_in(nour).post(f"/p/feasts/questions/{question.pk}/", {"answer": "On Monday."})
    assert unread(mona) == 1
    assert "new notices" in client.get("/p/feasts/my-work/").content.decode()
    notice = Notice.objects.get(person=mona)
    assert "Your question in" in client.get("/notices/").content.decode()
    answer = client.post(f"/notices/{notice.pk}/go/")
    assert answer.headers["Location"] == f"/p/feasts/my-work/questions/{question.pk}/"
    assert unread(mona) == 0
    assert "new notices" not in client.get("/p/feasts/my-work/").content.decode()


def test_new_work_is_told_to_whoever_can_do_it_once_a_day(project, koshari, mona, rafia, hana, nour, omar):
    stage = marking_stage(project)
    address = f"/p/feasts/stages/{stage.pk}/open/"
    for is_open in ("0", "1", "0", "1"):
        signed_in(nour).post(address, {"open": is_open})
    add_responses(koshari, 3)
    signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/plan/")
    # Rafia works in Bengali, in which there is nothing; Nour leads; Omar is elsewhere.
    assert {notice.person for notice in Notice.objects.filter(kind="work")} == {mona, hana}
    assert Notice.objects.filter(person=mona).count() == 1
    add_response(project, "boishakh-2", "নতুন", "bn-BD")
    signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/plan/")
    assert Notice.objects.filter(person=rafia).count() == 1


def test_a_closed_or_locked_stage_tells_nobody(project, koshari, mona):
    stage = marking_stage(project)
    for change in ({"is_open": False}, {"is_open": True, "locked_at": timezone.now()}):
        Stage.objects.filter(pk=stage.pk).update(**change)
        tell_of_work(Stage.objects.get(pk=stage.pk))
    assert not Notice.objects.exists()


def test_the_same_is_told_once_and_another_thing_again(project, mona):
    for key in ("1", "1", "2"):
        told(mona, project, key=key)
    assert (Notice.objects.count(), unread(mona)) == (2, 2)
    with pytest.raises(IntegrityError), transaction.atomic():
        Notice.objects.create(person=mona, project=project, kind="answer", key="1", path="/")


def test_what_did_not_happen_is_not_told(project, mona):
    with transaction.atomic():
        told(mona, project)
        transaction.set_rollback(True)
    assert (Notice.objects.count(), unread(mona)) == (0, 0)


def test_each_kind_has_its_two_switches(project, mona, mailoutbox):
    client = signed_in(mona)
    chosen = {"answer-on_page": "on", "work-by_mail": "on", "nonsense-by_mail": "on"}
    assert client.post("/notices/switches/", chosen).status_code == 302
    told(mona, project, Kind.ANSWER)
    told(mona, project, Kind.WORK, stage="Marking")
    told(mona, project, Kind.PAUSED, stage="Marking")
    stored = {(one.kind, one.is_shown, one.mail) for one in Notice.objects.all()}
    assert stored == {("answer", True, "none"), ("work", False, "due")}
    page = client.get("/notices/").content.decode()
    assert "was answered" in page
    assert "There is work" not in page
    deliver()
    assert len(mailoutbox) == 1
    assert "There is work" in mailoutbox[0].body
    assert NoticeSwitch.objects.filter(person=mona).count() == len(Kind.values)


def test_a_hundred_things_are_one_mail_and_the_next_comes_an_hour_later(project, mona, mailoutbox, settings):
    settings.PUBLIC_URL = "https://mizan.example.org/"
    for number in range(100):
        told(mona, project, key=str(number))
    deliver()
    deliver()
    assert len(mailoutbox) == 1
    assert mailoutbox[0].to == ["mona@example.org"]
    assert mailoutbox[0].body.count("was answered") == mailing.MOST_IN_A_MAIL
    assert "And 80 more." in mailoutbox[0].body
    assert "https://mizan.example.org/p/feasts/my-work/" in mailoutbox[0].body
    told(mona, project, key="later")
    deliver()
    assert len(mailoutbox) == 1
    Notice.objects.filter(mail=Mail.SENT).update(mailed_at=timezone.now() - timedelta(minutes=61))
    deliver()
    assert len(mailoutbox) == 2


def test_a_mail_that_was_refused_is_sent_again_and_once(project, mona, settings):
    settings.EMAIL_BACKEND = f"{__name__}.Refusing"
    told(mona, project)
    deliver()
    job = Job.objects.get(kind="notices")
    assert (job.state, Notice.objects.get().mail, len(mail.outbox)) == (JobState.QUEUED, Mail.DUE, 0)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    deliver()
    deliver()
    assert (len(mail.outbox), Notice.objects.get().mail) == (1, Mail.SENT)


def test_what_one_worker_has_taken_no_other_sends(project, mona):
    told(mona, project)
    assert len(take(mona)) == 1
    assert take(mona) == []
    assert post() == 0  # the first one died: it may have gone


def test_what_was_read_or_is_old_or_of_a_project_left_is_not_mailed(project, mona, karim, nour, mailoutbox):
    for person in (mona, karim, nour):
        told(person, project)
    put_away(mona)
    Notice.objects.filter(person=karim).update(created_at=timezone.now() - timedelta(days=4))
    Membership.objects.filter(user=nour).delete()
    deliver()
    assert mailoutbox == []


def test_who_left_is_told_nothing(project, mona):
    User.objects.filter(pk=mona.pk).update(is_active=False)
    told(mona, project)
    assert not Notice.objects.exists()


def test_nobody_reads_or_opens_the_notices_of_another(project, mona, karim):
    told(mona, project)
    notice = Notice.objects.get()
    client = signed_in(karim)
    assert "was answered" not in client.get("/notices/").content.decode()
    assert client.post(f"/notices/{notice.pk}/go/").status_code == 404
    client.post("/notices/read/")
    assert unread(mona) == 1


def test_words_are_in_the_readers_language_and_names_are_no_markup(project, mona, mailoutbox):
    project.name = "<b>أعياد</b>\nBcc: all@example.org"
    project.save()
    told(mona, project)
    page = signed_in(mona).get("/notices/").content.decode()
    assert "&lt;b&gt;أعياد" in page
    deliver()
    assert "\n" not in mailoutbox[0].subject
    assert mailoutbox[0].recipients() == ["mona@example.org"]


def test_looking_writes_nothing(project, mona):
    told(mona, project)
    client = signed_in(mona)
    client.get("/notices/")
    client.get("/notices/switches/")
    assert (unread(mona), NoticeSwitch.objects.count()) == (1, 0)


def test_the_list_costs_the_same_for_many(project, mona, django_assert_max_num_queries):
    for number in range(40):
        told(mona, project, key=str(number))
    client = signed_in(mona)
    with django_assert_max_num_queries(6):
        assert client.get("/notices/").status_code == 200


def test_many_people_are_told_in_few_statements(project, mona, django_assert_max_num_queries):
    people = User.objects.bulk_create(User(email=f"p{number}@example.org", password="!") for number in range(300))
    with django_assert_max_num_queries(12):
        tell([person.pk for person in people], Kind.WORK, project, "1", "/p/feasts/my-work/", "Marking")
    assert Notice.objects.count() == 300


def test_contested_time_is_told_to_the_lead_and_its_answer_to_her(project, mona, nour):
    client = signed_in(mona)
    client.post("/p/feasts/my-work/time/ask/", {"day": timezone.now().date().isoformat(), "request": "Too little."})
    assert Notice.objects.get(person=nour).path == "/p/feasts/working-time/"
    asked = mona.raters.get().time_corrections.get()
    answer = {f"asked-{asked.pk}-minutes": "10", f"asked-{asked.pk}-reason": "You are right."}
    for _time in range(2):
        signed_in(nour).post(f"/p/feasts/working-time/asked/{asked.pk}/", answer)
    assert Notice.objects.get(person=mona).kind == "time"
