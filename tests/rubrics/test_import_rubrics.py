"""Nour brings in rubrics that were written elsewhere, frozen before anybody saw a response."""

import pytest
from django.core.management import CommandError, call_command

from projects.models import Prompt
from rubrics.canonical import CanonicalCriterion, canonical_form, rubric_sha256
from rubrics.models import Criterion, Rubric
from tests.rubrics.files import BYTES_THAT_ARE_NO_RECORD, bring, criterion, refused, rubric_line, stored
from tests.rubrics.rubrics import make_rubrics_project

KOSHARI = "إزاي الكشري بيتعمل؟"
TRIED = {"model": "Nile-7B", "outcome": "partial"}


@pytest.fixture(autouse=True)
def of_rubrics(project, koshari):
    return make_rubrics_project(project)


def test_a_rubric_is_stored_frozen_with_all_it_says(project, koshari, mona):
    line = rubric_line(
        author="Mona Adel",
        reviewed_by="Hoda",
        difficulty={"model": "Nile-7B", "outcome": "partial", "asked_at": "2026-02-27T10:00:00+02:00"},
        accepted_findings=[{"code": "overlap", "criterion": "c2", "words": "بصل", "reason": "حاجتين"}],
        metadata={"row": 7},
    )
    counts = stored(project, "rubrics", line)
    assert (counts["rubrics"], counts["prompts"], counts["new raters"]) == (1, 0, 1)
    rubric = Rubric.objects.get()
    assert (rubric.prompt, rubric.version, rubric.scope) == (koshari.prompt, 1, "cultural")
    assert rubric.frozen_at.isoformat() == "2026-03-01T09:30:00+00:00"
    assert rubric.author.user == mona, "a member by their name"
    assert (rubric.reviewed_by.name, rubric.reviewed_by.user) == ("Hoda", None)
    assert (rubric.difficulty, rubric.accepted_findings) == (line["difficulty"], line["accepted_findings"])
    first, second = rubric.criteria.order_by("position")
    assert (first.key, first.weight, first.band.slug, first.is_positive) == ("c1", 10, "core-term", True)
    assert (second.position, second.weight, second.band) == (2, 5, None)


def test_the_hash_is_that_of_the_canonical_form(project, koshari):
    line = rubric_line(criterion("c1", 9, band="meaning"))
    expected = rubric_sha256(
        canonical_form(
            prompt_sha256=koshari.prompt.text_sha256,
            variety="ar-EG",
            scope="cultural",
            gold_answer=line["gold_answer"],
            criteria=[CanonicalCriterion("c1", "يذكر c1", 9, "meaning", "objective", "explicit")],
        )
    )
    outcome = bring(project, "rubrics", {**line, "sha256": "0" * 64})
    [problem] = outcome.problems
    assert (problem.line, problem.field, problem.code) == (1, "sha256", "hash_differs")
    assert expected in problem.message, "the problem names the hash that the rubric has"
    stored(project, "rubrics", {**line, "sha256": expected})
    assert Rubric.objects.get().sha256 == expected


def test_a_new_prompt_comes_with_its_rubric(project):
    counts = stored(project, "rubrics", rubric_line(prompt_id=..., prompt=KOSHARI, variety="ar-EG", domain="food"))
    assert counts["prompts"] == 1
    prompt = Rubric.objects.get().prompt
    assert (prompt.text, prompt.variety.tag, prompt.domain) == (KOSHARI, "ar-EG", "food")
    assert Prompt.objects.get(key=prompt.key).rubrics.count() == 1


