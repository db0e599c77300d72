"""What takes long of a large question set, as jobs: freezing it, and writing it, or the answers to it, to a file.

What is small is done while the person waits.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.exporting import exported
from benchmark.exporting_answers import answers_to, exported_answers
from benchmark.freezing import SHOWN, freeze, problems_of_question
from benchmark.models import QuestionSet
from benchmark.reading import questions_of
from benchmark.scoring import check_frozen
from jobs.enqueuing import add_job
from jobs.files import store_file
from jobs.kinds import JobKind
from jobs.models import Job, JobState, StoredFile
from jobs.working import Held, do_at_once
from projects import audit
from projects.models import User
from projects.problems import Invalid, Problem

FREEZING = "question_set_freezing"
EXPORT = "question_set_export"
ANSWERS_EXPORT = "benchmark_answers_export"
# Measured on a busy machine: 470 questions freeze in 0.7 s.
FEW_QUESTIONS = 1000
# Measured: 6,100 answers with their scores are written in 0.6 s of a processor.
FEW_ANSWERS = 5000
QUESTIONS_AT_ONCE = 200
KEPT = timedelta(days=7)
# What was broken off with its process is swept after this.
WRITTEN_WITHIN = timedelta(days=1)
JSON_LINES = "application/x-ndjson"


def is_large(question_set: QuestionSet) -> bool:
    return question_set.questions.count() > FEW_QUESTIONS


def set_of(job: Job) -> QuestionSet:
    """Raises Invalid where the set has gone meanwhile."""
    row = QuestionSet.objects.filter(pk=job.options["question_set"]).first()
    if row is None:
        raise Invalid(Problem("no_question_set", _("The question set is no longer there.")))
    return row


class OfSet(JobKind):
    """A job about one version of a set, which `options` names."""

    permission = "project.edit"
    can_pause = False

    def describe(self, job: Job) -> str:
        return str(job.options["name"])

    def url(self, job: Job) -> str:
        assert job.project is not None  # whoever begins one names it
        row = QuestionSet.objects.filter(pk=job.options["question_set"]).first()
        if row is None:
            return reverse("question-sets", args=[job.project.slug])
        return reverse("question-set", args=[job.project.slug, row.slug, row.version])


class Freezing(OfSet):
    """Every question is checked first, which holds nobody up and can be cancelled; then the set is frozen at once, with
    the check made again under the lock."""

    name = FREEZING
    label = gettext_lazy("Freezing a question set")

    def run(self, held: Held) -> Any:
        row = set_of(held.job)
        if row.is_frozen:  # by an attempt whose end was lost
            return {"sha256": row.sha256}
        total, words = row.questions.count(), _("%(done)d of %(total)d questions checked")
        problems: list[Problem] = []
        for done, question in enumerate(questions_of(row)):
            if done % QUESTIONS_AT_ONCE == 0:
                held.progress(done, total, words % {"done": done, "total": total})
            problems += problems_of_question(question)
            if len(problems) >= SHOWN:
                break
        if problems:
            raise Invalid(problems[:SHOWN])
        with transaction.atomic():
            frozen = freeze(row, held.job.asked_by)
            held.finish({"questions": total, "sha256": frozen.sha256})
        return {"questions": total, "sha256": frozen.sha256}


class SetExport(OfSet):
    """Writes a version to a file. One that was broken off is never anybody's: the next attempt writes another."""

    name = EXPORT
    label = gettext_lazy("File of a question set")
    makes_file = True
    # What the audit log has, and what the file's name ends with.
    event = "question_set.exported"
    ending = ".jsonl"

    def lines(self, row: QuestionSet, with_held_back: bool) -> Iterator[bytes]:
        return exported(row, with_held_back)

    def total(self, row: QuestionSet) -> int:
        return row.questions.count()

    def run(self, held: Held) -> Any:
        job = held.job
        row, with_held_back = set_of(job), bool(job.options["with_held_back"])
        lines = watched(self.lines(row, with_held_back), held, self.total(row))
        file = store_file(f"{row.slug}-v{row.version}{self.ending}", lines, WRITTEN_WITHIN, JSON_LINES)
        result = {"size": file.size, "sha256": file.sha256, "held_back": with_held_back}
        with transaction.atomic():
            StoredFile.objects.filter(job=job).delete()
            StoredFile.objects.filter(pk=file.pk).update(job=job, expires_at=timezone.now() + KEPT)
            said = {"subject": str(row), "held_back": with_held_back, "via": "file", "job": str(job.uuid)}
            audit.record(self.event, actor=job.asked_by, project=job.project, **said)
            held.finish(result)
        return result


class AnswersExport(SetExport):
    """Writes the answers to a version, with what judges said of them."""

    name = ANSWERS_EXPORT
    label = gettext_lazy("File of answers to a question set")
    event = "answers.exported"
    ending = "-answers.jsonl"

    def lines(self, row: QuestionSet, with_held_back: bool) -> Iterator[bytes]:
        return exported_answers(row, with_held_back)

    def total(self, row: QuestionSet) -> int:
        return answers_to(row).count()


def watched(lines: Iterator[bytes], held: Held, total: int) -> Iterator[bytes]:
    """The lines as they come; the job says how far it is, and breaks off where it was cancelled."""
    for done, line in enumerate(lines):
        if done % QUESTIONS_AT_ONCE == 0:
            held.progress(min(done, total), total)
        yield line


def begin_freezing(question_set: QuestionSet, by: User | None) -> Job:
    """The job that freezes a large set; the one that is under way where there is one."""
    options = {"question_set": question_set.pk, "name": str(question_set)}
    return add_job(FREEZING, question_set.project, by, options=options, key=str(question_set.pk))


def begin_export(question_set: QuestionSet, by: User | None, *, with_held_back: bool) -> Job:
    """The job that writes the file, done when this returns where the set is small."""
    return begin_writing(EXPORT, question_set, by, with_held_back, is_waited_for=not is_large(question_set))


def begin_answers_export(question_set: QuestionSet, by: User | None, *, with_held_back: bool) -> Job:
    """As `begin_export`, where few answers are few. Raises Invalid for a draft."""
    check_frozen(question_set)
    is_waited_for = answers_to(question_set).count() <= FEW_ANSWERS
    return begin_writing(ANSWERS_EXPORT, question_set, by, with_held_back, is_waited_for=is_waited_for)


def begin_writing(
    kind: str, question_set: QuestionSet, by: User | None, with_held_back: bool, *, is_waited_for: bool
) -> Job:
    options = {"question_set": question_set.pk, "name": str(question_set), "with_held_back": with_held_back}
    key = f"{question_set.pk} {with_held_back}"
    job = add_job(kind, question_set.project, by, options=options, key=key, wake=not is_waited_for)
    if is_waited_for and job.state == JobState.QUEUED:
        do_at_once(job)
    return job
