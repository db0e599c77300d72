"""Mappings that a project keeps under a name: saved, found, taken away, each with its trace in the audit log."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from formats.importing.registry import importers
from formats.mapping.specification import checked
from projects import audit
from projects.models import ImportMapping, Project, User
from projects.problems import Invalid, Problem

MOST = 200


def save_mapping(project: Project, stated: dict[str, Any], name: str = "", by: User | None = None) -> ImportMapping:
    """Keep a mapping under its name; one that has the name already is replaced. Raises Invalid."""
    stated = checked(stated)
    name = (name or stated.get("name") or "").strip()
    if not name or len(name) > 80:
        raise Invalid(Problem("missing", _("A mapping is kept under a name of at most 80 characters."), "name"))
    refuse_unknown_kind(stated)
    stated = {**stated, "name": name}
    with transaction.atomic():
        kept = ImportMapping.objects.filter(project=project, name=name).first()
        if kept is None and project.import_mappings.count() >= MOST:
            message = _("A project keeps at most %(limit)d mappings. Take one away first.")
            raise Invalid(Problem("too_many", message % {"limit": MOST}))
        kept, _is_new = ImportMapping.objects.update_or_create(
            project=project, name=name, defaults={"kind": stated["kind"], "stated": stated, "changed_by": by}
        )
        audit.record("mapping.saved", actor=by, project=project, subject=name, kind=stated["kind"])
    return kept


def take_away_mapping(mapping: ImportMapping, by: User | None) -> None:
    with transaction.atomic():
        audit.record("mapping.deleted", actor=by, project=mapping.project, subject=mapping.name)
        mapping.delete()


def mapping_named(project: Project, name: str, kind: str) -> dict[str, Any]:
    """Raises Invalid where the project has none of that name, or it is for another kind of data."""
    found = ImportMapping.objects.filter(project=project, name=name).first()
    if found is None:
        names = ", ".join(project.import_mappings.values_list("name", flat=True)[:20]) or "–"
        message = _("The project has no mapping “%(name)s”. It has: %(names)s.")
        raise Invalid(Problem("unknown_mapping", message % {"name": name[:80], "names": names}, "mapping"))
    return for_kind(found.stated, kind)


def for_kind(mapping: dict[str, Any], kind: str) -> dict[str, Any]:
    """The mapping, where it makes data of this kind. Raises Invalid."""
    refuse_unknown_kind(mapping)
    if mapping["kind"] != kind:
        message = _("The mapping makes %(its)s, not %(asked)s.")
        raise Invalid(Problem("other_kind", message % {"its": mapping["kind"], "asked": kind}, "kind"))
    return mapping


def refuse_unknown_kind(mapping: dict[str, Any]) -> None:
    if mapping["kind"] not in importers():
        message = _("One of these is expected: %(kinds)s.") % {"kinds": ", ".join(importers())}
        raise Invalid(Problem("not_a_choice", message, "kind"))
