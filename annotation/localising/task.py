"""The task type "localising": a native speaker puts a template into their variety, which makes a prompt of it."""

from collections.abc import Collection, Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy

from annotation.localising.checking import read_draft
from annotation.localising.screen import screen
from annotation.localising.speakers import spoken_varieties
from projects import placeholders
from projects.localising import already_there, draft_of, localise, problems_of, take_back, was_asked
from projects.models import DraftOutcome, Localisation, PromptTemplate, Rater
from projects.prepared import Given
from projects.problems import Invalid
from projects.validation import STANDS, to_look_at
from workflow.models import Assignment, Stage, WorkItem
from workflow.refusals import Refused
from workflow.task_types import TaskType


class LocalisingTaskType(TaskType):
    kind = "localising"
    name = gettext_lazy("Localising prompts")
    template = "annotation/localising/localise.html"

    def to_localise(self, stage: Stage) -> list[tuple[int, int]]:
        """Every template in each variety of those who annotate or write in the project, where it is not there yet."""
        varieties = sorted(spoken_varieties(stage.project_id).values_list("pk", flat=True))
        templates = PromptTemplate.objects.filter(project=stage.project_id).values_list("pk", "variety")
        there = set(
            Localisation.objects.filter(STANDS, template__project=stage.project_id).values_list(
                "template_id", "variety_id"
            )
        )
        return [
            wanted
            for template, written_in in templates
            for variety in varieties
            if variety != written_in and (wanted := (template, variety)) not in there
        ]

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """None that came in a file meanwhile, but where a native speaker is to look at it."""
        there = Localisation.objects.filter(STANDS, template=OuterRef("template"), variety=OuterRef("variety"))
        return items.filter(~Exists(there), template__isnull=False)

    def may_be_given(self, item: WorkItem, rater: Rater) -> bool:
        return not Localisation.objects.filter(STANDS, template=item.template_id, variety=item.variety_id).exists()

    def title(self, item: WorkItem) -> str:
        return self.titles([item])[item.pk]

    def titles(self, items: Collection[WorkItem]) -> dict[int, str]:
        keys = PromptTemplate.objects.filter(work_items__in=items).values_list("work_items", "key")
        return dict(keys)

    def empty_draft(self, assignment: Assignment) -> dict:
        """What came in a file for a native speaker to look at, or what a model has drafted; else nothing yet."""
        if came := to_look_at(assignment.item.template_id, assignment.item.variety_id):
            return {"text": came.text, "values": came.values}
        drafted = draft_of(_template(assignment), assignment.item.variety)
        if drafted is not None:
            return {"text": drafted.text, "values": drafted.values}
        return {"text": "", "values": dict.fromkeys(placeholders.names(_template(assignment).text), "")}

    def screen(self, assignment: Assignment, body: dict) -> dict:
        return screen(assignment, body)

    def judged_words(self, assignment: Assignment) -> Sequence[str]:
        return [_template(assignment).text]

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        return read_draft(body)

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        """Complete, with values for the placeholders of the original and nothing else."""
        draft, template = read_draft(body), _template(assignment)
        if problems := problems_of(template.text, draft["text"], draft["values"]):
            raise Invalid(problems)
        if Localisation.objects.filter(STANDS, template=template, variety=assignment.item.variety_id).exists():
            raise Invalid(already_there(template, assignment.item.variety))
        return draft | {"values": {name: draft["values"][name] for name in placeholders.names(template.text)}}

    def store(self, assignment: Assignment, answer: dict) -> None:
        item = assignment.item
        localise(
            _template(assignment),
            item.variety,
            answer["text"],
            answer["values"],
            assignment.rater,
            is_rejected=answer.get("rejected", False),
            validates=True,
        )

    def stored(self, assignment: Assignment) -> dict:
        row = _localisation(assignment)
        if row is None:
            return self.empty_draft(assignment)
        is_rejected = row.draft.outcome == DraftOutcome.REJECTED if hasattr(row, "draft") else False
        return {"text": row.text, "values": row.values, **({"rejected": True} if is_rejected else {})}

    def reopen(self, assignment: Assignment) -> dict:
        body, row = self.stored(assignment), _localisation(assignment)
        if row is not None:
            try:
                take_back(row)
            except Invalid:  # asked this very moment
                raise Refused("built_on") from None
        return body

    def may_amend(self, assignment: Assignment) -> bool:
        """Until the prompt was asked: what a model has answered stays what it answered to."""
        row = _localisation(assignment)
        return row is not None and not was_asked(row)


def _template(assignment: Assignment) -> PromptTemplate:
    template = assignment.item.template
    assert template is not None
    return template


def _localisation(assignment: Assignment) -> Localisation | None:
    """What this rater made of the item."""
    item = assignment.item
    return (
        Localisation.objects.filter(template=item.template_id, variety=item.variety_id, rater=assignment.rater_id)
        .select_related("draft")
        .first()
    )
