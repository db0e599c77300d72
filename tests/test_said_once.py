"""What two areas share stands in neither, and no file grows beyond what can be read at a sitting."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: Folders of each area. Nothing of one may stand in another as well.
AREAS = {
    "spans": (
        "annotation/spans",
        "annotation/reviews",
        "judging/kinds/categories",
        "judging/kinds/groups",
        "judging/kinds/spans",
        "reports/spans",
        "static/src/refine",
        "static/src/reviews",
        "static/src/spans",
        "templates/annotation/reviews",
        "templates/annotation/spans",
        "templates/reports/spans",
        "templates/reports/spans",
    ),
    "ratings": (
        "annotation/pairs",
        "judging/kinds/pairwise",
        "judging/kinds/pointwise",
        "reports/ratings",
        "static/src/ratings",
        "templates/annotation/pairs",
        "templates/reports/ratings",
    ),
    "rubrics": (
        "judging/kinds/rubric",
        "reports/rubrics",
        "rubrics",
        "static/src/authoring",
        "static/src/scoring",
        "templates/reports/rubrics",
        "templates/rubrics",
    ),
}
SOURCES = (".py", ".html", ".js", ".css")
SAME_LINES = 12
MAX_LINES = 400
# Alike in every file of its kind and said nowhere better: imports, brackets, comments, ends of blocks.
THIN = re.compile(r"^(?:import |from |#|//|\{% (?:load|end|extends|block|else)|</|[\])}{(;,\[]*$|@|\"\"\")")


def tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [ROOT / name for name in names.split("\0") if name.endswith(SOURCES) and (ROOT / name).exists()]


def in_folder(path: Path, folders: tuple[str, ...]) -> bool:
    name = path.relative_to(ROOT).as_posix()
    return any(name.startswith(f"{folder}/") for folder in folders) and "/migrations/" not in name


def windows(path: Path) -> Iterator[tuple[int, str]]:
    """Number of the first line, and the text, of each run of SAME_LINES lines that say something."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if line.strip() and not THIN.match(line.strip())
    ]
    for first in range(len(lines) - SAME_LINES + 1):
        run = lines[first : first + SAME_LINES]
        yield run[0][0], "\n".join(line for _number, line in run)


@pytest.fixture(scope="module")
def sources() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("no repository here, so nobody knows which files are the project's")
    return tracked()


def test_no_twelve_lines_stand_in_two_areas(sources):
    places: dict[str, dict[str, str]] = defaultdict(dict)
    for area, folders in AREAS.items():
        for path in sources:
            if in_folder(path, folders):
                for number, text in windows(path):
                    places[text].setdefault(area, f"{path.relative_to(ROOT)}:{number}")
    assert any(places), "the areas hold nothing"
    assert [sorted(areas.values()) for areas in places.values() if len(areas) > 1] == []


def test_every_folder_of_an_area_holds_something(sources):
    """Else a folder that was renamed would no longer be looked at."""
    for folders in AREAS.values():
        for folder in folders:
            assert any(in_folder(path, (folder,)) for path in sources), folder


def test_no_file_is_longer_than_400_lines(sources):
    """Tests are long lists of stories; what migrations say is written once and never read again."""
    rooms = [path for path in sources if not re.match(r"tests/|.*/migrations/", path.relative_to(ROOT).as_posix())]
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in rooms}
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}
