"""Nour looks at the models of her benchmark on their pages, adds them, and decides which are ranked."""

import re

import pytest

from benchmark.cards import create_card, create_configuration, withdraw
from benchmark.freezing import freeze
from benchmark.models import Configuration, ModelCard
from projects.models import AuditEvent, Laboratory, TargetModel
from tests.benchmark.answered import answered, frozen_set
from tests.benchmark.boards import configuration
from tests.benchmark.sets import question_line
from tests.people import signed_in

pytestmark = pytest.mark.django_db

MODELS = "/p/feasts/models/"
CARD = {"name": "Nile 7B", "laboratory": "Delta Lab", "access": "open", "parameters_total": "7.2"}


@pytest.fixture
def lead(nour):
    return signed_in(nour)


@pytest.fixture
def row(project, nour) -> Configuration:
    card = create_card(project, {**CARD, "parameters_total": 7.2}, nour)
    return create_configuration(project, card, {"name": "Nile 7B", "sampling": {"temperature": 0}}, nour)


def text(response) -> str:
    return response.content.decode()


def test_without_models_the_page_says_what_comes_next(lead):
    shown = text(lead.get(MODELS))
    assert "There are no models yet" in shown
    assert f'href="{MODELS}new/"' in shown
    shown = text(lead.get(f"{MODELS}configuration/new/"))
    assert "There is no model card yet" in shown


def test_nour_adds_a_card_and_a_configuration(lead, project):
    answer = lead.post(f"{MODELS}new/", {**CARD, "thinking_tags": "[T] [/T]\n", "link": "https://example.org/nile"})
    assert answer.url == f"{MODELS}card/nile-7b/"
    card = ModelCard.objects.get()
    assert (card.thinking_tags, card.context_tokens) == ([["[T]", "[/T]"]], None)
    shown = text(lead.get(answer.url))
    assert "No configuration yet" in shown
    assert "Small: 3.5 to below 10 billion" in shown
    assert ">7.2<" in shown
    run = {
        "card": "nile-7b",
        "name": "Nile, greedy",
        "temperature": "0",
        "sampling": '{"top_k": 1}',
        "token_limit": "64",
    }
    answer = lead.post(f"{MODELS}configuration/new/", {**run, "token_limit": "64", "system_prompt": "أجب.\r\nبإيجاز."})
    assert answer.url == f"{MODELS}card/nile-7b/"
    stored = Configuration.objects.get()
    assert (stored.sampling, stored.token_limit) == ({"temperature": 0.0, "top_k": 1}, 64)
    assert (stored.system_prompt, stored.standing) == ("أجب.\nبإيجاز.", "ranked")
    shown = text(lead.get(answer.url))
    assert "No endpoint collects for it." in shown
    assert "/p/feasts/targets/add/?name=Nile%2C%20greedy" in shown


def test_what_is_wrong_is_said_beside_the_field_and_nothing_is_lost(lead, row):
    wrong = {**CARD, "parameters_total": "0", "parameters_active": "3", "link": "javascript:alert(1)"}
    answer = lead.post(f"{MODELS}new/", wrong)
    shown = text(answer)
    assert answer.status_code == 422
    for message in (
        "Another card has this name.",
        "More than 0 is expected; left out, nobody knows.",
        "An address that begins with https:// or http:// is expected.",
        "Nothing was stored yet. What you wrote is still here.",
    ):
        assert message in shown
    assert 'value="javascript:alert(1)"' in shown
    more = text(lead.post(f"{MODELS}new/", {**CARD, "name": "Other", "parameters_active": "8"}))
    assert "A model has no more active parameters than it has in all." in more
    wrong_run = {"card": "nile-7b", "name": "Other", "sampling": '{"max_tokens": 5}', "template_sha256": "x"}
    shown = text(lead.post(f"{MODELS}configuration/new/", wrong_run))
    assert "has a field of its own." in shown
    assert "A SHA-256 has 64 characters of 0 to 9 and a to f." in shown
    assert "Names and values as JSON" in text(lead.post(f"{MODELS}configuration/new/", {**wrong_run, "sampling": "{"}))
    assert (ModelCard.objects.count(), Configuration.objects.count()) == (1, 1)


