"""Nour reads the board, a model's answers, and two models beside each other."""

import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmark.models import Answer, Board, Erratum
from projects.models import Membership
from tests.leaderboard.conftest import SECRET
from tests.people import signed_in
from workflow.models import Stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_board")]


def page(user, name, *args, **query):
    answer = signed_in(user).get(reverse(name, args=args), query)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def test_the_board_stands_above_its_findings(lead, feasts, board):
    html = page(lead, "leaderboard", "feasts")
    first, *_ = html.partition("finding-group")
    assert first.index("Nile") < first.index("Tigris") < first.index("Jordan") < first.index("Echo")
    assert "One text for many questions" in first  # the flag stands beside the score
    assert "baseline" in first
    assert "Scores and ranks" in html
    assert "The same answers counted otherwise" in html


@pytest.mark.parametrize("table", ["scores", "power", "skills", "sizes", "columns", "sensitivity", "human-check"])
def test_each_finding_has_its_page_and_files(lead, feasts, board, table):
    assert "Recipe" in page(lead, "leaderboard-finding", "feasts", table)
    content = json.loads(page(lead, "leaderboard-json", "feasts", table))
    assert content["rows"]
    assert content["recipe"]["extras"]["canary"] == str(board.canary)


def test_filters_narrow_the_board(lead, feasts, board):
    html = page(lead, "leaderboard", "feasts", size="large")
    assert ">Nile<" in html
    assert ">Tigris<" not in html


def test_every_answer_is_two_clicks_away_with_what_was_said_of_it(lead, feasts, board):
    address = reverse("board-configuration", args=["feasts", "tigris"])
    assert address in page(lead, "leaderboard", "feasts")
    html = page(lead, "board-configuration", "feasts", "tigris")
    assert "Tigris on q0" in html
    assert "Simba says 5" in html
    assert html.count('tag">person') == 2
    assert "Strengths and weaknesses" in html
    assert SECRET in html  # Nour leads


def test_lowest_scores_come_first_where_that_is_asked(lead, feasts, board):
    html = page(lead, "board-configuration", "feasts", "nile", order="worst")
    assert html.index("Nile on q0<") < html.index("Nile on q6<")
    assert "Nile on q2<" not in html  # a 10: on the second page


def test_two_models_question_by_question(lead, feasts, board):
    html = page(lead, "board-compare", "feasts", first="nile", second="jordan")
    # 8 + at % 3 less 3 + at % 5 is at least 1: Nile is ahead on all forty.
    assert "Nile is ahead on 40 questions, Jordan on 0" in html


def test_a_radar_takes_three_skills_and_says_its_patterns(lead, feasts, board):
    html = page(lead, "board-radar", "feasts", model=["nile", "tigris"])
    assert html.count('<polygon class="radar__model') == 2
    assert "stands highest in" in html
    assert "furthest apart" in html


def test_the_report_stands_alone_and_holds_no_held_back_text(lead, feasts, board):
    answer = signed_in(lead).get(reverse("board-report", args=["feasts", "tigris"]))
    html = answer.content.decode()
    assert "attachment" in answer["Content-Disposition"]
    assert "Tigris on q0" in html
    assert str(board.canary) in html
    assert SECRET not in html
    # It asks for nothing: neither by an attribute that loads, nor by its styles, nor by its script.
    loading = re.compile(
        r"<(?:link|iframe|object|embed|base|img|source|video|audio)\b|\s(?:src|srcset|poster|background|action)="
        r"|url\(|@import|@font-face|http-equiv|fetch\(|XMLHttpRequest|import\(|sendBeacon",
        re.IGNORECASE,
    )
    assert not loading.findall(html)
    assert {address[0] for address in re.findall(r'href="([^"]*)"', html)} <= {"#"}


def test_a_page_of_answers_takes_as_many_queries_however_many_there_are(
    lead, feasts, board, django_assert_max_num_queries
):
    nour, address = signed_in(lead), reverse("board-configuration", args=["feasts", "tigris"])
    nour.get(address)
    with django_assert_max_num_queries(24) as found:
        nour.get(address)
    few = len(found)
    with django_assert_max_num_queries(few):
        nour.get(address, {"skill": "poetry"})


def test_a_board_that_is_kept_is_read_without_a_look_at_scores(lead, feasts, board, django_assert_max_num_queries):
    nour = signed_in(lead)
    nour.get(reverse("leaderboard", args=["feasts"]))
    with django_assert_max_num_queries(24) as sent:
        nour.get(reverse("leaderboard", args=["feasts"]))
    assert not [query for query in sent.captured_queries if "benchmark_rulescore" in query["sql"]]


