"""Every figure of a small project, worked out by hand. Who marked what stands in conftest.py (`answered`)."""

import pytest

from annotation.gold import derive
from annotation.models import Classification, ErrorGroup, Marking
from reports.dashboard.dashboards import as_json
from reports.dashboard.findings import headline
from reports.spans.dashboard import SPANS
from tests.annotation.marked import mark, rater_of, review
from tests.people import add_response
from tests.preset_parts import set_points
from tests.reports.reading import figure, table

pytestmark = pytest.mark.django_db

NIGHTLY, PHARAOHS = "على السحور", "الفراعنة"


def test_errors_per_response_of_each_rater(project, answered):
    found = table(project, "errors-per-response")
    # Mona marks two and Karim one: three errors in two answers.
    assert figure(found, "People", measure="all").value == 1.5
    assert figure(found, "People", measure="all").n == 2
    assert figure(found, "People", measure="High").value == 1.0
    assert figure(found, "People", measure="Low").value == 0.5
    assert figure(found, "Simba", measure="Medium").value == 2.0


def test_share_of_errors_that_the_others_retained(project, answered):
    found = table(project, "retained")
    assert figure(found, "People", measure="retained").value == pytest.approx(2 / 3)
    assert figure(found, "Simba", measure="retained").value == 0.5
    verdicts = table(project, "verdicts")
    assert [one.value for one in verdicts.rows[0].figures] == [1, 1, 0, 1, 2, 1, 0, 0]


def test_people_against_each_other(project, answered):
    found = table(project, "human-human")
    # Of three spans, Mona's first and Karim's only one meet: IoU 2 / 4 words.
    assert figure(found, measure="F1, pooled").value == pytest.approx(2 / 3)
    assert figure(found, measure="agree on presence").value == 1.0
    assert figure(found, measure="kappa, type").undefined == "no variation"
    at_half = table(project, "human-human", threshold=0.5)
    assert figure(at_half, measure="F1, pooled").value == 0.0


def test_a_judge_against_the_gold_and_the_human_ceiling(project, answered):
    found = table(project, "judge-scores")
    assert figure(found, "Simba", measure="precision").value == 0.5
    assert figure(found, "Simba", measure="recall").value == pytest.approx(1 / 3)
    assert figure(found, "Simba", measure="F1").value == pytest.approx(0.4)
    # Mona: 1 of 2 marks meet gold, Karim: 1 of 1. Each meets both errors about the nightly meal, of three.
    assert {name: ceiling.value for name, ceiling in found.ceilings.items()} == pytest.approx(
        {"precision": 2 / 3, "recall": 4 / 6, "F1": 2 / 3}
    )
    # Without what only they found themselves: precision 2 of 3, recall 2 of 4, F1 4 / 7.
    assert found.ceilings["F1"].detail["f1_without_own"] == pytest.approx(4 / 7)
    assert "0.57" in found.note


def test_judges_are_told_apart_by_the_mean_over_responses(project, answered, mona, karim, simba):
    """Of the meal one of Simba's two marks meets gold, of whose three errors it meets one: 2 of 5 spans. Of the tea all
    three mark the one error: 2 of 2. The mean of 0.4 and 1 is the headline; of all spans together it would be 4 / 7."""
    tea = add_response(project, "tea", "الشاي بارد.", "ar-EG")
    spans = [mark(tea, rater, "بارد")[0] for rater in (mona, karim, simba)]
    ErrorGroup.objects.create(response=tea, key="cold").spans.set(spans)
    for span, reviewers in zip(spans, ([karim], [mona], [mona, karim]), strict=True):
        for reviewer in reviewers:
            review(span, reviewer, "keep")
    derive([tea.id])
    found = table(project, "judge-scores")
    assert figure(found, "Simba", measure="F1").value == pytest.approx(4 / 7)
    main = headline(found)
    assert (main.row.labels[0], main.figure.value) == ("Simba", pytest.approx(0.7))


def test_a_judge_against_what_people_found(project, answered):
    found = table(project, "judge-scores-human-detected")
    assert figure(found, "Simba", measure="recall").value == 0.0
    assert figure(found, "Simba", measure="recall").detail["gold"] == 2


def test_sentence_by_sentence(project, answered):
    # Two sentences; only the second is erroneous, and the judge marks something in both.
    found = table(project, "sentence-scores")
    row = next(row for row in found.rows if row.labels[0] == "Simba")
    assert [one.value for one in row.figures] == pytest.approx([0.5, 0.5, 1.0, 2 / 3])


def test_the_sweep_falls_as_more_overlap_is_asked_for(project, answered):
    found = table(project, "threshold-sweep")
    recalls = [row.figures[1].number for row in found.rows if row.labels[0] == "People"]
    assert len(recalls) == 21
    assert recalls == sorted(recalls, reverse=True)
    assert figure(found, "People", "0.45", measure="recall").value == pytest.approx(4 / 6)
    # At one half Mona's span no longer meets Karim's error, nor his hers.
    assert figure(found, "People", "0.50", measure="recall").value == pytest.approx(2 / 6)


def test_recall_by_category_and_depth(project, answered):
    found = table(project, "category-recall")
    assert figure(found, "People", "Custom", measure="recall").value == 1.0
    assert figure(found, "Simba", "Fact", measure="recall").value == 0.0
    missed = next(row for row in found.rows if row.labels == ("Simba", "Custom"))
    assert (missed.drill["category"], missed.drill["missed"]) == ("custom", "1")


def test_share_of_thick_errors_by_who_found_them(project, answered):
    found = table(project, "thin-thick")
    share = figure(found, "All errors", measure="share of thick errors")
    assert (share.value, share.n, share.detail["uncategorised"]) == (0.5, 2, 1)
    assert figure(found, "Simba", measure="share of thick errors").undefined == "no errors with a category"


