"""Nour has one judge help to build the gold and another evaluated: nothing of the second reaches people or the gold."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction

from annotation.adjudication import adjudicate
from annotation.gold import derive
from annotation.models import GoldAnswer, GoldError, Marking, Review, Span
from annotation.outcomes import OF_EVALUATION, cases
from annotation.overview import overview
from annotation.reviews.planning import reviewed_spans
from judging.engine import run_sets, runs
from judging.engine.choice import Choice
from judging.engine.purposes import purpose_of
from judging.judges import add_judge
from judging.kinds import judge_kinds
from judging.models import Purpose, Run
from projects.models import Response
from projects.problems import Invalid
from reports.areas import areas
from reports.spans.gold import lines
from tests.annotation.marked import mark, rater_of, review
from tests.people import signed_in
from tests.reports.reading import figure, table
from workflow.models import Assignment, Stage, WorkItem

NIGHTLY = "على السحور"


@pytest.fixture
def responses(project, feasts):
    return Response.objects.filter(project=project)


@pytest.fixture
def stages(project):
    Stage.objects.create(project=project, kind="spans", name="Marking", overlap=1, position=1)
    return Stage.objects.create(project=project, kind="validation", name="Experts", overlap=2, position=2)


def answer(judge, **asked) -> Run:
    """The judge answers now, in this process."""
    call_command(
        "run_judges", "feasts", "--judge", judge.rater.name, "--here", *(f"--{k}={v}" for k, v in asked.items())
    )
    return judge.runs.first()


def of_people(project) -> dict:
    """All that people are asked, and all that is gold."""
    return {
        "items": WorkItem.objects.filter(stage__project=project).count(),
        "turns": Assignment.objects.filter(stage__project=project).count(),
        "gold": sorted(GoldError.objects.filter(response__project=project).values_list("key", flat=True)),
        "answers": sorted(
            GoldAnswer.objects.filter(response__project=project).values_list(
                "response", "kept", "rejected", "open", "pending"
            )
        ),
        "file": b"".join(lines(project)),
        "put": sorted(reviewed_spans().filter(response__project=project).values_list("pk", flat=True)),
    }


def test_a_run_for_evaluation_reaches_no_person_and_no_gold(project, judge, responses, koshari, mona, stages):
    mark(koshari, mona, NIGHTLY)
    derive([koshari.pk])
    before = of_people(project)
    run = answer(judge, purpose="evaluation")
    assert run.purpose == Purpose.EVALUATION
    assert Marking.objects.filter(rater=judge.rater, is_evaluation=True).count() == 12
    assert Marking.objects.get(rater=judge.rater, response=koshari).metadata["purpose"] == "evaluation"
    assert of_people(project) == before
    assert stages.items.count() == 0


def test_a_run_for_the_gold_works_as_ever(project, judge, responses, koshari, mona, stages):
    mark(koshari, mona, NIGHTLY)
    derive([koshari.pk])
    run = answer(judge)
    assert run.purpose == Purpose.GOLD, "error spans of judges are reviewed and become gold"
    assert not Marking.objects.filter(is_evaluation=True).exists()
    assert "purpose" not in Marking.objects.get(rater=judge.rater, response=koshari).metadata
    assert reviewed_spans().filter(rater=judge.rater).exists()
    assert stages.items.filter(response=koshari).exists()


def test_whatever_is_said_of_its_spans_they_stay_out_of_the_gold(project, judge, responses, koshari, mona, karim, hana):
    mark(koshari, mona, NIGHTLY)
    answer(judge, purpose="evaluation")
    span = Span.objects.filter(rater=judge.rater, response=koshari).first()
    for person in (mona, karim):
        review(span, person, "keep")
    derive([koshari.pk])
    [case] = [case for case in cases([koshari.pk]) if case.span.id == span.pk]
    assert case.outcome == OF_EVALUATION
    assert not GoldError.objects.filter(response=koshari, found_by_judge=True).exists()
    Review.objects.filter(span=span).update(verdict="differs")
    with pytest.raises(Invalid):
        adjudicate(span, rater_of(hana, project), is_kept=True, varies_by_region=False, reason="So it is.")


def test_its_figures_stand_and_nothing_of_it_waits(project, judge, responses, koshari, mona, karim):
    """What waits is counted of judges whose spans people review."""
    for person in (mona, karim):
        mark(koshari, person, NIGHTLY)
    for span in Span.objects.filter(response=koshari):
        review(span, karim if span.rater == rater_of(mona, project) else mona, "keep")
    derive([koshari.pk])
    answer(judge, purpose="evaluation")
    scores = table(project, "judge-scores")
    answered = figure(scores, judge.rater.name, "All varieties", measure="answered")
    assert (answered.value, answered.detail["waiting"]) == (1.0, 0)
    assert figure(scores, judge.rater.name, "All varieties", measure="F1").n > 0
    detectors = {row.labels[1] for row in table(project, "retained").rows}
    assert judge.rater.name not in detectors, "nobody validates it"
    assert "gold-builder" not in next(row for row in scores.rows if row.labels[0] == judge.rater.name).marks


def test_one_judge_has_both_in_rounds_of_their_own(project, judge, responses, koshari, mona, karim):
    """What it found for the gold stays its own in the figures of the round that is for evaluation."""
    [nightly] = mark(koshari, mona, NIGHTLY)
    review(nightly, karim, "reject")
    answer(judge)
    with pytest.raises(Invalid) as refused:
        runs.create_run(judge, responses, purpose=Purpose.EVALUATION)
    [problem] = refused.value.problems
    assert problem.code == "round_of_other_purpose"
    assert "round 2" in str(problem.message)
    assert judge.runs.count() == 1
    for span in Span.objects.filter(rater=judge.rater, response=koshari):
        review(span, mona, "keep")
    derive([koshari.pk])
    own = GoldError.objects.filter(response=koshari, found_by_judge=True).count()
    assert own
    answer(judge, purpose="evaluation", round=2)
    for round in (1, 2):
        markings = Marking.objects.filter(rater=judge.rater, round=round)
        assert set(markings.values_list("is_evaluation", flat=True)) == {round == 2}
    assert GoldError.objects.filter(response=koshari, found_by_judge=True).count() == own
    scores = table(project, "judge-scores")
    row = next(row for row in scores.rows if row.labels == (judge.rater.name, "All varieties"))
    recall, without_own = row.figures[1], row.figures[5]
    assert (recall.detail["gold"], without_own.detail["gold"]) == (own, 0), "all of the gold is what it found itself"
    assert "gold-builder" in scores.rows[0].marks


def test_the_database_refuses_a_second_purpose_of_a_round(judge, responses):
    """Whoever writes: a run that is planned without the check, and one that is changed afterwards."""
    first = runs.create_run(judge, responses, purpose=Purpose.EVALUATION)
    row = {"project": judge.project, "judge": judge, "prompt_version": first.prompt_version}
    with pytest.raises(IntegrityError, match="a round of a judge has one purpose"), transaction.atomic():
        Run.objects.create(**row, round=1, purpose=Purpose.GOLD)
    with pytest.raises(IntegrityError, match="a round of a judge has one purpose"), transaction.atomic():
        Run.objects.bulk_create([Run(**row, round=2, purpose=purpose) for purpose in Purpose.values])
    other = Run.objects.create(**row, round=2, purpose=Purpose.GOLD)
    Run.objects.create(**row, round=2, purpose=Purpose.GOLD)
    for change in ({"round": 1}, {"purpose": Purpose.EVALUATION}):
        with pytest.raises(IntegrityError, match="a round of a judge has one purpose"), transaction.atomic():
            Run.objects.filter(pk=other.pk).update(**change)
    Run.objects.filter(pk=first.pk).update(purpose=Purpose.GOLD)  # alone in its round
    assert judge.runs.count() == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_of_two_purposes_at_once_one_is_refused(judge, responses):
    """Neither sees the other's run when it begins; the second waits for the first, and then is refused."""
    version = runs.create_run(judge, responses, round=9).prompt_version

    def begin(purpose: str) -> str:
        try:
            with transaction.atomic():
                Run.objects.create(project=judge.project, judge=judge, prompt_version=version, round=1, purpose=purpose)
                both_have_begun.wait(timeout=1)
        except IntegrityError:
            return "refused"
        except BrokenBarrierError:  # the other waits for this one
            return "begun alone"
        finally:
            connection.close()
        return "begun"

    both_have_begun = Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        outcomes = sorted(pool.map(begin, Purpose.values))
    assert outcomes != ["begun", "begun"]
    assert len(set(judge.runs.filter(round=1).values_list("purpose", flat=True))) <= 1


