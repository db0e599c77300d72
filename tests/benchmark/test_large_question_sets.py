"""A set of many questions is frozen and written to a file by a worker; of a small one both are done at once."""

import pytest
from django.urls import reverse

from benchmark import set_jobs
from benchmark.answering import receive
from benchmark.errata import accept, report
from benchmark.exporting import exported
from benchmark.exporting_answers import exported_answers
from benchmark.freezing import freeze
from benchmark.models import Decision, Fault, Question, QuestionSet, Ruling
from benchmark.scoring_jobs import SCORING
from benchmark.version_jobs import NEXT_VERSION, SHUFFLING
from jobs.kinds import job_kind
from jobs.models import Job, JobState
from jobs.verbs import cancel
from jobs.working import work_on
from projects.models import AuditEvent
from tests.benchmark.answered import configuration_of
from tests.benchmark.sets import open_line, question_line, set_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def own(project, nour, monkeypatch) -> QuestionSet:
    """Six questions, of which one is held back, where more than three are many."""
    monkeypatch.setattr(set_jobs, "FEW_QUESTIONS", 3)
    monkeypatch.setattr(set_jobs, "QUESTIONS_AT_ONCE", 2)
    rules = [{"rule": "rouge_l"}]
    return set_of(project, *(open_line(f"q{at}", rules=rules, held_back=at == 5) for at in range(6)))


def post(user, own, act, **fields):
    name = f"benchmark-{act}" if act == "answers-export" else f"question-set-{act}"
    return signed_in(user).post(reverse(name, args=["feasts", own.slug, own.version]), fields)


def test_a_worker_freezes_it_and_says_how_far_it_is(own, nour):
    answer = post(nour, own, "freeze", confirmed="yes")
    job = Job.objects.get(kind=set_jobs.FREEZING)
    assert answer.headers["Location"] == reverse("job", args=["feasts", job.uuid])
    own.refresh_from_db()
    assert not own.is_frozen
    post(nour, own, "freeze", confirmed="yes")
    assert Job.objects.filter(kind=set_jobs.FREEZING).count() == 1, "asked for twice it is one job"
    work_on(job.pk)
    own.refresh_from_db()
    job.refresh_from_db()
    assert own.is_frozen
    assert (job.state, job.result) == (JobState.DONE, {"questions": 6, "sha256": own.sha256})
    assert job.total == 6
    assert AuditEvent.objects.get(action="question_set.frozen").actor == nour


def test_what_stands_in_the_way_is_said_and_nothing_is_frozen(own, nour):
    Question.objects.get(key="q4").rule_uses.all().delete()
    post(nour, own, "freeze", confirmed="yes")
    job = Job.objects.get(kind=set_jobs.FREEZING)
    work_on(job.pk)
    job.refresh_from_db()
    own.refresh_from_db()
    assert (job.state, own.is_frozen) == (JobState.FAILED, False)
    assert "No rule scores its answers" in job.problem


def test_it_can_be_cancelled_until_it_is_frozen(own, nour, monkeypatch):
    post(nour, own, "freeze", confirmed="yes")
    job = Job.objects.get(kind=set_jobs.FREEZING)
    checked = []

    def cancelled_at_the_third(question):
        checked.append(question.key)
        if len(checked) == 3:
            cancel(Job.objects.get(pk=job.pk), nour)
        return []

    monkeypatch.setattr(set_jobs, "problems_of_question", cancelled_at_the_third)
    work_on(job.pk)
    job.refresh_from_db()
    own.refresh_from_db()
    assert (job.state, own.is_frozen, len(checked)) == (JobState.CANCELLED, False, 4)


def test_a_small_set_is_written_at_once_and_a_large_one_by_a_worker(own, nour, mona, monkeypatch):
    assert post(mona, own, "export").status_code == 404
    post(nour, own, "export")
    [job] = Job.objects.filter(kind=set_jobs.EXPORT)
    assert job.state == JobState.QUEUED
    work_on(job.pk)
    monkeypatch.setattr(set_jobs, "FEW_QUESTIONS", 100)
    post(nour, own, "export", held_back="yes")
    whole = Job.objects.filter(kind=set_jobs.EXPORT).latest("pk")
    assert whole.state == JobState.DONE
    for row, with_held_back in ((job, False), (whole, True)):
        sent = signed_in(nour).get(reverse("job-file", args=["feasts", row.uuid]))
        assert b"".join(sent.streaming_content) == b"".join(exported(own, with_held_back))
        assert signed_in(mona).get(reverse("job-file", args=["feasts", row.uuid])).status_code == 404
    said = AuditEvent.objects.filter(action="question_set.exported").order_by("pk")
    assert [event.detail["held_back"] for event in said] == [False, True]


