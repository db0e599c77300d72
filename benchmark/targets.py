"""What the score of an answer depends on, as a hash: of a question as a whole, and of each use of a rule.

Scores are stored under these hashes and not under rows of a version, so that a later version has the scores of all
that did not change in it. Known once a set is frozen: until then its languages can still change.
"""

from collections.abc import Sequence

from benchmark.canonical import sha256_of
from benchmark.models import Question, QuestionSet, RuleUse
from benchmark.reading import BATCH

FORMAT = "mizan.target/1"


def languages_of(question_set: QuestionSet) -> list[str]:
    """The languages that answers to the set are expected in, sorted: among these a text's language is looked for."""
    languages = (
        question_set.questions.exclude(expected_language="").order_by().values_list("expected_language").distinct()
    )
    return sorted(tag for (tag,) in languages)


def question_target(question: Question, languages: Sequence[str]) -> str:
    """The hash of what the fixed rules, and a person who scores the whole answer, go by."""
    return sha256_of({**asked(question), "languages": list(languages)})


def use_target(question: Question, use: RuleUse) -> str:
    """The hash of what one rule's score of an answer depends on."""
    return sha256_of({**asked(question), "rule": use.rule, "version": use.rule_version, "parameters": use.parameters})


def asked(question: Question) -> dict[str, object]:
    return {
        "format": FORMAT,
        "prompt_sha256": question.prompt.text_sha256,
        "input_text": question.input_text,
        "options": question.options,
        "reference": question.reference,
        "expected_language": question.expected_language,
        "question_format": question.format,
        "skill": question.skill.name,
        "counts_refusals": question.skill.counts_refusals,
    }


def store_targets(question_set: QuestionSet) -> None:
    """Compute and store all hashes of a version that is about to be frozen, within its transaction."""
    languages = languages_of(question_set)
    rows = question_set.questions.order_by("pk").select_related("prompt", "skill").prefetch_related("rule_uses")
    last = 0
    while batch := list(rows.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        uses = []
        for question in batch:
            question.target_sha256 = question_target(question, languages)
            for use in question.rule_uses.all():
                use.target_sha256 = use_target(question, use)
                uses.append(use)
        Question.objects.bulk_update(batch, ["target_sha256"])
        RuleUse.objects.bulk_update(uses, ["target_sha256"], batch_size=BATCH)
