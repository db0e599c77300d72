"""Layla submits a model to an open board: once a calendar month, whatever becomes of it."""

from datetime import UTC, datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone, translation

from benchmark.models import Ban, Board, Submission
from benchmark.submissions import ending, spending
from benchmark.submissions.banning import ban, lift
from benchmark.submissions.ending import refuse, withdraw
from benchmark.submissions.listing import listed, queue
from benchmark.submissions.months import month_of
from benchmark.submissions.spending import Spending
from benchmark.submissions.submitting import submit
from projects.models import AuditEvent
from projects.problems import Invalid
from tests.leaderboard.submitting import feasts, hassan, layla, opened, outsider, pond, questions, sami, yara
from tests.people import signed_in

__all__ = ["feasts", "hassan", "layla", "opened", "questions", "sami", "yara"]
pytestmark = pytest.mark.django_db


def at(year: int, month: int, day: int, *time: int):
    """At this moment in UTC: hours, minutes and seconds where they are given."""
    moment = datetime(year, month, day, tzinfo=UTC)
    for unit, n in zip(("hour", "minute", "second"), time, strict=False):
        moment = moment.replace(**{unit: n})  # type: ignore[arg-type]
    return time_machine.travel(moment, tick=False)


def refused(board, account, **changes) -> Invalid:
    before = Submission.objects.count()
    with pytest.raises(Invalid) as caught:
        submit(board, account, pond(**changes))
    assert Submission.objects.count() == before
    return caught.value


# --- Once a calendar month ---


def test_it_waits_in_the_queue_and_is_written_down(opened, layla):
    with at(2026, 11, 23, 12):
        row = submit(opened, layla, pond())
    assert (row.state, row.month, row.name, row.laboratory.name) == ("queued", "2026-11", "Pond-7B", "Pond Lab")
    assert row.card == {
        "access": "api",
        "parameters_total": 7.0,
        "parameters_active": None,
        "licence": "Apache-2.0",
        "context_tokens": None,
        "link": "https://pond.example.org/model",
        "declared_overlap": "None that we know of",
    }
    assert row.run["address"] == "https://models.pond.example.org/v1"
    assert row.run["sampling"] == {"temperature": 0.0}
    event = AuditEvent.objects.get(action="submission.made")
    assert (event.actor, event.project, event.subject) == (layla, opened.project, "Pond-7B")


@pytest.mark.parametrize("become_of", ["queued", "refused", "withdrawn", "failed", "timed_out", "done"])
def test_a_second_in_the_month_is_refused_whatever_became_of_the_first(opened, layla, nour, become_of):
    with at(2026, 11, 2, 9):
        first = submit(opened, layla, pond())
    if become_of == "refused":
        refuse(first, nour, "Its page says nothing.")
    elif become_of == "withdrawn":
        withdraw(first, layla)
    else:
        Submission.objects.update(state=become_of)
    with at(2026, 11, 30, 23, 59, 59):
        [problem] = refused(opened, layla, name="Pond-8B").problems
    assert problem.code == "month_used"
    assert "Once a calendar month" in problem.message
    assert "2026-12-01, 00:00 UTC" in problem.message
    with at(2026, 12, 1):
        assert submit(opened, layla, pond(name="Pond-8B")).month == "2026-12"
    assert [row.name for row in listed(opened)] == ["Pond-8B", "Pond-7B"]


@pytest.mark.parametrize(
    "zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Riyadh", "America/New_York"]
)  # UTC+14, UTC-11
def test_the_month_is_that_of_utc_wherever_server_and_people_are(opened, layla, yara, settings, zone):
    settings.TIME_ZONE = zone
    with timezone.override(zone):
        with at(2026, 12, 31, 23, 59, 59):
            assert submit(opened, layla, pond()).month == "2026-12"
            assert "2027-01-01" in str(refused(opened, layla, name="Pond-8B"))
        with at(2027, 1, 1, 0, 0, 0):
            assert submit(opened, layla, pond(name="Pond-8B")).month == "2027-01"
            assert submit(opened, yara, pond(name="Reed")).month == "2027-01"


