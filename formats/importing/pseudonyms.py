"""Raters of a gold file, who keep the pseudonyms it knows them by.

Several judges as one name neither model nor laboratory: the answer's own metadata names its members instead
(`{"panel": {"members": [{"rater", "model", "laboratory", ...}], ...}}`). Whose laboratories they are is kept by the
models that they judged: what was said of a model of a member's own laboratory is marked, as a single judge's is.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _

from formats.importing.laboratories import find_laboratory
from formats.kinds import name as on_one_line
from formats.problems import ProblemLog
from projects.laboratories import laboratories_of
from projects.models import Laboratory, PanelLaboratory, Project, Rater, RaterKind, TargetModel
from projects.own_laboratories import is_own

MAX_NAME = 120  # of a laboratory


class PseudonymBook:
    """Finds raters by pseudonym and makes those that are new. A person's name is then the pseudonym. `own_answers`
    counts as `formats.importing.raters.RaterBook` does."""

    def __init__(self, project: Project, problems: ProblemLog) -> None:
        self.project = project
        self.problems = problems
        self.own = laboratories_of(project)
        raters = Rater.objects.filter(project=project).select_related("laboratory")
        self.raters = {rater.pseudonym: rater for rater in raters}
        self.judges = {rater.name for rater in self.raters.values() if rater.kind == RaterKind.JUDGE}
        self.laboratories: dict[str, Laboratory | None] = {}  # of members, as the file spells them
        of_panels = PanelLaboratory.objects.filter(rater__project=project)
        self.of_panels = set(of_panels.values_list("rater_id", "target_model_id", "laboratory_id"))
        self.created = self.own_answers = 0

    def person(self, pseudonym: str, line: int, field: str) -> Rater | None:
        known = self.raters.get(pseudonym)
        if known is None:
            return self._keep(Rater(project=self.project, kind=RaterKind.HUMAN, name=pseudonym, pseudonym=pseudonym))
        if known.kind != RaterKind.HUMAN:
            self.problems.say(line, "rater_differs", _("This is a judge in the project, not a person."), field)
            return None
        return known

    def rater(self, line: int, fields: Mapping, models: Collection[TargetModel], place: str) -> Rater | None:
        """The rater of an answer about these models, or None with the problem said."""
        if fields["rater_kind"] == RaterKind.HUMAN:
            return self.person(fields["rater"], line, f"{place}rater")
        members = members_of(fields)
        if members is not None:
            return self._panel(fields, members, models, line, place)
        rater = self._judge(fields, line, place)
        if rater is not None:
            self.own_answers += any(is_own(rater, each, self.own) for each in models)
        return rater

    def _judge(self, fields: Mapping, line: int, place: str) -> Rater | None:
        missing = [field for field in ("name", "model", "laboratory") if not fields.get(field)]
        for field in missing:
            message = _("A judge has a name, its model and the laboratory behind it.")
            self.problems.say(line, "missing", message, place + field)
        if missing:
            return None
        laboratory = self._laboratory(fields["laboratory"], line, f"{place}laboratory")
        if laboratory is None:
            return None
        return self._known_judge(fields, fields["model"], laboratory, line, place)

    def _panel(
        self, fields: Mapping, members: list[dict], models: Collection[TargetModel], line: int, place: str
    ) -> Rater | None:
        """The panel, with its members' laboratories kept by these models, or None with the problem said."""
        if not fields.get("name"):
            self.problems.say(line, "missing", _("A judge has a name."), f"{place}name")
            return None
        laboratories = [self._laboratory(each["laboratory"], line, f"{place}metadata.panel") for each in members]
        known = {laboratory.pk for laboratory in laboratories if laboratory is not None}
        panel = self._known_judge(fields, "", None, line, place) if None not in laboratories else None
        if panel is None:
            return None
        self.own_answers += any(self.own.get(each.pk, each.laboratory_id) in known for each in models)
        new = {(panel.pk, each.pk, laboratory) for each in models for laboratory in known} - self.of_panels
        PanelLaboratory.objects.bulk_create(
            PanelLaboratory(rater_id=rater, target_model_id=model, laboratory_id=laboratory)
            for rater, model, laboratory in sorted(new)
        )
        self.of_panels |= new
        return panel

    def _laboratory(self, name: str, line: int, field: str) -> Laboratory | None:
        """The laboratory, found or made once, or None with the problem said."""
        if name not in self.laboratories:
            fault = on_one_line(MAX_NAME).check(name)  # of a member it stands in metadata, which no format checks
            self.laboratories[name] = None if fault else find_laboratory(name)[0]
        laboratory = self.laboratories[name]
        if laboratory is None:
            message = _("A laboratory's name needs a letter from a to z or a digit.")
            self.problems.say(line, "laboratory_name", message, field)
        return laboratory

    def _known_judge(
        self, fields: Mapping, model: str, laboratory: Laboratory | None, line: int, place: str
    ) -> Rater | None:
        said = (RaterKind.JUDGE, fields["name"], model, laboratory, bool(fields.get("simulated")))
        known = self.raters.get(fields["rater"])
        if known is None and fields["name"] not in self.judges:
            kind, name, model, _laboratory, is_simulated = said
            self.judges.add(name)
            return self._keep(
                Rater(
                    project=self.project,
                    kind=kind,
                    name=name,
                    pseudonym=fields["rater"],
                    model=model,
                    laboratory=laboratory,
                    is_simulated=is_simulated,
                )
            )
        if known is None or said != (known.kind, known.name, known.model, known.laboratory, known.is_simulated):
            message = _("The judge “%(name)s” stands in the project with another value.")
            self.problems.say(line, "rater_differs", message % {"name": fields["name"]}, f"{place}rater")
            return None
        return known

    def _keep(self, rater: Rater) -> Rater:
        rater.save()
        self.created += 1
        self.raters[rater.pseudonym] = rater
        return rater


def members_of(fields: Mapping[str, Any]) -> list[dict] | None:
    """The members of the panel that gave an answer, as its metadata names them; None where it is a single judge's.

    What names a model or a laboratory is a single judge whatever its metadata says. A panel names at least one member,
    each with its laboratory: without, nothing would say whom the panel may judge.
    """
    told = (fields.get("metadata") or {}).get("panel")
    if fields.get("model") or fields.get("laboratory") or not isinstance(told, dict):
        return None
    members = told.get("members")
    if not isinstance(members, list) or not members:
        return None
    are_named = all(
        isinstance(each, dict)
        and all(isinstance(each.get(name), str) and each[name] for name in ("rater", "model", "laboratory"))
        for each in members
    )
    return members if are_named else None
