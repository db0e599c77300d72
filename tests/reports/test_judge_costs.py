"""Nour sees what each judge has cost, how fast it is, and where nobody can say."""

import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone

from agreement.figures import Figure
from judging.engine.runs import create_run
from judging.judges import add_judge
from judging.models import Call
from projects.models import Project, Response
from providers.models import Provider
from reports.costs.page import read
from reports.dashboard.tables import Table
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db
NANO = 1_000_000_000


@pytest.fixture
def asked(project: Project):
    """Two judges over two Arabic responses and one Bengali one, and what became of each call."""
    for number, tag in enumerate(("ar-EG", "ar-EG", "bn-BD")):
        add_response(project, f"r{number}", f"Text {number}.", tag)
    provider = Provider.objects.create(name="gateway", base_url="https://example.org/v1")
    dear = add_judge(project, provider, "gpt-4o", name="Dear", granularity="response")
    free = add_judge(project, provider, "gemini-2.5-pro", name="Unpriced", granularity="response")
    for judge in (dear, free):
        create_run(judge, Response.objects.filter(project=project))
    ended = timezone.now()
    told = [  # latency in ms, tokens in, tokens out, cost, words
        (1000, 100, 10, NANO // 100, 5),
        (2000, 100, 20, NANO // 50, 5),
        (4000, 300, 30, NANO // 20, 4),
    ]
    for call, (latency, prompt, completion, cost, words) in zip(dear.calls.order_by("pk"), told, strict=True):
        Call.objects.filter(pk=call.pk).update(
            state="scored",
            latency_ms=latency,
            prompt_tokens=prompt,
            completion_tokens=completion,
            cost=cost,
            cost_is_bound=call.response.variety.tag == "bn-BD",
            words=words,
            ended_at=ended,
        )
    first, *_others = free.calls.order_by("pk")
    Call.objects.filter(pk=first.pk).update(state="refused", latency_ms=500, ended_at=ended)
    return dear, free


def table_of(project: Project, name: str, **filters: str) -> Table:
    return next(table for table in read(project, filters).tables if table.id == name)


def figures_of(project: Project, table: int, *labels: str, **filters: str) -> dict[str, Figure]:
    found = table_of(project, ("judge-costs", "judge-costs-by-variety")[table], **filters)
    [row] = [row for row in found.rows if row.labels[0] == labels[0] and set(labels) <= set(row.labels)]
    return dict(zip(found.measures, row.figures, strict=True))


def test_sums_and_quantiles_of_a_judge(project, asked):
    dear = figures_of(project, 0, "Dear")
    assert dear["calls sent"].value == 3
    assert dear["tokens in"].value == 500
    assert dear["tokens out"].value == 60
    assert dear["cost in US dollars"].value == pytest.approx(0.08)
    assert dear["cost in US dollars"].detail["upper bounds"] == 1
    assert dear["cost of 1,000 calls"].value == pytest.approx(80 / 3)
    assert dear["median latency (s)"].value == 2
    assert dear["95th percentile of latency (s)"].value == pytest.approx(3.8)  # rank 2.9 of 1, 2 and 4 seconds
    assert dear["words per second"].value == pytest.approx(14 / 7)


def test_by_variety(project, asked):
    bengali = table_of(project, "judge-costs-by-variety")
    [row] = [row for row in bengali.rows if row.labels[0] == "Dear" and row.drill == {"variety": "bn-BD"}]
    assert row.figures[2].value == 300
    assert figures_of(project, 0, "Dear", variety="ar-EG")["tokens in"].value == 200


def test_what_nobody_counted_is_no_zero(project, asked):
    unpriced = figures_of(project, 0, "Unpriced")
    assert unpriced["calls sent"].value == 1  # what was not asked yet is no call
    assert unpriced["cost in US dollars"].undefined == "no price is known"
    assert unpriced["tokens in"].undefined == "the provider counted no tokens"
    assert unpriced["words per second"].undefined == "no items"


def test_an_earlier_reply_costs_nothing_and_took_no_time(project, asked):
    dear, _free = asked
    first, _second, last = dear.calls.order_by("pk")
    Call.objects.filter(pk=last.pk).update(reused=first, cost=0, latency_ms=None)
    found = figures_of(project, 0, "Dear")
    assert found["calls sent"].value == 2
    assert found["earlier replies used"].value == 1
    assert found["median latency (s)"].value == 1.5


def test_kept_until_a_call_ends(project, asked, django_assert_num_queries):
    read(project, {})
    with django_assert_num_queries(2):  # the state of the calls, and the judges' names
        assert read(project, {}).tables[0].rows
    dear, _free = asked
    Call.objects.filter(judge=dear).update(latency_ms=9000, ended_at=timezone.now() + timedelta(seconds=1))
    assert figures_of(project, 0, "Dear")["median latency (s)"].value == 9


def test_the_page_and_its_files(project, nour, asked):
    page = signed_in(nour).get(f"/p/{project.slug}/judges/costs/")
    assert page.status_code == 200
    assert "Dearest for 1,000 calls: Dear: 26.6667 US dollars." in page.content.decode()
    answer = signed_in(nour).get(f"/p/{project.slug}/judges/costs/judge-costs.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {row["value"] for row in rows if row["measure"] == "tokens out" and row["judge"] == "Dear"} == {"60.0"}


def test_before_any_call_the_page_says_what_comes(project, nour):
    page = signed_in(nour).get(f"/p/{project.slug}/judges/costs/")
    assert "Figures appear here once a model has been asked." in page.content.decode()


def test_annotators_do_not_see_it(project, mona, asked):
    assert signed_in(mona).get(f"/p/{project.slug}/judges/costs/").status_code == 404
