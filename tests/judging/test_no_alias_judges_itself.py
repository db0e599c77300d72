"""Seventy-two names under which gateways and clouds sell models: under none does a laboratory judge itself.

Looked for at every door, for every kind of judge: in what is planned, in what is asked though it was planned, and in
what a reply says of who wrote it. The last tests take the guard away at one door each.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from judging.engine import calling, replaying, runs
from judging.engine.calling import Question, Setup, outcome_of
from judging.engine.planning import plan
from judging.engine.questions import open_questions
from judging.engine.setups import setup_of
from judging.models import ANSWERED, Judge
from projects.models import Laboratory, Response, TargetModel
from providers import laboratories
from providers.client.openai_compatible import Connections
from providers.client.replies import Reply
from providers.laboratories import Guard, guard_of
from providers.models import Provider
from tests import coroutines
from tests.judging.every_kind import KINDS, TICKET, good_answer, judge_of, work_for_every_kind
from tests.judging.test_no_laboratory_judges_itself import ALIASES

pytestmark = pytest.mark.django_db
# How imports and people write the same laboratory.
WRITTEN_OTHERWISE = {
    "google": "google-deepmind",
    "alibaba": "qwen",
    "meta": "meta-llama",
    "xai": "x-ai",
    "zhipu": "z-ai",
}


@dataclass
class Doors:
    """A project in which every kind has work. Whose the responses are changes from alias to alias."""

    gateway: Provider
    responses: list[Response]
    judges: dict[str, Judge]
    setups: dict[str, Setup]
    questions: dict[str, list[Question]]
    rows: dict[str, Laboratory] = field(default_factory=dict)

    def let_write(self, laboratory: str) -> str:
        """From now on the responses are of this laboratory, as it may be written."""
        slug = WRITTEN_OTHERWISE.get(laboratory, laboratory)
        if slug not in self.rows:
            self.rows[slug] = Laboratory.objects.get_or_create(slug=slug, defaults={"name": slug})[0]
        TargetModel.objects.update(laboratory=self.rows[slug])
        return slug


@pytest.fixture
def doors(project, koshari, mona, karim) -> Doors:
    work_for_every_kind(project, koshari, mona, karim)
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    judges, setups, questions = {}, {}, {}
    for kind in KINDS:
        judges[kind] = judge_of(kind, project, gateway, "simulated-1")
        run = runs.create_run(judges[kind], project.responses.all())
        setups[kind] = setup_of(run)
        questions[kind] = [question for shard in run.shards.all() for question in open_questions(shard)]
        assert questions[kind]
        run.delete()  # so that all of it can be planned anew
    return Doors(gateway, list(project.responses.all()), judges, setups, questions)


class Asked(Connections):
    """Connections that count what they are asked."""

    def __init__(self) -> None:
        self.count = 0

    async def ask(self, *_request: Any, **_how: Any) -> Reply:
        self.count += 1
        return Reply(failure="timeout")


def planned_of_own(doors: Doors, aliases: Sequence[tuple[str, str]]) -> list[str]:
    """Kinds and aliases of which a call is planned about the alias's own laboratory."""
    found = []
    for model, laboratory in aliases:
        doors.let_write(laboratory)
        for kind, judge in doors.judges.items():
            judge.model = model
            planned = plan(judge, Response.objects.filter(project=judge.project_id))
            if planned.size or planned.excluded_count != len(doors.responses):
                found.append(f"{kind}: {model}")
    return found


def asked_of_own(doors: Doors, aliases: Sequence[tuple[str, str]]) -> list[str]:
    """Those that are asked all the same, or answered without being asked, where such calls were planned."""
    found = []
    for model, laboratory in aliases:
        written = doors.let_write(laboratory)
        guard = guard_of(model, doors.gateway)
        for kind in KINDS:
            setup = replace(doors.setups[kind], model=model, guard=guard)
            for question in doors.questions[kind]:
                # By the laboratory, by the name alone, and by whoever marked the errors or wrote the other response.
                for own in (
                    replace(question, target_laboratory=written, markers=()),
                    replace(question, target_model=model, target_laboratory="delta-lab", markers=()),
                    replace(question, target_laboratory="delta-lab", markers=(("Nile-7B", written),)),
                ):
                    connections = Asked()
                    coroutines.run(calling.ask(setup, connections, calling.prepare(setup, own)))
                    result = replaying.result_of(setup, own, lambda asked, ticket: Reply(failure="timeout"))
                    if connections.count or result.problem != "own_laboratory":
                        found.append(f"{kind}: {model}")
    return found


