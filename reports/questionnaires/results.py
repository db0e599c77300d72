"""What tables of questionnaires are written from."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from formats.layout import Asked, Type, asked_of
from projects.models import Project
from reports.dashboard.results import Results
from reports.dashboard.scope import BaseContext
from reports.questionnaires.reader import Key
from workflow.layouts import stages_with_parts

#: How what judges are compared with was made (`consensus.py`).
GOLD = (
    "experts' answers where there are any; by the rule of the part (`gold`); else by majority, of unordered words only "
    "where one leads, of ordered ones ties by mean, then median; numbers and ranks by mean"
)
#: In place of a target model.
ALL_MODELS = -1


class QuestionnaireNames(NamedTuple):
    """The parts of all stages, in order, and the names of the stages where there are several."""

    parts: Mapping[Key, Asked]
    stages: Mapping[int, str]


@dataclass(frozen=True)
class QuestionnaireResults(Results):
    kinds = ("questionnaire",)
    judged = "questionnaires"
    of_people_alone = frozenset({"answers"})

    @classmethod
    def own_names(cls, project: Project, context: BaseContext) -> QuestionnaireNames:
        stages = stages_with_parts(project)
        parts = {
            Key(stage.pk, part.key, option): part
            for stage in stages
            for part in asked_of(stage.ask)
            for option in (part.options if part.type == Type.CHOICES else ("",))
        }
        return QuestionnaireNames(parts, {stage.pk: stage.label for stage in stages} if len(stages) > 1 else {})

    def gold_rule(self) -> str:
        return GOLD

    def asked(self, answered: Collection[Key]) -> list[Key]:
        """Those of the keys that are answered, in the order of the stages and their parts."""
        return [key for key in self.names.own.parts if key in answered]

    def model(self, one: int) -> str:
        return _("All target models") if one == ALL_MODELS else self.names.models[one]

    def question(self, key: Key) -> str:
        """The question, behind the name of its stage where there are several."""
        names: QuestionnaireNames = self.names.own
        said = names.parts[key].question
        return f"{names.stages[key.stage]}: {said}" if key.stage in names.stages else said

    def label(self, key: Key) -> str:
        """The question; of any of several with the answer."""
        return f"{self.question(key)} · {key.option}" if key.option else self.question(key)
