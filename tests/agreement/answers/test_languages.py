"""In which language an answer is, among those of a set, and when there is no verdict."""

import subprocess
import sys
import time

import pytest

from agreement.answers.languages import code_of, identify, mismatch

SET = ["ar-EG", "en", "bn", "id", "ko", "fr"]
TEXTS = {
    "ar": "ذهب الولد إلى المدرسة في الصباح الباكر وكان الجو جميلا",
    "en": "The boy went to school early in the morning and the weather was nice",
    "bn": "আমি গতকাল স্কুলে গিয়েছিলাম এবং বন্ধুদের সাথে দেখা করেছি",
    "id": "Anak itu pergi ke sekolah pagi-pagi sekali dan cuacanya sangat bagus",
    "ko": "나는 어제 학교에 가서 친구들을 만났다",
    "fr": "Le garçon est allé à l'école tôt le matin et il faisait très beau",
}
EGYPTIAN = "انا مش عارف هو عايز ايه بس لازم نروح دلوقتي عشان متأخرين اوي"
MOROCCAN = "واش نتا بغيتي تمشي معايا دابا ولا مزال ما كملتيش الخدمة ديالك"
MALAY = "Dia pergi ke kedai untuk membeli roti kerana dia lapar dan kemudian dia balik ke rumah"
PERSIAN = "من دیروز به مدرسه رفتم و دوستانم را دیدم و خیلی خوشحال شدم که هوا خوب بود"


@pytest.mark.parametrize("language", TEXTS)
def test_a_text_is_in_its_language(language):
    identification = identify(TEXTS[language], SET)
    assert identification.languages == {language}
    assert identification.confidence > 0.7
    assert mismatch(TEXTS[language], language, SET) is None
    other = "en" if language != "en" else "ar"
    assert mismatch(TEXTS[language], other, SET).languages == {language}


@pytest.mark.parametrize("text", [EGYPTIAN, MOROCCAN])
def test_varieties_of_arabic_are_arabic_beside_other_languages_of_its_script(text):
    identification = identify(text, ["ar", "fa", "ur"])
    assert (identification.languages, identification.basis) == ({"ar"}, "words")
    assert identify(PERSIAN, ["ar", "fa", "ur"]).languages == {"fa"}


def test_close_languages_count_as_one():
    assert identify(MALAY, ["id", "en"]).languages == {"id"}
    assert identify(TEXTS["id"], ["id", "ms", "en"]).languages == {"id", "ms"}
    assert mismatch(TEXTS["id"], "ms", ["id", "ms", "en"]) is None


@pytest.mark.parametrize(
    ("text", "basis"),
    [
        ("", "too short"),
        ("ج", "too short"),
        ("Paris", "too short"),
        ("12 + 5 = 17", "no running text"),
        ("٣٤٥ ٦٧٨ ٩٠١ كم", "no running text"),
        ('{"name": "The boy went to school", "age": 3}', "no running text"),
        ("$$ \\int_0^1 f(x) dx = F(1) - F(0) $$", "no running text"),
        ("```python\nprint('The boy went to school early')\n```", "no running text"),
        ("for i in range(10): x[i] = f(x[i-1]) + y(3); print(x)", "no running text"),
        ("https://example.org/the-boy-went-to-school-early", "no running text"),
        ("مدرسة مكتبة كتاب word school library", "mixed scripts"),
        ("👩🏽‍🚀 🎉 …", "too short"),
    ],
)
def test_there_is_no_verdict_on_what_is_no_running_text(text, basis):
    identification = identify(text, SET)
    assert (identification.languages, identification.basis) == (frozenset(), basis)
    assert mismatch(text, "ar", SET) is None


def test_a_script_outside_of_the_set_is_another_language():
    found = mismatch("我昨天去学校见了朋友们天气很好啊", "ar", SET)
    assert (found.languages, found.script) == (frozenset(), "Hani")


def test_any_language_may_be_expected():
    assert mismatch(TEXTS["en"], "", SET) is None


def test_code_within_a_text_does_not_hide_its_language():
    assert identify("استخدم الدالة `print(values)` لطباعة القيم كما في هذا المثال", SET).languages == {"ar"}


def test_the_expected_language_is_one_of_the_set():
    assert mismatch(TEXTS["id"], "id", ["en"]) is None


def test_a_second_opinion_can_acquit_and_is_asked_only_within_a_script():
    asked = []

    def opinion(text, languages):
        asked.append(text)
        return frozenset({"en"})

    assert mismatch(TEXTS["fr"], "en", SET) is not None
    assert mismatch(TEXTS["fr"], "en", SET, opinion) is None
    assert mismatch(TEXTS["fr"], "id", SET, opinion) is not None
    assert mismatch(TEXTS["fr"], "id", SET, lambda text, languages: frozenset()) is None
    assert mismatch(TEXTS["ar"], "en", SET, opinion) is not None
    assert asked == [TEXTS["fr"]] * 2


def test_a_language_the_identifier_does_not_know_is_no_verdict():
    assert identify(TEXTS["en"], ["en", "tlh"]).basis == "unsure"


def test_languages_are_needed():
    with pytest.raises(ValueError, match="no languages"):
        identify("text", [])


def test_tags():
    assert [code_of(tag) for tag in ("ar-EG", "arz", "apc-LB", "EN", "nb-NO")] == ["ar", "ar", "ar", "en", "no"]


@pytest.mark.parametrize("piece", ["a\ud800b", "\x07", "<", "<a ", "$", "$$", "`", "```", "\\[", "كتب "])
def test_odd_texts_are_read_in_a_moment(piece):
    text = piece * (48_000 // len(piece))
    began = time.process_time()
    identify(text, ["ar", "en"])
    assert time.process_time() - began < 2


def test_nothing_large_is_loaded_before_it_is_used():
    code = (
        "import sys; from agreement.answers import alternatives, choices, languages, question;"
        "from agreement.answers.rules import rules; rules(); languages.identify('The boy went', ['en', 'ar']);"
        "print([name for name in ('py3langid', 'rapidfuzz', 'snowballstemmer') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
