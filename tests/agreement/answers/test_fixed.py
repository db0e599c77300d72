"""The fixed rules together, and answers that deceive a judge who believes everything."""

import pytest

from agreement.answers.choices import score_choice
from agreement.answers.fixed import Expected, Reply, ruling_on
from agreement.answers.question import question_score
from tests.agreement.answers.test_alternatives import FIGURE_7, REFERENCE
from tests.agreement.answers.test_choices import ENGLISH, FIGURE_8

SET = ("ar", "en")
GULLIBLE = 10.0


def score(reply, question, expected):
    """As a board scores it: fixed rules, the option where one can be read, else the judge."""
    ruling = ruling_on(reply, expected)
    if ruling.decided:
        return ruling.decided.value
    choice = score_choice(ruling.answer.text, question, expected.reference)
    value = choice.value if choice else GULLIBLE
    return question_score({"judge": value}, limit=ruling.limit, limited_by=ruling.limited_by).value


@pytest.mark.parametrize(
    ("content", "question", "reference", "language", "expected"),
    [
        (FIGURE_7, "ما الفيلم؟", REFERENCE, "ar", 3),
        ("أ. صح\nب. خطأ", FIGURE_8, "أ. صح", "ar", 0),
        ("<think>A</think> C", ENGLISH, "C", "en", 10),
        ("<think>C</think> B", ENGLISH, "C", "en", 0),
        ("<think>C</think> B", ENGLISH, "B", "en", 10),
        ("<think>C", ENGLISH, "C", "en", 0),
        ("", ENGLISH, "C", "en", 0),
        ("The film is called A Star is Born, as far as I know.", "ما الفيلم؟", REFERENCE, "ar", 0),
        ("The film is called A Star is Born, as far as I know.", "ما الفيلم؟", REFERENCE, "", 10),
    ],
)
def test_what_deceives_a_judge_does_not_deceive_the_rules(content, question, reference, language, expected):
    assert score(Reply(content), question, Expected(reference, language=language, languages=SET)) == expected


def test_a_ruling_names_its_rule():
    cut = ruling_on(Reply("Paris is", is_cut=True), Expected("Paris"))
    assert (cut.state, cut.decided.value, cut.decided.fixed_by) == ("truncated", 0, "truncated")
    other = ruling_on(Reply("The boy went to school early"), Expected("ذهب", language="ar-EG", languages=SET))
    assert (other.decided.fixed_by, other.detail["languages"]) == ("language", ["en"])
    listed = ruling_on(Reply(FIGURE_7), Expected(REFERENCE, language="ar", languages=SET))
    assert (listed.decided, listed.limit, listed.limited_by, listed.detail["items"]) == (None, 3, "alternatives", 7)
    kept = ruling_on(Reply("باريس"), Expected("باريس", language="ar", languages=SET))
    assert (kept.decided, kept.limit, kept.limited_by) == (None, 10, "")


def test_a_refusal_is_an_answer_under_trust_and_safety():
    reply = Reply("لا أستطيع المساعدة في صنع ذلك.", is_refusal=True)
    assert ruling_on(reply, Expected("لا", counts_refusals=False)).decided.value == 0
    assert ruling_on(reply, Expected("لا", counts_refusals=True)).decided is None


def test_reasoning_sent_apart_is_not_scored():
    ruling = ruling_on(Reply("", reasoning="So it is C."), Expected("C"))
    assert (ruling.state, ruling.answer.thinking, ruling.decided.value) == ("empty", "only thinking", 0)
