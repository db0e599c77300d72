"""What of a response may draw a judge, whatever it is worth: its length, its markup, and whose model wrote it."""

from collections.abc import Iterable

import numpy as np
from django.core.cache import cache

from agreement.length_control import marks_of_format
from projects.among import Among
from projects.chunks import in_chunks
from projects.laboratories import laboratories_of
from projects.models import Project, Rater, RaterKind, Response, TargetModel
from projects.own_laboratories import own_of_panels
from reports.dashboard.cache import SECONDS_KEPT, key_of
from reports.dashboard.columns import Flags, Floats, Integers

#: As a recipe names it.
MARKUP = "headings, list items and bold passages of Markdown for every thousand characters, or for a shorter response"


def doublings(length: Integers) -> Floats:
    """Lengths in characters as log2(1 + length): one more is twice as long."""
    return np.log2(1.0 + np.asarray(length, dtype=float))


def markup_of(project: int, responses: Integers) -> Floats:
    """Marks of markup of each of these responses (ids), shape (N,). A text never changes, so it is counted once."""
    wanted, at = np.unique(responses, return_inverse=True)
    key = key_of("markup", project)
    ids, marks = cache.get(key) or (np.zeros(0, dtype=np.int64), np.zeros(0))
    missing = np.setdiff1d(wanted, ids)
    if len(missing):
        counted: dict[int, float] = {}
        texts = Response.objects.filter(project=project, pk__in=Among(missing.tolist())).order_by()
        for pk, text in texts.values_list("pk", "text").iterator():  # of a large project they are not held together
            counted[pk] = sum(marks_of_format(text))
        ids = np.concatenate((ids, np.fromiter(counted, dtype=np.int64, count=len(counted))))
        marks = np.concatenate((marks, np.array(list(counted.values()), dtype=np.float64)))
        order = np.argsort(ids)
        ids, marks = ids[order], marks[order]
        cache.set(key, (ids, marks), SECONDS_KEPT)
    return marks[np.searchsorted(ids, wanted)][at] if len(wanted) else np.zeros(0)


class Laboratories:
    """Whose models judges and target models are, as the project has it."""

    def __init__(self, project: int, models: Iterable[int]):
        judges = Rater.objects.filter(project=project, kind=RaterKind.JUDGE)
        self.of_judge = dict(judges.values_list("pk", "laboratory_id"))
        self.of_panels = own_of_panels(project) if None in self.of_judge.values() else {}
        self.of_model: dict[int, int] = {}
        for chunk in in_chunks(list(models)):
            self.of_model |= dict(TargetModel.objects.filter(pk__in=chunk).values_list("pk", "laboratory_id"))
        self.of_model |= laboratories_of(Project(pk=project))

    def is_own(self, judge: int, models: Integers) -> Flags:
        """Which of these models (ids) are of the judge's laboratory; of a judge of no known laboratory none, of
        several judges as one those of a member's."""
        own = self.of_judge.get(judge)
        of_it = [model for model, laboratory in self.of_model.items() if laboratory == own]
        of_it += self.of_panels.get(judge, ())
        return np.isin(models, np.array(of_it, dtype=np.int64))
