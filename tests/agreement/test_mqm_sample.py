"""Three raters on 360 translations, straight from the published file: every reference number to 1e-9."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from agreement import characters, mqm, rater_pairs, spans
from agreement.alpha import alpha
from agreement.deviation import group_means, leave_one_out
from agreement.words import words

pytestmark = pytest.mark.real_data

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FILE = DATA / "mqm_sxs2023_ende" / "sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv"
REFERENCE = DATA / "reference" / "mqm_sxs2023_ende_sample.json"


def exactly(number):
    return pytest.approx(number, abs=1e-9, rel=0)


@pytest.fixture(scope="module")
def reference():
    if not REFERENCE.exists():
        pytest.skip("the human data kept beside the project is not here")
    return json.loads(REFERENCE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sample():
    """The file as arrays: one entry per annotation, per answer (item and rater), per item."""
    if not FILE.exists():
        pytest.skip("the human data kept beside the project is not here")
    header, *lines = FILE.read_text(encoding="utf-8").rstrip("\n").split("\n")
    names = header.split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in lines]
    rows = [row for row in rows if row["severity"] != "HOTW-test"]  # attention checks are not work
    items: dict[tuple[str, ...], int] = {}
    answers: dict[tuple[int, str], int] = {}
    item, answer, texts = [], [], []
    for row in rows:
        key = (row["system"], row["doc"], row["docSegId"], row["globalSegId"])
        if key not in items:
            texts.append(re.sub("</?v>", "", row["target"]))
        item.append(items.setdefault(key, len(items)))
        answer.append(answers.setdefault((item[-1], row["rater"]), len(answers)))
    return SimpleNamespace(
        rows=rows,
        texts=texts,
        item=np.array(item),
        answer=np.array(answer),
        system_of_item=[system for system, *_ in items],
        item_of_answer=np.array([number for number, _ in answers]),
        rater_of_answer=np.array([int(rater.removeprefix("rater")) for _, rater in answers]),
        # Each row marks at most one span; find() gives -1 where it marks none in the translation.
        start=np.array([row["target"].find("<v>") for row in rows]),
        end=np.array([row["target"].find("</v>") - len("<v>") for row in rows]),
    )


def test_the_file_holds_what_the_reference_counts(sample, reference):
    source_side = sum("<v>" in row["source"] and row["category"] != "Source issue" for row in sample.rows)
    assert len(sample.rows) == reference["rows_without_attention_checks"]
    assert len(sample.texts) == reference["items"]
    assert len(set(sample.rater_of_answer)) == reference["raters"]
    assert len(sample.item_of_answer) == reference["items"] * reference["raters_per_item"]
    assert (sample.start >= 0).sum() == reference["target_spans"]
    assert source_side == reference["source_side_errors"]


@pytest.mark.parametrize("part", ["span_iaa_all", "span_iaa_major_only"])
def test_span_agreement_between_raters(sample, reference, part):
    expected = reference[part]
    chosen = sample.start >= 0
    if part == "span_iaa_major_only":
        chosen &= np.array([row["severity"] == "Major" for row in sample.rows])
    marked = spans.marked(
        [words(text) for text in sample.texts], sample.item[chosen], sample.start[chosen], sample.end[chosen]
    )
    pairs = rater_pairs.rater_pairs(sample.item_of_answer)
    one, other = rater_pairs.sides(marked, sample.answer[chosen], pairs)
    found = spans.overlap(one, other)
    for threshold in ("0", "0.15", "0.5", "0.999999"):
        pooled = spans.figure(spans.match_counts(found, float(threshold)), spans.symmetric_f1)
        assert pooled.value == exactly(expected[f"f1_word_iou_gt_{threshold}"])
        single = spans.figure(spans.one_to_one_counts(one, other, float(threshold)), spans.symmetric_f1)
        assert single.value == exactly(expected[f"f1_one_to_one_word_iou_gt_{threshold}"])
    covered = characters.character_counts(one, other)
    presence = rater_pairs.presence_agreement(spans.match_counts(found))
    mean_iou = rater_pairs.mean_over_items(characters.character_iou(covered), pairs.item, both_empty="agree")
    assert mean_iou.value == exactly(expected["mean_char_iou"])
    assert characters.micro_character_f1(covered).value == exactly(expected["char_f1_micro"])
    assert presence.value == exactly(expected["agree_on_presence"])
    assert presence.detail["both_empty"] == expected["pairs_both_empty"]
    assert (len(sample.texts), len(pairs), len(marked)) == (
        expected["items"],
        expected["rater_pairs"],
        expected["spans"],
    )


@pytest.fixture(scope="module")
def penalty(sample):
    weights = [mqm.weight(row["category"], row["severity"]) for row in sample.rows]
    return mqm.penalties(sample.answer, weights, len(sample.item_of_answer))


def test_penalty_alphas(sample, penalty, reference):
    interval = alpha(sample.item_of_answer, penalty, "interval")
    ordinal = alpha(sample.item_of_answer, penalty, "ordinal")
    assert interval.value == exactly(reference["penalty_alpha_interval"])
    assert ordinal.value == exactly(reference["penalty_alpha_ordinal"])
    assert ordinal.detail["values"] == 100


def test_ordinal_alpha_of_penalties_rounded_to_a_tenth_is_another_number(sample, penalty):
    rounded = alpha(sample.item_of_answer, penalty, "ordinal", decimals=6)
    assert rounded.detail["values"] == 97
    assert rounded.value == pytest.approx(0.5649383667, abs=1e-9)


def test_penalty_means(sample, penalty, reference):
    assert penalty.mean() == exactly(reference["penalty_mean"])
    systems = sorted(set(sample.system_of_item))
    of_answer = [systems.index(sample.system_of_item[item]) for item in sample.item_of_answer]
    per_system = group_means(of_answer, penalty)
    for number, name in enumerate(systems):
        assert round(per_system[number].number, 6) == reference["system_mean_penalty"][name]
    per_rater = group_means(sample.rater_of_answer, penalty)
    for rater, figure in per_rater.items():
        assert round(figure.number, 6) == reference["rater_mean_penalty"][f"rater{rater}"]


def test_each_rater_against_the_mean_of_the_other_two(sample, penalty, reference):
    against_others = leave_one_out(sample.item_of_answer, sample.rater_of_answer, -penalty)
    assert {f"rater{rater}" for rater in against_others} == set(reference["rater_vs_mean_of_other_two"])
    for rater, result in against_others.items():
        expected = reference["rater_vs_mean_of_other_two"][f"rater{rater}"]
        assert result.n == expected["n"]
        assert result.mad.value == exactly(expected["mad"])
        assert result.signed_error.value == exactly(expected["signed_mean_error"])
        assert result.rmse.value == exactly(expected["rmse"])
