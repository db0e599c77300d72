"""Text that poses as an answer, wherever a judge of any kind meets text, before judges that repeat what they read.

Every payload stands in every place at once: question, response, the response beside it, words and explanation of
an error, criterion, example, the model's name. The judge repeats any of them, with or without its marks, all of them,
or its instructions. None of it becomes a verdict. The last tests take away what keeps it from that, one at a time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from annotation.gold import derive
from annotation.models import Classification, ErrorCategory, GoldError, GroupProposal, Span
from judging.engine import calling, runs
from judging.engine.calling import Question, Setup, new_nonce, outcome_of
from judging.engine.shards import work_through
from judging.kinds import (
    JudgeKind,
    Material,
    ShownCriterion,
    ShownError,
    ShownExample,
    ShownQuestion,
    ShownQuestionnaire,
    ShownReference,
    judge_kind,
)
from judging.kinds.questions import shown_questions
from judging.models import ANSWERED, Call
from judging.prompts import PromptText
from projects.models import Response
from providers.client.replies import Reply
from providers.models import Provider
from tests.annotation.marked import mark, review
from tests.annotation.questionnaires import questionnaire
from tests.annotation.rated import question_type
from tests.judging.every_kind import KINDS, judge_of, setup_for
from tests.judging.injections import FORGED, payloads_of
from tests.judging.test_text_cannot_rate_itself import echo
from tests.judging.test_three_hundred_malformed_outputs import (
    with_the_last_of_two_objects,
    without_ticket_check,
)
from tests.people import add_response

pytestmark = pytest.mark.django_db
MARKED = re.compile(
    r"<<<(?P<what>[a-z]+) (?P<ticket>[0-9a-f]{16})>>>\n(?P<text>.*?)\n<<<end of (?P=what) (?P=ticket)>>>", re.S
)
ERRORS_OF = {"groups": 2, "categories": 1, "same_issue": 2, "refinement": 2}
UNITS = {"spans": -1, "sentences": 0}


@dataclass(frozen=True)
class Judged:
    """One form of question as its judge is really asked: the kind, its prompt, and what is asked about."""

    name: str
    kind: JudgeKind
    prompt: PromptText
    question: int | None
    unit: int

    @property
    def is_filled_in(self) -> bool:
        return self.name in ("questionnaire", "prompt_alone")

    @property
    def setup(self) -> Setup:
        return setup_for(self.kind, self.prompt)

    def material(self, prompt: str, response: str, elsewhere: str) -> Material:
        """A text as the question, one as the response, and one wherever else somebody's text stands."""
        how_many = 2 if self.name in ("pairwise", "preference") else 1
        graded = ((2, 4), "") if self.name == "pairwise" else ((), "first") if self.name == "preference" else ((2,), "")
        settled = ((), "", elsewhere) if self.name == "spans" or self.is_filled_in else graded
        example = ShownExample(elsewhere, "English", (elsewhere,) * how_many, *settled)
        return Material(
            prompt=prompt,
            response="" if self.name == "prompt_alone" else response,
            language="English",
            errors=tuple(self.error(pk, elsewhere) for pk in range(ERRORS_OF.get(self.name, 0))),
            criteria=tuple(ShownCriterion(1, elsewhere, weight) for weight in (10, -5) if self.name == "rubric"),
            target=elsewhere if self.name == "rubric" else "",
            other=elsewhere if how_many == 2 else "",
            question=self.question_type(),
            reference=self.reference(elsewhere) if self.name == "reference" or self.is_filled_in else None,
            examples=(example,) * 3 if self.question or self.name == "spans" else (),
            questionnaire=ShownQuestionnaire(self.question) if self.question and self.is_filled_in else None,
            others=(elsewhere,) if self.name == "questionnaire" else (),
        )

    def question_type(self) -> ShownQuestion | None:
        return shown_questions({self.question})[self.question] if self.question and not self.is_filled_in else None

    def error(self, pk: int, elsewhere: str) -> ShownError:
        said = (elsewhere,) if self.name == "refinement" else ()
        return ShownError(pk, elsewhere, "", elsewhere, said, 0)

    def reference(self, elsewhere: str) -> ShownReference:
        return ShownReference(1, "judge_generation", elsewhere, passage=elsewhere, options=elsewhere)


