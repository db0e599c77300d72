"""What nobody should send to the pages of a board, and somebody does: they are told what happened."""

import pytest
from django.urls import reverse

from benchmark.anchors import add_anchors
from benchmark.models import AcceptedDrift, Board, Flag, RuleScore
from jobs.models import Job
from judging.probing.beginning import PROBING
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import NOT_SCORED, standings
from tests.benchmark.boards import answers, configuration, frozen_set, judge, judged, open_questions
from tests.benchmark.sets import question_line
from tests.leaderboard.test_a_judge_that_drifts import anchor_file, anchored
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def page_of(client, name, *more, **query):
    return client.get(reverse(name, args=["feasts", *more]), query).content.decode()


@pytest.mark.parametrize("seed", ["-1", "1.5", "two", "2147483648", "0" * 12 + "9" * 20, "9" * 5000])
def test_a_seed_that_is_none_is_refused(lead, feasts, seed):
    frozen_set(feasts, question_line())
    address = reverse("question-set-shuffle", args=["feasts", "own", 1])
    answer = signed_in(lead).post(address, {"seed": seed}, follow=True)
    assert answer.status_code == 200
    assert "a seed is a whole number" in answer.content.decode()
    assert feasts.question_sets.count() == 1


def test_whoever_decides_about_a_flag_stays_where_the_flag_stands(lead, feasts, board):
    """On the second page of flags of one version, and not on the first page of another."""
    flag = Flag.objects.get()
    for name in (f"Model {at:02d}" for at in range(20)):
        row = configuration(feasts, name)
        Flag.objects.create(configuration=row, question_set=board, kind="one_text")
    nour, query = signed_in(lead), {"set": board.pk, "page": "2"}
    decide = f"{reverse('board-flag-decide', args=['feasts', flag.pk])}?set={board.pk}"
    pages = [page_of(nour, "board-flags", **query | {"page": number}) for number in ("1", "2")]
    assert f'action="{decide}&amp;page=2"' in pages[1] or f'action="{decide}"' in pages[0]
    answer = nour.post(f"{decide}&page=2", {"decision": "confirm", "reason": "One text"})
    assert answer.headers["Location"] == f"{reverse('board-flags', args=['feasts'])}?set={board.pk}&page=2"


@pytest.mark.parametrize(("reason", "said"), [("a\0b", "cannot be stored"), ("x" * 10_001, "longer"), (" ", "Say why")])
def test_a_reason_that_cannot_be_stored_accepts_no_drift(lead, feasts, reason, said):
    frozen_set(feasts, *open_questions(8))
    add_anchors(feasts, anchor_file([{"question": f"q{at}", "text": f"Anchor {at}"} for at in range(8)]))
    simba = judge(feasts)
    anchored(simba, 1, 5.0)
    anchored(simba, 2, 7.0, hour=4)
    address = reverse("board-drift-accept", args=["feasts", simba.pk])
    assert said in signed_in(lead).post(address, {"reason": reason}, follow=True).content.decode()
    assert not AcceptedDrift.objects.exists()


def test_a_program_that_misspells_a_model_is_told_and_nothing_begins(lead, feasts, board):
    asked = {"question_set": board.slug, "version": board.version, "kinds": ["twins"]}
    for field in ("configurations", "clean"):
        answer = signed_in(lead).post(
            reverse("api-probes", args=["feasts"]), asked | {field: ["nile", "tigirs"]}, content_type="application/json"
        )
        assert (answer.status_code, list(answer.json())) == (400, [field])
        assert "tigirs" in answer.json()[field][0]
        assert "nile" not in answer.json()[field][0]
    assert not Job.objects.filter(kind=PROBING).exists()


