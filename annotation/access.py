"""Who refines spans: leads, and experts among the validators, who see everybody's work without whose it is."""

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404

from projects.access import PERMISSIONS, fetch_project
from projects.models import Project, Rater, RaterKind, Response, Role, User
from workflow.access import acting_rater
from workflow.models import Assignment, Status

UNFINISHED = (Status.RESERVED, Status.CLAIMED)


@dataclass(frozen=True, slots=True)
class Refiner:
    """A person at work on a project's spans. `is_lead` sees pseudonyms; an expert sees letters."""

    user: User
    project: Project
    rater: Rater | None
    is_lead: bool

    def acting(self) -> Rater:
        """The person as a rater, on record for what they decide; a lead becomes one with the first decision."""
        return self.rater or acting_rater(self.user, self.project, is_expert=True)


def fetch_refiner(user: User | AnonymousUser, slug: str) -> Refiner:
    """The person in the project, where they may refine its spans; Http404 otherwise."""
    project = fetch_project(user, slug)
    assert isinstance(user, User)
    rater = Rater.objects.filter(project=project, user=user, kind=RaterKind.HUMAN).first()
    is_lead = bool(project.viewer_roles & PERMISSIONS["spans.refine"])
    is_expert = rater is not None and rater.is_expert and Role.VALIDATOR in project.viewer_roles
    if not is_lead and not is_expert:
        raise Http404
    return Refiner(user, project, rater, is_lead)


def fetch_answers_of(refiner: Refiner, key: uuid.UUID) -> Response:
    """A response with what everybody said of it; not for an expert whose own work on it is unfinished."""
    of_key = Response.objects.filter(project=refiner.project, uuid=key)
    response = of_key.select_related("prompt__variety", "variety", "target_model__laboratory").first()
    if response is None:
        raise Http404
    if not refiner.is_lead and has_unfinished_work(refiner.rater, response):
        raise Http404
    return response


def kept_from(refiner: Refiner) -> QuerySet:
    """Ids of responses that an expert may not see refined yet: their own work on them is unfinished. None for leads."""
    own = Assignment.objects.filter(rater=refiner.rater, status__in=UNFINISHED)
    return (own.none() if refiner.is_lead else own).values("item__response")


def has_unfinished_work(rater: Rater | None, response: Response) -> bool:
    return Assignment.objects.filter(item__response=response, rater=rater, status__in=UNFINISHED).exists()
