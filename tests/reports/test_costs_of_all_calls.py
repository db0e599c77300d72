"""Nour sees what every call of the project has cost, whatever it was made for."""

import csv
import io
from importlib import import_module

import pytest
from django.apps import apps
from django.core.cache import cache
from django.utils import timezone

from benchmark.models import Configuration, Probe, ProbeKind, ProbeResult, QuestionSet, SpeedSpending
from judging.collecting.endpoints import add_endpoint
from judging.engine.runs import create_run, shards_of
from judging.judges import add_judge
from judging.models import Call, CollectionCall, Run, RunState
from projects.models import Project, Prompt, Response
from providers.models import Provider
from reports.costs.page import read
from reports.dashboard.tables import Row
from tests.benchmark.boards import configuration, frozen_set
from tests.benchmark.sets import open_line
from tests.people import add_response, signed_in
from tests.statements import statements

pytestmark = pytest.mark.django_db
NANO = 1_000_000_000
MEASURES = (
    "calls sent",
    "earlier replies used",
    "tokens",
    "cost in US dollars",
    "calls without a known price",
    "calls whose cost is an upper bound",
)


@pytest.fixture
def provider(db) -> Provider:
    return Provider.objects.create(name="gateway", base_url="https://example.org/v1")


@pytest.fixture
def judged(project: Project, provider: Provider):
    """Two calls with a price, of which one is a bound, and one that has none: 0.03 dollars and 260 tokens."""
    for number, tag in enumerate(("ar-EG", "ar-EG", "bn-BD")):
        add_response(project, f"r{number}", f"Text {number}.", tag)
    judge = add_judge(project, provider, "gpt-4o", name="Dear", granularity="response")
    create_run(judge, Response.objects.filter(project=project))
    told = [(100, 10, NANO // 100, False), (100, 20, NANO // 50, True), (20, 10, None, None)]
    for call, (read_, written, cost, is_bound) in zip(judge.calls.order_by("pk"), told, strict=True):
        Call.objects.filter(pk=call.pk).update(
            state="scored",
            attempts=1,
            prompt_tokens=read_,
            completion_tokens=written,
            cost=cost,
            cost_is_bound=is_bound,
            ended_at=timezone.now(),
        )
    return judge


@pytest.fixture
def version(project: Project) -> QuestionSet:
    """Five questions, of which the third is in Bengali."""
    languages = ["ar-EG", "ar-EG", "bn-BD", "ar-EG", "ar-EG"]
    return frozen_set(project, *(open_line(f"q{n}", language=tag) for n, tag in enumerate(languages)))


@pytest.fixture
def collected(project: Project, provider: Provider, version: QuestionSet) -> dict[str, CollectionCall]:
    """0.5 dollars and 1,500 tokens for two calls that were sent; a third took its reply over, a fourth is planned, and
    a fifth was pasted by a person."""
    endpoint = add_endpoint(project, provider, "gemini-2.5-pro", name="Target")
    run = Run.objects.create(project=project, endpoint=endpoint, state=RunState.RUNNING)
    [shard] = shards_of(run, [[1]])
    prompts = [question.prompt for question in version.questions.order_by("position")]

    def call(prompt: Prompt, state: str, **values) -> CollectionCall:
        of_run = {"run": run, "shard": shard} | values
        return CollectionCall.objects.create(endpoint=endpoint, prompt=prompt, state=state, **of_run)

    first = call(prompts[0], "refused", attempts=1, prompt_tokens=1000, completion_tokens=200, cost=4 * NANO // 10)
    return {
        "first": first,
        # It failed and is to be asked again: what it has cost it has cost.
        "again": call(
            prompts[1],
            "planned",
            attempts=2,
            prompt_tokens=200,
            completion_tokens=100,
            cost=NANO // 10,
            cost_is_bound=True,
        ),
        "reused": call(prompts[2], "refused", reused=first, cost=0, prompt_tokens=1000, completion_tokens=200),
        "planned": call(prompts[3], "planned"),
        "pasted": call(prompts[4], "refused", run=None, shard=None),
    }


@pytest.fixture
def row(project: Project) -> Configuration:
    return configuration(project, "Nile")


@pytest.fixture
def probed(version: QuestionSet, row: Configuration) -> list[Probe]:
    """0.25 dollars and 700 tokens for 7 calls; and 4 calls of a model without a price, with 300 tokens."""
    common = {"configuration": row, "question_set": version, "kind": ProbeKind.QUIZ}
    return [
        Probe.objects.create(**common, cost=NANO // 4, tokens=700, calls=7, bound_calls=2),
        Probe.objects.create(**common, seed=1, tokens=300, calls=4, unpriced_calls=4),
    ]


@pytest.fixture
def measured(row: Configuration) -> SpeedSpending:
    """0.125 dollars and 900 tokens for 33 calls."""
    return SpeedSpending.objects.create(configuration=row, cost=NANO // 8, tokens=900, calls=33)


def rows(project: Project, **filters: str) -> dict[str, Row]:
    [table] = [table for table in read(project, filters).tables if table.id == "all-calls"]
    assert table.measures == MEASURES
    return {row.labels[0]: row for row in table.rows}


def numbers(row: Row) -> list[float | None]:
    return [figure.value for figure in row.figures]


def test_every_kind_of_call_is_a_row_and_the_total_is_their_sum(project, judged, collected, probed, measured):
    found = rows(project)
    assert {label: numbers(row) for label, row in found.items()} == {
        "Judging": [3, 0, 260, pytest.approx(0.03), 1, 1],
        "Answers of target models": [2, 1, 1500, pytest.approx(0.5), 0, 1],
        "Probes of contamination": [11, 0, 1000, pytest.approx(0.25), 4, 2],
        "Measurements of speed": [33, 0, 900, pytest.approx(0.125), 0, 0],
        # 3 + 2 + 11 + 33 calls; 0.03 + 0.5 + 0.25 + 0.125 dollars
        "Total": [49, 1, 3660, pytest.approx(0.905), 5, 4],
    }
    *kinds, together = found.values()
    for at, figure in enumerate(together.figures):
        assert figure.value == pytest.approx(sum(row.figures[at].number for row in kinds))


def test_calls_without_a_price_are_said_and_are_no_zero(project, row, probed):
    Probe.objects.filter(unpriced_calls=0).delete()
    found = rows(project)
    for label in ("Probes of contamination", "Total"):
        assert found[label].figures[3].value is None
        assert found[label].figures[3].undefined == "no price is known"
        assert found[label].figures[4].value == 4
    [table] = read(project, {}).tables
    assert table.summary == "No price is known of 4 of 4 calls: the cost leaves them out."


def test_of_one_variety_only_what_was_asked_in_it_counts(project, judged, collected, probed, measured):
    found = rows(project, variety="bn-BD")
    # The third call of the judge, and the target model's answer that was taken over.
    assert {label: numbers(row)[:2] for label, row in found.items()} == {
        "Judging": [1, 0],
        "Answers of target models": [0, 1],
        "Total": [1, 1],
    }
    [table] = [table for table in read(project, {"variety": "bn-BD"}).tables if table.id == "all-calls"]
    assert "count without a filter" in table.note


def change_answer(made):
    CollectionCall.objects.filter(pk=made["collected"]["first"].pk).update(cost=NANO)


def charge_what_is_asked_again(made):
    CollectionCall.objects.filter(pk=made["collected"]["again"].pk).update(cost=2 * NANO)


def change_probe(made):
    Probe.objects.filter(pk=made["probed"][0].pk).update(cost=NANO)


def change_measuring(made):
    SpeedSpending.objects.filter(pk=made["measured"].pk).update(cost=NANO)


def measure_again(made):
    SpeedSpending.objects.create(configuration=made["measured"].configuration, cost=NANO, calls=1)


def ask_the_judge_again(made):
    Call.objects.filter(judge=made["judged"]).update(state="planned", cost=NANO)


WRITES = [
    change_answer,
    charge_what_is_asked_again,
    change_probe,
    change_measuring,
    measure_again,
    ask_the_judge_again,
]


@pytest.mark.parametrize("write", WRITES)
def test_kept_until_any_kind_of_call_is_written(write, project, judged, collected, probed, measured):
    before = numbers(rows(project)["Total"])
    with statements() as sent:
        assert numbers(rows(project)["Total"]) == before
    assert not sent.tables() & {"judging_call", "judging_collectioncall", "benchmark_probe", "benchmark_speedspending"}
    write({"judged": judged, "collected": collected, "probed": probed, "measured": measured})
    after = numbers(rows(project)["Total"])
    assert after != before
    cache.clear()
    assert numbers(rows(project)["Total"]) == after


def test_another_project_is_not_in_it(project, judged, collected, probed, measured):
    other = Project.objects.create(name="Other", slug="other")
    assert read(other, {}).tables == ()
    SpeedSpending.objects.create(configuration=configuration(other, "Blue"), cost=7, calls=1)
    assert list(rows(other)) == ["Measurements of speed", "Total"]
    assert numbers(rows(project)["Total"])[0] == 49


def test_the_page_and_its_files_hold_it(project, nour, judged, collected, probed, measured):
    client = signed_in(nour)
    page = client.get(f"/p/{project.slug}/judges/costs/").content.decode()
    assert "Cost of all calls" in page
    assert "No price is known of 5 of 49 calls: the cost leaves them out." in page
    answer = client.get(f"/p/{project.slug}/judges/costs/all-calls.csv")
    lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    [money] = [
        line["value"]
        for line in lines
        if (line["what it was asked for"], line["measure"]) == ("Total", "cost in US dollars")
    ]
    assert float(money) == pytest.approx(0.905)


def test_probes_from_before_calls_were_counted_have_those_that_brought_a_reply(project, version, row):
    """The migration counts parts of results; what took tokens and cost nothing had no price."""
    common = {"configuration": row, "question_set": version, "kind": ProbeKind.QUIZ}
    priced = Probe.objects.create(**common, cost=5, tokens=10)
    unpriced = Probe.objects.create(**common, seed=1, tokens=10)
    Probe.objects.create(**common, seed=2)
    for key in ("q0", "q1"):
        ProbeResult.objects.create(probe=unpriced, question_key=key, result={"one": "x", "two": "y"})
    ProbeResult.objects.create(probe=priced, question_key="q0", result={"one": "x"})
    import_module("benchmark.migrations.0013_what_passes_cost").count_calls(apps, None)
    counted = Probe.objects.order_by("seed").values_list("calls", "unpriced_calls", "cost")
    assert list(counted) == [(1, 0, 5), (4, 4, 0), (0, 0, 0)]