def test_the_month_of_a_moment_is_that_of_utc_wherever_its_clock_stands():
    """Eight in the evening in New York is one o'clock of the next day; two in the morning in Kiritimati is noon of the
    day before."""
    assert month_of(datetime(2026, 12, 31, 20, tzinfo=ZoneInfo("America/New_York"))) == "2027-01"
    assert month_of(datetime(2027, 1, 1, 2, tzinfo=ZoneInfo("Pacific/Kiritimati"))) == "2026-12"


def test_the_place_in_the_queue_is_that_of_its_own_board(opened, layla, yara, other_project, nour):
    """Those that were there first count, while they wait; those of another board never do."""
    elsewhere = Board.objects.create(
        project=other_project, slug="weddings", title="Weddings", is_open=True, takes_submissions=True
    )
    with at(2026, 11, 2, 9):
        submit(elsewhere, layla, pond())
    with at(2026, 11, 2, 10):
        first = submit(opened, layla, pond())
    with at(2026, 11, 2, 11):
        second = submit(opened, yara, pond(name="Reed-1"))

    def places(board) -> dict[str, int | None]:
        return {row.name: vars(row)["position"] for row in listed(board)}

    assert places(opened) == {"Pond-7B": 1, "Reed-1": 2}
    assert places(elsewhere) == {"Pond-7B": 1}
    assert [(row.name, row.position) for row in queue(opened)] == [("Pond-7B", 1), ("Reed-1", 2)]
    refuse(first, nour, "Its page says nothing.")
    assert places(opened) == {"Pond-7B": None, "Reed-1": 1}
    withdraw(second, yara)
    assert places(opened) == {"Pond-7B": None, "Reed-1": None}
    assert not queue(opened).exists()


def test_a_laboratory_submits_once_whichever_of_its_accounts_does(opened, layla, hassan, yara):
    with at(2026, 11, 2):
        submit(opened, layla, pond())
        [problem] = refused(opened, hassan, name="Pond-8B").problems
        assert problem.code == "month_used_by_laboratory"
        assert "Pond Lab has submitted “Pond-7B”" in problem.message
        assert "2026-12-01, 00:00 UTC" in problem.message
        submit(opened, yara, pond(name="Reed-1"))
        # a laboratory changed in between frees nobody
        layla.verified_account.laboratory = outsider("Zayn", "Third Lab").verified_account.laboratory
        layla.verified_account.save()
        assert refused(opened, layla, name="Pond-9B").problems[0].code == "month_used"


