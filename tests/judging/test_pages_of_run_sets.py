"""Nour plans several judges at once, sees the price, begins, and holds the reins; others find nothing there."""

from decimal import Decimal

import pytest

from judging.engine import run_sets, shards
from judging.engine.choice import Choice
from judging.judges import add_judge
from judging.models import Call, Judge, RunSet, RunState
from providers.models import Provider, ServedModel
from tests.people import signed_in

BILLION = 10**9


@pytest.fixture
def lead(nour):
    return signed_in(nour)


@pytest.fixture
def judges(project, provider, feasts) -> list[Judge]:
    """One with a price and one without."""
    ServedModel.objects.create(
        provider=provider, name="simulated-1", input_price=Decimal("2.5"), output_price=Decimal(10)
    )
    return [add_judge(project, provider, model, name=model.title()) for model in ("simulated-1", "simulated-2")]


def text(response) -> str:
    return response.content.decode()


def work(run_set: RunSet) -> None:
    for run in run_set.runs.all():
        for shard in run.shards.values_list("pk", flat=True):
            shards.work_through(shard)


def test_without_judges_one_is_told_to_add_one(lead, project):
    shown = text(lead.get("/p/feasts/judges/runs/new/"))
    assert "No judge is in use" in shown


def test_a_plan_writes_nothing_and_says_what_it_costs(lead, judges):
    chosen = {"judges": [judge.pk for judge in judges], "varieties": ["bn-BD"], "replicates": 2, "plan": 1}
    shown = text(lead.get("/p/feasts/judges/runs/new/", chosen))
    # Six Bengali responses of two paragraphs, two judges, two rounds.
    assert "Ask 48 questions" in shown
    assert "without the judges that have no price" in shown
    assert "spans/paragraph" in shown, "the prompt that the runs will stay with"
    assert not RunSet.objects.exists()


def test_nothing_chosen_is_told_beside_the_field(lead, judges):
    shown = text(lead.get("/p/feasts/judges/runs/new/", {"plan": 1}))
    assert "Choose at least one judge." in shown


def test_nour_begins_and_lands_on_the_progress(lead, judges):
    chosen = {"judges": [judge.pk for judge in judges], "varieties": ["bn-BD"], "tokens": 10_000_000}
    page = lead.post("/p/feasts/judges/runs/new/", chosen, follow=True)
    run_set = RunSet.objects.get()
    assert page.redirect_chain == [(f"/p/feasts/judges/sets/{run_set.uuid}/", 302)]
    assert run_set.token_limit == 10_000_000
    assert {run.state for run in run_set.runs.all()} == {RunState.RUNNING}
    assert "0 of 24 calls" in text(page)
    work(run_set)
    done = text(lead.get(f"/p/feasts/judges/sets/{run_set.uuid}/"))
    assert "24 of 24 calls" in done
    assert "bn-BD" in done, "what was chosen stands on the page"
    listed = text(lead.get("/p/feasts/judges/"))
    assert f"/p/feasts/judges/sets/{run_set.uuid}/" in listed


def test_a_limit_in_money_needs_prices(lead, judges):
    chosen = {"judges": [judge.pk for judge in judges], "money": "5.00"}
    page = lead.post("/p/feasts/judges/runs/new/", chosen)
    assert page.status_code == 422
    assert "Nobody has said what these judges cost" in text(page)
    assert not RunSet.objects.exists()


@pytest.fixture
def run_set(project, judges, nour) -> RunSet:
    found = run_sets.create_set(project, judges[:1], Choice(), money_limit=BILLION, by=nour)
    run_sets.start_set(found, nour)
    return found


def test_pause_resume_cancel(lead, run_set):
    address = f"/p/feasts/judges/sets/{run_set.uuid}/"
    paused = text(lead.post(f"{address}pause/", follow=True))
    assert "1 run waits" in paused
    assert "Somebody paused this" in paused
    assert "hx-trigger" not in paused, "a page that waits for a person does not ask again and again"
    assert run_set.runs.get().state == RunState.PAUSED
    assert "No run was going" in text(lead.post(f"{address}pause/", follow=True))

    lead.post(f"{address}resume/")
    assert run_set.runs.get().state == RunState.RUNNING
    assert "1 run is cancelled" in text(lead.post(f"{address}cancel/", follow=True))
    assert run_set.runs.get().state == RunState.CANCELLED
    assert "over already" in text(lead.post(f"{address}cancel/", follow=True))


def test_one_run_of_it_is_paused_by_itself(lead, run_set):
    run = run_set.runs.get()
    shown = text(lead.post(f"/p/feasts/judges/runs/{run.uuid}/pause/", follow=True))
    assert "Somebody paused this" in shown
    assert run_set.runs.get().state == RunState.PAUSED
    assert "was not going" in text(lead.post(f"/p/feasts/judges/runs/{run.uuid}/pause/", follow=True))


def test_ask_again_only_what_failed(lead, run_set, fake_provider):
    Provider.objects.update(concurrency=1)
    fake_provider.tell(faults=["badrequest"])
    work(run_set)
    address = f"/p/feasts/judges/sets/{run_set.uuid}/"
    assert "Ask 1 failed call again" in text(lead.get(address))
    lead.post(f"{address}retry/")
    work(run_set)
    assert set(Call.objects.values_list("state", flat=True)) == {"scored"}
    assert "nothing to ask again" in text(lead.post(f"{address}retry/", follow=True))


def test_other_limits(lead, run_set):
    address = f"/p/feasts/judges/sets/{run_set.uuid}/limits/"
    assert "The limits are kept." in text(lead.post(address, {"money": "2.50", "tokens": ""}, follow=True))
    run_set.refresh_from_db()
    assert run_set.money_limit == 2_500_000_000
    wrong = lead.post(address, {"money": "-1"})
    assert wrong.status_code == 422
    RunSet.objects.filter(pk=run_set.pk).update(money_spent=2 * BILLION)
    refused = lead.post(address, {"money": "1.00"})
    assert "More than that is spent" in text(refused)
    run_set.refresh_from_db()
    assert run_set.money_limit == 2_500_000_000


def test_a_number_of_queries_that_does_not_grow(lead, project, judges, nour, django_assert_max_num_queries):
    many = run_sets.create_set(project, judges, Choice(), replicates=4, by=nour)
    with django_assert_max_num_queries(20):
        lead.get(f"/p/feasts/judges/sets/{many.uuid}/")
    for _more in range(3):
        run_sets.create_set(project, judges[:1], Choice(), first_round=5 + 2 * _more, replicates=2, by=nour)
    with django_assert_max_num_queries(24):
        lead.get("/p/feasts/judges/")


def test_annotators_and_other_leads_find_nothing(mona, omar, run_set):
    for person in (mona, omar):
        client = signed_in(person)
        assert client.get("/p/feasts/judges/runs/new/").status_code == 404
        assert client.get(f"/p/feasts/judges/sets/{run_set.uuid}/").status_code == 404
        assert client.post(f"/p/feasts/judges/sets/{run_set.uuid}/pause/").status_code == 404
