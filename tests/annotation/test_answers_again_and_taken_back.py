"""Nour brings answers in again, then a newer file of them; those that were wrong she takes back as a whole."""

import pytest
from django.urls import reverse

from annotation.groups import ungroup
from annotation.importing.answers import Answers
from annotation.models import Adjudication, Classification, ErrorGroup, GoldError, Marking, Rating, Review, Span
from formats.importing.taking_back import take_back
from projects.models import AuditEvent, Import, Rater
from projects.problems import Invalid
from tests.annotation.marked import mark
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.annotation.test_import_answers import JUDGE, bring, reviews_line, span, spans_line, stored
from tests.people import EGYPTIAN, add_response, signed_in
from tests.preset_parts import add_stages, add_taxonomy
from workflow.claims import claim_next
from workflow.models import Assignment, Stage, Status, WorkItem
from workflow.planning import plan_items

FIRST, OTHER = span(), span("s2", quote="وده تقليد")


@pytest.fixture(autouse=True)
def taxonomy(project):
    add_taxonomy(project)


def said(project, *lines: dict) -> dict[str, int]:
    """What was counted, without what was not there."""
    return {name: count for name, count in stored(project, *lines).items() if count}


def refused(project, *lines: dict) -> list[tuple]:
    outcome = bring(project, *lines)
    assert not outcome.is_stored
    return [(problem.line, problem.field, problem.code) for problem in outcome.problems]


def classification(category: str, rater: str = "Coder") -> dict:
    given = [{"span": "s1", "category": category}]
    return {"kind": "classifications", "item": "koshari", "rater": rater, "classifications": given}


def groups(*keys: str) -> dict:
    return {"kind": "groups", "item": "koshari", "groups": [list(keys)]}


WHOLE = (
    spans_line(FIRST, metadata={"study": "pilot", "a": 1}),
    spans_line(OTHER, rater="Hoda"),
    reviews_line({"span": "s1", "verdict": "keep", "first_verdict": "reject"}),
    groups("s1", "s2"),
    classification("cultural-inaccuracy"),
)


# --- Again --------------------------------------------------------------------------------------------


def test_answers_that_are_the_same_stay_as_they_are(project, koshari, boishakh):
    stored(project, *WHOLE)
    rows = [list(model.objects.order_by("pk").values()) for model in (Marking, Span, Review, Classification)]
    shuffled = {**WHOLE[0], "metadata": {"a": 1, "study": "pilot"}}
    third = spans_line(item="boishakh", rater="Amal", no_errors=True)
    assert said(project, shuffled, *WHOLE[1:], third) == {"unchanged answers": 5, "answers": 1}
    Marking.objects.filter(response=boishakh).delete()
    assert [list(model.objects.order_by("pk").values()) for model in (Marking, Span, Review, Classification)] == rows


def test_a_newer_file_renews_the_spans_that_differ_and_leaves_the_others(project, koshari):
    stored(project, spans_line(FIRST, OTHER), spans_line(span("s9", quote="الكشري", occurrence=1), rater="Hoda"))
    marking, kept = Marking.objects.get(rater__name="Salma"), Span.objects.get(key="s2").pk
    newer = span(explanation="دقيق أكتر", criticality="low")
    third = span("s3", anchor="response", quote=...)
    assert said(project, spans_line(newer, OTHER, third)) == {"updated answers": 1, "spans": 2}
    assert Marking.objects.get(rater__name="Salma").pk == marking.pk
    assert Span.objects.get(key="s2").pk == kept
    assert list(Span.objects.order_by("key").values_list("key", "explanation", "criticality")) == [
        ("s1", "دقيق أكتر", "low"), ("s2", "غلط", "high"), ("s3", "غلط", "high"), ("s9", "غلط", "high"),
    ]  # fmt: skip
    assert AuditEvent.objects.filter(action="data.imported").first().detail["updated answers"] == 1
    assert said(project, spans_line(no_errors=True)) == {"updated answers": 1}
    assert list(Span.objects.values_list("key", flat=True)) == ["s9"]
    assert said(project, spans_line(FIRST)) == {"updated answers": 1, "spans": 1}


