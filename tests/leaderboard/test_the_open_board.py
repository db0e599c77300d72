"""Anybody reads a board that Nour opened, and nobody one that she did not."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import trans_real

from benchmark.models import Board, Configuration, RuleScore
from reports.dashboard.tables import by_id
from reports.leaderboard.dashboard import LEADERBOARD
from tests.leaderboard.conftest import SECRET
from tests.people import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_board")]
ROUTES = ("open-board", "open-board-embed", "open-board-json", "open-board-csv", "open-board-parquet")


@pytest.fixture
def opened(feasts, board):
    return Board.objects.create(project=feasts, slug="arabic", title="Feasts in Arabic", is_open=True)


def get(name, slug="arabic", **query):
    return Client().get(reverse(name, args=[slug]), query)


def test_it_is_read_without_signing_in(opened):
    answer = get("open-board")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert html.index("Nile") < html.index("Tigris") < html.index("Jordan")
    assert sorted(answer["Cache-Control"].split(", ")) == ["max-age=300", "public"]
    assert "csrf" not in html
    assert not answer.cookies


@pytest.mark.parametrize("name", ROUTES)
def test_a_closed_board_does_not_exist(opened, name):
    assert get(name).status_code == 200
    assert get(name, "other").status_code == 404
    Board.objects.update(is_open=False)
    assert get(name).status_code == 404


@pytest.mark.parametrize("name", ROUTES)
def test_no_text_of_a_question_or_an_answer_is_in_it(opened, name):
    content = get(name).content
    for text in (SECRET, "Tigris on q0", "Simba says", "اكتب جملة"):
        assert text.encode() not in content


@pytest.mark.parametrize("name", ROUTES)
def test_the_canary_is_in_every_copy_of_it(opened, board, name):
    """Whoever trains on a copy can be told so by it."""
    import pyarrow.parquet as parquet

    content = get(name).content
    if name == "open-board-parquet":
        rows = parquet.read_table(io.BytesIO(content)).to_pylist()
        assert {row["canary"] for row in rows} == {str(board.canary)}
    else:
        assert str(board.canary) in content.decode()


@pytest.mark.parametrize("name", ROUTES[1:])
def test_search_engines_are_told_to_stay_away_from_copies(opened, name):
    assert get(name)["X-Robots-Tag"] == "noindex"
    assert "X-Robots-Tag" not in get("open-board")


def test_the_table_alone_stands_in_frames_of_other_sites_without_scripts(opened):
    answer = get("open-board-embed")
    assert "<script" not in answer.content.decode()
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "script-src 'none'" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    page = get("open-board")
    assert "frame-ancestors 'self'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "SAMEORIGIN"


def test_files_hold_the_same_rows(opened):
    import pyarrow.parquet as parquet

    names = ["nile", "tigris", "jordan", "echo"]
    content = get("open-board-json").json()
    assert [one["id"] for one in (*content["configurations"], *content["baselines"])] == names
    rows = list(csv.DictReader(io.StringIO(get("open-board-csv").content.decode("utf-8-sig"))))
    table = parquet.read_table(io.BytesIO(get("open-board-parquet").content)).to_pylist()
    assert [row["id"] for row in rows] == [row["id"] for row in table] == names
    assert float(rows[0]["score"]) == table[0]["score"] == content["configurations"][0]["score"]["value"]
    assert rows[0]["canary"] == content["question_set"]["canary"]


@pytest.mark.parametrize("name", ["=HYPERLINK(A1)", "+1", "-1+2", "@SUM(A1)"])
def test_no_spreadsheet_takes_a_model_for_a_formula(opened, name):
    nile = opened.project.configurations.get(slug="nile")
    nile.name = name
    nile.save()
    nile.card.laboratory.name = name
    nile.card.laboratory.save()
    row = next(csv.DictReader(io.StringIO(get("open-board-csv").content.decode("utf-8-sig"))))
    assert (row["id"], row["name"], row["laboratory"]) == ("nile", f"'{name}", f"'{name}")
    [first, *_rest] = get("open-board-json").json()["configurations"]
    assert first["name"] == name, "programs read the name as it is"


def test_a_new_score_is_on_the_board_at_once(opened, board):
    before = get("open-board-json").json()["configurations"][0]["score"]["value"]
    RuleScore.objects.filter(answer__configuration__slug="nile").update(value=10)
    assert get("open-board-json").json()["configurations"][0]["score"]["value"] == 10 > before


def test_a_filter_without_such_a_value_has_no_file(opened):
    assert get("open-board-csv", size="huge").status_code == 404
    assert get("open-board-csv", skill="nothing").status_code == 404
    assert get("open-board-json", skill="poetry").status_code == 200
    assert get("open-board", size="huge").status_code == 200


def test_the_board_is_read_in_the_language_of_its_address_whatever_the_cookie(opened):
    client = Client()
    client.cookies["django_language"] = "ko"
    address = reverse("open-board", args=["arabic"])
    plain = client.get(address)
    assert '<html lang="en"' in plain.content.decode(), "a store in between would hand the cookie's page to everybody"
    assert "Accept-Language" in plain["Vary"]
    assert "Cookie" not in plain["Vary"]
    arabic = client.get(address, {"language": "ar"})
    html = arabic.content.decode()
    assert '<html lang="ar" dir="rtl">' in html
    assert (arabic["Content-Language"], "public" in arabic["Cache-Control"]) == ("ar", True)
    assert '<a href="?language=bn" lang="bn" hreflang="bn">' in html
    assert 'hreflang="ar" aria-current="true">العربية</a>' in html
    assert '<input type="hidden" name="language" value="ar">' in html, "filters keep the language"
    assert '<html lang="ko"' in client.get(address, headers={"accept-language": "ko,en;q=0.5"}).content.decode()
    assert '<html lang="en"' in client.get(address, {"language": "<b>"}).content.decode()
    framed = client.get(reverse("open-board-embed", args=["arabic"]), {"language": "ar"})
    assert 'dir="rtl"' in framed.content.decode()


def test_baselines_have_a_name_in_each_language_and_one_in_files(opened, lead, monkeypatch):
    name, arabic = "Baseline: first option", "خط أساس: أول خيار"
    monkeypatch.setitem(trans_real.translation("ar")._catalog._catalogs[0], name, arabic)
    Configuration.objects.filter(slug="echo").update(name=name)
    Configuration.objects.filter(name="Jordan").update(name="Baseline: empty")  # a model somebody called so
    assert name in get("open-board").content.decode()
    html = get("open-board", language="ar").content.decode()
    assert arabic in html
    assert name not in html
    assert "Baseline: empty" in html
    assert json.loads(get("open-board-json", language="ar").content)["baselines"][0]["name"] == name
    client = signed_in(lead)
    client.cookies["django_language"] = "ar"
    for address in ("leaderboard/", "leaderboard/models/echo/", "leaderboard/compare/?first=echo&second=nile"):
        html = client.get(f"/p/feasts/{address}").content.decode()
        assert arabic in html, address
        assert name not in html, address


def test_parts_of_what_a_board_says_are_parted_as_the_language_does(feasts, board, monkeypatch):
    catalog = trans_real.translation("ar")._catalog._catalogs[0]
    monkeypatch.setitem(catalog, "between the parts of a line\x04; ", "؛ ")
    for language, sign, other in (("en", "; ", "؛ "), ("ar", "؛ ", "; ")):
        with translation.override(language):
            summary = by_id(LEADERBOARD.tables(feasts, {}), "skills").summary
        assert (summary.count(sign), summary.count(other)) == (3, 0)


def test_the_language_goes_along_with_filters_and_not_into_files(opened, board):
    skill = board.questions.first().skill
    html = get("open-board", language="ar", skill=skill.slug).content.decode()
    assert f"?language=en&amp;skill={skill.slug}" in html
    assert f"board.csv?skill={skill.slug}" in html
    assert get("open-board-json", language="ar").status_code == 200
    assert f"embed/?language=ar&amp;skill={skill.slug}" in html, "a table in a page of that language is in it as well"
    assert f"embed/?skill={skill.slug}" in get("open-board", skill=skill.slug).content.decode()


def test_a_framed_table_has_the_letters_of_its_language_and_leads_to_the_board_in_it(opened):
    letters = {"bn": "fonts-bengali", "ko": "fonts-korean", "ar": "fonts-arabic"}
    for language, font in letters.items():
        html = get("open-board-embed", language=language).content.decode()
        assert f'<html lang="{language}"' in html
        assert font in html
        assert f'href="/boards/arabic/?language={language}"' in html
    assert 'href="/boards/arabic/"' in get("open-board-embed", language="xx").content.decode()
