"""A vendor's quiz, the authors' quiz, then an interview: Mona goes through all of them, and Nour records the last."""

import uuid
from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from formats.project_file.applying import apply_file
from formats.project_file.describing import described
from projects.models import AuditEvent
from projects.problems import Invalid
from screening.models import Interview, InterviewResult
from screening.quiz.taking import submit
from tests.annotation.marked import rater_of
from tests.people import join, person, signed_in
from tests.screening.quizzes import attempt_at, five_statements, right_answers
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import Stage
from workflow.refusals import Refused

pytestmark = pytest.mark.django_db
LIST = "/p/feasts/screening/interviews/"


@pytest.fixture
def stage(project, koshari) -> Stage:
    return marking_stage(project)


@pytest.fixture
def interview(stage) -> Interview:
    return Interview.objects.create(stage=stage, step=3)


def refused(who, stage: Stage) -> tuple[str, str]:
    stage.refresh_from_db()
    with pytest.raises(Refused) as found:
        claim_next(rater_of(who, stage.project), stage)
    return found.value.code, found.value.url


def take(quiz, who):
    attempt = attempt_at(quiz, who)
    return submit(attempt, uuid.uuid4(), right_answers(attempt))


def recorded(who, project, **more):
    return {
        "rater": rater_of(who, project).pk, "is_passed": "yes", "held_on": date.today().isoformat(),
        "interviewer": "نور 🎤", "note": "Speaks well.", **more,
    }  # fmt: skip


def test_steps_come_one_after_the_other(stage, interview, project, nour, mona):
    vendor, authors = five_statements(stage, language="", step=1), five_statements(stage, language="ar", step=2)
    assert refused(mona, stage) == ("screening", f"/p/feasts/quiz/{vendor.pk}/")
    take(vendor, mona)
    assert refused(mona, stage) == ("screening", f"/p/feasts/quiz/{authors.pk}/")
    take(authors, mona)
    own = f"/p/feasts/interview/{interview.pk}/"
    assert refused(mona, stage) == ("interview", own)
    browser, lead = signed_in(mona), signed_in(nour)
    assert "Your lead arranges it" in browser.get(own).content.decode()
    address = f"{LIST}{interview.pk}/"
    assert lead.post(address, recorded(mona, project, is_passed="no")).status_code == 302
    assert refused(mona, stage)[0] == "interview"
    page = browser.get(own).content.decode()
    assert "was not passed" in page
    assert "Speaks well." not in page
    assert lead.post(address, recorded(mona, project, note_is_shown="on")).status_code == 302
    assert InterviewResult.objects.count() == 1, "recorded again it takes the place of the first"
    assert "Speaks well." in browser.get(own).content.decode()
    assert claim_next(rater_of(mona, project), stage) is not None
    events = AuditEvent.objects.filter(action="interview.recorded").order_by("pk")
    assert [event.detail["passed"] for event in events] == [False, True]
    assert "Speaks" not in str([event.detail for event in events])


def test_a_quiz_after_an_interview_waits_for_it(stage, project, mona):
    first = Interview.objects.create(stage=stage, step=1)
    quiz = five_statements(stage, language="", step=2)
    assert refused(mona, stage)[0] == "interview"
    with pytest.raises(Refused) as found:
        attempt_at(quiz, mona)
    assert found.value.code == "interview_before"
    InterviewResult.objects.create(
        interview=first, rater=rater_of(mona, project), is_passed=True, held_on=date.today(), interviewer="N"
    )
    assert refused(mona, stage)[0] == "screening"
    assert take(quiz, mona).is_passed


def test_an_interview_of_a_language_is_for_its_people_and_closed_it_keeps_nobody_out(stage, project, nour, mona):
    bengali = Interview.objects.create(stage=stage, language="bn")
    assert claim_next(rater_of(mona, project), stage) is not None
    assert signed_in(mona).get(f"/p/feasts/interview/{bengali.pk}/").status_code == 404
    Interview.objects.filter(pk=bengali.pk).update(language="ar")
    karim = join(person("k@example.org", "K"), project, "annotator", varieties=("ar-EG",))
    assert refused(karim, stage)[0] == "interview"
    signed_in(nour).post(f"{LIST}{bengali.pk}/open/", {"open": "0"})
    assert claim_next(rater_of(karim, project), stage) is not None


def test_nour_adds_one_and_none_twice(stage, nour):
    lead, posted = signed_in(nour), {"stage": stage.pk, "language": "", "step": "2"}
    assert lead.get(LIST).status_code == 200
    assert lead.post(LIST, posted).status_code == 302
    assert lead.post(LIST, posted).status_code == 422
    assert lead.post(LIST, {**posted, "step": "21"}).status_code == 422
    assert lead.post(LIST, {**posted, "step": ""}).status_code == 422
    assert list(Interview.objects.values_list("language", "step", "is_open")) == [("", 2, True)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rater": "999999"},
        {"is_passed": ""},
        {"is_passed": "maybe"},
        {"held_on": ""},
        {"held_on": (date.today() + timedelta(days=3)).isoformat()},
        {"interviewer": ""},
        {"interviewer": "x" * 121},
        {"note": "ن" * 48_000},
    ],
)
def test_what_is_no_result_is_refused(stage, interview, project, nour, mona, wrong):
    answer = signed_in(nour).post(f"{LIST}{interview.pk}/", recorded(mona, project, **wrong))
    assert answer.status_code == 422
    assert not InterviewResult.objects.exists()


