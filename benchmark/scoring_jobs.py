"""Scoring the answers to a question set as a job: asked for on a page, by a program, or by answers that came in."""

from dataclasses import asdict
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from benchmark.answering import receive_outstanding
from benchmark.gaming import find_flags, standing_flags
from benchmark.judged import newest_frozen
from benchmark.looking_again import LOOKED_AT, changed, has_unscored, last_looks, looks_of
from benchmark.models import Answer, QuestionSet
from benchmark.scoring import check_frozen, score_answers
from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job, JobState
from jobs.working import Held, do_at_once
from projects.models import Project, User
from projects.problems import Invalid, Problem

SCORING = "benchmark_scoring"
# Up to so many answers of a project are scored while the person waits.
FEW_ANSWERS = 200


def begin_scoring(question_set: QuestionSet, by: User | None = None, is_waited_for: bool = False) -> Job:
    """The job that scores what is stored now: the one that is under way where there is one.

    With `is_waited_for`, few answers are scored when this returns. Raises Invalid for a draft.
    """
    check_frozen(question_set)
    answers = Answer.objects.filter(configuration__project=question_set.project_id).order_by("pk")
    newest = answers.values_list("pk", flat=True).last() or 0
    at_once = is_waited_for and answers.count() <= FEW_ANSWERS
    options = {"question_set": question_set.pk, "name": str(question_set)}
    # Answers that come while a job is under way may stand behind it: they are another job's.
    key = f"{question_set.pk}:{newest}"
    job = add_job(SCORING, question_set.project, by, options=options, key=key, wake=not at_once)
    if at_once and job.state == JobState.QUEUED:
        do_at_once(job)
    return job


def begin_scoring_of(project: Project, by: User | None = None) -> list[Job]:
    """Jobs that score what came in, one for the newest frozen version of each set."""
    return [begin_scoring(question_set, by) for question_set in newest_frozen().filter(project=project)]


def begin_scoring_of_new(project: Project, by: User | None = None, has_scores: bool = False) -> list[Job]:
    """As `begin_scoring_of`, without a job for a version of which every answer is scored already: whoever brought the
    answers in may have scored them at once. `has_scores`: scores came in as well, which flags and notes hang on."""
    rows = newest_frozen().filter(project=project)
    return [begin_scoring(each, by) for each in rows if has_scores or has_unscored(each)]


class Scoring(JobKind):
    """Begun anew after a kill, it goes on with what is not scored yet."""

    name = SCORING
    label = gettext_lazy("Scoring answers by their rules")

    def run(self, held: Held) -> Any:
        question_set = QuestionSet.objects.filter(pk=held.job.options["question_set"]).first()
        if question_set is None:
            raise Invalid(Problem("no_question_set", _("The question set is no longer there.")))
        receive_outstanding(question_set.project)

        def on_batch(done: int, total: int) -> None:
            held.check()
            held.progress(done, total)

        counts = score_answers(question_set, progress=on_batch)
        # What is there before the look counts as looked at, and what comes meanwhile does not.
        before, now = last_looks(self.name, question_set), looks_of(question_set)
        result = {**asdict(counts), LOOKED_AT: now}
        if before == now and not counts.rulings:
            return {**result, "found": asdict(standing_flags(question_set))}
        # Signs of gaming hang on the answers of all models together: looked for when all are scored.
        new: set[int] | None = changed(before, now)
        if counts.rulings and not new:
            new = None  # rulings on answers that were looked at before: nobody knows whose
        flags = find_flags(question_set, lambda _done, _total: held.check(), new)
        return {**result, "found": asdict(flags)}

    def describe(self, job: Job) -> str:
        if not job.result:
            return str(job.options["name"])
        n = job.result["answers"]
        words = ngettext("%(set)s, %(n)d answer", "%(set)s, %(n)d answers", n)
        return words % {"set": job.options["name"], "n": n}

    def url(self, job: Job) -> str:
        assert job.project is not None  # `begin_scoring` names it
        question_set = QuestionSet.objects.filter(pk=job.options["question_set"]).first()
        if question_set is None:
            return reverse("question-sets", args=[job.project.slug])
        return reverse("question-set", args=[job.project.slug, question_set.slug, question_set.version])
