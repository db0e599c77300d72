"""The one place that says which questions a probe shows to a laboratory."""

from collections.abc import Sequence

from benchmark import exposure
from benchmark.models import ExposureKind
from judging.models import TargetEndpoint


def note_exposure(prompts: Sequence[int], endpoint: TargetEndpoint) -> None:
    """These prompts, each as often as it is shown, go to the laboratory behind the endpoint.

    Called before the first of them is sent: what may have been sent counts as seen. Held-back ones are among them where
    a twin serves as the paraphrase.
    """
    name = exposure.endpoint_name(endpoint.model, endpoint.provider.name if endpoint.provider else "")
    exposure.record(prompts, endpoint.target_model.laboratory, name, ExposureKind.PROBING)
