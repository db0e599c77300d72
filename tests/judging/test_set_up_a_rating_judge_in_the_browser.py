"""Nour sets a judge up in her browser: what concerns one kind of judging alone is shown for that kind alone."""

import pytest

from tests.annotation.rated import make_ratings_project, question_type
from tests.judging.rating import a_pair, ask
from tests.judging.test_pages_in_the_browser import nours_browser

__all__ = ["nours_browser"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def shown(page) -> dict[str, bool]:
    fields = ("granularity", "target", "shots", "without_rubric", "orders")
    return {name: page.locator(f'[name="{name}"]').first.is_visible() for name in fields}


def test_settings_of_ratings_stand_beside_ratings_alone(nours_browser, live_server, project, provider):
    make_ratings_project(project)
    a_pair(ask(project, question_type(project)))
    page = nours_browser
    page.goto(f"{live_server.url}/p/feasts/judges/add/")
    for_pairs = {"granularity": False, "target": False, "shots": True, "without_rubric": True, "orders": True}
    assert shown(page) == for_pairs, "in a project of ratings, pairs are chosen already"
    page.locator('[name="kind"][value="pointwise"]').check(force=True)
    assert shown(page) == {**for_pairs, "orders": False}
    page.locator('[name="kind"][value="rubric"]').check(force=True)
    assert shown(page) == {**dict.fromkeys(for_pairs, False), "target": True}
    page.locator('[name="kind"][value="pairwise"]').check(force=True)
    page.get_by_label("Model", exact=True).fill("simulated-1")
    page.get_by_label("Provider").select_option(label=provider.name)
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("Ask 2 questions").wait_for()
    assert page.refused == []
