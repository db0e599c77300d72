"""A reviewer keeps, rejects, corrects; all spans are decided before the answer counts; amending replaces it."""

import pytest

from annotation.models import ErrorCategory, Review
from annotation.reviews.blinding import by_blind_key
from annotation.reviews.task import AnnotatorReviews
from projects.problems import Invalid
from tests.annotation.marked import mark
from workflow.models import Assignment, Stage

pytestmark = pytest.mark.django_db
SUHOOR, PHARAOHS = "على السحور", "أيام الفراعنة"
TASK = AnnotatorReviews()


@pytest.fixture
def turn(project, koshari, mona, karim) -> Assignment:
    """Karim's turn at two spans of Mona."""
    stage = Stage.objects.create(project=project, kind="reviews", name="Reviews")
    mark(koshari, mona, SUHOOR, PHARAOHS)
    mark(koshari, karim)
    TASK.plan(stage)
    return Assignment.objects.select_related("stage", "item__response__variety").get(stage=stage)


def key_of(turn: Assignment, quote: str) -> str:
    return next(key for key, span in by_blind_key(turn).items() if span.quote == quote)


def body_of(turn: Assignment, **verdicts) -> dict:
    """`suhoor` and `pharaohs` are a verdict, or the fields of a review."""
    quotes = {"suhoor": SUHOOR, "pharaohs": PHARAOHS}
    return {
        "reviews": [
            {"span": key_of(turn, quotes[name]), **({"verdict": given} if isinstance(given, str) else given)}
            for name, given in verdicts.items()
        ]
    }


def problems(call, turn: Assignment, body: object) -> list[tuple[str, str, str | None]]:
    with pytest.raises(Invalid) as refused:
        call(turn, body)
    return [(problem.code, problem.field, problem.span) for problem in refused.value.problems]


def test_verdicts_are_stored_with_their_comments(turn):
    body = body_of(turn, suhoor={"verdict": "reject", "comment": " كلام صح "}, pharaohs="keep")
    TASK.store(turn, TASK.check_answer(turn, body))
    stored = Review.objects.order_by("span__start").values_list("span__quote", "verdict", "comment", "round")
    assert list(stored) == [(SUHOOR, "reject", "كلام صح", 1), (PHARAOHS, "keep", "", 1)]


def test_a_correction_keeps_only_what_differs(turn, project):
    category = ErrorCategory.objects.create(project=project, slug="incoherence", name="Incoherence")
    text = turn.item.response.text
    start = text.index("السحور")
    given = {
        "verdict": "correct",
        "start": start,
        "end": start + 6,
        "quote": "السحور",
        "type": "cultural",  # as marked
        "category": "incoherence",
        "criticality": "low",
        "explanation": f"about {SUHOOR}",  # as marked
        "correction": "على الفطار",
    }
    TASK.store(turn, TASK.check_answer(turn, body_of(turn, suhoor=given, pharaohs="keep")))
    review = Review.objects.get(verdict="correct")
    assert (review.start, review.end, review.quote) == (start, start + 6, "السحور")
    assert (review.error_type, review.explanation) == ("", "")
    assert (review.category, review.criticality, review.correction) == (category, "low", "على الفطار")


def test_what_was_written_for_a_correction_counts_with_that_verdict_alone(turn):
    given = {"verdict": "keep", "criticality": "low"}
    TASK.store(turn, TASK.check_answer(turn, body_of(turn, suhoor=given, pharaohs="keep")))
    assert not Review.objects.exclude(criticality="").exists()


def test_every_span_must_be_decided(turn):
    body = body_of(turn, suhoor="keep", pharaohs="")
    assert TASK.check_draft(turn, body) == body, "a draft may be unfinished"
    assert problems(TASK.check_answer, turn, body) == [("required", "verdict", key_of(turn, PHARAOHS))]
    assert problems(TASK.check_answer, turn, body_of(turn, suhoor="keep")) == [
        ("required", "verdict", key_of(turn, PHARAOHS))
    ]


def test_a_correction_must_correct_something(turn):
    body = body_of(turn, suhoor={"verdict": "correct", "criticality": "high"}, pharaohs="keep")
    assert problems(TASK.check_answer, turn, body) == [("nothing_corrected", "verdict", key_of(turn, SUHOOR))]


def test_new_boundaries_lie_in_the_text_and_agree_with_their_quote(turn):
    def codes(**fields):
        body = body_of(turn, suhoor={"verdict": "correct", **fields}, pharaohs="keep")
        return [code for code, _field, _span in problems(TASK.check_draft, turn, body)]

    assert codes(start=0, end=4, quote="xxxx") == ["quote_differs"]
    assert codes(start=4, end=4) == ["empty"]
    assert codes(start=9, end=4) == ["reversed"]
    assert codes(start=0, end=10**6) == ["past_end"]
    assert codes(start=True, end=4) == ["not_whole_number"]
    assert codes(start=0) == ["not_whole_number"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (None, "not_reviews"),
        ({}, "not_reviews"),
        ({"reviews": {}}, "not_reviews"),
        ({"reviews": [], "extra": 1}, "not_reviews"),
        ({"reviews": ["keep"]}, "unknown_span"),
        ({"reviews": [{"span": "nobody's", "verdict": "keep"}]}, "unknown_span"),
        ({"reviews": [{"span": 7, "verdict": "keep"}]}, "unknown_span"),
    ],
)
def test_what_is_no_draft_is_refused(turn, body, code):
    assert problems(TASK.check_draft, turn, body)[0][0] == code


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"verdict": "maybe"}, "unknown"),
        ({"verdict": ["keep"]}, "unknown"),
        ({"verdict": "keep", "comment": 5}, "not_text"),
        ({"verdict": "keep", "comment": "x" * 10_001}, "too_long"),
        ({"verdict": "keep", "comment": "\0"}, "unstorable"),
        ({"verdict": "correct", "type": "typo"}, "unknown"),
        ({"verdict": "correct", "category": "of-another-project"}, "unknown"),
        ({"verdict": "keep", "rater": "Mona"}, "unknown_field"),
    ],
)
def test_a_malformed_review_is_refused_with_its_span(turn, fields, code):
    [(found, _field, span)] = problems(TASK.check_draft, turn, body_of(turn, suhoor=fields))
    assert (found, span) == (code, key_of(turn, SUHOOR))


def test_a_span_reviewed_twice_is_refused(turn):
    body = {"reviews": body_of(turn, suhoor="keep")["reviews"] * 2}
    assert [code for code, _field, _span in problems(TASK.check_draft, turn, body)] == ["repeated"]


def test_an_amended_answer_takes_the_place_of_the_first(turn):
    TASK.store(turn, TASK.check_answer(turn, body_of(turn, suhoor="keep", pharaohs="keep")))
    stored = TASK.stored(turn)
    body = TASK.reopen(turn)
    assert body == stored
    assert not Review.objects.exists()
    for review in body["reviews"]:
        review["verdict"] = "reject"
    TASK.store(turn, TASK.check_answer(turn, body))
    assert list(Review.objects.values_list("verdict", flat=True)) == ["reject", "reject"]


def test_an_answer_an_expert_has_built_on_stays(turn, hana, project):
    from annotation.models import Adjudication
    from tests.annotation.marked import rater_of

    TASK.store(turn, TASK.check_answer(turn, body_of(turn, suhoor="keep", pharaohs="differs")))
    assert TASK.may_amend(turn)
    span = Review.objects.get(verdict="differs").span
    Adjudication.objects.create(span=span, rater=rater_of(hana, project), is_kept=True)
    assert not TASK.may_amend(turn)
