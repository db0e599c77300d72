"""No answer is collected before the question set is frozen; what is asked is its newest frozen version."""

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from benchmark.judged import newest_frozen
from benchmark.models import Question
from projects.collecting_gates import CollectingGate

FROZEN_SET = CollectingGate(
    area="leaderboard",
    is_passed=lambda: Exists(
        Question.objects.filter(prompt=OuterRef("pk"), question_set__in=newest_frozen().values("pk"))
    ),
    has_begun=lambda project: project.question_sets.exists(),
    address="question-sets",
    lead=_(
        "Models that answer the questions. Each question is asked once, in a session of its own; the first response "
        "is kept word for word. Nothing is asked before the question set is frozen."
    ),
    ready=_("in a frozen question set"),
    left_out=_("in no frozen question set"),
    nothing_ready=_("No question set is frozen yet. Questions are asked once their set is."),
    no_prompts=_("There are no questions here yet. Import a question set and freeze it."),
    refused=_(
        "This prompt is in no frozen version of a question set. No response is collected before. Freeze the set, "
        "then collect."
    ),
    left_out_of_command="in no frozen set",
)
