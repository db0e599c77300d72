"""Mona looks up settled errors after her own answer; what she has still to answer she never finds."""

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from annotation.casebook.finding import MOST_COMMON, ON_A_PAGE, Reader, Search, search, weigh
from annotation.casebook.indexing import index, unindexed
from annotation.casebook.indexing_jobs import CASE_BOOK, IndexCases
from annotation.casebook.words import asked_words, words_of
from annotation.gold import derive
from annotation.models import (
    Adjudication,
    CaseNote,
    CaseWord,
    CodingSample,
    ErrorCategory,
    GoldAnswer,
    GoldError,
    Marking,
    SettledCase,
)
from jobs.models import Job
from projects.anchors import sha256
from projects.models import AuditEvent, Prompt, PromptTemplate, Rater, Response
from tests.annotation.marked import mark, rater_of, review
from tests.annotation.rated import question_type
from tests.people import add_response, join, signed_in
from workflow.models import Assignment, CaseBook, FeedbackRules, Stage, Status, WorkItem

pytestmark = pytest.mark.django_db
ADDRESS = "/p/feasts/cases/"
API = "/api/v1/projects/feasts/cases/"


def open_book(project, when=CaseBook.AFTER_FIRST, **more) -> None:
    FeedbackRules.objects.update_or_create(project=project, defaults={"case_book": when, **more})


def settle(response: Response, *quotes: str, verdict: str = "keep", by: Rater | None = None, **fields) -> None:
    """Two strangers mark and review the response, and the book takes it in."""
    project = response.project
    first = by or Rater.objects.get_or_create(project=project, kind="human", name="Samia Stranger")[0]
    second = Rater.objects.get_or_create(project=project, kind="human", name="Wael Stranger")[0]
    spans = mark(response, first, *quotes, **fields)
    mark(response, second)
    for span in spans:
        review(span, second, verdict, comment="قال المراجع")
    derive([response.pk])
    index(project, [response.pk])


def stage_of(project, kind: str = "spans", **fields) -> Stage:
    return Stage.objects.get_or_create(project=project, kind=kind, name=f"Stage of {kind}", defaults=fields)[0]


def turn(project, person, response, status=Status.SUBMITTED, *, stage=None, **about) -> Assignment:
    stage = stage or stage_of(project)
    about = about or {"response": response}
    item = WorkItem.objects.create(
        stage=stage, variety=response.variety, position=response.pk, slots=3, open_slots=0, **about
    )
    now = timezone.now()
    times = {"submitted_at": now} if status == Status.SUBMITTED else {"lease_expires_at": now + timedelta(days=1)}
    return Assignment.objects.create(item=item, stage=stage, rater=rater_of(person, project), status=status, **times)


@pytest.fixture
def answered(project, mona) -> Assignment:
    """Mona has handed in one item, about bread."""
    project.areas = ["spans"]
    project.save()
    own = add_response(project, "own", "الخبز البلدي بيتعمل من القمح المستورد", "ar-EG")
    given = turn(project, mona, own)
    marking = Marking.objects.create(response=own, rater=rater_of(mona, project), assignment=given)
    [span] = mark_of(marking, "القمح المستورد")
    assert span.quote
    return given


def mark_of(marking: Marking, *quotes: str):
    from annotation.models import Span

    text = marking.response.text
    return [
        Span.objects.create(
            marking=marking,
            response=marking.response,
            rater=marking.rater,
            key=f"own-{at}",
            start=text.index(quote),
            end=text.index(quote) + len(quote),
            quote=quote,
            error_type="cultural",
            criticality="high",
            explanation="about it",
        )
        for at, quote in enumerate(quotes)
    ]


def page(person, **asked) -> str:
    answer = signed_in(person).get(ADDRESS, asked)
    assert answer.status_code == 200
    return answer.content.decode()


def quotes(person, **asked) -> list[str]:
    answer = signed_in(person).get(API, asked)
    assert answer.status_code == 200
    return [case["quote"] for case in answer.json()["cases"]]


# --- When it opens ------------------------------------------------------------------------------------


