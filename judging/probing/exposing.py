"""The one place that knows that a probe shows questions to a laboratory."""

import logging
from collections.abc import Sequence

from judging.models import TargetEndpoint

logger = logging.getLogger(__name__)


def note_exposure(prompts: Sequence[int], endpoint: TargetEndpoint) -> None:
    """These prompts, each as often as it is shown, go to the laboratory behind the endpoint.

    Called before the first of them is sent: what may have been sent counts as seen. Held-back ones are among them where
    a twin serves as the paraphrase. The record of what each laboratory has seen is written here and nowhere else.
    """
    if prompts:
        logger.info("%d questions are shown to %s by probes", len(set(prompts)), endpoint)
