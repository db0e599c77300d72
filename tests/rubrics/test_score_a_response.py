"""Ali scores an Iraqi response against its frozen rubric: passes and fails, an error he found, and what it comes to."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from projects.anchors import check_anchor
from projects.models import Project, Rater
from projects.problems import Invalid
from rubrics.models import Criterion, Grade, Verdict
from rubrics.scoring.checking import check_complete, check_draft
from rubrics.scoring.storing import GradeData, Incomplete, VerdictData, store_grades
from tests.people import add_response, signed_in
from tests.preset_parts import words_of
from tests.rubrics.grading import (
    BANKNOTES,
    KINGS_DAYS,
    banknotes,
    grade_body,
    iraqi_annotator,
    iraqi_author,
    negative,
    stage_of,
    turn_of,
)
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project
from tests.workflow.working import put_draft, submit
from workflow.claims import claim_next
from workflow.models import WorkItem
from workflow.reassignment import may_amend

TYPES = words_of("rubrics").failure_types


@pytest.fixture
def zainab(db, project) -> Rater:
    return iraqi_author(project)


@pytest.fixture
def ali(project):
    return iraqi_annotator(project)


@pytest.fixture
def response(project, zainab):
    return banknotes(project, zainab)[0]


@pytest.fixture
def turn(project, response, ali):
    return turn_of(ali, stage_of(project, "scoring"))


# --- What is not told ------


def test_no_list_of_his_work_names_the_model_by_the_key_of_its_response(project, zainab, ali):
    """Collected responses are called by prompt and model; those who grade them blind read the prompt's key alone."""
    response, _rubric = banknotes(project, zainab, key="ar-IQ-001-muse-spark")
    turn = turn_of(ali, stage_of(project, "scoring"))
    page = signed_in(ali).get(f"/p/{project.slug}/my-work/").content.decode()
    screen = signed_in(ali).get(f"/tasks/{turn.uuid}/").content.decode()
    assert response.prompt.key in page
    assert "muse-spark" not in page.replace(response.prompt.key, "").replace(response.prompt.text, "")
    assert "muse-spark" not in screen.replace(response.prompt.key, "").replace(response.prompt.text, "")


# --- What is handed out -------------------------------------------------------------------------------


def test_a_response_is_handed_out_only_when_its_rubric_is_frozen(project, zainab, ali):
    make_rubrics_project(project)
    response = add_response(project, "banknotes", BANKNOTES, "ar-IQ")
    stage = stage_of(project, "scoring")
    assert claim_next(Rater.objects.get(user=ali), stage) is None

    frozen_rubric(response.prompt, zainab)
    stage = stage_of(project, "scoring", name="Scoring again")
    assert turn_of(ali, stage).item.response == response


def test_nobody_scores_a_response_they_have_graded_elsewhere(project, zainab, ali):
    response, rubric = banknotes(project, zainab)
    graded(response, Rater.objects.get(user=ali), rubric, ["c1"])
    assert claim_next(Rater.objects.get(user=ali), stage_of(project, "scoring")) is None


def test_a_turn_keeps_the_version_it_was_begun_with(project, response, ali, turn, zainab):
    """A version frozen while Ali is at work asks other people, not him."""
    first = response.prompt.rubrics.get()
    second = frozen_rubric(response.prompt, zainab, weights=(20, 17), version=2)
    saved = submit(signed_in(ali), turn, 0, grade_body(("c1",)))
    assert saved.status_code == 200, saved.content
    assert Grade.objects.get().rubric == first

    fatima = iraqi_annotator(project, "fatima@example.org", "Fatima Ali")
    later = turn_of(fatima, stage_of(project, "scoring", name="Scoring again"))
    assert submit(signed_in(fatima), later, 0, grade_body(("c1",), asked=2)).status_code == 200
    assert list(Grade.objects.order_by("pk").values_list("rubric", "role")) == [
        (first.pk, "reference"),
        (second.pk, "reference"),
    ]


# --- What is stored -----------------------------------------------------------------------------------


