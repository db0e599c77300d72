"""Raters by the names they have in a file: people and judges who worked elsewhere."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from formats.importing.laboratories import find_laboratory, laboratory_slug
from formats.problems import ProblemLog
from projects.laboratories import laboratories_of
from projects.models import Project, Rater, RaterKind, Response, TargetModel
from projects.own_laboratories import is_own

JUDGE_FIELDS = ("model", "laboratory", "simulated")


class RaterBook:
    """Finds a line's rater in the project, and creates it at its first line. Each rater is fetched once.

    A person is known by name: where a member of the project has that name, the answers are that member's;
    else the rater stands without an account. A judge is known by name, model and laboratory together.
    `own_answers` counts the answers that judges gave about models of their own laboratory.
    """

    def __init__(self, project: Project, problems: ProblemLog) -> None:
        self.project = project
        self.own = laboratories_of(project)
        self.problems = problems
        self.raters = {
            (rater.kind, rater.name): rater
            for rater in Rater.objects.filter(project=project).select_related("laboratory")
        }
        self.created = self.own_answers = 0

    def rater(self, line: int, fields: dict) -> Rater | None:
        """The rater, or None with the problem said."""
        kind, rater_name = fields.get("rater_kind") or RaterKind.HUMAN, fields["rater"]
        known = self.raters.get((kind, rater_name))
        if kind == RaterKind.HUMAN:
            return self._person(line, fields, known)
        if known is None:
            return self._judge(line, fields)
        if known.is_panel:
            message = _("“%(name)s” is several judges as one. Its answers are made of theirs and cannot be imported.")
            self.problems.say(line, "panel", message % {"name": known.name}, "rater")
            return None
        return known if self._is_same_judge(known, line, fields) else None

    def rater_of(self, line: int, fields: dict, response: Response) -> Rater | None:
        """The rater of an answer about this response, or None with the problem said."""
        rater = self.rater(line, fields)
        if rater is not None:
            self.counts_as_own(rater, [response.target_model])
        return rater

    def counts_as_own(self, rater: Rater, models: Iterable[TargetModel]) -> bool:
        """Whether the rater's laboratory is behind one of the models that its answer is about; counted where it is."""
        found = any(is_own(rater, model, self.own) for model in models)
        self.own_answers += found
        return found

    def _person(self, line: int, fields: dict, known: Rater | None) -> Rater | None:
        given = [field for field in JUDGE_FIELDS if fields.get(field)]
        for field in given:
            self.problems.say(line, "judge_field", _("Only a judge has this field; this rater is a person."), field)
        return None if given else known or self._create(kind=RaterKind.HUMAN, name=fields["rater"])

    def _judge(self, line: int, fields: dict) -> Rater | None:
        missing = [field for field in ("model", "laboratory") if not fields.get(field)]
        for field in missing:
            message = _("The first line of a judge names its model and the laboratory behind it.")
            self.problems.say(line, "missing", message, field)
        if missing:
            return None
        laboratory, _created = find_laboratory(fields["laboratory"])
        if laboratory is None:
            message = _("A laboratory's name needs a letter from a to z or a digit.")
            self.problems.say(line, "laboratory_name", message, "laboratory")
            return None
        return self._create(
            kind=RaterKind.JUDGE,
            name=fields["rater"],
            model=fields["model"],
            laboratory=laboratory,
            is_simulated=bool(fields.get("simulated")),
        )

    def _is_same_judge(self, judge: Rater, line: int, fields: dict) -> bool:
        laboratory = laboratory_slug(judge.laboratory.slug) if judge.laboratory else ""
        differing = [
            field
            for field, known, given in (
                ("model", judge.model, fields.get("model")),
                ("laboratory", laboratory, fields.get("laboratory") and laboratory_slug(fields["laboratory"])),
                ("simulated", judge.is_simulated, fields.get("simulated")),
            )
            if given is not None and given != known
        ]
        for field in differing:
            message = _("The judge “%(name)s” stands in the project with another value.")
            self.problems.say(line, "judge_differs", message % {"name": judge.name}, field)
        return not differing

    def _create(self, **fields: Any) -> Rater:
        rater = Rater.objects.create(project=self.project, **fields)
        self.created += 1
        self.raters[rater.kind, rater.name] = rater
        return rater
