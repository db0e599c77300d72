"""Setting a panel up: its members, its rule, and the rater its answers belong to."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from judging.ensembles import panel_kind
from judging.models import Panel, PanelMember, PanelRule
from projects.audit import record
from projects.models import Project, Rater, RaterKind, User
from projects.problems import Invalid, Problem


def candidates(project: Project, kind: str) -> QuerySet[Rater]:
    """Judges that can sit on a panel of this kind: set up for it, or imported with answers of it. No panels."""
    panel_type = panel_kind(kind)
    set_up = Q(judge__kind__in=panel_type.judge_kinds)
    imported = Q(judge=None, pk__in=panel_type.answering(project))
    judges = project.raters.filter(set_up | imported, kind=RaterKind.JUDGE).exclude(Rater.PANELS)
    return judges.select_related("laboratory").order_by("name")


def add_panel(
    project: Project,
    kind: str,
    members: Sequence[Rater],
    *,
    rule: str = PanelRule.MAJORITY,
    least_members: int = 2,
    seed: int = 0,
    name: str = "",
    by: User | None = None,
) -> Panel:
    """A new panel with its rater, who names no model and no laboratory: those are the members'.

    Raises Invalid for fewer than two members, members that are no judges of this kind in the project, more wanted
    members than there are, or a name that is taken.
    """
    ids = {member.pk for member in members}
    if len(ids) < 2:
        raise Invalid(Problem("too_few_members", _("A panel has at least two members."), "members"))
    chosen = list(candidates(project, kind).filter(pk__in=ids))
    if len(chosen) != len(ids):
        message = _("Only judges of this project that give this kind of answer can be members.")
        raise Invalid(Problem("no_member", message, "members"))
    if not 1 <= least_members <= len(ids):
        message = _("The panel has %(n)d members; no more than that can be required.") % {"n": len(ids)}
        raise Invalid(Problem("too_many_required", message, "least_members"))
    name = name or default_name(kind, rule, len(ids), seed)
    with transaction.atomic():
        if Rater.objects.filter(project=project, kind=RaterKind.JUDGE, name=name).exists():
            message = _("This project has a judge named “%(name)s” already. Choose another name.")
            raise Invalid(Problem("name_taken", message % {"name": name}, "name"))
        simulated = any(member.is_simulated for member in chosen)
        rater = Rater.objects.create(project=project, kind=RaterKind.JUDGE, name=name, is_simulated=simulated)
        panel = Panel.objects.create(
            project=project,
            rater=rater,
            kind=kind,
            rule=rule,
            least_members=least_members,
            seed=seed,
            created_by=by,
        )
        PanelMember.objects.bulk_create(
            PanelMember(panel=panel, rater=member) for member in sorted(chosen, key=lambda member: member.pseudonym)
        )
        record("panel.added", actor=by, project=project, subject=name, rule=str(rule), members=len(ids))
    return panel


def default_name(kind: str, rule: str, members: int, seed: int) -> str:
    of = f", seed {seed}" if rule == PanelRule.WEIGHTED and seed else ""
    return f"Panel of {members} ({kind}, {rule}{of})"