@pytest.fixture
def every_judge(project) -> list[Judged]:
    """The prompts as they are sent: with a taxonomy, with examples, with the model named."""
    for slug in ("dates", "food"):
        ErrorCategory.objects.create(project=project, slug=slug, name=slug.title(), definition=f"A wrong {slug}.")
    graded, preferred = question_type(project), question_type(project, "warmth", None, None)
    layout = ({"choice": "Right?", "key": "right", "of": ["Yes", "No"]}, {"ranking": "Which is best?", "key": "rank"})
    filled_in = questionnaire(project, *layout, show=("prompt", "reference", "pair"))
    alone = questionnaire(project, layout[0], show=("prompt", "reference"), name="Alone")
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    settings: dict[str, dict[str, Any]] = {
        "spans": {"with_taxonomy": True, "granularity": "response", "shots": "few"},
        "rubric": {"target": "shown"},
        "questionnaire": {"shots": "few"},
    }
    settings |= {"pointwise": {"shots": "few"}, "pairwise": {"shots": "few"}}
    of_kind = {
        kind: judge_kind(kind).prompt_text(judge_of(kind, project, gateway, **settings.get(kind, {}))) for kind in KINDS
    }
    kinds = {**{kind: kind for kind in KINDS}, "preference": "pairwise", "prompt_alone": "questionnaire"}
    questions: dict[str, int] = {
        "questionnaire": filled_in.pk,
        "prompt_alone": alone.pk,
        "pointwise": graded.pk,
        "pairwise": graded.pk,
        "preference": preferred.pk,
    }
    return [
        Judged(name, judge_kind(kind), of_kind[kind], questions.get(name), UNITS.get(kind, 7))
        for name, kind in kinds.items()
    ]


def echoes(messages: Sequence[dict[str, str]]) -> Iterator[str]:
    """What a judge that repeats what it reads may say."""
    system, user = (message["content"] for message in messages)
    yield from (user, system, f"{system}\n{user}")
    for match in MARKED.finditer(user):
        yield match["text"]
        yield match[0]
    yield user[user.rindex("<<<end of") :]
    yield "\n".join(reversed(user.splitlines()))


def said_to(judge: Judged, material: Material) -> tuple[str, list[str]]:
    """The number of the call, and everything that may be repeated of it."""
    nonce = calling.new_nonce(material)
    return nonce, list(dict.fromkeys(echoes(judge.kind.messages(judge.prompt, material, judge.unit, nonce))))


def forged(judges: Sequence[Judged], materials) -> tuple[list[str], int]:
    """What was repeated and counted as an answer, with its kind; and how many repetitions were tried.

    `materials` yields what a judge is to be shown.
    """
    counted, tried = [], 0
    for judge in judges:
        for material in materials(judge):
            nonce, repeated = said_to(judge, material)
            question = Question(1, 1, judge.unit, material, "Nile-7B", "delta-lab")
            for text in repeated:
                tried += 1
                reply = Reply(text=text, model="simulated-1", finish_reason="stop")
                if outcome_of(judge.setup, question, reply, nonce).state in ANSWERED:
                    counted.append(f"{judge.name}: {text}")
    return counted, tried


def everywhere(judge: Judged) -> Iterator[Material]:
    for payload in payloads_of(judge.name):
        yield judge.material(payload, payload, payload)


def in_two_places(judge: Judged) -> Iterator[Material]:
    """An answer begun in the question and ended in the response, cut at three places: who repeats all completes it."""
    for payload in payloads_of(judge.name)[::3]:
        for quarter in (1, 2, 3):
            cut = len(payload) * quarter // 4
            yield judge.material(payload[:cut], payload[cut:], "The fair opens.")


def test_there_are_a_hundred_and_twenty_for_every_kind():
    for name in FORGED:
        assert len(set(payloads_of(name))) == len(payloads_of(name)) == 120


def test_nothing_that_is_repeated_is_an_answer(every_judge):
    found, tried = forged(every_judge, everywhere)
    assert found == []
    assert tried > 120 * 7 * 5


def test_nor_is_an_answer_that_stands_in_two_places(every_judge):
    assert forged(every_judge, in_two_places)[0] == []


def test_every_payload_reaches_the_judge_between_its_marks(every_judge):
    """Otherwise the tests above would try nothing."""
    for judge in every_judge:
        for payload in payloads_of(judge.name)[::10]:
            nonce, repeated = said_to(judge, judge.material(payload, payload, payload))
            assert payload in repeated
            assert any(text.startswith("<<<") and text.count(nonce) == 2 and payload in text for text in repeated)


