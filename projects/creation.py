"""Begin a project: its row, its preset's stages and categories, and the person who leads it."""

from django.db import transaction

from projects import presets
from projects.audit import record
from projects.models import Membership, Project, Role, User


def may_create_projects(user: User) -> bool:
    """Administrators, and those who lead a project already."""
    return user.is_administrator or Membership.objects.filter(user=user, role=Role.LEAD).exists()


@transaction.atomic
def create_project(project: Project, creator: User | None) -> Project:
    """Save a new project and set it up from its preset. Without a creator (a command) nobody leads it yet."""
    preset = presets.presets()[project.preset]
    project.areas = [preset.area_name]
    project.save()
    for step in preset.set_up:
        step(project)
    if creator is not None:
        Membership.objects.create(project=project, user=creator, role=Role.LEAD)
    record("project.created", actor=creator, project=project, subject=project.slug, preset=project.preset)
    return project
