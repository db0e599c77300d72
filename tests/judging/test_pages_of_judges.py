"""Nour adds a judge, sees what it would ask, starts it and watches; others find nothing there."""

import pytest
from django.urls import reverse

from judging.engine import runs, shards
from judging.forms.judges import JudgeForm
from judging.models import Call, CallState, Judge, Run, RunState
from judging.views.judges import likely_kind
from projects.models import Laboratory, Rater, TargetModel
from providers.models import Provider, ServedModel
from providers.problem_texts import TEXTS, in_words
from tests.judging.grading import LENTILS, PHARAOHS, ask, graded_response, respond
from tests.judging.proposing import add_categories, keep_touching_errors, proposer
from tests.people import signed_in
from tests.rubrics.rubrics import make_rubrics_project


@pytest.fixture
def lead(nour):
    return signed_in(nour)


def text(response) -> str:
    return response.content.decode()


def test_without_judges_the_page_says_what_to_do(lead, project):
    assert "Add a judge" in text(lead.get("/p/feasts/judges/"))


def test_without_providers_a_lead_is_sent_to_an_administrator(lead, project):
    assert "An administrator" in text(lead.get("/p/feasts/judges/add/"))


def test_nour_adds_a_judge_and_lands_on_its_plan(lead, provider, boishakh):
    form = {"provider": provider.pk, "model": "simulated-1", "granularity": "paragraph", "name": "Reader"}
    response = lead.post("/p/feasts/judges/add/", form, follow=True)
    judge = Judge.objects.get()
    assert response.redirect_chain == [(f"/p/feasts/judges/{judge.pk}/", 302)]
    assert judge.rater.is_simulated
    assert "Ask 2 questions" in text(response)
    assert "simulated" in text(response)


def test_nour_chooses_what_a_judge_is_asked_for(lead, project, provider, koshari, mona, karim):
    add_categories(project)
    keep_touching_errors(koshari, mona, karim)
    for kind, questions in (("groups", 2), ("categories", 5)):
        form = {"provider": provider.pk, "model": "simulated-1", "kind": kind}
        shown = text(lead.post("/p/feasts/judges/add/", form, follow=True))
        assert f"Ask {questions} questions" in shown
        assert f"simulated-1 ({kind})" in shown
        lead_to = Judge.objects.get(kind=kind)
        run = runs.create_run(lead_to, project.responses.all())
        for shard in runs.start_here(run):
            shards.work_through(shard)
        read = text(lead.get(f"/p/feasts/judges/runs/{run.uuid}/calls/"))
        assert read.count("Simulated: ") >= questions
        assert f"{questions} of {questions} calls" in text(lead.get(f"/p/feasts/judges/runs/{run.uuid}/"))
        assert "waits for this judge" in text(lead.get(f"/p/feasts/judges/{lead_to.pk}/")) or kind == "groups"
    listed = text(lead.get("/p/feasts/judges/"))
    assert "Groups of errors on one issue" in listed
    assert "Categories of errors" in listed
    assert lead.post("/p/feasts/judges/add/", {**form, "kind": "verdicts"}).status_code == 422


def test_a_project_without_categories_says_so_on_the_judges_page(lead, project, provider, koshari):
    found = proposer(project, provider, "categories")
    assert "has no categories" in text(lead.get(f"/p/feasts/judges/{found.pk}/"))


def test_the_laboratory_is_said_while_typing(lead, provider, project):
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    url = reverse("judge-laboratory", args=["feasts"])
    assert "Anthropic" in text(lead.get(url, {"provider": gateway.pk, "model": "us.anthropic.claude-opus-4-v1:0"}))
    assert "manage.py map_model our-own LABORATORY" in text(lead.get(url, {"provider": gateway.pk, "model": "our-own"}))
    assert "stands here once it is named" in text(lead.get(url, {"provider": "x", "model": "our-own"}))
    assert not Laboratory.objects.filter(slug="anthropic").exists()  # a GET writes nothing


def test_what_is_known_of_a_model_is_said_while_typing(lead, provider, project):
    served = {"input_price": 3, "output_price": "0.5", "takes_seed": False}
    ServedModel.objects.create(provider=provider, name="simulated-1", **served)
    url = reverse("judge-laboratory", args=["feasts"])
    assert '<option value="simulated-1">' in text(lead.get(url, {"provider": provider.pk}))
    shown = text(lead.get(url, {"provider": provider.pk, "model": "simulated-1"}))
    assert "$3 in and $0.5 out" in shown
    assert "✗ takes a seed" in shown
    assert "No price is known" in text(lead.get(url, {"provider": provider.pk, "model": "simulated-2"}))


