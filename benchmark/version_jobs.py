"""What copies a large question set into another, as jobs: its next version, with errata or without, and the set of it
whose options are shuffled. A set of few questions is copied while the person waits."""

from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy

from benchmark.errata import apply_errata
from benchmark.models import QuestionSet
from benchmark.retiring import next_version
from benchmark.scoring_jobs import begin_scoring
from benchmark.set_jobs import OfSet, set_of
from benchmark.shuffling import shuffle_set
from jobs.enqueuing import add_job
from jobs.models import Job
from jobs.working import Held
from projects.models import User

NEXT_VERSION = "question_set_version"
SHUFFLING = "question_set_shuffling"


class Copying(OfSet):
    """Makes a set of another in one transaction, so a cancelled or broken-off one leaves nothing. `result` names what
    was made: `made` is its number, `question_set` and `version` are those of its address."""

    def url(self, job: Job) -> str:
        """Of what was made, once it is there."""
        assert job.project is not None  # whoever begins one names it
        number = (job.result or {}).get("made")
        made = None if number is None else QuestionSet.objects.filter(pk=number).first()
        if made is None:
            return super().url(job)
        return reverse("question-set", args=[job.project.slug, made.slug, made.version])


def named(made: QuestionSet) -> dict[str, Any]:
    return {"made": made.pk, "question_set": made.slug, "version": made.version}


class NextVersion(Copying):
    """Begins the version after a frozen one. `options`: `errata`, whether it takes in what was accepted; `freeze`,
    whether it is frozen with them and its stored answers are scored."""

    name = NEXT_VERSION
    label = gettext_lazy("Next version of a question set")

    def run(self, held: Held) -> Any:
        row, options, by = set_of(held.job), held.job.options, held.job.asked_by
        with transaction.atomic():
            if options["errata"]:
                applied = apply_errata(row, by, is_frozen_at_once=options["freeze"])
                result: dict[str, Any] = {
                    **named(applied.question_set),
                    "changed": applied.changed,
                    "already": applied.already,
                }
                if options["freeze"]:
                    begin_scoring(applied.question_set, by)
            else:
                draft, retired = next_version(row, by)
                result = {**named(draft), "retired": list(retired)}
            held.finish(result)
        return result


class ShufflingOptions(Copying):
    name = SHUFFLING
    label = gettext_lazy("Shuffling the options of a question set")

    def run(self, held: Held) -> Any:
        with transaction.atomic():
            made = shuffle_set(set_of(held.job), held.job.options["seed"], held.job.asked_by)
            numbers = {"questions": made.questions, "left_out": made.left_out.total()}
            result = {**named(made.question_set), **numbers}
            held.finish(result)
        return result


def begin_next_version(
    question_set: QuestionSet, by: User | None, *, with_errata: bool = False, is_frozen: bool = False
) -> Job:
    """The job that copies a set into its next version; the one that is under way for the same where there is one."""
    options = {
        "question_set": question_set.pk,
        "name": str(question_set),
        "errata": with_errata,
        "freeze": is_frozen,
    }
    return add_job(
        NEXT_VERSION, question_set.project, by, options=options, key=f"{question_set.pk} {with_errata} {is_frozen}"
    )


def begin_shuffling(question_set: QuestionSet, seed: int, by: User | None) -> Job:
    """The job that shuffles the options of a large set; the one that is under way with this seed where there is one."""
    options = {"question_set": question_set.pk, "name": str(question_set), "seed": seed}
    return add_job(SHUFFLING, question_set.project, by, options=options, key=f"{question_set.pk} {seed}")
