"""Ada tests a model in her browser: she sees that it is asked, then what was found, without a reload."""

import pytest

from providers.models import Provider, ServedModel
from tests.barriers import barriers
from tests.people import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def adas_browser(ada, page, live_server):
    """A page that is signed in as Ada; what breaks the content security policy is kept in `page.refused`."""
    cookie = signed_in(ada).cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.refused = []
    page.on("console", lambda message: page.refused.append(message.text) if "Policy" in message.text else None)
    page.on("pageerror", lambda error: page.refused.append(str(error)))
    return page


def test_a_test_says_that_it_runs_and_what_it_found(adas_browser, live_server, provider, fake_provider):
    served = ServedModel.objects.create(provider=provider, name="simulated-1", input_price=1, output_price=2)
    fake_provider.tell(latency_ms=700, refuses_parameters=["seed"])
    adas_browser.goto(f"{live_server.url}/providers/models/{served.pk}/")
    button = adas_browser.get_by_role("button", name="Test this model")
    button.click()
    adas_browser.get_by_text("Asking the model").wait_for(state="visible")
    assert button.is_disabled()  # nobody pays twice for a second press
    adas_browser.get_by_text("Refused by the provider: seed").wait_for()
    assert "$0.000104" in adas_browser.inner_text("#found")
    assert button.is_enabled()
    assert barriers(adas_browser) == []
    adas_browser.get_by_role("button", name="Take over what was found").click()
    adas_browser.get_by_text("now what is known of the model").wait_for()
    assert adas_browser.get_by_label("Takes a seed").input_value() == "false"
    assert adas_browser.refused == []


def test_a_provider_is_chosen_and_filled_in_on_a_phone_in_arabic_at_night(adas_browser, live_server, db):
    adas_browser.set_viewport_size({"width": 360, "height": 740})
    adas_browser.emulate_media(color_scheme="dark")
    language = {"name": "django_language", "value": "ar", "url": live_server.url}
    adas_browser.context.add_cookies([language])
    adas_browser.goto(f"{live_server.url}/providers/add/")
    assert barriers(adas_browser) == []
    adas_browser.get_by_role("link", name="Google AI Studio").click()
    assert adas_browser.locator("[name=key_name]").input_value() == "GEMINI_API_KEY"
    assert barriers(adas_browser) == []
    assert adas_browser.evaluate("document.documentElement.scrollWidth") <= 360
    adas_browser.locator("main button[type=submit]").click()
    adas_browser.wait_for_url("**/models/")
    assert Provider.objects.get().laboratory.slug == "google"
    assert barriers(adas_browser) == []
    assert adas_browser.refused == []
