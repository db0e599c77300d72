"""Which configurations there is something new of since flags and notes were last looked for.

What was looked at is kept with the job that looked (`Job.result`), and so in the same database as what it found: a
backup that is restored brings both back.
"""

import json
from collections.abc import Mapping

from django.db.models import Count, Exists, Max, OuterRef

from benchmark.gaming import models_of
from benchmark.models import Answer, Question, QuestionSet, RuleScore, Ruling
from jobs.models import Job, JobState

LOOKED_AT = "looked_at"
#: Moved when what is looked for changes: then everything is looked at again.
LOOKS_FOR = "1"

#: By id of configuration, as text since it goes through JSON: how many answers and scores by people and judges there
#: are, which are the newest, and what its answers' thinking is known by.
Looks = Mapping[str, str]


def looks_of(question_set: QuestionSet) -> dict[str, str]:
    """Three statements. An answer or a score that came since changes the words of its configuration."""
    answers = Answer.objects.filter(configuration__in=models_of(question_set).values("pk")).order_by()
    scores = RuleScore.objects.filter(
        answer__configuration__in=models_of(question_set).values("pk"), rater__isnull=False
    )
    of_scores = scores.order_by().values_list("answer__configuration").annotate(Count("pk"), Max("pk"))
    scored = {pk: f"{n}/{newest}" for pk, n, newest in of_scores}
    of_answers = answers.values_list("configuration").annotate(Count("pk"), Max("pk"))
    tags = dict(models_of(question_set).values_list("pk", "card__thinking_tags"))
    return {
        str(pk): f"{LOOKS_FOR}:{n}/{newest}:{scored.get(pk, '')}:{json.dumps(tags.get(pk))}"
        for pk, n, newest in of_answers.order_by("configuration")
    }


def last_looks(kind: str, question_set: QuestionSet) -> Looks:
    """What the last job of a kind looked at; empty where there is none."""
    jobs = Job.objects.filter(
        kind=kind, project=question_set.project_id, state=JobState.DONE, options__question_set=question_set.pk
    )
    result = jobs.order_by("-ended_at", "-pk").values_list("result", flat=True).first()
    return (result or {}).get(LOOKED_AT, {})


def changed(before: Looks, now: Looks) -> set[int]:
    """Configurations of which something is new."""
    return {int(pk) for pk, words in now.items() if before.get(pk) != words}


def has_unscored(question_set: QuestionSet) -> bool:
    """Whether an answer to the version has no ruling yet, which every pass over it leaves. One statement."""
    ruled = Ruling.objects.filter(answer=OuterRef(OuterRef("pk")), target_sha256=OuterRef("target_sha256"))
    lacking = Question.objects.filter(~Exists(ruled), question_set=question_set, prompt=OuterRef("prompt"))
    return Answer.objects.filter(Exists(lacking), configuration__project=question_set.project_id).exists()
