"""No response is collected before the rubric of its prompt is frozen."""

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from projects.collecting_gates import CollectingGate
from rubrics.models import Rubric

FROZEN_RUBRIC = CollectingGate(
    area="rubrics",
    is_passed=lambda: Exists(Rubric.objects.filter(prompt=OuterRef("pk"), frozen_at__isnull=False)),
    has_begun=lambda project: Rubric.objects.filter(project=project).exists(),
    address="rubrics",
    lead=_(
        "Models whose responses are judged. Each prompt is asked in a session of its own; the first response is kept "
        "word for word. Nothing is asked before the prompt's rubric is frozen."
    ),
    ready=_("their rubric is frozen"),
    left_out=_("no frozen rubric yet"),
    nothing_ready=_("No rubric is frozen yet. Prompts are asked once their rubric is."),
    no_prompts=_("There are no prompts here yet. Authors write them, each with its rubric."),
    refused=_(
        "The rubric of this prompt is not frozen yet. No response is collected before. Finish the rubric, then collect."
    ),
    left_out_of_command="without frozen rubric",
)
