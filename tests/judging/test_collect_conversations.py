"""Nour asks models to go on with conversations: some turns were said before, others are asked one after the other."""

import io
import json
from itertools import pairwise

import orjson
import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from annotation.questionnaires.shown import Item, turns
from formats.exporting_prompts import lines
from formats.importing.running import run_import
from formats.reading import Source
from judging.collecting.calling import Question, Setup, ask, prepare, worst_case
from judging.collecting.endpoints import add_endpoint
from judging.collecting.system_prompts import set_texts
from judging.models import CollectionCall
from projects.conversations import answered, as_text, fault, messages_of, parts_asked
from projects.models import Project, Prompt, Response
from providers.client.replies import Reply
from providers.laboratories import Guard
from providers.limiter.circuit_breaker import ProviderDown
from providers.prices import Price
from tests.coroutines import run
from tests.judging.collecting import collect
from tests.people import signed_in

USER, MODEL, SYSTEM = "user", "assistant", "system"


def said(*turns: tuple[str, str]) -> list[dict[str, str]]:
    return [{"role": role, "content": content} for role, content in turns]


GONE_ON = said((USER, "What is koshari?"), (MODEL, "A dish of Egypt."), (USER, "How is it made?"))
STEPWISE = said((USER, "إيه هو الكشري؟"), (USER, "واتعمل فين أول مرة؟ 🍲"))


@pytest.fixture
def study(project) -> Project:
    Project.objects.filter(pk=project.pk).update(areas=["ratings"], preset="ratings")
    project.refresh_from_db()
    return project


def bring_in(project: Project, *records: dict, kind: str = "prompts"):
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return run_import(project, Source(io.BytesIO(text.encode()), "file.jsonl"), kind)


# --- Messages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        ([], "no_messages"),
        ("text", "no_messages"),
        ([{"role": "user"}], "wrong_message"),
        ([{"role": "robot", "content": "a"}], "wrong_message"),
        ([{"role": "user", "content": "a", "name": "b"}], "wrong_message"),
        (["user"], "wrong_message"),
        (said((USER, " \n")), "empty"),
        ([{"role": "user", "content": 5}], "empty"),
        (said((MODEL, "a"), (USER, "b")), "wrong_order"),
        (said((USER, "a"), (MODEL, "b")), "wrong_order"),
        (said((USER, "a"), (SYSTEM, "b"), (USER, "c")), "wrong_order"),
        (said((SYSTEM, "a")), "wrong_order"),
        (said((USER, "a"), (MODEL, "b"), (MODEL, "c"), (USER, "d")), "wrong_order"),
        (said(*[(USER, "a")] * 101), "too_many"),
    ],
)
def test_what_is_no_conversation_is_named(messages, code):
    assert fault(messages)[0] == code


def test_the_text_of_a_conversation_is_all_of_it():
    assert fault(GONE_ON) is fault(STEPWISE) is None
    assert as_text(GONE_ON) == "user:\nWhat is koshari?\n\nassistant:\nA dish of Egypt.\n\nuser:\nHow is it made?"
    assert as_text(said((USER, "Alone"))) == "Alone"
    assert messages_of("Alone", []) == said((USER, "Alone"))
    assert [len(part) for part in parts_asked(GONE_ON)] == [3]
    assert [len(part) for part in parts_asked(STEPWISE)] == [1, 1]
    assert answered(STEPWISE, ["a", "b"]) == f"assistant:\na\n\nuser:\n{STEPWISE[1]['content']}\n\nassistant:\nb"
    assert answered(GONE_ON, ["a"]) == "a"


@given(st.lists(st.sampled_from([USER, MODEL]), min_size=1, max_size=8))
def test_every_turn_of_the_user_without_an_answer_is_asked(roles):
    messages = said(*[(role, "x") for role in roles])
    if fault(messages) is None:
        unanswered = sum(one == USER and other == USER for one, other in pairwise(roles)) + 1
        assert len(parts_asked(messages)) == unanswered
        assert [message for part in parts_asked(messages) for message in part] == messages


def test_the_worst_case_counts_every_turn_and_every_reply_before_it():
    setup = Setup(Guard("m", "lab"), "m", parameters={"max_tokens": 100}, price=Price(1000, 1000))
    lone, two = (prepare(setup, Question(0, "", messages=turns)) for turns in (GONE_ON, STEPWISE))
    assert worst_case(setup, lone).tokens == lone.size + 100
    assert worst_case(setup, two).tokens == 2 * two.size + 100 + 2 * 100


# --- In and out -----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_messages_come_in_and_leave_as_they_were(study, other_project):
    outcome = bring_in(study, {"prompt_id": "c", "prompt": GONE_ON, "variety": "en-US"})
    assert outcome.is_clean, outcome.problems
    prompt = Prompt.objects.get()
    assert (prompt.messages, prompt.text) == (GONE_ON, as_text(GONE_ON))
    again = bring_in(study, {"prompt_id": "c", "prompt": GONE_ON, "variety": "en-US"})
    assert again.is_clean
    assert Prompt.objects.count() == 1
    [line] = lines(study)
    assert orjson.loads(line)["prompt"] == GONE_ON
    assert bring_in(other_project, orjson.loads(line)).is_clean
    assert Prompt.objects.get(project=other_project).messages == GONE_ON
    with pytest.raises(IntegrityError), transaction.atomic():
        Prompt.objects.filter(pk=prompt.pk).update(messages=STEPWISE)


