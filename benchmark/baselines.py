"""Rows of a board that know nothing: what a score is worth is what it is above these (agreement/baselines.py)."""

from collections.abc import Iterator

from django.db import transaction
from django.utils.translation import gettext as _

from agreement import baselines
from agreement.answers.options import options_in
from benchmark.answering import receive_many
from benchmark.baseline_names import ROWS
from benchmark.judged import newest_frozen
from benchmark.models import Answer, Configuration, ConfigurationKind, Question
from formats.choices import QuestionFormat
from projects import audit
from projects.among import Among
from projects.models import Laboratory, Project, Prompt, TargetModel, User
from projects.problems import Invalid, Problem

# Says nothing, in the languages that questions are most often in: a language that is not asked for would decide alone.
CONSTANTS = {
    "ar": "لا أستطيع أن أقول شيئا محددا عن هذا السؤال.",
    "bn": "এই প্রশ্ন সম্পর্কে নির্দিষ্ট কিছু বলা সম্ভব নয়।",
    "id": "Tidak ada yang dapat dikatakan dengan pasti tentang pertanyaan ini.",
    "ko": "이 질문에 대해 확실하게 말할 수 있는 것이 없습니다.",
    "en": "Nothing definite can be said about this question.",
}
LABORATORY = ("baselines", "Baselines")
QUESTIONS_AT_ONCE = 500


def add_baselines(project: Project, by: User | None = None) -> dict[str, int]:
    """Answer the newest frozen version of every set as each baseline does; by its name, how many answers are new.

    Questions that a baseline has no answer to (no options) stay without one, and count as unscored. Raises Invalid
    where nothing is frozen.
    """
    if not newest_frozen().filter(project=project).exists():
        raise Invalid(Problem("no_frozen_set", _("The project has no frozen question set.")))
    added = {}
    with transaction.atomic():
        laboratory, _is_new = Laboratory.objects.get_or_create(slug=LABORATORY[0], defaults={"name": LABORATORY[1]})
        for kind, (slug, name) in ROWS.items():
            target, _is_new = TargetModel.objects.get_or_create(name=name, defaults={"laboratory": laboratory})
            values = {"kind": ConfigurationKind.BASELINE, "target_model": target, "name": name}
            row, _is_new = Configuration.objects.get_or_create(project=project, slug=slug, defaults=values)
            added[name] = sum(len(answer_as(kind, row, questions)) for questions in unanswered(row))
        audit.record("baselines.added", actor=by, project=project, subject=project.slug, answers=sum(added.values()))
    return added


def unanswered(row: Configuration) -> Iterator[list[Question]]:
    """Questions without an answer of this row, some at a time and each prompt once."""
    questions = Question.objects.filter(question_set__in=newest_frozen().filter(project=row.project_id).values("pk"))
    questions = questions.select_related("prompt__variety").order_by("pk")
    last, seen = 0, set[int]()
    while batch := list(questions.filter(pk__gt=last)[:QUESTIONS_AT_ONCE]):
        last = batch[-1].pk
        answers = Answer.objects.filter(configuration=row, prompt__in=Among(each.prompt_id for each in batch))
        seen |= set(answers.values_list("prompt_id", flat=True))
        once = {each.prompt_id: each for each in reversed(batch) if each.prompt_id not in seen}
        seen |= set(once)
        yield [each for each in batch if once.get(each.prompt_id) is each]


def answer_as(kind: str, row: Configuration, questions: list[Question]) -> list[Answer]:
    how = {"reasoning": "", "is_cut": False, "is_refusal": False}
    answers: list[tuple[Configuration, Prompt, str, dict]] = []
    for question in questions:
        text = baseline_text(kind, question)
        if text is not None:
            answers.append((row, question.prompt, text, how))
    return receive_many(answers)


def baseline_text(kind: str, question: Question) -> str | None:
    """What a baseline says to a question; None where it has no answer to it."""
    language = (question.expected_language or question.prompt.variety.tag).partition("-")[0].lower()
    options = [option["text"] for option in question.options]
    if not options and question.format == QuestionFormat.MCQ and (listed := options_in(question.prompt.text)):
        options = [option.text for option in listed.options if option.text]
    constant = CONSTANTS.get(language, CONSTANTS["en"])
    return baselines.baseline_answer(kind, question.prompt.text, options, constant)
