"""What becomes gold: the verdicts of others, their corrections, groups, categories and the expert's last word."""

import time

import pytest

from annotation.gold import derive
from annotation.models import Adjudication, Classification, ErrorCategory, ErrorGroup, GoldAnswer, GoldError
from annotation.outcomes import outcomes
from projects.models import Prompt, Rater, Response
from tests.annotation.marked import many_marked, mark, rater_of, review
from tests.people import add_response
from workflow.models import Stage

pytestmark = pytest.mark.django_db

SUHOOR = "على السحور"
PHARAOHS = "أيام الفراعنة"
RAMADAN = "في رمضان الناس بتاكل الكشري"


def gold_of(response: Response) -> list[GoldError]:
    derive([response.id])
    return list(GoldError.objects.filter(response=response).order_by("start"))


def test_a_span_that_the_other_annotator_keeps_is_gold(koshari, mona, karim):
    [span] = mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    review(span, karim, "keep")

    [error] = gold_of(koshari)

    assert (error.key, error.quote, error.start, error.end) == ("mona-1", SUHOOR, span.start, span.end)
    assert (error.error_type, error.criticality, error.explanation) == ("cultural", "high", f"about {SUHOOR}")
    assert (error.found_by_human, error.found_by_judge) == (True, False)
    span.refresh_from_db()
    assert span.gold_error == error


def test_a_span_nobody_reviewed_is_pending_and_not_gold(koshari, mona, karim):
    [span] = mark(koshari, mona, SUHOOR)
    mark(koshari, karim)

    assert gold_of(koshari) == []
    assert outcomes([koshari.id]) == {span.id: "pending"}
    assert GoldAnswer.objects.get(response=koshari).undecided == 1


def test_a_response_that_two_people_found_flawless_has_an_empty_set_and_an_unmarked_one_has_none(
    koshari, boishakh, mona, karim
):
    mark(koshari, mona)
    mark(koshari, karim)

    derive([koshari.id, boishakh.id])

    assert list(GoldAnswer.objects.values_list("response__key", "kept")) == [("koshari", 0)]


def test_a_judges_span_needs_the_verdict_of_every_annotator(koshari, mona, karim, simba):
    mark(koshari, mona)
    mark(koshari, karim)
    [span] = mark(koshari, simba, PHARAOHS)
    review(span, mona, "keep")
    assert gold_of(koshari) == []

    review(span, karim, "keep")

    [error] = gold_of(koshari)
    assert (error.found_by_human, error.found_by_judge) == (False, True)
    [found] = error.provenance["spans"]
    assert (found["model"], found["laboratory"], found["simulated"]) == ("simba-1", "simulated", True)
    assert found["votes"] == {"keep": 2, "correct": 0, "differs": 0, "reject": 0}


def test_the_policy_of_the_review_stage_decides(project, koshari, mona, karim, simba):
    mark(koshari, mona)
    mark(koshari, karim)
    [span] = mark(koshari, simba, PHARAOHS)
    review(span, mona, "keep")
    review(span, karim, "reject")
    stage = Stage.objects.create(project=project, kind="reviews", name="Cross-validation", policy="unanimous")
    assert gold_of(koshari) == []

    Stage.objects.filter(pk=stage.pk).update(policy="any")

    [error] = gold_of(koshari)
    assert error.provenance["policy"] == "any"


def test_a_validation_stage_asks_for_as_many_verdicts_as_it_has_validators(project, koshari, mona, hana):
    Stage.objects.create(project=project, kind="validation", name="Experts", overlap=2, policy="majority")
    [span] = mark(koshari, mona, SUHOOR)
    review(span, hana, "differs")
    assert outcomes([koshari.id]) == {span.id: "pending"}
    tarek = Rater.objects.create(project=project, kind="human", name="Tarek")
    review(span, tarek, "keep")
    assert outcomes([koshari.id]) == {span.id: "kept"}
    [error] = gold_of(koshari)
    assert error.varies_by_region


