"""Salma reviews marks of people and of judges. Beside the words, her page does not say whose they are.

A classifier is taught on what the page was served with, of the demonstration and of a generated study; it must not do
better than chance. And it must be able to: each way in which a page could give judges away is planted, and found.
"""

import json
import re
import uuid
from dataclasses import dataclass, replace

import pytest

from agreement.blindness import Told, told_apart
from agreement.shown_marks import Card, form_columns
from annotation.models import Marking, Span
from annotation.reviews import blinding, task
from annotation.reviews.blinding import blind_key
from annotation.reviews.task import ValidatorReviews
from demo.loading import Encoded, load_by_hand, refuse_problems
from demo.studies import juice
from formats.importing.running import run_import
from formats.reading import Source
from projects.creation import create_project
from projects.models import Project, Rater, RaterKind, Response, Role, User
from tests.people import PASSWORD, join, person, signed_in
from tests.standing import standing
from workflow.models import Assignment, Stage, Status, WorkItem

pytestmark = pytest.mark.django_db

CHOICES, TEXTS = ("anchor", "type", "category", "criticality"), ("explanation", "correction")
#: The share of permutations that may do as well. The pages are always the same, so a test that passes goes on passing.
LEVEL = 0.01
#: Of the generated study's 1,050 responses these many are one of the test's.
EVERY = 20


@dataclass(frozen=True)
class Seen:
    """A card as the page was served with it, and whose it is."""

    page: str
    prompt: str
    card: Card
    is_judge: bool


def pages_of(project: Project, email: str, stage_name: str = "Everything") -> list[Seen]:
    """The review page of every response of the project, as this validator gets it."""
    stage = Stage.objects.create(project=project, kind=ValidatorReviews.kind, name=stage_name, position=9, seed=7)
    ValidatorReviews().plan(stage)
    reviewer = User.objects.get(email=email)
    client, rater = signed_in(reviewer), reviewer.raters.get(project=project)
    seen = []
    for item in WorkItem.objects.filter(stage=stage).select_related("response__prompt").order_by("response__key"):
        assert item.response is not None
        # The order of cards hangs on the turn's name: the same in every run of this test.
        name = uuid.uuid5(uuid.NAMESPACE_URL, f"{stage_name}/{item.response.key}")
        turn = Assignment.objects.create(item=item, stage=stage, rater=rater, uuid=name, status=Status.RESERVED)
        seen += cards_of(client.get(f"/tasks/{turn.uuid}/").content.decode(), turn, item.response)
    return seen


def cards_of(html: str, turn: Assignment, response: Response) -> list[Seen]:
    [served] = re.findall(r'<script id="review-task" type="application/json">(.*?)</script>', html, re.S)
    shown = json.loads(served)["spans"]
    spans = Span.objects.filter(response=response).select_related("rater")
    judged = {blind_key(turn, response, span): span.rater.kind == RaterKind.JUDGE for span in spans}
    return [
        Seen(
            response.key,
            response.prompt.key,
            Card(place, len(shown), {name: card[name] for name in CHOICES}, {name: card[name] for name in TEXTS}),
            judged[card["id"]],
        )
        for place, card in enumerate(shown)
    ]


def told(seen: list[Seen], permutations: int = 99) -> Told:
    columns, names = form_columns([each.card for each in seen])
    is_judge = [each.is_judge for each in seen]
    pages, prompts = [each.page for each in seen], [each.prompt for each in seen]
    return told_apart(columns, is_judge, pages, prompts, names=names, permutations=permutations)


def rewritten(seen: list[Seen], change) -> list[Seen]:
    """With another explanation on each card: `change(explanation, is_judge)`."""

    def with_explanation(each: Seen) -> Seen:
        text = change(each.card.texts["explanation"], each.is_judge)
        return replace(each, card=replace(each.card, texts={**each.card.texts, "explanation": text}))

    return [with_explanation(each) for each in seen]


def is_betrayed(of: Told) -> bool:
    return of.figure.number > 0.5 and of.figure.detail["p"] <= LEVEL


@pytest.fixture(scope="module")
def demo(django_db_setup, django_db_blocker):
    with standing(django_db_blocker, lambda: load_by_hand(PASSWORD)) as project:
        yield project