def accepted_from_others(doors: Doors, aliases: Sequence[tuple[str, str]]) -> list[str]:
    """Those whose good answer counts though another judge was asked: a gateway had sent the question to them."""
    found = []
    for model, laboratory in aliases:
        asked = "simulated-1" if laboratory != "simulated" else "gpt-4o"
        guard = guard_of(asked, doors.gateway)
        for kind in KINDS:
            setup = replace(doors.setups[kind], model=asked, guard=guard)
            question = doors.questions[kind][0]
            good = json.dumps({"ticket": TICKET, **good_answer(setup, question)})
            reply = Reply(text=good, model=asked, finish_reason="stop")
            assert outcome_of(setup, question, reply, TICKET).state in ANSWERED
            if outcome_of(setup, question, replace(reply, model=model), TICKET).state in ANSWERED:
                found.append(f"{kind}: {model}")
    return found


DOORS = [planned_of_own, asked_of_own, accepted_from_others]


def test_there_are_sixty_and_more_of_twenty_laboratories():
    assert len({model for model, _laboratory in ALIASES}) == len(ALIASES) >= 60
    assert len({laboratory for _model, laboratory in ALIASES}) >= 20


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_no_alias_judges_its_own_laboratory(door, doors):
    assert door(doors, ALIASES) == []


def test_what_is_of_another_laboratory_is_planned_and_asked(doors):
    """Otherwise the tests above would hold where nothing is ever asked."""
    doors.let_write("delta-lab")
    for kind, judge in doors.judges.items():
        assert plan(judge, Response.objects.filter(project=judge.project_id)).size == len(doors.questions[kind])
        connections = Asked()
        made = calling.prepare(doors.setups[kind], doors.questions[kind][0])
        coroutines.run(calling.ask(doors.setups[kind], connections, made))
        assert connections.count == 1


# --- The guard, at one door after the other taken away ------------------------------------------------

SOME = ALIASES[::6]


def without_looking_at_who_wrote_it(monkeypatch):
    monkeypatch.setattr(Guard, "forbids", lambda self, model, laboratory: False)


def without_looking_at_who_answered(monkeypatch):
    monkeypatch.setattr(Guard, "accepts_reply", lambda self, model: True)


def with_the_name_as_it_is_written(monkeypatch):
    """A guard that compares names as they stand: `google-deepmind` is another than `google` to it."""
    monkeypatch.setattr(Guard, "forbids", lambda self, model, laboratory: laboratory == self.laboratory)


@pytest.mark.parametrize(
    ("door", "take_away"),
    [
        (planned_of_own, without_looking_at_who_wrote_it),
        (asked_of_own, without_looking_at_who_wrote_it),
        (accepted_from_others, without_looking_at_who_answered),
    ],
    ids=lambda part: part.__name__,
)
def test_the_search_finds_what_a_missing_guard_lets_through(door, take_away, doors, monkeypatch):
    """For every kind of judge and every alias."""
    take_away(monkeypatch)
    assert {*door(doors, SOME)} == {f"{kind}: {model}" for kind in KINDS for model, _laboratory in SOME}


def test_the_search_finds_laboratories_that_are_written_otherwise(doors, monkeypatch):
    with_the_name_as_it_is_written(monkeypatch)
    found = planned_of_own(doors, [(model, one) for model, one in ALIASES if one == "google"])
    assert len(found) >= len(KINDS)


def test_a_name_that_is_read_by_its_publisher_alone_is_found(doors, monkeypatch):
    """A laboratory read from the name wrongly: what a gateway is called would then be who trained the model."""
    monkeypatch.setattr(laboratories, "laboratory_of", lambda model, *more: model.casefold().split("/")[0])
    assert planned_of_own(doors, [("openrouter/anthropic/claude-sonnet-4", "anthropic")])