def test_a_judges_review_is_no_vote(koshari, mona, karim, simba):
    [span] = mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    review(span, simba, "reject")
    review(span, karim, "keep")
    assert len(gold_of(koshari)) == 1


def test_of_several_rounds_the_last_counts(koshari, mona, karim):
    [span] = mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    review(span, karim, "reject", round=1)
    review(span, karim, "keep", round=2)
    assert len(gold_of(koshari)) == 1


def test_a_correction_takes_the_place_of_what_was_marked(koshari, mona, karim):
    [span] = mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    shorter = "السحور"
    start = koshari.text.index(shorter)
    mended = {"start": start, "end": start + len(shorter), "quote": shorter}
    review(span, karim, "correct", **mended, criticality="low", explanation="At iftar, not suhoor.")

    [error] = gold_of(koshari)

    assert (error.quote, error.start, error.criticality) == (shorter, start, "low")
    assert error.explanation == "At iftar, not suhoor."
    assert error.error_type == "cultural", "what the correction leaves blank stays as marked"
    assert error.provenance["corrected_by"] == [rater_of(karim, koshari.project).pseudonym]


def test_of_several_corrections_the_most_shared_wins_else_the_first(koshari, mona, karim, hana, simba):
    for person in (mona, karim, hana):
        mark(koshari, person)
    [span] = mark(koshari, simba, SUHOOR)
    review(span, mona, "correct", criticality="low")
    review(span, karim, "correct", criticality="medium")
    third = review(span, hana, "correct", criticality="medium")
    assert gold_of(koshari)[0].criticality == "medium"

    third.verdict, third.criticality = "keep", ""
    third.save()
    assert gold_of(koshari)[0].criticality == "low"


def test_a_group_is_one_error_and_its_best_supported_span_speaks_for_it(koshari, mona, karim, simba):
    [monas] = mark(koshari, mona, SUHOOR)
    [karims] = mark(koshari, karim, RAMADAN)
    [simbas] = mark(koshari, simba, "رمضان")
    review(monas, karim, "keep")
    review(karims, mona, "keep")
    review(simbas, mona, "keep")
    review(simbas, karim, "keep")
    group = ErrorGroup.objects.create(response=koshari, key="g-1")
    koshari.spans.update(group=group)

    [error] = gold_of(koshari)

    assert (error.key, error.quote) == ("g-1", "رمضان"), "two keep votes against one"
    assert error.found_by_human
    assert error.found_by_judge
    assert [found["id"] for found in error.provenance["spans"]] == ["simba-1", "mona-1", "karim-1"]
    assert koshari.spans.filter(gold_error=error).count() == 3


def test_equal_votes_in_a_group_go_to_the_longer_span(koshari, mona, karim):
    [monas] = mark(koshari, mona, "رمضان")
    [karims] = mark(koshari, karim, RAMADAN)
    review(monas, karim, "keep")
    review(karims, mona, "keep")
    koshari.spans.update(group=ErrorGroup.objects.create(response=koshari, key="g-1"))
    assert gold_of(koshari)[0].quote == RAMADAN


def test_a_confirmed_category_outranks_a_corrected_and_an_own_one(project, koshari, mona, karim, simba):
    own, corrected, proposed = (
        ErrorCategory.objects.create(project=project, slug=slug, name=slug) for slug in ("own", "corrected", "proposed")
    )
    [span] = mark(koshari, mona, SUHOOR, category=own)
    mark(koshari, karim)
    vote = review(span, karim, "keep")
    assert gold_of(koshari)[0].category == own

    vote.verdict, vote.category = "correct", corrected
    vote.save()
    assert gold_of(koshari)[0].category == corrected

    proposal = Classification.objects.create(span=span, rater=simba, category=proposed)
    assert gold_of(koshari)[0].category == corrected, "a judge only proposes"

    proposal.confirmed_by = rater_of(karim, project)
    proposal.save()
    assert gold_of(koshari)[0].category == proposed


