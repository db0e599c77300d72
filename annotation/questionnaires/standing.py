"""People's answers to questionnaires as they stand, and the gold that they make: of each rater's rounds the latest."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.gold import gold_by_item
from formats.layout import Asked, Subject
from projects.models import Project


class Item(NamedTuple):
    """What a stage asks about: one of `Subject` and its id."""

    stage: int
    subject: str
    id: int


def answers_of(project: Project, kind: str) -> QuerySet[QuestionnaireAnswer]:
    """The answers of people or of judges (`RaterKind`), without those that only checked the rater."""
    return QuestionnaireAnswer.objects.filter(stage__project=project, rater__kind=kind, is_check=False)


def latest(rows: QuerySet[QuestionnaireAnswer]) -> dict[tuple[Item, int], tuple[Mapping[str, Any], bool]]:
    """By item and rater the answers of the latest round, and whether an expert gave them. One statement."""
    found = {}
    columns = ("stage_id", "rater_id", "answers", "rater__is_expert", *Subject.values)
    for stage, rater, answers, is_expert, *ids in rows.order_by("round", "pk").values_list(*columns):
        [(subject, pk)] = [(subject, pk) for subject, pk in zip(Subject.values, ids, strict=True) if pk is not None]
        found[Item(stage, subject, pk), rater] = (answers, is_expert)
    return found


def gold_values(
    rows: QuerySet[QuestionnaireAnswer], parts: Mapping[int, Sequence[Asked]]
) -> dict[Item, dict[str, Any]]:
    """Gold of these answers by item and key of the part, as an answer to the part has it; ranks may be halves."""
    given: dict[int, dict[Item, list[tuple[Mapping[str, Any], bool]]]] = defaultdict(lambda: defaultdict(list))
    for (item, _rater), said in latest(rows).items():
        given[item.stage][item].append(said)
    gold: dict[Item, dict[str, Any]] = {}
    for stage, of_stage in given.items():
        for part in parts.get(stage, ()):
            values = [[(answers.get(part.key), is_expert) for answers, is_expert in each] for each in of_stage.values()]
            found = gold_by_item(part, [(of_item, _named(of_item)) for of_item in values])
            for item, best in zip(of_stage, found, strict=True):
                if best is not None:
                    gold.setdefault(item, {})[part.key] = best
    return gold


def _named(values: Sequence[tuple[Any, bool]]) -> set[str]:
    """The responses that anybody ranked."""
    return {name for value, _expert in values if isinstance(value, Mapping) for name in value}