def test_unless_the_project_opens_it_nobody_reads_a_case(project, koshari, answered, mona):
    settle(koshari, "السحور")
    assert "This project keeps no case book" in page(mona)
    assert signed_in(mona).get(API).json() == {"state": "closed", "page": 1, "has_next": False, "cases": []}
    guidelines = "/p/feasts/guidelines/"
    assert ADDRESS not in signed_in(mona).get(guidelines).content.decode()
    open_book(project)
    assert ADDRESS in signed_in(mona).get(guidelines).content.decode(), "where it is open it is named there"


def test_before_ones_first_answer_the_server_says_no(project, koshari, answered, karim, mona):
    open_book(project)
    settle(koshari, "السحور")
    assert quotes(karim) == []
    assert "It opens after your first answer" in page(karim, q="السحور")
    turn(project, karim, koshari, Status.CLAIMED, stage=stage_of(project, "reviews"))
    assert signed_in(karim).get(API).json()["state"] == "not_yet"
    assert quotes(mona) == ["السحور"]


def test_between_items_it_is_shut_while_one_lies_open(project, koshari, answered, mona):
    open_book(project, CaseBook.BETWEEN_ITEMS)
    settle(koshari, "السحور")
    other = add_response(project, "other", "نص آخر تماما", "ar-EG")
    begun = turn(project, mona, other, Status.CLAIMED)
    assert signed_in(mona).get(API).json()["state"] == "busy"
    assert f"/tasks/{begun.uuid}/" in page(mona)
    open_book(project, CaseBook.AFTER_FIRST)
    assert quotes(mona) == ["السحور"]
    open_book(project, CaseBook.BETWEEN_ITEMS)
    Assignment.objects.filter(pk=begun.pk).update(status=Status.RELEASED, lease_expires_at=None)
    assert quotes(mona) == ["السحور"]


# --- What is hidden -----------------------------------------------------------------------------------


@pytest.fixture
def opened(project, koshari, answered) -> Response:
    open_book(project)
    settle(koshari, "السحور")
    return koshari


@pytest.mark.parametrize("status", [Status.RESERVED, Status.CLAIMED, Status.EXPIRED, Status.RELEASED])
@pytest.mark.parametrize("ways", [{}, {"q": "السحور"}, {"answer": "own"}, {"case": "it"}])
def test_of_an_item_before_her_nothing_is_found_whichever_way(project, opened, answered, mona, status, ways):
    given = turn(project, mona, opened, status, stage=stage_of(project, "reviews"))
    if "answer" in ways:
        ways = {"answer": str(answered.uuid)}
    if "case" in ways:
        ways = {"case": str(SettledCase.objects.get().pk)}
    assert "السحور" not in quotes(mona, **ways)
    assert "<mark>السحور" not in page(mona, **ways)
    Stage.objects.filter(pk=given.stage_id).update(locked_at=timezone.now())
    assert quotes(mona) == ["السحور"]


def test_what_she_may_still_be_given_is_hidden_too_and_a_check_as_long_as_it_may_come(project, opened, mona):
    item = WorkItem.objects.create(
        stage=stage_of(project, "validation"),
        response=opened,
        variety=opened.variety,
        position=1,
        slots=1,
        open_slots=1,
    )
    assert quotes(mona) == []
    item.open_slots = 0
    item.save()
    assert quotes(mona) == ["السحور"]
    item.is_check = True
    item.save()
    assert quotes(mona) == []
    checked = Assignment.objects.create(
        item=item,
        stage=item.stage,
        rater=rater_of(mona, project),
        status=Status.SUBMITTED,
        submitted_at=timezone.now(),
    )
    assert quotes(mona) == [], "that a text is settled would tell that it was a check"
    Stage.objects.filter(pk=checked.stage_id).update(locked_at=timezone.now())
    assert quotes(mona) == ["السحور"]


def template_of(project) -> PromptTemplate:
    asked = question_type(project, "open-question")
    return PromptTemplate.objects.create(project=project, key="t", text="Food of {place}", question=asked)