def test_an_experts_word_is_the_last(koshari, mona, karim, hana):
    [kept, dropped] = mark(koshari, mona, SUHOOR, PHARAOHS)
    mark(koshari, karim)
    review(kept, karim, "differs")
    review(dropped, karim, "differs")
    assert set(outcomes([koshari.id]).values()) == {"open"}
    expert = rater_of(hana, koshari.project)
    Adjudication.objects.create(span=kept, rater=expert, is_kept=True, varies_by_region=True, reason="In the Delta")
    Adjudication.objects.create(span=dropped, rater=expert, is_kept=False)

    [error] = gold_of(koshari)

    assert error.key == kept.key
    assert error.varies_by_region
    assert error.provenance["adjudicated_by"] == [expert.pseudonym]


def test_something_missing_becomes_gold_without_a_place_in_the_text(koshari, mona, karim):
    [span] = mark(koshari, mona, SUHOOR)
    type(span).objects.filter(pk=span.pk).update(anchor="paragraph", start=None, end=None, quote="", paragraph=1)
    mark(koshari, karim)
    review(span, karim, "keep")
    [error] = gold_of(koshari)
    assert (error.anchor, error.start, error.paragraph) == ("paragraph", None, 1)


def test_deriving_again_writes_nothing_and_a_changed_verdict_takes_back_what_it_made(koshari, mona, karim):
    [first, second] = mark(koshari, mona, SUHOOR, PHARAOHS)
    mark(koshari, karim)
    review(first, karim, "keep")
    vote = review(second, karim, "keep")
    before = [error.pk for error in gold_of(koshari)]
    assert [error.pk for error in gold_of(koshari)] == before

    vote.verdict = "reject"
    vote.save()

    assert [error.pk for error in gold_of(koshari)] == before[:1]
    second.refresh_from_db()
    assert second.gold_error is None


def test_imported_gold_stands_as_it_came(koshari, mona, karim):
    imported = GoldError.objects.create(response=koshari, key="theirs", anchor="response", is_imported=True)
    GoldAnswer.objects.create(response=koshari, kept=1, is_imported=True)
    mark(koshari, mona)
    assert gold_of(koshari) == [imported]
    assert GoldAnswer.objects.get(response=koshari).is_imported


def test_no_name_of_a_person_is_in_the_provenance(koshari, mona, karim):
    [span] = mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    review(span, karim, "correct", criticality="low")
    text = str(gold_of(koshari)[0].provenance)
    assert "Mona" not in text
    assert "Karim" not in text
    assert rater_of(mona, koshari.project).pseudonym in text


def test_a_set_as_large_as_the_published_one_is_derived_in_few_statements(project, django_assert_max_num_queries):
    """1,050 responses with 7,470 errors: about a second alone; the statements, not the seconds, are the promise."""
    model = add_response(project, "model", "x", "bn-BD")
    text = "পান্তা ইলিশ " * 200
    Prompt.objects.bulk_create(
        [
            Prompt(project=project, key=f"q{number}", text=f"q{number}", text_sha256="0", variety=model.variety)
            for number in range(1050)
        ]
    )
    prompts = Prompt.objects.filter(project=project, key__startswith="q").order_by("id")
    responses = Response.objects.bulk_create(
        [
            Response(
                project=project,
                prompt=prompt,
                target_model=model.target_model,
                variety=model.variety,
                key=f"r{number}",
                text=text,
                text_sha256="0",
            )
            for number, prompt in enumerate(prompts)
        ]
    )
    per_response = [8 if number < 120 else 7 for number in range(1050)]
    assert many_marked(project, responses, per_response) == 7470

    ids = [response.id for response in responses]
    # SQLite takes 999 values in a statement, 52 errors at a time: most of these are its inserts.
    with django_assert_max_num_queries(220):
        began = time.perf_counter()
        assert derive(ids) == 7470
        print(f"derived in {time.perf_counter() - began:.2f} s")
    began = time.perf_counter()
    assert derive(ids) == 7470
    print(f"derived again in {time.perf_counter() - began:.2f} s")
    assert GoldError.objects.count() == 7470
