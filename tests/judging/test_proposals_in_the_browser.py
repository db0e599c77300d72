"""From a proposing judge to figures, in browsers: Nour runs it, Hana decides by key and finger, dashboards count."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotation.models import ErrorCategory, GoldError, GroupProposal
from judging.models import Judge, Run
from reports.dashboard.tables import by_id
from reports.spans.dashboard import SPANS
from tests.judging.proposing import add_categories, keep_touching_errors, proposer, run_through
from tests.people import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def browser_of(browser, live_server):
    """A page signed in as a person; what breaks the content security policy is kept in `page.refused`."""
    contexts = []

    def open_browser(person, **settings):
        context = browser.new_context(base_url=f"{live_server.url}/p/feasts/", **settings)
        contexts.append(context)
        session = signed_in(person).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.refused = []
        page.on("console", lambda message: page.refused.append(message.text) if "Policy" in message.text else None)
        page.on("pageerror", lambda error: page.refused.append(str(error)))
        return page

    yield open_browser
    for context in contexts:
        context.close()


def run_a_judge(page, kind: str, label: str) -> None:
    """Add a judge of this kind and let it answer, by what the pages offer."""
    page.goto("judges/add/")
    page.get_by_label(label).check()
    assert page.get_by_label("Paragraph by paragraph").is_hidden(), "that is how error spans are asked for"
    page.get_by_label("Provider").select_option(label="simulated")
    page.get_by_label("Model").fill("simulated-1")
    # By the keyboard: what is said of the model's laboratory comes in meanwhile and moves the button below it.
    page.get_by_label("Model").press("Enter")
    page.get_by_role("button", name="Ask").click()
    page.get_by_role("heading", name="Done").wait_for()
    assert Run.objects.get(judge=Judge.objects.get(kind=kind)).state == "done"


def share_of_thick(project):
    found = by_id(SPANS.tables(project, filters={}), "thin-thick")
    [row] = [row for row in found.rows if "All errors" in row.labels]
    return row.figures[0]


def test_a_judge_proposes_and_people_decide(
    browser_of, bundle, nour, hana, project, provider, koshari, mona, karim, eager
):
    inaccuracy, connotation = add_categories(project)
    keep_touching_errors(koshari, mona, karim)
    nours = browser_of(nour)
    run_a_judge(nours, "groups", "Groups of errors on one issue")
    run_a_judge(nours, "categories", "Categories of errors")
    assert GoldError.objects.count() == 5
    assert share_of_thick(project).n == 0, "nothing that was proposed counts"

    # Hana decides on the two groups with one key each.
    hanas = browser_of(hana)
    hanas.goto("groups/")
    assert hanas.get_by_text("simulated", exact=True).is_visible()
    with hanas.expect_navigation():
        hanas.keyboard.press("1")
    hanas.get_by_text("1 proposal waits").wait_for()
    with hanas.expect_navigation():
        hanas.keyboard.press("2")
    hanas.get_by_text("No proposal waits").wait_for()
    assert sorted(GroupProposal.objects.values_list("state", flat=True)) == ["confirmed", "dismissed"]
    assert GoldError.objects.count() == 4, "two of five are one error now"

    # One category is confirmed by its key, one refused with a finger, one changed.
    hanas.goto("classification/proposals/")
    proposed = hanas.locator("#proposed-title").inner_text()
    with hanas.expect_navigation():
        hanas.keyboard.press("0")
    [confirmed] = GoldError.objects.filter(category__isnull=False)
    assert confirmed.category.name in proposed
    phone = browser_of(hana, has_touch=True, viewport={"width": 360, "height": 740})
    phone.goto("classification/proposals/")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    with phone.expect_navigation():
        phone.get_by_role("button", name="Refuse").tap()
    assert GoldError.objects.filter(category__isnull=False).count() == 1
    hanas.goto("classification/proposals/")
    other = connotation if inaccuracy.name in hanas.locator("#proposed-title").inner_text() else inaccuracy
    with hanas.expect_navigation():
        hanas.keyboard.press("2" if other == connotation else "1")
    assert GoldError.objects.filter(category__isnull=False).count() == 2

    # The dashboard counts what was decided, and nothing else.
    counted = GoldError.objects.filter(category__isnull=False)
    figure = share_of_thick(project)
    assert figure.n == 2
    assert figure.value == counted.filter(category__depth="thick").count() / 2
    nours.goto("results/")
    nours.get_by_role("heading", level=1).wait_for()
    assert nours.refused == hanas.refused == phone.refused == []


def test_a_group_is_confirmed_in_part_with_keys(browser_of, bundle, nour, project, provider, koshari, mona, karim):
    keep_touching_errors(koshari, mona, karim)
    run_through(proposer(project, provider, "groups"))
    page = browser_of(nour)
    page.goto("groups/")
    page.keyboard.press("4")
    assert not page.get_by_role("checkbox").nth(1).is_checked()
    with page.expect_navigation():
        page.keyboard.press("1")
    page.get_by_text("Choose at least two").wait_for()
    assert GroupProposal.objects.filter(state="open").count() == 2


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_accessibility_violation(
    language, theme, browser_of, bundle, live_server, nour, project, provider, koshari, mona, karim, tmp_path
):
    add_categories(project)
    keep_touching_errors(koshari, mona, karim)
    found = [proposer(project, provider, kind) for kind in ("groups", "categories")]
    ran = [run_through(judge) for judge in found]
    page = browser_of(nour, color_scheme=theme, reduced_motion="reduce")
    page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    addresses = ["groups/", "classification/proposals/", "classification/", "judges/", "judges/add/"]
    addresses += [f"responses/{koshari.uuid}/", *(f"judges/runs/{run.uuid}/calls/" for run in ran)]
    for address in [*addresses, f"judges/{found[0].pk}/"]:
        page.goto(address)
        assert page.evaluate("document.documentElement.dir") == ("rtl" if language == "ar" else "ltr")
        page.screenshot(path=tmp_path / f"{address.strip('/').replace('/', '-')}.png", full_page=True)
        violations = Axe().run(page).response["violations"]
        assert [f"{address} {each['id']}: {node['html'][:120]}" for each in violations for node in each["nodes"]] == []
    assert page.refused == []
    assert ErrorCategory.objects.count() == 2
