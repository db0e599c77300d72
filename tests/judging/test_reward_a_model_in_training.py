"""Nour's trainer has rollouts scored by a judge: by the frozen rubric of each prompt, or by a question type."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchmark.models import Question
from jobs.models import Job, JobState
from jobs.verbs import cancel
from jobs.working import work_on
from judging.judges import add_judge
from judging.models import Reward, Rollout
from judging.rewards.kinds import KINDS
from judging.rewards.lending import lend
from judging.rewards.receiving import Item, receive
from judging.rewards.scoring import begin_scoring, count_what_was_under_way
from projects.models import ApiToken, Laboratory, Rater
from projects.problems import Invalid
from providers.client.openai_compatible import Connections
from providers.limiter.circuit_breaker import ProviderDown
from reports.costs.calls import ended, load
from reports.costs.kinds import by_kind
from tests.annotation.rated import question_type
from tests.benchmark.sets import open_line, set_line, stored
from tests.judging.budgeting import DOLLAR, priced
from tests.judging.grading import KOSHARI, LENTILS, RICE, VINEGAR, ask, freeze, grading_judge
from tests.judging.rating import ask as ask_for_ratings
from tests.judging.rating import rating_judge, worth
from tests.people import signed_in

URL = "/api/v1/projects/feasts/rewards/"
WHOLE = "It is lentils, rice and pasta with vinegar."
POLICY: dict[str, Any] = {"policy": "Nile-7B", "laboratory": "delta-lab"}


@pytest.fixture
def rubric(project, salma):
    Laboratory.objects.get_or_create(slug="delta-lab", defaults={"name": "Delta"})
    return freeze(ask(project), Rater.objects.get(user=salma))


@pytest.fixture
def judge(project, provider):
    return grading_judge(project, provider)


@pytest.fixture
def reward(project, judge, rubric) -> Reward:
    return lend(project, "koshari", judge, **POLICY)


@pytest.fixture
def api(nour, client):
    _row, token = ApiToken.issue(nour, "trainer")
    client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


def post(api, path: str = "koshari/score/?wait=0", **body):
    return api.post(f"{URL}{path}", body, content_type="application/json")


def items(*completions, prompt_id: str = "koshari") -> list[dict]:
    return [{"prompt_id": prompt_id, "completion": completion} for completion in completions]


def work() -> Job:
    job = Job.objects.get(kind="score_rollouts")
    assert work_on(job.pk)
    job.refresh_from_db()
    return job


def scored(reward: Reward, *completions: str) -> list[Rollout]:
    asked = [Item(each, prompt_id="koshari") for each in completions]
    if any(each.state == "planned" for each in receive(reward, asked)):
        begin_scoring(reward)
        work()
    return receive(reward, asked)


def test_a_trainer_has_rollouts_scored_by_the_frozen_rubric(api, judge, rubric):
    lent = post(api, "", slug="koshari", judge=judge.rater.name, **POLICY)
    assert lent.status_code == 201
    assert (lent.json()["kind"], lent.json()["policy_laboratory"]) == ("rubric", "delta-lab")

    batch = items(WHOLE, KOSHARI, "It is fish.")
    under_way = post(api, items=batch)
    assert under_way.status_code == 202
    assert under_way.json()["rewards"] == [None, None, None]
    assert under_way["Retry-After"] == "1"
    assert api.get(under_way["Location"]).json()["state"] == JobState.QUEUED
    assert work().state == JobState.DONE

    answer = post(api, items=batch)
    assert answer.status_code == 200
    # 10 + 8 + 6 points of 24 for lentils, rice with pasta, and vinegar.
    assert answer.json()["rewards"] == [1, 18 / 24, 0]
    item = answer.json()["items"][1]
    assert {each["text"]: each["value"] for each in item["parts"]["verdicts"]} == {
        LENTILS: "pass",
        RICE: "pass",
        VINEGAR: "fail",
    }
    assert all(each["justification"] for each in item["parts"]["verdicts"])
    assert (item["parts"]["raw"], item["parts"]["maximum"], item["state"]) == (18, 24, "scored")


def test_the_same_rollout_is_asked_about_once(reward, fake_provider):
    fake_provider.tell(record=True)
    one, same, other = scored(reward, KOSHARI, KOSHARI, WHOLE)
    assert one.pk == same.pk != other.pk
    again = scored(reward, KOSHARI, WHOLE)
    assert [each.value for each in again] == [18 / 24, 1]
    assert len(fake_provider.asked()) == 2
    reward.refresh_from_db()
    assert reward.calls == 2
    # What was scored is kept as its hash alone.
    assert set(Rollout.objects.values_list("completion", flat=True)) == {""}


def test_a_later_rubric_is_another_question(reward, rubric):
    [first] = scored(reward, KOSHARI)
    freeze(rubric.prompt, rubric.author, {LENTILS: 10}, hidden="second")
    [second] = scored(reward, KOSHARI)
    assert (first.value, second.value) == (18 / 24, 1)


def test_prompts_may_be_named_by_their_words_and_completions_be_conversations(api, reward):
    chat = [{"role": "assistant", "content": KOSHARI}]
    prompt = [{"role": "user", "content": "Question koshari?"}]
    post(api, items=[{"prompt": prompt, "completion": chat}])
    work()
    assert post(api, items=items(KOSHARI)).json()["rewards"] == [18 / 24]


def test_an_empty_completion_is_worth_nothing_and_asks_nobody(api, reward):
    answer = post(api, items=items("", " \n"))
    assert (answer.status_code, answer.json()["rewards"]) == (200, [0, 0])
    assert not Job.objects.exists()


def test_a_judge_that_rates_one_by_one_is_a_reward_on_its_scale(project, provider):
    Laboratory.objects.get_or_create(slug="delta-lab", defaults={"name": "Delta"})
    formality = question_type(project)
    prompt = ask_for_ratings(project, formality)
    judge = rating_judge(project, provider, kind="pointwise")
    reward = lend(project, "formality", judge, question=formality, **POLICY)
    asked = [Item(worth(grade), prompt_id=prompt.key) for grade in (1, 4, 5)]
    receive(reward, asked)
    begin_scoring(reward)
    work()
    rollouts = receive(reward, asked)
    assert [each.value for each in rollouts] == [0, 0.75, 1]
    assert rollouts[1].parts["grade"] == 4
    assert rollouts[1].parts["reasoning"].startswith("Simulated")


def test_no_judge_rewards_a_model_of_its_own_laboratory(project, api, judge, rubric):
    own = judge.rater.laboratory.slug
    refused = post(api, "", slug="own", judge=judge.rater.name, policy="Nile-7B", laboratory=own)
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["code"] == "own_laboratory"
    unknown = post(api, "", slug="own", judge=judge.rater.name, policy="checkpoint-400")
    assert unknown.json()["problems"][0]["code"] == "laboratory_unknown"
    assert not Reward.objects.exists()


def test_the_guard_is_asked_again_before_each_call(reward, fake_provider):
    reward.policy_laboratory = reward.judge.rater.laboratory
    reward.save(update_fields=["policy_laboratory"])
    fake_provider.tell(record=True)
    [rollout] = scored(reward, KOSHARI)
    assert (rollout.state, rollout.value, rollout.problem) == ("failed", None, "own_laboratory")
    assert fake_provider.asked() == []


def test_what_a_judge_said_unreadably_is_no_reward_until_it_is_asked_again(api, reward, fake_provider):
    fake_provider.tell(faults=["malformed"])
    post(api, items=items(KOSHARI))
    work()
    failed = post(api, items=items(KOSHARI))
    assert (failed.status_code, failed.json()["rewards"]) == (200, [None])
    assert failed.json()["items"][0]["problem"]
    fake_provider.tell(reset=True)
    assert post(api, items=items(KOSHARI), again=True).status_code == 202
    work()
    assert post(api, items=items(KOSHARI)).json()["rewards"] == [18 / 24]


def test_a_budget_holds_and_another_one_goes_on(api, reward, fake_provider):
    priced(reward.judge)
    fake_provider.tell(record=True)
    # A call costs some 2,000 bytes read at most and 4,000 tokens written: about a cent; the limit is one of them.
    assert api.patch(f"{URL}koshari/", {"money_limit": "0.012"}, content_type="application/json").status_code == 200
    post(api, items=items(*(f"{KOSHARI} {n}" for n in range(30))))
    assert work().state == JobState.FAILED
    reward.refresh_from_db()
    assert 0 < reward.cost <= reward.money_limit == 0.012 * DOLLAR
    assert reward.money_reserved == 0
    asked = len(fake_provider.asked())
    assert 0 < asked < 30
    refused = post(api, items=items(f"{KOSHARI} 29"))
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "budget_spent")
    # What was scored is still answered.
    assert post(api, items=items(f"{KOSHARI} 0")).json()["rewards"] == [18 / 24]

    api.patch(f"{URL}koshari/", {"money_limit": "5"}, content_type="application/json")
    assert post(api, items=items(f"{KOSHARI} 29")).status_code == 202
    work()
    assert post(api, items=items(f"{KOSHARI} 29")).json()["rewards"] == [18 / 24]
    assert len(fake_provider.asked()) == 30


def test_money_is_limited_only_where_there_is_a_price(project, judge, rubric):
    with pytest.raises(Invalid, match="has a price"):
        lend(project, "koshari", judge, money_limit=DOLLAR, **POLICY)


def test_what_a_dead_worker_had_under_way_counts_as_spent(reward):
    Reward.objects.filter(pk=reward.pk).update(cost=5, money_reserved=7, tokens=1, tokens_reserved=2)
    count_what_was_under_way(reward)
    assert (reward.cost, reward.money_reserved, reward.tokens, reward.tokens_reserved) == (12, 0, 3, 0)


def test_a_provider_that_is_down_leaves_rollouts_waiting(api, reward, fake_provider, monkeypatch):
    priced(reward.judge)
    answers = Connections.ask

    async def down(self, request, **told):
        raise ProviderDown("simulated", attempts=0)

    monkeypatch.setattr(Connections, "ask", down)
    post(api, items=items(KOSHARI, WHOLE))
    assert work().state == JobState.QUEUED
    reward.refresh_from_db()
    assert (reward.cost, reward.tokens, reward.money_reserved) == (0, 0, 0)
    assert post(api, items=items(KOSHARI)).status_code == 202

    monkeypatch.setattr(Connections, "ask", answers)
    Job.objects.update(due_at=timezone.now())
    work()
    assert post(api, items=items(KOSHARI, WHOLE)).json()["rewards"] == [18 / 24, 1]


def test_what_may_have_been_charged_before_the_provider_went_down_is(api, reward, monkeypatch):
    priced(reward.judge)

    async def down(self, request, **told):
        raise ProviderDown("simulated", attempts=1, uncertain=1)

    monkeypatch.setattr(Connections, "ask", down)
    post(api, items=items(KOSHARI))
    work()
    reward.refresh_from_db()
    assert reward.cost >= 1000 * 1000  # a call's prompt has more than a thousand bytes
    assert reward.money_reserved == 0


def test_what_a_lead_stopped_is_not_begun_by_a_trainer(api, reward):
    post(api, items=items(KOSHARI))
    assert cancel(Job.objects.get())
    refused = post(api, items=items(KOSHARI))
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "stopped")


def test_what_cannot_be_scored_is_named_by_its_item(project, api, reward):
    ask(project, "bare")
    unknown = post(api, items=[*items(KOSHARI), *items("x", prompt_id="nowhere")])
    assert unknown.status_code == 422
    assert [(each["code"], each["field"]) for each in unknown.json()["problems"]] == [("unknown_prompt", "items[1]")]
    bare = post(api, items=items("x", prompt_id="bare"))
    assert [(each["code"], each["field"]) for each in bare.json()["problems"]] == [("not_scorable", "items[0]")]
    for body in ({"items": []}, {"items": items(*["x"] * 513)}, {"items": [{"completion": "x"}]}, {"items": items(5)}):
        assert post(api, **body).status_code == 400
    assert not Rollout.objects.exists()


def test_held_back_questions_reward_nothing(project, api, reward, rubric):
    stored(project, set_line(id="all", name="All"), open_line("q", held_back=True))
    Question.objects.filter(key="q").update(prompt=rubric.prompt)
    refused = post(api, items=items(KOSHARI))
    assert refused.json()["problems"][0]["code"] == "held_back"


def test_two_prompts_with_the_same_words_are_told_apart_by_their_ids(project, api, reward):
    ask(project, "twin", "Question koshari?")
    refused = post(api, items=[{"prompt": "Question koshari?", "completion": KOSHARI}])
    assert refused.json()["problems"][0]["code"] == "ambiguous"


def test_only_some_judges_can_be_a_reward(project, provider, rubric):
    marks = add_judge(project, provider, "simulated-1")
    with pytest.raises(Invalid, match="Judges that grade by rubric"):
        lend(project, "marks", marks, **POLICY)
    question_type(project)
    few = rating_judge(project, provider, kind="pointwise", shots="few")
    with pytest.raises(Invalid, match="shown examples"):
        lend(project, "few", few, **POLICY)
    assert set(KINDS) == {"rubric", "pointwise"}


def test_what_rewards_cost_is_among_all_that_calls_cost(project, reward):
    priced(reward.judge)
    scored(reward, KOSHARI)
    reward.refresh_from_db()
    spent = by_kind(project, {}, load(ended(project, {})))["Rewards of models in training"]
    assert (spent.calls, spent.money, spent.tokens) == (1, reward.cost, reward.tokens)
    assert reward.cost > 0


def test_others_find_no_rewards(mona, reward):
    stranger = signed_in(mona)
    assert stranger.get(URL).status_code == 404
    body = json.dumps({"items": items(KOSHARI)})
    assert stranger.post(f"{URL}koshari/score/", body, content_type="application/json").status_code == 404


def test_more_rollouts_take_no_more_statements(api, reward):
    post(api, items=items("a", "b"))
    with CaptureQueriesContext(connection) as few:
        post(api, items=items("c", "d"))
    with CaptureQueriesContext(connection) as many:
        post(api, items=items(*(f"e{n}" for n in range(200))))
    # SQLite takes some eighty rows a statement.
    assert len(many) <= len(few) + 3
    with CaptureQueriesContext(connection) as listed:
        assert len(api.get(URL).json()["results"]) == 1
    assert len(listed) < 8


@pytest.mark.django_db(transaction=True)
def test_the_function_of_the_documentation_rewards_a_batch(nour, reward, live_server, eager, monkeypatch):
    """Word for word as a trainer calls it, over real HTTP."""
    _row, token = ApiToken.issue(nour, "trainer")
    monkeypatch.setenv("MIZAN_TOKEN", token)
    monkeypatch.setenv("MIZAN_SCORE_URL", f"{live_server.url}{URL}koshari/score/")
    documented = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    [code] = [block for block in re.findall(r"```python\n(.*?)```", documented, re.DOTALL) if "rubric_reward" in block]
    space: dict = {}
    exec(code, space)
    chats = [[{"role": "assistant", "content": text}] for text in (WHOLE, KOSHARI, "")]
    ids = ["koshari"] * 3
    rewards = space["rubric_reward"](prompts=["Question koshari?"] * 3, completions=chats, prompt_id=ids, split=ids)
    assert rewards == [1, 18 / 24, 0]
