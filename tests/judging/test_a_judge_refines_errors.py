"""A judge proposes where kept errors lie and what is wrong; Hana confirms, edits and refuses."""

import json

import pytest

from annotation import classification, groups, refining
from annotation.acceptance.jobs import carry_out
from annotation.acceptance.settling import draw
from annotation.gold import derive
from annotation.models import Classification, GoldError, Refinement
from annotation.refining import Refined
from jobs.working import work_on
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.replaying import replay
from judging.engine.setups import setup_of
from judging.models import ANSWERED, Call
from projects.models import Response
from projects.problems import Invalid
from providers.client.replies import Reply
from reports.frames.coding import refinements
from tests.annotation.marked import mark, rater_of, review
from tests.judging.every_kind import judge_of
from tests.judging.proposing import DISH, FAST, LONGER_FAST, PHARAOHS, keep_touching_errors, run_through
from tests.people import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/p/feasts/refinements/"
WRONG = "الكشري مش أكلة رمضان، محدش بيتسحر بيه."


@pytest.fixture
def kept(koshari, mona, karim):
    """Five kept errors; of two of them, which are grouped, people said why."""
    return keep_touching_errors(koshari, mona, karim)


@pytest.fixture
def judge(project, provider):
    return judge_of("refinement", project, provider)


def answered(judge, **said) -> Call | None:
    """A run whose every reply says this; by words of the first mark where these are given."""
    run = runs.create_run(judge, Response.objects.filter(project=judge.project))
    setup = setup_of(run)
    empty = {"quote": None, "occurrence": None, "explanation": None}

    def answer(question, ticket) -> Reply:
        chosen = said.get(question.material.errors[0].words, said.get("else", {}))
        text = json.dumps({"ticket": ticket, **empty, **chosen}, ensure_ascii=False)
        return Reply(text=text, model=judge.model, finish_reason="stop")

    assert setup.kind.kind == "refinement"
    replay(run, answer)
    return run.calls.order_by("pk").first()


def proposal_for(span) -> Refinement:
    return Refinement.objects.get(span=span, rater__kind="judge")


# --- What is asked ------------------------------------------------------------------------------------


def test_each_kept_error_is_asked_about_once_with_all_its_marks_and_what_was_said(
    judge, kept, koshari, karim, mona, fake_provider, project, hana
):
    fake_provider.tell(record=True)
    kept[FAST].reviews.update(comment="  It is said of sahur 🌙.  ")
    kept[LONGER_FAST].reviews.update(comment="Yes, every night.")
    kept[PHARAOHS].reviews.update(comment="")
    groups.group([kept[FAST], kept[LONGER_FAST]], rater_of(hana, project))
    run_through(judge)
    asked = [request["body"]["messages"][1]["content"] for request in fake_provider.asked()]
    assert len(asked) == 4, "five spans, of which two are one error"
    [of_group] = [text for text in asked if "It is said of sahur 🌙." in text]
    assert of_group.count("<<<words") == 2
    assert "Yes, every night." in of_group
    assert "\n  It is said" not in of_group
    [of_pharaohs] = [text for text in asked if f"\n{PHARAOHS}\n<<<end of words" in text]
    assert "<<<comment" not in of_pharaohs
    assert "Egyptian Arabic" in fake_provider.asked()[0]["body"]["messages"][0]["content"]


def test_the_simulated_judge_answers_and_nothing_counts_before_it_is_confirmed(judge, kept, koshari):
    before = list(GoldError.objects.order_by("key").values("key", "quote", "explanation", "provenance"))
    run_through(judge)
    assert set(Call.objects.values_list("state", flat=True)) <= set(ANSWERED)
    assert Refinement.objects.count() == 5
    assert all(koshari.text[one.start : one.end] == one.quote for one in Refinement.objects.exclude(start=None))
    derive([koshari.pk])
    assert list(GoldError.objects.order_by("key").values("key", "quote", "explanation", "provenance")) == before
    with pytest.raises(Invalid, match="No kept error that is to be refined"):
        runs.create_run(judge, Response.objects.filter(project=judge.project), round=2)


def test_what_its_own_laboratory_marked_is_left_out_and_counted(
    judge, kept, project, koshari, mona, karim, simba, hana
):
    """Simba's error is one with Mona's: of the five errors four are asked about."""
    [judged] = mark(koshari, simba, "الناس بتاكل")
    for person in (mona, karim):
        review(judged, person, "keep")
    groups.group([judged, kept[FAST]], rater_of(hana, project))
    planned = plan(judge, Response.objects.filter(project=project))
    assert (planned.size, planned.withheld) == (4, 1)
    assert not {judged.pk, kept[FAST].pk} & {pk for spans in planned.about.values() for pk in spans}