def test_a_later_version_takes_the_place_of_the_one_before(project):
    stored(project, "rubrics", rubric_line(), rubric_line(version=2, gold_answer="أحسن"))
    stored(project, "rubrics", rubric_line(version=4, gold_answer="أحسن كمان"))
    first, second, fourth = Rubric.objects.order_by("version")
    assert (second.supersedes, fourth.supersedes, first.supersedes) == (first, second, None)
    assert refused(project, "rubrics", rubric_line(version=2)) == [(1, "version", "already_there")]
    assert refused(project, "rubrics", rubric_line(version=3)) == [(1, "version", "older_version")]


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"prompt_id": ...}, "prompt_id", "missing"),
        ({"prompt_id": "p-unknown"}, "prompt_id", "unknown_prompt"),
        ({"prompt": KOSHARI}, "variety", "missing"),
        ({"prompt": KOSHARI, "variety": "ar-EG"}, "prompt", "prompt_differs"),
        ({"prompt": KOSHARI, "variety": "ar-EGY"}, "variety", "unknown_variety"),
        ({"domain": "food"}, "domain", "not_alone"),
        ({"author": ...}, "author", "missing"),
        ({"reviewed_by": "Salma"}, "reviewed_by", "own_rubric"),
        ({"role": "lead"}, "role", "unknown_field"),
        ({"owner": "Omar"}, "owner", "unknown_field"),
        ({"scope": "both"}, "scope", "not_a_choice"),
        ({"gold_answer": " "}, "gold_answer", "empty"),
        ({"version": 0}, "version", "out_of_range"),
        ({"version": True}, "version", "not_whole_number"),
        ({"frozen_at": ...}, "frozen_at", "missing"),
        ({"frozen_at": "2026-03-01"}, "frozen_at", "not_a_moment"),
        ({"frozen_at": "2026-02-30T10:00:00Z"}, "frozen_at", "not_a_moment"),
        ({"frozen_at": "0001-01-01T00:00:00+14:00"}, "frozen_at", "not_a_moment"),
        ({"frozen_at": "2026-03-01T09:30:00"}, "frozen_at", "not_a_moment"),
        ({"frozen_at": "2199-03-01T09:30:00Z"}, "frozen_at", "in_future"),
        ({"difficulty": {"model": "m"}}, "difficulty", "missing"),
        ({"difficulty": {"model": "m", "outcome": "perfect"}}, "difficulty", "answered_perfectly"),
        ({"accepted_findings": [{"words": "x"}]}, "accepted_findings[0].code", "missing"),
        (
            {"accepted_findings": [{"code": "x", "criterion": "c9"}]},
            "accepted_findings[0].criterion",
            "unknown_criterion",
        ),
        ({"difficulty": {**TRIED, "asked_at": "2026-03-01T09:31:00Z"}}, "difficulty.asked_at", "after_freeze"),
        ({"criteria": []}, "criteria", "nothing"),
        ({"criteria": [criterion(f"c{n}", 1) for n in range(101)]}, "criteria", "too_many"),
        ({"criteria": {}}, "criteria", "not_list"),
        ({"criteria": [criterion(weight=0)]}, "criteria[0].weight", "zero"),
        ({"criteria": [criterion(weight=-101)]}, "criteria[0].weight", "out_of_range"),
        ({"criteria": [criterion(weight=-4)]}, "criteria", "no_positive"),
        ({"criteria": [criterion(tags="axis")]}, "criteria[0].tags", "not_list"),
        ({"criteria": [criterion(tags=["axis", "axis"])]}, "criteria[0].tags", "repeated"),
        ({"criteria": [criterion(tags=["دقة، سياق"])]}, "criteria[0].tags", "comma"),
        ({"criteria": [criterion(tags=["x" * 61])]}, "criteria[0].tags", "too_long"),
        ({"criteria": [criterion(tags=[f"t{n}" for n in range(21)])]}, "criteria[0].tags", "too_many"),
        ({"criteria": [criterion(weight=True)]}, "criteria[0].weight", "not_whole_number"),
        ({"criteria": [criterion(weight=8.0)]}, "criteria[0].weight", "not_whole_number"),
        ({"criteria": [criterion(weight="8")]}, "criteria[0].weight", "not_whole_number"),
        ({"criteria": [criterion(), criterion(weight=3)]}, "criteria[1].key", "duplicate_id"),
        ({"criteria": [criterion(band="gold")]}, "criteria[0].band", "unknown"),
        ({"criteria": [criterion(text="\u00a0")]}, "criteria[0].text", "empty"),
        ({"criteria": [criterion(key="a\tb")]}, "criteria[0].key", "control_character"),
        ({"criteria": [criterion(objectivity="both")]}, "criteria[0].objectivity", "not_a_choice"),
        ({"criteria": [criterion(explicitness=...)]}, "criteria[0].explicitness", "missing"),
        ({"criteria": [criterion(failure_type="omission")]}, "criteria[0].failure_type", "unknown_field"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_stored(project, changes, field, code):
    good = rubric_line(prompt_id="p-2", prompt="تاني", variety="ar-EG")
    assert refused(project, "rubrics", good, rubric_line(**changes)) == [(2, field, code)]


@pytest.mark.parametrize(("line", "code"), BYTES_THAT_ARE_NO_RECORD)
def test_bytes_that_are_no_record_are_named_by_line(project, line, code):
    problems = refused(project, "rubrics", rubric_line(), line)
    assert [(at, found) for at, _field, found in problems] == [(2, code)]


def test_the_same_file_again_stores_nothing(project):
    lines = [rubric_line(), rubric_line(prompt_id="p-2", prompt="تاني", variety="ar-EG")]
    stored(project, "rubrics", *lines)
    assert refused(project, "rubrics", *lines) == []
    assert refused(project, "rubrics", lines[0]) == [(1, "version", "already_there")]


def test_a_table_without_the_columns_of_a_rubric_is_refused_once(project):
    outcome = bring(project, "rubrics", b"prompt_id,author", b"p,Salma", b"q,Salma", file_format="csv")
    assert {problem.code for problem in outcome.problems} == {"missing_column"}
    assert "criteria" in {problem.field for problem in outcome.problems}


def test_the_command_says_what_came_of_it(project, tmp_path, capsys):
    import json

    path = tmp_path / "rubrics.jsonl"
    path.write_text(json.dumps(rubric_line(version=0)), encoding="utf-8")
    with pytest.raises(CommandError, match="nothing was stored"):
        call_command("import_rubrics", project.slug, str(path), "--quiet")
    assert "line 1, version" in capsys.readouterr().err
    path.write_text(json.dumps(rubric_line()), encoding="utf-8")
    call_command("import_rubrics", project.slug, str(path), "--quiet")
    assert "1 rubric" in capsys.readouterr().out
    assert Criterion.objects.count() == 2


def test_many_rubrics_cost_as_many_statements_as_few(project, django_assert_max_num_queries):
    def lines(count: int, name: str) -> list[dict]:
        return [
            rubric_line(prompt_id=f"{name}-{number}", prompt=f"{name} {number}", variety="ar-EG")
            for number in range(count)
        ]

    stored(project, "rubrics", *lines(1, "warm"))
    with django_assert_max_num_queries(40):
        stored(project, "rubrics", *lines(300, "many"))
