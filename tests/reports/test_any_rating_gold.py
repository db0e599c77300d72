"""Whatever a gold file of ratings holds, it comes out of an empty project as it went in."""

import io
from collections import Counter
from pathlib import Path
from statistics import fmean
from uuid import uuid4

import jsonschema
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.importing.running import Outcome, run_import
from formats.rating_gold import FORMAT
from formats.reading import Source
from projects.anchors import sha256
from projects.models import Project
from reports.ratings.gold import lines

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
VALIDATOR = jsonschema.Draft202012Validator(FORMAT.schema)
# Marks that combine, letters outside the Basic Multilingual Plane, joined emoji, direction marks, odd line ends.
ODD = 'aé\u0301ি্র가힣🎉👩\u200d👩\u200d👧🇪🇬كَ\u200f\u202eשׁ\u2028\u0085\n \t"\\'
TEXTS = st.text(
    st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=("Cs", "Cc"))), min_size=1, max_size=30
).filter(lambda text: text.strip() != "")
MAYBE = st.one_of(st.just(""), TEXTS)
NAMES = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=12)
FREE = st.dictionaries(NAMES, st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), TEXTS), max_size=3).map(
    lambda free: dict(sorted(free.items()))
)
TIMES = st.sampled_from(["2026-03-02T00:00:00+00:00", "2026-03-02T08:30:00.000250+00:00"])
# Pseudonyms in the order in which ratings are written: people, then judges.
PEOPLE = {"r-amal": True, "r-mona": False, "r-noor": False, "r-zaynab": False}
JUDGES = {"r-one": ("Judge 1", "omega-1", "omega", True), "r-two": ("Judge 2", "sigma", "sigma-lab", False)}
MODELS = ("Nile-7B", "delta-lab"), ("Sahara-2", "dune"), ("Oasis", "delta-lab")
SIGNS = {"second": -1, "tie": 0, "first": 1}
SCALES = {"formality": (1, 5), "better": (None, None), "depth": (-2, 2)}
HEAD = {"format": "mizan.rating-gold/1"}


@st.composite
def question(draw, key: str, dimension: dict) -> dict:
    lowest, highest = SCALES[key]
    grades = [] if lowest is None else sorted(draw(st.sets(st.integers(lowest, highest))))
    levels = [{"grade": grade, "label": draw(MAYBE), "summary": draw(TEXTS), "detail": draw(MAYBE)} for grade in grades]
    return {
        **HEAD,
        "kind": "question",
        "id": key,
        "dimension": dimension,
        "name": key.title(),
        "definition": draw(MAYBE),
        "lowest": lowest,
        "highest": highest,
        "levels": levels,
    }


@st.composite
def ratings(draw, key: str, is_pair: bool) -> list[dict]:
    """Ratings of one subject on one question type, in the order in which they are written."""
    low, high = SCALES[key]
    made = []
    for rater, is_expert in PEOPLE.items():
        for number in sorted(draw(st.sets(st.integers(1, 2), max_size=2))):
            made.append({**person(rater, is_expert, key), "round": number, **draw(said(low, high, is_pair, False))})
    for rater, judge in JUDGES.items():
        if not draw(st.booleans()):
            continue
        orders = draw(st.sampled_from([(False,), (True,), (False, True)])) if is_pair else (False,)
        for swapped in orders:
            answer = draw(said(low, high, is_pair, True))
            if is_pair:
                answer |= {"swapped": swapped, "both_orders": len(orders) == 2}
            made.append({**by_judge(rater, judge, key), "round": 1, **answer})
    for each in made:
        each |= {"comment": draw(MAYBE), "metadata": draw(FREE), "rated_at": draw(TIMES)}
    return [in_order(each, is_pair) for each in made]


def person(rater: str, is_expert: bool, key: str) -> dict:
    nobody = {"name": None, "model": None, "laboratory": None, "simulated": False}
    return {"question": key, "rater": rater, "rater_kind": "human", "expert": is_expert, **nobody}


