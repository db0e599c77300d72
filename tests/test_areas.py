"""An area is declared in one place; what it consists of is listed here, so that a fourth one forgets nothing."""

import ast
from pathlib import Path

import pytest

from annotation.importing.parts import Part
from annotation.overlap_jobs import ProposeOverlaps
from formats.importing.registry import Importer
from formats.project_file.part import Part as ProjectPart
from jobs.kinds import JobKind
from jobs.listing import Source
from judging.engine.run_kinds import RunKind
from judging.ensembles import PanelKind
from judging.kinds import JudgeKind
from reports.areas import Area, areas, declare, parts_of
from screening.checks.kinds import CheckKind
from screening.quiz.kinds import QuestionKindBase
from tests.test_imports import ORDER
from workflow.task_types import TaskType, task_types

ROOT = Path(__file__).parent.parent
#: What every area has; beside it an area may have quizzes' and checks' kinds, figured pages and jobs of its own.
AN_AREA = {
    "name",
    "preset",
    "project_parts",
    "task_types",
    "judge_kinds",
    "ensembles",
    "formats",
    "gold",
    "dashboards",
    "pages",
} | {
    "menu",
    "setup_steps",
}
#: Rooms plug into each other by these; everything else that registers is an area's.
WIRING = {
    "jobs/apps.py": "its list of jobs, and the health of workers",
    "benchmark/apps.py": "which questions are held back, for rooms below that mark them",
    "judging/apps.py": "runs as jobs, and who asks for the difficulty check",
    "screening/apps.py": "who is handed work",
    "workflow/apps.py": "items that carry the notes of their prompts",
    "judging/views/difficulty.py": "a connection that is polled",
    "demo/apps.py": "its job: the room stands above all areas",
    "reports/areas.py": "what areas declare",
}


def studies() -> dict[str, Area]:
    return {name: area for name, area in areas().items() if name}


@pytest.mark.parametrize("name", ["spans", "rubrics", "ratings"])
def test_an_area_consists_of(name):
    assert set(parts_of(studies()[name])) >= AN_AREA


def test_a_leaderboard_has_question_sets():
    assert set(parts_of(studies()["leaderboard"])) >= {
        *("name", "preset", "formats", "dashboards", "pages", "menu", "setup_steps"),
    }


def test_the_areas_are_these():
    assert list(areas()) == ["", "spans", "rubrics", "ratings", "questionnaires", "leaderboard"]


def test_every_kind_of_work_is_declared_by_one_area():
    def below(task_type: type[TaskType]) -> set[type[TaskType]]:
        return {task_type} | {each for derived in task_type.__subclasses__() for each in below(derived)}

    shipped = {
        each.kind for each in below(TaskType) if hasattr(each, "kind") and not each.__module__.startswith("tests")
    }
    declared = [task_type.kind for area in studies().values() for task_type in area.task_types]
    assert sorted(declared) == sorted(shipped) == sorted(task_types())


def test_what_belongs_to_an_area_knows_it():
    for name, area in studies().items():
        parts = (*area.task_types, *area.judge_kinds, *area.dashboards)
        assert {part.area for part in parts} == ({name} if parts else set())


def test_an_area_is_declared_once():
    with pytest.raises(ValueError, match="declared twice"):
        declare(Area(name="spans"))


def test_a_part_that_says_it_is_of_another_area_is_refused():
    with pytest.raises(ValueError, match="declared by the area 'no such'"):
        declare(Area(name="no such", dashboards=studies()["spans"].dashboards, jobs=(ProposeOverlaps(),)))
    assert "no such" not in areas()


def registers(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "") for func in called}
    return bool(names & {"register", "register_eligibility_check", "register_check_source", "register_asker"})


def test_nothing_else_registers_anything():
    rooms = [room for line in ORDER for room in line if (ROOT / room).exists() and room != "config"]
    registering = {
        str(path.relative_to(ROOT))
        for room in rooms
        for path in (ROOT / room).rglob("*.py")
        if "templatetags" not in path.parts and registers(path)
    }
    assert registering <= set(WIRING), registering - set(WIRING)


def compared_with(path: Path, names: set[str]) -> list[tuple[str, int]]:
    """Comparisons of something called kind with one of these names, and the lines they stand in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    compared = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            is_kind = any(getattr(side, "attr", getattr(side, "id", "")) == "kind" for side in sides)
            values = {str(each.value) for side in sides for each in ast.walk(side) if isinstance(each, ast.Constant)}
            compared += [(value, node.lineno) for value in values & names if is_kind]
    return compared


def test_nobody_but_a_judge_kind_asks_which_kind_a_judge_is():
    names = {kind.kind for area in studies().values() for kind in area.judge_kinds}
    asking = {
        str(path.relative_to(ROOT)): compared
        for room in ("providers", "judging", "screening", "reports", "demo")
        for path in (ROOT / room).rglob("*.py")
        if "migrations" not in path.parts and not path.is_relative_to(ROOT / "judging" / "kinds")
        if (compared := compared_with(path, names))
    }
    assert asking == {}


@pytest.mark.parametrize(
    "base",
    [
        TaskType,
        JobKind,
        Source,
        Importer,
        Part,
        ProjectPart,
        JudgeKind,
        RunKind,
        PanelKind,
        CheckKind,
        QuestionKindBase,
    ],
    ids=lambda base: base.__name__,
)
def test_a_kind_that_lacks_a_part_cannot_be_made(base):
    """It is refused when the program starts, not when somebody first needs that part."""
    lacking = type("Lacking", (base,), {"kind": "lacking"})
    with pytest.raises(TypeError, match="abstract"):
        lacking()


def test_a_comparison_of_kinds_is_seen(tmp_path):
    (tmp_path / "asking.py").write_text('if judge.kind == "spans" or kind in ("rubric", "other"):\n    pass\n')
    assert sorted(compared_with(tmp_path / "asking.py", {"spans", "rubric"})) == [("rubric", 1), ("spans", 1)]
