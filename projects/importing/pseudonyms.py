"""Raters of a gold file, who keep the pseudonyms it knows them by."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from projects.importing.fields import ProblemLog
from projects.importing.laboratories import find_laboratory
from projects.importing.raters import may_judge
from projects.models import Project, Rater, RaterKind, TargetModel


class PseudonymBook:
    """Finds raters by pseudonym and makes those that are new. A person's name is then the pseudonym."""

    def __init__(self, project: Project, problems: ProblemLog) -> None:
        self.project = project
        self.problems = problems
        found = Rater.objects.filter(project=project).select_related("laboratory")
        self.raters = {rater.pseudonym: rater for rater in found}
        self.judges = {rater.name for rater in self.raters.values() if rater.kind == RaterKind.JUDGE}
        self.created = 0

    def person(self, pseudonym: str, line: int, field: str) -> Rater | None:
        known = self.raters.get(pseudonym)
        if known is None:
            return self._keep(Rater(project=self.project, kind=RaterKind.HUMAN, name=pseudonym, pseudonym=pseudonym))
        if known.kind != RaterKind.HUMAN:
            self.problems.say(line, "rater_differs", _("This is a judge in the project, not a person."), field)
            return None
        return known

    def rater(self, line: int, fields: Mapping, models: Iterable[TargetModel], place: str) -> Rater | None:
        """The rater of an answer, or None with the problem said; never a judge of a laboratory behind the models."""
        if fields["rater_kind"] == RaterKind.HUMAN:
            rater = self.person(fields["rater"], line, f"{place}rater")
        else:
            rater = self._judge(fields, line, place)
        if rater is None or not all(may_judge(rater, each, line, self.problems, f"{place}rater") for each in models):
            return None
        return rater

    def _judge(self, fields: Mapping, line: int, place: str) -> Rater | None:
        missing = [field for field in ("name", "model", "laboratory") if not fields.get(field)]
        for field in missing:
            message = _("A judge has a name, its model and the laboratory behind it.")
            self.problems.say(line, "missing", message, place + field)
        if missing:
            return None
        laboratory, _created = find_laboratory(fields["laboratory"])
        if laboratory is None:
            message = _("A laboratory's name needs a letter from a to z or a digit.")
            self.problems.say(line, "laboratory_name", message, f"{place}laboratory")
            return None
        said = (RaterKind.JUDGE, fields["name"], fields["model"], laboratory, bool(fields.get("simulated")))
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
