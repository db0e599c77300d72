"""Which option an answer settles on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.answers.choices import choice_in, last_lines, score_choice
from agreement.answers.options import options_in

ENGLISH = "What is the capital of France?\n(A) London (B) Berlin (C) Paris (D) Madrid\nAnswer:"
ARABIC = "ما عاصمة فرنسا؟\nأ. لندن\nب. برلين\nج. باريس\nد. مدريد\nالإجابة:"
KOREAN = "프랑스의 수도는?\n① 런던 ② 베를린 ③ 파리 ④ 마드리드"
HANGUL = "프랑스의 수도는?\n가. 런던\n나. 베를린\n다. 파리\n라. 마드리드"
BENGALI = "ফ্রান্সের রাজধানী কোনটি?\nক) লন্ডন\nখ) বার্লিন\nগ) প্যারিস\nঘ) মাদ্রিদ\nউত্তর:"
INDONESIAN = "Apa ibu kota Prancis?\nA. London\nB. Berlin\nC. Paris\nD. Madrid\nJawaban:"
FRENCH = "Quelle est la capitale ?\nA) Londres\nB) Berlin\nC) Paris\nD) Madrid"
FIGURE_4 = "السؤال: تم رسم جهاز، من الممكن أن يكون (0) ممغنط (1) بالفعل (2) بوصلة (3) ك الإجابة:"
FIGURE_8 = "الأرض كروية.\nأ. صح\nب. خطأ"


@pytest.mark.parametrize(
    ("question", "series", "labels", "last"),
    [
        (ENGLISH, "latin", "ABCD", "madrid"),
        (ARABIC, "arabic abjad", "ابجد", "مدريد"),
        (KOREAN, "one", "1234", "마드리드"),
        (HANGUL, "korean", "가나다라", "마드리드"),
        (BENGALI, "bengali", "কখগঘ", "মাদ্রিদ"),
        (FIGURE_4, "zero", "0123", "ك"),
        ("أيها؟ أ) س ب) ع ت) ص ث) ق", "arabic alphabet", "ابتث", "ق"),
        ("Read:\n1. Wash.\n2. Dry.\nWhich?\na) wash\nb) dry", "latin", "AB", "dry"),
        ("Which? Ⓐ x Ⓑ y", "latin", "AB", "y"),
        ("جـ؟ ١) ثلاثة ٢) أربعة", "one", "12", "اربعه"),
        ("A. yes\nB. no\n\nThink first.", "latin", "AB", "no"),
    ],
)
def test_options_are_read_from_the_question(question, series, labels, last):
    options = options_in(question)
    assert (options.series, "".join(option.label for option in options.options)) == (series, labels)
    assert options.options[-1].text == last


@pytest.mark.parametrize("question", ["", "ما عاصمة فرنسا؟", "A. one only", "It weighs 1.5 kg or 2.5 kg", "A-level"])
def test_a_question_without_options_has_none(question):
    assert options_in(question) is None
    assert score_choice("A", question, "A") is None


@pytest.mark.parametrize(
    ("question", "reference", "answers"),
    [
        (
            ENGLISH,
            "C",
            [
                "C", "c", "(C)", "**C**", "C.", "Paris", "paris.", "C. Paris", "C) Paris is the capital of France.",
                "C because Paris is the capital.", "C, since it is so.", "London is in the UK.\nC",
                "Paris is the seat of the government.\n\n**C**", "A is in England, B in Germany; therefore C.",
                "The answer is C", "The correct answer is **(C)**.", "Answer: Paris", "Answer: C and it is a fact",
                "I choose option C.", "Option C is the correct answer.", "\\boxed{C}", '{"answer": "C"}',
                "A is not correct. C is correct.", "A. London\nB. Berlin\nC. Paris\nD. Madrid\n\nC",
                "Final answer: C. At first the answer is A seemed right.", "ج",
                "The answer is C, B is wrong.", "C, A is wrong", "**Answer:** **C**", "**Answer**: (C) Paris",
                "A) is wrong as it is in the UK. B) is wrong. So the answer is: C",
            ],
        ),
        (
            ARABIC,
            "الإجابة الصحيحة هي: ج. باريس",
            [
                "ج", "جـ", "ج.", "C", "باريس", "ج. باريس", "الإجابة الصحيحة هي ج", "الجواب: (ج)", "الجواب هو باريس",
                "ج لأن باريس هي العاصمة", "إن العاصمة باريس لذلك ج", "الخيار ج هو الصحيح", "أختار جـ",
                "لندن عاصمة بريطانيا، وبرلين عاصمة ألمانيا.\nالإجابة النهائية: ج",
            ],
        ),
        (ARABIC, "أ", ["أ", "ا", "آ", "A", "أ. لندن", "الإجابة: أ"]),
        (KOREAN, "③", ["③", "3", "3번", "정답은 ③번입니다.", "정답: 3", "파리", "③ 파리", "C", "다"]),
        (HANGUL, "다", ["다", "정답은 다입니다", "답은 다번", "정답: 다", "C", "파리"]),
        (BENGALI, "গ", ["গ", "সঠিক উত্তর হলো গ", "উত্তর: প্যারিস", "গ) প্যারিস", "C"]),
        (INDONESIAN, "C", ["Jawaban yang benar adalah C.", "C karena Paris ibu kotanya", "Jawabannya adalah Paris"]),
        (FRENCH, "C", ["La bonne réponse est C.", "C car Paris est la capitale", "La réponse est Paris"]),
        (INDONESIAN, "C", ["Jawapan yang betul ialah C.", "C kerana Paris ibu kotanya", "Jawapan akhir: C, bukan B"]),
        (FRENCH, "C", ["La respuesta correcta es C.", "C porque París es la capital", "Elijo la opción C"]),
        (FRENCH, "C", ["Die richtige Antwort ist C.", "C, weil Paris die Hauptstadt ist", "Ich wähle C"]),
        (FRENCH, "C", ["सही उत्तर C है।", "C क्योंकि पेरिस राजधानी है", "उत्तर: C"]),
        (FIGURE_4, "الإجابة الصحيحة هي: (2) بوصلة", ["2", "(2)", "بوصلة", "٢"]),
    ],
)  # fmt: skip
def test_the_right_option_scores_10_however_it_is_said(question, reference, answers):
    scores = {answer: score_choice(answer, question, reference) for answer in answers}
    assert {answer: score and score.value for answer, score in scores.items()} == dict.fromkeys(answers, 10)


@pytest.mark.parametrize(
    ("question", "reference", "answer", "state"),
    [
        (ENGLISH, "C", "B", "one"),
        (ENGLISH, "C", "The answer is Berlin", "one"),
        (ENGLISH, "C", "A. Paris", "several"),
        (ENGLISH, "C", "A or C", "several"),
        (ENGLISH, "C", "C, D", "several"),
        (ENGLISH, "C", "The answer is A and C", "several"),
        (ENGLISH, "C", "The answer is A. Wait, the answer is C", "several"),
        (ENGLISH, "C", "A. London\nB. Berlin\nC. Paris", "several"),
        (ARABIC, "ج", "أ أو ج", "several"),
        (FIGURE_8, "أ. صح", "أ. صح\nب. خطأ", "several"),
        (FIGURE_8, "أ. صح", "أ. صح ب. خطأ", "several"),
    ],
)
def test_another_option_or_several_score_0(question, reference, answer, state):
    score = score_choice(answer, question, reference)
    assert (score.value, score.detail["state"]) == (0, state)


@pytest.mark.parametrize(
    "answer",
    [
        "", "I do not know.", "Vitamin C", "Answer: A city of light", "A great city", "The capital is Paris, I think",
        "Berlin and Paris", "F", "😀", "C) Paris\n\nParis is the capital; A) London is not.", "The answer is not C",
        "Neither A nor B", "\u200f", "In the beginning was a word",
    ],
)  # fmt: skip
def test_where_nothing_is_said_the_judge_is_asked(answer):
    assert choice_in(answer, options_in(ENGLISH)).state == "silent"
    assert score_choice(answer, ENGLISH, "C") is None


def test_a_number_that_is_label_and_answer_is_left_to_the_judge():
    question = "2 + 1 = ?\n1) 4\n2) 3\n3) 2"
    assert choice_in("3", options_in(question)).state == "silent"
    assert choice_in("4", options_in(question)).option == 0


def test_a_reference_that_names_no_option_leaves_all_to_the_judge():
    assert score_choice("C", ENGLISH, "It depends") is None


def test_the_published_cut_keeps_three_lines_with_text():
    assert last_lines("a\n\nb\n \nc\nd\n") == "b\nc\nd"
    assert last_lines("a") == "a"
    assert last_lines("") == ""


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("ABCDabc .:,\n()*جأـو\u064e③다क1\u200fé\u0301"), max_size=60))
def test_any_text_has_a_state(text):
    for question in (ENGLISH, ARABIC, KOREAN):
        options = options_in(question)
        choice = choice_in(text, options)
        assert (choice.state == "one") == (len(choice.options) == 1)
        assert (choice.state == "several") == (len(choice.options) > 1)
        assert all(0 <= option < len(options) for option in choice.options)


@pytest.mark.parametrize("piece", ["A. ", "answer: ", "(", "the answer is ", " ", "a\n", "**", "ج ", "[`", "- ", "\t:"])
def test_a_long_text_is_read_in_a_moment(piece):
    text = piece * (48_000 // len(piece))
    assert choice_in(text, options_in(ENGLISH)).state in ("one", "several", "silent")
    options_in(text)
