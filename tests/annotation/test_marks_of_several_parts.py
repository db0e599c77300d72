"""One error may lie in several places: a mark has further parts, in drafts, stored, taken back, in files."""

import orjson
import pytest
from django.db import DatabaseError, transaction
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Marking, Span, SpanPart
from annotation.spans.checking import as_raw, check_span
from annotation.spans.parts import Part, are_apart, in_order
from annotation.spans.storing import MarkingData, store_markings
from formats.importing.taking_back import take_back
from projects.models import Import
from projects.problems import Invalid
from projects.vocabularies import Vocabularies
from reports.frames import spans
from tests.annotation.test_import_answers import bring, refused, span, spans_line
from tests.people import EGYPTIAN, signed_in
from tests.workflow.working import body, mark, marking_stage, put_draft, submit
from workflow.claims import claim_next
from workflow.models import Draft
from workflow.task_types import task_type

TEXT = "He gave the 👨‍👩‍👧 idea, after all, up."
FAMILY = TEXT.index("👨")


def part(quote: str, text: str = TEXT, **changes) -> dict:
    start = text.index(quote)
    return {"start": start, "end": start + len(quote), "quote": quote, **changes}


def checked(*more: object, head: str = "gave", **changes):
    raw = {"id": "a", **part(head), "more": list(more), **changes}
    return check_span(TEXT, raw, {}, Vocabularies())


def problems(*more: object, **changes) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as found:
        checked(*more, **changes)
    return [(problem.field, problem.code) for problem in found.value.problems]


# --- What is a mark of several parts ---------------------------------------------------------------------


def test_the_first_words_of_the_text_are_the_mark_and_the_others_its_further_parts():
    given_in_reverse = checked(part("after"), part("gave"), head="up")
    assert (given_in_reverse.quote, [each.quote for each in given_in_reverse.more]) == ("gave", ["after", "up"])
    assert as_raw(given_in_reverse) == as_raw(checked(part("up"), part("after")))
    assert as_raw(given_in_reverse)["more"] == [part("after"), part("up")]


def test_a_mark_of_one_part_says_nothing_of_others():
    assert "more" not in as_raw(checked())
    assert "more" not in as_raw(checked(more=None))


def test_a_part_may_be_a_whole_picture_and_a_quote_with_its_occurrence():
    picture = {"start": FAMILY, "end": FAMILY + 5}
    span = checked(picture, {"quote": "a", "occurrence": 4})
    assert [each.quote for each in span.more] == ["👨‍👩‍👧", "a"]


@pytest.mark.parametrize(
    ("more", "field", "code"),
    [
        ([part("ave the")], "more", "overlapping"),
        ([part(" the")], "more", "overlapping"),
        ([part("gave")], "more", "overlapping"),
        ([part("up"), part("up")], "more", "overlapping"),
        ([{**part("up"), "quote": "at"}], "more[0].quote", "quote_differs"),
        ([part("up"), {"start": FAMILY, "end": FAMILY + 1}], "more[1].end", "mid_grapheme"),
        ([{"start": 5, "end": 5}], "more[0].end", "empty"),
        ([{"start": 0, "end": 10**5000}], "more[0].end", "past_end"),
        ([{"quote": "idea", "criticality": "high"}], "more[0].criticality", "unknown_field"),
        (["up"], "more[0]", "not_an_object"),
        ([{}], "more[0].quote", "empty"),
        ([part("up")] * 20, "more", "too_many"),
    ],
)
def test_a_part_that_is_not_good_is_refused_by_its_name(more, field, code):
    assert problems(*more) == [(field, code)]