def test_verdicts_and_errors_make_the_score(ali, response, turn):
    """c1 passes (10 of 37), the invented king takes 7, a missing note 4: -1 of 37 is -2.7 percent."""
    missing = negative("n2", failure_type="omission", weight=-4, text="ماكو ذكر للدفتر", explicitness="implicit")
    body = grade_body(("c1",), negative("n1", KINGS_DAYS), missing)
    assert submit(signed_in(ali), turn, 0, body).status_code == 200

    grade = Grade.objects.get()
    assert (grade.raw, grade.maximum, grade.role, grade.is_complete) == (-1, 37, "reference", True)
    assert grade.percent == pytest.approx(-2.70, abs=0.005)
    assert Verdict.objects.filter(grade=grade).count() == 7
    assert dict(grade.verdicts.values_list("criterion__key", "value")) == {
        **{"c1": "pass", "c2": "fail", "c3": "fail", "c4": "fail", "c5": "fail"},
        **{"n1": "present", "n2": "present"},
    }
    king = grade.negative_criteria.get(key="n1")
    assert response.text[king.start : king.end] == king.quote == KINGS_DAYS
    assert (king.weight, king.failure_type, king.position, king.response) == (-7, "hallucination", 1, response)
    omission = grade.negative_criteria.get(key="n2")
    assert (omission.start, omission.end, omission.quote) == (None, None, "")


