"""Several answers to a question that has one."""

import pytest

from agreement.answers.alternatives import LIMIT, NAME, Alternatives, alternatives_in
from agreement.answers.declaration import Target
from agreement.answers.question import question_score
from agreement.answers.rules import rule_named

FILM = "الفيلم الغنائي الذي وجد طريقه إلى السينما المصرية هو"
REFERENCE = f"{FILM} فيلم «مولد نجمة» (A Star is Born)."
TITLES = ["مولد نجمة", "حسن ومرقص وكوهين", "الفريسة", "الرغبة", "قطة على نار", "الزمار", "المليونير الفقير"]
FIGURE_7 = "أجوبة ممكنة:\n" + "\n".join(f'{n}. {FILM} "{title}".' for n, title in enumerate(TITLES, 1))


def test_the_answer_of_figure_7_scores_3_at_most_with_a_gullible_judge():
    assert alternatives_in(FIGURE_7, REFERENCE) == Alternatives(7, 9, True)
    on_one_line = FIGURE_7.replace("\n", " ")
    assert alternatives_in(on_one_line, REFERENCE) == Alternatives(7, 9, True)
    unannounced = FIGURE_7.split("\n", 1)[1]
    assert alternatives_in(unannounced, REFERENCE) == Alternatives(7, 9, False)
    rouge = rule_named("rouge_l").scorer(Target(REFERENCE, language="ar"))(FIGURE_7).value
    assert question_score({"judge_generation": 10, "rouge_l": rouge}, limit=LIMIT, limited_by=NAME).value <= 3
    assert question_score({"judge_generation": 10}, limit=LIMIT, limited_by=NAME).value == 3


@pytest.mark.parametrize(
    "answer",
    [
        REFERENCE,
        "",
        "1. اغسل الأرز\n2. اسلق الماء\n3. أضف الملح",
        "The answer is 3.14. It was found in 2. century",
        "- a\n- a",
        # steps of one kind share too little
        "1. First add 3 and 4, which is 7.\n2. First add 7 and 8, then multiply it by the number of apples in the bag.",
    ],
)
def test_a_list_of_other_things_is_none_of_alternatives(answer):
    assert alternatives_in(answer, REFERENCE) is None


def test_a_reference_that_is_a_list_asks_for_one():
    assert alternatives_in(FIGURE_7, f"1. {FILM} كذا\n2. {FILM} كذلك") is None
    assert alternatives_in(FIGURE_7, f"{FILM} كذا\n{FILM} كذلك") is None
    assert alternatives_in(FIGURE_7, "كلمة " * 41) is None


def test_bullets_and_other_languages():
    answer = "Possible answers:\n- Cairo\n- Alexandria"
    assert alternatives_in(answer, "Cairo") == Alternatives(2, 0, True)
    assert alternatives_in("Kemungkinan jawaban: 1) Kairo 2) Giza", "Kairo") == Alternatives(2, 0, True)
