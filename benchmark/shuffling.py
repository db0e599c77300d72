"""A frozen version's multiple choices with their options in another order, as a set of its own that is frozen at once.

Why a set and not twins within the version: what is frozen stays as it is, scores of the board go by its own questions
alone, and the commands that collect, score and judge take any frozen set.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from agreement.answers.shuffling import NOT_TOLD_APART, Shuffled, is_right, shuffled
from benchmark.freezing import freeze
from benchmark.models import Question, QuestionSet, RuleUse, ShuffledSet, Skill, Source
from benchmark.prompting import prompt_text
from benchmark.reading import questions_of
from formats.choices import QuestionFormat
from projects import audit
from projects.anchors import sha256
from projects.models import Prompt, User
from projects.problems import Invalid, Problem
from projects.slugs import free_slug

MAX_SEED = 2**31 - 1
STORED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Shuffling:
    """What came of it. `left_out`: multiple choices whose options could not be moved, by the reason."""

    question_set: QuestionSet
    questions: int
    left_out: Counter[str]


@transaction.atomic
def shuffle_set(original: QuestionSet, seed: int, by: User | None = None) -> Shuffling:
    """The set of `original` with options in the order that the seed draws for each question.

    Raises Invalid for a draft, for a set that is shuffled itself, a seed that was used before, and where no question
    can be shuffled.
    """
    original = QuestionSet.objects.select_for_update().get(pk=original.pk)
    check(original, seed)
    taken = set(original.project.question_sets.values_list("slug", flat=True))
    row = QuestionSet.objects.create(
        project=original.project,
        slug=free_slug(f"{original.slug[:30]}-v{original.version}-shuffled-{seed}", taken, "shuffled"),
        name=_("%(set)s, options shuffled") % {"set": original.name[:90]},
        licence=original.licence,
    )
    left_out: Counter[str] = Counter()
    coming = []
    for question in questions_of(original):
        if question.format != QuestionFormat.MCQ:
            continue
        made = shuffled_question(question, seed)
        if isinstance(made, str):
            left_out[made] += 1
        else:
            coming.append((question, *made))
    if not coming:
        raise Invalid(Problem("nothing_to_shuffle", _("No question of this version has options that can be moved.")))
    store(row, coming)
    ShuffledSet.objects.create(question_set=row, original=original, seed=seed, left_out=left_out.total())
    frozen = freeze(row, by)
    audit.record(
        "question_set.shuffled",
        actor=by,
        project=original.project,
        subject=str(original),
        seed=seed,
        questions=len(coming),
        left_out=dict(left_out),
    )
    return Shuffling(frozen, len(coming), left_out)


def check(original: QuestionSet, seed: int) -> None:
    if not original.is_frozen:
        raise Invalid(Problem("not_frozen", _("This version is a draft: freeze it, then its options are shuffled.")))
    if ShuffledSet.objects.filter(question_set=original).exists():
        raise Invalid(Problem("shuffled_already", _("The options of this set are shuffled already.")))
    if ShuffledSet.objects.filter(original=original, seed=seed).exists():
        message = _("There is a set with this seed already: name another number for another order.")
        raise Invalid(Problem("seed_used", message, "seed"))


def shuffled_question(question: Question, seed: int) -> tuple[Shuffled, str] | str:
    """The question in its new order with the text that a model is sent, or why there is none."""
    asked = question.prompt.text
    made = shuffled(question.instruction, question.options, question.reference, asked, seed=seed, key=question.key)
    if isinstance(made, str):
        return made
    text = prompt_text(made.instruction, question.input_text, made.options)
    return (made, text) if is_right(asked, text, question.reference, made) else NOT_TOLD_APART


def store(row: QuestionSet, coming: Sequence[tuple[Question, Shuffled, str]]) -> None:
    """Skills, sources, prompts, questions and rules of the set; nobody's held-back twin is a twin here."""
    skills = named(Skill, row, [question.skill for question, *_rest in coming])
    sources = named(Source, row, [question.source for question, *_rest in coming if question.source])
    for begin in range(0, len(coming), STORED_AT_ONCE):
        batch = coming[begin : begin + STORED_AT_ONCE]
        prompts = Prompt.objects.bulk_create(
            Prompt(
                project_id=row.project_id,
                key=f"{row.slug}/{question.key}",
                text=text,
                text_sha256=sha256(text),
                variety_id=question.prompt.variety_id,
            )
            for question, _made, text in batch
        )
        rules = [list(question.rule_uses.all()) for question, *_rest in batch]
        questions = []
        for (question, made, _text), prompt in zip(batch, prompts, strict=True):
            question.pk, question.question_set, question.prompt = None, row, prompt
            question.target_sha256, question.twin_of = "", None
            question.instruction, question.options, question.reference = made.instruction, made.options, made.reference
            question.skill = skills[question.skill.slug]
            question.source = sources[question.source.slug] if question.source else None
            question.metadata = {**question.metadata, "order": list(made.order)}
            questions.append(question)
        stored = Question.objects.bulk_create(questions)
        uses = []
        for question, of_question in zip(stored, rules, strict=True):
            for use in of_question:
                use.pk, use.question, use.target_sha256 = None, question, ""
                uses.append(use)
        RuleUse.objects.bulk_create(uses)


def named(model: type[Skill] | type[Source], row: QuestionSet, rows: Sequence[Any]) -> dict[str, Any]:
    """Copies of those that are used, by their short names."""
    once = {each.slug: each for each in rows}
    for each in once.values():
        each.pk, each.question_set = None, row
        each._state.adding = True
    made = model.objects.bulk_create(once.values())
    return {each.slug: each for each in made}