def test_a_resend_stores_nothing_new(ali, turn):
    from uuid import uuid4

    key, body = uuid4(), grade_body(("c1",), negative())
    first, again = (submit(signed_in(ali), turn, 0, body, key) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["submitted_at"] == again.json()["submitted_at"]
    assert (Grade.objects.count(), Criterion.objects.filter(weight__lt=0).count()) == (1, 1)


def test_where_a_key_is_taken_the_error_gets_another(project, response, ali, turn):
    body = grade_body((), negative("c1"))  # the key of a positive criterion of this rubric
    assert submit(signed_in(ali), turn, 0, body).status_code == 200
    assert Criterion.objects.get(weight__lt=0).key not in ("c1", "")


def test_a_second_scorer_of_a_stage_grades_independently(project, response, ali):
    """There is one reference; where a stage asks for two people, the second is no reference and no regrade."""
    fatima = iraqi_annotator(project, "fatima@example.org", "Fatima Ali")
    stage = stage_of(project, "scoring", overlap=2)
    turns = {user: turn_of(user, stage) for user in (ali, fatima)}
    for user, turn in turns.items():
        page = signed_in(user).get(f"/tasks/{turn.uuid}/")
        assert [criterion["positive"] for criterion in page.context["task"]["criteria"]] == [True] * 5
        assert submit(signed_in(user), turn, 0, grade_body(("c1",), negative())).status_code == 200
    assert list(Grade.objects.order_by("pk").values_list("role", flat=True)) == ["reference", "calibration"]


def test_a_complete_grade_without_a_verdict_is_never_stored(response, zainab):
    """Whoever stores it: judges and imports go the same way and are asked the same."""
    rubric = response.prompt.rubrics.get()
    some = list(rubric.criteria.all()[:4])
    data = GradeData(response, rubric, zainab, "reference", [VerdictData(criterion, "pass") for criterion in some])
    with pytest.raises(Incomplete):
        store_grades([data])
    assert not Grade.objects.exists()


def test_storing_many_grades_asks_as_little_as_storing_one(project, zainab):
    made = [banknotes(project, zainab, f"banknotes-{number}") for number in range(30)]

    def data(response, rubric) -> GradeData:
        verdicts = [VerdictData(criterion, "pass") for criterion in rubric.criteria.all()]
        return GradeData(response, rubric, zainab, "reference", verdicts)

    batches = [[data(*made[0])], [data(*each) for each in made[1:]]]
    asked = []
    for batch in batches:
        with CaptureQueriesContext(connection) as queries:
            store_grades(batch)
        asked.append(sum(query["sql"].startswith("SELECT") for query in queries.captured_queries))
    assert asked[0] == asked[1]
    assert Grade.objects.filter(raw=37, maximum=37).count() == 30


# --- What is refused ----------------------------------------------------------------------------------

ASKED = {f"c{number}": True for number in range(1, 6)} | {"other-1": False}


def problems_of(body: object, asked: dict[str, bool] = ASKED) -> list[tuple[str, str, str | None]]:
    with pytest.raises(Invalid) as refused:
        check_complete(check_draft(body, BANKNOTES, TYPES), asked, TYPES)
    return [(problem.code, problem.field, problem.span) for problem in refused.value.problems]


def test_each_missing_verdict_is_named_in_the_order_of_the_screen():
    body = {"verdicts": {"c2": "pass", "c4": "fail"}, "negatives": [], "comment": ""}
    assert problems_of(body) == [("required", "verdict", key) for key in ("c1", "c3", "c5", "other-1")]


def test_a_verdict_fits_its_criterion_and_is_about_one_that_is_asked():
    body = grade_body(("c1",), verdicts={"c2": "present", "other-1": "pass", "c9": "fail"})
    assert problems_of(body) == [
        ("misfit", "verdict", "c2"),
        ("misfit", "verdict", "other-1"),
        ("unknown_criterion", "verdicts", "c9"),
    ]


@pytest.mark.parametrize("field", ["text", "weight", "failure_type", "objectivity", "explicitness"])
def test_an_error_says_all_that_it_must(field):
    body = grade_body((), negative(**{field: None}), verdicts={"other-1": "absent"})
    assert problems_of(body) == [("required", field, "n1")]


def test_what_is_missing_points_at_no_words():
    body = grade_body((), negative("n1", KINGS_DAYS, failure_type="omission"), verdicts={"other-1": "absent"})
    assert problems_of(body) == [("contradiction", "quote", "n1")]


def test_the_same_error_twice_is_named():
    body = grade_body((), negative("n1", KINGS_DAYS), negative("n2", KINGS_DAYS), verdicts={"other-1": "absent"})
    assert problems_of(body) == [("repeated", "text", "n2")]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"weight": 5}, ("out_of_range", "weight")),
        ({"weight": 0}, ("out_of_range", "weight")),
        ({"weight": -101}, ("out_of_range", "weight")),
        ({"weight": -2.5}, ("not_whole_number", "weight")),
        ({"weight": True}, ("not_whole_number", "weight")),
        ({"weight": "-5"}, ("not_whole_number", "weight")),
        ({"failure_type": "typo"}, ("unknown", "failure_type")),
        ({"objectivity": ["objective"]}, ("unknown", "objectivity")),
        ({"text": 5}, ("not_text", "text")),
        ({"text": "a\0b"}, ("unstorable", "text")),
        ({"text": "x" * 10_001}, ("too_long", "text")),
        ({"start": 3, "end": 3, "quote": ""}, ("empty", "end")),
        ({"start": 9, "end": 3, "quote": "x"}, ("reversed", "end")),
        ({"start": 0, "end": 9000, "quote": "x"}, ("past_end", "end")),
        ({"start": 0, "end": 4, "quote": "كلام"}, ("quote_differs", "quote")),
        ({"start": None, "end": None, "quote": "كلام"}, ("not_whole_number", "start")),
        ({"role": "reference"}, ("unknown_field", "role")),
    ],
)
def test_a_draft_is_well_formed_whatever_is_still_missing(changes, problem):
    with pytest.raises(Invalid) as refused:
        check_draft(grade_body((), negative(**changes)), BANKNOTES, TYPES)
    assert (refused.value.problems[0].code, refused.value.problems[0].field) == problem
    assert refused.value.problems[0].span == "n1"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ([], "not_an_object"),
        ({"verdicts": []}, "not_an_object"),
        ({"verdicts": {"c1": "PASS"}}, "unknown"),
        ({"verdicts": {"c1": None}}, "unknown"),
        ({"verdicts": {"": "pass"}}, "unknown_criterion"),
        ({"negatives": {}}, "not_a_list"),
        ({"negatives": [negative("")]}, "required"),
        ({"negatives": [negative("n1"), negative("n1")]}, "repeated"),
        ({"negatives": [negative(f"n{number}") for number in range(101)]}, "too_many"),
        ({"comment": 7}, "not_text"),
        ({"score": 100}, "unknown_field"),
    ],
)
def test_a_body_of_another_shape_is_refused(body, code):
    with pytest.raises(Invalid) as refused:
        check_draft(body, BANKNOTES, TYPES)
    assert refused.value.problems[0].code == code


def test_words_begin_and_end_between_written_characters():
    """The vowel mark belongs to its letter: half of it is no place to begin."""
    text = "يسمّوها"
    with pytest.raises(Invalid) as refused:
        check_draft(grade_body((), negative(start=2, end=3, quote=text[2:3])), text, TYPES)
    assert {problem.code for problem in refused.value.problems} == {"mid_grapheme"}