def test_a_link_that_is_a_script_and_came_by_another_way_is_no_link(lead, row):
    ModelCard.objects.update(link="javascript:alert(1)")
    for page in (MODELS, f"{MODELS}card/nile-7b/"):
        assert 'href="javascript:' not in text(lead.get(page))


def test_names_in_arabic_and_very_long_ones_are_shown(lead, project):
    for name in ("جيس ٧ب", "n" * 200, "<script>"):
        lead.post(f"{MODELS}new/", {**CARD, "name": name})
    shown = text(lead.get(MODELS))
    assert "<bdi>جيس ٧ب</bdi>" in shown
    assert f"<bdi>{'n' * 59}…</bdi>" in shown  # whole on its own page; here it would push all else aside
    assert "n" * 200 in text(lead.get(f"{MODELS}card/{'n' * 72}/"))
    assert "<bdi>&lt;script&gt;</bdi>" in shown
    assert sorted(ModelCard.objects.values_list("slug", flat=True)) == ["model", "n" * 72, "script"]


@pytest.mark.parametrize(
    ("billions", "shown"),
    [
        ("3.49", "Nano: below 3.5 billion"),
        ("3.5", "Small: 3.5 to below 10 billion"),
        ("10", "Medium: 10 to 35 billion"),
        ("35", "Medium: 10 to 35 billion"),
        ("35.01", "Large: above 35 billion"),
        ("", "Size undisclosed"),
    ],
)
def test_each_size_falls_into_its_class(lead, project, billions, shown):
    lead.post(f"{MODELS}new/", {**CARD, "parameters_total": billions})
    assert f">{shown}<" in text(lead.get(MODELS))
    assert shown in text(lead.get(f"{MODELS}card/nile-7b/"))


def test_answers_are_counted_to_the_newest_frozen_version_alone(lead, project, row):
    frozen = frozen_set(project, question_line(), question_line("second"))
    answered(row, "capital", "أ")
    assert "1 / 2" in text(lead.get(MODELS))
    draft = frozen.new_version()
    draft.questions.get(key="capital").delete()
    assert "1 / 2" in text(lead.get(MODELS))
    freeze(draft)
    assert "0 / 1" in text(lead.get(MODELS))


def test_two_leads_who_edit_at_once_are_told(lead, row):
    page = text(lead.get(f"{MODELS}card/nile-7b/edit/"))
    seen = page.split('name="seen" value="')[1].split('"')[0]
    first = lead.post(f"{MODELS}card/nile-7b/edit/", {**CARD, "licence": "MIT", "seen": seen})
    assert first.status_code == 302
    second = lead.post(f"{MODELS}card/nile-7b/edit/", {**CARD, "licence": "Apache-2.0", "seen": seen})
    assert second.status_code == 422
    assert "Somebody else has changed this meanwhile" in text(second)
    assert 'value="Apache-2.0"' in text(second)
    assert ModelCard.objects.get().licence == "MIT"
    # Sent again from the page that said so, it is meant.
    seen = text(second).split('name="seen" value="')[1].split('"')[0]
    lead.post(f"{MODELS}card/nile-7b/edit/", {**CARD, "licence": "Apache-2.0", "seen": seen})
    assert ModelCard.objects.get().licence == "Apache-2.0"


def test_how_it_was_run_stays_once_there_are_answers(lead, project, row):
    address = f"{MODELS}configuration/nile-7b/edit/"
    before = {"name": "Nile 7B", "target_model": "Nile 7B", "temperature": "0"}
    assert "disabled" not in text(lead.get(address)).split('<form method="post" class="surface')[1]
    frozen_set(project, question_line())
    answered(row, "capital", "أ")
    # From a page that was opened before the answer came:
    late = lead.post(address, {**before, "temperature": "1"})
    assert late.status_code == 422
    assert "make another configuration" in text(late)
    page = text(lead.get(address))
    assert "nothing but its name can change" in page
    assert re.search('name="temperature" value="0"[^>]* disabled', page)
    assert lead.post(address, {"name": "Nile, greedy", "locked": "yes"}).status_code == 302
    row.refresh_from_db()
    assert (row.name, row.sampling, row.target_model.name) == ("Nile, greedy", {"temperature": 0}, "Nile 7B")


