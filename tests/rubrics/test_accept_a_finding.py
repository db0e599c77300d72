"""What the lint finds is mended or kept with a reason; the server asks the lint again at the freeze."""

import pytest

from rubrics.models import Rubric
from tests.people import signed_in
from tests.rubrics.writing import authoring_stage, begun_by, call, criterion, draft, freeze, problems, tried
from workflow.models import Assignment

pytestmark = pytest.mark.django_db
# Core terms weigh 8 to 10 in the preset's bands.
LIGHT = draft(criteria=[criterion(1, text="بيذكر الرز والعدس.", weight=3, band="core-term")])


@pytest.fixture
def mine(project, salma) -> Assignment:
    return begun_by(salma, authoring_stage(project))


@pytest.fixture
def client(salma):
    return signed_in(salma)


def findings(client, mine, body) -> list[dict]:
    answer = call(client, mine, "lint", body=body)
    assert answer.status_code == 200, answer.content
    return answer.json()["findings"]


def accepted(finding: dict, reason: str) -> dict:
    return {**{field: finding[field] for field in ("code", "criterion", "words")}, "reason": reason}


def test_a_weight_outside_its_band_is_found_and_nothing_is_stored(client, mine):
    found = findings(client, mine, LIGHT)
    band = next(finding for finding in found if finding["code"] == "band-weight")
    assert band["criterion"] == criterion(1)["key"]
    assert band["message"]
    assert band["principle"]
    mine.refresh_from_db()
    assert not hasattr(mine, "draft")


def test_an_open_finding_holds_the_freeze_up(client, mine):
    tried(mine)
    assert problems(freeze(client, mine, LIGHT)) == {("findings", "open_finding")}
    assert not Rubric.objects.exists()


def test_a_finding_kept_with_a_reason_is_frozen_with_it(client, mine):
    tried(mine)
    kept = [accepted(finding, "Everybody knows this one.") for finding in findings(client, mine, LIGHT)]
    assert freeze(client, mine, {**LIGHT, "accepted": kept}).status_code == 200
    assert Rubric.objects.get().accepted_findings == kept


def test_a_reason_is_needed(client, mine):
    tried(mine)
    kept = [accepted(finding, "  ") for finding in findings(client, mine, LIGHT)]
    assert problems(freeze(client, mine, {**LIGHT, "accepted": kept})) == {("findings", "open_finding")}


def test_what_was_kept_elsewhere_says_nothing_here(client, mine):
    tried(mine)
    kept = [{**accepted(found, "Fine."), "criterion": criterion(2)["key"]} for found in findings(client, mine, LIGHT)]
    assert problems(freeze(client, mine, {**LIGHT, "accepted": kept})) == {("findings", "open_finding")}


def test_reasons_for_what_is_found_no_more_are_not_frozen(client, mine):
    tried(mine)
    stale = [{"code": "band-weight", "criterion": criterion(1)["key"], "words": "", "reason": "Fine."}]
    assert freeze(client, mine, draft(accepted=stale)).status_code == 200
    assert Rubric.objects.get().accepted_findings == []


def test_the_lint_is_told_the_difficulty_and_refuses_what_is_no_draft(client, mine, zaid):
    tried(mine, "failed")
    told = call(client, mine, "lint", body=draft()).json()
    assert told["difficulty"]["outcome"] == "failed"
    assert call(client, mine, "lint", body=draft(prompt="Else.")).json()["difficulty"] is None
    assert problems(call(client, mine, "lint", body={"scope": 5})) == {("scope", "not_text")}
    assert call(signed_in(zaid), mine, "lint", body=draft()).status_code == 404
