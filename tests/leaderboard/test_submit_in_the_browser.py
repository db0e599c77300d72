"""Layla, who is in no project, submits a model from her phone; the second is refused with the date, the withdrawn one
stays listed; Nour accepts the next laboratory's, and signed out everybody reads it."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from benchmark.models import Submission
from benchmark.submissions.months import month_after, month_of
from judging.models import Run
from tests.frontend.conftest import bundle
from tests.frontend.test_looks_and_weight import violations
from tests.judging.collecting import work_off
from tests.judging.conftest import every_provider_is_up, fake_provider, fake_provider_process
from tests.leaderboard.submitting import feasts, layla, opened, questions, sami, yara
from tests.leaderboard.test_the_board_in_the_browser import shown
from tests.people import signed_in

__all__ = [
    "bundle",
    "every_provider_is_up",
    "fake_provider",
    "fake_provider_process",
    "feasts",
    "layla",
    "opened",
    "questions",
    "sami",
    "shown",
    "yara",
]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def visit(page, bundle, live_server):
    """Opens an address in a language, as this person or signed out."""

    def opened_at(name, *args, user=None, language="en"):
        page.context.clear_cookies()
        cookies = {"django_language": language}
        if user is not None:
            cookies["sessionid"] = signed_in(user).cookies["sessionid"].value
        page.context.add_cookies(
            [{"name": key, "value": value, "url": live_server.url} for key, value in cookies.items()]
        )
        page.goto(f"{live_server.url}{reverse(name, args=args)}")
        page.evaluate("document.fonts.ready.then(() => null)")
        return page

    return opened_at


def fits(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def fill(page, name: str, address: str) -> None:
    page.get_by_label("Name of the model").fill(name)
    page.get_by_label("By API only").check()
    page.get_by_label("At an address of ours, over the network").check()
    page.locator("[name=address]").fill(address)
    page.locator("[name=model]").fill("simulated-1")


def test_an_outsider_submits_and_everybody_reads_what_became_of_it(
    page, visit, opened, layla, yara, nour, fake_provider, settings, shown, monkeypatch
):
    settings.SUBMITTED_PRIVATE_HOSTS = ["127.0.0.1"]
    monkeypatch.setattr("judging.engine.runs.send", lambda jobs: None)
    until = f"{month_after(month_of(timezone.now())).isoformat()}, 00:00 UTC"
    page.set_viewport_size(PHONE)
    # from the board, by the list, to the form
    visit("open-board", "arabic", user=layla)
    page.get_by_role("link", name="Submissions").click()
    page.get_by_role("link", name="Submit a model").click()
    expect(page.get_by_text("No best of several")).to_be_visible()
    assert fits(page)
    assert violations(page) == []
    shown(page, "submit-phone")
    # a wrong address is told beside the field, and what was written stays
    fill(page, "Pond-7B", "https://10.0.0.1/v1")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("This address cannot be reached from the open network.")).to_be_visible()
    expect(page.get_by_label("Name of the model")).to_have_value("Pond-7B")
    page.locator("[name=address]").fill(fake_provider.url)
    page.get_by_role("button", name="Submit").dblclick()
    expect(page.get_by_role("heading", name="Pond-7B")).to_be_visible()
    expect(page.get_by_text("place 1 in the queue")).to_be_visible()
    assert Submission.objects.count() == 1
    assert violations(page) == []
    # a second one is refused with the date
    visit("open-board-submit", "arabic", user=layla)
    expect(page.get_by_role("alert")).to_contain_text("Once a calendar month")
    expect(page.get_by_role("alert")).to_contain_text(until)
    assert page.get_by_label("Name of the model").count() == 0
    shown(page, "submit-refused-phone")
    # withdrawn, it stays listed and the month is used
    visit("open-board-submission", "arabic", Submission.objects.get().uuid, user=layla)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("It stays listed, and it counts for its month.")).to_be_visible()
    visit("open-board-submit", "arabic", user=layla)
    expect(page.get_by_role("alert")).to_contain_text("Withdrawn")
    # the next laboratory's is accepted
    visit("open-board-submit", "arabic", user=yara)
    fill(page, "قصب Reed-1", fake_provider.url)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("place 1 in the queue")).to_be_visible()
    visit("board-submissions", "feasts", user=nour)
    assert fits(page)
    assert violations(page) == []
    shown(page, "moderation-phone")
    page.get_by_role("listitem").get_by_role("link", name="Reed-1").click()
    assert fits(page)
    assert violations(page) == []
    shown(page, "moderate-phone")
    address = page.get_by_role("cell", name=fake_provider.url).bounding_box()
    assert address["x"] + address["width"] <= PHONE["width"], "an address is read whole"
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("it is asked all questions of the board now")).to_be_visible()
    work_off(Run.objects.get())
    # signed out
    visit("open-board-submissions", "arabic")
    rows = page.get_by_role("row")
    expect(rows.filter(has_text="Pond-7B")).to_contain_text("Withdrawn")
    expect(rows.filter(has_text="Reed-1")).to_contain_text("On the board")
    assert "example.org" not in page.content()
    assert fits(page)
    assert violations(page) == []
    visit("open-board", "arabic")
    page.reload()  # the browser may keep the board for five minutes
    expect(page.get_by_role("row").filter(has_text="Reed-1")).to_be_visible()


def test_all_pages_stand_in_arabic_on_a_phone(page, visit, opened, layla, sami, ada, shown):
    page.set_viewport_size(PHONE)
    for name, args, user in (
        ("open-board-submit", ["arabic"], layla),
        ("open-board-submit", ["arabic"], sami),
        ("open-board-submissions", ["arabic"], None),
        ("board-submissions", ["feasts"], ada),
        ("verified-accounts", [], ada),
    ):
        visit(name, *args, user=user, language="ar")
        assert page.evaluate("document.documentElement.dir") == "rtl"
        assert fits(page), name
        assert violations(page) == []
        shown(page, f"{name}-ar-phone")
