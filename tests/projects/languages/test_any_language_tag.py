"""Any tag of BCP 47 is read, described and named; what is none is refused with what may have been meant."""

import unicodedata
from collections import Counter

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from langcodes.registry_parser import parse_registry

from projects.languages.facts import RIGHT_TO_LEFT, WITHOUT_SPACES, facts
from projects.languages.names import name, native_name, shipped
from projects.languages.tags import NotATag, identity, read_tag, written_twice

READERS = ("en", "ar", "bn", "id", "ko")
CODES: dict[str, list[str]] = {}
for entry in parse_registry():
    if ".." not in str(entry.get("Subtag", "")):
        CODES.setdefault(entry["Type"], []).append(str(entry.get("Subtag") or entry.get("Tag")))

tags = st.builds(
    lambda *parts: "-".join(part for part in parts if part),
    st.sampled_from(CODES["language"]),
    st.sampled_from(["", *CODES["script"]]),
    st.sampled_from(["", *CODES["region"]]),
    st.sampled_from(["", *CODES["variant"]]),
    st.sampled_from(["", "u-nu-latn", "t-en"]),
    st.sampled_from(["", "x-cairo", "x-a1-b2"]),
)


@given(tags, st.sampled_from(["-", "_"]), st.sampled_from([str, str.lower, str.upper]))
def test_any_tag_of_the_registry_is_read_described_and_named(tag, separator, case):
    read = read_tag(case(tag).replace("-", separator))
    assert read.lower() == tag.lower(), "nothing is put in the place of what was written"
    assert read_tag(read) == read
    known = facts(read)
    assert known.direction == ("rtl" if known.script in RIGHT_TO_LEFT else "ltr")
    assert known.language == tag.split("-")[0]
    for reader in READERS:
        called = name(read, reader)
        assert called.strip()
        assert "()" not in called
    native_name(read)
    assert identity(read)


@pytest.mark.parametrize("tag", [*CODES["grandfathered"], "x-mine", "qaa", "qtz-Qaaa-XA", "und", "mul", "zh-min-nan"])
def test_tags_that_are_whole_or_private_are_read_too(tag):
    assert read_tag(tag.upper()).lower() == tag.lower()
    assert all(name(read_tag(tag), reader) for reader in READERS)
    assert facts(read_tag(tag)).language