def twin_of_the_same_prompt(response):
    return Response.objects.create(
        project=response.project,
        prompt=response.prompt,
        target_model=response.target_model,
        variety=response.variety,
        key="twin",
        text="نص التوأم",
        text_sha256=sha256("نص التوأم"),
    )


def twin_by_the_same_words(response):
    twin = add_response(response.project, "twin", "نص التوأم", "ar-EG")
    other = Prompt.objects.create(
        project=response.project,
        key="again",
        text=response.prompt.text,
        text_sha256=response.prompt.text_sha256,
        variety=response.variety,
    )
    Response.objects.filter(pk=twin.pk).update(prompt=other)
    return Response.objects.get(pk=twin.pk)


def twin_by_template(response):
    template = template_of(response.project)
    twin = add_response(response.project, "twin", "নকল লেখা", "bn-BD")
    Prompt.objects.filter(pk__in=[twin.prompt_id, response.prompt_id]).update(template=template)
    return Response.objects.get(pk=twin.pk)


@pytest.mark.parametrize("make_twin", [twin_of_the_same_prompt, twin_by_the_same_words, twin_by_template])
def test_a_twin_that_she_has_still_to_answer_hides_the_case(project, opened, mona, make_twin):
    twin = make_twin(opened)
    assert quotes(mona) == ["السحور"]
    begun = turn(project, mona, twin, Status.CLAIMED)
    assert quotes(mona) == []
    assert "السحور" not in page(mona, case=SettledCase.objects.get().pk).split("<form")[-1]
    Assignment.objects.filter(pk=begun.pk).update(status=Status.SKIPPED, lease_expires_at=None, skip_reason="unclear")
    assert quotes(mona) == ["السحور"]


def test_a_prompt_and_a_template_to_answer_hide_it_as_well(project, opened, mona):
    begun = turn(project, mona, opened, Status.CLAIMED, stage=stage_of(project, "authoring"), prompt=opened.prompt)
    assert quotes(mona) == []
    begun.delete()
    template = template_of(project)
    Prompt.objects.filter(pk=opened.prompt_id).update(template=template)
    turn(project, mona, opened, Status.CLAIMED, stage=stage_of(project, "localising"), template=template)
    assert quotes(mona) == []


def test_an_answer_of_hers_that_she_can_still_change_hides_it_until_others_built_on_it(project, opened, mona, karim):
    given = turn(project, mona, opened)
    marking = Marking.objects.create(response=opened, rater=rater_of(mona, project), assignment=given)
    [own] = mark_of(marking, "الفراعنة")
    derive([opened.pk])
    assert quotes(mona) == []
    review(own, karim, "reject")
    derive([opened.pk])
    assert "السحور" not in quotes(mona), "her mark makes Mona a reviewer of the others: settled no longer"
    stranger = Rater.objects.get(name="Samia Stranger")
    for span in opened.spans.exclude(rater=stranger):
        if not span.reviews.filter(rater=stranger).exists():
            review(span, stranger, "reject")
    review(opened.spans.get(quote="السحور"), mona, "keep")
    derive([opened.pk])
    index(project, [opened.pk])
    assert "السحور" in quotes(mona)


def test_a_text_that_a_quiz_examines_with_is_in_nobodys_book(project, opened, mona):
    from screening.models import Quiz, QuizQuestion

    quiz = Quiz.objects.create(stage=stage_of(project))
    QuizQuestion.objects.create(quiz=quiz, kind="spans", text="Mark it", response=opened)
    assert quotes(mona) == []


def test_another_project_is_another_book(project, opened, omar, other_project, nour):
    assert signed_in(omar).get(ADDRESS).status_code == 404
    assert signed_in(omar).get(API).status_code == 404
    case = SettledCase.objects.get()
    assert signed_in(omar).put(f"/api/v1/projects/weddings/cases/{case.pk}/", {"why": "x"}).status_code == 404
    assert signed_in(omar).get("/api/v1/projects/weddings/cases/", {"case": case.pk}).json()["cases"] == []