def test_the_database_holds_to_it_too(opened, layla, hassan, yara):
    row = submit(opened, layla, pond())
    for account, lab in ((layla, yara.verified_account.laboratory), (hassan, row.laboratory)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Submission.objects.create(board=opened, account=account, laboratory=lab, month=row.month, name="Another")


def test_the_same_form_sent_twice_is_one_submission(opened, layla):
    form, other = uuid4(), uuid4()
    first = submit(opened, layla, pond(), uuid=form)
    assert submit(opened, layla, pond(), uuid=form) == first
    with pytest.raises(Invalid):
        submit(opened, layla, pond(), uuid=other)
    assert Submission.objects.count() == 1


def test_nobody_is_answered_with_somebody_elses_submission(opened, layla, yara):
    form = uuid4()
    submit(opened, layla, pond(), uuid=form)
    with pytest.raises(Invalid) as caught:
        submit(opened, yara, pond(name="Reed-1"), uuid=form)
    assert caught.value.problems[0].code == "id_taken"


# --- Who may ---


def test_a_board_takes_submissions_only_while_it_is_open_and_takes_them(opened, layla):
    for field in ("is_open", "takes_submissions"):
        setattr(opened, field, False)
        assert refused(opened, layla).problems[0].code == "closed"
        setattr(opened, field, True)


def test_who_is_not_verified_is_told_what_to_do(opened, sami):
    [problem] = refused(opened, sami).problems
    assert problem.code == "not_verified"
    assert "Write to whoever runs this installation" in problem.message


def test_who_is_banned_reads_why_until_the_ban_is_lifted(opened, layla, nour):
    row = ban(opened, layla, nour, "Three models that were one")
    assert "Three models that were one" in str(refused(opened, layla))
    with pytest.raises(Invalid):
        ban(opened, layla, nour, "Again")
    lift(row, nour)
    with pytest.raises(Invalid):
        lift(row, nour)
    assert submit(opened, layla, pond()).state == "queued"
    assert Ban.objects.get().lifted_at is not None  # stays on record
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {"submission.banned", "submission.ban_lifted"} <= actions


def test_nothing_is_taken_once_the_months_budget_is_used_up(opened, layla, monkeypatch):
    opened.submission_money, opened.submission_tokens = 10**9, None
    monkeypatch.setattr(spending, "_sources", [lambda board, month: Spending((10**9, 5), (10**9, 5))])
    with at(2026, 11, 2):
        [problem] = refused(opened, layla).problems
    assert (problem.code, "2026-12-01, 00:00 UTC" in problem.message) == ("budget_used", True)
    opened.submission_money = 10**9 + 1
    assert submit(opened, layla, pond())


# --- What may be said ---


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "  "),
        ("name", "x" * 48_000),
        ("name", "Pond\u202egnP.exe"),  # right-to-left override
        ("name", "Pond\u2066"),
        ("name", "Pond\nReed"),
        ("name", "Pond\x00"),
        ("name", "\u200b\u200b"),
        ("name", "…"),
        ("link", "javascript:alert(1)"),
        ("link", "data:text/html,x"),
        ("link", "ftp://pond.example.org"),
        ("access", "closed"),
        ("how", "magic"),
        ("parameters_total", "0"),
        ("parameters_total", "-1"),
        ("parameters_total", "nan"),
        ("parameters_total", "inf"),
        ("parameters_active", "8"),
        ("token_limit", "0"),
        ("token_limit", "10" * 20),
        ("temperature", "-1"),
        ("model", ""),
        ("address", ""),
        ("declared_overlap", "x" * 4001),
        ("declared_overlap", "half a letter \ud800"),
        ("system_prompt", "a\x00b"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(opened, layla, field, value):
    assert field in {problem.field for problem in refused(opened, layla, **{field: value}).problems}


@pytest.mark.parametrize(
    "address",
    [
        "http://models.pond.example.org/v1",  # a key would be read on the way
        "https://127.0.0.1/v1",
        "https://localhost/v1",
        "https://LOCALHOST./v1",
        "https://intranet/v1",
        "https://db.internal/v1",
        "https://10.0.0.8/v1",
        "https://192.168.1.1/v1",
        "https://169.254.169.254/latest",
        "https://100.64.0.1/v1",
        "https://0.0.0.0/v1",
        "https://127.1/v1",
        "https://2130706433/v1",
        "https://0x7f000001/v1",
        "https://0177.0.0.1/v1",
        "https://[::1]/v1",
        "https://[::ffff:127.0.0.1]/v1",
        "https://[64:ff9b::7f00:1]/v1",
        "https://[2002:7f00:1::]/v1",
        "https://[fe80::1%25eth0]/v1",
        "https://[fd00::1]/v1",
        "https://user:secret@pond.example.org/v1",
        "https://pond.example.org/v1?key=secret",
        "https://pond.example.org/v1#secret",
        "https://pond.example.org:99999/v1",
        "https://pond.example.org/a b",
        "https://p\u043end.example.org/v1",  # a Cyrillic letter
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https://" + "x" * 400 + ".org",
    ],
)
def test_an_address_is_one_of_the_open_network(opened, layla, address):
    assert {problem.field for problem in refused(opened, layla, address=address).problems} == {"address"}


def test_what_is_often_copied_along_is_left_out_of_the_address(opened, layla):
    row = submit(opened, layla, pond(address="https://models.pond.example.org/v1/chat/completions"))
    assert row.run["address"] == "https://models.pond.example.org/v1"


def test_weights_that_the_lead_runs_need_no_address_and_must_be_open(opened, layla):
    weights = {"how": "weights", "address": "", "model": "", "instructions": "vLLM, chat template of the repository"}
    assert {p.field for p in refused(opened, layla, **weights, access="api").problems} == {"how"}
    nowhere = weights | {"instructions": "", "link": "", "access": "open"}
    assert {p.field for p in refused(opened, layla, **nowhere).problems} == {"instructions"}
    row = submit(opened, layla, pond(**weights, access="open"))
    assert (row.run["how"], row.run["address"], row.run["instructions"]) == ("weights", "", weights["instructions"])


def test_a_name_that_waits_or_is_on_the_board_is_taken(opened, layla, yara):
    submit(opened, layla, pond())
    assert refused(opened, yara, name="pond-7b").problems[0].code == "name_taken"


# --- On the page ---


def test_what_is_html_is_shown_as_it_was_written(opened, layla, client):
    submit(opened, layla, pond(name="<b>Pond</b><script>alert(1)</script>"))
    html = client.get(reverse("open-board-submissions", args=["arabic"])).content.decode()
    assert "&lt;b&gt;Pond&lt;/b&gt;" in html
    assert "<b>Pond" not in html
    assert "alert(1)</script>" not in html


def test_a_double_click_brings_one_to_ones_submission_twice(opened, layla):
    browser, address = signed_in(layla), reverse("open-board-submit", args=["arabic"])
    form = browser.get(address).context["id"]
    answers = [browser.post(address, pond(id=str(form))) for _click in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0].url == answers[1].url == reverse("open-board-submission", args=["arabic", form])
    # a second form is told, and keeps what was written
    again = browser.post(address, pond(name="Pond-8B", id=str(uuid4())))
    assert again.status_code == 422
    html = again.content.decode()
    assert "Once a calendar month" in html
    assert "Pond-8B" in html


def test_a_name_of_48_kilobytes_is_told_and_nothing_is_stored(opened, layla):
    answer = signed_in(layla).post(reverse("open-board-submit", args=["arabic"]), pond(name="ن" * 24_000))
    assert answer.status_code == 422
    assert not Submission.objects.exists()


def test_the_page_says_first_what_stands_in_the_way(opened, layla, sami):
    submit(opened, layla, pond())
    address = reverse("open-board-submit", args=["arabic"])
    for person, words in ((layla, "Once a calendar month"), (sami, "not verified for a laboratory")):
        html = signed_in(person).get(address).content.decode()
        assert words in html
        assert 'name="address"' not in html
        assert "No best of several" in html


def test_what_was_refused_is_not_withdrawn_afterwards(opened, layla, nour):
    row = submit(opened, layla, pond())
    refuse(row, nour, "The address does not answer.")
    with pytest.raises(Invalid, match="cannot be withdrawn any more"):
        withdraw(row, layla)
    row.refresh_from_db()
    assert (row.state, row.reason) == ("refused", "The address does not answer.")


def test_only_its_account_opens_and_withdraws_a_submission(opened, layla, yara, nour):
    row = submit(opened, layla, pond())
    page, act = (reverse(f"open-board-{name}", args=["arabic", row.uuid]) for name in ("submission", "withdraw"))
    for person in (yara, nour):
        assert signed_in(person).get(page).status_code == 404
        assert signed_in(person).post(act).status_code == 404
    assert signed_in(layla).post(act).status_code == 302
    row.refresh_from_db()
    assert row.state == "withdrawn"
    with pytest.raises(Invalid):
        withdraw(row, layla)
    assert AuditEvent.objects.filter(action="submission.withdrawn").count() == 1


def test_nobody_outside_reads_who_submitted_or_what_address_is_called(opened, layla, nour, client):
    row = submit(opened, layla, pond())
    refuse(row, nour, "Say how it was trained.")
    html = client.get(reverse("open-board-submissions", args=["arabic"])).content.decode()
    data = client.get(reverse("api-open-board-submissions", args=["arabic"])).content.decode()
    for text in ("Layla", "layla@", "Nour", "nour@", "models.pond", "feasts"):
        assert text not in data
        assert text not in html
    for text in ("Pond-7B", "Pond Lab", "Say how it was trained."):
        assert text in data
        assert text in html


def test_an_outsider_sees_nothing_of_the_project(opened, layla):
    row = submit(opened, layla, pond())
    browser = signed_in(layla)
    html = browser.get(reverse("open-board-submission", args=["arabic", row.uuid])).content.decode()
    assert "/p/feasts/" not in html
    for name in ("leaderboard", "board-submissions", "board-settings", "project"):
        assert browser.get(reverse(name, args=["feasts"])).status_code == 404


def test_a_closed_board_shows_no_submissions(opened, layla, client):
    submit(opened, layla, pond())
    opened.is_open = False
    opened.save()
    for name in ("open-board-submissions", "api-open-board-submissions"):
        assert client.get(reverse(name, args=["arabic"])).status_code == 404
    assert signed_in(layla).get(reverse("open-board-submit", args=["arabic"])).status_code == 404


# --- Many ---


@pytest.fixture
def five_hundred(opened):
    for n in range(500):
        user = outsider(f"Person{n}", f"Lab {n}")
        state = ("queued", "refused", "withdrawn", "done")[n % 4]
        Submission.objects.create(
            board=opened,
            account=user,
            laboratory=user.verified_account.laboratory,
            month="2026-11",
            name=f"Model {n}",
            state=state,
            reason="No." if state == "refused" else "",
        )


def test_lists_of_five_hundred_need_few_statements(opened, five_hundred, nour, client, django_assert_max_num_queries):
    with django_assert_max_num_queries(5):
        html = client.get(reverse("open-board-submissions", args=["arabic"])).content.decode()
    assert "Model 499" in html
    # 125 wait, the last of them was submitted as number 496
    assert "place 125 in the queue" in html
    assert "Model 9<" not in html
    lead = signed_in(nour)
    with django_assert_max_num_queries(20):
        assert lead.get(reverse("board-submissions", args=["feasts"])).status_code == 200
    with django_assert_max_num_queries(5):
        rows = client.get(reverse("api-open-board-submissions", args=["arabic"])).json()
    assert len(rows["results"]) == 100
    assert rows["results"][4]["position"] == 2


def test_no_state_ends_twice(opened, layla, nour):
    row = submit(opened, layla, pond())
    assert ending.end(row, "withdrawn", ["queued"], by=layla)
    assert not ending.end(row, "refused", ["queued"], reason="Late", by=nour)
    with pytest.raises(Invalid):
        refuse(row, nour, "Late")
    with pytest.raises(Invalid):
        refuse(row, nour, "   ")
    row.refresh_from_db()
    assert (row.state, row.reason) == ("withdrawn", "")


def test_a_program_that_misspells_a_field_has_not_used_up_its_month(opened, layla):
    """Left out in silence, the size would be undisclosed, and nothing could be said again before the next month."""
    client, address = signed_in(layla), reverse("api-open-board-submissions", args=["arabic"])
    faults = {
        "paramters_total": (70, "There is no such field."),
        "parameters_total": (True, "A number is expected."),
        "seed": (False, "A valid integer is required."),
    }
    for field, (value, said) in faults.items():
        answer = client.post(address, pond() | {field: value}, content_type="application/json")
        assert (answer.status_code, answer.json()) == (400, {field: [said]})
    for body in ("[]", "null", '"x"'):
        answer = client.post(address, body, content_type="application/json")
        assert (answer.status_code, list(answer.json())) == (400, ["non_field_errors"])
    assert not Submission.objects.exists()
    assert client.post(address, pond(), content_type="application/json").status_code == 201


def test_a_link_that_is_none_is_told_once(opened, layla):
    problems = refused(opened, layla, link="javascript:alert(1)").problems
    assert [problem.field for problem in problems] == ["link"]
    assert [problem.field for problem in refused(opened, layla, link="ftp://example.org/").problems] == ["link"]


# --- What is said on the page ---


def test_dates_keep_their_order_where_a_sentence_runs_from_right_to_left(opened, layla):
    with at(2026, 11, 2), translation.override("ar"):
        page = signed_in(layla).get(f"/boards/{opened.slug}/submit/", headers={"accept-language": "ar"})
        assert "\u20662026-12-01\u2069" in page.content.decode()
        submit(opened, layla, pond())
        assert "\u20662026-12-01\u2069" in refused(opened, layla, name="Pond-8B").problems[0].message


def test_a_form_with_a_fault_says_that_nothing_was_submitted_and_keeps_what_was_written(opened, layla):
    page = signed_in(layla).post(f"/boards/{opened.slug}/submit/", {"name": "Pond 🐸 7B"})
    assert page.status_code == 422
    shown = page.content.decode()
    assert "Nothing was submitted; what you wrote is still here." in shown
    assert 'value="Pond 🐸 7B"' in shown
    assert not Submission.objects.exists()