def test_a_round_goes_on_as_it_was_begun(judge, responses):
    answer(judge, purpose="evaluation")
    assert purpose_of(judge, 1) == Purpose.EVALUATION
    assert purpose_of(judge, 2) == Purpose.GOLD


def test_the_default_is_the_areas_and_what_asks_people_cannot_be_evaluated(project, provider, judge):
    declared = {name: area.purpose for name, area in areas().items() if area.judge_kinds}
    assert declared["spans"] == Purpose.GOLD
    assert (declared["ratings"], declared["rubrics"]) == (Purpose.EVALUATION, Purpose.EVALUATION)
    assert {name for name, kind in judge_kinds().items() if not kind.can_be_evaluated} == {
        "groups",
        "categories",
        "refinement",
        "reference",
        "editing",
        "same_issue",
        "sentences",
    }
    grouping = add_judge(project, provider, "simulated-1", kind="groups", name="Grouper")
    with pytest.raises(Invalid):
        purpose_of(grouping, 1, Purpose.EVALUATION)
    assert purpose_of(grouping, 1) == Purpose.GOLD


def test_the_response_page_says_so_to_leads_and_shows_it_to_nobody_who_decides(
    project, judge, responses, koshari, mona
):
    mark(koshari, mona, NIGHTLY)
    answer(judge, purpose="evaluation")
    shown = overview(koshari, blinded=False)
    assert {view.outcome for view in shown.spans if view.case.outcome == OF_EVALUATION} == {
        "for evaluation: put to nobody"
    }
    assert all(view.case.outcome != OF_EVALUATION for view in overview(koshari, blinded=True).spans)