def test_parts_are_a_list_and_what_is_missing_has_none():
    assert problems(more="up") == [("more", "not_a_list")]
    assert problems(more={"start": 1}) == [("more", "not_a_list")]
    missing = {"anchor": "response", "start": None, "end": None, "quote": "", "more": [part("up")]}
    with pytest.raises(Invalid) as found:
        check_span(TEXT, {"id": "a", **missing}, {}, Vocabularies())
    assert [(problem.field, problem.code) for problem in found.value.problems] == [("more", "not_with_anchor")]


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 6)), min_size=1, max_size=6), st.randoms())
def test_parts_are_apart_where_some_character_lies_between_any_two(places, shuffle):
    parts = [Part(start, start + length, "") for start, length in places]
    shuffle.shuffle(parts)
    # Each part with the character before it: where two share none of these, one lies between their words.
    reached = [place for start, end, _quote in parts for place in range(start - 1, end)]
    assert are_apart(in_order(parts)) == (len(reached) == len(set(reached)))


# --- Stored and taken back -------------------------------------------------------------------------------

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine(project, koshari, mona):
    return claim_next(mona.raters.get(), marking_stage(project))


def two_parts(koshari) -> dict:
    return {**mark(koshari, "الرز"), "more": [part("السحور", EGYPTIAN)]}


def test_a_mark_of_two_parts_is_saved_submitted_and_comes_back(mine, mona, koshari):
    client, draft = signed_in(mona), body(two_parts(koshari))
    version = put_draft(client, mine, 0, draft).json()["version"]
    assert Draft.objects.get().body["spans"][0]["more"] == [part("السحور", EGYPTIAN)]
    assert submit(client, mine, version, draft).status_code == 200
    assert [(each.span.quote, each.quote) for each in SpanPart.objects.all()] == [("الرز", "السحور")]
    client.post(f"/tasks/{mine.uuid}/amend")
    assert not Marking.objects.exists()
    assert not SpanPart.objects.exists()
    assert Draft.objects.get().body["spans"][0]["more"] == [part("السحور", EGYPTIAN)]


def test_the_screen_names_places_never_occurrences(mine, mona, koshari):
    draft = body({**mark(koshari, "الرز"), "more": [{"quote": "السحور", "occurrence": 1}]})
    answer = put_draft(signed_in(mona), mine, 0, draft)
    assert answer.status_code == 422
    assert answer.json()["error"]["problems"][0]["field"] == "more[0].occurrence"


def test_two_marks_on_the_same_words_differ_by_their_parts(mine, mona, koshari):
    one = two_parts(koshari)
    other = {**one, "id": "other", "more": [part("رمضان", EGYPTIAN)]}
    client = signed_in(mona)
    twice = submit(client, mine, 0, body(one, {**one, "id": "same"})).json()
    assert [problem["code"] for problem in twice["error"]["problems"]] == ["repeated"]
    assert submit(client, mine, 0, body(one, other)).status_code == 200


def test_storing_takes_two_statements_more_where_a_mark_has_parts(koshari, mona, django_assert_num_queries):
    def answer(**more):
        spans = [check_span(koshari.text, {"id": "a", "quote": "الرز", **more}, {}, Vocabularies())]
        return MarkingData(koshari, mona.raters.get(), 1, False, True, spans)

    alone, divided = answer(), answer(more=[part("رمضان", EGYPTIAN), part("السحور", EGYPTIAN)])
    with django_assert_num_queries(5):  # markings, their ids, spans; a savepoint around them
        store_markings([alone])
    Marking.objects.all().delete()
    with django_assert_num_queries(7):  # besides the ids of spans, and their parts
        store_markings([divided])


def test_taking_back_many_parts_takes_one_statement(mine, mona, koshari, django_assert_num_queries):
    assert submit(signed_in(mona), mine, 0, body(two_parts(koshari), mark(koshari, "رمضان"))).status_code == 200
    with django_assert_num_queries(3):  # the marking, its spans, their parts
        stored = task_type("spans").stored(mine)
    assert [len(each.get("more", [])) for each in stored["spans"]] == [1, 0]


# --- What the database refuses ---------------------------------------------------------------------------


@pytest.fixture
def head(project, koshari):
    assert bring(project, spans_line({**span("a"), "quote": "الرز"})).is_stored
    return Span.objects.get(key="a")


