"""What grades add up to: by hand on two responses, and on drawn studies whose leniency and severity are known."""

import json

import pytest
from django.utils import timezone

from jobs.models import Job
from judging.models import Call, Judge, PromptVersion, Run, Shard
from projects.models import LanguageVariety, Rater, Response
from providers.models import Provider
from reports.dashboard.tables import Table, by_id
from reports.rubrics.dashboard import RUBRICS
from rubrics.models import Criterion, Grade, GradeRole, Rubric, Verdict
from tests.people import add_response
from tests.reports.perle import ABILITY, JUDGES, study
from tests.reports.reading import figure
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project

pytestmark = pytest.mark.django_db


def table(project, table_id: str, **filters) -> Table:
    found = by_id(RUBRICS.tables(project, filters=filters), table_id)
    assert found is not None, table_id
    return found


def person(project, name: str, *tags: str) -> Rater:
    rater = Rater.objects.create(project=project, kind="human", name=name)
    rater.varieties.set(LanguageVariety.objects.filter(tag__in=tags))
    return rater


def judged(grade: Grade, judge: Rater, passed: tuple[str, ...], sees_errors: bool) -> Grade:
    """The judge's grade on the same criteria: these passed, and all of the person's errors seen or none."""
    verdicts = []
    raw = 0
    for criterion in Criterion.objects.filter(verdicts__grade=grade):
        given = criterion.key in passed if criterion.is_positive else sees_errors
        raw += criterion.weight * given
        value = ("fail", "pass")[given] if criterion.is_positive else ("absent", "present")[given]
        verdicts.append(Verdict(criterion=criterion, value=value, justification="So it reads."))
    again = Grade.objects.create(
        response=grade.response,
        rubric=grade.rubric,
        rater=judge,
        role=GradeRole.JUDGE,
        raw=raw,
        maximum=grade.maximum,
    )
    for verdict in verdicts:
        verdict.grade = again
    Verdict.objects.bulk_create(verdicts)
    return again


@pytest.fixture
def rubrics(project):
    return make_rubrics_project(project)


@pytest.fixture
def farida(rubrics):
    return person(rubrics, "Farida", "ar-EG")


@pytest.fixture
def worked(rubrics, farida, simba):
    """Two responses. On the first Farida gives -26 of 37, as in Perle's worked example; Simba sees no error and
    passes one more criterion. On the second they agree.

    Positive weights are 10, 8, 6, 8, 5. Farida passes c5 (5) and records -15, -10 and -6: raw -26, P -70.27.
    Simba passes c5 and c4: raw 13, P 35.14, so the error is 39 of 37 points, 105.41.
    """
    first = add_response(rubrics, "notes", "The red one is called a brick.", "ar-EG", "Muse")
    second = add_response(rubrics, "bread", "It is eaten with broth.", "ar-EG", "Grok")
    rubric = frozen_rubric(first.prompt, farida)
    strict = graded(first, farida, rubric, ["c5"], errors=(-15, -10, -6), failure_type="cultural-misattribution")
    other = frozen_rubric(second.prompt, farida, scope="linguistics")
    even = graded(second, farida, other, ["c1", "c2", "c3", "c4", "c5"])
    judged(strict, simba, ("c5", "c4"), sees_errors=False)
    judged(even, simba, ("c1", "c2", "c3", "c4", "c5"), sees_errors=True)
    return strict


def test_the_worked_example_is_scored_and_missed_as_by_hand(rubrics, worked):
    scores = table(rubrics, "human-scores")
    assert figure(scores, "Muse", "Both domains", measure="mean score").number == pytest.approx(-70.27, abs=0.005)
    judges = table(rubrics, "judges-against-people")
    assert figure(judges, "Simba", measure="MAD").number == pytest.approx((3900 / 37 + 0) / 2)
    assert figure(judges, "Simba", measure="signed error").number == pytest.approx(3900 / 37 / 2)
    gap = table(rubrics, "domain-gap")
    assert figure(gap, "Simba", measure="domain gap").number == pytest.approx(0 - 3900 / 37)
    targets = table(rubrics, "targets")
    assert figure(targets, "Muse", measure="MAD").number == pytest.approx(3900 / 37)
    assert figure(targets, "Grok", measure="MAD").value == 0
    [miss] = table(rubrics, "widest-misses").rows
    assert miss.labels == ("Simba", "notes")
    assert [round(one.number, 2) for one in miss.figures] == [105.41, 35.14, -70.27]