def test_gold_follows_a_renewed_answer(project, koshari):
    add_stages(project)
    keep = reviews_line({"span": "s1", "verdict": "keep"}, rater="Hoda")
    stored(project, spans_line(FIRST), spans_line(rater="Hoda", no_errors=True), keep)
    assert list(GoldError.objects.values_list("key", flat=True)) == ["s1"]
    assert said(project, reviews_line({"span": "s1", "verdict": "reject"}, rater="Hoda")) == {"updated answers": 1}
    assert not GoldError.objects.exists()


def test_a_span_that_was_reviewed_is_not_renewed_and_the_file_is_refused(project, koshari):
    stored(project, spans_line(FIRST, OTHER), reviews_line({"span": "s1", "verdict": "keep"}))
    changed = spans_line(span(criticality="low"), OTHER)
    assert refused(project, changed, spans_line(rater="Hoda", no_errors=True)) == [(1, "item", "built_on")]
    assert (Span.objects.get(key="s1").criticality, Marking.objects.count()) == ("high", 1)
    assert said(project, spans_line(FIRST, span("s2", quote="وده تقليد", criticality="low"))) == {
        "updated answers": 1, "spans": 1
    }  # fmt: skip


def test_what_somebody_gave_here_is_never_overwritten(project, koshari, mona):
    [given] = mark(koshari, mona, "على السحور")
    assert refused(project, spans_line(FIRST, rater="Mona Adel")) == [(1, "item", "already_there")]
    assert Span.objects.get().pk == given.pk


def test_one_file_says_an_answer_once_however_it_is_read(project, koshari, monkeypatch):
    monkeypatch.setattr(Answers, "batch_lines", 1)
    twice = spans_line(FIRST), spans_line(OTHER)
    assert refused(project, *twice) == [(2, "item", "already_there")]
    review = [reviews_line({"span": "s1", "verdict": verdict}) for verdict in ("keep", "reject")]
    assert refused(project, spans_line(FIRST), *review) == [(3, "reviews[0].span", "already_there")]
    code = [classification(slug) for slug in ("cultural-inaccuracy", "cultural-inaccuracy")]
    assert refused(project, spans_line(FIRST), *code) == [(3, "classifications[0].span", "already_there")]
    assert not Marking.objects.exists()


def test_reviews_and_categories_are_renewed_until_somebody_settles_them(project, koshari, karim):
    stored(project, *WHOLE[:3], WHOLE[4])
    other = reviews_line({"span": "s1", "verdict": "keep"})
    assert said(project, other, classification("cultural-specificity")) == {"updated answers": 2}
    assert (Review.objects.get().first_verdict, Classification.objects.get().category.slug) == (
        "",
        "cultural-specificity",
    )
    expert = Rater.objects.get(user=karim)
    Adjudication.objects.create(span=Span.objects.get(key="s1"), rater=expert, is_kept=True)
    Classification.objects.update(confirmed_by=expert)
    assert refused(project, WHOLE[2], WHOLE[4]) == [
        (1, "reviews[0].span", "built_on"),
        (2, "classifications[0].span", "built_on"),
    ]


def test_a_group_takes_in_another_span_until_somebody_changes_it(project, koshari):
    stored(project, *WHOLE[:2], spans_line(span("s3"), rater="Amal"), groups("s1", "s2"))
    assert said(project, groups("s1", "s2", "s3")) == {"updated answers": 1}
    made = ErrorGroup.objects.get()
    assert made.spans.count() == 3
    ungroup([Span.objects.get(key="s3")])
    assert bring(project, groups("s1", "s2", "s3")).is_unchanged, "the very file of before takes nothing back"
    assert refused(project, groups("s1", "s3")) == [(1, "groups[0]", "already_there")]
    assert set(ErrorGroup.objects.get().spans.values_list("key", flat=True)) == {"s1", "s2"}
    with pytest.raises(Invalid, match="error groups rest on it"):
        take_back(Import.objects.order_by("pk")[0], None)


