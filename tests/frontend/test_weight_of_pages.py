"""Mona opens her work on a slow phone, in each language of the interface: what the server really sends is weighed."""

import uuid
from pathlib import Path
from urllib.parse import urlsplit

import brotli
import django_htmx
import pytest

from projects.models import LanguageVariety
from projects.script_texts import SHOWN
from tests.frontend.conftest import SAVED
from tests.people import add_response, join, person, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIRST_PAGE, FURTHER_PAGE = 150_000, 30_000
DIST = SHOWN.parent

TEXTS = {
    "en": ("en-US", "Kopi luwak comes from Brazil, where farmers feed the beans to monkeys. " * 8),
    "ar": ("ar-EG", "الكشري أكلة مصرية شعبية، والكشري بيتاكل على السحور مع الشاي بالنعناع. " * 8),
    "bn": ("bn-BD", "পহেলা বৈশাখে সবাই পান্তা ইলিশ খায়, আর মঙ্গল শোভাযাত্রা বের হয় ঢাকায়। " * 8),
    "id": ("id-ID", "Ketupat dimakan saat Lebaran bersama opor ayam dan sambal goreng hati. " * 8),
    "ko": ("ko-KR", "설날에는 떡국을 먹고 어른들께 세배를 드리며 새해 복을 빕니다. " * 8),
}


class Weighed:
    """The bytes that come to a page: as sent, and of static files their compressed copies, which a server holds ready
    while the tests read the sources in place."""

    def __init__(self, page) -> None:
        self.network = page.context.new_cdp_session(page)
        self.network.send("Network.enable")
        self.addresses: dict[str, str] = {}
        self.bytes: dict[str, int] = {}
        self.network.on("Network.responseReceived", self._begun)
        self.network.on("Network.loadingFinished", self._ended)

    def _begun(self, event) -> None:
        response = event["response"]
        # Of what the browser kept nothing comes.
        if not response.get("fromDiskCache") and not response.get("fromServiceWorker"):
            self.addresses[event["requestId"]] = urlsplit(response["url"]).path

    def _ended(self, event) -> None:
        path = self.addresses.get(event["requestId"])
        if path:
            self.bytes[path] = self.bytes.get(path, 0) + (stored(path) or int(event["encodedDataLength"]))

    def total(self) -> int:
        return sum(self.bytes.values())

    def heaviest(self) -> dict[str, int]:
        return dict(sorted(self.bytes.items(), key=lambda each: -each[1]))


def stored(path: str) -> int:
    """The compressed copy of a static file; 0 where it is none of ours."""
    file = DIST / path.removeprefix("/static/")
    if path == "/static/django_htmx/htmx-2.min.js":
        file = Path(django_htmx.__file__).parent / "static" / "django_htmx" / "htmx-2.min.js"
    if not path.startswith("/static/") or not file.exists():
        return 0
    return file.stat().st_size if file.suffix == ".woff2" else len(brotli.compress(file.read_bytes()))


@pytest.mark.parametrize("language", TEXTS)
def test_what_a_page_weighs_in_each_language(language, page, bundle, live_server, project):
    tag, text = TEXTS[language]
    for number in range(2):
        add_response(project, f"long-{number}", f"{number} {text}", tag)
    reader = join(person("reader@example.org", "Reader"), project, "annotator", varieties=(tag,))
    reader.interface_language = language
    reader.save()
    stage = marking_stage(project)
    speak(page, live_server, reader, language)
    page.set_viewport_size({"width": 360, "height": 740})

    turns = [claim_next(reader.raters.get(), stage) for _ in range(2)]
    first = weigh(page, f"{live_server.url}/tasks/{turns[0].uuid}/")
    assert page.evaluate("document.documentElement.lang") == language
    further = weigh(page, f"{live_server.url}/tasks/{turns[1].uuid}/")
    assert first.total() < FIRST_PAGE, first.heaviest()
    html = f"/tasks/{turns[1].uuid}/"
    # What stays the same is asked for again by no further page of a server whose files carry a hash; here the sources
    # are read in place, so they are left out by name.
    again = {path: size for path, size in further.bytes.items() if not path.startswith("/static/")}
    assert html in again
    assert not any(size for path, size in again.items() if path.startswith("/texts/")), again
    assert sum(again.values()) < FURTHER_PAGE, again