def test_the_errors_of_kinds_of_criteria_add_up_to_the_whole(rubrics, worked):
    parts = table(rubrics, "error-by-aspect")
    # Of the first response; the second has no error and no negative criterion.
    assert figure(parts, "Negative", measure="signed error").number == pytest.approx(100 * 31 / 37)
    assert figure(parts, "Cultural misattribution", measure="MAD").number == pytest.approx(100 * 31 / 37)
    assert figure(parts, "Positive", measure="signed error").number == pytest.approx(100 * 8 / 37 / 2)
    # c4 is subjective and explicit, as criteria with an even number are subjective and every third is implicit.
    assert figure(parts, "Subjective", measure="signed error").number == pytest.approx(100 * 8 / 37 / 2)


def test_recall_of_recorded_errors_and_agreement_by_type(rubrics, worked):
    seen = table(rubrics, "penalties-seen")
    recall = figure(seen, "Simba", "Cultural misattribution", measure="recall")
    assert (recall.value, recall.n) == (0.0, 3)
    types = table(rubrics, "criterion-types")
    assert figure(types, "Simba", "Negative", measure="Cohen's kappa").undefined == "no variation"
    # Positive, explicit, subjective: c2 and c4 of both responses; only c4 of the first differs.
    assert figure(types, "Positive", "Explicit", "Subjective", measure="same verdict").value == pytest.approx(3 / 4)


def test_rates_are_per_pair_of_prompt_and_target(rubrics, worked):
    rates = table(rubrics, "failure-types")
    rate = figure(rates, "Cultural misattribution", measure="rate per 100 pairs")
    assert (rate.value, rate.n) == (150.0, 2)
    assert figure(rates, "Cultural misattribution", measure="share").value == 1.0
    assert figure(rates, "Rendering failure", measure="errors").value == 0.0


def test_without_a_second_person_there_is_no_ceiling_and_with_one_there_is(rubrics, worked):
    assert table(rubrics, "judges-against-people").ceilings == {}
    assert "no response was graded by two people" in table(rubrics, "human-ceiling").summary
    second = person(rubrics, "Karima", "ar-EG")
    graded(worked.response, second, worked.rubric, ["c5", "c3"], role=GradeRole.REGRADE)  # 11 of 37
    # One second grading, 37 of 37 points from the first.
    ceiling = table(rubrics, "judges-against-people").ceilings["MAD"]
    assert (ceiling.number, ceiling.n) == (pytest.approx(100 * 37 / 37), 1)
    people = table(rubrics, "human-ceiling")
    assert figure(people, second.pseudonym, measure="signed error").number == pytest.approx(100)


def test_the_ceiling_is_of_the_task_of_the_judge(rubrics, worked):
    """Farida's first grading is -26 of 37. Karima regrades, given her errors: 5 - 15 - 10 = -20, 6 of 37 away. Salma
    calibrates, recording her own: 5 + 10 - 3 = 12, 38 of 37 away. Simba was given the errors, Nala records her own.
    """
    karima, salma = person(rubrics, "Karima", "ar-EG"), person(rubrics, "Salma", "ar-EG")
    again = graded(worked.response, karima, worked.rubric, ["c5"], role=GradeRole.REGRADE)
    Grade.objects.filter(pk=again.pk).update(raw=-20)
    graded(worked.response, salma, worked.rubric, ["c5", "c1"], errors=(-3,), role=GradeRole.CALIBRATION)
    given = table(rubrics, "judges-against-people")
    assert (given.ceilings["MAD"].number, given.ceilings["MAD"].n) == (pytest.approx(100 * 6 / 37), 1)
    assert "given the recorded errors as these judges are, are 16.22" in given.note.replace("\u2068", "")
    assert "Calibration, recording errors of their own: 102.70" in given.note.replace("\u2068", "")
    tasks = table(rubrics, "ceilings-by-task")
    [first, second] = tasks.rows
    assert [first.labels[0], second.labels[0]] == [
        "Second gradings, given the recorded errors",
        "Calibration, recording errors of their own",
    ]
    assert [row.figures[0].number for row in tasks.rows] == pytest.approx([600 / 37, 3800 / 37])
    assert [row.figures[1].number for row in tasks.rows] == pytest.approx([600 / 37, 3800 / 37])
    assert by_id(RUBRICS.tables(rubrics), "judges-own-errors-against-people") is None

    nala = Rater.objects.create(
        project=rubrics,
        kind="judge",
        name="Nala",
        model="nala-1",
        laboratory=Rater.objects.get(name="Simba").laboratory,
    )
    graded(worked.response, nala, worked.rubric, ["c5"], errors=(-15,), role=GradeRole.CALIBRATION)  # -10: 16 away
    given, own = table(rubrics, "judges-against-people"), table(rubrics, "judges-own-errors-against-people")
    assert [row.labels for row in given.rows] == [("Simba",)]
    assert given.ceilings["MAD"].number == pytest.approx(600 / 37)
    assert [row.labels for row in own.rows] == [("Nala",)]
    assert figure(own, "Nala", measure="MAD").number == pytest.approx(1600 / 37)
    assert own.ceilings["MAD"].number == pytest.approx(3800 / 37)
    assert "record errors of their own, as these judges do, are 102.70" in own.note.replace("\u2068", "")
    split = table(rubrics, "judges-own-errors-by-setting")
    assert {row.labels[0] for row in split.rows} == {"Nala"}
    assert split.ceilings["MAD"].number == pytest.approx(3800 / 37)


