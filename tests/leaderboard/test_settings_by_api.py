"""A program reads and changes the settings of the board by the rules of their page."""

import pytest

from benchmark.models import Board
from projects.models import AuditEvent, Membership
from tests.people import signed_in

pytestmark = pytest.mark.django_db

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


def test_the_control_is_frozen_by_a_word(lead, feasts, board):
    assert change(lead, freezes_control=True).status_code == 200
    assert board.control.n_configurations == 2, "Jordan is flagged"
    assert change(lead, freezes_control=True).status_code == 200, "once is enough"
