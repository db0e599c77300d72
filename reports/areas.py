"""An area is a kind of study (error spans, rubrics, ratings): all that is its own, declared in one place.

Its declaration lies where all of its parts can be named without an import that points upward: `reports/<area>/area.py`.
What every project has, whatever its areas, is declared in `reports/every_project.py`. Nothing else registers a task
type, a judge kind, a format, gold, a dashboard, a preset, an entry of the menu or a first step.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.casebook import kinds as case_kinds
from annotation.casebook.kinds import CaseKind
from formats.archive import contents as archive
from formats.archive.contents import Contents
from formats.importing import registry as formats
from formats.importing.registry import Importer
from formats.project_file import part as project_file
from formats.project_file.part import Part
from jobs import kinds as job_kinds
from jobs.kinds import JobKind
from judging import ensembles
from judging import kinds as judge_kinds
from judging.ensembles import PanelKind
from judging.kinds import JudgeKind
from judging.models import Purpose
from projects import collecting_gates, navigation, own_laboratories, presets, steps
from projects.collecting_gates import CollectingGate
from projects.navigation import Entry
from projects.own_laboratories import Judged
from projects.presets import ProjectPreset
from projects.steps import Step
from reports import warming
from reports.dashboard import dashboards
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.index import keep_cards
from reports.gold import formats as gold_formats
from reports.gold.formats import GoldFormat
from reports.verifying import Verification
from reports.warming import Computed
from screening.checks import kinds as check_kinds
from screening.checks.kinds import CheckKind
from screening.quiz import kinds as question_kinds
from screening.quiz.kinds import QuestionKindBase
from workflow import task_types
from workflow.task_types import TaskType


@dataclass(frozen=True, kw_only=True)
class Area:
    """What a kind of study consists of. All but the name may be empty; a format may be that of two areas.

    name           stands in `Project.areas`; empty: of every project.
    preset         what a new project of the area begins with; other_presets: what else it can begin with.
    project_parts  what its rooms have to say in the project file; archived: which of their tables go into an archive.
    task_types     the work of its people.
    purpose        what a run of its judges is for where nobody says it: the gold, or their evaluation alone.
    judge_kinds    what models are asked for; ensembles: how judges of these kinds answer as one.
    question_kinds, check_kinds   of quizzes, and of checks mixed into its work.
    case_kinds     what is settled in its answers, to look up in the case book.
    judged         the table of answers that its judges give about target models.
    collecting_gate  what has to be settled about a prompt before responses to it are collected.
    formats        files that can be imported; gold: the file that its gold leaves in.
                   Its page and the raw answers stand in the menu of every area that has gold.
    dashboards     pages of results; figured_pages: other pages whose figures workers compute.
    pages          module with the addresses of its own pages, such as the lists that figures lead to; a dashboard
                   brings its own. It is named, not imported: a process that answers no browser begins without any page.
    menu, setup_steps   entries of a project's menu and steps on its front page; shown in projects of the area alone.
    jobs           what is done in the background.
    """

    name: str
    preset: ProjectPreset | None = None
    other_presets: Sequence[ProjectPreset] = ()
    project_parts: Sequence[Part] = ()
    archived: Sequence[Contents] = ()
    task_types: Sequence[TaskType] = ()
    purpose: Purpose = Purpose.GOLD
    judge_kinds: Sequence[JudgeKind] = ()
    ensembles: Sequence[PanelKind] = ()
    judged: Judged | None = None
    question_kinds: Sequence[QuestionKindBase] = ()
    check_kinds: Sequence[CheckKind] = ()
    case_kinds: Sequence[CaseKind] = ()
    collecting_gate: CollectingGate | None = None
    formats: Sequence[type[Importer]] = ()
    gold: GoldFormat | None = None
    dashboards: Sequence[Dashboard] = ()
    figured_pages: Sequence[Computed] = ()
    pages: str = ""
    menu: Sequence[Entry] = ()
    setup_steps: Sequence[Step] = ()
    jobs: Sequence[JobKind] = ()


_areas: dict[str, Area] = {}


#: Entries of the menu where an area has gold; another names its raw answers where they belong.
GOLD_MENU = (
    Entry(70, _("Gold"), "gold", "gold.export"),
    Entry(71, _("Raw answers"), "frames", "answers.read", under="gold"),
)


def areas() -> dict[str, Area]:
    """Every area that is declared, by its name, in the order of declaration."""
    return dict(_areas)


def declare(area: Area) -> None:
    """Make the parts of an area known to the rooms that use them.

    Raises ValueError where a name is taken, or a part says that it belongs to another area.
    """
    if area.name in _areas:
        raise ValueError(f"area {area.name!r} is declared twice")
    check_belongs(area)
    _areas[area.name] = area
    if area.preset is not None:
        presets.register(area.preset)
    for preset in area.other_presets:
        presets.register(preset)
    project_file.register(*area.project_parts)
    archive.register(*area.archived)
    for task_type in area.task_types:
        task_type.area = area.name
        task_types.register(task_type)
    for judge_kind in area.judge_kinds:
        judge_kind.area = area.name
        judge_kind.purpose = area.purpose
        judge_kinds.register(judge_kind)
    for ensemble in area.ensembles:
        ensembles.register(ensemble)
    if area.judged is not None:
        own_laboratories.register(area.judged)
    question_kinds.register(*area.question_kinds)
    for check_kind in area.check_kinds:
        check_kinds.register(check_kind)
    for case_kind in area.case_kinds:
        case_kind.area = area.name
    case_kinds.register(*area.case_kinds)
    if area.collecting_gate is not None:
        collecting_gates.register(area.collecting_gate)
    for importer in area.formats:
        if formats.importers().get(importer.kind) is not importer:
            formats.register(importer)
            importer.area = area.name
        else:
            importer.area = ""  # what was stored says of which area it is
    if area.gold is not None:
        gold_formats.register(area.gold)
    for dashboard in area.dashboards:
        dashboards.register(dashboard)
        warming.register(dashboard, partial(keep_cards, dashboard=dashboard))
        if dashboard.alphas is not None:
            warming.register(Verification(dashboard).page)
    for page in area.figured_pages:
        warming.register(page)
    of_gold = GOLD_MENU if area.gold is not None else ()
    navigation.register(*(replace(entry, area=area.name) for entry in (*area.menu, *of_gold)))
    steps.register(*(replace(step, area=area.name) for step in area.setup_steps))
    job_kinds.register(*area.jobs)


def check_belongs(area: Area) -> None:
    """Raises ValueError for a part that says it belongs to another area."""
    named: list[tuple[Any, str]] = [(area.preset, area.preset.slug)] if area.preset is not None else []
    named += [(preset, preset.area_name) for preset in area.other_presets]
    named += [(part, part.area) for part in (area.gold, *area.dashboards) if part is not None]
    named += [(gate, gate.area) for gate in (area.collecting_gate,) if gate is not None]
    for part, name in named:
        if name != area.name:
            raise ValueError(f"a {type(part).__name__} of {name!r} is declared by the area {area.name!r}")


def parts_of(area: Area) -> dict[str, Any]:
    """What the area has of all that an area can have."""
    return {each.name: getattr(area, each.name) for each in fields(area) if getattr(area, each.name)}