def letters() -> str:
    """Every letter of Unicode."""
    found = (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    return "".join(character for character in found if unicodedata.category(character)[0] == "L")


def letters_of(script: str, written: str) -> Counter:
    """How many of these letters are of a script and run from right to left, and how many do not, by Unicode's data."""
    try:
        one = regex.compile(rf"\p{{Script={script}}}")
    except regex.error:
        return Counter()
    return Counter(unicodedata.bidirectional(letter) in ("R", "AL") for letter in one.findall(written))


def test_every_script_whose_letters_run_from_right_to_left_is_known_as_such():
    written = letters()
    runs = {script: letters_of(script, written) for script in CODES["script"]}
    known = {script: found[True] > found[False] for script, found in runs.items() if found.total()}
    assert len(known) > 140
    assert {script for script, is_rtl in known.items() if is_rtl} == RIGHT_TO_LEFT & known.keys()
    # Of the others Unicode has no letters by that code: parts of Syriac and Arabic, and scripts to come.
    assert RIGHT_TO_LEFT - known.keys() <= {
        "Aran",
        "Gara",
        "Mend",
        "Merc",
        "Mero",
        "Phlv",
        "Sidt",
        "Syre",
        "Syrj",
        "Syrn",
    }
    assert set(CODES["script"]) >= WITHOUT_SPACES - {"Sidt"}


@pytest.mark.parametrize(
    ("tag", "script", "direction", "words"),
    [
        ("ary", "Arab", "rtl", "space"),
        ("apc", "Arab", "rtl", "space"),
        ("fa", "Arab", "rtl", "space"),
        ("nqo", "Nkoo", "rtl", "space"),
        ("dv", "Thaa", "rtl", "space"),
        ("ff-Adlm", "Adlm", "rtl", "space"),
        ("pa-PK", "Arab", "rtl", "space"),
        ("pa", "Guru", "ltr", "space"),
        ("az-Arab", "Arab", "rtl", "space"),
        ("hi", "Deva", "ltr", "space"),
        ("sw", "Latn", "ltr", "space"),
        ("yo", "Latn", "ltr", "space"),
        ("chr", "Cher", "ltr", "space"),
        ("bo", "Tibt", "ltr", "unicode"),
        ("km", "Khmr", "ltr", "unicode"),
        ("zh-Hant-TW", "Hant", "ltr", "unicode"),
        ("iw", "Hebr", "rtl", "space"),
    ],
)
def test_script_direction_and_words_follow_from_the_tag(tag, script, direction, words):
    known = facts(tag)
    assert (known.script, known.direction, known.segmentation) == (script, direction, words)


def test_what_ships_as_data_says_the_same():
    for tag, row in shipped().items():
        known = facts(tag)
        assert {
            field: getattr(known, field) for field in ("language", "script", "region", "direction", "segmentation")
        } == {field: row[field] for field in ("language", "script", "region", "direction", "segmentation")}


def test_categories_of_plural():
    assert facts("arz").plurals == ("zero", "one", "two", "few", "many", "other")
    assert facts("id").plurals == ("other",)
    assert facts("aaa").plurals == ()


@pytest.mark.parametrize(
    ("tag", "names"),
    [
        ("ar-EG", ("Egyptian Arabic", "العربية المصرية", "মিশরীয় আরবি", "Arab Mesir", "이집트 아랍어")),
        ("arz", ("Egyptian Arabic", "العربية المصرية", "মিশরীয় আরবি", "Arab Mesir", "이집트 아랍어")),
        ("ary", ("Moroccan Arabic", "العربية المغربية", "মরক্কীয় আরবি", "Arab Maroko", "모로코 아랍어")),
        ("ar-MA", ("Moroccan Arabic", "العربية المغربية", "মরক্কীয় আরবি", "Arab Maroko", "모로코 아랍어")),
        ("bn-IN", ("Bengali (India)", "البنغالية (الهند)", "বাংলা (ভারত)", "Bengali (India)", "벵골어(인도)")),
        (
            "pt-BR",
            (
                "Portuguese (Brazil)",
                "البرتغالية (البرازيل)",
                "পর্তুগীজ (ব্রাজিল)",
                "Portugis (Brasil)",
                "포르투갈어(브라질)",
            ),
        ),
        (
            "sr-Latn",
            ("Serbian (Latin)", "الصربية (اللاتينية)", "সার্বীয় (ল্যাটিন)", "Serbia (Latin)", "세르비아어(로마자)"),
        ),
        ("ko-KR", ("Korean", "الكورية", "কোরিয়ান", "Korea", "한국어")),
        ("x-mine", ("x-mine",) * 5),
        (
            "ar-x-cairo",
            ("Arabic (x-cairo)", "العربية (x-cairo)", "আরবি (x-cairo)", "Arab (x-cairo)", "아랍어(x-cairo)"),
        ),
    ],
)
def test_names_in_each_language_of_the_interface(tag, names):
    assert tuple(name(tag, reader) for reader in READERS) == names


def test_a_language_that_no_list_of_names_holds_is_called_as_the_registry_does():
    assert name("aaa", "ar") == "Ghotuo"
    assert name("zh-Hant-TW") == "Traditional Chinese (Taiwan)"
    assert native_name("zh-Hant-TW") == "繁體中文（台灣）"
    assert (native_name("yo"), native_name("apc"), native_name("nqo")) == ("Èdè Yorùbá", "العربية الشامية", "ߒߞߏ")


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("eg-AR", ["ar-EG"]),
        ("KR-en", ["en-KR"]),
        ("EG", ["ar-EG"]),
        ("en-UK", ["en-GB"]),
        ("swa-KE", ["sw-KE"]),
        ("ar--EG", ["ar-EG"]),
        ("Egyptian Arabic", ["ar-EG", "arz"]),
        ("العربية المصرية", ["ar-EG"]),
        ("Yoruba", ["yo"]),
        ("Swahilli", ["sw"]),
        ("de-Fraktur", ["de"]),
        ("de-1996-1996", ["de-1996"]),
        ("en-a-bb-a-cc", ["en-CC", "en-a-bb"]),
        ("zz", []),
        ("", []),
        ("x", []),
        ("日", []),
        ("a" * 300, []),
        ("ar\u202e-EG", ["ar-EG"]),
    ],
)
def test_what_is_no_tag_is_refused_with_what_may_have_been_meant(typed, near):
    with pytest.raises(NotATag) as refused:
        read_tag(typed)
    assert list(refused.value.near) == near
    assert "not a language tag" in str(refused.value)
    assert len(str(refused.value)) < 300


@given(st.text(max_size=40))
def test_any_text_is_a_tag_or_refused(text):
    near = []
    try:
        near = [read_tag(text)]
    except NotATag as refused:
        near = refused.near
    assert all(read_tag(tag) == tag for tag in near)


def test_one_language_under_two_tags_is_found_and_neither_is_changed():
    pairs = [
        *(["ar-EG", "arz"], ["ar-MA", "ary"], ["cmn", "zh"], ["he", "iw"], ["id", "in"], ["fa", "pes"], ["mo", "ro"]),
        *(["sh", "sr-Latn"], ["zh-Hant-TW", "zh-TW"], ["apc-LB", "ar-LB"], ["sw", "swh"], ["ar", "arb"]),
    ]
    assert written_twice(tag for pair in pairs for tag in pair) == sorted(pairs)
    assert all(read_tag(tag) == tag for pair in pairs for tag in pair)
    assert (
        written_twice(["ko", "ko-KR", "pt-BR", "pt-PT", "ar", "ar-EG", "sr", "sr-Latn", "ar-EG-x-cairo", "ary"]) == []
    )
