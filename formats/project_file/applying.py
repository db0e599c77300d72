"""Making a project what its file says: all of it, or nothing and every problem with its line and place."""

from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from formats.kinds import slug as slug_kind
from formats.project_file.comparing import Difference, differences
from formats.project_file.describing import described, project_format
from formats.project_file.part import Findings, parts
from formats.project_file.reading import Lines, read_yaml
from projects.audit import record
from projects.models import Membership, Project, Role, User
from projects.problems import Invalid, Problem
from projects.slugs import free_slug

SHORT_NAME = slug_kind(Project._meta.get_field("slug").max_length or 0)
# Of changes that the audit log names one by one; a whole study can change in thousands of places.
RECORDED = 200


class SlugTaken(Exception):
    """Another project has the short name."""


@dataclass(slots=True)
class Applied:
    """What came of a file. `changes` says in what the project differs from what it was; `notes` what was left out."""

    project: Project
    is_new: bool
    is_dry_run: bool
    changes: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {
            "project": self.project.slug,
            "new": self.is_new,
            "dry_run": self.is_dry_run,
            "changes": [change.as_json() for change in self.changes],
            "notes": self.notes,
        }


def read_project_file(content: bytes) -> tuple[dict[str, Any], Lines]:
    """The data of a project file that is well-formed in itself. Raises Invalid with every problem, each with its line.
    Asks no database."""
    data, lines = read_yaml(content)
    if not isinstance(data, dict):
        message = _("This is no project file: it begins with “format: mizan.project/1”.")
        raise Invalid(Problem("not_a_project_file", message, line=1))
    findings = Findings(lines)
    [type_] = project_format().types.values()
    if not type_.check(data, 0, findings):
        raise Invalid(sorted(findings.shown, key=lambda problem: problem.line or 0))
    return {key: value for key, value in data.items() if value is not None}, lines


def create_from_file(content: bytes, slug: str = "", by: User | None = None, *, dry_run: bool = False) -> Applied:
    """A new project, led by who made it. Without a short name it gets one made of its name.

    Raises Invalid where the file is refused or the short name is taken; nothing is stored then.
    """
    data, lines = read_project_file(content)
    if "project" not in data:
        raise Invalid(Problem("missing", _("A new project needs a name."), "project", 1))
    slug = slug or free_slug(data["project"]["name"], (), "project")
    if fault := SHORT_NAME.check(slug):
        raise Invalid(Problem(*fault, "slug"))
    project = Project(slug=slug, name=data["project"]["name"], areas=[], preset="")
    try:
        return _applied(project, data, lines, by, dry_run)
    except SlugTaken:
        message = _("There is a project “%(slug)s” already. Choose another short name, or bring the file into it.")
        raise Invalid(Problem("slug_taken", message % {"slug": slug}, "slug")) from None


def apply_file(project: Project, content: bytes, by: User | None = None, *, dry_run: bool = False) -> Applied:
    """Make an existing project what the file says. Raises Invalid where it is refused; nothing is changed then."""
    data, lines = read_project_file(content)
    return _applied(project, data, lines, by, dry_run)


def clone(project: Project, slug: str, by: User | None = None, name: str = "") -> Applied:
    """A new project made of the same parts, without texts, people and answers. Raises Invalid for a slug that is
    taken."""
    from formats.project_file.writing import write_yaml

    data = described(project)
    if name:
        data["project"] = {**data["project"], "name": name}
    return create_from_file(write_yaml(data), slug, by)


def _applied(project: Project, data: dict[str, Any], lines: Lines, by: User | None, dry_run: bool) -> Applied:
    applied = Applied(project, is_new=project._state.adding, is_dry_run=dry_run)
    findings = Findings(lines, by)
    with transaction.atomic():
        before = _begun(project, by)
        write_parts(project, data, findings)
        if findings.total:
            raise Invalid(sorted(findings.shown, key=lambda problem: problem.line or 0))
        project.refresh_from_db()
        applied.changes = list(differences(before, described(project)))
        applied.notes = findings.notes
        if applied.changes or applied.is_new:
            told = [str(change) for change in applied.changes[:RECORDED]]
            action = "project.created" if applied.is_new else "project.file_applied"
            beside = {"preset": project.preset} if applied.is_new else {"changes": told}
            record(action, actor=by, project=project, subject=project.slug, **beside)
        if dry_run:
            transaction.set_rollback(True)
    return applied


def _begun(project: Project, by: User | None) -> dict[str, Any]:
    """The project as it is before: a new one is stored and led, one that exists is locked against a second file."""
    if not project._state.adding:
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        return described(project)
    try:
        with transaction.atomic():
            project.save()
    except IntegrityError:
        raise SlugTaken from None
    if by is not None:
        Membership.objects.create(project=project, user=by, role=Role.LEAD)
    return {"format": described(project)["format"]}


def write_parts(project: Project, data: dict[str, Any], findings: Findings) -> None:
    """Have every part that the data name write its rows, inside the caller's transaction."""
    for part in parts():
        if part.key in data:
            part.write(project, data[part.key], findings)
    for part in parts():
        if part.key in data and not findings.total:
            part.check(project, data[part.key], findings)