def test_kappa_of_two_coders(project, answered, karim, thick, thin):
    coder = rater_of(karim, project)
    for name, category in (("nightly", thick), ("every night", thin)):
        Classification.objects.create(span=answered[name], rater=coder, category=category)
    found = table(project, "classification-kappa")
    # They agree on one thick and one thin error: kappa 1.
    assert (found.rows[0].figures[0].value, found.rows[0].figures[0].n) == (1.0, 2)


def test_two_judges_are_compared_on_what_both_answered(project, answered, koshari, mona, karim, simba):
    other = simba.__class__.objects.create(project=project, kind="judge", name="Nala", model="nala-1")
    [same] = mark(koshari, other, NIGHTLY)
    for person in (mona, karim):
        review(same, person, "keep")
    ErrorGroup.objects.create(response=koshari, key="nightly").spans.set([same, answered["nightly"]])
    derive([koshari.id])
    found = table(project, "judge-pairs")
    difference, p = found.rows[0].figures
    # One response is one prompt: there is a difference to name, but nothing to draw it from.
    assert (difference.value, difference.undefined, p.undefined) == (None, "n < 2", "n < 2")


def test_a_response_whose_spans_still_wait_is_counted_beside_the_scores(project, answered, boishakh, rafia, simba):
    mark(boishakh, rafia, "ইলিশ মাছ")
    mark(boishakh, simba, "ইলিশ মাছ")
    derive([boishakh.id])
    found = table(project, "judge-scores")
    answered_share = figure(found, "Simba", "All varieties", measure="answered")
    assert (answered_share.detail["scored"], answered_share.detail["with_gold"]) == (2, 1)
    assert figure(found, "Simba", "All varieties", measure="F1").value == pytest.approx(0.4)
    assert figure(found, "Simba", "bn-BD", measure="F1").undefined == "no responses with settled errors"


def test_an_answer_that_is_not_complete_stands_beside_the_figures(project, answered, koshari, simba):
    Marking.objects.filter(rater=simba).update(is_complete=False)
    found = table(project, "judge-scores")
    share = figure(found, "Simba", measure="answered")
    assert (share.value, share.detail["planned"], share.detail["scored"]) == (0.0, 1, 0)
    assert figure(found, "Simba", measure="F1").undefined == "no responses with settled errors"
    assert [row.labels[1] for row in table(project, "errors-per-response").rows] == ["People"]


def test_spans_of_one_rater_in_one_group_are_one_error(project, koshari, mona, karim):
    first, second = mark(koshari, mona, NIGHTLY, PHARAOHS)
    mark(koshari, karim)
    ErrorGroup.objects.create(response=koshari, key="night").spans.set([first, second])
    for span in (first, second):
        review(span, karim, "keep")
    derive([koshari.id])
    assert figure(table(project, "retained"), "People", measure="retained").n == 1
    assert figure(table(project, "verdicts"), "People", measure="keep").value == 1
    assert figure(table(project, "errors-per-response"), "People", measure="all").value == 0.5


def test_points_per_criticality_make_penalties(project, answered):
    set_points(project, {"high": 5, "medium": 1, "low": 0.5})
    # Mona's two errors weigh high, Karim's one low: 10 and 0.5 points.
    assert figure(table(project, "penalties"), measure="mean penalty").value == pytest.approx(5.25)
    by_rater = {row.labels[0]: row.figures for row in table(project, "penalties-by-rater").rows}
    assert by_rater["Simba"][0].value == pytest.approx(2.0)
    # The judge is 3.25 points below the mean of the two people: lenient.
    assert by_rater["Simba"][2].value == pytest.approx(3.25)


def test_people_stand_by_pseudonym_and_simulated_judges_are_called_so(project, answered):
    found = SPANS.tables(project)
    text = str(as_json(project, found))
    assert "Mona" not in text
    assert "Karim" not in text
    for one in found:
        for row in one.rows:
            assert ("simulated" in row.marks) >= ("Simba" in row.labels), (one.id, row.labels)


def test_before_anyone_has_answered_every_figure_says_why_it_is_missing(project, koshari):
    for one in SPANS.tables(project):
        for row in one.rows:
            for found in row.figures:
                assert found.value is not None or found.undefined
        assert one.summary


def test_a_project_without_responses_has_no_figures(project):
    assert [one.id for one in SPANS.tables(project)] == ["progress"]


def test_the_recipe_says_how_words_were_told_apart(project, mona, karim):
    songkran = add_response(project, "songkran", "สงกรานต์จัดในเดือนธันวาคมทุกปี", "th-TH")
    mark(songkran, mona, "เดือนธันวาคม")
    mark(songkran, karim, "ธันวาคม")
    found = table(project, "human-human")
    assert found.recipe.settings["words"] == ["uax29"]
    # Without a dictionary Thai is cut into characters with their marks: the shorter span is part of the longer one.
    assert figure(found, measure="F1, pooled").value == 1.0


def test_quotes_of_a_judge_that_were_not_found_are_counted_beside_its_scores(project, answered, simba):
    Marking.objects.filter(rater=simba).update(metadata={"unlocatable": 3, "normalised": 2})
    share = figure(table(project, "judge-scores"), "Simba", measure="answered")
    assert (share.value, share.detail["unlocatable"], share.detail["normalised"]) == (1.0, 3, 2)


def test_a_recipe_is_another_once_the_answers_are(project, answered, koshari, hana):
    before = table(project, "judge-scores").recipe
    assert table(project, "judge-scores").recipe == before
    mark(koshari, hana)
    after = table(project, "judge-scores").recipe
    assert after.data_snapshot != before.data_snapshot
    assert after.signature() != before.signature()
