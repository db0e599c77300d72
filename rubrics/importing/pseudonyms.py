"""Raters of a gold file, who keep the pseudonyms it knows them by."""

from django.utils.translation import gettext as _

from projects.importing.fields import ProblemLog
from projects.importing.laboratories import find_laboratory
from projects.importing.raters import may_answer
from projects.models import Project, Rater, RaterKind, Response
from rubrics.importing.communities import Communities


class PseudonymBook:
    """Finds raters by pseudonym and makes those that are new. A person's name is then the pseudonym."""

    def __init__(self, project: Project, problems: ProblemLog) -> None:
        self.project = project
        self.problems = problems
        self.communities = Communities(project, problems)
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

    def rater_of(self, line: int, grade: dict, response: Response, place: str) -> Rater | None:
        """The rater of a grade, or None with the problem said; never a judge of the response's laboratory."""
        if grade["rater_kind"] == RaterKind.HUMAN:
            rater = self.person(grade["rater"], line, f"{place}rater")
        else:
            rater = self._judge(grade, line, place)
        if rater is None or not may_answer(rater, response, line, self.problems, f"{place}rater"):
            return None
        self.communities.note(line, rater, grade.get("varieties"), f"{place}varieties")
        return rater

    def _judge(self, grade: dict, line: int, place: str) -> Rater | None:
        missing = [field for field in ("name", "model", "laboratory") if not grade.get(field)]
        for field in missing:
            message = _("A judge has a name, its model and the laboratory behind it.")
            self.problems.say(line, "missing", message, place + field)
        if missing:
            return None
        laboratory, _created = find_laboratory(grade["laboratory"])
        if laboratory is None:
            message = _("A laboratory's name needs a letter from a to z or a digit.")
            self.problems.say(line, "laboratory_name", message, f"{place}laboratory")
            return None
        said = (RaterKind.JUDGE, grade["name"], grade["model"], laboratory, bool(grade.get("simulated")))
        known = self.raters.get(grade["rater"])
        if known is None and grade["name"] not in self.judges:
            kind, name, model, _laboratory, is_simulated = said
            self.judges.add(name)
            return self._keep(
                Rater(
                    project=self.project,
                    kind=kind,
                    name=name,
                    pseudonym=grade["rater"],
                    model=model,
                    laboratory=laboratory,
                    is_simulated=is_simulated,
                )
            )
        if known is None or said != (known.kind, known.name, known.model, known.laboratory, known.is_simulated):
            message = _("The judge “%(name)s” stands in the project with another value.")
            self.problems.say(line, "rater_differs", message % {"name": grade["name"]}, f"{place}rater")
            return None
        return known

    def _keep(self, rater: Rater) -> Rater:
        rater.save()
        self.created += 1
        self.raters[rater.pseudonym] = rater
        return rater
