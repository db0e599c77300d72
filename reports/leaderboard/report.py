"""One configuration as a file that stands alone: it is read and searched without a server, and holds no held-back text.

The script and the styles stand in the file; they are of the file and of no page that is served.
"""

from django.template.loader import render_to_string

from projects.models import Project
from reports.leaderboard.configuration import by_skill, outputs
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import Sheet, standings

AT_ONCE = 400


def report_of(project: Project, sheet: Sheet, slug: str) -> str:
    """The whole file. Raises ValueError for a configuration that is not on the board."""
    column = sheet.column(slug)
    board = standings(project, BoardScope())
    if column is None or board is None:
        raise ValueError(f"{slug!r} is not on the board")
    rows = list(range(len(sheet.questions)))
    shown = [
        output
        for first in range(0, len(rows), AT_ONCE)
        for output in outputs(sheet, column, rows[first : first + AT_ONCE], sees_held_back=False)
    ]
    skills, n_others = by_skill(sheet, column)
    context = {
        "project": project,
        "sheet": sheet,
        "line": next(line for line in (*board.lines, *board.baselines) if line.entry.slug == slug),
        "n_ranked": sum(1 for line in board.lines if line.rank),
        "skills": skills,
        "n_others": n_others,
        "outputs": shown,
    }
    return render_to_string("reports/leaderboard/report.html", context)
