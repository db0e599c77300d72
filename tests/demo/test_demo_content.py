"""The demo project is written by hand: every line of it must hold before anyone is shown it."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from projects.anchors import check_anchor, paragraphs
from tests.preset_parts import preset_file

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "demo" / "by_hand"
TYPES = {"cultural", "linguistic", "both", "logical"}
CRITICALITIES = {"high", "medium", "low"}
SIX_LANGUAGES = {"Egyptian Arabic": "ar-EG", "Iraqi Arabic": "ar-IQ", "Korean": "ko-KR", "Indonesian": "id-ID"}
SIX_LANGUAGES |= {"Bengali": "bn-BD", "English": "en-US"}


def taxonomy():
    return preset_file("spans")["categories"]


def lines(name):
    return [json.loads(line) for line in (DEMO / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def items():
    return {item["id"]: item for item in lines("items.jsonl")}


@pytest.fixture(scope="module")
def markings():
    return [line for line in lines("answers.jsonl") if line["kind"] == "spans"]


@pytest.fixture(scope="module")
def review_lines():
    return [line for line in lines("answers.jsonl") if line["kind"] == "reviews"]


@pytest.fixture(scope="module")
def varieties():
    return json.loads((ROOT / "projects" / "data" / "varieties.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def people():
    return {person["name"]: person for person in json.loads((DEMO / "people.json").read_text(encoding="utf-8"))}


def test_at_least_twelve_responses_in_six_languages_were_marked_by_two_people_and_a_judge(items, markings):
    raters = defaultdict(Counter)
    for line in markings:
        raters[line["item"]][line["rater_kind"]] += 1
    complete = [item for item, kinds in raters.items() if kinds == {"human": 2, "judge": 1}]
    assert len(complete) >= 12
    assert set(SIX_LANGUAGES.values()) <= {items[item]["variety"] for item in complete}


def test_some_responses_wait_for_an_annotator_in_every_bigger_language(items, markings):
    done = Counter(line["item"] for line in markings if line["rater_kind"] == "human")
    waiting = Counter(item["variety"] for key, item in items.items() if done[key] < 2)
    for variety in ("ar-EG", "ar-IQ", "ko-KR", "id-ID", "bn-BD"):
        assert waiting[variety] >= 1, variety


def test_every_item_is_whole_and_in_a_known_variety(items, varieties):
    tags = {variety["tag"] for variety in varieties}
    prompts = {}
    for key, item in items.items():
        assert item["variety"] in tags
        assert all(item[name].strip() for name in ("prompt", "response", "model", "laboratory", "task", "domain"))
        assert item["task"] in {"how-to advice", "story generation", "creative ideation"}
        assert "\n" in item["response"], key
        assert prompts.setdefault(item["prompt_id"], item["prompt"]) == item["prompt"], key
    assert len(items) > len(prompts), "two models answer some of the prompts"
    assert len(items) == len(lines("items.jsonl")), "an id is used twice"


def test_every_span_lies_where_it_says(items, markings):
    slugs = {category["slug"] for category in taxonomy()} | {""}
    seen = set()
    for line in markings:
        text = items[line["item"]]["response"]
        assert line["no_errors"] == (not line["spans"])
        places = Counter()
        for span in line["spans"]:
            assert span["id"] not in seen
            seen.add(span["id"])
            if span["anchor"] == "words":
                check_anchor(text, span["start"], span["end"], span["quote"])
                places[span["start"], span["end"]] += 1
            elif span["anchor"] == "paragraph":
                assert 0 <= span["paragraph"] < len(paragraphs(text))
            else:
                assert span["anchor"] == "response"
            assert span["type"] in TYPES
            assert span["category"] in slugs
            assert span["criticality"] in CRITICALITIES
            assert span["explanation"].strip()
        assert set(places.values()) <= {1}, "a rater marks a place once"


def test_each_rater_answers_an_item_once(markings, review_lines):
    for answers in (markings, review_lines):
        assert max(Counter((line["item"], line["rater"], line["round"]) for line in answers).values()) == 1


def test_reviews_are_of_the_spans_of_others_and_of_all_of_them(items, markings, review_lines):
    owners = defaultdict(dict)
    for line in markings:
        for span in line["spans"]:
            owners[line["item"]][span["id"]] = line["rater"]
    slugs = {category["slug"] for category in taxonomy()}
    for line in review_lines:
        others = {span for span, owner in owners[line["item"]].items() if owner != line["rater"]}
        assert {review["span"] for review in line["reviews"]} == others
        assert line["rater_kind"] == "human"
        for review in line["reviews"]:
            assert review["verdict"] in {"keep", "reject", "differs", "correct"}
            changed = set(review) - {"span", "verdict", "comment"}
            assert bool(changed) == (review["verdict"] == "correct")
            if "quote" in changed:
                check_anchor(items[line["item"]]["response"], review["start"], review["end"], review["quote"])
            assert review.get("category", "logical") in slugs
            assert review.get("criticality", "low") in CRITICALITIES


def test_groups_hold_kept_spans_of_several_raters_that_overlap(items, markings, review_lines):
    spans = {span["id"]: (line, span) for line in markings for span in line["spans"]}
    refused = {
        review["span"]
        for line in review_lines
        for review in line["reviews"]
        if review["verdict"] in {"reject", "differs"}
    }
    for line in lines("groups.jsonl"):
        assert line["kind"] == "groups"
        for group in line["groups"]:
            assert len({spans[key][0]["rater"] for key in group}) == len(group) > 1
            assert {spans[key][0]["item"] for key in group} == {line["item"]}
            assert not refused & set(group)
            for key in group:
                span, others = spans[key][1], [spans[other][1] for other in group if other != key]
                assert any(max(span["start"], o["start"]) < min(span["end"], o["end"]) for o in others), key


def test_annotators_differ_and_one_response_is_without_errors(markings):
    humans = [line for line in markings if line["rater_kind"] == "human"]
    assert sum(line["no_errors"] for line in humans) >= 2
    by_item = defaultdict(list)
    for line in humans:
        by_item[line["item"]].append({span.get("quote") for span in line["spans"]})
    assert sum(first != second for first, second in (pair for pair in by_item.values() if len(pair) == 2)) >= 10


def test_the_judge_is_labelled_as_simulated(markings):
    for line in markings:
        if line["rater_kind"] == "judge":
            assert line["simulated"] is True
            assert "Simulated" in line["rater"]


def test_every_annotator_may_sign_in_and_works_in_the_variety(items, markings, review_lines, people):
    emails = [person["email"] for person in people.values()]
    assert len(set(emails)) == len(emails)
    assert all(email.endswith("@example.org") for email in emails)
    assert "lead@example.org" in emails
    for line in markings + review_lines:
        if line["rater_kind"] == "human":
            assert items[line["item"]]["variety"] in people[line["rater"]]["varieties"]


def test_the_taxonomy_has_two_thin_five_thick_and_one_separate_category():
    assert Counter(category.get("depth", "separate") for category in taxonomy()) == {
        "thin": 2,
        "thick": 5,
        "separate": 1,
    }
    assert all(category["definition"] and category["example"] for category in taxonomy())


def test_varieties_are_the_47_of_menlo_two_arabic_ones_and_the_juice_settings(varieties):
    tags = [variety["tag"] for variety in varieties]
    # 47 of MENLO, which already hold en-US, ko-KR, id-ID and bn-BD; ar-EG, ar-IQ; en-KR, en-ID, en-BD.
    assert len(tags) == len(set(tags)) == 47 + 2 + 3
    assert len({variety["name"] for variety in varieties}) == len(varieties)
    assert {"en-US", "ko-KR", "en-KR", "id-ID", "en-ID", "bn-BD", "en-BD"} <= set(tags)


def test_right_to_left_and_unspaced_varieties(varieties):
    right_to_left = {variety["tag"] for variety in varieties if variety["direction"] == "rtl"}
    assert right_to_left == {"ar", "ar-EG", "ar-IQ", "fa-IR", "he-IL", "ur-PK"}
    unspaced = {variety["tag"] for variety in varieties if variety["segmentation"] == "unicode"}
    assert unspaced == {"ja-JP", "th-TH", "zh-CN", "zh-TW"}
