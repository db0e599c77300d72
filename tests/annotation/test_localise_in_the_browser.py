"""Mona localises a prompt on her phone, in a real browser on the application itself."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from projects.models import Laboratory, Localisation, LocalisationDraft, Prompt, TargetModel
from projects.placeholders import fill, names
from tests.annotation.localising import ASKED, EGYPTIAN, VALUES, draft, localising_stage, template_of
from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import signed_in
from tests.rubrics.in_the_browser import SAVED, at_work  # noqa: F401
from tests.workflow.working import put_draft
from workflow.claims import claim_next
from workflow.planning import plan_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def own(project, mona):
    template_of(project)
    stage = localising_stage(project)
    template_of(project, "t-2", "What is served on [locale_holiday]?")
    plan_items(stage)  # behind the first
    return claim_next(mona.raters.get(), stage)


@pytest.fixture
def phone(page):
    page.set_viewport_size({"width": 360, "height": 740})
    return page


def ready(page):
    page.wait_for_selector("html[data-localising=ready]")
    return page


def written(page) -> dict:
    return page.evaluate("mizanLocalising.document.serialise()")


def in_arabic(page, live_server) -> None:
    page.context.add_cookies([{"name": "django_language", "value": "ar", "url": live_server.url}])


def test_mona_localises_a_prompt_on_her_phone(at_work, phone, own, mona, live_server):  # noqa: F811
    in_arabic(phone, live_server)
    page = ready(at_work(mona, f"/tasks/{own.uuid}/"))
    assert page.evaluate("document.documentElement.dir") == "rtl"
    text = page.locator("#localised-text")
    assert (text.get_attribute("lang"), text.get_attribute("dir")) == ("ar-EG", "rtl")

    # Brackets are hard to type on this keyboard: a button puts the placeholder where the cursor stands.
    inserts = page.locator(".localising__insert")
    assert inserts.count() == 2
    text.press_sequentially("في عزومة عيلة ")
    inserts.nth(0).click()
    page.keyboard.type(" في ")
    assert page.locator(".localising__insert--done").count() == 1
    page.wait_for_selector(SAVED)
    page.keyboard.press("Control+Enter")

    # What is missing is named at its place, and nothing of what was written is lost.
    page.locator(".error-summary li").first.wait_for()
    assert page.locator(".error-summary li").count() == 3, "one placeholder and two values"
    assert page.evaluate("document.activeElement.id") == "localised-text"
    assert "[locale_country]" in page.locator("#localised-text-error").inner_text()
    assert not Prompt.objects.exists()

    page.keyboard.press("End")
    inserts.nth(1).click()
    page.keyboard.type("، تطلب طبق تاني إزاي؟")
    onwards = page.locator(".panel-sheet__steps button").last
    onwards.click()
    for name, value in VALUES.items():
        page.locator(f"#value-{name}").fill(value)
    onwards.click()
    assert page.locator(".localising__preview").inner_text() == ASKED
    assert written(page) == {"text": EGYPTIAN, "values": dict(sorted(VALUES.items()))}
    page.wait_for_selector(SAVED)
    page.reload()
    assert written(ready(page)) == {"text": EGYPTIAN, "values": dict(sorted(VALUES.items()))}

    with page.expect_navigation():
        page.locator(".panel__actions .btn-primary").click()
    ready(page)
    assert Prompt.objects.get().text == ASKED
    assert Localisation.objects.get().values == VALUES
    assert "[locale_holiday]" in page.locator(".localising__original").inner_text(), "the next item came"


def test_what_is_undone_comes_back(at_work, own, mona):  # noqa: F811
    page = ready(at_work(mona, f"/tasks/{own.uuid}/"))
    page.locator("#localised-text").fill("في عزومة")
    page.locator("#value-locale_country").fill("مصر")
    page.keyboard.press("Control+Z")
    assert page.locator("#value-locale_country").input_value() == ""
    page.keyboard.press("Control+Z")
    assert page.locator("#localised-text").input_value() == ""
    page.keyboard.press("Control+Shift+Z")
    assert page.locator("#localised-text").input_value() == "في عزومة"
    page.keyboard.press("Alt+2")
    assert written(page)["text"].endswith("[locale_country]")
    page.get_by_role("button", name="Keys").click()
    assert "Alt+1 – 2" in page.get_by_role("dialog").inner_text()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_two_tabs_let_her_choose(at_work, own, mona):  # noqa: F811
    page = ready(at_work(mona, f"/tasks/{own.uuid}/"))
    page.wait_for_selector(SAVED)
    put_draft(signed_in(mona), own, 0, {"text": "من جهاز تاني", "values": {"locale_country": "مصر"}})
    page.locator("#localised-text").fill("من هنا")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("من جهاز تاني").wait_for()
    dialog.get_by_role("button", name="Combine both").click()
    page.wait_for_selector(SAVED)
    assert written(page) == {"text": "من هنا", "values": {"locale_country": "مصر"}}
    own.refresh_from_db()
    assert own.draft.body["text"] == "من هنا"


def test_what_was_handed_in_is_read_and_not_changed(at_work, own, mona):  # noqa: F811
    put_draft(signed_in(mona), own, 0, draft())
    page = ready(at_work(mona, f"/tasks/{own.uuid}/"))
    with page.expect_navigation():
        page.get_by_role("button", name="Submit").click()
    page.goto(page.url.rsplit("/", 2)[0] + f"/{own.uuid}/")
    ready(page)
    assert page.locator(".localising__preview").inner_text() == ASKED
    assert (
        page.locator("#localising-fields textarea:not([readonly]), #localising-fields input:not([readonly])").count()
        == 0
    )
    assert page.get_by_role("button", name="Amend").is_visible()


TEXTS = ["[a] و[b]!", "[[a]]", "[A] [1] [a b] []", "👩🏽‍🚀[x_1]é[y", f"[{'a' * 60}][{'a' * 61}]", "[ক] \u200f[a]\u200f"]


def test_the_browser_finds_the_same_placeholders_as_the_server(at_work, own, mona):  # noqa: F811
    page = ready(at_work(mona, f"/tasks/{own.uuid}/"))
    for text in TEXTS:
        page.locator("#localised-text").fill(text)
        values = dict.fromkeys(names(text), "…")
        for name, value in values.items():
            page.evaluate("([name, value]) => mizanLocalising.document.give(name, value)", [name, value])
        assert page.locator(".localising__preview").inner_text() == fill(text, values)


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_no_barrier_is_found_by_axe(at_work, own, mona, page, width, scheme):  # noqa: F811
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    put_draft(signed_in(mona), own, 0, draft(text="في [locale_country]", locale_nationality=""))
    ready(at_work(mona, f"/tasks/{own.uuid}/"))
    page.keyboard.press("Control+Enter")
    page.locator(".error-summary li").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_what_a_model_drafted_is_there_and_is_put_aside_and_brought_back(at_work, own, mona):  # noqa: F811
    template, model = own.item.template, TargetModel.objects.first() or add_response_model()
    LocalisationDraft.objects.create(
        template=template,
        variety=own.item.variety,
        text=EGYPTIAN,
        values=VALUES,
        target_model=model,
        model="nile-7b",
        prompt="translating v1",
    )
    page = ready(at_work(mona, f"/tasks/{own.uuid}/"))
    assert page.locator("#localised-text").input_value() == EGYPTIAN
    assert model.name in page.locator("#drafted").inner_text()
    aside = page.get_by_role("button", name="Put the draft aside")
    aside.focus()
    page.keyboard.press("Enter")
    assert written(page) == {"text": "", "values": {}, "rejected": True}
    assert page.evaluate("document.activeElement.id") == "localised-text"
    assert not aside.is_visible()
    page.keyboard.press("Control+z")
    assert written(page) == {"text": EGYPTIAN, "values": dict(sorted(VALUES.items()))}
    assert aside.is_visible()
    assert not Axe().run(page).response["violations"]
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert LocalisationDraft.objects.get().outcome == "validated"


def add_response_model() -> TargetModel:
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    return TargetModel.objects.create(name="Nile-7B", laboratory=laboratory)