# --- Taking back --------------------------------------------------------------------------------------


def test_a_whole_import_of_answers_goes_with_its_gold_and_its_raters(project, koshari, nour):
    add_stages(project)
    stored(project, spans_line(rater="Yara", no_errors=True))
    stored(project, *WHOLE, spans_line(span("j1"), **JUDGE))
    page = signed_in(nour).get("/p/feasts/import/").content.decode()
    brought = Import.objects.order_by("pk").last()
    address = reverse("import-take-back", args=["feasts", brought.uuid])
    assert address in page
    signed_in(nour).post(address)
    left = [model.objects.count() for model in (Span, Review, ErrorGroup, Classification, GoldError)]
    assert left == [0, 0, 0, 0, 0]
    assert [marking.rater.name for marking in Marking.objects.all()] == ["Yara"]
    assert set(Rater.objects.filter(user=None).values_list("name", flat=True)) == {"Yara"}
    event = AuditEvent.objects.get(action="data.taken_back")
    assert (event.actor, event.detail["spans"], event.detail["raters"]) == (nour, 3, 5)
    assert address not in signed_in(nour).get("/p/feasts/import/").content.decode()
    assert said(project, *WHOLE)["spans"] == 2, "it may come in again"


@pytest.mark.parametrize(
    ("then", "why"),
    [
        (reviews_line({"span": "s1", "verdict": "keep"}), "reviews rest on it"),
        (classification("cultural-inaccuracy"), "classifications rest on it"),
        (groups("s1", "s2"), "error groups rest on it"),
    ],
)
def test_answers_on_which_later_ones_rest_stay_until_those_are_taken_back(project, koshari, then, why):
    stored(project, *WHOLE[:2])
    stored(project, then)
    first, later = Import.objects.order_by("pk")
    with pytest.raises(Invalid, match=why):
        take_back(first, None)
    assert Span.objects.count() == 2
    take_back(later, None)
    assert Span.objects.filter(group=None).count() == 2
    take_back(first, None)
    assert not Marking.objects.exists()


def test_what_was_settled_here_keeps_the_reviews_it_was_settled_by(project, koshari, karim):
    stored(project, spans_line(FIRST))
    stored(project, reviews_line({"span": "s1", "verdict": "keep"}))
    Adjudication.objects.create(span=Span.objects.get(), rater=Rater.objects.get(user=karim), is_kept=True)
    for brought in Import.objects.all():
        with pytest.raises(Invalid, match="adjudications rest on it"):
            take_back(brought, None)
    assert Review.objects.count() == 1


def test_a_renewed_answer_goes_with_the_newer_file(project, koshari):
    stored(project, spans_line(FIRST), spans_line(OTHER, rater="Hoda"))
    stored(project, spans_line(span(criticality="low")))
    older, newer = Import.objects.order_by("pk")
    assert take_back(newer, None)["spans"] == 1
    assert [each.rater.name for each in Marking.objects.all()] == ["Hoda"]
    assert take_back(older, None)["spans"] == 1


def test_a_member_is_handed_again_what_was_taken_back(project, koshari, mona):
    add_stages(project)
    stage = Stage.objects.get(project=project, kind="spans")
    plan_items(stage)
    stored(project, spans_line(FIRST, rater="Mona Adel"))
    rater = mona.raters.get()
    assert claim_next(rater, stage) is None
    assert take_back(Import.objects.get(), None)["raters"] == 0
    assert not Assignment.objects.filter(stage=stage).exists()
    item = WorkItem.objects.get(stage=stage)
    assert item.open_slots == item.slots
    assert claim_next(rater, stage).item == item
    assert Rater.objects.filter(user=mona).exists()