def test_a_refused_model_stores_nothing(lead, project, db):
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    form = {"provider": gateway.pk, "model": "azure/our-judge", "granularity": "paragraph"}
    response = lead.post("/p/feasts/judges/add/", form)
    assert response.status_code == 422
    assert "map_model azure/our-judge LABORATORY" in text(response)
    assert not Judge.objects.exists()


def test_a_taken_name_is_refused(lead, judge):
    form = {"provider": judge.provider_id, "model": "simulated-2", "granularity": "paragraph", "name": str(judge)}
    response = lead.post("/p/feasts/judges/add/", form)
    assert response.status_code == 422
    assert Judge.objects.count() == 1


def test_the_plan_names_what_is_excluded_and_writes_nothing(lead, judge, koshari, boishakh):
    TargetModel.objects.update(laboratory=judge.rater.laboratory)
    response = text(lead.get(f"/p/feasts/judges/{judge.pk}/"))
    assert "Nile-7B" in response
    assert "Ask " not in response
    assert not Run.objects.exists()


def test_nour_starts_a_run_of_one_variety_and_sees_it_end(
    lead, judge, koshari, boishakh, eager, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        response = lead.post(f"/p/feasts/judges/{judge.pk}/run/", {"varieties": boishakh.variety_id, "round": 1})
    run = Run.objects.get()
    assert response.url == f"/p/feasts/judges/runs/{run.uuid}/"
    assert set(Call.objects.values_list("response__key", flat=True)) == {"boishakh"}
    over = text(lead.get(response.url))
    assert "2 of 2 calls" in over
    assert "hx-trigger" not in over  # it asks no more once it is over
    assert "simulated" in over


def test_a_running_run_is_asked_for_again_and_can_be_cancelled(lead, judge, feasts):
    run = runs.create_run(judge, judge.project.responses.all())
    runs.start_here(run)
    url = f"/p/feasts/judges/runs/{run.uuid}/"
    fragment = text(lead.get(url, headers={"HX-Request": "true"}))
    assert 'hx-trigger="every 1500ms"' in fragment
    assert "<html" not in fragment
    assert "0 of 24 calls" in fragment
    lead.post(f"{url}cancel/")
    assert "Resume" in text(lead.get(url))
    lead.post(f"{url}resume/")
    run.refresh_from_db()
    assert run.state == RunState.RUNNING
    assert "Nothing was changed" in text(lead.post(f"{url}resume/", follow=True))


def test_what_was_said_stands_beside_what_was_read(lead, judge, project, provider, boishakh):
    Judge.objects.update(model="simulated-1:malformed")
    run = runs.create_run(Judge.objects.get(), project.responses.all())
    for shard in runs.start_here(run):
        shards.work_through(shard)
    shown = text(lead.get(f"/p/feasts/judges/runs/{run.uuid}/calls/"))
    assert "faults" in shown  # word for word what was said
    assert "other fields than were asked for" in shown
    assert "No calls in this state" in text(lead.get(f"/p/feasts/judges/runs/{run.uuid}/calls/?state=scored"))
    assert "Ask 2 failed calls again" in text(lead.get(f"/p/feasts/judges/runs/{run.uuid}/"))


def test_the_pages_cost_the_same_number_of_queries_for_many(
    lead, judge, provider, feasts, django_assert_max_num_queries
):
    from judging.judges import add_judge

    for number in range(8):
        add_judge(judge.project, provider, "simulated-2", name=f"Judge {number}")
    run = runs.create_run(judge, judge.project.responses.all())
    for shard in runs.start_here(run):
        shards.work_through(shard)
    # session, person, project, roles and the page's own questions, two of them whether marks tell who gave them
    with django_assert_max_num_queries(11):
        lead.get("/p/feasts/judges/")
    with django_assert_max_num_queries(8):
        lead.get(f"/p/feasts/judges/runs/{run.uuid}/")
    with django_assert_max_num_queries(8):
        lead.get(f"/p/feasts/judges/runs/{run.uuid}/calls/")


def test_nothing_on_the_pages_needs_more_than_the_strict_policy(lead, judge, feasts):
    run = runs.create_run(judge, judge.project.responses.all())
    for url in ("/p/feasts/judges/", f"/p/feasts/judges/{judge.pk}/", f"/p/feasts/judges/runs/{run.uuid}/"):
        shown = text(lead.get(url))
        assert " style=" not in shown
        assert "<style" not in shown
        assert "onclick" not in shown


def test_another_lead_finds_nothing(omar, judge):
    client = signed_in(omar)
    assert client.get("/p/feasts/judges/").status_code == 404
    assert client.get("/providers/").status_code == 404


def test_ada_sets_up_a_provider_without_its_key(ada, db, monkeypatch):
    client = signed_in(ada)
    form = {
        "name": "gateway",
        "base_url": "https://gateway.example/v1",
        "key_name": "GATEWAY_KEY",
        "structured_output": "object",
        "concurrency": 8,
        "timeout_seconds": 60,
    }
    assert client.post("/providers/add/", form | {"key_name": "sk-not a name"}).status_code == 422
    assert client.post("/providers/add/", form | {"base_url": "ftp://gateway.example"}).status_code == 422
    assert client.post("/providers/add/", form | {"concurrency": 0}).status_code == 422
    assert client.post("/providers/add/", form).status_code == 302
    assert "not set here" in text(client.get("/providers/"))
    monkeypatch.setenv("GATEWAY_KEY", "secret-value")
    shown = text(client.get("/providers/"))
    assert "set here" in shown
    assert "secret-value" not in shown


def test_ada_maps_a_model(ada, db):
    Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    client = signed_in(ada)
    assert client.post("/providers/models/", {"pattern": "our-own"}).status_code == 422
    form = {"pattern": "our-own", "chosen_laboratory": "delta-lab"}
    assert client.post("/providers/models/", form).status_code == 302
    assert client.post("/providers/models/", form | {"pattern": "Our-Own"}).status_code == 302
    shown = text(client.get("/providers/"))
    assert "our-own" in shown
    assert "Delta Lab" in shown


def test_every_problem_has_its_words():
    assert in_words("http_400: bad model").endswith("bad model")
    assert in_words("") == ""
    assert all(in_words(code) != code for code in TEXTS)
    assert CallState.FAILED == "failed"


def test_nour_lets_a_judge_grade_and_reads_its_verdicts(lead, project, provider, mona):
    make_rubrics_project(project)
    grade = graded_response(project, Rater.objects.get(user=mona))
    respond(ask(project, "waiting"))
    assert "Grades by rubric" in text(lead.get("/p/feasts/judges/add/"))
    form = {"provider": provider.pk, "model": "simulated-1", "kind": "rubric", "target": "shown"}
    page = text(lead.post("/p/feasts/judges/add/", form, follow=True))
    assert "Ask 1 question" in page
    assert "told which model wrote the response" in page
    assert "without a frozen rubric, or not graded by a person yet" in page
    judge = Judge.objects.get()
    assert judge.options == {"target": "shown"}
    run = runs.create_run(judge, project.responses.all())
    for shard in runs.start_here(run):
        shards.work_through(shard)

    read = text(lead.get(f"/p/feasts/judges/runs/{run.uuid}/calls/"))
    for words in (LENTILS, PHARAOHS, "Error present", "No such error", ">-5</bdi> points", ">10</bdi> points"):
        assert words in read
    assert read.count("Simulated: decided") >= 5
    assert f"paragraph {run.calls.get().unit + 1}" not in read
    assert "1 of 1 calls" in text(lead.get(f"/p/feasts/judges/runs/{run.uuid}/"))
    assert "Grades by rubric" in text(lead.get("/p/feasts/judges/"))
    over = text(lead.get(f"/p/feasts/judges/{judge.pk}/"))
    assert "No response waits for this judge" in over
    assert "Answered before" in over
    assert "1 judge has answered." in text(lead.get("/p/feasts/"))
    assert grade.response.target_model.name == "Nile-7B"


def test_a_judge_that_grades_is_not_told_the_target_unless_nour_says_so(lead, project, provider):
    form = {"provider": provider.pk, "model": "simulated-1", "kind": "rubric", "own_temperature": "on"}
    lead.post("/p/feasts/judges/add/", form)
    judge = Judge.objects.get()
    assert (judge.options, judge.temperature) == ({"target": "masked"}, None)


def test_what_the_page_suggests_fits_the_project(lead, project, provider):
    assert JudgeForm(initial={"kind": likely_kind(project)})["kind"].value() == "spans"
    make_rubrics_project(project)
    assert JudgeForm(initial={"kind": likely_kind(project)})["kind"].value() == "rubric"
