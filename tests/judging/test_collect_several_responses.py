"""Nour wants two responses of each model to each prompt, and tells the models in which language to answer."""

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from judging.collecting.beginning import create_collection
from judging.collecting.by_hand import CONTROLS, check_open, paste
from judging.collecting.calling import Answer, Question
from judging.collecting.endpoints import add_by_hand, add_endpoint, set_replicates
from judging.collecting.planning import Part, open_prompts, plan
from judging.collecting.storing import write
from judging.collecting.summaries import overview
from judging.collecting.system_prompts import fill, of_project, set_texts
from judging.engine import runs
from judging.models import CollectionCall, SystemPrompt, TargetEndpoint
from projects.anchors import sha256
from projects.models import AuditEvent, Laboratory, LanguageVariety, Project, Prompt, Response
from projects.problems import Invalid
from providers.client.replies import Reply
from providers.laboratories import guard_of
from tests.benchmark.sets import question_line, set_of
from tests.judging.collecting import add_prompt, collect, started, work_off
from tests.people import signed_in

pytestmark = pytest.mark.django_db
ARABIC, ENGLISH = "إزاي أعمل كشري؟", "How do I make koshari?"


@pytest.fixture
def koshari(project) -> Project:
    """A study of ratings, with a prompt in Egyptian Arabic and one in English."""
    Project.objects.filter(pk=project.pk).update(areas=["ratings"], preset="ratings")
    project.refresh_from_db()
    add_prompt(project, "koshari", ARABIC)
    add_prompt(project, "koshari-en", ENGLISH, "en-US")
    return project


def came_in_a_file(endpoint: TargetEndpoint, prompt: Prompt) -> None:
    text = "جه في ملف."
    told = {"project": prompt.project, "variety": prompt.variety, "target_model": endpoint.target_model}
    Response.objects.create(prompt=prompt, key="from-a-file", text=text, text_sha256=sha256(text), **told)


@pytest.fixture
def lead(nour):
    return signed_in(nour)


# --- Several responses ----------------------------------------------------------------------------------


def test_each_replicate_is_a_response_of_its_own_with_the_next_seed(koshari, provider, fake_provider):
    fake_provider.tell(record=True)
    endpoint = add_endpoint(koshari, provider, "simulated-1", parameters={"seed": 7}, replicates=2)
    assert plan(endpoint).size == 4
    collect(endpoint)
    assert sorted(asked["body"]["seed"] for asked in fake_provider.asked()) == [7, 7, 8, 8]
    rows = Response.objects.order_by("key")
    assert [row.key for row in rows] == [
        *("koshari-en-simulated-1", "koshari-en-simulated-1-r2", "koshari-simulated-1", "koshari-simulated-1-r2"),
    ]
    told = [row.metadata["collected"] for row in rows]
    assert [(each["replicate"], each["parameters"]["seed"]) for each in told] == [(1, 7), (2, 8)] * 2
    assert len({row.text for row in rows}) == 4
    assert (plan(endpoint).size, plan(endpoint).answered) == (0, 4)
    summary = overview(koshari).endpoints[0]
    assert (summary.answered, summary.wanted, summary.left) == (4, 4, 0)


def test_nothing_is_sent_beside_the_prompt_where_no_seed_is_set(koshari, provider, fake_provider):
    fake_provider.tell(record=True)
    collect(add_endpoint(koshari, provider, "simulated-1", replicates=2))
    assert [set(asked["body"]) for asked in fake_provider.asked()] == [{"model", "messages"}] * 4


def test_the_database_holds_one_call_for_each_number(koshari, provider):
    endpoint = add_endpoint(koshari, provider, "simulated-1", replicates=2)
    prompt = koshari.prompts.first()
    CollectionCall.objects.create(endpoint=endpoint, prompt=prompt, replicate=1)
    CollectionCall.objects.create(endpoint=endpoint, prompt=prompt, replicate=2)
    for number in (0, 2):
        with pytest.raises(IntegrityError), transaction.atomic():
            CollectionCall.objects.create(endpoint=endpoint, prompt=prompt, replicate=number)


