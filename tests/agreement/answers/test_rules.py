"""The rules of table 6: the worked cases that each declares, and what holds of all."""

import math
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.answers import rules as registry
from agreement.answers.declaration import Case, NotApplicable, Parameter, Rule, Target
from agreement.answers.rules import rule_named, rules

PUBLISHED = {
    "AUTOMATED_LLM_AS_A_JUDGE_MCQ",
    "AUTOMATED_LLM_AS_A_JUDGE_GENERATION",
    "MANUAL_ROUGE_SCORE",
    "MANUAL_METEOR_SCORE",
    "AUTOMATED_LLM_AS_A_JUDGE_WRITING_DIALECT",
    "AUTOMATED_LLM_AS_A_JUDGE_REASONING",
    "MANUAL_WORDS_INTERSECTION",
    "MANUAL_DIACRITIZATION",
    "MANUAL_DIALECT_MATCHING",
    "MANUAL_RELATIVE_MIN_DISTANCE",
    "MANUAL_CLOSE_TO_REFERENCE_LENGTH",
    "MANUAL_MIN_DISTANCE",
    "MANUAL_IS_VALID_JSON",
    "AUTOMATED_LLM_AS_A_JUDGE_GRAMMAR_IRAB",
    "MANUAL_IFEVAL_1",
    "MANUAL_STRUCTURING_1",
    "MANUAL_IFEVAL_2",
    "MANUAL_MRCR_FIRST_LINE_MATCH",
}
COMPUTED = [rule for rule in rules().values() if not rule.is_judged]
CASES = [
    pytest.param(rule, case, id=f"{rule.name}-{number}") for rule in COMPUTED for number, case in enumerate(rule.cases)
]
# Rules that compare with the reference: its own text scores 10. The parameters that some of them need.
COMPARING = {
    "rouge_l": {}, "meteor": {}, "words_intersection": {}, "diacritization": {}, "relative_edit_distance": {},
    "minimum_edit_distance": {}, "reference_length": {"unit": "characters"}, "first_line": {}, "dialect_matching": {},
}  # fmt: skip
NEEDED = {
    "instruction_words": {"phrases": ["كتاب"], "count": 2},
    "instruction_counts": {"unit": "sentences", "count": 2},
    "structuring": {"form": "bullets", "items": 2},
}
REFERENCE = "ذَهَبَ الوَلَدُ إِلَى المَدْرَسَةِ فِي مِصْر"
ALPHABET = st.sampled_from("abcé\u0301 \t\nأإاىيةه\u064e\u0651ـ٣3১ক\u09cd\u09b7👩🏽\u200d🚀가ﻻ،.-|:{}\"'\u200f\u0007")
TEXTS = st.text(alphabet=ALPHABET, max_size=60)


def target_for(rule: Rule) -> Target:
    return Target(REFERENCE, original="ذهب الولد", language="ar")


def test_each_rule_of_table_6_is_declared_once():
    assert {rule.published for rule in rules().values()} == PUBLISHED
    assert len(rules()) == 18
    assert sum(rule.is_judged for rule in rules().values()) == 5
    assert all(rule.definition and rule.source and rule.version >= 1 for rule in rules().values())


def test_a_rule_is_named_as_its_file():
    assert all(rule_named(name).name == name for name in rules())
    with pytest.raises(ValueError, match="no scoring rule is named 'bleu'"):
        rule_named("bleu")


@pytest.mark.parametrize(("rule", "case"), CASES)
def test_a_case_scores_as_declared(rule: Rule, case: Case):
    if case.refused:
        with pytest.raises(NotApplicable, match=case.refused.replace(".", r"\.")):
            rule.scorer(case.target, case.parameters)
        return
    score = rule.scorer(case.target, case.parameters)(case.answer)
    assert score.value == pytest.approx(case.score, abs=1e-9)
    assert {name: score.detail[name] for name in case.detail} == case.detail


def test_every_computed_rule_has_a_case_of_10_and_one_of_0():
    for rule in COMPUTED:
        scores = {case.score for case in rule.cases}
        assert {0, 10} <= scores, rule.name


def test_a_judged_rule_is_scored_by_nobody_here():
    with pytest.raises(NotApplicable, match="scored by a judge"):
        rule_named("judge_irab").scorer(Target("a"))


@pytest.mark.parametrize("name", COMPARING)
def test_the_reference_itself_scores_10(name):
    rule = rule_named(name)
    for reference in (REFERENCE, unicodedata.normalize("NFD", REFERENCE), f"\n{REFERENCE}\u200f"):
        assert rule.scorer(target_for(rule), COMPARING[name])(reference).value == 10


@settings(max_examples=60, deadline=None)
@given(reference=TEXTS, language=st.sampled_from(["ar", "en", "bn", ""]))
def test_identity_scores_10_wherever_a_rule_applies(reference, language):
    for name, parameters in COMPARING.items():
        try:
            scorer = rule_named(name).scorer(Target(reference, original="x" * 70, language=language), parameters)
        except NotApplicable:
            continue
        assert scorer(reference).value == 10, name


