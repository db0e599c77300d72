"""The generated study at the size of JuICE: a model groups, refines and categorises, an expert looks at samples."""

from collections import Counter

import pytest
from django.urls import reverse

from annotation.acceptance.settling import sources
from annotation.acceptance.worth import worth
from annotation.models import Acceptance, GroupProposal, Refinement
from judging.models import Call
from projects.models import AuditEvent, Membership, Role
from tests.demo.exported import Files, export_of
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("juice at full size")]
ERRORS, TWICE_CODED = 7470, 191
#: Appendices D.4 and D.3: of 50 groups that were looked at none was wrong, of 200 refinements 2. For a bound of 2 % it
#: takes 183 categories.
LOOKED_AT = {"groups": (50, 0), "refinements": (200, 2), "categories": (183, 4)}


@pytest.fixture(scope="module")
def files(juice, django_db_blocker, tmp_path_factory) -> Files:
    folder = tmp_path_factory.mktemp("accepted")
    return export_of("juice", folder, django_db_blocker, "codings,refinements,spans")


def test_a_sample_of_each_kind_was_looked_at_and_the_rest_accepted_unseen(juice):
    settled = list(juice.acceptances.order_by("number"))
    assert [one.kind for one in settled] == list(LOOKED_AT), "grouped, then refined, then categorised"
    assert {one.kind: (one.drawn, one.wrong) for one in settled} == LOOKED_AT
    for one in settled:
        assert one.state == Acceptance.State.ACCEPTED
        assert one.drawn == one.decided
        assert one.accepted == one.rest
    rests = {one.kind: one.rest for one in settled}
    assert rests["refinements"] == ERRORS - 200
    assert rests["categories"] == ERRORS - TWICE_CODED - 183
    assert sources(juice) == [], "nothing waits"
    events = AuditEvent.objects.filter(project=juice, action__startswith="acceptance.").values_list("action", flat=True)
    assert Counter(events) == {"acceptance.drawn": 3, "acceptance.accepted": 3}


def test_calls_of_the_simulated_provider_stand_behind_all_that_is_proposed(juice):
    """Of every kept error a refinement and a category; of groups, each set of marks that touch."""
    calls = Call.objects.filter(judge__project=juice, judge__kind__in=["groups", "refinement", "categories"])
    assert set(calls.values_list("state", flat=True)) == {"scored"}
    found = Counter(calls.values_list("judge__kind", flat=True))
    assert found["refinement"] == found["categories"] == ERRORS
    assert found["groups"] > 3000
    assert Refinement.objects.filter(rater__judge__project=juice).count() == ERRORS
    asked = set(calls.filter(judge__kind="groups").values_list("response_id", flat=True))
    assert set(GroupProposal.objects.filter(response__project=juice).values_list("response_id", flat=True)) <= asked
    assert all("ticket" in call.raw_output for call in calls.order_by("pk")[:100])


def test_the_share_of_wrong_ones_and_what_it_implies(juice):
    """Clopper and Pearson of 2 in 200: 0.1 to 3.6 %."""
    refinements = worth(juice.acceptances.get(kind="refinements"))
    assert refinements.rate_in_percent == "1.0 % [0.1, 3.6]"
    assert refinements.implied.number == pytest.approx(2 / 200 * 7270)


def test_the_page_of_acceptances_tells_of_all_three(juice, client):
    lead = person("lina@example.org", "Lina")
    Membership.objects.create(project=juice, user=lead, role=Role.LEAD)
    client.force_login(lead)
    page = client.get(reverse("acceptances", args=["juice"])).content.decode()
    for shown in ("0.0 % [0.0, 7.1]", "1.0 % [0.1, 3.6]", "2.2 % [0.6, 5.5]"):
        assert shown in page
    for what in ("groups", "refinement", "categories"):
        assert f"gemini-3.1-pro-preview for {what} (simulated)" in page
    assert page.count("Simulated: the errors that the sample implies can be borne.") == 3


def test_the_files_say_what_nobody_looked_at(juice, files):
    rests = dict(juice.acceptances.values_list("kind", "rest"))
    for frame, kind in (("codings", "categories"), ("refinements", "refinements")):
        unseen = [row for row in files.lines(frame) if row["is_accepted_unseen"]]
        assert len(unseen) == rests[kind]
        assert {row["rater_kind"] for row in unseen} == {"judge"}
    parts = Counter()
    for line in files.gold():
        for error in line["errors"]:
            parts.update(error["provenance"].get("accepted_unseen", {}).keys())
            assert error["category"]
    assert parts == {"category": rests["categories"], "group": rests["groups"], "refinement": rests["refinements"]}


def test_a_refined_error_lies_in_all_marks_that_found_it_and_quotes_them(files):
    marks: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for row in files.lines("spans"):
        if row["gold_key"] and row["start"] is not None:
            marks.setdefault((row["response_key"], row["gold_key"]), []).append((row["start"], row["end"]))
    refined = {(row["response_key"], row["quote"]) for row in files.lines("refinements") if row["quote"]}
    assert len(refined) > 1000
    narrowed = 0
    for line in files.gold():
        for error in line["errors"]:
            places = marks.get((line["id"], error["id"]), [])
            if len(set(places)) > 1 and (line["id"], error["quote"]) in refined:
                assert max(start for start, _end in places) == error["start"]
                assert min(end for _start, end in places) == error["end"]
                assert line["response"][error["start"] : error["end"]] == error["quote"]
                narrowed += 1
    assert narrowed > 1000