def put(head: Span, start: int, end: int, quote: str | None = None) -> SpanPart:
    with transaction.atomic():
        quote = EGYPTIAN[start:end] if quote is None else quote
        return SpanPart.objects.create(span=head, start=start, end=end, quote=quote)


def test_the_database_keeps_parts_behind_their_span_and_apart(head):
    first = head.end + 2
    stands = put(head, first, first + 2)
    for start, end in (
        (head.end, head.end + 1),  # touches the span
        (head.start, head.end + 1),
        (0, 1) if head.start else (head.start, head.end),  # before it
        (first + 2, first + 4),  # touches the part
        (first - 1, first),
        (first + 1, first + 3),
    ):
        with pytest.raises(DatabaseError):
            put(head, start, end)
    with pytest.raises(DatabaseError):
        put(head, first + 4, first + 6, "elsewhere")
    with pytest.raises(DatabaseError), transaction.atomic():
        SpanPart.objects.filter(pk=stands.pk).update(start=head.end)
    with pytest.raises(DatabaseError), transaction.atomic():
        Span.objects.filter(pk=head.pk).update(end=first, quote=EGYPTIAN[head.start : first])
    assert list(SpanPart.objects.values_list("start", "end")) == [(first, first + 2)]


def test_what_is_missing_has_no_parts_in_the_database(project, koshari):
    missing = span("m", anchor="paragraph", quote=..., paragraph=0)
    assert bring(project, spans_line(missing)).is_stored
    with pytest.raises(DatabaseError):
        put(Span.objects.get(), 1, 3)


# --- Files -----------------------------------------------------------------------------------------------


def test_a_file_brings_parts_and_a_newer_one_renews_them(project, koshari):
    line = span("a", quote="الرز", more=[{"quote": "السحور", "occurrence": 1}])
    assert bring(project, spans_line(line)).is_stored
    assert list(SpanPart.objects.values_list("quote", flat=True)) == ["السحور"]
    assert bring(project, spans_line(line)).counts["unchanged answers"] == 1
    assert bring(project, spans_line({**line, "more": [{"quote": "رمضان"}]})).is_stored
    assert list(SpanPart.objects.values_list("quote", flat=True)) == ["رمضان"]
    assert bring(project, spans_line(span("a", quote="الرز"))).is_stored
    assert not SpanPart.objects.exists()


def test_a_file_is_taken_back_with_its_parts(project, koshari):
    assert bring(project, spans_line(span("a", quote="الرز", more=[{"quote": "السحور"}]))).is_stored
    take_back(Import.objects.get(), None)
    assert not Span.objects.exists()


def test_a_file_of_another_unit_has_its_parts_converted(project, koshari):
    start = koshari.text.index("السحور")
    before = len(koshari.text[:start].encode("utf-16-le")) // 2
    line = spans_line(span("a", quote="الرز", more=[{"start": before, "end": before + 6}]), offset_unit="utf16")
    assert bring(project, line).is_stored
    assert SpanPart.objects.get().quote == "السحور"


def test_a_file_with_bad_parts_says_where(project, koshari):
    bad = span("a", quote="الرز", more=[{"quote": "السحور"}, {"quote": "ful"}])
    assert refused(project, spans_line(bad)) == [(1, "spans[0].more[1].quote", "quote_absent")]
    assert refused(project, spans_line(span("a", more="up")))[0][1:] == ("spans[0].more", "not_a_list")


def test_the_frame_of_spans_has_every_part(project, koshari):
    more = [{"quote": "السحور"}, {"quote": "الفراعنة"}]
    assert bring(project, spans_line(span("a", quote="الرز", more=more), span("b", quote="رمضان"))).is_stored
    found = spans(project).set_index("span_key").more
    assert found.isna()["b"]
    cells = orjson.loads(found["a"])
    assert [koshari.text[cell["start"] : cell["end"]] for cell in cells] == ["السحور", "الفراعنة"]
    assert [cell["quote"] for cell in cells] == ["السحور", "الفراعنة"]
