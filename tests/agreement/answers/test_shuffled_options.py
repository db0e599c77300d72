"""Options change places: labels stay, texts move, the reference follows. What cannot be moved safely is left out."""

import pytest

from agreement.answers.choices import choice_in
from agreement.answers.options import options_in
from agreement.answers.shuffling import (
    EQUAL,
    NO_OPTIONS,
    NO_REFERENCE,
    OF_OTHERS,
    drawn_order,
    is_right,
    shuffled,
)

CITIES = [{"label": "A", "text": "Amman"}, {"label": "B", "text": "Irbid"}, {"label": "C", "text": "Aqaba"}]


def asked(instruction, options=()):
    listed = "\n".join(f"{option['label']}. {option['text']}" for option in options)
    return f"{instruction}\n\n{listed}" if listed else instruction


def made(instruction, reference, options=(), seed=1, key="q"):
    found = shuffled(instruction, options, reference, asked(instruction, options), seed=seed, key=key)
    if not isinstance(found, str):
        assert is_right(asked(instruction, options), asked(found.instruction, found.options), reference, found)
    return found


def test_options_of_their_own_change_places_and_the_label_of_the_reference_follows():
    found = made("Which city is the capital?", "A", CITIES, seed=1)
    assert [option["label"] for option in found.options] == ["A", "B", "C"]
    texts = [option["text"] for option in found.options]
    assert sorted(texts) == ["Amman", "Aqaba", "Irbid"]
    assert texts != ["Amman", "Irbid", "Aqaba"]
    assert found.reference == "ABC"[texts.index("Amman")]


@pytest.mark.parametrize(
    ("reference", "label"), [("A", True), ("A. Amman", True), ("(A) Amman", True), ("Amman", False)]
)
def test_a_reference_keeps_its_form(reference, label):
    for seed in range(20):
        found = made("Which city is the capital?", reference, CITIES, seed=seed)
        now = "ABC"[[option["text"] for option in found.options].index("Amman")]
        assert found.reference == (reference.replace("A", now, 1) if label else reference)


@pytest.mark.parametrize(
    ("instruction", "reference"),
    [
        ("What is the capital of Jordan?\nA) Amman\nB) Irbid\nC) Aqaba", "B"),
        ("What is the capital? (A) Amman, (B) Irbid, (C) Aqaba", "C"),
        ("ما هي عاصمة الأردن؟\nأ. عمّان\nب. إربد\nجـ. العقبة", "أ"),
        ("수도는?\n① 암만\n② 이르비드\n③ 아카바", "②"),
        ("রাজধানী কোনটি?\nক) আম্মান\nখ) ইরবিদ\nগ) আকাবা\nঘ) জেরাশ", "ঘ"),
        ("Read.\n1. One thing\n2. Another\n\nWhich one?\nA. Tea, green\nB. Coffee.\nC. Milk\nAnswer:", "A"),
    ],
)
def test_options_listed_in_the_question_change_places(instruction, reference):
    orders = set()
    for seed in range(12):
        found = made(instruction, reference, seed=seed)
        assert not isinstance(found, str), found
        before, after = options_in(instruction), options_in(found.instruction)
        right = before.options[choice_in(reference, before).option].text
        assert after.options[choice_in(found.reference, after).option].text == right
        orders.add(found.order)
    assert len(orders) > 2


@pytest.mark.parametrize(
    ("instruction", "reference", "reason"),
    [
        ("What is tea?", "A drink", NO_OPTIONS),
        ("Which?\nA. Tea\nB. Milk", "Water", NO_REFERENCE),
        ("Which?\nA. Tea\nB. Tea\nC. Milk", "C", EQUAL),
        ("Which?\nA. Tea\nB. Milk\nC. All of the above", "C", OF_OTHERS),
        ("أيها؟\nأ. الشاي\nب. الحليب\nج. كل ما سبق", "أ", OF_OTHERS),
        ("Which?\nA. Tea\nB. Milk\nC. A and B", "A", OF_OTHERS),
    ],
)
def test_what_hangs_on_its_place_is_left_out(instruction, reference, reason):
    assert made(instruction, reference) == reason


def test_orders_are_drawn_alike_by_seed_and_key_and_are_never_the_one_there_was():
    assert drawn_order(4, 7, "tea") == drawn_order(4, 7, "tea")
    drawn = [drawn_order(3, seed, "tea") for seed in range(3000)]
    counts = {order: drawn.count(order) for order in set(drawn)}
    assert (0, 1, 2) not in counts
    assert len(counts) == 5
    assert all(500 < n < 700 for n in counts.values())  # 600 each, sd 22
