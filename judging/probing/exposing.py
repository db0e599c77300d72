"""The one place that knows that a probe has shown questions to a laboratory."""

import logging
from collections.abc import Collection

from benchmark.models import Question, QuestionSet
from judging.models import TargetEndpoint

logger = logging.getLogger(__name__)


def note_exposure(question_set: QuestionSet, keys: Collection[str], endpoint: TargetEndpoint, kind: str) -> int:
    """Questions of these keys were sent to the endpoint's laboratory; returns how many there are.

    Called once for each probe and pass, before the first of them is sent: what may have been sent counts as seen.
    """
    n = Question.objects.filter(question_set=question_set, key__in=list(keys)).count() if keys else 0
    logger.info("%d questions of %s go to %s (%s)", n, question_set, endpoint, kind)
    return n
