"""A judge is asked as its model is known to take it: form, temperature, seed, reasoning effort and limit of length."""

import pytest

from judging.engine import runs
from judging.engine.calling import build
from judging.engine.questions import open_questions
from judging.engine.setups import setup_of
from judging.engine.shards import work_through
from judging.judges import add_judge, eight_setups
from judging.models import Call, Judge
from projects.problems import Invalid
from providers.model_names import takes_temperature
from providers.models import Provider, ServedModel
from tests.people import signed_in
from tests.rubrics.rubrics import make_rubrics_project


def run_of(judge: Judge):
    return runs.create_run(judge, judge.project.responses.all())


def body_of(judge: Judge) -> dict:
    """The request that the judge's first question becomes."""
    run = run_of(judge)
    question = next(open_questions(run.shards.get()))
    return build(setup_of(run), question, "0" * 16)[0].body()


def know(provider: Provider, **flags) -> ServedModel:
    return ServedModel.objects.create(provider=provider, name="simulated-1", **flags)


@pytest.mark.parametrize(
    ("by_provider", "flags", "form"),
    [
        ("schema", None, "json_schema"),
        ("object", None, "json_object"),
        ("prompt", None, None),
        ("schema", {}, "json_schema"),
        ("prompt", {"gives_schema": True}, "json_schema"),
        ("object", {"gives_schema": True}, "json_schema"),
        ("schema", {"gives_schema": False}, "json_object"),
        ("schema", {"gives_schema": False, "gives_object": False}, None),
        ("prompt", {"gives_object": True}, "json_object"),
        ("object", {"gives_object": False}, None),
        ("prompt", {"gives_schema": False}, None),
    ],
)
def test_the_form_of_an_answer_is_the_strictest_that_is_known(by_provider, flags, form, judge, boishakh):
    Provider.objects.update(structured_output=by_provider)
    if flags is not None:
        know(judge.provider, **flags)
    assert body_of(judge).get("response_format", {}).get("type") == form


def test_what_nobody_set_is_not_named(judge, boishakh):
    """A judge without new settings is asked in the same words, in the same order, as it ever was."""
    assert list(body_of(judge)) == ["model", "messages", "max_tokens", "temperature", "response_format"]
    know(judge.provider)
    judge.project.judge_runs.all().delete()
    assert list(body_of(judge)) == ["model", "messages", "max_tokens", "temperature", "response_format"]


def test_seed_and_effort_go_out_and_change_the_input(project, provider, judge, boishakh, fake_provider):
    fake_provider.tell(record=True, reasoning_tokens=9)
    seeded = add_judge(project, provider, "simulated-1", seed=0, reasoning="low", max_output_tokens=9000)
    assert seeded.rater.name == "simulated-1 (paragraph, seed 0, low reasoning)"
    for asked in (judge, seeded):
        for shard in runs.start_here(run_of(asked)):
            work_through(shard)
    bodies = [asked["body"] for asked in fake_provider.asked()]
    assert [body.get("seed") for body in bodies] == [None, None, 0, 0]
    assert [body.get("reasoning_effort") for body in bodies] == [None, None, "low", "low"]
    assert {body["max_tokens"] for body in bodies} == {4000, 9000}
    plain, told = (
        set(Call.objects.filter(judge=one).values_list("input_sha256", flat=True)) for one in (judge, seeded)
    )
    assert not plain & told
    assert set(Call.objects.values_list("reasoning_tokens", flat=True)) == {9}


def test_what_the_model_is_known_not_to_take_is_not_sent(project, provider, boishakh):
    judge = add_judge(project, provider, "simulated-1", seed=3, reasoning="high")
    know(provider, takes_seed=False, takes_temperature=False, reasons=False, token_limit="max_completion_tokens")
    body = body_of(judge)
    assert not {"seed", "temperature", "reasoning_effort", "max_tokens"} & body.keys()
    assert body["max_completion_tokens"] == 4000


def test_asking_for_what_is_not_taken_is_refused_where_it_is_asked_for(nour, project, provider):
    know(provider, takes_seed=False, reasons=False)
    with pytest.raises(Invalid) as refused:
        add_judge(project, provider, "simulated-1", seed=3, reasoning="low")
    assert [problem.code for problem in refused.value.problems] == ["seed_not_taken", "effort_not_taken"]
    form = {"provider": provider.pk, "model": "simulated-1", "seed": 3}
    response = signed_in(nour).post("/p/feasts/judges/add/", form)
    assert response.status_code == 422
    assert "takes no seed" in response.content.decode()
    assert not Judge.objects.exists()


def test_a_model_without_a_temperature_gets_a_judge_without_one(project, provider):
    know(provider, takes_temperature=False)
    assert add_judge(project, provider, "simulated-1").temperature is None
    assert add_judge(project, provider, "simulated-2").temperature == 0


def test_some_models_take_a_temperature_only_while_they_do_not_reason(project, db):
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    assert takes_temperature("gpt-5.1")
    assert not takes_temperature("gpt-5.1", is_asked_to_reason=True)
    assert takes_temperature("gemini-2.5-pro", is_asked_to_reason=True)
    assert add_judge(project, gateway, "gpt-5.1").temperature == 0
    assert add_judge(project, gateway, "gpt-5.1", reasoning="low").temperature is None
    ServedModel.objects.create(provider=gateway, name="gpt-5.1", takes_temperature=True)  # tested without an effort
    assert add_judge(project, gateway, "gpt-5.1", reasoning="high").temperature is None


def test_nour_sets_them_under_more_settings(nour, project, provider):
    client = signed_in(nour)
    page = client.get("/p/feasts/judges/add/").content.decode()
    assert "<details>\n    <summary>More settings" in page  # closed while nothing is set
    form = {
        "provider": provider.pk,
        "model": "simulated-1",
        "seed": 11,
        "reasoning": "medium",
        "max_output_tokens": 500,
    }
    shown = client.post("/p/feasts/judges/add/", form, follow=True).content.decode()
    judge = Judge.objects.get()
    of_kind = {"granularity": "paragraph", "with_taxonomy": False}
    assert (judge.options, judge.max_output_tokens) == ({**of_kind, "seed": 11, "reasoning": "medium"}, 500)
    for said in ("seed 11", "reasoning effort: Medium", "at most 500 tokens"):
        assert said in shown
        assert said in client.get("/p/feasts/judges/").content.decode()
    wrong = client.post("/p/feasts/judges/add/", form | {"reasoning": "utmost", "seed": -1})
    assert wrong.status_code == 422
    assert "<details open>" in wrong.content.decode()


def test_a_seeded_judge_is_none_of_the_eight(project, provider):
    make_rubrics_project(project)
    add_judge(project, provider, "simulated-1", kind="pointwise", rubric=False, seed=1)
    assert len(eight_setups(project, provider, "simulated-1")) == 8
    assert Judge.objects.count() == 9


def test_a_long_name_and_all_settings_fit_a_raters_name(project, provider):
    model = "simulated-" + "x" * 120
    judge = add_judge(project, provider, model, kind="pairwise", orders="one", seed=2**31 - 1, reasoning="minimal")
    assert len(judge.rater.name) <= 120
    assert judge.rater.name.endswith("seed 2147483647, minimal reasoning)")