def test_nobody_of_another_project_and_no_rater_records(interview, project, other_project, nour, mona):
    stranger = join(person("else@example.org", "Else"), other_project, "annotator")
    posted = {**recorded(mona, project), "rater": rater_of(stranger, other_project).pk}
    assert signed_in(nour).post(f"{LIST}{interview.pk}/", posted).status_code == 422
    assert signed_in(mona).post(f"{LIST}{interview.pk}/", recorded(mona, project)).status_code == 404
    with pytest.raises(IntegrityError), transaction.atomic():
        InterviewResult.objects.create(
            interview=interview, rater=rater_of(stranger, other_project), is_passed=True, held_on=date.today(),
            interviewer="N",
        )  # fmt: skip


def test_the_project_file_has_interviews_and_no_results(stage, interview, project, mona):
    [entry] = described(project)["screening"]["interviews"]
    assert entry == {"stage": "Marking", "step": 3}
    head = "format: mizan.project/1\nscreening:\n  interviews:\n"
    apply_file(project, f"{head}  - {{stage: Marking, step: 3, open: false}}\n".encode())
    interview.refresh_from_db()
    assert not interview.is_open
    one = "  - {stage: Marking, step: 3}\n"
    for refused_file in (head + one + one, head + "  - {stage: Other}\n"):
        with pytest.raises(Invalid):
            apply_file(project, refused_file.encode())
    InterviewResult.objects.create(
        interview=interview, rater=rater_of(mona, project), is_passed=True, held_on=date.today(), interviewer="N"
    )
    with pytest.raises(Invalid):
        apply_file(project, b"format: mizan.project/1\nscreening: {}\n")
    InterviewResult.objects.all().delete()
    apply_file(project, b"format: mizan.project/1\nscreening: {}\n")
    assert not Interview.objects.exists()


# --- By a program ---

API = "/api/v1/projects/feasts/interviews/"


def posted(client, address: str, said: dict, method: str = "post"):
    return getattr(client, method)(address, said, content_type="application/json")


def said_of(who, project, **more):
    told = {"is_passed": True, "held_on": date.today().isoformat(), "interviewer": "نور 🎤", "note": " Speaks well. "}
    return {"person": rater_of(who, project).pseudonym, **told, **more}


def test_a_program_sets_one_up_and_records_what_came_of_it(stage, project, nour, mona):
    lead = signed_in(nour)
    made = posted(lead, API, {"stage": stage.name, "language": "ar", "step": 2})
    assert made.status_code == 201
    pk = made.json()["id"]
    assert refused(mona, stage)[0] == "interview"
    again = posted(lead, API, {"stage": stage.name, "language": "ar", "step": 2})
    assert (again.status_code, [each["field"] for each in again.json()["problems"]]) == (422, ["step"])
    address = f"{API}{pk}/results/"
    kept = posted(lead, address, said_of(mona, project))
    assert (kept.status_code, kept.json()["note"]) == (200, "Speaks well.")
    assert claim_next(rater_of(mona, project), stage) is not None
    posted(lead, address, said_of(mona, project))  # the same again changes nothing, and is not told again
    assert AuditEvent.objects.filter(action="interview.recorded").count() == 1
    assert posted(lead, address, said_of(mona, project, is_passed=False)).json()["is_passed"] is False
    [only] = lead.get(address).json()["results"]
    assert (only["person"], only["is_passed"], only["interviewer"]) == (
        rater_of(mona, project).pseudonym,
        False,
        "نور 🎤",
    )
    [listed] = lead.get(API).json()["interviews"]
    assert listed == {
        **{"id": pk, "stage": stage.name, "language": "ar", "step": 2},
        **{"is_open": True, "recorded": 1, "passed": 0},
    }
    assert posted(lead, f"{API}{pk}/", {"is_open": False}, "patch").json()["is_open"] is False
    assert posted(lead, f"{API}{pk}/", {"is_open": False}, "patch").status_code == 200
    assert AuditEvent.objects.filter(action="interview.set_up").count() == 2


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        ("person", "nobody", 422),
        ("person", "\0", 400),
        ("held_on", (date.today() + timedelta(days=3)).isoformat(), 422),
        ("held_on", "yesterday", 400),
        ("interviewer", " ", 400),
        ("interviewer", "x" * 121, 400),
        ("note", "🎤" * 4001, 400),
        ("is_passed", "perhaps", 400),
    ],
)
def test_what_is_no_result_is_refused_with_its_field(stage, interview, project, nour, mona, field, value, status):
    answer = posted(signed_in(nour), f"{API}{interview.pk}/results/", said_of(mona, project, **{field: value}))
    assert answer.status_code == status
    assert field in answer.content.decode()
    assert not InterviewResult.objects.exists()


def test_another_projects_people_stages_and_interviews_are_not_there(
    stage, interview, project, nour, mona, other_project
):
    lead = signed_in(nour)
    stranger = join(person("s@example.org", "S"), other_project, "annotator", varieties=("ar-EG",))
    of_other = rater_of(stranger, other_project).pseudonym
    address = f"{API}{interview.pk}/results/"
    assert posted(lead, address, said_of(mona, project, person=of_other)).status_code == 422
    assert posted(lead, API, {"stage": "No such stage 🎤"}).status_code == 422
    elsewhere = Interview.objects.create(stage=marking_stage(other_project))
    assert posted(lead, f"{API}{elsewhere.pk}/", {"is_open": False}, "patch").status_code == 404
    assert lead.get(f"{API}{elsewhere.pk}/results/").status_code == 404