def test_more_are_asked_for_later(koshari, provider, nour):
    endpoint = add_endpoint(koshari, provider, "simulated-1")
    collect(endpoint)
    assert set_replicates(endpoint, 3, by=nour)
    assert (plan(endpoint).prompts, plan(endpoint).replicates) == (
        [pk for pk in koshari.prompts.order_by("pk").values_list("pk", flat=True) for _n in range(2)],
        [2, 3, 2, 3],
    )
    collect(endpoint)
    assert Response.objects.count() == 6
    with pytest.raises(Invalid, match="3 times"):
        set_replicates(endpoint, 2)
    for number in (0, 21):
        with pytest.raises(Invalid, match="from 1 to 20"):
            set_replicates(endpoint, number)
    assert not set_replicates(endpoint, 3)
    assert AuditEvent.objects.filter(action="target.replicates", actor=nour).count() == 1


def test_what_came_in_a_file_counts(koshari, provider):
    endpoint = add_endpoint(koshari, provider, "simulated-1", replicates=2)
    prompt = koshari.prompts.get(key="koshari")
    came_in_a_file(endpoint, prompt)
    assert (plan(endpoint).size, plan(endpoint).answered) == (3, 1)
    collect(endpoint)
    assert prompt.responses.count() == 2


def test_one_that_comes_in_a_file_while_two_are_asked_for_makes_one_of_them_too_many(koshari, provider):
    endpoint = add_endpoint(koshari, provider, "simulated-1", replicates=2)
    run = started(endpoint)
    prompt = koshari.prompts.get(key="koshari")
    came_in_a_file(endpoint, prompt)
    work_off(run)
    assert prompt.responses.count() == 2
    ended = CollectionCall.objects.filter(prompt=prompt).values_list("state", "problem")
    assert sorted(ended) == [("collected", ""), ("unusable", "response_exists")]


def test_a_replicate_that_failed_is_asked_again_beside_one_that_came(koshari, provider, fake_provider):
    fake_provider.tell(faults=["badrequest"])
    endpoint = add_endpoint(koshari, provider, "simulated-1", replicates=2)
    run = collect(endpoint)
    assert Response.objects.count() == 3
    assert runs.retry_failed(run)
    work_off(run)
    assert Response.objects.count() == 4


def test_a_cancelled_run_leaves_its_replicates_to_the_next(koshari, provider):
    endpoint = add_endpoint(koshari, provider, "simulated-1", replicates=2)
    runs.cancel(started(endpoint))
    assert len(plan(endpoint).taken_up) == 4
    collect(endpoint)
    assert Response.objects.count() == 4


def test_two_are_pasted_by_hand_and_no_third(koshari, nour):
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    endpoint = add_by_hand(koshari, "River Spark", laboratory=laboratory, replicates=2)
    prompt = koshari.prompts.get(key="koshari")
    for text in ("الأول", "التاني"):
        assert prompt in open_prompts(endpoint)
        paste(endpoint, prompt, text, list(CONTROLS), nour)
    assert prompt not in open_prompts(endpoint)
    with pytest.raises(Invalid, match="response of this model already"):
        check_open(endpoint, prompt)
    assert [row.metadata["collected"]["replicate"] for row in prompt.responses.order_by("pk")] == [1, 2]


def test_responses_are_taken_over_number_by_number(koshari, other_project, provider, fake_provider):
    Project.objects.filter(pk=other_project.pk).update(areas=["ratings"])
    other_project.refresh_from_db()
    add_prompt(other_project, "koshari", ARABIC)
    set_replicates(collect(add_endpoint(other_project, provider, "simulated-1")).endpoint, 1)
    asked = fake_provider.counts()["served"]
    endpoint = add_endpoint(koshari, provider, "simulated-1", replicates=2)
    collect(endpoint, takes_over=True)
    # of four the first of the Arabic prompt is there already
    assert fake_provider.counts()["served"] - asked == 3
    assert endpoint.calls.exclude(reused=None).get().replicate == 1