def test_what_somebody_is_reviewing_is_neither_renewed_nor_taken_back(project, koshari, mona, karim):
    add_stages(project)
    Stage.objects.filter(project=project).update(is_open=True)
    reviewing = Stage.objects.get(project=project, kind="reviews")
    plan_items(Stage.objects.get(project=project, kind="spans"))
    stored(project, spans_line(FIRST, rater="Mona Adel"), spans_line(OTHER, rater="Karim Samir"))
    turns = Assignment.objects.filter(stage=reviewing)
    assert set(turns.values_list("rater__user", "status")) == {(mona.pk, "reserved"), (karim.pk, "reserved")}
    turn = claim_next(karim.raters.get(), reviewing)
    assert turn.status == Status.CLAIMED
    with pytest.raises(Invalid, match="assignments rest on it"):
        take_back(Import.objects.get(), None)
    assert refused(project, spans_line(span(criticality="low"), rater="Mona Adel")) == [(1, "item", "built_on")]
    Assignment.objects.filter(pk=turn.pk).update(status=Status.RESERVED, lease_expires_at=None)
    take_back(Import.objects.get(), None)
    assert not turns.exists(), "there is nothing left to review"
    assert not reviewing.items.exists()


# --- Ratings ------------------------------------------------------------------------------------------


def rating(**changes) -> dict:
    line = {"kind": "ratings", "item": "invitation-a", "question": "formality", "grade": 3}
    return {**line, "rater": "Mona Adel", "rater_kind": "human", **changes}


@pytest.fixture
def rated(project):
    question_type(make_ratings_project(project), "formality")
    for key in ("invitation-a", "invitation-b"):
        add_response(project, key, EGYPTIAN, "ar-EG")
    return project


def test_a_rating_is_renewed_and_keeps_its_turn(rated, mona):
    stage = Stage.objects.filter(project=rated, kind="ratings").first() or Stage.objects.create(
        project=rated, kind="ratings", name="Ratings", position=9
    )
    plan_items(stage)
    assert said(rated, rating(), rating(item="invitation-b"))["ratings"] == 2
    turn = Rating.objects.get(response__key="invitation-a").assignment
    assert turn.stage == stage
    assert said(rated, rating(grade=5), rating(item="invitation-b")) == {"updated answers": 1, "unchanged answers": 1}
    renewed = Rating.objects.get(response__key="invitation-a")
    assert (renewed.first_grade, renewed.assignment) == (5, turn)
    older, newer = Import.objects.order_by("pk")
    take_back(newer, None)
    assert [each.response.key for each in Rating.objects.all()] == ["invitation-b"]
    assert set(Assignment.objects.values_list("item__response__key", flat=True)) == {"invitation-b"}
    take_back(older, None)
    assert not Assignment.objects.exists()


def test_a_rating_given_here_is_never_overwritten(rated, mona):
    response = add_response(rated, "here", EGYPTIAN, "ar-EG")
    question = rated.question_types.get(slug="formality")
    Rating.objects.create(question=question, response=response, rater=mona.raters.get(), first_grade=2)
    assert refused(rated, rating(item="here")) == [(1, "item", "already_there")]
    assert Rating.objects.get().first_grade == 2


def test_what_a_judge_says_in_both_orders_is_renewed_order_by_order(rated):
    pair_of(rated, "feast")
    judge = {"rater": "Judge", "rater_kind": "judge", "model": "judge-1", "laboratory": "Omega", "both_orders": True}
    line = {"kind": "ratings", "pair": "feast", "question": "formality", "first": 4.25, "second": 3, **judge}
    line["metadata"] = {"setup": "pairwise", "kind": "pairwise"}
    assert said(rated, line, {**line, "swapped": True, "first": 3})["ratings"] == 2
    again = {**line, "metadata": {"kind": "pairwise", "setup": "pairwise"}}
    unreadable = {**line, "swapped": True, "first": None, "second": None, "unparseable": True}
    assert said(rated, again, unreadable) == {"unchanged answers": 1, "updated answers": 1}
    assert list(Rating.objects.order_by("is_swapped").values_list("first_grade", "is_unparseable")) == [
        (4.25, False), (None, True)
    ]  # fmt: skip
