"""What a table says in a sentence names no figure without a value: every figure is made undefined one by one."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
import pytest

from agreement.figures import Figure
from annotation.models import Classification
from projects.models import Rater
from reports.dashboard.dashboards import Dashboard
from reports.ratings.dashboard import RATERS, RATINGS
from reports.rubrics.dashboard import RUBRICS
from reports.spans.dashboard import SPANS
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response
from tests.preset_parts import set_points
from tests.reports.perle import study

pytestmark = pytest.mark.django_db

Path = tuple[Any, ...]


def inside(value: Any) -> Iterator[tuple[Any, Any]]:
    """What it is made of, each with its place."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list | tuple):
        yield from enumerate(value)
    elif is_dataclass(value):
        yield from ((field.name, getattr(value, field.name)) for field in fields(value))


def figures_in(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where in it a figure with a value stands; a count always has one."""
    if isinstance(value, Figure):
        is_count = value.value is not None and value.low is None and float(value.value).is_integer()
        if value.value is not None and not is_count:
            yield path
        return
    for place, one in inside(value):
        yield from figures_in(one, (*path, place))


def without(value: Any, path: Path) -> Any:
    """A copy in which the figure in this place has no value."""
    if not path:
        return Figure.without_value("no items", value.n, **value.detail)
    place, *rest = path
    if isinstance(value, dict):
        return {**value, place: without(value[place], tuple(rest))}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{place: without(getattr(value, place), tuple(rest))})
    changed = [without(each, tuple(rest)) if at == place else each for at, each in enumerate(value)]
    if isinstance(value, list):
        return changed
    return type(value)(*changed) if hasattr(value, "_fields") else tuple(changed)


def check(dashboard: Dashboard, project: Any) -> int:
    """How many figures were made undefined, in all varieties and in each. Also where none of a group has a value."""
    figures = dashboard.figures(project, {})
    n = 0
    for group, results in figures._results(figures._look()):
        pools = results.figures[group.name]
        places = list(figures_in(pools))
        bare = reduce(without, places, pools)
        for path, made in [*((path, without(pools, path)) for path in places), ("all", bare)]:
            for table in group.measures.tables(replace(results, figures={**results.figures, group.name: made})):
                assert table.summary, (table.id, path)
                assert "undefined" not in table.summary, (table.id, path)
        n += len(places)
    return n


def test_of_error_spans(project, answered):
    set_points(project, {"high": 5, "medium": 2, "low": 1})
    for name in ("nightly", "every night"):
        rater = Rater.objects.create(project=project, kind="human", name=f"Coder of {name}")
        Classification.objects.create(
            span=answered[name], rater=rater, category=project.error_categories.order_by("pk")[0]
        )
    assert check(SPANS, project) > 50


@pytest.mark.parametrize(("dashboard", "least"), [(RATINGS, 50), (RATERS, 4)], ids=["results", "raters"])
def test_of_ratings(project, dashboard, least):
    make_ratings_project(project)
    question = question_type(project)
    people = [Rater.objects.create(project=project, kind="human", name=f"Person {n}") for n in range(2)]
    judges = [Rater.objects.create(project=project, kind="judge", name=name) for name in ("Nala", "Simba")]
    generator = np.random.default_rng(3)
    for number in range(12):
        pair = pair_of(project, f"p{number}", question=question)
        alone = add_response(project, f"r{number}", "Alone", "ar-EG")
        for rater in (*people, *judges):
            first, second, single = generator.integers(1, 6, 3)
            rate(pair, rater, question, int(first), int(second))
            rate(alone, rater, question, int(single))
    assert check(dashboard, project) > least


def test_of_rubrics(db):
    assert check(RUBRICS, study(prompts=3).project) > 50