@pytest.mark.parametrize("language", ["ar", "bn"])
def test_what_the_screen_of_authors_weighs(language, page, bundle, live_server, project, zaid):
    stage = Stage.objects.create(project=project, kind="authoring", name="Authoring")
    variety = LanguageVariety.objects.get(tag="ar-EG").pk
    began = signed_in(zaid).post(f"/p/feasts/stages/{stage.pk}/begin/", {"key": uuid.uuid4(), "variety": variety})
    speak(page, live_server, zaid, language)
    first = weigh(page, live_server.url + began.headers["Location"], "authoring")
    assert "/static/authoring.js" in first.bytes
    assert first.total() < FIRST_PAGE, first.heaviest()


def speak(page, live_server, user, language: str) -> None:
    """The browser is signed in as the person and reads the interface in a language."""
    session = signed_in(user).cookies["sessionid"].value
    cookies = {"sessionid": session, "django_language": language}
    page.context.add_cookies(
        [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
    )


def weigh(page, address: str, ready: str = "span-editor") -> Weighed:
    weighed = Weighed(page)
    page.goto(address)
    page.wait_for_selector(f"html[data-{ready}=ready]")
    page.wait_for_selector(SAVED, state="attached")
    page.evaluate("document.fonts.ready.then(() => null)")
    weighed.network.detach()
    return weighed


# Of Korean, whose face is large, the same one where the device has it (static/fonts.mjs).
FACES = {"ar": {"Noto Sans Arabic"}, "bn": {"Noto Sans Bengali"}, "ko": {"Noto Sans KR", "Noto Sans CJK KR"}}


@pytest.mark.parametrize(("language", "face"), FACES.items(), ids=FACES)
def test_the_interface_is_drawn_in_the_face_of_its_script(language, face, page, bundle, live_server, nour, project):
    speak(page, live_server, nour, language)
    page.goto(f"{live_server.url}/p/{project.slug}/stages/")
    page.evaluate("document.fonts.ready.then(() => null)")
    for place in ("h1", "a.btn, button.btn", "main p"):
        faces = drawn_in(page, place)
        assert faces[0] in face, (place, faces)
        assert set(faces) <= {*face, "Noto Sans"}, (place, faces)


def drawn_in(page, place: str) -> list[str]:
    """The faces that the browser really drew the letters of an element in, the one of most letters first."""
    network = page.context.new_cdp_session(page)
    network.send("DOM.enable")
    network.send("CSS.enable")
    root = network.send("DOM.getDocument")["root"]["nodeId"]
    node = network.send("DOM.querySelector", {"nodeId": root, "selector": place})["nodeId"]
    drawn = network.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return [font["familyName"] for font in sorted(drawn, key=lambda font: -font["glyphCount"])]


def test_a_korean_text_is_drawn_in_our_korean_face_whatever_the_interface_is(page, bundle, live_server, project):
    tag, text = TEXTS["ko"]
    add_response(project, "korean", text, tag)
    reader = join(person("reader@example.org", "Reader"), project, "annotator", varieties=(tag,))
    turn = claim_next(reader.raters.get(), marking_stage(project))
    speak(page, live_server, reader, "en")
    page.goto(f"{live_server.url}/tasks/{turn.uuid}/")
    page.wait_for_selector("html[data-span-editor=ready]")
    page.evaluate("document.fonts.ready.then(() => null)")
    faces = drawn_in(page, "#span-text p")
    assert faces[0] in FACES["ko"], faces
    assert set(faces) <= {*FACES["ko"], "Noto Sans"}, faces


@pytest.mark.parametrize("language", ["en", "ar"])
def test_menus_of_the_bar_open_below_their_buttons_within_the_page(language, page, bundle, live_server, nour, project):
    speak(page, live_server, nour, language)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/p/{project.slug}/stages/")
    for toggle in page.locator(".topbar [data-bs-toggle=dropdown]").all():
        toggle.focus()
        page.keyboard.press("Enter")
        menu = toggle.locator("xpath=following-sibling::ul")
        menu.wait_for()
        button, box = toggle.bounding_box(), menu.bounding_box()
        assert box["y"] >= button["y"] + button["height"] - 1
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        page.keyboard.press("ArrowDown")
        assert menu.evaluate("menu => menu.contains(document.activeElement)")
        page.keyboard.press("Escape")
        menu.wait_for(state="hidden")
