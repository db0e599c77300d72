"""Who reads question sets. Fetching is the permission check; held-back questions are the leads' alone."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.management.base import CommandError
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from benchmark.judged import newest_frozen
from benchmark.models import Erratum, Question, QuestionSet
from projects.access import PERMISSIONS, fetch_project
from projects.models import Project, User


def sees_held_back(project: Project) -> bool:
    """Whether the person for whom `fetch_project` found the project reads held-back questions in it."""
    return bool(project.viewer_roles & PERMISSIONS["project.edit"])


def fetch_set(
    user: User | AnonymousUser, slug: str, question_set: str, version: int, permission: str = "project.read"
) -> QuestionSet:
    """The version of a set, where the person may do this in its project; Http404 otherwise."""
    return fetch_version(fetch_project(user, slug, permission), question_set, version)


def fetch_version(project: Project, question_set: str, version: int) -> QuestionSet:
    """The version of a set of a project that was found for its viewer; Http404 otherwise."""
    row = get_object_or_404(project.question_sets, slug=question_set, version=version)
    row.project = project
    return row


def questions_for_viewer(question_set: QuestionSet) -> QuerySet[Question]:
    """The questions of a set that its viewer may read."""
    rows = question_set.questions.all()
    return rows if sees_held_back(question_set.project) else rows.filter(is_held_back=False)


def fetch_question(question_set: QuestionSet, pk: int) -> Question:
    rows = questions_for_viewer(question_set).select_related("prompt__variety", "skill", "source", "twin_of")
    return get_object_or_404(rows, pk=pk)


def errata_for_viewer(project: Project, user: User | AnonymousUser) -> QuerySet[Erratum]:
    """All reported faults for leads; one's own for others, but of held-back questions: who led the project once and
    reported a fault then would read here how the lead words the question now."""
    rows = project.errata.all()
    return rows if sees_held_back(project) else rows.filter(reported_by=user.pk, question__is_held_back=False)


def set_named(project: Project, slug: str, version: int | None = None) -> QuestionSet:
    """For commands: this version of the set, or the newest; CommandError names the sets there are."""
    rows = project.question_sets.filter(slug=slug).order_by("version")
    row = rows.last() if version is None else rows.filter(version=version).first()
    if row is None:
        known = ", ".join(str(each) for each in project.question_sets.all()) or _("none yet")
        message = _("The project has no such question set. It has: %(known)s.")
        raise CommandError(message % {"known": known})
    return row


def frozen_set_named(project: Project, slug: str, version: int | None = None) -> QuestionSet:
    """For commands: this version of the set, or its newest frozen one; CommandError where that is a draft."""
    row = set_named(project, slug, version)
    if version is None and not row.is_frozen:
        row = project.question_sets.filter(slug=slug, frozen_at__isnull=False).order_by("version").last() or row
    if not row.is_frozen:
        raise CommandError(_("%(set)s is a draft: freeze it first.") % {"set": row})
    return row


def add_set_options(parser: ArgumentParser) -> None:
    """For commands that work on one frozen set or on all of a project: read by `frozen_sets_named`."""
    parser.add_argument("--question-set", metavar="SET", help="short name of one set; without it all frozen ones")
    parser.add_argument("--set-version", type=int, metavar="N", help="default: the newest frozen one")


def frozen_sets_named(project: Project, options: Mapping[str, Any]) -> list[QuestionSet]:
    """The set that the options name, or the newest frozen version of every set; CommandError where there is none."""
    if options["question_set"]:
        return [frozen_set_named(project, options["question_set"], options["set_version"])]
    if options["set_version"]:
        raise CommandError(_("--set-version says which version of --question-set."))
    if sets := list(newest_frozen().filter(project=project).order_by("slug")):
        return sets
    raise CommandError(_("The project has no frozen question set."))
