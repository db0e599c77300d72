"""What graders are asked: given the errors of the first grading, as judges are, or to record errors of their own.

The two are different tasks, and people are nearer to the first grading on one than on the other. So there are two human
ceilings, each compared with the first grading exactly as a judge is, and a judge is drawn beside that of its own task.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.deviation import deviation
from agreement.figures import Figure
from agreement.judges import error_columns, mad, signed_error
from projects.enumeration import in_parts
from reports.dashboard.columns import Flags, Floats, Integers, Rows, joined
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.intervals import Block, with_intervals
from reports.dashboard.tables import NO_HEADLINE, Table
from reports.dashboard.wording import count_text, figure_text, labelled_figure
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GIVEN, OWN = "errors given", "own errors"
TASKS = {
    GIVEN: gettext_lazy("Second gradings, given the recorded errors"),
    OWN: gettext_lazy("Calibration, recording errors of their own"),
}


@dataclass(frozen=True, eq=False)
class SecondScores(Rows):
    """Scores that people gave where another had graded first: prompt, whether they were given the recorded errors,
    error against the first grading in percentage points, response by index; shape (G,)."""

    prompt: Integers
    is_given: Flags
    error: Floats
    response: Integers

    def of(self, loaded: Loaded, in_variety: Flags) -> "SecondScores":
        return self.taken(in_variety[self.response])


def people_again(loaded: Loaded) -> SecondScores:
    """Of each person and response the latest grade that is not the first grading."""
    grades = loaded.grades
    again = np.flatnonzero(grades.by_human & grades.is_latest & ~grades.is_reference)
    again = again[loaded.reference[grades.response[again]] >= 0]
    response = grades.response[again]
    error = grades.percent[again] - loaded.human[response]
    return SecondScores(loaded.responses.prompt[response], grades.is_given[again], error, response)


def own_errors_of(loaded: Loaded) -> frozenset[int]:
    """Ids of the judges that record errors of their own: none of their grades was given those of the first grading."""
    of_judges = ~loaded.grades.by_human
    given = of_judges & loaded.grades.is_given
    return frozenset(loaded.grades.rater[of_judges].tolist()) - frozenset(loaded.grades.rater[given].tolist())


def figures_by_task(parts: Sequence[SecondScores]) -> dict[str, tuple[Figure, Figure]]:
    """MAD and signed error of people against the first grading by task, with intervals over prompts."""
    if not sum(len(part) for part in parts):
        return {}
    given, error, prompt = (joined(parts, name) for name in ("is_given", "error", "prompt"))
    blocks = []
    for chosen in (given, ~given):
        known = deviation(error[chosen], np.zeros(int(chosen.sum())))
        columns = np.where(chosen[:, None], error_columns(error), 0.0)
        blocks.append(Block([known.mad, known.signed_error], columns, [mad, signed_error]))
    drawn = with_intervals(blocks, prompt)
    return {task: (of_task[0], of_task[1]) for task, of_task in zip(TASKS, drawn, strict=True) if of_task[0].n}


# --- What tables say ----------------------------------------------------------------------------------------


def ceilings(results: Results, task: str) -> dict[str, Figure]:
    """The line of a judge's chart: people on the same task."""
    people = results.people_on(task)
    return {_("MAD"): people[0]} if people else {}


def ceiling_note(results: Results, task: str) -> str:
    """Which ceiling is drawn, and how far people are on the other task."""
    people = results.people_on(task)
    [other] = TASKS.keys() - {task}
    beside = results.people_on(other)
    if people is None:
        sentences = [
            _("There is no human ceiling of this task: nobody did it on a response that another graded first.")
        ]
    elif task == GIVEN:
        sentences = [
            _(
                "The line is the human ceiling of the same task: people who grade again, given the recorded errors as "
                "these judges are, are %(mad)s percentage points from the first grading (n = %(n)s)."
            )
            % {"mad": figure_text(people[0], "pp"), "n": count_text(people[0].n)}
        ]
    else:
        sentences = [
            _(
                "The line is the human ceiling of the same task: people who record errors of their own, as these "
                "judges do, are %(mad)s percentage points from the first grading (n = %(n)s)."
            )
            % {"mad": figure_text(people[0], "pp"), "n": count_text(people[0].n)}
        ]
    if beside is not None:
        sentences.append(
            _("The other task is not drawn. %(figure)s.") % {"figure": labelled_figure(TASKS[other], beside[0], "pp")}
        )
    return " ".join(sentences)


def ceilings_by_task(results: Results) -> Table:
    rows = [
        results.people_row((str(TASKS[task]), label), figures, drill)
        for label, drill, pool in results.pools()
        for task, figures in pool["tasks"].items()
    ]
    known = [labelled_figure(TASKS[task], found[0], "pp") for task in TASKS if (found := results.people_on(task))]
    return Table(
        id="ceilings-by-task",
        headline=NO_HEADLINE,
        title=_("People on the task of judges"),
        summary=_("Mean distance of people's second scores from the first grading. %(tasks)s.")
        % {"tasks": in_parts(known)}
        if known
        else _("There is no human ceiling: no response was graded by two people."),
        dimensions=(_("task"), _("community")),
        measures=(_("MAD"), _("signed error")),
        rows=tuple(rows),
        recipe=results.recipe(
            "deviation_from_first_grading", reference="the first grading, as for judges", answers=FIRST_ANSWERS
        ),
        unit="pp",
        note=_(
            "Each is compared with the first grading as a judge is. A judge that is given the recorded errors has the "
            "ceiling of second gradings, one that records errors of its own that of calibration."
        ),
    )
