"""Before a hard text Mona reads what it is about, by keyboard and on a phone: Enter shows it, Skip brings the next."""

import pytest

from projects.models import ContentNote, ContentNoteSet, Project, Prompt
from tests.people import add_response, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def hard(project, koshari):
    ContentNote.objects.create(project=project, slug="violence", name="Violence", names={"ar": "عنف"})
    ContentNoteSet.objects.create(project=project, number=1, slugs="violence")
    Project.objects.filter(pk=project.pk).update(note_sets=1)
    project.refresh_from_db()
    add_response(project, "second", "نص آخر عن المذبحة.", "ar-EG")
    Prompt.objects.update(note_set=1)
    return marking_stage(project)


@pytest.mark.parametrize(("language", "name"), [("en", "Violence"), ("ar", "عنف")])
def test_enter_shows_the_text_and_skip_brings_the_next(language, name, page, live_server, bundle, hard, mona):
    turn = claim_next(mona.raters.get(), hard)
    cookies = {"sessionid": signed_in(mona).cookies["sessionid"].value, "django_language": language}
    page.context.add_cookies([{"name": key, "value": value, "url": live_server.url} for key, value in cookies.items()])
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"{live_server.url}/tasks/{turn.uuid}/")
    page.get_by_text(name, exact=True).wait_for()
    assert page.locator("#span-text").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-span-editor=ready]")
    page.go_back()
    page.locator("form[action$='/pass'] button").click()
    page.wait_for_url(lambda url: "/tasks/" in url and str(turn.uuid) not in url)
    page.get_by_text(name, exact=True).wait_for()
    turn.refresh_from_db()
    assert (turn.status, turn.skip_reason) == ("released", "unread")