@settings(max_examples=60, deadline=None)
@given(start=st.integers(-2, 90), end=st.integers(-2, 90))
def test_a_place_is_kept_exactly_where_it_is_a_place(start, end):
    quote = BANKNOTES[max(start, 0) : max(end, 0)]
    try:
        check_anchor(BANKNOTES, start, end, quote)
        fits = True
    except Invalid:
        fits = False
    body = grade_body((), negative(start=start, end=end) | {"quote": quote})
    try:
        assert check_draft(body, BANKNOTES, TYPES)["negatives"][0]["quote"] == quote
        assert fits
    except Invalid:
        assert not fits


def test_an_unfinished_grade_is_kept_and_comes_back(ali, turn):
    started = {"verdicts": {"c1": "pass"}, "negatives": [negative(weight=None, text="")], "comment": "…"}
    assert put_draft(signed_in(ali), turn, 0, started).status_code == 200
    page = signed_in(ali).get(f"/tasks/{turn.uuid}/")
    assert page.context["task"]["draft"]["verdicts"] == {"c1": "pass"}
    assert page.context["task"]["draft"]["negatives"][0]["text"] == ""
    refused = submit(signed_in(ali), turn, 1, started)
    assert refused.status_code == 422
    assert not Grade.objects.exists()


# --- Amending and planning ----------------------------------------------------------------------------


def test_an_answer_comes_back_whole_for_amending(ali, turn):
    body = grade_body(("c2",), negative("n1", KINGS_DAYS), comment="شوف")
    submit(signed_in(ali), turn, 0, body)
    assert signed_in(ali).post(f"/tasks/{turn.uuid}/amend").status_code == 302
    turn.refresh_from_db()
    assert turn.draft.body == body
    assert not Grade.objects.exists()
    assert not Criterion.objects.filter(weight__lt=0).exists()
    assert submit(signed_in(ali), turn, turn.draft.version, grade_body(("c1",))).status_code == 200
    assert Grade.objects.get().raw == 10


def test_once_a_judge_has_graded_by_it_the_reference_stays(ali, turn, response, simba):
    submit(signed_in(ali), turn, 0, grade_body(("c1",)))
    turn.refresh_from_db()
    assert may_amend(turn)
    graded(response, simba, response.prompt.rubrics.get(), ["c1"], role="judge")
    assert not may_amend(turn)


def test_a_reference_grade_makes_the_response_ready_for_a_second_person(project, ali, turn):
    regrading = stage_of(project, "regrading")
    assert not WorkItem.objects.filter(stage=regrading).exists()
    submit(signed_in(ali), turn, 0, grade_body(("c1",)))
    assert WorkItem.objects.get(stage=regrading).open_slots == 1


# --- What the page says -------------------------------------------------------------------------------


def test_the_target_model_is_hidden_unless_the_project_shows_it(project, ali, turn, response):
    address = f"/tasks/{turn.uuid}/"
    assert "Nile-7B" not in signed_in(ali).get(address).content.decode()
    Project.objects.filter(pk=project.pk).update(show_target_model=True)
    assert "Nile-7B" in signed_in(ali).get(address).content.decode()


def test_a_save_asks_nothing_of_the_rubric(ali, turn):
    client = signed_in(ali)
    put_draft(client, turn, 0, grade_body())
    with CaptureQueriesContext(connection) as queries:
        assert put_draft(client, turn, 1, grade_body(("c1",), negative("n1", KINGS_DAYS))).status_code == 200
    assert not [query for query in queries.captured_queries if "rubrics_" in query["sql"]]


def test_the_page_costs_the_same_however_many_criteria_there_are(project, zainab, ali):
    costs = []
    for number, weights in enumerate([(5, 5), (3,) * 12]):
        response = add_response(project, f"notes-{number}", BANKNOTES, "ar-IQ")
        frozen_rubric(response.prompt, zainab, weights)
        turn = turn_of(ali, stage_of(project, "scoring", name=f"Scoring {number}"))
        client = signed_in(ali)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/tasks/{turn.uuid}/").status_code == 200
        costs.append(len(queries))
        submit(client, turn, 0, grade_body((), asked=len(weights)))
    assert costs[0] == costs[1]
