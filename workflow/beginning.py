"""Beginning something of one's own: work that is about nothing that is there yet."""

import uuid

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from projects.models import LanguageVariety, Rater
from workflow.claims import LOCKED_RATER, check_takes_work, lease_end
from workflow.daily_cap import check_day
from workflow.eligibility import check_eligible
from workflow.models import Assignment, Stage, WorkItem


def begin_own(rater: Rater, stage: Stage, variety: LanguageVariety, key: uuid.UUID) -> Assignment:
    """Begin an item of the rater's own, with no slot for anybody else. `key` is chosen by the browser once per
    beginning: sent again, the same assignment comes back. Raises Refused("closed") where the stage takes no work,
    Refused("day_full") where their day is.
    """
    check_takes_work(stage)
    check_eligible(rater, stage)
    with transaction.atomic():
        LOCKED_RATER.first(rater=rater.pk)
        begun = Assignment.objects.filter(uuid=key, rater=rater, stage=stage).first()
        if begun is not None:
            return begun
        check_day(rater)
        last = stage.items.aggregate(last=Max("position"))["last"]
        position = 0 if last is None else last + 1
        item = WorkItem.objects.create(stage=stage, variety=variety, position=position, slots=1, open_slots=0)
        now = timezone.now()
        return Assignment.objects.create(
            uuid=key, item=item, stage=stage, rater=rater, claimed_at=now, lease_expires_at=lease_end(stage, now)
        )