def test_a_second_pass_of_probes_is_not_dropped_in_silence(lead, feasts, board):
    nour, address = signed_in(lead), reverse("board-probes", args=["feasts"])
    nile, tigris = (feasts.configurations.get(slug=slug).pk for slug in ("nile", "tigris"))
    sent = {"kinds": ["twins"], "questions": 10, "seed": 0}
    first = nour.post(address, sent | {"configurations": [nile]}, follow=True)
    assert "Another pass of probes" not in first.content.decode()
    again = nour.post(address, sent | {"configurations": [nile]}, follow=True)
    assert "Another pass of probes" not in again.content.decode(), "a double click is one pass"
    other = nour.post(address, sent | {"configurations": [tigris]}, follow=True)
    assert "Yours was not begun" in other.content.decode()
    assert Job.objects.filter(kind=PROBING).count() == 1


# --- Boards on which there is next to nothing ------------------------------------------------------------------------


def test_without_a_judge_the_board_says_so_and_leads_to_one(lead, feasts):
    question_set = frozen_set(feasts, *open_questions(8))
    nour = signed_in(lead)
    page = page_of(nour, "leaderboard")
    row = configuration(feasts, "Nile")
    page = page_of(nour, "leaderboard")
    assert "No model has answered these questions yet" in page
    given = answers(row, question_set)
    page = page_of(nour, "leaderboard")
    assert "no judge has scored them yet" in page
    assert f'href="{reverse("judges", args=["feasts"])}">Have them judged' in page
    assert "can show no difference" not in page, "nobody can know before there are scores"
    board = standings(feasts, BoardScope())
    assert [line.no_rank for line in board.lines] == [NOT_SCORED]
    judged(judge(feasts), given, question_set, [5.0] * 8)
    assert RuleScore.objects.exists()
    assert standings(feasts, BoardScope()).waits_for == ""
    assert "no judge has scored them yet" not in page_of(nour, "leaderboard")


def test_answers_that_no_rule_has_seen_lead_to_scoring(lead, feasts):
    question_set = frozen_set(feasts, question_line())
    for answer in answers(configuration(feasts, "Nile"), question_set).values():
        answer.rulings.all().delete()
    page = page_of(signed_in(lead), "leaderboard")
    assert "not scored by their rules yet" in page
    assert f'href="{reverse("question-sets", args=["feasts"])}">Score them' in page


def test_pages_beside_an_empty_board_lead_on(lead, feasts):
    for name in ("board-radar", "board-compare"):
        assert f'href="{reverse("project", args=["feasts"])}">See what comes next' in page_of(signed_in(lead), name)


def test_a_benchmark_has_no_gold_and_says_where_its_answers_are(lead, feasts):
    """The menu leads here in every project."""
    page = page_of(signed_in(lead), "gold")
    assert "No gold in this project" in page
    assert reverse("frames", args=["feasts"]) in page


def test_a_model_is_not_compared_with_itself(lead, feasts, board):
    nour = signed_in(lead)
    page = page_of(nour, "board-compare", first="nile", second="nile")
    assert "Both are the same model" in page
    assert "is ahead on" not in page


def test_the_two_that_lead_are_compared_before_anybody_chooses(lead, feasts, board):
    begun = page_of(signed_in(lead), "board-compare")
    assert begun.count(" selected") == 2
    assert "is ahead on" in begun
    assert "Both are the same model" not in begun


# --- The settings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "written", "said"),
    [
        ("slug", "weddings", "Another board has this short name"),
        ("title", "Feasts\u202e2026", "A name is one line"),
        ("drift_limit", "nan", "Enter a number"),
        ("max_exposures", "0", "greater than or equal to 1"),
    ],
)
def test_what_is_wrong_in_the_settings_is_said_and_kept(lead, feasts, other_project, field, written, said):
    Board.objects.create(project=other_project, slug="weddings", title="Weddings")
    sent = {"title": "Feasts", "slug": "feasts-board", field: written}
    answer = signed_in(lead).post(reverse("board-settings", args=["feasts"]), sent)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert "What you wrote is still here" in answer.content.decode()
    assert written in answer.content.decode()
    assert not Board.objects.filter(project=feasts).exists()