def by_judge(rater: str, judge: tuple, key: str) -> dict:
    names = dict(zip(("name", "model", "laboratory", "simulated"), judge, strict=True))
    return {"question": key, "rater": rater, "rater_kind": "judge", "expert": False, **names}


@st.composite
def said(draw, low, high, is_pair: bool, is_judge: bool) -> dict:
    unreadable = is_judge and draw(st.integers(0, 4)) == 0
    grade: st.SearchStrategy = st.none() if low is None or unreadable else st.integers(low, high)
    if is_judge and low is not None and not unreadable:
        halves = st.integers(2 * low, 2 * high).map(lambda twice: twice // 2 if twice % 2 == 0 else twice / 2)
        grade = st.one_of(grade, halves)
    if not is_pair:
        return {"grade": draw(grade), "unparseable": unreadable}
    stated = ["first", "second", "tie"] if low is None else ["", "first", "second", "tie"]
    return {
        "swapped": draw(st.booleans()),
        "both_orders": False,
        "first": draw(grade),
        "second": draw(grade),
        "preference": "" if unreadable else draw(st.sampled_from(stated)),
        "unparseable": unreadable,
    }


def in_order(rating: dict, is_pair: bool) -> dict:
    of_pair = ["swapped", "both_orders", "first", "second", "preference"]
    about = ["question", "rater", "rater_kind", "expert", "name", "model", "laboratory", "simulated", "round"]
    fields = [*about, *(of_pair if is_pair else ["grade"]), "unparseable", "comment", "metadata", "rated_at"]
    return {field: rating[field] for field in fields}


def gold(rule: str, key: str, given: list[dict], is_pair: bool) -> list[dict]:
    """Worked out here by counting: experts' grades where there are any, else all people's; of each the last round."""
    last = {each["rater"]: each for each in sorted(given, key=lambda each: each["round"])}
    people = [each for each in given if each["rater_kind"] == "human" and each is last[each["rater"]]]
    counted = [each for each in people if each["expert"]] or people
    if not counted:
        return []
    how = {"question": key, "rule": "expert" if counted[0]["expert"] else rule, "n": len(counted)}
    if key == "better":
        sign = majority([SIGNS[each["preference"]] for each in counted], -1, 1)
        how["rule"] = "expert" if counted[0]["expert"] else "majority"
        stated = {value: name for name, value in SIGNS.items()}[sign]
        return [{**how, "first": None, "second": None, "preference": stated}]
    low, high = SCALES[key]
    assert low is not None
    assert high is not None
    one = settled(rule, [each["first" if is_pair else "grade"] for each in counted], low, high)
    if not is_pair:
        return [{**how, "grade": one}]
    two = settled(rule, [each["second"] for each in counted], low, high)
    preference = "first" if one > two else "second" if one < two else "tie"
    return [{**how, "first": one, "second": two, "preference": preference}]


def settled(rule: str, grades: list[int], low: int, high: int):
    value = fmean(grades) if rule == "mean" else majority(grades, low, high)
    return int(value) if value == int(value) else value


def majority(grades: list[int], low: int, high: int) -> int:
    """The grade given most often; ties by the mean, then the median, then halfway, towards the middle of the scale."""
    counts = Counter(grades)
    tied = sorted(grade for grade, count in counts.items() if count == max(counts.values()))
    ordered = sorted(grades)
    twice_median = ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]
    for distance in (
        lambda grade: abs(len(grades) * grade - sum(grades)),
        lambda grade: abs(2 * grade - twice_median),
    ):
        nearest = min(map(distance, tied))
        tied = [grade for grade in tied if distance(grade) == nearest]
    halfway = (tied[0] + tied[-1]) / 2
    if halfway == int(halfway):
        return int(halfway)
    middle = (low + high) / 2
    below, above = int(halfway - 0.5), int(halfway + 0.5)
    return above if halfway < middle else below


