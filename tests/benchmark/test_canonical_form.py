"""Whoever writes a question set down: the same set has the same hash, and another set has another one."""

import random
from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from benchmark.canonical import (
    CanonicalQuestion,
    CanonicalRule,
    CanonicalSkill,
    CanonicalSource,
    canonical_form,
    question_sha256,
    set_sha256,
)

TEXT = st.text(max_size=8)
NUMBERED = st.dictionaries(TEXT, TEXT | st.integers(-9, 9) | st.booleans(), max_size=3)
RULES = st.lists(st.builds(CanonicalRule, TEXT, st.integers(1, 3), NUMBERED), max_size=3)
QUESTIONS = st.builds(
    CanonicalQuestion,
    **dict.fromkeys(
        ("key", "prompt_sha256", "variety", "instruction", "input_text", "reference", "expected_language", "format"),
        TEXT,
    ),
    **dict.fromkeys(("skill", "subcategory", "source", "cluster", "twin_of"), TEXT),
    options=st.lists(st.fixed_dictionaries({"label": TEXT, "text": TEXT}), max_size=2),
    is_held_back=st.booleans(),
    metadata=NUMBERED,
    rules=RULES,
)
SKILLS = st.lists(st.builds(CanonicalSkill, TEXT, TEXT, st.booleans()), max_size=4, unique_by=lambda skill: skill.slug)
SOURCES = st.lists(
    st.builds(CanonicalSource, TEXT, TEXT, st.none() | st.booleans(), TEXT, TEXT),
    max_size=4,
    unique_by=lambda source: source.slug,
)


def hashed(questions, skills=(), sources=(), licence="CC0") -> str:
    pairs = ((question.key, question_sha256(question)) for question in questions)
    return set_sha256(canonical_form(licence=licence, skills=skills, sources=sources, questions=pairs))


def shuffled(mapping: dict) -> dict:
    return dict(random.Random(1).sample(list(mapping.items()), len(mapping)))


@given(st.lists(QUESTIONS, max_size=5), SKILLS, SOURCES, st.randoms())
def test_the_order_in_which_it_is_written_counts_for_nothing(questions, skills, sources, draw):
    expected = hashed(questions, skills, sources)
    for rows in (questions, skills, sources):
        draw.shuffle(rows)
    rewritten = [
        replace(
            question,
            rules=[replace(rule, parameters=shuffled(rule.parameters)) for rule in reversed(question.rules)],
            metadata=shuffled(question.metadata),
        )
        for question in questions
    ]
    assert hashed(rewritten, skills, sources) == expected


@given(QUESTIONS, st.sampled_from([each.name for each in fields(CanonicalQuestion)]), st.data())
def test_whatever_changes_in_a_question_changes_the_hash(question, name, data):
    other = getattr(data.draw(QUESTIONS), name)
    is_same = other == getattr(question, name)
    if name == "rules":
        plain = [
            sorted(map(repr, (rule.rule, rule.version, sorted(map(repr, rule.parameters.items()))))) for rule in other
        ]
        ours = [
            sorted(map(repr, (rule.rule, rule.version, sorted(map(repr, rule.parameters.items())))))
            for rule in question.rules
        ]
        is_same = sorted(plain) == sorted(ours)
    if name == "metadata":  # True equals 1 in Python, and not in JSON
        is_same = sorted(map(repr, other.items())) == sorted(map(repr, question.metadata.items()))
    assert (question_sha256(replace(question, **{name: other})) == question_sha256(question)) == is_same


@given(st.lists(QUESTIONS, min_size=1, max_size=4))
def test_a_question_more_or_less_is_another_set(questions):
    assert hashed(questions) != hashed(questions[1:])
    assert hashed(questions) != hashed(questions, licence="CC BY")


def test_the_order_of_options_counts_since_a_model_is_shown_it():
    options = [{"label": "A", "text": "x"}, {"label": "B", "text": "y"}]
    texts = dict.fromkeys((each.name for each in fields(CanonicalQuestion)), "")
    question = CanonicalQuestion(**texts | {"options": options, "is_held_back": False, "metadata": {}, "rules": []})
    assert question_sha256(question) != question_sha256(replace(question, options=options[::-1]))


def test_the_bytes_are_these():
    form = canonical_form(
        licence="CC0",
        skills=[CanonicalSkill("b", "ب", True), CanonicalSkill("a", "A", False)],
        sources=[CanonicalSource("s", "S", None, "", "")],
        questions=[("q2", "22"), ("q1", "11")],
    )
    assert form.decode() == (
        '{"format":"mizan.question-set/1","licence":"CC0","questions":[["q1","11"],["q2","22"]],'
        '"skills":[{"counts_refusals":false,"name":"A","slug":"a"},{"counts_refusals":true,"name":"ب","slug":"b"}],'
        '"sources":[{"is_translated":null,"licence":"","link":"","name":"S","slug":"s"}]}'
    )
