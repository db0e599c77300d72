"""What the judges of the generated rubrics project say: each errs by scope, by target and in sign as published."""

from random import Random

import numpy as np

from demo.studies.leniency import GeneratedJudge, Reference, slipped
from demo.studies.perle import DEFAULT_SEED, Study
from demo.studies.perle_counts import JUDGES, SCOPES, TARGET_MAD, TARGETS


def judge_verdicts(study: Study, judge: GeneratedJudge, seed: int = DEFAULT_SEED) -> dict[str, dict[str, str] | None]:
    """What a judge says of every response outside its own laboratory; None where it declines."""
    rng = Random(f"{seed}:{judge.model}")
    items = _asked(study, judge)
    refusable = [item for item in items if study.cells[item][1] == judge.declines]
    declined = set(rng.sample(refusable, judge.declined))
    wanted = _errors_by_cell(study)
    cells: dict[tuple[str, str], dict[str, Reference]] = {}
    for item in items:
        if item not in declined:
            cells.setdefault(study.cells[item], {})[item] = study.references[item]
    mads = [wanted[judge.model, *cell] for cell in cells]
    verdicts = slipped(rng, list(cells.values()), mads, judge.signed_error)
    return {item: verdicts.get(item) for item in items}


def _asked(study: Study, judge: GeneratedJudge) -> list[str]:
    return [item for item, laboratory in study.targets.items() if laboratory != judge.laboratory]


def _errors_by_cell(study: Study) -> dict[tuple[str, str, str], float]:
    """The mean absolute error of each judge in each scope on each target, in percentage points.

    Published are its means by judge and scope and those by target. The cells start as products of both and are scaled
    to the one and the other in turn (iterative proportional fitting; Deming and Stephan, 1940).
    """
    names = [target for target, _laboratory, _unanswered in TARGETS]
    count = np.zeros((len(JUDGES), len(SCOPES), len(names)))
    for number, judge in enumerate(JUDGES):
        for item in _asked(study, judge):
            scope, target = study.cells[item]
            count[number, SCOPES.index(scope), names.index(target)] += 1
    by_scope = np.array([[judge.mad[scope] for scope in SCOPES] for judge in JUDGES])
    by_target = np.array([TARGET_MAD[name] for name in names])
    cell = by_scope[:, :, None] * by_target
    for _step in range(50):
        cell *= by_target * count.sum(axis=(0, 1)) / (cell * count).sum(axis=(0, 1))
        cell *= (by_scope * count.sum(axis=2) / (cell * count).sum(axis=2))[:, :, None]
    return {
        (judge.model, scope, target): float(cell[number, place, at])
        for number, judge in enumerate(JUDGES)
        for place, scope in enumerate(SCOPES)
        for at, target in enumerate(names)
    }
