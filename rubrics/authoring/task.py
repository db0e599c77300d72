"""The task type "authoring": a rubric is written before any response is seen. Handing it in freezes it."""

from collections.abc import Collection

from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Left
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.models import Prompt, Rater, Response
from projects.prepared import Given
from rubrics.authoring.bodies import body_of, first_body
from rubrics.authoring.checking import read_draft
from rubrics.authoring.discarding import DiscardReason
from rubrics.authoring.freezing import check_ready, freeze
from rubrics.authoring.screen import screen
from rubrics.models import Rubric
from workflow.models import Assignment, Draft, Stage, WorkItem
from workflow.refusals import Refused
from workflow.task_types import ScreenActs, TaskType

TITLE_WORDS = 8
TITLE_CHARACTERS = 300


class AuthoringTaskType(TaskType):
    kind = "authoring"
    name = gettext_lazy("Writing rubrics")
    template = "rubrics/authoring/write.html"
    acts = ScreenActs.of("authoring", next=("N", "Next thing that is missing"), add=("A", "Add a criterion")).needing(
        "1234", "Choose the kind of the criterion you are in"
    )
    begin_url_name = "rubric-begin"
    begin_label = gettext_lazy("Begin a rubric")
    permission = "rubrics.write"
    skip_reasons = DiscardReason

    def responses(self, stage: Stage) -> QuerySet[Response]:
        return Response.objects.none()

    def prompts(self, stage: Stage) -> QuerySet[Prompt]:
        """Prompts that were imported and have no rubric yet."""
        return Prompt.objects.filter(project=stage.project_id, rubrics=None)

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """Imported prompts alone, and none of which the author has been given a response to: what somebody has
        begun stays theirs, and a rubric comes before the responses."""
        seen = Assignment.objects.filter(rater=rater, item__response__prompt=OuterRef("prompt"))
        frozen = Rubric.objects.filter(prompt=OuterRef("prompt"))
        return items.filter(~Exists(seen), ~Exists(frozen), prompt__isnull=False)

    def title(self, item: WorkItem) -> str:
        return self.titles([item])[item.pk]

    def titles(self, items: Collection[WorkItem]) -> dict[int, str]:
        """The first words of each prompt as it stands in the draft, or in the rubric once that is frozen."""
        texts: dict[int, str] = {item.pk: item.prompt.text for item in items if item.prompt}
        drafts = Draft.objects.filter(assignment__item__in=items).order_by("saved_at")
        texts |= dict(drafts.values_list("assignment__item", Left(KT("body__prompt"), TITLE_CHARACTERS)))
        frozen = Rubric.objects.filter(assignment__item__in=items)
        texts |= dict(frozen.values_list("assignment__item", Left(F("prompt__text"), TITLE_CHARACTERS)))
        untitled = _("A rubric without a prompt yet")
        words = {key: Truncator((text or "").strip()).words(TITLE_WORDS) for key, text in texts.items()}
        return {item.pk: words.get(item.pk) or untitled for item in items}

    def empty_draft(self, assignment: Assignment) -> dict:
        return first_body(assignment)

    def screen(self, assignment: Assignment, body: dict) -> dict:
        return screen(assignment, body)

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        return read_draft(body)

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        return check_ready(assignment, body)

    def store(self, assignment: Assignment, answer: dict) -> None:
        freeze(assignment, answer)

    def stored(self, assignment: Assignment) -> dict:
        rubric = Rubric.objects.filter(assignment=assignment).select_related("prompt").first()
        return body_of(rubric) if rubric else self.empty_draft(assignment)

    def reopen(self, assignment: Assignment) -> dict:
        raise Refused("built_on")

    def may_amend(self, assignment: Assignment) -> bool:
        """A frozen rubric is never taken back; what should be otherwise becomes a new version."""
        return False

    def afterwards(self, assignment: Assignment) -> str:
        """The frozen rubric; the author's work where there is none."""
        slug = assignment.stage.project.slug
        rubric = Rubric.objects.filter(assignment=assignment).first()
        return reverse("rubric", args=[slug, rubric.uuid]) if rubric else reverse("rubrics", args=[slug])