@pytest.fixture(scope="module")
def generated(django_db_setup, django_db_blocker):
    """The project and the pages of its validator."""

    def make():
        project = import_generated()
        return project, pages_of(project, "hana@example.org")

    with standing(django_db_blocker, make) as made:
        yield made


def import_generated() -> Project:
    """A part of the generated study, marked by its people and judges, with Hana to review it."""
    project = create_project(Project(slug="juice", name="Generated", is_generated=True), None)
    lines = list(juice.generate())
    keys = {line["id"] for line in [line for line in lines if "kind" not in line][::EVERY]}
    chosen = [line for line in lines if line.get("item", line.get("id")) in keys]
    for kind, wanted in (("items", None), ("answers", "spans")):
        source = Source(Encoded(line for line in chosen if line.get("kind") == wanted), kind)
        refuse_problems(run_import(project, source, kind))
    varieties = tuple(sorted({line["variety"] for line in chosen if "kind" not in line}))
    join(person("hana@example.org", "Hana"), project, Role.VALIDATOR, varieties=varieties)
    return project


def test_the_demonstration_betrays_no_judge(demo):
    of = told(pages_of(demo, "expert@example.org"))
    assert of.figure.detail["prompts"] >= 9
    assert not is_betrayed(of), of


def test_the_generated_study_betrays_no_judge(generated):
    of = told(generated[1])
    assert of.figure.detail["prompts"] >= 40
    assert not is_betrayed(of), of


LEAKS = {
    "judges end with a stop": lambda text, is_judge: text.rstrip(".。।!?؟") + ("." if is_judge else ""),
    "judges begin with a capital": lambda text, is_judge: f"Error: {text}" if is_judge else text,
    "judges write lists": lambda text, is_judge: f"- {text}" if is_judge else text,
    "judges write emphasis": lambda text, is_judge: f"**{text}**" if is_judge else text,
    "judges write on two lines": lambda text, is_judge: f"{text}\n\n{text}" if is_judge else text,
    "judges quote with other marks": lambda text, is_judge: re.sub("[“”]", '"', text) if is_judge else text,
    "judges write more": lambda text, is_judge: f"{text} " * 4 if is_judge else text,
    "judges write another language": lambda text, is_judge: "This is wrong here." if is_judge else text,
    "people leave it out now and then": lambda text, is_judge: text if is_judge or len(text) % 3 else "",
}


@pytest.mark.parametrize("leak", LEAKS)
def test_each_leak_of_an_explanation_is_found(generated, leak):
    assert is_betrayed(told(rewritten(generated[1], LEAKS[leak]))), leak


@pytest.mark.parametrize("field", ["category", "criticality"])
def test_a_field_that_only_judges_always_fill_is_found(generated, field):
    def with_field(at: int, each: Seen) -> Seen:
        given = "low" if each.is_judge or at % 3 else ""
        return replace(each, card=replace(each.card, choices={**each.card.choices, field: given}))

    assert is_betrayed(told([with_field(at, each) for at, each in enumerate(generated[1])]))


def test_judges_first_is_found_on_the_page(generated, monkeypatch):
    def judges_first(_assignment, spans):
        return sorted(spans, key=lambda span: (Rater.objects.get(pk=span.rater_id).kind != RaterKind.JUDGE, span.key))

    monkeypatch.setattr(blinding, "shuffled", judges_first)
    assert is_betrayed(told(pages_of(generated[0], "hana@example.org", "Judges first")))


def test_a_correction_that_not_everybody_gives_is_found_on_the_page(demo, monkeypatch):
    Span.objects.filter(rater__kind=RaterKind.JUDGE, response__project=demo).update(correction="")
    assert not any(each.card.texts["correction"] for each in pages_of(demo, "expert@example.org"))

    everything = frozenset(["category", "correction"])
    monkeypatch.setattr(task, "shown_optional_fields", lambda project: everything)
    assert is_betrayed(told(pages_of(demo, "expert@example.org", "Corrections too")))


def test_where_no_judge_marks_a_correction_is_shown(demo):
    Marking.objects.filter(rater__kind=RaterKind.JUDGE, response__project=demo).delete()
    assert any(each.card.texts["correction"] for each in pages_of(demo, "expert@example.org"))