def test_a_declined_evaluation_is_counted_beside_the_means(rubrics, worked, simba, farida):
    third = add_response(rubrics, "tea", "With milk.", "ar-EG", "Muse")
    graded(third, farida, frozen_rubric(third.prompt, farida), ["c1"])
    before = figure(table(rubrics, "judges-against-people"), "Simba", measure="MAD")
    judge = Judge.objects.create(
        project=rubrics,
        rater=simba,
        kind="rubric",
        model="simba-1",
        provider=Provider.objects.create(name="near", base_url="http://127.0.0.1:9/v1"),
    )
    version = PromptVersion.objects.create(name="rubric", version="v1", text="", text_sha256="")
    run = Run.objects.create(project=rubrics, judge=judge, prompt_version=version)
    shard = Shard.objects.create(run=run, number=1, job=Job.objects.create(kind="judge_shard", queue="calls"))
    for response in Response.objects.filter(project=rubrics):
        state = "refused" if response == third else "scored"
        Call.objects.create(run=run, shard=shard, judge=judge, response=response, prompt_version=version, state=state)
    after = table(rubrics, "judges-against-people")
    mad, answered = (figure(after, "Simba", measure=name) for name in ("MAD", "answered"))
    assert (mad.value, mad.n) == (before.value, before.n)
    assert (mad.detail["scored"], mad.detail["planned"], answered.number) == (2, 3, pytest.approx(2 / 3))


def test_grades_under_an_older_version_are_left_out_and_counted(rubrics, worked, farida):
    newer = frozen_rubric_version(worked, farida)
    scores = table(rubrics, "human-scores")
    assert "2 grades under an older version of their rubric are left out." in scores.note
    assert "1 response waits for its first grading." in scores.note
    assert not [row for row in scores.rows if "Muse" in row.labels]
    assert scores.recipe.extras["left out: grades under an older version"] == 2
    graded(worked.response, farida, newer, ["c1"])
    assert figure(table(rubrics, "human-scores"), "Muse", "Both domains", measure="mean score").value == 100.0


def frozen_rubric_version(grade: Grade, author: Rater):
    """A second version of the rubric that a grade was given under, with one criterion."""
    newer = Rubric.objects.create(
        project=grade.rubric.project,
        prompt=grade.rubric.prompt,
        author=author,
        scope="cultural",
        gold_answer="Said better.",
        version=2,
        supersedes=grade.rubric,
    )
    Criterion.objects.create(
        rubric=newer, key="c1", text="Names it.", weight=10, objectivity="objective", explicitness="explicit"
    )
    newer.sha256, newer.frozen_at = "a" * 64, timezone.now()
    newer.save(update_fields=["sha256", "frozen_at"])
    return newer


