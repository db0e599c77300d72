"""The tables of docs/frames.md, made from the columns as they are declared; a test holds them against the file.

`python -m reports.frames.documentation` writes them anew.
"""

from pathlib import Path

from django.utils import translation

from reports.frames.frame import Frame
from reports.frames.registry import FRAMES

DOCUMENT = Path(__file__).parents[2] / "docs" / "frames.md"
BEGINS = "## The frames, column by column\n"


def section(frame: Frame) -> str:
    with translation.override("en"):
        about = str(frame.about)
    rows = [f"| `{column.name}` | {column.dtype} | {column.holds} |" for column in frame.columns]
    return "\n".join([f"### {frame.name}", "", about, "", "| column | dtype | holds |", "|---|---|---|", *rows, ""])


def sections() -> str:
    return "\n".join([BEGINS, *(section(frame) for frame in FRAMES.values())])


def write() -> None:
    written, _begins, _tables = DOCUMENT.read_text(encoding="utf-8").partition(BEGINS)
    DOCUMENT.write_text(written + sections(), encoding="utf-8")


if __name__ == "__main__":
    write()
