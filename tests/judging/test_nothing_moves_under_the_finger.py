"""What a server says of a model while its name is written never moves the button that stands below it."""

import pytest

from providers.models import ServedModel
from tests.frontend.settling import at_rest
from tests.people import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, bundle, live_server, nour):
    context = browser.new_context(base_url=live_server.url)
    session = signed_in(nour).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("en", 360), ("ar", 360), ("bn", 360)])
def test_the_button_stays_where_it_is(page, live_server, project, provider, language, width):
    told = {"input_price": 3, "output_price": "0.5", "takes_seed": False, "takes_temperature": True}
    ServedModel.objects.create(provider=provider, name="simulated-1", **told)
    page.set_viewport_size({"width": width, "height": 740})
    page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    page.goto("/p/feasts/judges/add/")
    page.locator("[name=kind][value=spans]").check()
    page.locator("[name=provider]").select_option(label=provider.name)
    before = place_of_the_button(page)
    for model in ("simulated-1", "simulated-2", "model-of-nobody"):
        with page.expect_response("**/laboratory/**"):
            page.locator("[name=model]").fill(model)
        page.locator("#laboratory .notice").wait_for()
        assert place_of_the_button(page) == before, model


def place_of_the_button(page):
    """From the top of the page, wherever it is scrolled to."""
    return (
        at_rest(page)
        .locator("main form button[type=submit]")
        .evaluate("button => button.getBoundingClientRect().top + scrollY")
    )
