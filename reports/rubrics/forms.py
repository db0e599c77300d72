"""What a reader may narrow results of rubrics and lists of graded responses by."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from projects.models import Project, RaterKind
from reports.dashboard.filters import NarrowingForm, detector_name, select
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.settings_of_project import graders
from rubrics.models import FailureType, Scope


class RubricResultsForm(NarrowingForm):
    variety = select(_("Community"))
    domain = select(_("Domain"))
    model = select(_("Target model"))
    judge = select(_("Judge"))

    def __init__(self, project: Project, data: Any):
        super().__init__(project, data)
        self.offer("domain", list(Scope.choices))
        self.graders = project.raters.filter(pk__in=graders(project, revisions(project)))
        judges = self.graders.filter(kind=RaterKind.JUDGE)
        self.offer("judge", [(judge.pseudonym, judge.name) for judge in judges])


class GradedForm(RubricResultsForm):
    rater = select(_("Graded by"))
    failure = select(_("With the error"))

    def __init__(self, project: Project, data: Any):
        super().__init__(project, data)
        people = self.graders.filter(kind=RaterKind.HUMAN)
        self.offer("rater", [(rater.pseudonym, detector_name(rater)) for rater in people])
        self.offer("failure", list(FailureType.choices))