# --- Command and API ----------------------------------------------------------------------------------------------


def said(*args):
    out = StringIO()
    call_command("leaderboard", *args, stdout=out)
    return out.getvalue()


def test_the_command_and_the_api_say_the_same(lead, feasts, board):
    of_command = json.loads(said("feasts", "--json"))
    of_api = signed_in(lead).get(reverse("api-leaderboard", args=["feasts"])).json()
    assert of_command == of_api
    nile, tigris, jordan = of_command["configurations"]
    assert [one["id"] for one in (nile, tigris, jordan)] == ["nile", "tigris", "jordan"]
    assert nile["rank"] == [1, 1]
    assert nile["size_class"] == "large"
    assert jordan["flags"] == ["one_text"]
    assert nile["score"]["value"] == pytest.approx(sum(8 + at % 3 for at in range(40)) / 40)
    assert nile["n"] == 40
    assert [one["id"] for one in of_command["baselines"]] == ["echo"]


def test_the_command_in_words_and_narrowed(feasts, board):
    text = said("feasts", "--skill", "poetry", "--size", "small")
    assert "Nile" not in text
    assert "Tigris" in text
    with pytest.raises(CommandError, match="size"):
        said("feasts", "--size", "huge")


def test_a_skill_that_the_set_does_not_have_is_no_board_of_nothing(lead, feasts, board):
    with pytest.raises(CommandError, match="skill"):
        said("feasts", "--skill", "Poetry")
    answer = signed_in(lead).get(reverse("api-leaderboard", args=["feasts"]), {"skill": "Poetry"})
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["field"] == "skill"
    of_no_question = json.loads(said("feasts", "--format", "mcq", "--json"))
    assert {line["no_rank"] for line in of_no_question["configurations"]} == {"no items"}


def test_the_command_writes_a_report_and_freezes_the_control(feasts, board, tmp_path):
    said("feasts", "--report", "nile", "--output", str(tmp_path / "nile.html"))
    with pytest.raises(CommandError, match=r"nowhere/nile\.html cannot be written: No such file or directory\."):
        said("feasts", "--report", "nile", "--output", str(tmp_path / "nowhere" / "nile.html"))
    assert "Nile on q0" in (tmp_path / "nile.html").read_text(encoding="utf-8")
    assert "fitted on 2 models" in said("feasts", "--freeze-control")  # Jordan is flagged
    assert board.control.n_configurations == 2


# --- Settings --------------------------------------------------------------------------------------------------------


def test_nour_opens_the_board(lead, feasts, board):
    nour = signed_in(lead)
    address = reverse("board-settings", args=["feasts"])
    assert nour.get(address).status_code == 200
    answer = nour.post(address, {"title": "Feasts in Arabic", "slug": "arabic", "is_open": "on"})
    assert answer.status_code == 302
    stored = Board.objects.get(project=feasts)
    assert (stored.slug, stored.is_open) == ("arabic", True)
    assert nour.post(address, {"title": "", "slug": "arabic"}).status_code == 422


def test_the_settings_of_a_large_board_open_without_reading_its_scores(lead, feasts, board):
    nour, address = signed_in(lead), reverse("board-settings", args=["feasts"])
    nour.get(address)
    with CaptureQueriesContext(connection) as asked:
        assert "freezes_control" in nour.get(address).content.decode()
    said = [query["sql"] for query in asked.captured_queries]
    assert not [sql for sql in said if re.search('FROM "benchmark_(question|ruleuse|answer|ruling|rulescore)"', sql)]
    assert len(said) <= 20


def test_a_link_to_an_answer_opens_its_page_at_that_answer(lead, feasts, board):
    """The fortieth answer stands on the second page; without a script the browser goes to what the address names."""
    client, address = signed_in(lead), reverse("board-configuration", args=["feasts", "tigris"])
    answer = Answer.objects.get(configuration__slug="tigris", prompt__benchmark_questions__key="q39")
    sent = client.get(address, {"answer": answer.pk})
    assert sent.headers["Location"] == f"{address}?page=2#answer-{answer.pk}"
    html = client.get(f"{address}?page=2").content.decode()
    assert f'id="answer-{answer.pk}" tabindex="-1"' in html
    other = Answer.objects.get(configuration__slug="nile", prompt__benchmark_questions__key="q39")
    for unknown in (other.pk, 10**30, "x"):
        assert client.get(address, {"answer": unknown}).status_code == 200


