"""The lead chooses what is a check of a stage, and how the stage checks."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Max

from projects import audit
from projects.models import User
from screening.checks.kinds import CheckKind
from screening.models import CheckSettings, GoldCheck
from workflow.models import Stage, WorkItem
from workflow.planning import note_sets_of

# As many as the column holds: a check never runs out, whoever it is given to.
SLOTS = 32_767


def add_checks(stage: Stage, kind: CheckKind, subjects: Collection[int], lead: User) -> int:
    """Make these candidates checks of the stage and return how many were; others than candidates are left out.

    The gold is copied as it is now, so that everybody is measured against the same.
    """
    with transaction.atomic():
        stage = Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
        candidates = {candidate.pk: candidate for candidate in kind.candidates(stage).filter(pk__in=subjects)}
        gold = kind.gold(stage, sorted(candidates))
        CheckSettings.objects.get_or_create(stage=stage)
        note_sets = note_sets_of(stage, kind.subject_in(stage), gold)
        position = stage.items.aggregate(last=Max("position"))["last"] or 0
        for number, pk in enumerate(sorted(gold), start=1):
            item = WorkItem.objects.create(
                stage=stage,
                variety_id=candidates[pk].variety_id,
                note_set=note_sets.get(pk, 0),
                is_check=True,
                position=position + number,
                slots=SLOTS,
                open_slots=SLOTS,
                **{kind.subject_in(stage): candidates[pk]},
            )
            GoldCheck.objects.create(stage=stage, item=item, gold=gold[pk], added_by=lead)
        if gold:
            audit.record("checks.added", actor=lead, project=stage.project, subject=stage.name, checks=len(gold))
    return len(gold)


def set_active(check: GoldCheck, is_active: bool, lead: User) -> None:
    """Hand the check out, or no longer: what was answered stays and counts."""
    with transaction.atomic():
        check.is_active = is_active
        check.save(update_fields=["is_active"])
        action = "check.restored" if is_active else "check.retired"
        audit.record(action, actor=lead, project=check.stage.project, subject=check.stage.name, check=check.pk)


def change_settings(settings: CheckSettings, changed: Collection[str], lead: User) -> None:
    with transaction.atomic():
        settings.save()
        stage = settings.stage
        detail = {name: getattr(settings, name) for name in changed if name != "retraining"}
        audit.record("checks.changed", actor=lead, project=stage.project, subject=stage.name, **detail)
