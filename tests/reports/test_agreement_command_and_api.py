"""The command, the programming interface and the page's file give the same numbers, to those who may read them."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.gold import derive
from annotation.models import Review
from tests.people import signed_in

pytestmark = pytest.mark.django_db

ADDRESS = "/api/v1/projects/feasts/agreement/"


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command("agreement", "feasts", *arguments, stdout=out)
    return out.getvalue()


def test_command_interface_and_page_give_the_same_numbers(nour, answered):
    printed = json.loads(said("--json"))
    client = signed_in(nour)
    assert client.get(ADDRESS).json() == printed
    for table in printed["tables"]:
        assert client.get(f"/p/feasts/results/{table['id']}.json").json() == table
    assert len(printed["tables"]) >= 13


def test_one_table_under_filters(nour, answered):
    printed = json.loads(said("--json", "--table", "human-human", "--threshold", "0.5"))
    [table] = printed["tables"]
    assert table["recipe"]["settings"]["threshold"] == 0.5
    answer = signed_in(nour).get(ADDRESS, {"table": "human-human", "threshold": "0.5"})
    assert answer.json() == printed


def test_to_read_and_as_csv(answered, capsys):
    assert "F1 of the judges against the final set of errors. Simba: 0.40" in said()
    assert "90 %" in capsys.readouterr().err, "how far it is stands beside the figures, and not among them"
    lines = list(csv.DictReader(io.StringIO(said("--csv", "--table", "judge-scores"))))
    assert [line["value"] for line in lines if line["measure"] == "precision"] == ["0.5"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--csv",), "--table"),
        (("--table", "none"), "judge-scores"),
        (("--threshold", "2"), "from 0 to 1"),
        (("--verify", "--table", "none"), "there are: human-human"),
        (("--verify", "--csv", "--table", "human-human"), "not as CSV"),
    ],
)
def test_the_command_says_what_is_wrong(answered, arguments, message):
    with pytest.raises(CommandError, match=message):
        said(*arguments)


def test_the_interface_names_labels_in_english_whatever_language_is_asked_for(nour, answered):
    client = signed_in(nour)
    assert client.get(ADDRESS, headers={"accept-language": "ar"}).json() == client.get(ADDRESS).json()


def test_bad_filters_are_refused_by_name(nour, answered):
    answer = signed_in(nour).get(ADDRESS, {"criticality": "huge", "order": "asc"})
    assert answer.status_code == 400
    assert {problem["field"] for problem in answer.json()["problems"]} == {"criticality", "order"}
    answer = signed_in(nour).get(ADDRESS, {"criticality": "huge"})
    assert answer.status_code == 400
    [problem] = answer.json()["problems"]
    assert problem["field"] == "criticality"
    assert "high, medium, low" in problem["message"]


def test_an_unknown_table_is_not_found(nour, answered):
    assert signed_in(nour).get(ADDRESS, {"table": "none"}).status_code == 404


def test_only_leads_of_the_project_read_it(mona, omar, answered, client):
    assert signed_in(mona).get(ADDRESS).status_code == 404
    assert signed_in(omar).get(ADDRESS).status_code == 404
    assert client.get(ADDRESS).status_code in (401, 403)


def test_the_page_is_written_anew_when_an_answer_changes_it(nour, answered, karim, project, koshari):
    client = signed_in(nour)
    first = client.get("/p/feasts/results/").content.decode()
    assert "Simba: 0.40" in first
    Review.objects.filter(span=answered["pharaohs"], rater__user=karim).update(verdict="reject")
    derive([koshari.id])
    # Nothing of the judge's is in the gold any more: none of its marks meets one.
    assert "Simba: 0.00" in client.get("/p/feasts/results/").content.decode()


def test_the_page_is_kept_in_each_language_by_itself(nour, answered):
    client = signed_in(nour)
    english = client.get("/p/feasts/results/").content.decode()
    client.get("/p/feasts/results/", headers={"accept-language": "ar"})
    assert client.get("/p/feasts/results/").content.decode().count("Judges against the gold") == english.count(
        "Judges against the gold"
    )
