"""Error spans (JuICE): people and judges mark errors, everybody's marks are validated."""

from django.utils.translation import gettext_lazy as _

from annotation import steps as of_annotation
from annotation.acceptance.jobs import AcceptProposals
from annotation.casebook.errors import Errors
from annotation.category_jobs import DeriveGold
from annotation.importing.answers import Answers
from annotation.importing.gold import GoldFile
from annotation.models import Marking
from annotation.overlap_jobs import ProposeOverlaps
from annotation.presets import ESA, MQM
from annotation.presets import SPANS as PRESET
from annotation.project_parts import SPANS as PARTS
from annotation.reviews.task import AnnotatorReviews, ValidatorReviews
from annotation.spans.task import SpansTaskType
from judging import steps as of_judging
from judging.ensembles.spans import SpanPanels
from judging.kinds.categories.kind import Categories
from judging.kinds.groups.kind import Groups
from judging.kinds.refinement.kind import Refinements
from judging.kinds.same_issue.kind import SameIssue
from judging.kinds.sentences.kind import Sentences
from judging.kinds.spans.kind import Spans
from judging.models import Purpose
from projects import project_steps
from projects.navigation import Entry
from projects.own_laboratories import Judged
from projects.steps import Step
from reports import steps as of_reports
from reports.areas import Area
from reports.spans.card import SPAN_GOLD
from reports.spans.dashboard import SPANS as DASHBOARD
from screening.checks.kinds.spans import SpanChecks
from screening.quiz.kinds.spans import SampleMarking

SPANS = Area(
    name="spans",
    preset=PRESET,
    other_presets=(MQM, ESA),
    project_parts=PARTS,
    task_types=(SpansTaskType(), AnnotatorReviews(), ValidatorReviews()),
    # What judges find is reviewed by people, and gold where they keep it (JuICE).
    purpose=Purpose.GOLD,
    judge_kinds=(Spans(), Sentences(), Groups(), Categories(), Refinements(), SameIssue()),
    ensembles=(SpanPanels(),),
    judged=Judged("markings", Marking, ("response__target_model",)),
    question_kinds=(SampleMarking(),),
    check_kinds=(SpanChecks(),),
    case_kinds=(Errors(),),
    formats=(Answers, GoldFile),
    gold=SPAN_GOLD,
    dashboards=(DASHBOARD,),
    pages="reports.spans.urls",
    menu=(
        Entry(11, _("Case book"), "cases", "work.claim", under="work"),
        Entry(45, _("Target models"), "targets", "judges.run", under="stages"),
        Entry(57, _("Refinement"), "adjudication", "spans.refine", first=_("Open errors")),
        Entry(58, _("Groups"), "group-proposals", "spans.refine", under="adjudication"),
        Entry(59, _("Categories"), "classification", "spans.refine", under="adjudication"),
        Entry(59, _("Refinements"), "refinements", "spans.refine", under="adjudication"),
        Entry(59, _("Acceptance"), "acceptances", "spans.refine", under="adjudication"),
        Entry(59, _("Taxonomy"), "error-categories", "project.edit", under="adjudication"),
        Entry(59, _("What errors cost"), "error-scheme", "project.edit", under="adjudication"),
        Entry(60, _("Results"), "results", "dashboard.read"),
        Entry(62, _("Responses"), "responses", "answers.read", under="results"),
    ),
    setup_steps=(
        Step(19, _("Collect the responses"), "targets", of_judging.responses, is_optional=True),
        Step(20, _("Import responses"), "import", project_steps.texts),
        Step(50, _("Let models judge"), "judges", of_judging.judges, is_optional=True),
        Step(57, _("Settle what is open"), "adjudication", of_annotation.refinement),
        Step(60, _("Read the results"), "results", of_reports.figures),
        Step(70, _("Take the gold"), "gold", of_reports.gold),
    ),
    jobs=(ProposeOverlaps(), DeriveGold(), AcceptProposals()),
)
