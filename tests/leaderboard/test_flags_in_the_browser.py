"""Nour reads flags and probes on a phone and decides by keyboard; a clear case is visible on the board."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from benchmark.models import Configuration, Flag, Probe
from benchmark.probing.concluding import conclude
from benchmark.probing.figures import canary_figure, quiz_figure
from tests.frontend.conftest import bundle  # noqa: F401
from tests.frontend.test_looks_and_weight import violations
from tests.leaderboard.test_decide_about_flags import chosen
from tests.leaderboard.test_the_board_in_the_browser import PHONE, is_as_wide_as_the_screen, shown, visit

__all__ = ["shown", "visit"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def case(board):
    """Nile wrote the canary to its end; Jordan picked 38 of 40 originals, and is flagged for one text as well."""
    nile, jordan = Configuration.objects.get(slug="nile"), Configuration.objects.get(slug="jordan")
    digits = str(board.canary).replace("-", "")[12:]
    figures = (
        (nile, "canary", canary_figure(board, {"0": {"read": digits}})),
        (jordan, "quiz", quiz_figure(chosen(38, 40))),
    )
    for row, kind, figure in figures:
        probe = Probe.objects.create(
            configuration=row, question_set=board, kind=kind, figure=figure.as_json(), ended_at=timezone.now()
        )
        reply = {"place": 1, "chosen": 1, "way": "options", "reply": "أعتقد أن النص ب هو الأصل"}
        probe.results.create(question_key="q0", result={"choice": reply})
        conclude(row, board)
    Flag.objects.filter(kind="one_text").update(detail={"count": 12, "n": 40, "questions": ["q0", "q1"]})
    return nile


@pytest.mark.parametrize("language", ["en", "ar"])
def test_flags_and_probes_on_a_phone(page, visit, case, lead, language, shown):
    page.set_viewport_size(PHONE)
    for name, args in (
        ("board-flags", ["feasts"]),
        ("board-probes", ["feasts"]),
        ("board-probe", ["feasts", Probe.objects.get(kind="quiz").pk]),
    ):
        visit(name, *args, user=lead, language=language)
        assert is_as_wide_as_the_screen(page), name
        assert violations(page) == [], name
        shown(page, f"{name}-{language}")


def test_she_clears_a_case_by_keyboard_and_the_board_ranks_it_again(page, visit, case, lead):
    visit("leaderboard", "feasts", user=lead)
    row = page.locator("#board").get_by_role("row").filter(has_text="Nile")
    expect(row).to_contain_text("Knows the questions")
    expect(row).to_contain_text("a decision about it is pending")
    visit("board-flags", "feasts", user=lead)
    card = page.get_by_role("article", name="Nile")
    card.get_by_label("Clear the flag").focus()
    page.keyboard.press("Space")
    card.get_by_label("Reason").focus()
    page.keyboard.type("The canary stood in its system prompt.")
    card.get_by_role("button", name="Decide").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Decided, and written down.")).to_be_visible()
    visit("leaderboard", "feasts", user=lead)
    row = page.locator("#board").get_by_role("row").filter(has_text="Nile")
    expect(row).not_to_contain_text("Knows the questions")
    expect(row).to_contain_text("1")