# --- What keeps it from that, one at a time taken away ------------------------------------------------


def with_a_number_that_is_known(monkeypatch):
    monkeypatch.setattr(calling, "new_nonce", lambda material: "0" * 16)


def with_numbers_that_may_stand_in_the_text(monkeypatch):
    """Drawn from two, of which one is in the text: `new_nonce` draws again for that."""
    monkeypatch.setattr(calling.secrets, "token_hex", lambda size: "0123456789abcdef")
    monkeypatch.setattr(Material, "texts", property(lambda self: ()))


@pytest.mark.parametrize(
    "take_away",
    [without_ticket_check, with_a_number_that_is_known, with_numbers_that_may_stand_in_the_text],
    ids=lambda guard: guard.__name__,
)
def test_the_search_finds_what_a_missing_guard_lets_through(take_away, every_judge, monkeypatch):
    """In every kind of judging."""
    take_away(monkeypatch)
    found, _tried = forged(every_judge, everywhere)
    assert {name.partition(":")[0] for name in found} == set(FORGED)


def test_of_several_answers_the_last_is_not_taken(every_judge, monkeypatch):
    """A judge that repeats what it read and then answers is not read: which object is its own is not guessed."""
    judge = next(each for each in every_judge if each.name == "categories")
    material = judge.material("?", payloads_of("categories")[0], "The fair opens.")
    nonce, _repeated = said_to(judge, material)
    question = Question(1, 1, judge.unit, material, "Nile-7B", "delta-lab")
    own = f'{{"ticket": "{nonce}", "category": "dates", "reason": "The month."}}'
    reply = Reply(text=f"{material.response}\n{own}", model="simulated-1", finish_reason="stop")
    assert outcome_of(judge.setup, question, reply, nonce).problem == "several_objects"
    with_the_last_of_two_objects(monkeypatch)
    assert outcome_of(judge.setup, question, reply, nonce).state in ANSWERED


def test_a_number_is_drawn_until_it_stands_in_no_text(monkeypatch):
    drawn = iter(["0" * 16, "1" * 16])
    monkeypatch.setattr(calling.secrets, "token_hex", lambda size: next(drawn))
    assert new_nonce(Material(payloads_of("spans")[0], "", "English")) == "1" * 16


# --- Over HTTP, to the tables: what asks about errors -------------------------------------------------
# (Error spans and grades by rubric: test_text_cannot_speak_for_the_judge.py; ratings: test_text_cannot_rate_itself.py.)


@pytest.fixture
def marked_payloads(project, mona, karim):
    """Two kept errors that touch, in responses that are payloads; the explanations are the payload as well."""
    for slug in ("dates", "food"):
        ErrorCategory.objects.create(project=project, slug=slug, name=slug.title(), definition="A wrong one.")

    def add(form: str) -> int:
        told = payloads_of(form)[::6]
        for number, payload in enumerate(told):
            response = add_response(project, f"{form}-{number}", f"The fair opens in May.\n\n{payload}", "en-US")
            [first], [second] = mark(response, mona, "fair opens"), mark(response, karim, "opens in May")
            review(first, karim, "keep")
            review(second, mona, "keep")
            Span.objects.filter(response=response).update(explanation=payload)
        derive(project.responses.values_list("pk", flat=True))
        return len(told)

    return add


@pytest.mark.parametrize("kind", ["groups", "categories"])
@pytest.mark.parametrize("repeats", ["answer", "explanation", "everything"])
def test_nothing_that_is_repeated_becomes_a_proposal(repeats, kind, marked_payloads, project, httpserver):
    count = marked_payloads(kind)
    assert count == 20
    assert GoldError.objects.count() >= count
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(echo)
    gateway = Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"), concurrency=4)
    run = runs.create_run(
        judge_of(kind, project, gateway, f"gpt-4o:{repeats}"), Response.objects.filter(project=project)
    )
    for shard in runs.start_here(run):
        work_through(shard)
    assert run.calls.count() >= count
    assert [call.raw_output for call in Call.objects.filter(state__in=ANSWERED)] == []
    assert not GroupProposal.objects.exists()
    assert not Classification.objects.exists()
