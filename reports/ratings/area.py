"""Ratings (MENLO): prompts are localised, and responses are graded one by one or two by two."""

from django.utils.translation import gettext_lazy as _

from annotation import steps as of_annotation
from annotation.importing.answers import Answers
from annotation.importing.rating_gold import RatingGold
from annotation.localising.task import LocalisingTaskType
from annotation.models import Rating
from annotation.pairs.task import PairsTaskType, RatingsTaskType
from annotation.presets import RATINGS as PRESET
from annotation.project_parts import RATED as PARTS
from formats.importing.localisations import Localisations
from formats.importing.questions import Questions
from formats.importing.templates import Templates
from judging import steps as of_judging
from judging.ensembles.ratings import RatingPanels
from judging.kinds.pairwise.kind import Pairwise
from judging.kinds.pointwise.kind import Pointwise
from judging.models import Purpose
from projects.navigation import Entry
from projects.own_laboratories import Judged
from projects.steps import Step
from reports import steps as of_reports
from reports.areas import Area
from reports.ratings.card import RATING_GOLD
from reports.ratings.cases import RatingCases
from reports.ratings.dashboard import RATERS
from reports.ratings.dashboard import RATINGS as DASHBOARD
from reports.ratings.listing import RATED
from screening import steps as of_screening
from screening.checks.kinds.ratings import PairChecks, ResponseChecks
from screening.quiz.kinds.rating import SampleRating

RATINGS = Area(
    name="ratings",
    preset=PRESET,
    project_parts=PARTS,
    task_types=(LocalisingTaskType(), PairsTaskType(), RatingsTaskType()),
    # Judges never make gold of ratings, whatever was asked of them.
    purpose=Purpose.EVALUATION,
    judge_kinds=(Pointwise(), Pairwise()),
    ensembles=(RatingPanels(),),
    judged=Judged(
        "ratings of judges",
        Rating,
        ("response__target_model", "pair__first__target_model", "pair__second__target_model"),
    ),
    question_kinds=(SampleRating(),),
    check_kinds=(PairChecks(), ResponseChecks()),
    case_kinds=(RatingCases(),),
    formats=(Answers, Questions, Templates, Localisations, RatingGold),
    gold=RATING_GOLD,
    dashboards=(DASHBOARD, RATERS),
    figured_pages=(RATED,),
    pages="reports.ratings.urls",
    menu=(
        Entry(10, _("Question types"), "question-types", "project.edit", first=_("All question types")),
        Entry(11, _("Case book"), "cases", "work.claim", under="work"),
        Entry(11, _("Rules for ratings"), "rating-settings", "project.edit", under="question-types"),
        Entry(12, _("Templates"), "templates", "project.edit", under="question-types"),
        Entry(13, _("Splits"), "template-splits", "project.edit", under="question-types"),
        Entry(37, _("Screening"), "screening", "project.edit", first=_("Quizzes")),
        Entry(38, _("Interviews"), "interviews", "project.edit", under="screening"),
        Entry(38, _("Checks"), "checks", "project.edit", under="screening"),
        Entry(39, _("People under watch"), "watch", "project.edit", under="screening"),
        Entry(45, _("Target models"), "targets", "judges.run", under="stages"),
        Entry(46, _("Pairs"), "pairs", "project.edit", under="stages"),
        Entry(61, _("Rating results"), "rating-results", "dashboard.read"),
        Entry(61, _("Raters"), "rater-results", "dashboard.read", under="rating-results"),
        Entry(62, _("Rated pairs"), "rated-pairs", "answers.read", under="rating-results"),
    ),
    setup_steps=(
        Step(10, _("Say what is rated"), "question-types", of_annotation.asking),
        Step(12, _("Write the templates"), "templates", of_annotation.localising, is_optional=True),
        Step(26, _("Collect the responses"), "targets", of_judging.responses, is_optional=True),
        Step(27, _("Form the pairs"), "pairs", of_annotation.pairing, is_optional=True),
        Step(28, _("Screen who takes part"), "screening", of_screening.screening, is_optional=True),
        Step(36, _("Check the work"), "watch", of_screening.watching, is_optional=True),
        Step(50, _("Let models judge"), "judges", of_judging.raters, is_optional=True),
        Step(60, _("Read the rating results"), "rating-results", of_reports.rating_figures),
    ),
)
