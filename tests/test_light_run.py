"""The run on PostgreSQL leaves out what the run on SQLite asks beside it, and nothing that is the database's own."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import MANY_TESTS, between, is_the_databases_own

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


def test_of_many_tests_every_second_and_the_last_are_left(request):
    named = [f"test {number}" for number in range(MANY_TESTS + 2)]
    assert between(named, MANY_TESTS, 2) == ["test 1", "test 3", "test 5"]
    assert between(named[:MANY_TESTS], MANY_TESTS, 2) == []
    assert not is_the_databases_own(request.node)
    request.node.add_marker(pytest.mark.django_db(transaction=True), append=False)
    assert is_the_databases_own(request.node)
