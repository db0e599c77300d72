"""The one place that says which questions a probe shows to a laboratory, and which it did not show after all."""

from collections.abc import Sequence

from benchmark import exposure
from benchmark.models import ExposureKind
from judging.collecting.questions import seen_by
from judging.models import TargetEndpoint


def note_exposure(prompts: Sequence[int], endpoint: TargetEndpoint) -> None:
    """These prompts, each as often as it is shown, go to the laboratory behind the endpoint.

    Called before the first of them is sent: what may have been sent counts as seen. Held-back ones are among them where
    a twin serves as the paraphrase.
    """
    exposure.record(prompts, *seen_by(endpoint), ExposureKind.PROBING)


def take_back_exposure(prompts: Sequence[int], endpoint: TargetEndpoint) -> None:
    """Of these calls nothing has left."""
    exposure.take_back(prompts, *seen_by(endpoint), ExposureKind.PROBING)