# --- What is found ------------------------------------------------------------------------------------


def test_words_are_found_without_vowel_signs_hamza_and_endings(project, opened, mona):
    for typed in ("السُّحُور", "سحور", "ٱلسحور", "  السحور  "):
        assert quotes(mona, q=typed) == ["السحور"], typed
    assert quotes(mona, q="الإفطار") == []
    assert "No settled case that you may read fits" in page(mona, q="الإفطار")


@pytest.mark.parametrize("written", ["الفسيخ", "فسيخ", "والفسيخ", "بالفسيخ", "وفسيخ"])
@pytest.mark.parametrize("typed", ["فسيخ", "الفسيخ", "والفسيخ"])
def test_a_first_letter_of_a_root_is_no_and(project, answered, mona, written, typed):
    open_book(project)
    settle(add_response(project, "fish", f"أكلة {written} في العيد", "ar-EG"), written, explanation="-")
    assert quotes(mona, q=typed) == [written]
    assert quotes(mona, q="سمك") == []


# What looks like an article, with or without a particle before it, may be taken for one.
ARABIC = st.text("ابتجدرسفقكلمنهوي", min_size=2, max_size=8).filter(lambda word: "ال" not in word and "لل" not in word)


@given(ARABIC)
def test_a_word_is_found_by_itself_and_with_the_article_whatever_the_stemmer(word):
    for held, typed in ((word, word), (word, f"ال{word}"), (f"ال{word}", word)):
        [spellings] = asked_words(typed, ["ar", "bn"])
        assert spellings & set(words_of(held, "ar")), (held, typed)


@pytest.mark.parametrize("typed", ["", "🙂", "'; DROP TABLE", "%", "\0", "ا" * 5000, "a b c d e f g h i j k", "‏‎"])
def test_whatever_is_typed_is_answered(project, opened, mona, typed):
    assert "السحور" in page(mona, q=typed) or "No settled case" in page(mona, q=typed)


@pytest.mark.parametrize(
    "asked",
    [
        {"case": "9" * 30},
        {"case": "-1"},
        {"case": "²"},
        {"answer": "no uuid"},
        {"page": "0"},
        {"page": "99999"},
        {"category": "none", "language": "xx", "page": "x"},
    ],
)
def test_a_broken_address_shows_the_book(project, opened, mona, asked):
    assert quotes(mona, **asked) in (["السحور"], [])


def test_kept_and_rejected_are_told_and_nobodys_name(project, opened, mona, simba):
    other = add_response(project, "other", "أكلة الفسيخ في شم النسيم عادة فرعونية", "ar-EG")
    settle(other, "الفسيخ", verdict="reject", by=simba)
    told = page(mona)
    assert "Kept" in told
    assert "Rejected" in told
    for name in ("Stranger", "Simba", "simba-1", "Nile-7B", "قال المراجع"):
        assert name not in told
    open_book(project, shows_words=True)
    assert "قال المراجع" in page(mona)


def test_fields_that_not_everybody_fills_are_not_shown(project, opened, mona, simba):
    category = ErrorCategory.objects.create(project=project, slug="feasts", name="Feasts and fasts")
    other = add_response(project, "other", "أكلة الفسيخ في شم النسيم", "ar-EG")
    settle(other, "الفسيخ", category=category, correction="الرنجة")
    [case] = signed_in(mona).get(API, {"q": "الفسيخ"}).json()["cases"]
    assert (case["category"], case["correction"]) == ("Feasts and fasts", "الرنجة")
    assert quotes(mona, category="feasts") == ["الفسيخ"]
    judged = add_response(project, "judged", "نص حكم عليه", "ar-EG")
    mark(judged, simba, "حكم")
    [case] = signed_in(mona).get(API, {"q": "الفسيخ"}).json()["cases"]
    assert (case["category"], case["correction"]) == ("", "")
    assert len(quotes(mona, category="feasts")) == 2, "what is not shown is no filter"