@pytest.mark.django_db
def test_items_carry_conversations_too_and_a_lone_message_is_a_text(study):
    item = {"variety": "en-US", "model": "Nile-7B", "laboratory": "delta-lab", "response": "With rice."}
    outcome = bring_in(
        study,
        {"id": "a", "prompt": GONE_ON, **item},
        {"id": "b", "prompt": said((USER, "Alone")), **item},
        kind="items",
    )
    assert outcome.is_clean, outcome.problems
    assert Response.objects.get(key="a").prompt.messages == GONE_ON
    lone = Response.objects.get(key="b").prompt
    assert (lone.text, lone.messages) == ("Alone", [])


@pytest.mark.django_db
def test_a_wrong_message_is_named_by_line_and_field(study):
    outcome = bring_in(study, {"prompt": said((MODEL, "a")), "variety": "en-US"})
    assert [(problem.line, problem.field, problem.code) for problem in outcome.problems] == [
        (1, "prompt", "wrong_order")
    ]
    assert not Prompt.objects.exists()


# --- Asking ---------------------------------------------------------------------------------------------


def asked_messages(fake_provider) -> list[list[tuple[str, str]]]:
    return [[(m["role"], m["content"]) for m in each["body"]["messages"]] for each in fake_provider.asked()]


@pytest.mark.django_db
def test_a_model_goes_on_with_what_was_said(study, provider, fake_provider):
    bring_in(study, {"prompt_id": "c", "prompt": GONE_ON, "variety": "en-US"})
    set_texts(study, {"": "Answer in {language}."})
    fake_provider.tell(record=True)
    collect(add_endpoint(study, provider, "simulated-1"))
    [sent] = asked_messages(fake_provider)
    assert sent == [(SYSTEM, "Answer in English."), *((m["role"], m["content"]) for m in GONE_ON)]
    response = Response.objects.get()
    assert not response.text.startswith("assistant:")
    assert "turns" not in response.metadata["collected"]


@pytest.mark.django_db
def test_turns_are_asked_one_after_the_other_with_the_replies_between(study, provider, fake_provider):
    bring_in(study, {"prompt_id": "c", "prompt": STEPWISE, "variety": "ar-EG"})
    fake_provider.tell(record=True)
    collect(add_endpoint(study, provider, "simulated-1"))
    first, second = asked_messages(fake_provider)
    assert first == [(USER, STEPWISE[0]["content"])]
    assert [role for role, _content in second] == [USER, MODEL, USER]
    assert (second[0], second[2]) == (first[0], (USER, STEPWISE[1]["content"]))
    response = Response.objects.get()
    assert response.text.startswith(f"assistant:\n{second[1][1]}\n\nuser:\n{STEPWISE[1]['content']}\n\nassistant:\n")
    assert response.metadata["collected"]["turns"] == 2
    call = CollectionCall.objects.get()
    assert (call.state, call.attempts) == ("collected", 2)
    collect_again = call_command("collect_responses", study.slug, "--plan")
    assert collect_again is None
    assert Response.objects.count() == 1


@pytest.mark.django_db
def test_a_system_message_of_its_own_stands_in_the_place_of_the_projects(study, provider, fake_provider):
    bring_in(study, {"prompt_id": "c", "prompt": [*said((SYSTEM, "Be brief.")), *GONE_ON], "variety": "en-US"})
    set_texts(study, {"": "Answer in {language}."})
    fake_provider.tell(record=True)
    collect(add_endpoint(study, provider, "simulated-1"))
    assert [content for role, content in asked_messages(fake_provider)[0] if role == SYSTEM] == ["Be brief."]


@pytest.mark.django_db
def test_where_a_turn_is_refused_nothing_more_is_asked(study, provider, fake_provider):
    bring_in(study, {"prompt_id": "c", "prompt": STEPWISE, "variety": "ar-EG"})
    fake_provider.tell(record=True)
    collect(add_endpoint(study, provider, "simulated-1:refuse"))
    assert len(asked_messages(fake_provider)) == 1
    assert CollectionCall.objects.get().state == "refused"
    assert not Response.objects.exists()


@pytest.mark.django_db
def test_who_collects_sees_the_whole_conversation(study, provider, nour):
    bring_in(study, {"prompt_id": "c", "prompt": GONE_ON, "variety": "en-US"})
    run = collect(add_endpoint(study, provider, "simulated-1"))
    page = signed_in(nour).get(f"/p/{study.slug}/targets/collections/{run.uuid}/answers/").content.decode()
    assert "A dish of Egypt." in page
    assert "How is it made?" in page


class BreaksOff:
    """A provider that answers the first turn and is down at the second."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def ask(self, request, *, idempotency_key="", expected_tokens=0, may_retry=None) -> Reply:
        self.asked.append(idempotency_key)
        if len(self.asked) > 1:
            raise ProviderDown("away")
        return Reply(text="A dish.", model="m", finish_reason="stop", prompt_tokens=10, completion_tokens=5)


def test_what_a_turn_cost_is_charged_where_the_next_one_never_came():
    setup = Setup(Guard("m", "lab"), "m", parameters={"max_tokens": 100}, price=Price(1000, 1000))
    prepared, provider = prepare(setup, Question(1, "", key="call", messages=STEPWISE)), BreaksOff()
    answer = run(ask(setup, provider, prepared)).read()
    assert provider.asked == ["call-0", "call-1"]  # each turn under a name of its own, the same at every attempt
    assert (answer.state, answer.problem) == ("failed", "provider_down")
    assert (answer.charge.tokens, answer.charge.money) == (15, 15)


@pytest.mark.django_db
def test_a_layout_shows_the_messages_turn_by_turn(study):
    bring_in(study, {"prompt_id": "c", "prompt": GONE_ON, "variety": "en-US"})
    shown = turns(Item(Prompt.objects.select_related("variety").get(), ()))
    assert [(turn.role, turn.text) for turn in shown] == [(m["role"], m["content"]) for m in GONE_ON]
