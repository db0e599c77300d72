"""What a rater is asked about an item: the question type its prompt names, else every one of the project."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Rating
from projects.derived import taken
from projects.models import Prompt, QuestionType, Rater, Response, ResponsePair
from projects.prepared import Given
from workflow.models import Assignment, Stage, Status, WorkItem

IN_HAND = (Status.RESERVED, Status.CLAIMED)


def asked(assignment: Assignment, is_pair: bool) -> QuerySet[QuestionType]:
    """The question types in their order. Without a scale two responses can be compared, and one cannot be graded."""
    prompt = assignment.pair.prompt_id if is_pair else assignment.response.prompt_id
    named = Prompt.objects.filter(pk=prompt, question__isnull=False)
    types = QuestionType.objects.filter(project=assignment.stage.project_id)
    types = types.filter(Q(pk__in=named.values("question")) | ~Exists(named))
    return types if is_pair else types.exclude(lowest=None)


def ready_pairs(stage: Stage) -> QuerySet[ResponsePair]:
    """Pairs about which there is something to ask."""
    pairs = ResponsePair.objects.filter(project=stage.project_id)
    return pairs.filter(Q(prompt__question__isnull=False) | Exists(_types(stage)))


def ready_responses(stage: Stage) -> QuerySet[Response]:
    """Responses that there is a scale to grade on."""
    responses = taken(Response.objects.filter(project=stage.project_id))
    on_any = Q(prompt__question=None) & Q(Exists(_types(stage).exclude(lowest=None)))
    return responses.filter(Q(prompt__question__lowest__isnull=False) | on_any)


def _types(stage: Stage) -> QuerySet[QuestionType]:
    return QuestionType.objects.filter(project=stage.project_id).order_by()


def unrated(items: QuerySet[WorkItem], rater: Rater | Given, kind: str, subject: str) -> QuerySet[WorkItem]:
    """Items about a `subject` ("pair" or "response") that the rater has not rated, here or elsewhere, nor has in hand
    as another item of this kind of work: in another stage, or as a check.
    """
    rated = Rating.objects.filter(rater=rater, **{subject: OuterRef(subject)})
    # What was submitted has its ratings; asked for what is in hand alone, this stays small however much was done.
    held = Assignment.objects.filter(
        rater=rater, status__in=IN_HAND, stage__kind=kind, **{f"item__{subject}": OuterRef(subject)}
    )
    return items.filter(~Exists(rated), ~Exists(held.exclude(item=OuterRef("pk"))))
