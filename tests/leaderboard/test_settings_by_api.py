"""A program reads and changes the settings of the board by the rules of their page."""

import pytest

from benchmark.models import Board
from projects.models import AuditEvent, Membership
from reports.leaderboard.settings import store
from reports.leaderboard.settings_api import form_of
from tests.people import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_board")]

ADDRESS = "/api/v1/projects/feasts/board/"


def change(user, **said):
    return signed_in(user).patch(ADDRESS, said, content_type="application/json")


def test_what_is_left_out_stays(lead, mona, feasts, board):
    before = signed_in(lead).get(ADDRESS).json()
    assert before == {
        "title": feasts.name, "slug": "feasts", "is_open": False, "question_set": None, "judges": [],
        "published_judge": None, "drift_limit": 0.5, "max_exposures": None, "takes_submissions": False,
        "submission_money": None, "submission_tokens": None,
    }  # fmt: skip
    assert not Board.objects.exists(), "reading makes none"
    said = {
        "title": "Feasts in Arabic", "question_set": {"id": "own", "version": 1}, "judges": ["Simba"],
        "published_judge": "Simba", "submission_money": 12_500_000_000, "max_exposures": 3,
    }  # fmt: skip
    changed = change(lead, **said)
    assert (changed.status_code, changed.json()) == (200, before | said)
    stored = Board.objects.get(project=feasts)
    assert (stored.question_set, stored.submission_money, stored.is_open) == (board, 12_500_000_000, False)
    assert change(lead, is_open=True).json() == before | said | {"is_open": True}
    assert signed_in(lead).get(ADDRESS).json() == before | said | {"is_open": True}
    taken_back = {"question_set": None, "judges": [], "published_judge": None, "max_exposures": None}
    assert change(lead, **taken_back).json() == before | said | {"is_open": True} | taken_back
    assert [event.actor for event in AuditEvent.objects.filter(action="board.changed")] == [lead] * 3
    Membership.objects.get_or_create(user=mona, project=feasts, role="annotator")
    assert signed_in(mona).get(ADDRESS).status_code == 404
    assert change(mona, is_open=False).status_code == 404


@pytest.mark.parametrize(
    ("said", "status", "field"),
    [
        ({"title": ""}, 400, "title"),
        ({"title": "Two\nlines"}, 422, "title"),
        ({"slug": "taken"}, 422, "slug"),
        ({"judges": ["Nobody"]}, 400, "judges"),
        ({"judges": ["Mona"]}, 400, "judges"),
        ({"drift_limit": 11}, 400, "drift_limit"),
        ({"submission_money": 1}, 422, "submission_money"),
        ({"question_set": {"id": "own", "version": 2}}, 404, None),
    ],
)
def test_what_the_page_refuses_changes_nothing(said, status, field, lead, feasts, other_project, board):
    Board.objects.create(project=other_project, slug="taken", title="Another")
    answer = change(lead, is_open=True, **said)
    assert answer.status_code == status, answer.content
    if status == 422:
        assert [problem["field"] for problem in answer.json()["problems"]] == [field]
    elif status == 400:
        assert list(answer.json()) == [field]
    assert not Board.objects.filter(project=feasts).exists()


def test_of_two_who_change_the_settings_at_once_the_later_is_told(lead, feasts, board):
    client = signed_in(lead)
    tag = client.get(ADDRESS)["ETag"]
    first = client.patch(ADDRESS, {"title": "First"}, content_type="application/json", headers={"If-Match": tag})
    assert first.status_code == 200
    assert first["ETag"] not in ("", tag)
    for stale in (tag, f"W/{tag}", '"nonsense"'):
        later = client.patch(ADDRESS, {"is_open": True}, content_type="application/json", headers={"If-Match": stale})
        assert [problem["code"] for problem in later.json()["problems"]] == ["changed_meanwhile"], stale
        assert later.status_code == 422
    stored = Board.objects.get(project=feasts)
    assert (stored.title, stored.is_open) == ("First", False)
    for fresh in (f"W/{first['ETag']}", "*"):
        again = client.patch(ADDRESS, {"is_open": True}, content_type="application/json", headers={"If-Match": fresh})
        assert again.status_code == 200, fresh
        assert again.json()["title"] == "First"


@pytest.mark.parametrize("is_first", [True, False])
def test_what_is_stored_between_reading_and_storing_is_not_undone(is_first, lead, feasts, board):
    """Two requests read the same settings, each to change another one."""
    if not is_first:
        change(lead, title="Before")
    one, other = (form_of(feasts, said) for said in ({"title": "Theirs"}, {"is_open": True}))
    assert store(one, lead) is not None
    assert store(other, lead) is None
    if not is_first:
        assert [error.code for error in other.errors.as_data()["__all__"]] == ["changed_meanwhile"]
    stored = Board.objects.get(project=feasts)
    assert (stored.title, stored.is_open) == ("Theirs", False)


def test_the_control_is_frozen_by_a_word(lead, feasts, board):
    assert change(lead, freezes_control=True).status_code == 200
    assert board.control.n_configurations == 2, "Jordan is flagged"
    assert change(lead, freezes_control=True).status_code == 200, "once is enough"