@st.composite
def gold_file(draw) -> list[dict]:
    rule = draw(st.sampled_from(["majority", "mean"]))
    tone = {"id": "tone", "name": "Tone", "definition": draw(MAYBE)}
    facts = {"id": "facts", "name": "Facts", "definition": draw(MAYBE)}
    made = [
        {**HEAD, "kind": "settings", "gold_rule": rule},
        draw(question("formality", tone)),
        draw(question("better", tone)),
        draw(question("depth", facts)),
    ]
    prompts = [draw(prompt(number)) for number in range(draw(st.integers(1, 3)))]
    subjects = [line for number, each in enumerate(prompts) for line in draw(subjects_of(number, each, rule))]
    used = {line["template"] for line in subjects}
    if "t-1" in used:
        side = draw(st.sampled_from(["", "train", "test"]))
        text = draw(TEXTS)
        made.append({**HEAD, "kind": "template", "id": "t-1", "question": "formality", "text": text, "split": side})
    pairs = [line for line in subjects if line["kind"] == "pair"]
    singles = draw(st.permutations([line for line in subjects if line["kind"] == "response"]))
    return [*made, *pairs, *singles]


@st.composite
def prompt(draw, number: int) -> dict:
    text = draw(TEXTS)
    key = draw(st.sampled_from([None, *SCALES]))
    return {
        "prompt_id": f"p-{number}",
        "prompt": text,
        "prompt_sha256": sha256(text),
        "prompt_variety": draw(st.sampled_from(["ar-EG", "en-US"])),
        "variety": "ar-EG",
        "task": "",
        "domain": draw(st.sampled_from(["", "food"])),
        "question": key,
        "template": draw(st.sampled_from([None, "t-1"])) if key == "formality" else None,
    }


@st.composite
def subjects_of(draw, number: int, asked: dict, rule: str) -> list[dict]:
    """Pairs among three responses to one prompt, and some of the responses by themselves."""
    sides = []
    for letter, (model, laboratory) in zip("abc", MODELS, strict=True):
        text = draw(TEXTS)
        about = {"id": f"{number}-{letter}", "model": model, "laboratory": laboratory, "response": text}
        sides.append({**about, "response_sha256": sha256(text), "metadata": draw(FREE)})
    made = []
    for first, second in draw(st.sets(st.sampled_from([(0, 1), (2, 1), (0, 2)]))):
        line = {**HEAD, "kind": "pair", "id": f"x-{number}-{first}{second}", **asked}
        made.append({**line, "first": sides[first], "second": sides[second]})
    for each in draw(st.sets(st.integers(0, 2))):
        side = dict(sides[each])
        made.append({**HEAD, "kind": "response", "id": side.pop("id"), **asked, **side})
    rated = []
    for line in made:
        is_pair = line["kind"] == "pair"
        keys = [asked["question"]] if asked["question"] else list(SCALES)
        line |= {"gold": [], "ratings": []}
        for key in keys:
            if key == "better" and not is_pair:
                continue  # a single response is not better than anything
            given = draw(ratings(key, is_pair))
            line["gold"] += gold(rule, key, given, is_pair)
            line["ratings"] += given
        if line["ratings"]:
            rated.append(line)
    return rated


def taken_in(project: Project, file: bytes) -> Outcome:
    return run_import(project, Source(io.BytesIO(file), "gold.jsonl"), "items")


def fresh() -> Project:
    slug = uuid4().hex
    return Project.objects.create(slug=slug, name=slug, areas=["ratings"])


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(made=gold_file())
def test_any_gold_file_of_ratings_comes_out_as_it_went_in(db, made):
    rated = any(line["kind"] in ("pair", "response") for line in made)
    file = b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in made)
    for line in made:
        VALIDATOR.validate(line)
    first, second = fresh(), fresh()
    outcome = taken_in(first, file)
    assert outcome.problems == []
    assert b"".join(lines(first)) == (file if rated else b"")
    if rated:
        assert taken_in(second, b"".join(lines(first))).problems == []
        assert b"".join(lines(second)) == file