# --- What counts as an answer -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"quote": "كلام مش موجود", "occurrence": 1}, "quote_without_place"),
        ({"quote": "الكشري", "occurrence": None}, "quote_without_place"),
        ({"quote": "المكرونة", "occurrence": 1}, "quote_elsewhere"),
        ({"quote": None, "occurrence": 1}, "quote_does_not_fit_anchor"),
        ({"quote": "🌙"}, "quote_without_place"),
        ({"quote": 7}, "wrong_type"),
    ],
)
def test_boundaries_are_never_looser_than_those_of_span_judges(judge, kept, said, problem):
    call = answered(judge, **{"else": said})
    assert call is not None
    assert call.state not in ANSWERED
    assert call.problem.startswith(problem)
    assert not Refinement.objects.exists()


def test_nothing_is_an_answer_and_the_same_again_is_nothing(judge, kept):
    answered(
        judge,
        **{
            FAST: {"quote": FAST, "occurrence": 1, "explanation": f" about {FAST} "},
            "else": {},
        },
    )
    assert Refinement.objects.count() == 5
    assert all(one.is_nothing for one in Refinement.objects.all())


# --- What people make of it ---------------------------------------------------------------------------


@pytest.fixture
def proposed(judge, kept):
    """Shorter words and an explanation in Arabic for one, an explanation for another, nothing for the rest."""
    shorter = {"quote": "في رمضان", "occurrence": 1, "explanation": WRONG}
    answered(judge, **{FAST: shorter, PHARAOHS: {"explanation": "مش من أيام الفراعنة."}, "else": {}})
    return kept


def test_hana_sees_marks_comments_and_the_proposal(hana, proposed, project):
    proposed[FAST].reviews.update(comment="Every night, they say.")
    shown = signed_in(hana).get(PAGE).content.decode()
    assert "5 proposals wait" in shown
    seen = shown
    for one in Refinement.objects.order_by("pk"):
        seen += signed_in(hana).get(f"{PAGE}?after={one.pk}").content.decode()
    assert WRONG in seen
    assert "Every night, they say." in seen
    assert "Nothing to change" in seen
    assert ">في رمضان</mark>" in seen
    assert rater_of(hana, project).pseudonym not in seen


def test_what_is_confirmed_stands_in_the_gold(hana, proposed, koshari, project, judge):
    one = proposal_for(proposed[FAST])
    signed_in(hana).post(f"{PAGE}{one.pk}/", {"act": "confirm"})
    error = GoldError.objects.get(spans=proposed[FAST])
    assert (error.quote, error.explanation, error.error_type) == ("في رمضان", WRONG, "cultural")
    assert koshari.text[error.start : error.end] == error.quote
    assert error.provenance["refined_by"] == sorted([judge.rater.pseudonym, rater_of(hana, project).pseudonym])
    other = proposal_for(proposed[PHARAOHS])
    signed_in(hana).post(f"{PAGE}{other.pk}/", {"act": "confirm"})
    error = GoldError.objects.get(spans=proposed[PHARAOHS])
    assert (error.quote, error.explanation) == (PHARAOHS, "مش من أيام الفراعنة.")


def test_hana_s_own_words_stand_and_the_proposal_is_refused(hana, proposed, project, koshari):
    one = proposal_for(proposed[FAST])
    said = {"act": "change", "quote": "رمضان الناس", "occurrence": "", "explanation": "مش في رمضان."}
    signed_in(hana).post(f"{PAGE}{one.pk}/", said)
    one.refresh_from_db()
    assert one.refused_by == rater_of(hana, project)
    error = GoldError.objects.get(spans=proposed[FAST])
    assert (error.quote, error.explanation) == ("رمضان الناس", "مش في رمضان.")
    assert error.provenance["refined_by"] == [rater_of(hana, project).pseudonym]
    frame = refinements(project).set_index(["span_key", "rater_kind"])
    assert frame.loc[(proposed[FAST].key, "human"), "quote"] == "رمضان الناس"
    assert frame.loc[(proposed[FAST].key, "judge"), "refused_by"] == rater_of(hana, project).pseudonym


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"quote": "كلام مش موجود"}, "does not occur"),
        ({"quote": "المكرونة"}, "lie elsewhere"),
        ({"quote": "الكشري"}, "occurs 2 times"),
        ({"quote": "الكشري", "occurrence": "9"}, "no occurrence 9"),
        ({"quote": "الكشري", "occurrence": "x"}, "whole number"),
        ({"quote": "ر" * 50_001}, "50000"),
    ],
)
def test_words_that_are_not_there_are_refused_and_the_proposal_waits(hana, proposed, said, told):
    one = proposal_for(proposed[FAST])
    sent = {"act": "change", "explanation": "", **said}
    answer = signed_in(hana).post(f"{PAGE}{one.pk}/", sent, follow=True)
    assert told in answer.content.decode().replace("\u202f", "").replace("\u2068", "").replace("\u2069", "")
    assert refining.proposals_of(proposed[FAST].response.project).count() == 5


