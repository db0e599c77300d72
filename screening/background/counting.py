"""What leads see of people's answers: how many gave each, in cells of five people or more."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from agreement.cells import shown_counts
from projects.models import Project, Rater, RaterKind
from screening.background.answering import fits, questions_of
from screening.models import BackgroundAnswer, BackgroundKind, BackgroundQuestion


@dataclass(frozen=True, slots=True)
class Cell:
    """One answer; `people` is None where the count is kept back. `key` is empty for those who said nothing."""

    key: str
    label: str
    people: int | None


@dataclass(frozen=True, slots=True)
class Counted:
    question: BackgroundQuestion
    cells: list[Cell]
    is_any_kept_back: bool


def counted(project: Project) -> list[Counted]:
    """Each question with its cells, those of the people who have not answered last. Three queries.

    The people are those of the project who have an account, whom a lead knows by number.
    """
    questions = questions_of(project)
    given: dict[int, list[Any]] = {question.pk: [] for question in questions}
    rows = BackgroundAnswer.objects.filter(question__project=project).order_by()
    for question_id, value in rows.values_list("question_id", "value"):
        given[question_id].append(value)
    people = Rater.objects.filter(project=project, kind=RaterKind.HUMAN, user__isnull=False).count()
    return [_counted(question, given[question.pk], people) for question in questions]


def _counted(question: BackgroundQuestion, values: Sequence[Any], people: int) -> Counted:
    keys = keys_of(question)
    in_cells = Counter(cell_of(question, value) for value in values if fits(question, value))
    counts = [in_cells[key] for key in keys]
    counts.append(max(0, people - sum(counts)))
    named = [(key, label_of(question, key)) for key in keys] + [("", _("not said"))]
    cells = [Cell(key, label, count) for (key, label), count in zip(named, shown_counts(counts), strict=True)]
    return Counted(question, cells, any(cell.people is None for cell in cells))


def keys_of(question: BackgroundQuestion) -> list[str]:
    """What the cells are called in files: the answers, or the lowest number of each band."""
    if question.kind == BackgroundKind.CHOICE:
        return list(question.options)
    return [str(lowest) for lowest in bands_of(question)]


def bands_of(question: BackgroundQuestion) -> list[int]:
    """From 0 on, whatever the first band is."""
    return sorted({0, *question.bands})


def cell_of(question: BackgroundQuestion, value: Any) -> str:
    """The key of the cell of a value that fits."""
    if question.kind == BackgroundKind.CHOICE:
        return str(value)
    return str(max(lowest for lowest in bands_of(question) if lowest <= value))


def label_of(question: BackgroundQuestion, key: str) -> str:
    """The answer, or the numbers of a band."""
    if question.kind == BackgroundKind.CHOICE:
        return key
    bands = bands_of(question)
    place = bands.index(int(key))
    if place + 1 == len(bands):
        return _("%(lowest)d or more") % {"lowest": int(key)}
    highest = bands[place + 1] - 1
    return key if highest == int(key) else f"{key}–{highest}"


def rows_of(counted_questions: Sequence[Counted]) -> list[dict[str, Any]]:
    """A row per cell, as files and programs read it: `people` is None and `kept_back` true where it is not shown."""
    return [
        {
            "question": each.question.slug,
            "text": each.question.text,
            "answer": cell.key,
            "people": cell.people,
            "kept_back": cell.people is None,
        }
        for each in counted_questions
        for cell in each.cells
    ]