def test_a_question_set_takes_one_answer(project, provider):
    set_of(project, question_line())
    project.refresh_from_db()
    with pytest.raises(Invalid, match="one answer"):
        add_endpoint(project, provider, "simulated-1", replicates=2)


def test_on_the_page_and_the_command_line(lead, koshari, provider, capsys):
    form = {"source": "provider", "provider": provider.pk, "model": "simulated-1", "seed": "7", "replicates": "2"}
    shown = lead.post("/p/feasts/targets/add/", form, follow=True).content.decode()
    assert "each 2 times" in shown
    assert "Ask 4 prompts" in shown
    endpoint = koshari.target_endpoints.get()
    shown = lead.post(f"/p/feasts/targets/{endpoint.pk}/replicates/", {"replicates": "3"}, follow=True)
    assert "Ask 6 prompts" in shown.content.decode()
    refused = lead.post(f"/p/feasts/targets/{endpoint.pk}/replicates/", {"replicates": "21"})
    assert refused.status_code == 422
    call_command("collect_responses", "feasts", "--replicates", "2", "--here")
    assert "4 prompts" in capsys.readouterr().out
    assert Response.objects.count() == 4
    with pytest.raises(CommandError, match="2 times"):
        call_command("collect_responses", "feasts", "--replicates", "1", "--plan")
    answers = lead.get(f"/p/feasts/targets/collections/{endpoint.runs.get().uuid}/answers/").content.decode()
    assert answers.count("#2") == 2


# --- System prompts -------------------------------------------------------------------------------------


def test_each_prompt_goes_with_the_system_prompt_of_its_language(koshari, provider, fake_provider, nour):
    fake_provider.tell(record=True)
    assert set_texts(koshari, {"": "Answer in {language} ({variety}).", "ar-EG": "جاوب بالمصري."}, by=nour)
    endpoint = add_endpoint(koshari, provider, "simulated-1", parameters={"temperature": 0.2})
    collect(endpoint)
    sent = {tuple(message["content"] for message in asked["body"]["messages"]) for asked in fake_provider.asked()}
    name = LanguageVariety.objects.get(tag="en-US").name
    english = f"Answer in English ({name})."
    assert sent == {("جاوب بالمصري.", ARABIC), (english, ENGLISH)}
    told = Response.objects.get(prompt__key="koshari-en").metadata["collected"]["parameters"]
    assert told == {"temperature": 0.2, "system": english}
    assert AuditEvent.objects.get(action="system_prompts.changed").actor == nour


def test_what_a_model_is_told_for_itself_comes_before_what_the_project_says(koshari, provider, fake_provider):
    fake_provider.tell(record=True)
    set_texts(koshari, {"": "Of the project."})
    collect(add_endpoint(koshari, provider, "simulated-1", parameters={"system": "Write {language}."}))
    told = {asked["body"]["messages"][0]["content"] for asked in fake_provider.asked()}
    assert told == {"Write Arabic.", "Write English."}


def test_a_run_keeps_the_texts_that_it_began_with(koshari, provider, fake_provider):
    fake_provider.tell(record=True)
    set_texts(koshari, {"": "Before."})
    run = create_collection(add_endpoint(koshari, provider, "simulated-1"))
    set_texts(koshari, {"": "After."})
    runs.start_here(run)
    work_off(run)
    assert {asked["body"]["messages"][0]["content"] for asked in fake_provider.asked()} == {"Before."}
    assert {row.metadata["collected"]["parameters"]["system"] for row in Response.objects.all()} == {"Before."}


