"""What a reader may narrow results of ratings and lists of rated pairs by, and what to set side by side."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from projects.models import Project, RaterKind
from projects.models.templates import Split
from reports.dashboard.filters import NarrowingForm, detector_name, select
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.names import models_named
from reports.dashboard.settings_of_project import raters_with_ratings
from reports.ratings.scope import MODELS, NARROWING, SETUPS

CHOSEN_FOR_YOU = _("chosen for you")


class _RatingForm(NarrowingForm):
    variety = select(_("Variety"))
    dimension = select(_("Dimension"))
    question = select(_("Question type"))
    split = select(_("Split"))
    judge = select(_("Judge"))
    model = select(_("Target model"))

    def __init__(self, project: Project, data: Any):
        super().__init__(project, data)
        offer_texts(self, project)
        self.rated = project.raters.filter(pk__in=raters_with_ratings(project, revisions(project)))
        judges = self.rated.filter(kind=RaterKind.JUDGE).order_by("name")
        self.judges = [(judge.pseudonym, judge.name) for judge in judges]
        self.offer("judge", self.judges)


class RatingResultsForm(_RatingForm):
    field_order = (*NARROWING, *SETUPS, *MODELS)

    setup = select(_("Compare judge"))
    other_setup = select(_("with judge"))
    model = select(_("Compare target model"))
    other_model = select(_("with target model"))

    def __init__(self, project: Project, data: Any):
        super().__init__(project, data)
        models = [(name, name) for name in models_named(project).values()]
        for name, choices in (
            ("setup", self.judges),
            ("other_setup", self.judges),
            ("model", models),
            ("other_model", models),
        ):
            self.offer(name, choices, nothing=CHOSEN_FOR_YOU)


class RatersForm(NarrowingForm):
    """Of people's figures: what judges say has no part in them."""

    variety = select(_("Variety"))
    dimension = select(_("Dimension"))
    question = select(_("Question type"))
    split = select(_("Split"))

    def __init__(self, project: Project, data: Any):
        super().__init__(project, data)
        offer_texts(self, project)


def offer_texts(form: NarrowingForm, project: Project) -> None:
    """Dimensions, question types and splits of the project."""
    form.offer("dimension", [(one.slug, one.label) for one in project.dimensions.all()])
    form.offer("question", [(one.slug, one.label) for one in project.question_types.all()])
    form.offer("split", list(Split.choices))


class RatedForm(_RatingForm):
    rater = select(_("Rated by"))
    outcome = select(_("Verdicts"))

    def __init__(self, project: Project, data: Any):
        super().__init__(project, data)
        people = self.rated.filter(kind=RaterKind.HUMAN).order_by("pseudonym")
        self.offer("rater", [(rater.pseudonym, detector_name(rater)) for rater in people])
        self.offer(
            "outcome",
            [
                ("missed", _("a judge prefers otherwise")),
                ("swayed", _("a judge changes its mind with the order")),
                ("unread", _("a judge could not be read")),
                ("apart", _("people differ by more than one grade")),
            ],
        )
