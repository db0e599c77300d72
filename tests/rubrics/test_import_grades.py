"""Nour brings in what people and judges who worked elsewhere said of responses under their rubrics."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from projects.models import Rater, TargetModel
from rubrics.models import Criterion, Grade, Verdict
from tests.people import EGYPTIAN, add_response
from tests.rubrics.files import (
    BYTES_THAT_ARE_NO_RECORD,
    JUDGE,
    bring,
    criterion,
    grade_line,
    negative,
    refused,
    rubric_line,
    stored,
    verdicts,
)
from tests.rubrics.rubrics import make_rubrics_project
from workflow.claims import claim_next
from workflow.models import Assignment, Stage
from workflow.planning import plan_items

AT = EGYPTIAN.index("على السحور")
ABOUT_ALL = verdicts(c1="fail", c2="pass", n1="absent")


@pytest.fixture(autouse=True)
def with_rubric(project, koshari):
    make_rubrics_project(project)
    stored(project, "rubrics", rubric_line())


def judged(**changes) -> dict:
    return grade_line(**{**JUDGE, "negatives": ..., "verdicts": ABOUT_ALL, **changes})


def test_a_first_grading_is_stored_with_its_score(project, koshari, mona):
    counts = stored(
        project,
        "grades",
        grade_line(
            negative(), rater="Mona Adel", comment="مش وحش", graded_at="2026-03-05T08:00:00Z", metadata={"row": 1}
        ),
    )
    assert (counts["grades"], counts["errors"], counts["new raters"]) == (1, 1, 0)
    grade = Grade.objects.get()
    assert (grade.rater.user, grade.role, grade.round, grade.response) == (mona, "reference", 1, koshari)
    # c1 passed for 10 of 15 points, the error takes 5.
    assert (grade.raw, grade.maximum) == (5, 15)
    assert grade.created_at.isoformat() == "2026-03-05T08:00:00+00:00"
    error = Criterion.objects.get(weight__lt=0)
    assert (error.start, error.end, error.quote) == (AT, AT + len("على السحور"), "على السحور")
    assert dict(Verdict.objects.values_list("criterion__key", "value")) == {"c1": "pass", "c2": "fail", "n1": "present"}


def test_a_regrader_and_a_judge_are_asked_about_the_errors_of_the_first_grading(project):
    regrade = grade_line(
        negative("n2", quote="الكشري أكلة"), rater="Hoda", role="regrade", verdicts=verdicts(**as_present())
    )
    stored(project, "grades", grade_line(negative()), regrade, judged(simulated=True))
    # All of it passed and the first error present, her own error -5: 10 + 5 - 5 - 5 = 5.
    assert Grade.objects.get(role="regrade").raw == 5
    # The judge passes c2 alone and sees no error; the regrader's error is no question to it.
    grade = Grade.objects.get(role="judge")
    assert (grade.raw, grade.rater.model, grade.rater.laboratory.slug, grade.rater.is_simulated) == (
        5,
        "omega-1",
        "omega",
        True,
    )


def as_present() -> dict[str, str]:
    return {"c1": "pass", "c2": "pass", "n1": "present"}


def test_people_of_another_community_grade_with_errors_of_their_own(project):
    calibration = grade_line(negative("n2", -3), rater="Zaynab", role="calibration", varieties=["ar-IQ"])
    stored(project, "grades", calibration)
    rater = Rater.objects.get(name="Zaynab")
    assert [variety.tag for variety in rater.varieties.all()] == ["ar-IQ"]
    other = {**calibration, "round": 2, "varieties": ["ar-EG"], "negatives": []}
    assert refused(project, "grades", other) == [(1, "varieties", "varieties_differ")]
    unknown = {**calibration, "round": 2, "rater": "Noor", "varieties": ["xx"], "negatives": []}
    assert refused(project, "grades", unknown) == [(1, "varieties", "unknown_variety")]


def test_words_are_pointed_at_by_offsets_in_either_unit(project, koshari):
    emoji = add_response(project, "emoji", "🍚 رز 🍚", "ar-EG")
    stored(project, "rubrics", rubric_line(prompt_id="p-emoji"))
    by_units = grade_line(negative(start=6, end=8, quote="🍚"), item="emoji", offset_unit="utf16")
    by_occurrence = grade_line(negative("n9", quote="🍚", occurrence=2), item="emoji", rater="Hoda", role="calibration")
    stored(project, "grades", by_units, by_occurrence)
    assert set(emoji.negative_criteria.values_list("start", "end", "quote")) == {(5, 6, "🍚")}


def test_an_omission_points_at_nothing(project):
    stored(project, "grades", grade_line(negative(failure_type="omission", quote=...)))
    assert Criterion.objects.get(weight__lt=0).start is None


@pytest.mark.parametrize("laboratory", ["Delta Lab", "delta-lab"])
def test_a_judge_that_grades_what_its_own_laboratory_wrote_is_counted(project, laboratory):
    line = judged(laboratory=laboratory)
    assert stored(project, "grades", grade_line(negative()), line)["own laboratory"] == 1


def test_a_judge_known_from_elsewhere_is_counted_too(project, koshari):
    """Its laboratory stands with the judge, so that a later line need not name it to be counted."""
    other = add_response(project, "other", "كلام", "ar-EG", model="Omega-0")
    stored(project, "grades", grade_line(negative()), judged())
    omega = Rater.objects.get(kind="judge")
    TargetModel.objects.filter(name="Omega-0").update(laboratory=omega.laboratory)
    stored(project, "rubrics", rubric_line(prompt_id="p-other"))
    line = {"item": other.key, "rater": "Judge", "rater_kind": "judge", "role": "judge"}
    reference = grade_line(item="other")
    counts = stored(project, "grades", reference, {**line, "verdicts": verdicts(c1="pass", c2="pass")})
    assert counts["own laboratory"] == 1


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"item": "unknown"}, "item", "unknown_item"),
        ({"version": 2}, "version", "no_rubric"),
        ({"version": True}, "version", "not_whole_number"),
        ({"role": "owner"}, "role", "not_a_choice"),
        ({"role": "judge"}, "role", "role_misfits"),
        ({"role": "regrade"}, "role", "no_reference"),
        ({**JUDGE, "role": "reference"}, "role", "role_misfits"),
        ({**JUDGE, "negatives": [negative()]}, "negatives", "not_with_role"),
        ({"owner": "Omar"}, "owner", "unknown_field"),
        ({"score": 100}, "score", "unknown_field"),
        ({"rater_kind": ...}, "rater_kind", "missing"),
        ({"model": "omega-1"}, "model", "judge_field"),
        ({"round": 1.0}, "round", "not_whole_number"),
        ({"graded_at": "yesterday"}, "graded_at", "not_a_moment"),
        ({"graded_at": "2199-01-01T00:00:00Z"}, "graded_at", "in_future"),
        ({"graded_at": "2026-02-28T00:00:00Z"}, "graded_at", "before_freeze"),
        ({"varieties": ["ar-EG", "ar-EG"]}, "varieties", "not_tags"),
        ({"metadata": {"prompt_version": True}}, "metadata", "not_text"),
        ({"metadata": {"prompt_version": "grading\n3"}}, "metadata", "control_character"),
        ({"verdicts": verdicts(c1="pass")}, "verdicts", "missing_criterion"),
        ({"verdicts": verdicts(c1="pass", c2="pass", c3="pass")}, "verdicts[2].criterion", "unknown_criterion"),
        ({"verdicts": verdicts(c1="pass", c2="fail") + verdicts(c1="pass")}, "verdicts[2].criterion", "duplicate_id"),
        ({"verdicts": verdicts(c1="pass", c2="present")}, "verdicts[1].value", "verdict_misfits"),
        ({"verdicts": verdicts(c1="pass", c2="PASS")}, "verdicts[1].value", "not_a_choice"),
        ({"verdicts": [{"criterion": "c1", "value": True}]}, "verdicts[0].value", "not_a_choice"),
        ({"verdicts": [{"criterion": "c1", "value": 1}]}, "verdicts[0].value", "not_a_choice"),
        ({"verdicts": {"c1": "pass"}}, "verdicts", "not_list"),
        ({"negatives": [negative(weight=0)]}, "negatives[0].weight", "out_of_range"),
        ({"negatives": [negative(weight=5)]}, "negatives[0].weight", "out_of_range"),
        ({"negatives": [negative(weight=True)]}, "negatives[0].weight", "not_whole_number"),
        ({"negatives": [negative(failure_type="typo")]}, "negatives[0].failure_type", "unknown"),
        ({"negatives": [negative("c1")]}, "negatives[0].key", "duplicate_id"),
        ({"negatives": [negative(), negative(weight=-2)]}, "negatives[1].key", "duplicate_id"),
        ({"negatives": [negative(quote="الكباب")]}, "negatives[0].quote", "quote_absent"),
        ({"negatives": [negative(quote="الكشري")]}, "negatives[0].quote", "quote_ambiguous"),
        ({"negatives": [negative(quote="الكشري", occurrence=3)]}, "negatives[0].occurrence", "occurrence_absent"),
        ({"negatives": [negative(quote=..., occurrence=1)]}, "negatives[0].occurrence", "not_alone"),
        ({"negatives": [negative(start=0, end=3)]}, "negatives[0].quote", "quote_differs"),
        ({"negatives": [negative(start=0)]}, "negatives[0].end", "not_whole_number"),
        ({"negatives": [negative(start=4, end=4, quote=...)]}, "negatives[0].end", "empty"),
        ({"negatives": [negative(start=5, end=4, quote=...)]}, "negatives[0].end", "reversed"),
        ({"negatives": [negative(start=-1, end=4)]}, "negatives[0].start", "out_of_range"),
        ({"negatives": [negative(start=True, end=4)]}, "negatives[0].start", "not_whole_number"),
        ({"negatives": [negative(start=0.0, end=4)]}, "negatives[0].start", "not_whole_number"),
        ({"negatives": [negative(start=0, end=10**6, quote=...)]}, "negatives[0].end", "past_end"),
        ({"negatives": [negative(failure_type="omission")]}, "negatives[0].quote", "not_with_type"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_stored(project, changes, field, code):
    add_response(project, "fine", "كلام", "ar-EG")
    stored(project, "rubrics", rubric_line(prompt_id="p-fine"))
    fine = grade_line(item="fine")
    assert refused(project, "grades", fine, grade_line(**changes)) == [(2, field, code)]


@pytest.mark.parametrize(("line", "code"), BYTES_THAT_ARE_NO_RECORD)
def test_bytes_that_are_no_record_are_named_by_line(project, line, code):
    problems = refused(project, "grades", grade_line(), line)
    assert [(at, found) for at, _field, found in problems] == [(2, code)]


def test_offsets_inside_a_surrogate_pair_or_a_written_character_are_refused(project):
    add_response(project, "emoji", "🍚 👩\u200d👧", "ar-EG")
    stored(project, "rubrics", rubric_line(prompt_id="p-emoji"))
    halved = grade_line(negative(start=1, end=3, quote=...), item="emoji", offset_unit="utf16")
    assert refused(project, "grades", halved) == [(1, "negatives[0].start", "mid_surrogate")]
    joined = grade_line(negative(start=2, end=3, quote=...), item="emoji")
    assert refused(project, "grades", joined) == [(1, "negatives[0].end", "mid_grapheme")]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (verdicts(c1="pass", c2="pass"), "missing_criterion"),
        (verdicts(c1="pass", c2="pass", n1="pass"), "verdict_misfits"),
        (verdicts(c1="pass", c2="pass", n2="absent"), "unknown_criterion"),
    ],
)
def test_a_judge_answers_exactly_what_it_is_asked(project, given, code):
    problems = refused(project, "grades", grade_line(negative()), judged(verdicts=given))
    assert {(line, found) for line, _field, found in problems} >= {(2, code)}


def test_a_grade_of_a_response_without_rubric_is_refused(project):
    add_response(project, "bare", "كلام", "ar-EG")
    assert refused(project, "grades", grade_line(item="bare")) == [(1, "version", "no_rubric")]


def test_there_is_one_first_grading_and_one_grade_a_rater(project):
    line = grade_line()
    assert refused(project, "grades", line, grade_line(rater="Hoda")) == [(2, "role", "second_reference")]
    assert (2, "item", "already_there") in refused(project, "grades", line, line)
    stored(project, "grades", line)
    stored(project, "grades", grade_line(rater="Hoda", role="regrade"))
    other = grade_line(comment="Another word.")
    assert {code for _line, _field, code in refused(project, "grades", other)} == {"already_there", "second_reference"}


def test_a_grading_is_no_question_before_the_first_one(project):
    assert refused(project, "grades", judged(), grade_line(negative())) == [(1, "role", "no_reference")]


def test_what_depends_on_a_faulty_first_grading_is_not_called_wrong(project):
    faulty = grade_line(negative(quote="الكباب"))
    assert refused(project, "grades", faulty, judged()) == [(1, "negatives[0].quote", "quote_absent")]


def test_an_error_has_a_key_of_its_own_in_its_rubric(project):
    stored(project, "grades", grade_line(negative()))
    line = grade_line(negative(), rater="Hoda", role="calibration")
    assert refused(project, "grades", line) == [(1, "negatives[0].key", "duplicate_id")]


def test_grades_stay_with_the_version_they_were_given_under(project):
    stored(project, "rubrics", rubric_line(criterion("d1", 7), version=2))
    stored(project, "grades", grade_line(version=1), grade_line(verdicts=verdicts(d1="pass")))
    assert set(Grade.objects.values_list("rubric__version", "raw", "maximum")) == {(1, 10, 15), (2, 7, 7)}


def test_checking_stores_nothing(project):
    outcome = bring(project, "grades", grade_line(negative()), dry_run=True)
    assert outcome.is_clean
    assert outcome.counts["grades"] == 1
    assert not Grade.objects.exists()


def test_many_grades_cost_as_many_statements_as_few(project, koshari):
    def responses(count: int, name: str) -> list[str]:
        keys = [f"{name}-{number}" for number in range(count)]
        for key in keys:
            add_response(project, key, EGYPTIAN, "ar-EG")
        stored(project, "rubrics", *(rubric_line(prompt_id=f"p-{key}") for key in keys))
        return keys

    def statements(keys: list[str]) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            lines = [grade_line(negative(), item=key) for key in keys]
            stored(project, "grades", *lines, *(judged(item=key) for key in keys))
        # On SQLite rows are inserted by one statement repeated; each repetition is logged.
        return len({query["sql"].split("VALUES")[0] for query in captured})

    few, many = responses(2, "few"), responses(40, "many")
    assert statements(many) <= statements(few) + 5


def test_a_members_imported_grade_is_their_turn_done(project, koshari, mona, karim):
    stage = Stage.objects.create(project=project, kind="scoring", name="Scoring", position=2, overlap=1)
    plan_items(stage)
    stored(project, "grades", grade_line(negative(), rater="Mona Adel", graded_at="2026-03-05T08:00:00Z"))
    turn = Assignment.objects.get(stage=stage)
    assert (turn.rater.user, turn.status, turn.response) == (mona, "submitted", koshari)
    assert turn.submitted_at.isoformat() == "2026-03-05T08:00:00+00:00"
    assert Grade.objects.get().assignment == turn
    assert claim_next(Rater.objects.get(user=karim), stage) is None, "its one slot is taken"
