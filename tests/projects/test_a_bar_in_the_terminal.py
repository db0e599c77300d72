"""How far a command is: redrawn where somebody looks, a line for every tenth where nobody does."""

import io

import pytest
from django.core.management import CommandError

from projects import terminal
from projects.terminal import ProgressBar, in_megabytes, interrupted_with


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_elsewhere_a_line_for_every_tenth():
    log = io.StringIO()
    with ProgressBar(log) as bar:
        for done in range(0, 1001, 7):
            bar.show(done, 1000, f"{done} rows")
        bar.show(1000, 1000, "1000 rows")
    lines = log.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[0] == "10 %, 105 rows"
    assert lines[-1] == "100 %, 1000 rows"


def test_on_a_terminal_it_is_one_line_redrawn(monkeypatch):
    monkeypatch.setattr(terminal, "DRAW_SECONDS", 600)
    screen = Terminal()
    with ProgressBar(screen) as bar:
        bar.drawn_at = -600.0
        bar.show(0, 40)
        bar.drawn_at = -600.0
        bar.show(10, 40, "asking")
        bar.show(11, 40, "too soon to be drawn again")
        bar.show(40, 40)
    drawn = screen.getvalue()
    assert drawn.count("\r") == 3
    assert drawn.count("\n") == 1
    assert "too soon" not in drawn
    assert "10 / 40" in drawn
    assert len({len(line) for line in drawn.rstrip("\n").split("\r")[2:]}) == 1, "no rest of a longer line stands"


@pytest.mark.parametrize(
    ("done", "total", "seconds", "line"),
    [
        (60, 240, 30, "███████▌"[:7] + "█" + "░" * 22 + "  60 / 240  2 a second  1:30 left"),
        (240, 240, 30, "█" * 30 + "  240 / 240  8 a second"),
        (5, None, 10, "5  0.5 a second"),
        (0, 240, 0, "░" * 30 + "  0 / 240"),
        (1, 40_000, 1, "░" * 30 + "  1 / 40,000  1 a second  11:06:39 left"),
    ],
)
def test_what_a_line_says(done, total, seconds, line):
    assert ProgressBar(io.StringIO()).line(done, total, seconds) == line


def test_what_was_done_before_says_nothing_of_the_pace():
    bar = ProgressBar(io.StringIO())
    bar.show(200, 400)
    assert bar.line(210, 400, 10).endswith("210 / 400  1 a second  3:10 left")


def test_bytes_are_said_in_megabytes():
    line = ProgressBar(io.StringIO(), in_megabytes).line(5_000_000, 20_000_000, 2)
    assert line.endswith("5.0 MB / 20.0 MB  2.5 MB a second  0:06 left")


def test_ctrl_c_says_what_was_kept():
    with (
        pytest.raises(CommandError, match="What was answered is stored") as ended,
        interrupted_with(lambda: "What was answered is stored."),
    ):
        raise KeyboardInterrupt
    assert ended.value.returncode == 130
