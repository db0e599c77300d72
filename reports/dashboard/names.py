"""How raters, varieties and target models are called in tables, and what must be said beside their figures."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judging.models import Judge, PromptVersion
from projects.models import LanguageVariety, Project, Rater, RaterKind, TargetModel, is_panel
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.panels import weighed_panels
from reports.dashboard.project_contents import answered_prompts, target_models

#: In place of a variety's id: all varieties of the scope put together.
TOTAL = 0
#: In place of a rater's id: all people together, beside each judge.
PEOPLE = 0
#: As recipes say it, with how many of each judge.
LEFT_OUT = "left out: answers about models of the judge's own laboratory"
#: The mark of a judge that has such answers.
OWN_LABORATORY = "own laboratory"


@dataclass(frozen=True)
class RaterName:
    """How a rater appears: people by pseudonym, judges by name."""

    label: str
    pseudonym: str
    is_judge: bool
    is_simulated: bool
    # Several judges as one; weighed ones are compared with people on the prompts that did not weigh their members.
    is_panel: bool = False
    is_weighed: bool = False
    # A judge that found errors of the gold which the figures compare it with.
    is_gold_builder: bool = False
    # Of a judge, its answers about models of its own laboratory, which figures leave out.
    own_answers: int = 0

    @property
    def marks(self) -> tuple[str, ...]:
        """What must be said beside this rater's figures, as wording.MARKS has it."""
        is_so = {"simulated": self.is_simulated, "panel": self.is_panel, "held out": self.is_weighed}
        is_so |= {"gold-builder": self.is_gold_builder, OWN_LABORATORY: bool(self.own_answers)}
        return tuple(mark for mark, holds in is_so.items() if holds)


@dataclass(frozen=True)
class VarietyName:
    id: int
    tag: str
    label: str
    segmentation: str


def to_be_marked(rater: Rater) -> bool:
    """True of a simulated judge whose name does not say so itself, as those of generated projects do."""
    return rater.is_simulated and "(simulated)" not in rater.name


def varieties_named(project: Project, varieties: Sequence[int]) -> tuple[VarietyName, ...]:
    """The varieties of these ids, by what the project calls them."""
    rows = LanguageVariety.objects.filter(id__in=varieties)
    names = [VarietyName(row.pk, row.tag, project.calls(row), row.segmentation) for row in rows]
    return tuple(sorted(names, key=lambda name: name.label.casefold()))


def raters_named(project: Project) -> dict[int, RaterName]:
    """Every rater of the project by id."""
    names = ("id", "kind", "model", "laboratory_id", "name", "pseudonym", "is_simulated")
    raters = list(project.raters.order_by("id").values_list(*names))
    panels = {pk for pk, kind, model, laboratory, *_ in raters if is_panel(kind, model, laboratory)}
    weighed = weighed_panels(project) if panels else frozenset()
    return {
        pk: RaterName(
            name if kind == RaterKind.JUDGE else pseudonym,
            pseudonym,
            kind == RaterKind.JUDGE,
            simulated,
            pk in panels,
            pk in weighed,
        )
        for pk, kind, _model, _laboratory, name, pseudonym, simulated in raters
    }


def prompts_named(project: Project, *kinds: str) -> dict[str, tuple[str, ...]]:
    """By judge of these kinds, the prompts that its answers were given under: name, version and the start of the hash.

    Of judges whose answers came in a file nothing is known, so they are not in it.
    """
    answered = answered_prompts(project, revisions(project))
    judges = Judge.objects.filter(project=project, kind__in=kinds)
    named = dict(judges.values_list("pk", "rater__name")) if answered else {}
    versions = PromptVersion.objects.in_bulk({version for judge, version in answered if judge in named})
    asked: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for judge, pk in answered:
        if judge in named:
            version = versions[pk]
            asked[named[judge]].append((version.name, version.version, version.text_sha256[:12]))
    return {
        judge: tuple(f"{name} {version} {sha256}" for name, version, sha256 in sorted(prompts))
        for judge, prompts in sorted(asked.items())
    }


def asked_by(prompts: Mapping[str, Sequence[str]]) -> dict[str, dict[str, list[str]]]:
    """What the recipe of a figure of judges' answers says beside: nothing where no judge was asked from here."""
    return {"prompts": {judge: list(each) for judge, each in prompts.items()}} if prompts else {}


def marks_of(raters: Mapping[int, RaterName], chosen: Iterable[int], is_generated: bool) -> tuple[str, ...]:
    """What must be said beside figures of these raters, each thing once; ids that are no rater's say nothing."""
    marks = dict.fromkeys(mark for one in chosen if one in raters for mark in raters[one].marks)
    return (*marks, *(("generated",) * is_generated))


def own_laboratory_extras(raters: Mapping[int, RaterName]) -> dict[str, Any]:
    """What a recipe says where judges have answered about models of their own laboratory: how often each."""
    counted = own_answers(raters)
    return {LEFT_OUT: counted} if counted else {}


def own_answers(raters: Mapping[int, RaterName]) -> dict[str, int]:
    """By judge, how many of its answers are about models of its own laboratory; without judges that have none."""
    return {rater.label: rater.own_answers for rater in raters.values() if rater.own_answers}


def derived_extras(derived: Mapping[str, int]) -> dict[str, Any]:
    """What a recipe says where texts with answers were made from responses: how many by which step."""
    return {"texts made from responses, by step": dict(derived)} if derived else {}


def weighed_extras(raters: Mapping[int, RaterName]) -> dict[str, str]:
    """What a recipe says where a panel's members were weighed by their agreement with people; else nothing."""
    if not any(rater.is_weighed for rater in raters.values()):
        return {}
    return {"left out: weighted panels": "their answers on the half of the prompts that weighed their members"}


def models_named(project: Project) -> dict[int, str]:
    """Every target model with responses in the project, by id."""
    models = TargetModel.objects.filter(pk__in=target_models(project, revisions(project))).order_by("id")
    return dict(models.values_list("id", "name"))
