"""Groups of raters: made, renamed, taken away, and who is in which. Every act is audited, of people by pseudonym."""

from collections.abc import Mapping

from django.db import IntegrityError, transaction

from projects import audit
from projects.models import Project, Rater, RaterKind, User
from screening.models import GroupMember, RaterGroup


def people_of(project: Project) -> list[Rater]:
    """Those who can be in a group, by pseudonym; `group_id` is the group they are in, None for none. One query."""
    people = Rater.objects.filter(project=project, kind=RaterKind.HUMAN).select_related("group_member")
    found = list(people.order_by("pseudonym"))
    for rater in found:
        member = getattr(rater, "group_member", None)
        rater.group_id = member.group_id if member else None  # type: ignore[attr-defined]
    return found


def add_group(project: Project, name: str, lead: User | None) -> RaterGroup | None:
    """None where the project has a group of this name."""
    try:
        with transaction.atomic():
            group = RaterGroup.objects.create(project=project, name=name)
            audit.record("rater_group.created", actor=lead, project=project, subject=name)
    except IntegrityError:
        return None
    return group


def rename(group: RaterGroup, name: str, lead: User | None) -> bool:
    """False where another group has this name."""
    try:
        with transaction.atomic():
            before, group.name = group.name, name
            group.save(update_fields=["name"])
            audit.record("rater_group.renamed", actor=lead, project=group.project, subject=name, before=before)
    except IntegrityError:
        return False
    return True


def take_away(group: RaterGroup, lead: User | None) -> None:
    """Its people are in no group then."""
    with transaction.atomic():
        audit.record("rater_group.deleted", actor=lead, project=group.project, subject=group.name)
        group.delete()


def assign(project: Project, wanted: Mapping[int, int | None], lead: User | None) -> int:
    """Put people (ids of raters) into groups (ids; None for no group); what is none of the project's is passed over.

    Returns how many changed.
    """
    groups = {group.pk: group for group in RaterGroup.objects.filter(project=project)}
    changed = 0
    with transaction.atomic():
        for rater in people_of(project):
            group = wanted.get(rater.pk)
            is_known = rater.pk in wanted and (group is None or group in groups)
            if not is_known or group == rater.group_id:  # type: ignore[attr-defined]
                continue
            if group is None:
                GroupMember.objects.filter(rater=rater).delete()
            else:
                GroupMember.objects.update_or_create(rater=rater, defaults={"group_id": group})
            name = groups[group].name if group is not None else ""
            audit.record("rater_group.assigned", actor=lead, project=project, subject=rater.pseudonym, group=name)
            changed += 1
    return changed
