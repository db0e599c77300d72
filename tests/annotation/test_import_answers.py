"""Nour brings in what people and judges marked elsewhere: spans, reviews, groups, classifications."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.importing.imported_answers import assign_imported_markings
from annotation.models import Classification, ErrorGroup, GoldError, Marking, Review, Span
from annotation.reviews.planning import reviewed_spans
from formats.importing.running import run_import
from formats.reading import Source
from projects.models import Import, Rater, Response
from tests.people import EGYPTIAN, add_response, signed_in
from tests.preset_parts import add_stages, add_taxonomy
from workflow.claims import claim_next
from workflow.models import Assignment, Stage
from workflow.planning import plan_items

KOSHARI_START = EGYPTIAN.index("الكشري كل يوم")


def spans_line(*spans: dict, **changes) -> dict:
    line = {"kind": "spans", "item": "koshari", "rater": "Salma", "rater_kind": "human", "spans": list(spans)}
    return {**line, **changes}


def span(key: object = "s1", **changes) -> dict:
    full = {"id": key, "quote": "على السحور", "type": "cultural", "criticality": "high", "explanation": "غلط"}
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}


def reviews_line(*reviews: dict, **changes) -> dict:
    line = {"kind": "reviews", "item": "koshari", "rater": "Amal", "rater_kind": "human", "reviews": list(reviews)}
    return {**line, **changes}


JUDGE = {"rater": "Judge", "rater_kind": "judge", "model": "judge-1", "laboratory": "Omega"}


def bring(project, *lines: dict, **options):
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    return run_import(project, Source(io.BytesIO(content)), "answers", **options)


def stored(project, *lines: dict):
    outcome = bring(project, *lines)
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    return outcome.counts


def refused(project, *lines: dict) -> list[tuple]:
    """(line, field, code) of every problem; nothing was stored."""
    tables = (Marking, Span, Review, ErrorGroup, Classification, Rater)
    before = [table.objects.count() for table in tables]
    outcome = bring(project, *lines)
    assert not outcome.is_stored
    assert before == [table.objects.count() for table in tables]
    return [(problem.line, problem.field, problem.code) for problem in outcome.problems]


@pytest.fixture(autouse=True)
def taxonomy(project):
    add_taxonomy(project)


# --- Spans ---


def test_spans_are_stored_with_all_they_say(project, koshari):
    by_offsets = span("s2", start=0, end=6, quote="الكشري", correction="x", penalty=2.5, metadata={"row": 7})
    omission = span("s3", anchor="paragraph", paragraph=1, quote=...)
    missing = span("s4", anchor="response", quote=..., category="cultural-inaccuracy")
    counts = stored(project, spans_line(span(), by_offsets, omission, missing, metadata={"study": "pilot"}))
    assert (counts["answers"], counts["spans"], counts["new raters"]) == (1, 4, 1)
    marking = Marking.objects.get()
    assert (marking.rater.name, marking.rater.user, marking.round) == ("Salma", None, 1)
    assert marking.metadata == {"study": "pilot"}
    first, second, third, fourth = Span.objects.order_by("key")
    assert koshari.text[first.start : first.end] == first.quote == "على السحور"
    assert (second.start, second.end, second.penalty, second.metadata) == (0, 6, 2.5, {"row": 7})
    assert (third.anchor, third.paragraph, third.start) == ("paragraph", 1, None)
    assert (fourth.anchor, fourth.category.slug) == ("response", "cultural-inaccuracy")


def test_that_there_are_no_errors_is_said_explicitly(project, koshari):
    stored(project, spans_line(no_errors=True))
    assert Marking.objects.get().no_errors
    assert refused(project, spans_line(rater="B")) == [(1, "spans", "nothing")]
    assert refused(project, spans_line(span(), rater="B", no_errors=True)) == [(1, "no_errors", "contradiction")]


def test_a_member_of_the_same_name_is_the_rater(project, koshari, mona):
    stored(project, spans_line(span(), rater="Mona Adel"))
    assert Marking.objects.get().rater.user == mona


def test_utf16_offsets_are_converted(project):
    text = "🍚🍚 أرز كتير"
    add_response(project, "rice", text, "ar-EG")
    stored(project, spans_line(span(start=5, end=8, quote="أرز"), item="rice", offset_unit="utf16"))
    assert (Span.objects.get().start, Span.objects.get().end) == (3, 6)
    half = span("s2", start=1, end=8, quote=...)
    assert refused(project, spans_line(half, item="rice", rater="B", offset_unit="utf16")) == [
        (1, "spans[0].start", "mid_surrogate")
    ]


BAD_SPANS = [
    (span(quote="not there"), "spans[0].quote", "quote_absent"),
    (span(quote="الكشري"), "spans[0].quote", "quote_ambiguous"),
    (span(quote="الكشري", occurrence=9), "spans[0].occurrence", "occurrence_absent"),
    (span(start=0, end=5, quote="الكشري"), "spans[0].quote", "quote_differs"),
    (span(start=5, end=5, quote=...), "spans[0].end", "empty"),
    (span(start=5, end=2, quote=...), "spans[0].end", "reversed"),
    (span(start=-1, end=2, quote=...), "spans[0].start", "negative"),
    (span(start=0, end=10**6, quote=...), "spans[0].end", "past_end"),
    (span(start=0.0, end=5, quote=...), "spans[0].start", "not_whole_number"),
    (span(start=True, end=5, quote=...), "spans[0].start", "not_whole_number"),
    (span(type="spelling"), "spans[0].type", "unknown"),
    (span(category="no-such"), "spans[0].category", "unknown"),
    (span(owner="omar"), "spans[0].owner", "unknown_field"),
    (span(anchor="paragraph", paragraph=9, quote=...), "spans[0].paragraph", "past_end"),
    (span(key=7), "spans[0].id", "required"),
]


@pytest.mark.parametrize(("bad", "field", "code"), BAD_SPANS)
def test_a_faulty_span_is_named_and_nothing_is_stored(project, koshari, boishakh, bad, field, code):
    good = spans_line(span(quote="ইলিশ মাছ"), item="boishakh")
    assert refused(project, good, spans_line(bad)) == [(2, field, code)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [("a👩🏽‍🍳b", 1, 2), ("🇪🇬🇮🇶", 0, 1), ("ক্ষ ত", 0, 1), ("e\u0301x", 0, 1), ("บ้าน", 0, 1), ("❤️x", 0, 1)],
)
def test_no_span_cuts_a_written_character(project, text, start, end):
    add_response(project, "r", text, "en-US")
    problems = refused(project, spans_line(span(start=start, end=end, quote=...), item="r"))
    assert [code for _line, _field, code in problems] == ["mid_grapheme"]


def test_ids_are_unique_in_their_response_and_marks_in_their_answer(project, koshari):
    twice = spans_line(span("s1"), span("s1", quote="وده تقليد"))
    assert refused(project, twice) == [(1, "spans[1].id", "duplicate_id")]
    assert refused(project, spans_line(span("s1")), spans_line(span("s1"), rater="B")) == [
        (2, "spans[0].id", "duplicate_id")
    ]
    assert refused(project, spans_line(span("s1"), span("s2"))) == [(1, "spans[1]", "repeated")]


def test_an_answer_comes_once(project, koshari):
    line = spans_line(span())
    assert refused(project, line, spans_line(span("s2"))) == [(2, "item", "already_there")]
    stored(project, line)
    stored(project, spans_line(span("s2"), round=2))


def test_items_of_other_projects_do_not_exist_here(project, other_project, koshari):
    add_response(other_project, "theirs", "A text.", "en-US")
    assert refused(project, spans_line(span(), item="theirs")) == [(1, "item", "unknown_item")]


BAD_LINES = [
    ({"kind": "opinions", "item": "koshari"}, "kind", "not_a_choice"),
    ({"item": "koshari"}, "kind", "missing"),
    (spans_line(span(), rater=None), "rater", "missing"),
    (spans_line(span(), rater_kind="robot"), "rater_kind", "not_a_choice"),
    (spans_line(span(), role="lead"), "role", "unknown_field"),
    (spans_line(span(), round=True), "round", "not_whole_number"),
    (spans_line(span(), round=0), "round", "out_of_range"),
    (spans_line(span(), no_errors=0), "no_errors", "not_boolean"),
    (spans_line(span(), model="m"), "model", "judge_field"),
    ({**spans_line(), "spans": {}}, "spans", "not_list"),
    ({**spans_line(), "spans": [1]}, "spans", "not_object"),
    (spans_line(*[span(str(number)) for number in range(501)]), "spans", "too_many"),
]


@pytest.mark.parametrize(("line", "field", "code"), BAD_LINES)
def test_a_faulty_line_is_named(project, koshari, line, field, code):
    assert refused(project, line) == [(1, field, code)]


# --- Judges ---


def test_a_judge_comes_with_its_model_and_laboratory(project, koshari):
    stored(project, spans_line(span(), **JUDGE, simulated=True))
    judge = Rater.objects.get(kind="judge")
    assert (judge.model, judge.laboratory.slug, judge.is_simulated) == ("judge-1", "omega", True)
    stored(project, spans_line(span("s2"), rater="Judge", rater_kind="judge", round=2))
    assert refused(project, spans_line(span("s3"), **{**JUDGE, "laboratory": "Sigma"}, round=3)) == [
        (1, "laboratory", "judge_differs")
    ]


def test_a_new_judge_without_its_laboratory_is_refused(project, koshari):
    assert refused(project, spans_line(span(), rater="Judge", rater_kind="judge", model="m")) == [
        (1, "laboratory", "missing")
    ]


@pytest.mark.parametrize("laboratory", ["delta-lab", "Delta Lab"])
def test_what_a_judge_says_of_its_own_laboratorys_text_is_counted_and_goes_to_nobody(project, koshari, laboratory):
    """A study that asked judges about their own comes in whole: such spans are neither reviewed nor gold, even where
    people of that study kept them."""
    own = {**JUDGE, "laboratory": laboratory}
    lines = (
        spans_line(span("s1"), span("s2", start=4, end=9, quote=koshari.text[4:9]), **own),
        spans_line(span("s3")),
        reviews_line({"span": "s1", "verdict": "keep"}, rater="B"),
        reviews_line({"span": "s3", "verdict": "keep"}, rater="B"),
        reviews_line({"span": "s3", "verdict": "keep"}, **own),
    )
    told = bring(project, *lines, dry_run=True)
    assert told.counts["own laboratory"] == 2
    assert "2 answers of judges about models of their own laboratory, which figures leave out" in told.counted
    assert stored(project, *lines)["own laboratory"] == 2
    assert dict(Marking.objects.values_list("rater__kind", "is_evaluation")) == {"human": False, "judge": True}
    assert set(reviewed_spans().values_list("key", flat=True)) == {"s3"}
    assert not GoldError.objects.filter(key__in=("s1", "s2")).exists()
    stored(project, *lines)
    assert Import.objects.count() == 1, "the same file again changes nothing"


# --- Reviews ---


def test_reviews_carry_verdicts_and_corrections(project, koshari):
    correct = {
        "span": "s1",
        "verdict": "correct",
        "comment": "شوية",
        "quote": "الناس بتاكل",
        "type": "both",
        "category": "cultural-inaccuracy",
        "criticality": "low",
        "explanation": "e",
        "correction": "c",
    }
    stored(
        project, spans_line(span()), reviews_line(correct), reviews_line({"span": "s1", "verdict": "keep"}, rater="B")
    )
    review = Review.objects.get(verdict="correct")
    assert koshari.text[review.start : review.end] == review.quote == "الناس بتاكل"
    assert (review.error_type, review.category.slug, review.criticality) == ("both", "cultural-inaccuracy", "low")
    assert (review.comment, review.explanation, review.correction) == ("شوية", "e", "c")


def test_nobody_reviews_a_span_of_their_own(project, koshari):
    own = reviews_line({"span": "s1", "verdict": "keep"}, rater="Salma")
    assert refused(project, spans_line(span()), own) == [(2, "reviews[0].span", "own_span")]


BAD_REVIEWS = [
    ({"span": "s9", "verdict": "keep"}, "reviews[0].span", "unknown_span"),
    ({"span": "s1", "verdict": "agree"}, "reviews[0].verdict", "not_a_choice"),
    ({"span": "s1"}, "reviews[0].verdict", "missing"),
    ({"span": "s1", "verdict": "keep", "type": "both"}, "reviews[0].type", "not_with_verdict"),
    ({"span": "s1", "verdict": "correct", "quote": "nowhere"}, "reviews[0].quote", "quote_absent"),
    ({"span": "s1", "verdict": "correct", "start": 3}, "reviews[0].end", "not_whole_number"),
    ({"span": "s1", "verdict": "correct", "category": "none"}, "reviews[0].category", "unknown"),
    ({"span": "s1", "verdict": "keep", "rater": "x"}, "reviews[0].rater", "unknown_field"),
]


@pytest.mark.parametrize(("review", "field", "code"), BAD_REVIEWS)
def test_a_faulty_review_is_named(project, koshari, review, field, code):
    assert refused(project, spans_line(span()), reviews_line(review)) == [(2, field, code)]


def test_a_review_stands_after_its_span_and_once(project, koshari):
    keep = reviews_line({"span": "s1", "verdict": "keep"})
    assert refused(project, keep, spans_line(span())) == [(1, "reviews[0].span", "unknown_span")]
    assert refused(project, spans_line(span()), keep, keep) == [(3, "reviews[0].span", "already_there")]


def test_gold_follows_from_what_came_in(project, koshari):
    add_stages(project)
    stored(
        project,
        spans_line(span()),
        spans_line(span("s2", quote="وده تقليد"), rater="B"),
        reviews_line({"span": "s1", "verdict": "keep"}, rater="B"),
        reviews_line({"span": "s2", "verdict": "reject"}, rater="Salma"),
    )
    assert list(GoldError.objects.values_list("key", flat=True)) == ["s1"]


# --- Groups and classifications ---


def test_groups_join_spans_of_one_issue(project, koshari):
    lines = [spans_line(span("s1")), spans_line(span("s2"), rater="B"), spans_line(span("s3"), rater="C")]
    group = {"kind": "groups", "item": "koshari", "groups": [["s1", "s2"]]}
    stored(project, *lines, group)
    assert set(Span.objects.filter(group__key="s1").values_list("key", flat=True)) == {"s1", "s2"}
    assert refused(project, {**group, "groups": [["s2", "s3"]]}) == [(1, "groups[0]", "already_there")]
    assert refused(project, {**group, "groups": [["s3"]]}) == [(1, "groups[0]", "too_few")]
    assert refused(project, {**group, "groups": [["s3", "s3"]]}) == [(1, "groups[0]", "repeated")]
    assert refused(project, {**group, "groups": [["s3", "s9"]]}) == [(1, "groups[0]", "unknown_span")]
    assert refused(project, {**group, "groups": ["s3"]}) == [(1, "groups", "not_list")]


def test_classifications_name_coder_and_category(project, koshari):
    line = {
        "kind": "classifications",
        "item": "koshari",
        "rater": "Coder",
        "classifications": [{"span": "s1", "category": "cultural-inaccuracy"}],
    }
    stored(project, spans_line(span()), line)
    row = Classification.objects.get()
    assert (row.rater.name, row.category.slug) == ("Coder", "cultural-inaccuracy")
    other = {**line, "rater": "B", "classifications": [{"span": "s1", "category": "none"}]}
    assert refused(project, other) == [(1, "classifications[0].category", "unknown")]


# --- Whole files ---


def test_hundreds_of_answers_cost_few_queries(project, django_assert_max_num_queries):
    for number in range(30):
        add_response(project, f"r{number}", EGYPTIAN, "ar-EG")
    lines = [
        spans_line(span(f"{rater}{index}", start=index, end=index + 6, quote=...), item=f"r{number}", rater=rater)
        for number in range(30)
        for rater in ("A", "B")
        for index in [KOSHARI_START]
    ]
    with django_assert_max_num_queries(60):
        stored(project, *lines)


def test_a_dry_run_of_answers_stores_nothing(project, koshari):
    outcome = bring(project, spans_line(span()), dry_run=True)
    assert outcome.counts["spans"] == 1
    assert not Marking.objects.exists()
    assert not Rater.objects.exists()


def test_the_command_imports_answers_and_names_faults(project, koshari, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(spans_line(span(quote="nowhere"))))
    err = io.StringIO()
    with pytest.raises(CommandError, match="nothing was stored"):
        call_command("import_answers", "feasts", str(path), quiet=True, stderr=err)
    assert "line 1, spans[0].quote: The quote does not occur in the text." in err.getvalue()
    path.write_text(json.dumps(spans_line(span())))
    call_command("import_answers", "feasts", str(path), quiet=True)
    assert Span.objects.count() == 1


def test_the_spans_of_a_table_stand_in_one_cell(project, koshari):
    cell = json.dumps([{"id": "s1", "quote": koshari.text.split()[0], "occurrence": 1}], ensure_ascii=False)
    header = ["kind", "item", "rater", "rater_kind", "spans"]
    written = io.StringIO()
    csv.writer(written).writerows([header, ["spans", "koshari", "Salma", "human", cell]])
    outcome = run_import(project, Source(io.BytesIO(written.getvalue().encode())), "answers", "csv")
    assert outcome.problems == []
    assert Span.objects.get().key == "s1"


def test_what_a_member_marked_elsewhere_is_not_handed_to_them_again(project, koshari, mona, karim):
    add_stages(project)
    marking_stage = Stage.objects.get(project=project, kind="spans")
    stored(project, spans_line(span(), rater="Mona Adel"))
    plan_items(marking_stage)
    assert claim_next(mona.raters.get(), marking_stage) is None
    assert assign_imported_markings(marking_stage) == 1
    assert assign_imported_markings(marking_stage) == 0
    done = Assignment.objects.get()
    assert (done.status, done.rater.user, done.marking) == ("submitted", mona, Marking.objects.get())
    item = marking_stage.items.get()
    assert (item.slots, item.open_slots) == (2, 1)
    assert claim_next(karim.raters.get(), marking_stage).item == item


def test_the_page_takes_answers(project, koshari, nour):
    from django.core.files.uploadedfile import SimpleUploadedFile

    file = SimpleUploadedFile("answers.jsonl", json.dumps(spans_line(span())).encode())
    assert signed_in(nour).post("/p/feasts/import/", {"kind": "answers", "file": file}).status_code == 200
    assert Span.objects.count() == 1


SCRAPS: st.SearchStrategy[object] = st.sampled_from(
    ["على السحور", "الكشري", "👩🏽‍🍳", "", "x" * 70, None, 0, -1, 3, 10**9, 1.5, True, [], {}]
)


@pytest.mark.django_db(transaction=False)
@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["id", "anchor", "start", "end", "quote", "occurrence", "paragraph", "type", "extra"]),
            SCRAPS,
        ),
        min_size=1,
        max_size=3,
    )
)
def test_whatever_stands_in_a_span_nothing_improper_is_stored(spans):
    from projects.models import Project

    project, _created = Project.objects.get_or_create(slug="scraps", name="Scraps")
    if not Response.objects.filter(project=project).exists():
        add_response(project, "koshari", EGYPTIAN, "ar-EG")
    Marking.objects.all().delete()
    outcome = bring(project, {**spans_line(), "spans": spans})
    for row in Span.objects.all():
        assert row.anchor != "words" or EGYPTIAN[row.start : row.end] == row.quote
    assert Span.objects.count() == (len(spans) if outcome.is_stored else 0)