def test_a_fault_is_reported_with_the_answer_that_shows_it(lead, mona, feasts, board):
    answer = Answer.objects.get(configuration__slug="tigris", prompt__benchmark_questions__key="q0")
    question = board.questions.get(key="q0")
    report = reverse("erratum-report", args=["feasts", board.slug, board.version, question.pk])
    link = f"{report}?answer={answer.pk}"
    assert link in page(lead, "board-configuration", "feasts", "tigris")
    assert link in page(lead, "board-compare", "feasts", first="nile", second="tigris", skill="reasoning")
    client = signed_in(lead)
    assert "Tigris on q0" in client.get(link).content.decode()
    client.post(link, {"fault": "reference", "words": "The reference is wrong."})
    erratum = Erratum.objects.get()
    assert erratum.answer == answer
    deep = reverse("board-configuration", args=["feasts", "tigris"])
    assert (
        f"{deep}?answer={answer.pk}" in client.get(reverse("erratum", args=["feasts", erratum.uuid])).content.decode()
    )
    # Whoever may not read answers sees none here, and reports without one.
    Membership.objects.get_or_create(user=mona, project=feasts, role="annotator")
    assert "Tigris on q0" not in signed_in(mona).get(link).content.decode()
    signed_in(mona).post(link, {"fault": "reference", "words": "It is."})
    assert Erratum.objects.get(reported_by=mona).answer is None


def test_nour_has_a_sample_of_each_skill_checked_by_two_people(lead, feasts, board):
    client, address = signed_in(lead), reverse("board-human-check", args=["feasts"])
    assert address in page(lead, "leaderboard", "feasts")
    assert client.post(address, {"per_skill": 0, "people": 2}).headers["Location"] == reverse(
        "leaderboard", args=["feasts"]
    )
    assert not Stage.objects.exists()
    said = client.post(address, {"per_skill": 3, "people": 3}, follow=True).content.decode()
    assert "12 answers were drawn" in said  # three of each of four skills
    stage = Stage.objects.get()
    assert (stage.kind, stage.overlap, stage.items.count()) == ("answer_scoring", 3, 12)
    again = client.post(address, {"per_skill": 4, "people": 3}, follow=True).content.decode()
    assert "4 answers were drawn" in again
    refused = client.post(address, {"per_skill": 4, "people": 2}, follow=True).content.decode()
    assert "asks 3 people" in refused
    assert stage.items.count() == 16


def test_a_program_has_a_sample_checked(lead, mona, feasts, board):
    def draw(user, **said):
        return signed_in(user).post("/api/v1/projects/feasts/board/sample/", said, content_type="application/json")

    assert draw(lead, per_skill=0, people=2).status_code == 400
    drawn = draw(lead, per_skill=3, people=3)
    assert drawn.status_code == 201, drawn.content
    stage = Stage.objects.get()
    assert drawn.json() == {"stage": stage.name, "people": 3, "drawn": 12}
    assert (stage.overlap, stage.items.count()) == (3, 12)
    assert draw(lead, per_skill=3, people=3).json()["drawn"] == 0
    assert draw(lead, per_skill=4, people=2).status_code == 422, "the stage asks three people"
    Membership.objects.get_or_create(user=mona, project=feasts, role="annotator")
    assert draw(mona, per_skill=4, people=3).status_code == 404


def test_of_two_open_pages_of_settings_the_later_one_is_told(lead, feasts, board):
    """Nour opened the board in one tab; saving the other, where it was closed, must not close it again unseen."""
    nour, address = signed_in(lead), reverse("board-settings", args=["feasts"])
    seen = nour.get(address).context["form"].initial["seen"]
    told = {"title": "Feasts", "slug": "feasts-board", "seen": seen}
    assert nour.post(address, told | {"is_open": "on", "judges": feasts.raters.get(kind="judge").pk}).status_code == 302
    stale = nour.post(address, told | {"title": "Feasts of the year"})
    assert stale.status_code == 422
    assert "nothing was stored" in stale.content.decode()
    assert "Feasts of the year" in stale.content.decode()
    assert (Board.objects.get(project=feasts).is_open, Board.objects.get(project=feasts).title) == (True, "Feasts")
    meant = told | {"title": "Feasts of the year", "seen": stale.context["form"].data["seen"]}
    assert nour.post(address, meant).status_code == 302
    assert (Board.objects.get(project=feasts).is_open, Board.objects.get(project=feasts).judges.count()) == (False, 0)
