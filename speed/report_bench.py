"""A model's report as one HTML file: 470 questions, answers of up to 4,000 characters of Arabic.

How long it takes to write, how large it is, and how long Chromium takes to open it from the disk, up to the second
frame after it is loaded and can be searched; and one search in it. Prints; never passes or fails.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from speed.results import report
from speed.servers import ROOT, installation

REPEATS = 3
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="mizan-bench-") as folder, installation(sqlite=True) as mizan:
        file = Path(folder) / "report.html"
        program = f"from speed.report_bench import write; write({str(file)!r})"
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=mizan.environment, check=True)
        open_in_browser(file)


def write(file: str) -> None:
    """In the installation's own process."""
    import django

    django.setup()
    from projects.models import Project
    from reports.leaderboard.report import report_of
    from reports.leaderboard.standings import sheet_of
    from tests.leaderboard.long_answers import LONGEST, QUESTIONS, long_board

    project = Project.objects.create(slug="long", name="Long", preset="leaderboard", areas=["leaderboard"])
    row = long_board(project)
    sheet = sheet_of(project)
    assert sheet is not None
    began = time.perf_counter()
    written = report_of(project, sheet, row.slug).encode()
    seconds = time.perf_counter() - began
    Path(file).write_bytes(written)
    of_size = f"{QUESTIONS} questions, answers of up to {LONGEST:,} characters"
    report(f"report of {of_size}, written", f"{seconds * 1000:.0f} ms")
    report(f"report of {of_size}, size", f"{len(written) / 1e6:.1f} MB", bar="at most 10 MB")


def open_in_browser(file: Path) -> None:
    from playwright.sync_api import sync_playwright

    from tests.servers import chromium_program

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program())
        opened, searched = [], []
        for _repeat in range(REPEATS):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            opened.append(seconds_of(lambda page=page: (page.goto(file.as_uri()), page.evaluate(FRAMES))))  # type: ignore[misc]
            searching = lambda page=page: (page.fill("#search", "النهر الجواب"), page.evaluate(FRAMES))  # noqa: E731
            searched.append(seconds_of(searching))
            page.close()
        browser.close()
    report("report opened in Chromium", f"{min(opened) * 1000:.0f} ms", bar="at most 2 s")
    report("report searched for two words", f"{min(searched) * 1000:.0f} ms")


def seconds_of(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