def test_the_pages_and_the_interface_ask_what_it_is_for(nour, judge, responses, eager):
    lead = signed_in(nour)
    chosen = {"judges": judge.pk, "purpose": "evaluation", "plan": "1"}
    plan = lead.get("/p/feasts/judges/runs/new/", chosen).content.decode()
    assert '<input type="hidden" name="purpose" value="evaluation">' in plan, "what was planned is what is begun"
    answer_of_form = lead.post(f"/p/feasts/judges/{judge.pk}/run/", {"round": "1", "purpose": "evaluation"})
    run = judge.runs.get()
    assert answer_of_form.status_code == 302
    assert run.purpose == Purpose.EVALUATION
    assert "For evaluation" in lead.get(f"/p/feasts/judges/runs/{run.uuid}/").content.decode()
    refused = lead.post(
        "/api/v1/projects/feasts/runs/",
        json.dumps({"judge": judge.rater.name, "purpose": "gold"}),
        content_type="application/json",
    )
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["code"] == "round_of_other_purpose"
    shown = lead.get(f"/api/v1/projects/feasts/runs/{run.uuid}/").json()
    assert shown["purpose"] == "evaluation"


def test_a_set_takes_it_and_a_plan_says_what_stands_in_its_way(project, judge, responses):
    run_set = run_sets.create_set(project, [judge], Choice(), 2, purpose=Purpose.EVALUATION)
    assert set(run_set.runs.values_list("purpose", flat=True)) == {Purpose.EVALUATION}
    planned = run_sets.plan_set(project, [judge], Choice(), purpose=Purpose.GOLD)
    assert "another purpose" in planned.runs[0].problem
    with pytest.raises(CommandError):
        call_command("run_judges", "feasts", "--judge", judge.rater.name, "--purpose", "gold", "--here")


def test_the_database_knows_two_purposes(judge, responses):
    run = runs.create_run(judge, responses)
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(purpose="curiosity")