def test_errata_of_a_large_set_are_a_workers(own, nour):
    """The copy with its corrections, its freeze and the begin of its scoring are one job: nothing stands half."""
    own = freeze(own)
    nile = configuration_of(own.project)
    for question in own.questions.select_related("prompt"):
        receive(nile, question.prompt, "الشاي مشروب دافئ")
    erratum = report(own.questions.get(key="q1"), nour, fault=Fault.REFERENCE, words="Another tea.")
    accept(erratum, nour, decision=Decision.REPAIR, wording={"reference": "الشاي مشروب دافئ"}, reason="Right.")
    address = reverse("errata-apply", args=["feasts", own.slug, own.version])
    answer = signed_in(nour).post(address, {"freeze": "yes"})
    job = Job.objects.get(kind=NEXT_VERSION)
    assert answer.headers["Location"] == reverse("job", args=["feasts", job.uuid])
    assert not QuestionSet.objects.filter(version=2).exists()
    work_on(job.pk)
    job.refresh_from_db()
    version = QuestionSet.objects.get(version=2)
    assert version.is_frozen
    assert job.result == {"made": version.pk, "question_set": "own", "version": 2, "changed": 1, "already": 0}
    assert job_kind(job.kind).url(job) == reverse("question-set", args=["feasts", own.slug, 2])
    work_on(Job.objects.get(kind=SCORING, options__question_set=version.pk).pk)
    corrected = version.questions.get(key="q1")
    assert Ruling.objects.filter(target_sha256=corrected.target_sha256).exists()


def test_without_errata_the_job_says_so(own, nour):
    own = freeze(own)
    signed_in(nour).post(reverse("errata-apply", args=["feasts", own.slug, own.version]))
    job = Job.objects.get(kind=NEXT_VERSION)
    work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, QuestionSet.objects.count()) == (JobState.FAILED, 1)
    assert "No accepted erratum" in job.problem
    assert job_kind(job.kind).url(job) == reverse("question-set", args=["feasts", own.slug, 1])


def test_the_next_version_of_a_large_set_is_begun_by_a_worker(own, nour):
    own = freeze(own)
    answer = post(nour, own, "version")
    post(nour, own, "version")
    [job] = Job.objects.filter(kind=NEXT_VERSION)
    assert answer.headers["Location"] == reverse("job", args=["feasts", job.uuid])
    work_on(job.pk)
    draft = QuestionSet.objects.get(version=2)
    assert (draft.is_frozen, draft.questions.count()) == (False, 6)
    assert AuditEvent.objects.get(action="question_set.version_begun").actor == nour


def test_options_of_a_large_set_are_shuffled_by_a_worker(project, nour, monkeypatch):
    monkeypatch.setattr(set_jobs, "FEW_QUESTIONS", 3)
    own = freeze(set_of(project, *(question_line(f"m{at}") for at in range(4))))
    for _twice in range(2):
        answer = post(nour, own, "shuffle", seed="7")
    [job] = Job.objects.filter(kind=SHUFFLING)
    assert answer.headers["Location"] == reverse("job", args=["feasts", job.uuid])
    work_on(job.pk)
    job.refresh_from_db()
    made = QuestionSet.objects.get(pk=job.result["made"])
    assert made.is_frozen
    assert (job.result["questions"], job.result["left_out"]) == (4, 0)
    assert post(nour, own, "shuffle", seed="x").headers["Location"] == reverse(
        "question-set", args=["feasts", own.slug, 1]
    )


def test_the_answers_leave_from_the_page_and_by_a_program_as_the_command_writes_them(own, nour, mona, monkeypatch):
    """Few are written while she waits, many by a worker; a draft has none; held-back ones leave when asked for."""
    nile = configuration_of(own.project)
    assert post(nour, own, "answers-export").headers["Location"] == f"/p/feasts/question-sets/{own.slug}/1/"
    assert not Job.objects.filter(kind=set_jobs.ANSWERS_EXPORT).exists()
    program = f"/api/v1/projects/feasts/question-sets/{own.slug}/1/answers/export/"
    assert signed_in(nour).post(program, {}, "application/json").status_code == 422
    own = freeze(own)
    for question in own.questions.select_related("prompt"):
        receive(nile, question.prompt, "الشاي مشروب دافئ 🙂")
    assert "answers/export/" in signed_in(nour).get(f"/p/feasts/question-sets/{own.slug}/1/").content.decode()
    answer = post(nour, own, "answers-export", held_back="yes")
    whole = Job.objects.get(kind=set_jobs.ANSWERS_EXPORT)
    assert (answer.headers["Location"], whole.state) == (reverse("job", args=["feasts", whole.uuid]), JobState.DONE)
    monkeypatch.setattr(set_jobs, "FEW_ANSWERS", 5)
    assert signed_in(mona).post(program, {}, "application/json").status_code == 404
    sent = [signed_in(nour).post(program, {}, "application/json") for _time in range(2)]
    assert [each.status_code for each in sent] == [202, 202]
    part = Job.objects.filter(kind=set_jobs.ANSWERS_EXPORT).latest("pk")
    assert (part.state, Job.objects.filter(kind=set_jobs.ANSWERS_EXPORT).count()) == (JobState.QUEUED, 2)
    work_on(part.pk)
    for job, with_held_back in ((whole, True), (part, False)):
        file = signed_in(nour).get(reverse("job-file", args=["feasts", job.uuid]))
        content = b"".join(file.streaming_content)
        assert content == b"".join(exported_answers(own, with_held_back))
        assert content.count(b'"text"') == (6 if with_held_back else 5)
        assert f"{own.slug}-v1-answers.jsonl" in file.headers["Content-Disposition"]
    said = AuditEvent.objects.filter(action="answers.exported").order_by("pk")
    assert [(event.actor, event.detail["held_back"]) for event in said] == [(nour, True), (nour, False)]