def test_who_codes_a_second_time_sees_no_category(project, opened, hana):
    turn(project, hana, add_response(project, "hers", "نص", "ar-EG"))
    category = ErrorCategory.objects.create(project=project, slug="feasts", name="Feasts and fasts")
    settle(add_response(project, "other", "أكلة الفسيخ", "ar-EG"), "الفسيخ", category=category)
    assert "Feasts and fasts" in page(hana)
    CodingSample.objects.create(project=project, seed=1)
    assert "Feasts and fasts" not in page(hana)


def test_an_error_that_is_open_again_is_shown_no_more_whatever_the_index_says(project, opened, mona, karim):
    mark(opened, karim)
    derive([opened.pk])
    assert SettledCase.objects.filter(gold=opened.pk).exists()
    assert quotes(mona) == []
    index(project, [opened.pk])
    assert not SettledCase.objects.filter(gold=opened.pk).exists()
    assert not CaseWord.objects.exists()


def test_an_experts_word_settles_and_is_told_where_words_are(project, opened, mona, hana):
    open_book(project, shows_words=True)
    span = opened.spans.get()
    Adjudication.objects.create(span=span, rater=rater_of(hana, project), is_kept=False, reason="عادة معروفة")
    derive([opened.pk])
    index(project, [opened.pk])
    told = page(mona)
    assert "Rejected" in told
    assert "عادة معروفة" in told
    assert "Hana" not in told


def test_ones_own_languages_come_first(project, opened, boishakh, mona, rafia):
    settle(boishakh, "ডিসেম্বর")
    assert quotes(mona) == ["السحور", "ডিসেম্বর"]
    turn(project, rafia, add_response(project, "hers", "লেখা", "bn-BD"))
    assert quotes(rafia) == ["ডিসেম্বর", "السحور"]
    assert quotes(rafia, language="ar-EG") == ["السحور"]


def test_like_this_one_follows_rare_words(project, answered, mona):
    """Of three cases all hold `قديم`, one holds the two rare words of the first as well, one none of them."""
    open_book(project)
    texts = {"one": "طبق الملوخية بالأرانب قديم", "two": "شوربة الملوخية الأرانب قديم", "three": "طبل قديم"}
    for key, text in texts.items():
        settle(add_response(project, key, text, "ar-EG"), text, explanation="-")
    first = SettledCase.objects.get(gold__response__key="one")
    assert quotes(mona, case=first.pk) == [texts["two"], texts["three"]]
    # Weights: a word of n cases weighs 1 + ln(2000 / n).
    weights = weigh(project, words_of("الملوخية قديم", "ar"))
    assert sorted(round(weight, 3) for weight in weights.values()) == [7.502, 7.908]


def test_like_ones_own_answer_compares_its_marks(project, answered, mona):
    open_book(project)
    settle(add_response(project, "bread", "بيجي القمح من برا", "ar-EG"), "القمح", explanation="-")
    settle(add_response(project, "drum", "الطبل البلدي", "ar-EG"), "الطبل", explanation="-")
    assert quotes(mona, answer=answered.uuid) == ["القمح"]


def test_nobody_searches_by_an_answer_of_others_or_one_not_handed_in(project, answered, mona, karim):
    open_book(project)
    settle(add_response(project, "bread", "بيجي القمح من برا", "ar-EG"), "القمح", explanation="-")
    turn(project, karim, add_response(project, "his", "قمح", "ar-EG"))
    assert quotes(karim, answer=answered.uuid) == ["القمح"], "as without it: the latest"
    assert "Like this one</h2>" not in page(karim, answer=answered.uuid)


def test_a_long_book_is_turned_page_by_page(project, answered, mona):
    open_book(project)
    long = add_response(project, "long", " ".join(f"كلمة{n:03}" for n in range(ON_A_PAGE + 3)), "ar-EG")
    settle(long, *long.text.split(), explanation="-")
    first = signed_in(mona).get(API).json()
    assert (len(first["cases"]), first["has_next"]) == (ON_A_PAGE, True)
    second = signed_in(mona).get(API, {"page": 2}).json()
    assert (len(second["cases"]), second["has_next"]) == (3, False)
    assert "page=2" in page(mona)


