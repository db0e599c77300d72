"""Two runs divide what is no database's own: nothing is left out of both, and what is a database's own of none."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import two_runs

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def tried():
    """Examples of the property below; it and the test of their number are one group, in this order."""
    return []


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(number=st.integers())
def test_a_property_is_tried(tried, number):
    tried.append(number)


def test_all_examples_are_tried_in_one_of_the_runs(tried):
    if not tried:
        pytest.skip("the property was not chosen")
    light = os.environ.get("MIZAN_LIGHT") == "1"
    assert len(tried) <= 20 if light else len(tried) >= 100


@pytest.fixture(scope="module")
def cases():
    """Of the test with many cases and the one marked `every_case`."""
    return {"wrong files": [], "triggers": []}


@pytest.mark.parametrize("number", range(10))
def test_a_file_is_wrong_in_many_ways(cases, number):
    cases["wrong files"].append(number)


@pytest.mark.every_case
@pytest.mark.parametrize("number", range(10))
def test_each_case_is_the_databases_own(cases, number):
    cases["triggers"].append(number)


def test_all_cases_are_tried_in_one_of_the_runs(cases):
    if not all(cases.values()):
        pytest.skip("they were not chosen")
    light = os.environ.get("MIZAN_LIGHT") == "1"
    assert cases["wrong files"] == [0, 4, 8, 9] if light else cases["wrong files"] == [*range(10)]
    assert cases["triggers"] == [*range(10)]


class Chosen:
    """As much of one of pytest's items as decides where it runs."""

    def __init__(self, name: str, *marks: str, file: str = "tests/projects/test_feasts.py") -> None:
        self.nodeid, self.marks, self.fixturenames = f"{file}::{name}", marks, ["db"]

    def get_closest_marker(self, name: str) -> object:
        return name if name in self.marks else None


def named(left: list) -> list[str]:
    return [item.nodeid.partition("::")[2] for item in left]


def test_of_many_tests_each_is_put_to_one_database_and_the_first_and_last_to_both():
    tests = [Chosen(f"test_{number}") for number in range(8)]
    assert named(two_runs.left_to_sqlite(tests)) == ["test_1", "test_3", "test_5"]
    assert named(two_runs.left_to_postgresql(tests)) == ["test_2", "test_4", "test_6"]
    few = tests[: two_runs.MANY_TESTS]
    assert two_runs.left_to_sqlite(few) == two_runs.left_to_postgresql(few) == []


def test_nothing_is_left_out_on_both_and_the_databases_own_on_none():
    tests = [Chosen(f"test_{number}[{case}]") for number in range(12) for case in range(number + 1)]
    tests += [Chosen("test_long", "once"), Chosen("test_claims", "every_case"), Chosen("test_seen", "browser")]
    tests += [Chosen(f"test_{number}", file="tests/workflow/test_claims.py") for number in range(9)]
    on_sqlite, on_postgresql = two_runs.left_to_sqlite(tests), two_runs.left_to_postgresql(tests)
    assert on_sqlite
    assert on_postgresql
    assert not set(on_sqlite) & set(on_postgresql)
    both = {*named(on_sqlite), *named(on_postgresql)}
    assert "test_long" in both
    assert not both & {"test_claims", "test_seen"}
    assert not [item for item in (*on_sqlite, *on_postgresql) if "test_claims.py" in item.nodeid]
