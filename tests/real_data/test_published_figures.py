"""Two published studies, brought in through the import commands: the dashboard's own numbers are theirs, to 1e-9."""

import json

import pytest

from tests.real_data import booookscore, mqm_sxs2023, published
from tests.real_data.test_import_published_answers import bring
from tests.reports.reading import figure, table

pytestmark = [pytest.mark.django_db, pytest.mark.real_data]


def exactly(number):
    return pytest.approx(number, abs=1e-9, rel=0)


def test_booookscore_share_of_annotations_that_validators_kept(project, tmp_path):
    reference = json.loads(published("reference/booookscore_validation.json").read_text())
    bring(booookscore, tmp_path, project)
    retained, verdicts = table(project, "retained"), table(project, "verdicts")
    for detector, name in (("human", "People"), ("model", booookscore.DETECTORS["model"]["rater"])):
        expected = reference[detector]
        kept = figure(retained, name, measure="retained")
        assert kept.value == exactly(expected["precision_agree_or_partial"])
        assert round(kept.value, 3) == expected["published_precision"]
        assert kept.n == expected["total"]
        counts = {measure: figure(verdicts, name, measure=measure) for measure in ("keep", "correct", "reject")}
        assert counts["keep"].value / counts["keep"].n == exactly(expected["validated_strict"])
        assert {booookscore_label(verdict): found.value for verdict, found in counts.items()} == expected["counts"]
    # Annotations of two spans count once: 1,437 of them, though 1,595 spans are stored.
    assert sum(row.figures[0].n for row in retained.rows) == reference["annotations"]


def booookscore_label(verdict):
    return next(label for label, name in booookscore.VERDICTS.items() if name == verdict)


@pytest.fixture
def translations(project, tmp_path):
    bring(mqm_sxs2023, tmp_path, project)
    return project


@pytest.fixture
def reference():
    return json.loads(published("reference/mqm_sxs2023_ende_sample.json").read_text())


@pytest.mark.parametrize("part", ["span_iaa_all", "span_iaa_major_only"])
def test_mqm_spans_of_three_raters_against_each_other(translations, reference, part):
    expected = reference[part]
    weight = {"criticality": "high"} if part == "span_iaa_major_only" else {}
    for threshold in ("0", "0.15", "0.5", "0.999999"):
        for matching, name in (("some", "f1_word_iou_gt_"), ("one-to-one", "f1_one_to_one_word_iou_gt_")):
            found = table(translations, "human-human", threshold=threshold, matching=matching, **weight)
            pooled = figure(found, measure="F1, pooled")
            assert pooled.value == exactly(expected[f"{name}{threshold}"])
    assert (pooled.detail["responses"], pooled.n) == (expected["items"], expected["rater_pairs"])
    # Every rater's spans stand in two pairs, and each pair counts the spans of both of its sides.
    assert pooled.detail["predicted"] + pooled.detail["gold"] == 2 * expected["spans"]
    assert figure(found, measure="mean character IoU").value == exactly(expected["mean_char_iou"])
    assert figure(found, measure="mean character IoU").detail["both_empty"] == expected["pairs_both_empty"]
    assert figure(found, measure="F1 in characters").value == exactly(expected["char_f1_micro"])
    assert figure(found, measure="agree on presence").value == exactly(expected["agree_on_presence"])


def test_mqm_penalties(translations, reference):
    alphas = table(translations, "penalty-alpha")
    assert figure(alphas, measure="alpha, interval").value == exactly(reference["penalty_alpha_interval"])
    assert figure(alphas, measure="alpha, ordinal").value == exactly(reference["penalty_alpha_ordinal"])
    mean = figure(table(translations, "penalties"), measure="mean penalty")
    assert mean.value == exactly(reference["penalty_mean"])
    assert mean.n == reference["items"] * reference["raters_per_item"]


def test_mqm_penalty_per_system_and_rater(translations, reference):
    per_system = table(translations, "penalties-by-model")
    assert {row.labels[0]: round(row.figures[0].number, 6) for row in per_system.rows} == (
        reference["system_mean_penalty"]
    )
    names = dict(translations.raters.values_list("pseudonym", "name"))
    per_rater = table(translations, "penalties-by-rater")
    assert {names[row.labels[0]] for row in per_rater.rows} == set(reference["rater_vs_mean_of_other_two"])
    for row in per_rater.rows:
        rater = names[row.labels[0]]
        mean, mad, signed_error, rmse = row.figures
        expected = reference["rater_vs_mean_of_other_two"][rater]
        assert round(mean.number, 6) == reference["rater_mean_penalty"][rater]
        assert mad.n == expected["n"]
        assert mad.value == exactly(expected["mad"])
        assert signed_error.value == exactly(expected["signed_mean_error"])
        assert rmse.value == exactly(expected["rmse"])
