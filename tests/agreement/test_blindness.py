"""How far judges can be told from people by what is seen of their marks: known answers, and what may not leak."""

import numpy as np
import pytest

from agreement.blindness import ALL_ALIKE, NOBODY_TO_TELL_APART, told_apart
from agreement.inference import TOO_FEW_PROMPTS
from agreement.shown_marks import Card, explanation_columns, form_columns

PROMPTS, PER_PAGE = 30, 6


def study(seed=1, columns=5):
    """30 pages of six cards, half of them judges', with columns of noise."""
    rng = np.random.default_rng(seed)
    page = np.repeat(np.arange(PROMPTS), PER_PAGE)
    judged = np.tile([True, False], PROMPTS * PER_PAGE // 2)
    return rng.normal(size=(len(page), columns)), judged, page


def test_a_column_that_says_it_outright_is_always_right():
    x, judged, page = study()
    x[:, 2] = judged
    told = told_apart(x, judged, page, page, names="abcde")
    assert told.figure.value == 1
    assert told.figure.detail == told.figure.detail | {"pairs": 30 * 3 * 3, "prompts": 30, "p": 1 / 200}
    assert next(iter(told.weights)) == "c"
    assert told.weights["c"] > 0


def test_noise_is_chance():
    x, judged, page = study()
    figure = told_apart(x, judged, page, page).figure
    assert figure.low < 0.5 < figure.high
    assert figure.detail["p"] > 0.05


def test_by_chance_one_study_in_twenty_is_below_five_in_a_hundred():
    below = [
        told_apart(*study(seed, 3)[:2], *[study(seed, 3)[2]] * 2, permutations=39).figure.detail["p"] <= 0.05
        for seed in range(100)
    ]
    assert 0 <= sum(below) <= 12  # of Binomial(100, 0.05) 99.9 % lie within


def test_what_all_cards_of_a_page_share_tells_nothing():
    """Judges mark more in some languages: that a page is in one of these betrays none of its cards."""
    rng = np.random.default_rng(3)
    page = np.repeat(np.arange(PROMPTS), PER_PAGE)
    korean = page % 2 == 1
    judged = np.where(korean, np.arange(len(page)) % PER_PAGE < 5, np.arange(len(page)) % PER_PAGE < 1)
    x = np.column_stack((korean, rng.normal(size=len(page))))
    figure = told_apart(x, judged, page, page).figure
    assert figure.low < 0.5 < figure.high


def test_what_holds_of_one_prompt_alone_is_not_learnt():
    """A column for each prompt's judges: with folds across a prompt's pages it would tell all of them."""
    page = np.repeat(np.arange(2 * PROMPTS), PER_PAGE)
    prompt = page // 2
    judged = np.tile([True, False], PROMPTS * PER_PAGE)
    x = np.where(judged[:, None] & (prompt[:, None] == np.arange(PROMPTS)), 1.0, 0.0)
    assert told_apart(x, judged, page, prompt).figure.value == 0.5


def test_too_few_and_nothing_to_tell_apart_are_said():
    x, judged, page = study()
    few = page < 4
    assert told_apart(x[few], judged[few], page[few], page[few]).figure.undefined == TOO_FEW_PROMPTS
    assert told_apart(x, np.zeros_like(judged), page, page).figure.undefined == NOBODY_TO_TELL_APART
    assert told_apart(x[:0], judged[:0], page[:0], page[:0]).figure.undefined == NOBODY_TO_TELL_APART
    assert told_apart(np.ones_like(x), judged, page, page).figure.undefined == ALL_ALIKE
    with pytest.raises(ValueError, match="finite"):
        told_apart(np.full_like(x, np.nan), judged, page, page)
    with pytest.raises(ValueError, match="its page"):
        told_apart(x, judged[:-1], page, page)


def test_the_columns_say_what_is_seen_of_a_card():
    cards = [
        Card(0, 2, {"type": "cultural"}, {"explanation": "Wrong here."}),
        Card(1, 2, {"type": ""}, {"explanation": ""}),
    ]
    columns, names = form_columns(cards)
    first, second = (dict(zip(names, row, strict=True)) for row in columns)
    assert (first["place"], first["first"], second["last"]) == (0, 1, 1)
    assert (first["type is cultural"], first["type filled"], second["type filled"]) == (1, 1, 0)
    assert (first["explanation: ends with a stop"], second["explanation: ends with a stop"]) == (1, 0)
    assert (first["explanation: script latin"], first["explanation: length class 0"]) == (1, 1)


def test_words_alone_tell_where_judges_use_their_own():
    _x, judged, page = study()
    said = [
        f"{'It is worth noting that' if by_judge else 'I find'} number {at % 7} is off"
        for at, by_judge in enumerate(judged)
    ]
    same = [f"Number {at % 7} is off" for at in range(len(judged))]
    told = told_apart(explanation_columns(said), judged, page, page, is_scaled=False).figure
    assert told.value > 0.99
    assert told_apart(explanation_columns(same), judged, page, page, is_scaled=False).figure.detail["p"] > 0.05
