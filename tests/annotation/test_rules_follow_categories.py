"""A rule names a category; the lead merges or splits it later, and the rule speaks of what stands in its place."""

import json

import pytest

from annotation import category_changes
from annotation.category_changes import Part
from annotation.models import ErrorCategory
from projects.models import ApiToken
from tests.people import signed_in
from tests.workflow.working import body, mark, marking_stage, submit
from workflow.answer_rules import change_rules, rules_of
from workflow.claims import claim_next
from workflow.models import StageRules

pytestmark = pytest.mark.django_db

ABOUT_TONE = [{"needs": "correction", "category": ["tone"]}]


@pytest.fixture
def categories(project) -> dict[str, ErrorCategory]:
    project.ask_category = True
    project.save(update_fields=["ask_category"])
    slugs = ("tone", "register", "fact")
    return {
        slug: ErrorCategory.objects.create(project=project, slug=slug, name=slug.title(), position=at)
        for at, slug in enumerate(slugs)
    }


@pytest.fixture
def stage(project, koshari, categories):
    stage = marking_stage(project)
    change_rules(stage, ABOUT_TONE)
    return stage


def of(stage) -> list[list[str]]:
    return [rule["category"] for rule in rules_of(stage)]


def test_a_rule_about_a_merged_category_holds_marks_of_the_one_it_is_read_as(stage, categories, mona, koshari, nour):
    category_changes.merge([categories["tone"]], categories["register"], nour)
    assert of(stage) == [["register"]]
    assert StageRules.objects.get().rules == ABOUT_TONE, "what was written stays"
    turn = claim_next(mona.raters.get(), stage)
    client = signed_in(mona)
    bare = mark(koshari, "السحور", category="register", correction="")
    answer = submit(client, turn, 0, body(bare))
    assert answer.status_code == 422
    assert [each["field"] for each in answer.json()["error"]["problems"]] == ["correction"]
    assert submit(client, turn, 0, body({**bare, "category": "fact"})).status_code == 200


def test_a_rule_about_a_split_category_speaks_of_every_part_and_of_what_these_become(stage, project, categories, nour):
    category_changes.split(categories["tone"], [Part("Too formal"), Part("Too familiar")], nour)
    assert of(stage) == [["too-familiar", "too-formal"]]
    formal = ErrorCategory.objects.get(slug="too-formal")
    category_changes.merge([formal], ErrorCategory.objects.get(slug="fact"), nour)
    assert of(stage) == [["too-familiar", "fact"]]


def test_taken_back_the_rule_says_what_it_said(stage, categories, nour):
    change = category_changes.merge([categories["tone"]], categories["register"], nour)
    category_changes.undo(change, nour)
    assert of(stage) == [["tone"]]


def test_two_that_become_one_are_named_once(stage, categories, nour):
    change_rules(stage, [{"most": 1, "category": ["tone", "register"]}])
    category_changes.merge([categories["tone"]], categories["register"], nour)
    assert of(stage) == [["register"]]


def test_the_preview_counts_the_rules(stage, categories):
    assert category_changes.touched(stage.project, [categories["tone"]]).rules == 1
    assert category_changes.touched(stage.project, [categories["fact"]]).rules == 0


def test_rules_without_a_category_ask_nothing(stage, django_assert_max_num_queries):
    change_rules(stage, [{"needs": "explanation"}])
    with django_assert_max_num_queries(1):
        rules_of(stage)


# --- By program ---


@pytest.fixture
def api(nour, client):
    _row, token = ApiToken.issue(nour, "rules")

    def call(verb: str, stage, rules: object = None, **headers: str):
        address = f"/api/v1/projects/feasts/stages/{stage.pk}/rules/"
        sent = {"headers": {"Authorization": f"Bearer {token}", **headers}}
        if verb == "get":
            return client.get(address, **sent)
        return client.put(address, json.dumps({"rules": rules}), "application/json", **sent)

    return call


def test_a_program_reads_and_changes_them(stage, api):
    read = api("get", stage)
    assert read.json() == {"stage": stage.name, "kind": "spans", "version": 1, "rules": ABOUT_TONE}
    wanted = [{"most": 5, "warns": True}]
    changed = api("put", stage, wanted, **{"If-Match": read["ETag"]})
    assert (changed.status_code, changed.json()["rules"]) == (200, wanted)
    assert rules_of(stage) == wanted
    late = api("put", stage, ABOUT_TONE, **{"If-Match": read["ETag"]})
    assert (late.status_code, late.json()["problems"][0]["code"]) == (422, "conflict")
    assert rules_of(stage) == wanted
    assert api("put", stage, [], **{"If-Match": "*"}).json()["rules"] == []


@pytest.mark.parametrize(
    "rules",
    [
        [{"needs": "correction", "category": ["nothing-like-it"]}],
        [{"needs": "correction", "most": 1}],
        [{"ask": ["x"], "after": "y"}],
        [{"most": "many"}],
        [{"unheard": 1}],
    ],
)
def test_what_the_page_refuses_a_program_is_refused_too(stage, api, rules):
    answer = api("put", stage, rules)
    assert answer.status_code == 422
    assert answer.json()["problems"]
    assert rules_of(stage) == ABOUT_TONE


@pytest.mark.parametrize("rules", ["most", [5], None])
def test_what_is_no_list_of_rules_is_no_request(stage, api, rules):
    assert api("put", stage, rules).status_code == 400


def test_a_stage_that_takes_no_rules_has_none_to_read(project, api):
    from workflow.models import Stage

    other = Stage.objects.create(project=project, kind="localising", name="Localising", overlap=1)
    assert api("get", other).status_code == 404