def test_what_is_sent_back_unchanged_confirms_it_and_restores_nothing(hana, proposed, project):
    one = proposal_for(proposed[FAST])
    sent = {"act": "change", "quote": "في رمضان", "occurrence": "", "explanation": WRONG}
    signed_in(hana).post(f"{PAGE}{one.pk}/", sent)
    one.refresh_from_db()
    assert one.confirmed_by == rater_of(hana, project)
    assert Refinement.objects.filter(rater__kind="human").count() == 0


def test_what_is_refused_leaves_the_error_as_it_was_and_a_second_tab_is_told(hana, nour, proposed):
    one = proposal_for(proposed[FAST])
    signed_in(hana).post(f"{PAGE}{one.pk}/", {"act": "refuse"})
    error = GoldError.objects.get(spans=proposed[FAST])
    assert (error.quote, "refined_by" in error.provenance) == (FAST, False)
    answer = signed_in(nour).post(f"{PAGE}{one.pk}/", {"act": "confirm"}, follow=True)
    assert "decided meanwhile" in answer.content.decode()
    assert GoldError.objects.get(spans=proposed[FAST]).quote == FAST


def test_a_project_without_proposals_says_what_to_do(nour, project):
    assert "No proposal waits" in signed_in(nour).get(PAGE).content.decode()


def test_the_database_refuses_words_that_are_not_there(proposed, judge, hana, project):
    from django.db import IntegrityError, transaction

    with pytest.raises(IntegrityError), transaction.atomic():
        Refinement.objects.create(span=proposed[DISH], rater=rater_of(hana, project), start=0, end=3, quote="abc")
    with pytest.raises(IntegrityError), transaction.atomic():
        Refinement.objects.filter(span=proposed[FAST]).update(start=1, end=2)


# --- Many at once -------------------------------------------------------------------------------------


def test_the_rest_is_accepted_unseen_after_a_sample_and_taken_back(nour, hana, judge, proposed, project):
    acceptance = draw(project, "refinements", judge.rater, nour, size=2, seed=1)
    drawn = Refinement.objects.filter(acceptance_members__is_drawn=True)
    shown = signed_in(hana).get(PAGE).content.decode()
    assert "2 proposals wait" in shown
    for one in drawn:
        signed_in(hana).post(f"{PAGE}{one.pk}/", {"act": "confirm"})
    settled, job = carry_out(acceptance, "accept", "None was wrong", nour)
    assert job is not None
    work_on(job.pk)
    settled.refresh_from_db()
    assert settled.accepted == 3
    assert GoldError.objects.get(spans=proposed[FAST]).quote == "في رمضان"
    unseen = [error.provenance.get("accepted_unseen") for error in GoldError.objects.all()]
    assert unseen.count({"refinement": settled.number}) == 3
    assert sum(refinements(project)["is_accepted_unseen"]) == 3
    _taken, job = carry_out(settled, "take_back", "Looked again", nour)
    assert job is not None
    work_on(job.pk)
    assert refining.proposals_of(project).count() == 3
    assert sum("refined_by" in error.provenance for error in GoldError.objects.all()) == 2


def test_a_proposal_for_what_is_kept_no_longer_waits_for_nobody(proposed, koshari, project, hana, judge):
    proposed[FAST].reviews.update(verdict="reject")
    derive([koshari.pk])
    assert refining.proposals_of(project).count() == 4
    assert refining.propose(judge.rater, {proposed[FAST].pk: Refined(explanation="Late")}) == 0


def test_a_person_proposes_nothing_and_a_judge_once(proposed, judge, project, hana):
    with pytest.raises(ValueError, match="judges propose"):
        refining.propose(rater_of(hana, project), {})
    assert refining.propose(judge.rater, {proposed[FAST].pk: Refined(explanation="Again")}) == 0
    assert not Classification.objects.exists()
    assert not classification.proposed(project).exists()