# --- The lead -----------------------------------------------------------------------------------------


def test_a_lead_puts_an_example_forward_and_keeps_a_case_away(project, opened, nour, mona):
    case = SettledCase.objects.get()
    where = f"{ADDRESS}{case.pk}/"
    lead = signed_in(nour)
    lead.post(where, {"act": "example", "why": "  <b>عادة</b> أخرى "})
    assert CaseNote.objects.get().why == "<b>عادة</b> أخرى"
    told = page(mona)
    assert "Examples" in told
    assert "&lt;b&gt;عادة&lt;/b&gt;" in told
    lead.post(where, {"act": "exclude"})
    lead.post(where, {"act": "exclude"})
    assert quotes(mona) == []
    assert "Not shown to people" in page(nour)
    lead.post(where, {"act": "neither"})
    assert quotes(mona) == ["السحور"]
    assert not CaseNote.objects.exists()
    assert AuditEvent.objects.filter(project=project, action="case.noted").count() == 4


def test_an_example_needs_its_sentence_and_by_program_the_same_holds(project, opened, nour):
    case = SettledCase.objects.get()
    lead = signed_in(nour)
    lead.post(f"{ADDRESS}{case.pk}/", {"act": "example", "why": "  "})
    assert not CaseNote.objects.exists()
    where = f"{API}{case.pk}/"
    put = {"content_type": "application/json"}
    assert lead.put(where, {"why": "x" * 501}, **put).status_code == 400
    assert lead.put(where, {"why": "x", "is_excluded": True}, **put).status_code == 422
    assert lead.put(where, {"why": "An example."}, **put).status_code == 204
    assert lead.get(API).json()["cases"][0]["why"] == "An example."


def test_an_example_is_hidden_from_whom_the_case_is_hidden(project, opened, nour, mona):
    case = SettledCase.objects.get()
    signed_in(nour).post(f"{ADDRESS}{case.pk}/", {"act": "example", "why": "عادة أخرى"})
    turn(project, mona, opened, Status.CLAIMED, stage=stage_of(project, "reviews"))
    assert "عادة أخرى" not in page(mona)


def test_a_note_outlives_the_making_of_the_index(project, opened, nour, mona):
    case = SettledCase.objects.get()
    signed_in(nour).post(f"{ADDRESS}{case.pk}/", {"act": "exclude"})
    SettledCase.objects.all().delete()
    index(project, [opened.pk])
    assert quotes(mona) == []


def test_a_lead_who_answers_as_well_does_not_find_their_own_item(project, opened, nour):
    assert quotes(nour) == ["السحور"]
    both = join(nour, project, "annotator", varieties=("ar-EG",))
    turn(project, both, opened, Status.CLAIMED, stage=stage_of(project, "reviews"))
    assert quotes(nour) == []


# --- The index ----------------------------------------------------------------------------------------


def test_opening_the_book_begins_the_job_and_the_clock_keeps_it_up(project, koshari, answered, nour, mona):
    spans = mark(koshari, rater_of(mona, project), "السحور")
    review(spans[0], Rater.objects.create(project=project, kind="human", name="R"), "keep")
    derive([koshari.pk])
    assert IndexCases().sweep() == 0
    signed_in(nour).post("/p/feasts/feedback/", {"shows_outcomes": "on", "case_book": "after_first"})
    assert Job.objects.filter(kind=CASE_BOOK, project=project).count() == 1
    Job.objects.all().delete()
    assert IndexCases().sweep() == 1
    index(project, list(unindexed(project).values_list("pk", flat=True)))
    Job.objects.all().delete()
    assert IndexCases().sweep() == 0
    derive([koshari.pk])
    assert IndexCases().sweep() == 1


def test_looking_again_writes_only_what_differs(project, opened):
    before = list(SettledCase.objects.values_list("pk", flat=True))
    index(project, [opened.pk])
    assert list(SettledCase.objects.values_list("pk", flat=True)) == before
    category = ErrorCategory.objects.create(project=project, slug="c", name="C")
    GoldError.objects.update(category=category)
    index(project, [opened.pk])
    assert list(SettledCase.objects.values_list("pk", "category")) == [(before[0], category.pk)]
    GoldAnswer.objects.all().delete()
    assert not CaseWord.objects.exists()