def test_a_placeholder_that_nobody_fills_in_is_named(koshari, provider):
    with pytest.raises(Invalid, match=r"“\{dialect\}”"):
        set_texts(koshari, {"": "Answer in {dialect}."})
    with pytest.raises(Invalid, match=r"“\{locale\}”"):
        add_endpoint(koshari, provider, "simulated-1", parameters={"system": "In {locale}."})
    with pytest.raises(Invalid, match="“xx-XX” is not a language tag"):
        set_texts(koshari, {"xx-XX": "Hello"})
    assert not SystemPrompt.objects.exists()
    # braces that are no name are text
    assert set_texts(koshari, {"": 'Answer as {"answer": "..."} or {}.'})
    variety = LanguageVariety.objects.get(tag="ar-EG")
    assert fill(of_project(koshari)[""], variety) == 'Answer as {"answer": "..."} or {}.'
    assert not set_texts(koshari, of_project(koshari))
    assert set_texts(koshari, {"": "  "})
    assert of_project(koshari) == {}


def test_the_database_holds_one_text_a_variety(koshari):
    variety = LanguageVariety.objects.get(tag="ar-EG")
    for spoken in (variety, None):
        SystemPrompt.objects.create(project=koshari, variety=spoken, text="One")
        with pytest.raises(IntegrityError), transaction.atomic():
            SystemPrompt.objects.create(project=koshari, variety=spoken, text="Two")


def test_nour_writes_them_on_their_page(lead, koshari, provider):
    endpoint = add_endpoint(koshari, provider, "simulated-1")
    assert "/p/feasts/targets/system/" in lead.get("/p/feasts/targets/").content.decode()
    url = "/p/feasts/targets/system/"
    refused = lead.post(url, {"others": "In {tongue}.", "ar-EG": "بالمصري"})
    assert refused.status_code == 422
    assert "“{tongue}”" in refused.content.decode()
    assert "بالمصري" in refused.content.decode()
    saved = lead.post(url, {"others": "In {language}.\r\nShortly.", "ar-EG": "بالمصري"})
    assert saved.status_code == 302
    assert of_project(koshari) == {"": "In {language}.\nShortly.", "ar-EG": "بالمصري"}
    shown = lead.get(f"/p/feasts/targets/{endpoint.pk}/").content.decode()
    assert "بالمصري" in shown
    assert "no system prompt" not in shown


# --- Some prompts alone ---------------------------------------------------------------------------------


def test_one_variety_is_asked_twice_and_the_others_once(koshari, provider):
    endpoint = add_endpoint(koshari, provider, "simulated-1")
    collect(endpoint)
    arabic = Part(varieties=("ar-EG",), replicates=2)
    assert plan(endpoint, arabic).replicates == [2]
    work_off(started(endpoint, part=arabic))
    assert sorted(Response.objects.values_list("prompt__key", flat=True)) == [*("koshari", "koshari", "koshari-en")]
    assert plan(endpoint).size == plan(endpoint, arabic).size == 0
    assert overview(koshari).endpoints[0].left == 0  # of the others no second one is missing


def test_both_of_one_run_are_kept_whichever_ended_first(koshari, provider):
    endpoint = add_endpoint(koshari, provider, "simulated-1")
    run = started(endpoint, part=Part(varieties=("ar-EG",), replicates=2))
    second, first = run.collection_calls.order_by("-replicate")
    for call in (second, first):
        said = Reply(text=f"Answer {call.replicate}.", model="simulated-1", finish_reason="stop")
        now = timezone.now()
        write([Answer(Question(call.pk, "?"), guard_of("simulated-1", provider), said, now, now).read()])
    assert set(run.collection_calls.values_list("state", flat=True)) == {"collected"}


def test_a_task_that_no_prompt_has_is_nothing_to_ask(koshari, provider):
    with pytest.raises(Invalid):
        create_collection(add_endpoint(koshari, provider, "simulated-1"), part=Part(tasks=("none",)))
    with pytest.raises(Invalid):
        create_collection(TargetEndpoint.objects.get(), part=Part(replicates=21))


def test_the_command_asks_a_variety_twice(koshari, provider, capsys):
    endpoint = add_endpoint(koshari, provider, "simulated-1")
    call_command("collect_responses", koshari.slug, "--variety", "ar-EG", "--replicates", "2", "--plan")
    assert "2" in capsys.readouterr().out
    endpoint.refresh_from_db()
    assert endpoint.replicates == 1