def test_filters_keep_a_part(rubrics, worked):
    assert table(rubrics, "human-scores", domain="cultural").rows[-1].figures[0].n == 1
    assert table(rubrics, "judges-against-people", model="Grok").rows[0].figures[0].value == 0
    assert table(rubrics, "judges-against-people", judge="nobody").rows == ()
    assert table(rubrics, "human-scores", judge="Simba").rows, "people's figures stay"


def test_leniency_that_was_put_into_judges_is_found():
    drawn = study(prompts=24, seed=3, errors=2)
    judges = table(drawn.project, "judges-against-people")
    for judge in JUDGES:
        expected, spread = drawn.expected[judge.name]
        found = figure(judges, judge.name, measure="signed error")
        assert found.number == pytest.approx(expected, abs=3.5 * spread), judge.name
    assert [row.labels[0] for row in judges.rows] == ["strict", "even", "lenient"], "ascending by MAD"
    # Whose laboratory made Tower-2 never judged it.
    assert figure(judges, "lenient", measure="MAD").n == 2 * 24 * 2


def test_severity_that_was_put_into_communities_is_found_where_the_design_links_them():
    drawn = study(prompts=24, seed=5, calibrated=14, regraded=20, errors=0, judges=())
    pairs = table(drawn.project, "community-pairs")
    gap = figure(pairs, "ar-EG", "ar-IQ", measure="severity in scores")
    truth = mean_severity(drawn, "ar-EG") - mean_severity(drawn, "ar-IQ")
    assert gap.number == pytest.approx(truth, abs=3 * gap.detail["se"])
    assert gap.low < gap.number < gap.high < 0, "and not within its error of none"
    left = figure(pairs, "ar-EG", "ar-IQ", measure="difference in responses")
    assert left.number == pytest.approx(ABILITY["ar-EG"] - ABILITY["ar-IQ"], abs=3 * left.detail["se"])
    raters = table(drawn.project, "rater-severity")
    whole = sum(drawn.severity.values()) / len(drawn.severity)
    for rater in (one for people in drawn.people.values() for one in people):
        found = figure(raters, rater.pseudonym, measure="severity in scores")
        assert found.number == pytest.approx(drawn.severity[rater.pk] - whole, abs=3.5 * found.detail["se"])
    in_verdicts = figure(pairs, "ar-EG", "ar-IQ", measure="severity in verdicts")
    assert in_verdicts.high is not None
    assert in_verdicts.high < 0
    assert "ar-IQ graders are more severe than ar-EG graders by" in table(drawn.project, "community-severity").summary
    assert raters.recipe.settings["cuts"]


def mean_severity(drawn, tag: str) -> float:
    people = drawn.people[tag]
    return sum(drawn.severity[rater.pk] for rater in people) / len(people)


def test_where_the_design_does_not_link_communities_it_is_said_plainly():
    drawn = study(prompts=8, regraded=12, judges=())
    communities = table(drawn.project, "community-severity")
    assert communities.summary == (
        "ar-EG and ar-IQ: these communities share no graded response: a gap between them may be leniency."
    )
    assert {one.undefined for row in communities.rows for one in row.figures} == {"not linked"}
    # Within a community people regraded each other, so there they can be compared.
    assert all(row.figures[0].value is not None for row in table(drawn.project, "rater-severity").rows)


def test_a_person_who_names_no_variety_belongs_where_their_first_gradings_lie():
    drawn = study(prompts=6, calibrated=4, judges=())
    for rater in drawn.people["ar-IQ"]:
        rater.varieties.clear()
    raters = table(drawn.project, "rater-severity")
    for rater in drawn.people["ar-IQ"]:
        [row] = [row for row in raters.rows if rater.pseudonym in row.labels]
        assert row.labels[1] == "ar-IQ"


def test_simulated_judges_and_generated_data_are_marked():
    drawn = study(prompts=3, is_generated=True)
    assert {row.marks for row in table(drawn.project, "judges-against-people").rows} == {("simulated", "generated")}
    assert {row.marks for row in table(drawn.project, "human-scores").rows} == {("generated",)}


def test_every_table_can_be_written_down_and_names_its_recipe():
    drawn = study(prompts=4, calibrated=2, regraded=2)
    for one in RUBRICS.tables(drawn.project):
        assert json.dumps(one.as_json(), allow_nan=False)
        assert one.recipe.signature()
        assert one.as_csv()