def test_nour_decides_about_a_configuration_that_waits(lead, project, row):
    Configuration.objects.update(standing="pending")
    assert "Pending a decision" in text(lead.get(MODELS))
    address = f"{MODELS}configuration/nile-7b/decide/"
    assert lead.post(address, {"standing": "ranked", "reason": " "}).status_code == 422
    assert lead.post(address, {"standing": "withdrawn", "reason": "It knows the questions."}).status_code == 302
    shown = text(lead.get(f"{MODELS}card/nile-7b/"))
    assert "It knows the questions." in shown
    assert "Nour Haddad" in shown
    assert "Withdrawn" in shown
    said = AuditEvent.objects.get(action="configuration.decided")
    assert (said.detail["before"], said.detail["after"]) == ("pending", "withdrawn")
    audit = text(lead.get("/p/feasts/audit/"))
    assert "Standing of a configuration decided" in audit


def test_a_laboratory_in_doubt_is_shown_with_what_to_do(lead, project, nour, row):
    other = Laboratory.objects.create(slug="other-lab", name="Other Lab")
    TargetModel.objects.filter(pk=row.target_model_id).update(laboratory=other)
    assert "laboratory in doubt" in text(lead.get(MODELS))
    shown = text(lead.get(f"{MODELS}card/nile-7b/"))
    assert "this project knows the target model “Nile 7B” as one of Other Lab" in shown
    assert "make another configuration whose target model has a name of its own" in shown
    answer = lead.post(f"{MODELS}card/nile-7b/edit/", {**CARD, "laboratory": "Other Lab"})
    assert answer.status_code == 302
    assert "laboratory in doubt" not in text(lead.get(MODELS))


def test_baselines_are_nobodys_to_change(lead, project):
    configuration(project, "Empty", kind="baseline")
    assert lead.get(f"{MODELS}configuration/empty/edit/").status_code == 404
    assert "Empty" not in text(lead.get(MODELS))


def test_who_does_not_lead_finds_nothing(mona, omar, row):
    for person in (mona, omar):
        assert signed_in(person).get(MODELS).status_code == 404
        assert signed_in(person).get(f"{MODELS}card/nile-7b/").status_code == 404


def test_five_hundred_cards_cost_no_more_queries_than_one(lead, project, nour, row, django_assert_max_num_queries):
    frozen_set(project, question_line())
    laboratory = row.card.laboratory
    cards = ModelCard.objects.bulk_create(
        ModelCard(project=project, slug=f"m-{n}", name=f"Model {n:03d}", laboratory=laboratory, access="api")
        for n in range(499)
    )
    targets = TargetModel.objects.bulk_create(TargetModel(name=card.name, laboratory=laboratory) for card in cards)
    Configuration.objects.bulk_create(
        Configuration(project=project, card=card, target_model=target, slug=card.slug, name=card.name)
        for card, target in zip(cards, targets, strict=True)
    )
    # session, person, project, roles, roles of the menu; count, cards, configurations, answers, questions
    with django_assert_max_num_queries(10):
        shown = text(lead.get(MODELS))
    assert "Page 1 of 10" in shown
    assert shown.count('<th scope="row">') == 50
    with django_assert_max_num_queries(12):
        lead.get(f"{MODELS}card/nile-7b/")
    assert lead.get(f"{MODELS}configuration/new/").status_code == 200
    withdraw(row, "Enough.", nour)


ODD_SAMPLING = {
    "NaN within a list": '{"x": [NaN]}',
    "infinity within an object": '{"a": {"b": Infinity}}',
    "a null character": '{"a": ["\\u0000"]}',
    "half of a character": '{"a": "\\ud800"}',
    "an object too deep": '{"a":' * 3000 + "1" + "}" * 3000,
    "a list too deep": "[" * 90_000,
}


@pytest.mark.parametrize("name", ODD_SAMPLING)
def test_sampling_that_no_database_holds_is_refused_at_any_depth(project, nour, row, name):
    sent = {"card": row.card.slug, "name": "Nile 7B, odd", "standing": "ranked", "sampling": ODD_SAMPLING[name]}
    answer = signed_in(nour).post("/p/feasts/models/configuration/new/", sent)
    assert answer.status_code == 422
    for said in ("Names and values as JSON are expected", "What you wrote is still here"):
        assert said in answer.content.decode(), said
    assert not project.configurations.filter(name="Nile 7B, odd").exists()
