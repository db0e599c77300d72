"""What a board says before there is a frozen set, or two models to compare."""

import pytest
from django.test import Client
from django.urls import reverse

from benchmark.models import Board
from tests.benchmark.boards import answers, configuration, judged, large_board
from tests.benchmark.sets import set_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def test_without_a_frozen_set_the_page_says_what_comes_next(lead, feasts):
    client = signed_in(lead)
    answer = client.get(reverse("leaderboard", args=["feasts"]))
    assert answer.status_code == 200
    assert "once a question set is frozen" in answer.content.decode()
    assert client.get(reverse("board-configuration", args=["feasts", "nile"])).status_code == 404


def test_the_pages_say_what_to_do_where_there_is_nothing(feasts, lead):
    client, flags = signed_in(lead), "/p/feasts/leaderboard/flags/"
    assert "Freeze a question set" in client.get(flags).content.decode()
    assert "No question set is frozen" in client.get("/p/feasts/leaderboard/probes/").content.decode()
    page = client.post(f"{flags}find/", follow=True).content.decode()
    assert "No question set is frozen yet" in page


def test_a_board_without_a_frozen_set_shows_no_draft(feasts, nour):
    Board.objects.create(project=feasts, slug="arabic", title="Feasts in Arabic", is_open=True)
    set_of(feasts)
    answer = Client().get(reverse("open-board", args=["arabic"]))
    assert answer.status_code == 200
    assert "Own set" not in answer.content.decode()
    assert Client().get(reverse("open-board-json", args=["arabic"])).status_code == 404


def test_nour_freezes_the_control_once(lead, feasts):
    nour, address = signed_in(lead), reverse("board-settings", args=["feasts"])
    told = {"title": "Feasts", "slug": "feasts-board", "freezes_control": "on"}
    question_set = large_board(feasts, 1, 40)
    refused = nour.post(address, told)
    assert refused.status_code == 422
    assert "It takes two models that can be ranked" in refused.content.decode()
    assert not Board.objects.filter(project=feasts).exists()
    simba, second = feasts.raters.get(kind="judge"), answers(configuration(feasts, "Second"), question_set)
    judged(simba, second, question_set, [5.0] * 40)
    assert nour.post(address, told).status_code == 302
    assert question_set.control.n_configurations == 2
    assert "freezes_control" not in nour.get(address).content.decode()


def test_a_program_finds_no_model(lead, feasts):
    client, board = signed_in(lead), "/api/v1/projects/feasts/leaderboard/"
    assert client.get(f"{board}models/tigris/").status_code == 404
    assert client.get(f"{board}compare/", {"first": "a", "second": "b"}).status_code == 404
    assert client.get(f"{board}radar/", {"model": "a"}).status_code == 404
    assert client.post(f"{board}models/tigris/report/").status_code == 404
