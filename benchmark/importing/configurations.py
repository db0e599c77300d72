"""The configurations and judges of a file of answers: those it describes, and those that are there."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from benchmark.card_rules import card_faults, run_faults
from benchmark.cards import asked_otherwise, target_taken
from benchmark.models import Configuration, ConfigurationKind, ModelCard
from formats.importing.laboratories import find_laboratory
from formats.importing.raters import RaterBook
from formats.problems import ProblemLog
from formats.reading import Record
from projects.models import Laboratory, ModelLaboratory, Project, Rater, RaterKind, Response, TargetModel
from projects.problems import Problem

CARD_TEXTS = ("licence", "link", "declared_overlap")
CARD_NUMBERS = ("parameters_total", "parameters_active", "context_tokens")
RUN_TEXTS = ("provider", "revision", "precision", "template_sha256", "system_prompt", "thinking_effort")
# Columns that a file calls otherwise.
NAMES = {"kind": "type", "target_model": "model"}


def card_values(card: dict) -> dict[str, Any]:
    """The columns of a card, as a file says them."""
    return {
        "name": card["name"],
        "access": card["access"],
        **{field: card.get(field) or "" for field in CARD_TEXTS},
        **{field: card.get(field) for field in CARD_NUMBERS},
        "thinking_tags": [[pair["opens"], pair["closes"]] for pair in card.get("thinking_tags") or []],
    }


def run_values(fields: dict) -> dict[str, Any]:
    """The columns of a configuration that say how it was run, as a file says them."""
    return {
        "name": fields["name"],
        "kind": fields.get("type") or ConfigurationKind.MODEL,
        **{field: fields.get(field) or "" for field in RUN_TEXTS},
        "sampling": fields.get("sampling") or {},
        "token_limit": fields.get("token_limit"),
    }


class ConfigurationBook:
    """Finds configurations by their short names, and makes those that a line describes. Each is fetched once."""

    def __init__(self, project: Project, problems: ProblemLog, counts: Counter[str], own: dict[int, int]) -> None:
        self.project, self.problems, self.counts = project, problems, counts
        rows = Configuration.objects.filter(project=project).select_related("target_model__laboratory", "card")
        self.known = {row.slug: row for row in rows}
        self.cards = {card.slug: card for card in ModelCard.objects.filter(project=project)}
        # By the model's id, of those whose laboratory is another in this project than in the installation.
        self.own = own

    def named(self, record: Record, default: str) -> Configuration | None:
        """The configuration of an answer, or None with the problem said."""
        slug = record.fields.get("configuration") or default
        if not slug:
            self.problems.say(record.line, "missing", _("The field is missing."), "configuration")
        elif slug not in self.known:
            message = _("No line before describes the configuration “%(id)s”, and the project has none of this name.")
            self.problems.say(record.line, "unknown_configuration", message % {"id": slug}, "configuration")
        return self.known.get(slug)

    def of_model(self, name: str) -> str:
        """The short name of the only configuration that is named so, or of the only one of a model that is; else
        empty."""
        for found in (
            [row.slug for row in self.known.values() if name and name in (row.slug, row.name)],
            [row.slug for row in self.known.values() if name and name == row.target_model.name],
        ):
            if len(found) == 1:
                return found[0]
        return ""

    def describe(self, record: Record) -> None:
        """Make what the line describes; where it is there already, it must say the same."""
        fields, line, before = record.fields, record.line, self.problems.total
        laboratory, is_new = find_laboratory(fields["laboratory"])
        if laboratory is None:
            message = _("A laboratory's name needs a letter from a to z or a digit.")
            self.problems.say(line, "laboratory_name", message, "laboratory")
            return
        self.counts["laboratories"] += is_new
        target = self._target(record, laboratory)
        card = self._card(record, laboratory)
        if self.problems.total > before:
            return
        known = self.known.get(fields["id"])
        if known is not None:
            self._compare(line, known, run_values(fields) | {"target_model": target, "card": card})
            return
        values = run_values(fields) | {"standing": fields.get("standing") or "ranked"}
        row = Configuration(project=self.project, slug=fields["id"], target_model=target, card=card, **values)
        self._say(line, (*run_faults(values), *target_taken(row), *asked_otherwise(row)))
        if fields["name"] in {each.name for each in self.known.values()}:
            self.problems.say(line, "name_taken", _("Another configuration has this name."), "name")
        if self.problems.total == before:
            row.save()
            self.known[row.slug] = row
            self.counts["configurations"] += 1

    def _target(self, record: Record, laboratory: Laboratory) -> TargetModel:
        name = record.fields.get("model") or record.fields["name"]
        target, is_new = TargetModel.objects.select_related("laboratory").get_or_create(
            name=name, defaults={"laboratory": laboratory}
        )
        self.counts["target models"] += is_new
        here = self.own.get(target.pk, target.laboratory_id)
        if here != laboratory.pk and target.pk not in self.own and not self._is_answered(target):
            ModelLaboratory.objects.create(project=self.project, target_model=target, laboratory=laboratory)
            self.own[target.pk] = laboratory.pk
        elif here != laboratory.pk:
            message = _(
                "The model “%(model)s” is one of %(laboratory)s in this project. Say the same here, or have the lead "
                "settle it under Laboratories."
            )
            names = {"model": target.name, "laboratory": Laboratory.objects.get(pk=here).name}
            self.problems.say(record.line, "other_laboratory", message % names, "laboratory")
        return target

    def _is_answered(self, target: TargetModel) -> bool:
        """Whether somebody has relied on whose model it is already: the project has an answer of it, or a name for it.
        Else the file says whose it is, for this project alone."""
        known = Configuration.objects.filter(project=self.project, target_model=target)
        return known.exists() or Response.objects.filter(project=self.project, target_model=target).exists()

    def _card(self, record: Record, laboratory: Laboratory) -> ModelCard | None:
        card, kind = record.fields.get("card"), record.fields.get("type") or ConfigurationKind.MODEL
        if (card is None) == (kind == ConfigurationKind.MODEL):
            message = _("A model has a card, and a baseline or anchor has none.")
            self.problems.say(record.line, "missing" if card is None else "not_alone", message, "card")
        if card is None or not self._say(record.line, card_faults(card), "card."):
            return None
        values = card_values(card) | {"laboratory": laboratory}
        known = self.cards.get(card["id"])
        if known is not None:
            self._compare(record.line, known, values, "card.")
            return known
        if card["name"] in {each.name for each in self.cards.values()}:
            self.problems.say(record.line, "name_taken", _("Another card has this name."), "card.name")
            return None
        self.cards[card["id"]] = ModelCard.objects.create(project=self.project, slug=card["id"], **values)
        self.counts["model cards"] += 1
        return self.cards[card["id"]]

    def _say(self, line: int, problems: Iterable[Problem], place: str = "") -> bool:
        """Whether there is nothing to say."""
        before = self.problems.total
        for problem in problems:
            self.problems.say(line, problem.code, problem.message, place + NAMES.get(problem.field, problem.field))
        return self.problems.total == before

    def _compare(self, line: int, row: ModelCard | Configuration, values: dict[str, Any], place: str = "") -> None:
        """What is there is not changed by a file."""
        for field, value in values.items():
            if getattr(row, field) != value:
                message = _("“%(name)s” stands in the project with another value.")
                self.problems.say(line, "differs", message % {"name": row.slug}, place + NAMES.get(field, field))


class JudgeBook:
    """Judges by their names: those that a line describes, and those of the project."""

    def __init__(self, project: Project, problems: ProblemLog) -> None:
        self.problems = problems
        self.raters = RaterBook(project, problems)

    def describe(self, record: Record) -> None:
        fields = record.fields
        given = {"rater": fields["name"], "rater_kind": RaterKind.JUDGE}
        given |= {field: fields.get(field) for field in ("model", "laboratory", "simulated")}
        self.raters.rater(record.line, given)

    def named(self, line: int, name: str, place: str) -> Rater | None:
        """The judge, or None with the problem said."""
        judge = self.raters.raters.get((RaterKind.JUDGE, name))
        if judge is None:
            message = _("No line before describes the judge “%(name)s”, and the project has none of this name.")
            self.problems.say(line, "unknown_judge", message % {"name": name}, f"{place}.judge")
        elif judge.is_panel:
            message = _("“%(name)s” is several judges as one. Its answers are made of theirs and cannot be imported.")
            self.problems.say(line, "panel", message % {"name": name}, f"{place}.judge")
            return None
        return judge
