"""Cards and their configurations as pages and programs list them, in a fixed number of statements."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet

from benchmark.cards import DECIDED
from benchmark.judged import newest_frozen
from benchmark.models import Answer, Configuration, ConfigurationKind, ModelCard, Question
from benchmark.sending import Collector, collectors_of
from formats.choices import Standing
from projects.among import Among
from projects.laboratories import laboratory_name, laboratory_of
from projects.models import AuditEvent, Project


@dataclass(frozen=True, slots=True)
class Decision:
    """About a configuration's standing; `reason` is the lead's."""

    standing: str
    reason: str
    decided_at: datetime
    decided_by: str

    @property
    def in_words(self) -> str:
        return str(Standing(self.standing).label)


@dataclass(slots=True)
class ConfigurationRow:
    """`answers` to the newest frozen version of every set. `decisions` are newest first."""

    configuration: Configuration
    answers: int = 0
    collector: Collector | None = None
    decisions: list[Decision] = field(default_factory=list)

    @property
    def other_laboratory(self) -> str:
        """The laboratory that the project knows the target model by, where the card says another; else ""."""
        return other_laboratory(self.configuration)


@dataclass(slots=True)
class CardRow:
    card: ModelCard
    configurations: list[ConfigurationRow] = field(default_factory=list)

    @property
    def has_contradiction(self) -> bool:
        return any(row.other_laboratory for row in self.configurations)


def other_laboratory(configuration: Configuration) -> str:
    """By the project's own word, else the installation's; rows of `configurations_of` bring it with them."""
    card = configuration.card
    here = getattr(configuration, "laboratory_here", "")
    if card is not None and not here:
        here = laboratory_of(configuration.project, configuration.target_model).name
    return "" if card is None or card.laboratory.name == here else here


def cards_of(project: Project) -> QuerySet[ModelCard]:
    return ModelCard.objects.filter(project=project).select_related("laboratory").order_by("name", "pk")


def configurations_of(project: Project) -> QuerySet[Configuration]:
    """Those of models; baselines and anchors have no card."""
    rows = Configuration.objects.filter(project=project, kind=ConfigurationKind.MODEL)
    rows = rows.annotate(laboratory_here=laboratory_name())
    return rows.select_related("project", "card__laboratory", "target_model__laboratory").order_by("name", "pk")


def n_questions(project: Project) -> int:
    """Prompts of the newest frozen version of every set; 0 where none is frozen."""
    return newest_questions(project).values("prompt").distinct().count()


def newest_questions(project: Project) -> QuerySet[Question]:
    return Question.objects.filter(question_set__in=newest_frozen().filter(project=project).values("pk"))


def answered(project: Project, configurations: Iterable[Configuration]) -> dict[int, int]:
    """How many questions of the newest frozen versions each configuration has answered."""
    rows = Answer.objects.filter(
        configuration__in=Among(row.pk for row in configurations),
        prompt__in=newest_questions(project).values("prompt"),
    )
    return dict(rows.order_by().values_list("configuration").annotate(n=Count("pk")))


def rows_of(project: Project, cards: Sequence[ModelCard]) -> list[CardRow]:
    """In two statements, whatever the number of cards."""
    configurations = list(configurations_of(project).filter(card__in=Among(card.pk for card in cards)))
    counts = answered(project, configurations)
    by_card: dict[int | None, list[ConfigurationRow]] = defaultdict(list)
    for row in configurations:
        by_card[row.card_id].append(ConfigurationRow(row, counts.get(row.pk, 0)))
    return [CardRow(card, by_card[card.pk]) for card in cards]


def row_of(project: Project, card: ModelCard) -> CardRow:
    """One card with all that is known of its configurations."""
    [row] = rows_of(project, [card])
    collectors = collectors_of(project)
    decisions = decisions_about(project, [each.configuration for each in row.configurations])
    for each in row.configurations:
        each.collector = collectors.get(each.configuration.target_model_id)
        each.decisions = decisions[each.configuration.slug]
    return row


def decisions_about(project: Project, configurations: Sequence[Configuration]) -> dict[str, list[Decision]]:
    """By short name, from the audit log."""
    events = AuditEvent.objects.filter(
        project=project, action=DECIDED, subject__in=slugs_of(configurations)
    ).select_related("actor")
    found: dict[str, list[Decision]] = defaultdict(list)
    for event in events.order_by("-pk"):
        said = event.detail
        by = event.actor.name if event.actor else ""
        found[event.subject].append(Decision(said["after"], said["reason"], event.at, by))
    return found


def slugs_of(configurations: Sequence[Configuration]) -> Any:
    return Configuration.objects.filter(pk__in=Among(row.pk for row in configurations)).values("slug")