def test_gold_of_a_file_is_in_the_book_too(project, answered, koshari, mona):
    open_book(project)
    GoldAnswer.objects.create(response=koshari, kept=1, is_imported=True)
    start = koshari.text.index("العدس")
    GoldError.objects.create(
        response=koshari, key="g1", start=start, end=start + 5, quote="العدس", error_type="cultural", is_imported=True
    )
    index(project, [koshari.pk])
    assert quotes(mona) == ["العدس"]


@pytest.mark.parametrize(
    ("text", "language", "typed"),
    [
        ("মানুষেরা ইলিশ খায়", "bn", "ইলিশ"),
        ("春节吃饺子", "zh", "饺子"),
        ("春节吃饺子", "zh", "饺"),
        ("ประเพณีสงกรานต์", "th", "สงกรานต์"),
        ("The Wedding customs", "en", "wedding custom"),
        ("٢٠٢٤ في القاهرة", "ar", "2024"),
        ("설날에 떡국을 먹는다", "ko", "떡국을"),
    ],
)
def test_a_word_is_found_in_its_language(text, language, typed):
    held = set(words_of(text, language))
    asked = asked_words(typed, [language, "ar"])
    assert asked
    assert all(spellings & held for spellings in asked)


def test_emoji_and_48_kilobytes_are_no_trouble():
    assert words_of("🙂 ‼️ …", "en") == []
    assert len(words_of(" ".join(f"w{n}" for n in range(9000)), "en")) == 200
    assert len(words_of("春" * 16_000, "zh")) == 2
    assert len(asked_words(" ".join(f"w{n}" for n in range(900)), ["en"])) == 8


def test_a_page_costs_the_same_queries_however_many_cases(project, answered, mona, django_assert_max_num_queries):
    open_book(project, shows_words=True)
    reader = Reader(project, rater_of(mona, project), is_lead=False)
    for key in range(3):
        text = f"كلمة{key} هنا وهناك"
        settle(add_response(project, f"few{key}", text, "ar-EG"), "هنا", explanation="-")
    client = signed_in(mona)
    with django_assert_max_num_queries(45) as few:
        client.get(API)
    for key in range(12):
        text = f"كلام{key} هنا وهناك"
        settle(add_response(project, f"more{key}", text, "ar-EG"), "هنا", explanation="-")
    with django_assert_max_num_queries(45) as many:
        client.get(API)
    assert len(many.captured_queries) <= len(few.captured_queries)
    assert len(search(reader, Search()).cases) == 15
    assert MOST_COMMON > 100


def test_beside_her_answer_the_same_is_found_without_the_page_and_the_same_is_hidden(project, opened, answered, mona):
    beside = {"HTTP_HX_REQUEST": "true"}
    found = signed_in(mona).get(ADDRESS, {"q": "السحور"}, **beside).content.decode()
    assert "<mark>السحور" in found
    assert "<html" not in found
    assert "case-note" not in found
    turn(project, mona, opened, Status.CLAIMED, stage=stage_of(project, "reviews"))
    assert "السحور" not in signed_in(mona).get(ADDRESS, {"q": "السحور"}, **beside).content.decode()
    open_book(project, CaseBook.BETWEEN_ITEMS)
    assert "It opens once you have handed in" in signed_in(mona).get(ADDRESS, **beside).content.decode()
    FeedbackRules.objects.update(case_book=CaseBook.CLOSED)
    assert "keeps no case book" in signed_in(mona).get(ADDRESS, **beside).content.decode()


def test_a_language_with_a_null_character_is_none(project, koshari, answered, mona):
    """PostgreSQL takes no text with one."""
    settle(koshari, "السحور")
    open_book(project)
    assert quotes(mona, language="ar\0-XX") == ["السحور"]
