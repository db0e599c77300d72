"""A stored set as its canonical form, read in batches."""

from collections.abc import Iterator

from benchmark.canonical import (
    CanonicalQuestion,
    CanonicalRule,
    CanonicalSkill,
    CanonicalSource,
    canonical_form,
    question_sha256,
    set_sha256,
)
from benchmark.models import Question, QuestionSet

BATCH = 1000


def questions_of(question_set: QuestionSet, with_held_back: bool = True) -> Iterator[Question]:
    """In their order, each with its prompt, skill, source, twin and rules at hand."""
    rows = question_set.questions.order_by("position", "pk").prefetch_related("rule_uses")
    rows = rows.select_related("prompt__variety", "skill", "source", "twin_of")
    return (rows if with_held_back else rows.filter(is_held_back=False)).iterator(chunk_size=BATCH)


def canonical_question(question: Question) -> CanonicalQuestion:
    return CanonicalQuestion(
        key=question.key,
        prompt_sha256=question.prompt.text_sha256,
        variety=question.prompt.variety.tag,
        instruction=question.instruction,
        input_text=question.input_text,
        options=question.options,
        reference=question.reference,
        expected_language=question.expected_language,
        format=question.format,
        skill=question.skill.slug,
        subcategory=question.subcategory,
        source=question.source.slug if question.source else "",
        cluster=question.cluster,
        is_held_back=question.is_held_back,
        twin_of=question.twin_of.key if question.twin_of else "",
        metadata=question.metadata,
        rules=[CanonicalRule(use.rule, use.rule_version, use.parameters) for use in question.rule_uses.all()],
    )


def sha256_of_set(question_set: QuestionSet) -> str:
    """The hash of a stored set's canonical form."""
    return set_sha256(
        canonical_form(
            licence=question_set.licence,
            skills=[
                CanonicalSkill(skill.slug, skill.name, skill.counts_refusals) for skill in question_set.skills.all()
            ],
            sources=[
                CanonicalSource(source.slug, source.name, source.is_translated, source.licence, source.link)
                for source in question_set.sources.all()
            ],
            questions=(
                (question.key, question_sha256(canonical_question(question))) for question in questions_of(question_set)
            ),
        )
    )
