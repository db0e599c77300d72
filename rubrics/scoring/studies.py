"""Calibration studies in a project: who could grade, what a design comes to, and dealing its turns."""

import secrets
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext as _

from projects.access import PERMISSIONS
from projects.audit import record
from projects.chunks import in_chunks
from projects.models import LanguageVariety, Membership, Project, Rater, RaterKind, Response, User
from rubrics.models import CalibrationStudy, Grade
from rubrics.scoring.calibration import Design, design
from rubrics.scoring.planning import scorable
from workflow.models import Assignment, Stage, Status, WorkItem
from workflow.planning import note_sets_of

KIND = "calibration"
MAX_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class VarietyPool:
    """The native speakers of one variety in a project, and the responses to prompts in it, both as ids."""

    variety: LanguageVariety
    responses: tuple[int, ...]
    graders: tuple[int, ...]


@dataclass(frozen=True)
class Pool:
    """What a study of the project can draw from. `of_several` grade in more than one of its varieties: their
    leniency could be put down to none of them, so they are left out."""

    varieties: tuple[VarietyPool, ...]
    raters: Mapping[int, Rater]
    of_several: tuple[Rater, ...]
    graded: frozenset[tuple[int, int]]

    @cached_property
    def responses(self) -> dict[str, tuple[int, ...]]:
        return {pool.variety.tag: pool.responses for pool in self.varieties}

    @cached_property
    def graders(self) -> dict[str, tuple[int, ...]]:
        return {pool.variety.tag: pool.graders for pool in self.varieties}


@dataclass(frozen=True, slots=True)
class Share:
    """What a design asks of one variety: how many of its responses are graded, and by whom of it how often."""

    variety_pool: VarietyPool
    responses: int
    loads: tuple[tuple[Rater, int], ...]

    @property
    def least(self) -> int:
        return min((turns for _rater, turns in self.loads), default=0)

    @property
    def most(self) -> int:
        return max((turns for _rater, turns in self.loads), default=0)


def fresh_seed() -> int:
    return secrets.randbelow(MAX_SEED)


def pool_of(project: Project) -> Pool:
    """Everybody who works in the project and can sign in, and every response that can be graded, by variety."""
    responses: dict[int, list[int]] = defaultdict(list)
    for response, variety in scorable(project.pk).order_by("pk").values_list("pk", "prompt__variety_id"):
        responses[variety].append(response)
    graders: dict[int, list[int]] = defaultdict(list)
    several, raters = [], {}
    for rater in _graders(project):
        own = [variety.pk for variety in rater.varieties.all() if variety.pk in responses]
        raters[rater.pk] = rater
        if len(own) > 1:
            several.append(rater)
        elif own:
            graders[own[0]].append(rater.pk)
    varieties = LanguageVariety.objects.filter(pk__in=responses).order_by("tag")
    pools = (VarietyPool(variety, tuple(responses[variety.pk]), tuple(graders[variety.pk])) for variety in varieties)
    graded = Grade.objects.filter(rater__in=_graders(project).order_by().values("pk"))
    return Pool(tuple(pools), raters, tuple(several), frozenset(graded.values_list("response_id", "rater_id")))


def _graders(project: Project) -> QuerySet[Rater]:
    workers = Membership.objects.filter(project=project, role__in=PERMISSIONS["work.claim"])
    people = Rater.objects.filter(project=project, kind=RaterKind.HUMAN, user__is_active=True)
    return people.filter(user__in=workers.values("user")).prefetch_related("varieties").order_by("pseudonym")


def draw(pool: Pool, responses_per_community: int, graders_per_community: int, seed: int) -> Design:
    """The design that these numbers come to; the same until people, responses or grades change.

    Raises rubrics.scoring.calibration.TooFewGraders.
    """
    return design(
        pool.responses,
        pool.graders,
        responses_per_community=responses_per_community,
        graders_per_community=graders_per_community,
        seed=seed,
        graded=pool.graded,
    )


def shares(pool: Pool, drawn: Design) -> list[Share]:
    chosen = set(drawn.responses)
    return [
        Share(
            variety_pool,
            len(chosen & set(variety_pool.responses)),
            tuple((pool.raters[grader], drawn.loads[grader]) for grader in variety_pool.graders),
        )
        for variety_pool in pool.varieties
    ]


@transaction.atomic
def begin_study(
    project: Project, lead: User, drawn: Design, *, responses_per_community: int, graders_per_community: int, seed: int
) -> CalibrationStudy:
    """Open a stage of the study's own and reserve every turn of the design, drawn with these numbers, in it."""
    last = project.stages.aggregate(last=Max("position"))["last"] or 0
    turns_each = len(drawn.turns) // len(drawn.responses)
    stage = Stage.objects.create(
        project=project, kind=KIND, name=_free_name(project), position=last + 1, overlap=turns_each, seed=seed
    )
    study = CalibrationStudy.objects.create(
        project=project,
        stage=stage,
        seed=seed,
        responses_per_community=responses_per_community,
        graders_per_community=graders_per_community,
    )
    _deal(stage, drawn, turns_each)
    size = {"responses": len(drawn.responses), "turns": len(drawn.turns), "seed": seed}
    record("calibration.dealt", actor=lead, project=project, subject=stage.name, **size)
    return study


def _deal(stage: Stage, drawn: Design, slots: int) -> None:
    varieties = {
        response: variety
        for chunk in in_chunks(drawn.responses)
        for response, variety in Response.objects.filter(pk__in=chunk).values_list("pk", "variety_id")
    }
    note_sets = note_sets_of(stage, "response", drawn.responses)
    items = WorkItem.objects.bulk_create(
        WorkItem(
            stage=stage,
            response_id=response,
            variety_id=varieties[response],
            note_set=note_sets.get(response, 0),
            position=place,
            slots=slots,
            open_slots=0,
        )
        for place, response in enumerate(drawn.responses)
    )
    by_response = {item.response_id: item for item in items}
    Assignment.objects.bulk_create(
        Assignment(item=by_response[response], stage=stage, rater_id=grader, status=Status.RESERVED)
        for response, grader in drawn.turns
    )


def _free_name(project: Project) -> str:
    taken = set(project.stages.values_list("name", flat=True))
    number = 1
    while (name := _("Calibration %(number)d") % {"number": number}) in taken:
        number += 1
    return name


def studies_of(project: Project) -> QuerySet[CalibrationStudy]:
    """The studies with how many turns each has, how many are done and how many were given back."""
    given_back = (Status.SKIPPED, Status.RELEASED)
    return project.calibration_studies.select_related("stage").annotate(
        turns=Count("stage__assignments"),
        done=Count("stage__assignments", filter=Q(stage__assignments__status=Status.SUBMITTED)),
        given_back=Count("stage__assignments", filter=Q(stage__assignments__status__in=given_back)),
    )