@settings(max_examples=60, deadline=None)
@given(reference=TEXTS, answer=TEXTS)
def test_scores_are_from_0_to_10_and_do_not_hang_on_the_normal_form(reference, answer):
    for name, parameters in (COMPARING | {"valid_json": {}} | NEEDED).items():
        try:
            scorer = rule_named(name).scorer(Target(reference, original="ab", language="ar"), parameters)
        except NotApplicable:
            continue
        score = scorer(answer)
        assert 0 <= score.value <= 10, name
        assert scorer(unicodedata.normalize("NFD", answer)).value == pytest.approx(score.value), name
        assert scorer(unicodedata.normalize("NFC", answer)).value == pytest.approx(score.value), name


ODD = {
    "empty": "",
    "spaces": " \n\t ",
    "control": "".join(map(chr, [*range(1, 32), 127, 0x85, 0x2028])),
    "48 kB": "ذهب الولد إلى المدرسة. " * 1200,
    "one word": "ك" * 24_000,
    "scripts": "abc كتب 가나 ক্ষ 我 😀 é",
    "half of a surrogate pair": "a\ud800b",
    "brackets": "[" * 5000,
    "tables": "|" * 5000,
    "bullets": "- " * 5000 + "\n" + "* a\n" * 5000,
    "colons": ":" * 5000,
    "stars": "*" * 5000,
}


@pytest.mark.parametrize("answer", ODD.values(), ids=ODD)
def test_odd_answers_have_a_score(answer):
    for name, parameters in (COMPARING | {"valid_json": {}} | NEEDED).items():
        score = rule_named(name).scorer(target_for(rule_named(name)), parameters)(answer)
        assert math.isfinite(score.value)
        assert 0 <= score.value <= 10
        assert isinstance(score.detail, dict)
    for form in ("pairs", "table", "headings", "numbers"):
        rule_named("structuring").scorer(Target(""), {"form": form, "items": 1})(answer)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("rouge_l", {"n": 1}, "rouge_l has no parameter n"),
        ("instruction_words", {"phrases": ["a"]}, "needs the parameter count"),
        ("instruction_words", {"phrases": "a", "count": 1}, "a list of texts is needed"),
        ("instruction_words", {"phrases": [], "count": 1}, "a list of texts is needed"),
        ("instruction_words", {"phrases": ["a"], "count": -1}, "at least 0 is needed"),
        ("instruction_words", {"phrases": ["a"], "count": True}, "integer is needed"),
        ("instruction_counts", {"unit": "pages", "count": 1}, "one of words, sentences"),
        ("diacritization", {"most_changed": float("nan")}, "number is needed"),
        ("diacritization", {"most_changed": 2}, "at most 1 is possible"),
        ("valid_json", {"fence": 1}, "flag is needed"),
    ],
)
def test_a_parameter_that_does_not_fit_is_refused(name, parameters, message):
    with pytest.raises(ValueError, match=message):
        rule_named(name).scorer(Target(REFERENCE), parameters)


def test_defaults_are_parameters_that_would_be_read():
    for rule in rules().values():
        for parameter in rule.parameters:
            assert isinstance(parameter, Parameter)
            if parameter.default not in (None, ()):
                assert parameter.read(parameter.default) == parameter.default


def test_a_prepared_scorer_gives_the_same_again():
    scorer = rule_named("meteor").scorer(Target("كتب الولد رسالة إلى صديقه", language="ar"))
    answer = "الولد كتب رسائل إلى أصدقائه"
    assert scorer(answer) == scorer(answer)


def test_the_documentation_lists_every_rule_as_it_is_declared():
    text = (Path(__file__).parents[3] / "docs" / "benchmark.md").read_text(encoding="utf-8")
    for rule in rules().values():
        assert f"| `{rule.name}` | `{rule.published}` |" in text
        assert rule.definition in text, rule.name
        assert all(f"`{parameter.name}`" in text for parameter in rule.parameters)


def test_a_file_in_the_folder_is_a_rule(tmp_path, monkeypatch):
    (tmp_path / "first_word.py").write_text(
        "from agreement.answers.declaration import Rule\n"
        "RULE = Rule(name='first_word', title='', definition='', version=1, published='')\n"
    )
    monkeypatch.setattr(registry, "__path__", [*registry.__path__, str(tmp_path)])
    rules.cache_clear()
    try:
        assert rule_named("first_word").is_judged
        assert len(rules()) == 19
    finally:
        sys.modules.pop("agreement.answers.rules.first_word", None)
        rules.cache_clear()


def test_no_package_that_scores_arabic_wrongly_or_binds_by_its_licence_is_required():
    """They take marks for punctuation (nltk, rouge-score) or are under the GPL without need (PyArabic, Levenshtein)."""
    root = Path(__file__).resolve().parents[3]
    pinned = {
        line.split("==")[0].lower() for line in (root / "requirements.txt").read_text().splitlines() if "==" in line
    }
    assert {"rapidfuzz", "snowballstemmer", "regex", "py3langid"} <= pinned
    assert not pinned & {"nltk", "rouge-score", "rouge_score", "pyarabic", "levenshtein", "python-levenshtein"}
